"""The guessing game over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, File, Form, Path, UploadFile
from pydantic import BaseModel, Field

from efface.service.audit import Event
from efface.service.auth.credentials import Reader, Reviewer, Running
from efface.service.auth.identity import Identity, team_of
from efface.service.game.guessing_game import GameRequest
from efface.service.problems import Problem
from efface.service.repository.file_responses import name_of
from efface.service.request_bodies import BodyRoute, ListOf
from efface.service.review.team_access import HostOfGame, OfGame

router = APIRouter(tags=["review"], route_class=BodyRoute)

_MOST_LEVELS = 6  # of k in one game: people answer some twenty documents
GameId = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]


class Game(BaseModel):
    """A game, and how far the caller is in it."""

    id: str
    title: str
    policy: str
    owner: str
    created: float
    state: Literal["making", "open", "failed"]
    problem: str
    documents: int
    answered: int


class GameTable(BaseModel):
    """The games there are."""

    games: list[Game]


class Turn(BaseModel):
    """The next document, as it was redacted; without one all are answered."""

    title: str
    classes: list[str]
    document: int | None
    text: str | None
    answered: int
    documents: int
    points: float | None


class Guesses(BaseModel):
    """One or more classes: a point for the right one, a twentieth less for every wrong one."""

    document: int = Field(ge=0, le=2**31)
    guesses: ListOf[Annotated[str, Field(max_length=500)]] = Field(min_length=1, max_length=10_000)


class GuessWorth(BaseModel):
    """Whether the right class was among them, and what they were worth; null unless the host lets the game tell."""

    right: bool | None
    truth: str | None
    k: int
    points: float | None


@router.post("/v1/games", status_code=201)
async def begin(
    service: Running, who: Reviewer,
    file: Annotated[UploadFile, File(description="Labelled documents: JSON lines or CSV.")],
    policy: Annotated[str, Form(max_length=129, description="A policy with `k-confusability`.")],
    title: Annotated[str, Form(max_length=200)] = "Guess the class",
    k: Annotated[str, Form(pattern=r"^[0-9]{1,3}(,[0-9]{1,3})*$", max_length=40, description="Levels; 1 shows originals.")] = "2,5",
    documents: Annotated[int, Form(ge=1, le=200)] = 20,
    learned: Annotated[bool, Form(description="The policy's model was trained on these documents.")] = True,
    players: Annotated[str, Form(max_length=20_000, description="Who is invited: names, with commas between them.")] = "",
    tells: Annotated[bool, Form(description="Whether an answer tells the class afterwards.")] = False,
) -> dict[str, str]:  # fmt: skip
    """Make a game: the documents are redacted at each k, and the automatic attackers guess first."""
    levels = tuple(sorted({int(each) for each in k.split(",")}))
    if levels[0] < 1 or len(levels) > _MOST_LEVELS:
        raise Problem("invalid", f"Give 1 to {_MOST_LEVELS} levels of k, each 1 or more.")
    data = await file.read()
    invited = [name.strip() for name in players.split(",") if name.strip()]
    detail = {"policy": policy, "k": k, "documents": str(documents), "tells": str(tells)}

    def begun() -> str:
        with service.changing(who) as record:
            id: str = service.games.begin(who, title, policy, invited, tells)
            team, names = team_of(policy), " ".join(invited)
            record(Event.of(who.on_record, "make game", id, team=team, **detail, players=names))
        return id

    id = await to_thread.run_sync(begun)
    wanted = GameRequest(levels, documents, learned)
    service.games.make_later(id, who.viewer, name_of(file.filename), data, wanted)
    return {"id": id}


@router.get("/v1/games")
def listed(service: Running, who: Reader) -> GameTable:
    """The games that one is invited to, or hosts; for an administrator all."""
    return GameTable(games=[Game(**row) for row in service.games.listed(who)])


@router.delete("/v1/games/{id}", status_code=204)
def remove(service: Running, who: HostOfGame, id: GameId) -> None:
    """End a game and forget its documents and answers; its owner or an administrator may."""
    row = service.games.get(id)
    _require_host(who, row)
    with service.changing(who) as record:
        service.games.remove(id)
        record(Event.of(who.on_record, "end game", id, team=row.team))


@router.get("/v1/games/{id}/turn")
def turn(service: Running, who: OfGame, id: GameId) -> Turn:
    """The next document for an invited caller. It is recorded that they saw it."""
    found = Turn(**service.games.turn(id, who.name))
    if found.document is not None:
        team = service.games.get(id).team
        service.trail.append(Event.of(who.on_record, "play", id, team=team, document=str(found.document)))
    return found


@router.post("/v1/games/{id}/answers")
def answer(service: Running, who: OfGame, id: GameId, made: Guesses) -> GuessWorth:
    """Guess. An answer is kept and cannot be changed. It is recorded: it may tell the class of a document that its
    player was not shown."""
    with service.changing(who) as record:
        worth = GuessWorth(**service.games.answer(id, who.name, made.document, made.guesses))
        team = service.games.get(id).team
        record(Event.of(who.on_record, "guess", id, team=team, document=str(made.document)))
    return worth


@router.get("/v1/games/{id}/results")
def results(service: Running, who: HostOfGame, id: GameId) -> dict[str, Any]:
    """Errors by number of guesses and by k, of people and of the automatic attackers; for its owner or an
    administrator. A player would read in them whether the last guess was right."""
    _require_host(who, service.games.get(id))
    found: dict[str, Any] = service.games.results(id)
    return found


def _require_host(who: Identity, row: Any) -> None:
    if row.owner != who.name and not who.may_in(row.team, "admin"):
        raise Problem("forbidden", "Only its owner or an administrator may.")
