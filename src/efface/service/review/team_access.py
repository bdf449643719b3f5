"""Access to reviews and games: for people outside of their team they are not found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from anyio import to_thread
from fastapi import Depends, Request

from efface.service.auth.credentials import needs, service_of
from efface.service.auth.identity import Identity
from efface.service.problems import Problem

FindRow = Callable[[Any, str], Any]  # a service and an id to a row with a team


def _of_team(scope: str, find: FindRow) -> Callable[[Request], Awaitable[Identity]]:
    """A dependency: an identity with this scope in the team of what the path names."""

    async def required(request: Request) -> Identity:
        who = await needs(scope)(request)
        row = await to_thread.run_sync(find, service_of(request), str(request.path_params["id"]))
        if not who.may_in(row.team, scope):
            raise Problem("not-found")
        return who

    return required


def review_team(who: Identity, team: str) -> str:
    """The named team, or the person's only one. With several it is not guessed: the document would be shown to it."""
    theirs = who.teams_with("review")
    if team and team not in theirs:
        raise Problem("not-found", "There is no such team.")
    if not team and len(theirs) > 1:
        raise Problem("invalid", "Name the team whose queue this is for.")
    return team or theirs[0]


def _review(service: Any, id: str) -> Any:
    return service.review_store.get(id)


def _game(service: Any, id: str) -> Any:
    return service.games.get(id)


OfReview = Annotated[Identity, Depends(_of_team("review", _review))]
OfGame = Annotated[Identity, Depends(_of_team("read", _game))]
HostOfGame = Annotated[Identity, Depends(_of_team("review", _game))]
