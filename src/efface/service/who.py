"""Credentials to identities, and the door in front of each route."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from anyio import to_thread
from fastapi import Depends, Request

from efface.service.identity import Identity
from efface.service.problems import Problem
from efface.service.sessions import CSRF_HEADER, SAFE_METHODS
from efface.service.tokens import PREFIX

if TYPE_CHECKING:
    from efface.service.app import Service


def service_of(request: Request) -> Service:
    found: Service = request.app.state.service
    return found


def address(request: Request) -> str:
    return request.client.host if request.client else "nowhere"


Credentials = tuple[str | None, str | None]  # a header and a cookie


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request says about its sender, before anything of it is believed."""

    where: str
    method: str
    header: str | None = field(repr=False)
    cookie: str | None = field(repr=False)
    csrf: str | None = field(repr=False)
    origin: str | None
    host: str | None

    @property
    def credentials(self) -> Credentials:
        return self.header, self.cookie

    @property
    def in_store(self) -> bool:
        """Whether the store alone knows who this is: by a token of ours, or by a session."""
        return self.header is None or not self.header.lower().startswith("bearer ") or PREFIX in self.header


async def asking(request: Request) -> Asked:
    """What there is to check. Who says nothing, or guessed too often, is turned away before any thread works."""
    service, headers, where = service_of(request), request.headers, address(request)
    if service.guesses.empty(where):
        raise Problem("too-many-requests", headers={"Retry-After": "60"})
    header, cookie = headers.get("authorization"), request.cookies.get(service.sessions.cookie)
    if header is None and cookie is None:
        raise Problem("unauthenticated")
    own = headers.get(CSRF_HEADER), headers.get("origin"), headers.get("host")
    return Asked(where, request.method, header, cookie, *own)


def identified(service: Service, asked: Asked, scope: str | None = None) -> Identity:
    """Who sends this request, in a thread: somebody with this scope, or a problem."""
    return admitted(service, asked, identity_of(service, asked.credentials), scope)


def admitted(service: Service, asked: Asked, found: Identity | None, scope: str | None) -> Identity:
    """Somebody with this scope, or a problem. Guesses are counted against their address."""
    if found is None:
        service.guesses.take(asked.where)
        service.metrics.refused.inc()
        raise Problem("unauthenticated")
    if found.via == "session" and not _from_own_page(service, asked):
        raise Problem("csrf")
    if not service.requests.take(f"user {found.name}"):
        raise Problem("too-many-requests", headers={"Retry-After": "1"})
    if scope is not None and not found.may(scope):
        raise Problem("forbidden", f"This needs the scope `{scope}`.")
    return found


def identity_of(service: Service, credentials: Credentials) -> Identity | None:
    """An `Authorization` header is meant; a cookie comes along by itself. So the header decides where there is one."""
    header, cookie = credentials
    if header is None:
        return service.sessions.identify(cookie or "")
    scheme, _, value = header.partition(" ")
    token = value.strip()
    if scheme.lower() == "basic":
        return _basic(service, token)
    if scheme.lower() != "bearer":
        return None
    if token.startswith(PREFIX) or service.jwt is None:
        return service.people.identify(token)
    return service.jwt.identify(token)


def _basic(service: Service, credentials: str) -> Identity | None:
    """File managers know names and passwords only: the token is the password, and the name must be its owner's."""
    try:
        name, _, password = base64.b64decode(credentials, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    found = service.people.identify(password)
    return found if found is not None and found.name == name else None


def _from_own_page(service: Service, asked: Asked) -> bool:
    if asked.method in SAFE_METHODS:
        return True
    return service.sessions.genuine(asked.cookie or "", asked.csrf, asked.origin, asked.host)


def needs(scope: str | None) -> Callable[[Request], Awaitable[Identity]]:
    """A dependency: somebody with this scope, or with None anybody who is known."""

    async def required(request: Request) -> Identity:
        asked = await asking(request)
        return await to_thread.run_sync(identified, service_of(request), asked, scope)

    return required


async def anybody_if_open(request: Request) -> Identity | None:
    """The Presidio routes: their clients send no credentials, so on the loopback address none are needed."""
    service = service_of(request)
    exposure = service.settings.exposed(service.settings.presidio)
    if exposure == "off":
        raise Problem("not-found")
    if exposure == "token":
        return await needs("redact")(request)
    if not service.requests.take(f"address {address(request)}"):
        raise Problem("too-many-requests", headers={"Retry-After": "1"})
    return None


async def _running(request: Request) -> Any:
    """`service_of` as a dependency: one that is not `async` would be called in a thread of its own."""
    return service_of(request)


Asking = Annotated[Asked, Depends(asking)]  # for routes that find out in their own thread who asks
Known = Annotated[Identity, Depends(needs(None))]
Reader = Annotated[Identity, Depends(needs("read"))]
Redactor = Annotated[Identity, Depends(needs("redact"))]
Writer = Annotated[Identity, Depends(needs("write"))]
Reviewer = Annotated[Identity, Depends(needs("review"))]
Admin = Annotated[Identity, Depends(needs("admin"))]
Running = Annotated[Any, Depends(_running)]
