"""Teams over HTTP: who is in them, and as what. A team is there as soon as somebody is in it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from efface.service.audit import Event
from efface.service.auth.credentials import Admin, Known, Running
from efface.service.auth.identity import TEAM, Identity
from efface.service.auth.routes_people import UserName
from efface.service.problems import Problem
from efface.service.request_bodies import BodyRoute
from efface.service.settings import Role

router = APIRouter(tags=["people"], route_class=BodyRoute)
TeamPath = Annotated[str, Path(pattern=f"^{TEAM.pattern}$")]


class Teams(BaseModel):
    """One's own teams, and one's role in each."""

    teams: dict[str, Role]


class Members(BaseModel):
    """Who is in a team, and as what."""

    members: dict[str, Role]


class TeamMember(BaseModel):
    """What somebody is in a team."""

    role: Role


@router.get("/v1/teams")
def teams(_service: Running, who: Known) -> Teams:
    """The teams that one is in."""
    return Teams(teams=who.roles)


@router.get("/v1/teams/{team}")
def members(service: Running, who: Admin, team: TeamPath) -> Members:
    """Who is in a team."""
    _require_admin(who, team)
    found = {person.name: person.roles[team] for person in service.people.all() if team in person.roles}
    if not found:
        raise Problem("not-found")
    return Members(members=found)


@router.put("/v1/teams/{team}/members/{name}", status_code=204)
def put_member(service: Running, who: Admin, team: TeamPath, name: UserName, member: TeamMember) -> None:
    """Take somebody into a team, or change what they are there. Their open sessions are without it until they sign in
    again; those of the main team's members end when their role there changes."""
    _require_admin(who, team)
    with service.changing(who) as record:
        if not service.people.put_member(team, name, member.role):
            raise Problem("not-found", "There is no such user.")
        record(Event.of(who.on_record, "set member", name, team=team, role=member.role))


@router.delete("/v1/teams/{team}/members/{name}", status_code=204)
def remove_member(service: Running, who: Admin, team: TeamPath, name: UserName) -> None:
    """Take somebody out of a team."""
    _require_admin(who, team)
    person = service.people.get(name)
    if person is None or team not in person.roles:
        raise Problem("not-found")
    if name == who.name:
        raise Problem("conflict", "Somebody else must take you out.")
    with service.changing(who) as record:
        service.people.put_member(team, name, "")
        record(Event.of(who.on_record, "remove member", name, team=team))


def _require_admin(who: Identity, team: str) -> None:
    """An administrator of this team, or of the main one, who decides about people everywhere."""
    if not who.operates and not who.may_in(team, "admin"):
        raise Problem("not-found")
