"""Credentials to identities, and the door in front of each route."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

from anyio import to_thread
from fastapi import Depends, Request

from efface.service.identity import Identity
from efface.service.problems import Problem
from efface.service.sessions import CSRF_HEADER, SAFE_METHODS

if TYPE_CHECKING:
    from efface.service.app import Service


def service_of(request: Request) -> Service:
    found: Service = request.app.state.service
    return found


def address(request: Request) -> str:
    return request.client.host if request.client else "nowhere"


async def identify(request: Request) -> Identity:
    """Who sends this request; nobody known is a problem. Guesses are counted against their address."""
    service = service_of(request)
    where = address(request)
    if service.guesses.empty(where):
        raise Problem("too-many-requests", headers={"Retry-After": "60"})
    header, cookie = request.headers.get("authorization"), request.cookies.get(service.sessions.cookie)
    if header is None and cookie is None:
        raise Problem("unauthenticated")
    found = await to_thread.run_sync(_identity, service, header, cookie)
    if found is None:
        service.guesses.take(where)
        service.metrics.refused.inc()
        raise Problem("unauthenticated")
    if found.via == "session":
        _require_own_page(service, request, cookie or "")
    if not service.requests.take(f"user {found.name}"):
        raise Problem("too-many-requests", headers={"Retry-After": "1"})
    return found


def _identity(service: Service, header: str | None, cookie: str | None) -> Identity | None:
    """An `Authorization` header is meant; a cookie comes along by itself. So the header decides where there is one."""
    if header is None:
        return service.sessions.identify(cookie or "")
    scheme, _, value = header.partition(" ")
    credentials = value.strip()
    if scheme.lower() == "basic":
        return _basic(service, credentials)
    if scheme.lower() != "bearer":
        return None
    if credentials.startswith("efface_") or service.jwt is None:
        return service.people.identify(credentials)
    return service.jwt.identify(credentials)


def _basic(service: Service, credentials: str) -> Identity | None:
    """File managers know names and passwords only: the token is the password, and the name must be its owner's."""
    try:
        name, _, password = base64.b64decode(credentials, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    found = service.people.identify(password)
    return found if found is not None and found.name == name else None


def _require_own_page(service: Service, request: Request, cookie: str) -> None:
    if request.method in SAFE_METHODS:
        return
    headers = request.headers
    if not service.sessions.genuine(
        cookie, headers.get(CSRF_HEADER), headers.get("origin"), headers.get("host")
    ):
        raise Problem("csrf")


def needs(scope: str) -> Callable[[Request], Awaitable[Identity]]:
    """A dependency: somebody with this scope."""

    async def required(request: Request) -> Identity:
        found = await identify(request)
        if not found.may(scope):
            raise Problem("forbidden", f"This needs the scope `{scope}`.")
        return found

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


Known = Annotated[Identity, Depends(identify)]
Reader = Annotated[Identity, Depends(needs("read"))]
Redactor = Annotated[Identity, Depends(needs("redact"))]
Writer = Annotated[Identity, Depends(needs("write"))]
Admin = Annotated[Identity, Depends(needs("admin"))]
Running = Annotated[Any, Depends(service_of)]
