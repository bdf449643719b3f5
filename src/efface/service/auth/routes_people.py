"""Who may do what: users, tokens and sessions; and the trail of what they did."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response, StreamingResponse

from efface.service.audit import Event, Record
from efface.service.auth.credentials import Admin, Known, Operator, Running
from efface.service.auth.identity import TEAM, Identity
from efface.service.problems import Problem
from efface.service.request_bodies import BodyRoute, ListOf
from efface.service.settings import Role

router = APIRouter(tags=["people"], route_class=BodyRoute)

_NAME = "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$"
UserName = Annotated[str, Path(pattern=_NAME)]
TeamName = Annotated[str, Field(pattern=f"^{TEAM.pattern}$")]


class CurrentUser(BaseModel):
    """The user who sent the request."""

    name: str
    role: Role | None = Field(description="In the main team.")
    viewer: str
    scopes: list[str]
    csrf: str | None = None
    teams: dict[str, Role] = Field(description="The role in each team.")


class User(BaseModel):
    """A user's role in the main team, and who they are to the databases of the policies; by default their own name.
    Without `teams` the others that they are in stay."""

    role: Role | None
    viewer: str | None = Field(None, max_length=128)
    teams: dict[TeamName, Role] | None = Field(None, max_length=1000)


class NamedUser(BaseModel):
    """A user."""

    name: str
    role: Role | None
    viewer: str
    teams: dict[str, Role]


class UserList(BaseModel):
    """All users."""

    users: list[NamedUser]


class TokenRequest(BaseModel):
    """A token to be made, for oneself or, by an administrator, for somebody else."""

    user: str | None = Field(None, pattern=_NAME)
    scopes: ListOf[str] | None = Field(None, max_length=16)
    label: str = Field("", max_length=100)
    days: float | None = Field(None, gt=0, le=3650)


class IssuedToken(BaseModel):
    """A token, which is shown this once."""

    id: str
    token: str


class TokenList(BaseModel):
    """Tokens without what makes them work."""

    tokens: list[dict[str, Any]]


class AuditCheck(BaseModel):
    """Whether the trail is as it was written."""

    records: int
    head: str
    trouble: list[str]
    unknown: list[str]


@router.get("/v1/me")
def me(request: Request, service: Running, who: Known) -> CurrentUser:
    """Who the service thinks you are."""
    cookie = request.cookies.get(service.sessions.cookie)
    csrf = service.sessions.csrf(cookie) if who.via == "session" and cookie else None
    return _me(who, csrf)


def _me(who: Identity, csrf: str | None) -> CurrentUser:
    facts: dict[str, Any] = {"name": who.name, "role": who.role or None, "viewer": who.viewer}
    return CurrentUser(**facts, scopes=sorted(who.scopes), csrf=csrf, teams=who.roles)


@router.post("/v1/session", status_code=201)
def begin_session(service: Running, who: Known, response: Response) -> CurrentUser:
    """A browser's session, begun with a token. Requests that change something carry `X-CSRF-Token`."""
    if who.via == "session":
        raise Problem("conflict", "A session is begun with a token.")
    with service.trail.recording() as record:
        value, csrf = service.sessions.begin(who)
        record(Event.of(who.on_record, "log in", via=who.via))
    response.headers["Set-Cookie"] = service.sessions.set_cookie(value)
    return _me(who, csrf)


@router.delete("/v1/session", status_code=204)
def end_session(request: Request, service: Running, who: Known, response: Response) -> None:
    """Log out."""
    service.sessions.end(request.cookies.get(service.sessions.cookie) or "")
    response.headers["Set-Cookie"] = service.sessions.set_cookie("")
    service.trail.append(Event.of(who.on_record, "log out"))


@router.get("/v1/users")
def users(service: Running, _who: Operator) -> UserList:
    """Everybody."""
    rows = service.people.all()
    return UserList(
        users=[
            NamedUser(name=row.name, role=row.role or None, viewer=row.viewer, teams=row.teams)
            for row in rows
        ]
    )


@router.put("/v1/users/{name}", status_code=204)
def put_user(service: Running, who: Operator, name: UserName, user: User) -> None:
    """Add somebody, or change their role. Their open sessions end."""
    with service.changing(who) as record:
        person = service.people.put(name, user.role or "", user.viewer, user.teams)
        roles = " ".join(f"{team}/{role}" for team, role in sorted(person.roles.items()))
        record(Event.of(who.on_record, "set user", name, role=roles, viewer=person.viewer))


@router.delete("/v1/users/{name}", status_code=204)
def remove_user(service: Running, who: Operator, name: UserName) -> None:
    """With all their tokens and sessions."""
    if name == who.name:
        raise Problem("conflict", "Somebody else must remove you.")
    with service.changing(who) as record:
        if not service.people.remove(name) and service.settings.oidc is None:
            raise Problem(
                "not-found"
            )  # otherwise it may be a company account that left nothing but approvals
        record(Event.of(who.on_record, "remove user", name))


@router.get("/v1/tokens")
def tokens(service: Running, who: Known) -> TokenList:
    """One's own tokens; for an administrator of the main team everybody's."""
    return TokenList(tokens=service.people.listed(None if who.operates else who))


@router.post("/v1/tokens", status_code=201)
def issue(service: Running, who: Known, wanted: TokenRequest) -> IssuedToken:
    """A new token. Nobody but an administrator makes one for somebody else. It has no scope that its maker lacks, ends
    no later than what it is made with, and is revoked with it."""
    user = wanted.user or who.name
    if user != who.name and not who.may("admin"):
        raise Problem("forbidden")
    if who.is_company_account and not service.settings.company_tokens:
        raise Problem("forbidden", "Tokens are not made with a company account here.")
    with service.changing(who) as record:
        id, token = service.people.issue(user, wanted.scopes, wanted.label, wanted.days, within=who)
        record(Event.of(who.on_record, "issue token", id, user=user))
    return IssuedToken(id=id, token=token)


@router.delete("/v1/tokens/{id}", status_code=204)
def revoke(service: Running, who: Known, id: Annotated[str, Path(pattern="^[0-9a-f]{16}$")]) -> None:
    """From this moment on the token opens nothing."""
    with service.changing(who) as record:
        if not service.people.revoke(id, None if who.operates else who):
            raise Problem("not-found")
        record(Event.of(who.on_record, "revoke token", id))


@router.get("/v1/audit", tags=["audit"], response_class=StreamingResponse)
def audit(service: Running, who: Admin, after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> Response:
    """The records of the teams that one administers, as JSON lines. Administrators of the main team get the seals of
    all others too, without a word of what they are about, so that the chain can be verified."""
    theirs = frozenset(who.teams_with("admin"))
    for team in sorted(theirs):
        service.trail.append(Event.of(who.on_record, "export audit", team=team))
    records = service.trail.records(after)
    lines = (f"{record.line()}\n".encode() for record in _shown_records(records, theirs, who.operates))
    return StreamingResponse(lines, media_type="application/x-ndjson")


def _shown_records(records: Iterable[Record], teams: Collection[str], with_seals: bool) -> Iterator[Record]:
    for record in records:
        if record.team in teams:
            yield record
        elif with_seals:
            yield record.withheld()


@router.get("/v1/audit/check", tags=["audit"])
def check(service: Running, _who: Operator) -> AuditCheck:
    """Whether every record is there, in order, as it was written."""
    heads, unreadable = service.anchors.heads_outside()
    found = service.trail.check(heads)
    trouble = [*found.trouble, *unreadable]
    return AuditCheck(records=found.records, head=found.head, trouble=trouble, unknown=list(found.unknown))
