"""Bodies of requests: who must be known before one is read, how large it may be, and how deep.

The framework reads and parses a body before it asks who sent it. So the door in this module asks first: what an
unknown sender has to say is never read. Limits are by route, and are checked while the bytes arrive.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from efface.service.auth.credentials import WHO, asking, identified
from efface.service.auth.identity import Identity
from efface.service.problems import Problem
from efface.service.settings import ServiceSettings

if TYPE_CHECKING:
    from efface.service.app import Service

# A larger file would be put on a disk while it arrives. How large a body may be is checked below.
MultiPartParser.spool_max_size = 1 << 40
# A list in a body: its first mistake ends the reading, since thousands of them take far longer to tell than to send.
_Item = TypeVar("_Item")
ListOf = Annotated[list[_Item], Field(fail_fast=True)]
_FORM = 64 << 10  # what a form adds to the file in it
_AT_ONCE = 16 << 10  # parsing so many bytes takes less time than handing them to a thread
_DEEPEST = 32  # no request nests deeper than 6
_MOST_PARTS = 100_000  # arrays and objects in one body

# Routes that take a file, and the scope that they need: a sender without it is refused before the file arrives.
UPLOADS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/v1/(redact|assess|jobs)"), "redact"),
    (re.compile(r"/v1/(reviews|archives|games)"), "review"),
    (re.compile(r"/v1/folders/[^/]+/documents"), "write"),
)
# The largest body of every other route.
_SMALL = 64 << 10
LIMITS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"/v1/reviews/[^/]+/decisions"), 2 << 20),
    (re.compile(r"/v1/games/[^/]+/answers"), 1 << 20),
    (re.compile(r"/v1/policies/[^/]+"), 256 << 10),
    (re.compile(r"/(analyze|anonymize|deanonymize)"), 1 << 20),
)


def upload_scope(method: str, path: str) -> str | None:
    """What a request that brings a file must be allowed to do; None for all others."""
    if method != "POST":
        return None
    return next((scope for pattern, scope in UPLOADS if pattern.fullmatch(path)), None)


def limit_of(settings: ServiceSettings, scope: Scope) -> int:
    """How many bytes this request may bring."""
    path = str(scope["path"])
    is_form = _header(scope, b"content-type").startswith(b"multipart/form-data")
    if is_form and upload_scope(scope["method"], path) is not None:
        return (settings.max_upload << 20) + _FORM
    return next((limit for pattern, limit in LIMITS if pattern.fullmatch(path)), _SMALL)


def shape_of(scope: Scope) -> JsonShape | None:
    """What watches the body while it arrives; a file has no shape."""
    is_form = _header(scope, b"content-type").startswith(b"multipart/form-data")
    return None if is_form or str(scope["path"]).startswith("/dav") else JsonShape()


def has_body(scope: Scope) -> bool:
    return _header(scope, b"content-length") not in (b"", b"0") or bool(_header(scope, b"transfer-encoding"))


def _header(scope: Scope, wanted: bytes) -> bytes:
    return next((bytes(value).lower() for name, value in scope["headers"] if name.lower() == wanted), b"")


# What is no bracket: strings, of which the last may go on in the next piece, and all that stands between them. The
# group is how the last string ends. Nothing is tried twice, so that no text takes more than one pass.
_NO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z))+', re.DOTALL)


@dataclass
class JsonShape:
    """Follows the brackets of a JSON text piece by piece, and stops a text that nests too deep or holds too many.

    This runs on the event loop while others wait. So one expression passes over the strings, however many there are."""

    depth: int = 0
    parts: int = 0
    _open: bytes = b""  # the beginning of a string that the last piece did not end

    def feed(self, piece: bytes) -> None:
        if b"\0" in piece:  # UTF-16 or UTF-32: there other letters hold the bytes of quotes and brackets
            raise HTTPException(400)
        found = _NO_BRACKET.split(self._open + piece)
        goes_on = len(found) > 1 and not found[-1] and found[-2] not in (None, b'"')
        self._open = b'"' + found[-2] if goes_on else b""
        self._follow(b"".join(found[::2]))

    def _follow(self, brackets: bytes) -> None:
        depth = self.depth
        for bracket in brackets:
            if bracket in b"[{":
                depth += 1
                self.parts += 1
                if depth > _DEEPEST or self.parts > _MOST_PARTS:
                    raise HTTPException(400)
            else:
                depth -= 1
        self.depth = depth


@dataclass
class BodyBudget:
    """Bytes of bodies that each person may have in memory at a time: a file stays there until it is worked on. All of
    it happens on the event loop, so nothing needs a lock."""

    most: int
    _taken: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def taking(self, user: str, size: int) -> Iterator[None]:
        """Count a body until its request is answered."""
        if self._taken[user] + size > self.most:
            raise Problem("too-many-requests", "Wait for your other files.", headers={"Retry-After": "2"})
        self._taken[user] += size
        try:
            yield
        finally:
            self._taken[user] -= size
            self._taken += Counter()  # drops people with nothing under way


class BodyDoor:
    """Asks who sends a request before anything of its body is read, and has room for so much of each person."""

    def __init__(self, app: ASGIApp, framework: FastAPI, service: Service) -> None:
        self._app = app
        self._framework = framework
        self._service = service
        settings = service.settings
        self._budget = BodyBudget(settings.per_user * ((settings.max_upload << 20) + _FORM))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with ExitStack() as held:
            if scope["type"] == "http" and self._asks(scope):
                scope["app"] = self._framework
                try:
                    who = scope[WHO] = await self._sender(scope)
                    held.enter_context(self._budget.taking(who.name, self._size(scope)))
                except Problem as problem:
                    problem.headers["Connection"] = "close"  # the body that was not read is not waited for
                    await problem.response()(scope, receive, send)
                    return
            await self._app(scope, receive, send)

    async def _sender(self, scope: Scope) -> Identity:
        asked = await asking(Request(scope))
        needed = upload_scope(scope["method"], scope["path"])
        return await to_thread.run_sync(identified, self._service, asked, needed)

    def _size(self, scope: Scope) -> int:
        """How large a body says it is; one that does not say may be as large as the route allows."""
        length = _header(scope, b"content-length")
        return int(length) if length.isdigit() else limit_of(self._service.settings, scope)

    def _asks(self, scope: Scope) -> bool:
        """Presidio's routes and the WebDAV folder read their bodies themselves, after asking."""
        path = str(scope["path"])
        return has_body(scope) and path.startswith("/v1/") and not path.startswith("/v1/sign-in")


class _Parsing(Request):
    """A request that parses a large body in a thread."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            self._json = (
                json.loads(body) if len(body) <= _AT_ONCE else await to_thread.run_sync(json.loads, body)
            )
        return self._json


class BodyRoute(APIRoute):
    """A route whose bodies are parsed off the event loop."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return await handler(_Parsing(request.scope, request.receive))

        return handle
