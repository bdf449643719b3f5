"""Credentials to identities, and the access check of each route."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from anyio import to_thread
from fastapi import Depends, Request

from efface.service.auth.identity import MAIN, Identity
from efface.service.auth.proxies import one_sender
from efface.service.auth.sessions import CSRF_HEADER, SAFE_METHODS
from efface.service.auth.tokens import PREFIX
from efface.service.problems import Problem

if TYPE_CHECKING:
    from efface.service.app import Service


def service_of(request: Request) -> Service:
    found: Service = request.app.state.service
    return found


def address(request: Request) -> str:
    """Where a request came from, as far as it is counted."""
    return one_sender(request.client.host) if request.client else "nowhere"


WHO = "efface.who"  # in a request's scope: who sent it, when that was asked before
Credentials = tuple[str | None, str | None]  # a header and a cookie


@dataclass(frozen=True, slots=True)
class SenderClaims:
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


async def asking(request: Request) -> SenderClaims:
    """The credentials to check. A request without any is refused before a thread is used."""
    service, headers, where = service_of(request), request.headers, address(request)
    header, cookie = headers.get("authorization"), request.cookies.get(service.sessions.cookie)
    if header is None and cookie is None:
        raise Problem("unauthenticated")
    own = headers.get(CSRF_HEADER), headers.get("origin"), headers.get("host")
    return SenderClaims(where, request.method, header, cookie, *own)


def identified(service: Service, asked: SenderClaims, scope: str | None = None) -> Identity:
    """The sender of this request, found in a thread: an identity with this scope, or a problem."""
    return admitted(service, asked, identity_of(service, asked.credentials), scope)


def admitted(service: Service, asked: SenderClaims, found: Identity | None, scope: str | None) -> Identity:
    """An identity with this scope, or a problem. Wrong credentials are counted against what they claim to be."""
    if found is None:
        raise refused(service, _claimed(asked))
    if found.via == "jwt":
        service.people.require_own_name(found)
    if found.via == "session" and not _from_own_page(service, asked):
        raise Problem("csrf")
    if not service.requests.take(f"user {found.name}"):
        raise Problem("too-many-requests", headers={"Retry-After": "1"})
    require_scope(found, scope)
    return found


def require_scope(found: Identity, scope: str | None) -> None:
    if scope is not None and not found.may(scope):
        raise Problem("forbidden", f"This needs the scope `{scope}`.")


def refused(service: Service, claimed: str) -> Problem:
    """Wrong credentials, counted. `claimed` is whose they would be."""
    service.metrics.refused.inc()
    wait = service.guesses.count(claimed)
    if wait:
        return Problem("too-many-requests", headers={"Retry-After": str(math.ceil(wait))})
    return Problem("unauthenticated")


def _claimed(asked: SenderClaims) -> str:
    """Whose credentials they would be: a token's id, or an account. Without a name failures count for the address."""
    scheme, _, value = (asked.header or "").partition(" ")
    token = value.strip()
    if scheme.lower() == "basic":
        name, _, token = _name_and_password(token)
        return f"account {name[:128]}"
    if token.startswith(PREFIX):
        return f"token {token[len(PREFIX) : len(PREFIX) + 16]}"
    return f"address {asked.where}"


def identity_of(service: Service, credentials: Credentials) -> Identity | None:
    """The identity. An `Authorization` header is sent on purpose, a cookie by itself, so the header decides if any."""
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
    name, colon, password = _name_and_password(credentials)
    found = service.people.identify(password) if colon else None
    return found if found is not None and found.name == name else None


def _name_and_password(credentials: str) -> tuple[str, str, str]:
    """A name and a password, with the colon between them if there is one."""
    try:
        return base64.b64decode(credentials, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return "", "", ""


def _from_own_page(service: Service, asked: SenderClaims) -> bool:
    if asked.method in SAFE_METHODS:
        return True
    return service.sessions.genuine(asked.cookie or "", asked.csrf, asked.origin, asked.host)


def needs(scope: str | None) -> Callable[[Request], Awaitable[Identity]]:
    """A dependency: an identity with this scope, or with None any known identity."""

    async def required(request: Request) -> Identity:
        known: Identity | None = request.scope.get(WHO)  # asked before the body was read
        if known is not None:
            require_scope(known, scope)
            return known
        asked = await asking(request)
        return await to_thread.run_sync(identified, service_of(request), asked, scope)

    return required


async def operates(request: Request) -> Identity:
    """A dependency: an administrator of the service, not only of a team."""
    who = await needs("admin")(request)
    if not who.operates:
        raise Problem("forbidden", f"This is for administrators of the team `{MAIN}`.")
    return who


async def anybody_if_open(request: Request) -> Identity | None:
    """The Presidio routes: their clients send no credentials, so on the loopback address none are needed."""
    service = service_of(request)
    exposure = service.settings.exposed(service.settings.presidio)
    if exposure == "off":
        raise Problem("not-found")
    if exposure == "token":
        who = request.scope[WHO] = await needs("redact")(request)
        return who
    if not service.requests.take(f"address {address(request)}"):
        raise Problem("too-many-requests", headers={"Retry-After": "1"})
    return None


async def _running(request: Request) -> Any:
    """`service_of` as a dependency: one that is not `async` would be called in a thread of its own."""
    return service_of(request)


Asking = Annotated[SenderClaims, Depends(asking)]  # for routes that find out in their own thread who asks
Known = Annotated[Identity, Depends(needs(None))]
Reader = Annotated[Identity, Depends(needs("read"))]
Redactor = Annotated[Identity, Depends(needs("redact"))]
Writer = Annotated[Identity, Depends(needs("write"))]
Reviewer = Annotated[Identity, Depends(needs("review"))]
Admin = Annotated[Identity, Depends(needs("admin"))]  # of one team or another
Operator = Annotated[Identity, Depends(operates)]
Running = Annotated[Any, Depends(_running)]
