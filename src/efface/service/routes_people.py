"""Who may do what: users, tokens and sessions; and the trail of what they did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response, StreamingResponse

from efface.service.audit import Event
from efface.service.problems import Problem
from efface.service.settings import Role
from efface.service.who import Admin, Known, Running

router = APIRouter(tags=["people"])

_NAME = "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$"
UserName = Annotated[str, Path(pattern=_NAME)]


class Me(BaseModel):
    """Whoever asks."""

    name: str
    role: Role
    viewer: str
    scopes: list[str]
    csrf: str | None = None


class User(BaseModel):
    """A user's role, and who they are to the databases of the policies; by default their own name."""

    role: Role
    viewer: str | None = Field(None, max_length=128)


class NamedUser(BaseModel):
    """A user."""

    name: str
    role: Role
    viewer: str


class Users(BaseModel):
    """All users."""

    users: list[NamedUser]


class Wanted(BaseModel):
    """A token to be made, for oneself or, by an administrator, for somebody else."""

    user: str | None = Field(None, pattern=_NAME)
    scopes: list[str] | None = Field(None, max_length=16)
    label: str = Field("", max_length=100)
    days: float | None = Field(None, gt=0, le=3650)


class Issued(BaseModel):
    """A token, which is shown this once."""

    id: str
    token: str


class Tokens(BaseModel):
    """Tokens without what makes them work."""

    tokens: list[dict[str, Any]]


class Checked(BaseModel):
    """Whether the trail is as it was written."""

    records: int
    head: str
    trouble: list[str]


@router.get("/v1/me")
def me(request: Request, service: Running, who: Known) -> Me:
    """Who the service thinks you are."""
    cookie = request.cookies.get(service.sessions.cookie)
    csrf = service.sessions.csrf(cookie) if who.via == "session" and cookie else None
    return Me(name=who.name, role=who.role, viewer=who.viewer, scopes=sorted(who.scopes), csrf=csrf)


@router.post("/v1/session", status_code=201)
def begin_session(service: Running, who: Known, response: Response) -> Me:
    """A browser's session, begun with a token. Requests that change something carry `X-CSRF-Token`."""
    if who.via == "session":
        raise Problem("conflict", "A session is begun with a token.")
    value, csrf = service.sessions.begin(who)
    response.headers["Set-Cookie"] = service.sessions.set_cookie(value)
    service.trail.append(Event.of(who.name, "log in", via=who.via))
    return Me(name=who.name, role=who.role, viewer=who.viewer, scopes=sorted(who.scopes), csrf=csrf)


@router.delete("/v1/session", status_code=204)
def end_session(request: Request, service: Running, who: Known, response: Response) -> None:
    """Log out."""
    service.sessions.end(request.cookies.get(service.sessions.cookie) or "")
    response.headers["Set-Cookie"] = service.sessions.set_cookie("")
    service.trail.append(Event.of(who.name, "log out"))


@router.get("/v1/users")
def users(service: Running, _who: Admin) -> Users:
    """Everybody."""
    rows = service.people.all()
    return Users(users=[NamedUser(name=row.name, role=row.role, viewer=row.viewer) for row in rows])


@router.put("/v1/users/{name}", status_code=204)
def put_user(service: Running, who: Admin, name: UserName, user: User) -> None:
    """Add somebody, or change their role. Their open sessions end."""
    service.people.put(name, user.role, user.viewer)
    service.trail.append(Event.of(who.name, "set user", name, role=user.role, viewer=user.viewer or name))


@router.delete("/v1/users/{name}", status_code=204)
def remove_user(service: Running, who: Admin, name: UserName) -> None:
    """With all their tokens and sessions."""
    if name == who.name:
        raise Problem("conflict", "Somebody else must remove you.")
    if not service.people.remove(name):
        raise Problem("not-found")
    service.trail.append(Event.of(who.name, "remove user", name))


@router.get("/v1/tokens")
def tokens(service: Running, who: Known) -> Tokens:
    """One's own tokens; for an administrator everybody's."""
    return Tokens(tokens=service.people.listed(None if who.may("admin") else who.name))


@router.post("/v1/tokens", status_code=201)
def issue(service: Running, who: Known, wanted: Wanted) -> Issued:
    """A new token. Nobody but an administrator makes one for somebody else, or with more scopes than they use."""
    user = wanted.user or who.name
    if not who.may("admin"):
        scopes = who.scopes if wanted.scopes is None else frozenset(wanted.scopes)
        if user != who.name or not scopes <= who.scopes:
            raise Problem("forbidden")
        wanted = wanted.model_copy(update={"scopes": sorted(scopes)})
    id, token = service.people.issue(user, wanted.scopes, wanted.label, wanted.days)
    service.trail.append(Event.of(who.name, "issue token", id, user=user))
    return Issued(id=id, token=token)


@router.delete("/v1/tokens/{id}", status_code=204)
def revoke(service: Running, who: Known, id: Annotated[str, Path(pattern="^[0-9a-f]{16}$")]) -> None:
    """From this moment on the token opens nothing."""
    if not service.people.revoke(id, None if who.may("admin") else who.name):
        raise Problem("not-found")
    service.trail.append(Event.of(who.name, "revoke token", id))


@router.get("/v1/audit", tags=["audit"], response_class=StreamingResponse)
def audit(service: Running, who: Admin, after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> Response:
    """The trail as JSON lines."""
    service.trail.append(Event.of(who.name, "export audit"))
    lines: Iterator[bytes] = (f"{record.line()}\n".encode() for record in service.trail.records(after))
    return StreamingResponse(lines, media_type="application/x-ndjson")


@router.get("/v1/audit/check", tags=["audit"])
def check(service: Running, _who: Admin) -> Checked:
    """Whether every record is there, in order, as it was written."""
    found = service.trail.check()
    return Checked(records=found.records, head=found.head, trouble=list(found.trouble))
