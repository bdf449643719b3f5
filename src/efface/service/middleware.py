"""Around every request: limits on its body, headers on its answer, a line in the log, a count."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Iterable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from efface.service.auth.proxies import Proxies
from efface.service.draining import Draining
from efface.service.metrics import Metrics
from efface.service.problems import Problem, log_unexpected, problem_of
from efface.service.request_bodies import JsonShape, has_body, limit_of, shape_of
from efface.service.settings import ServiceSettings

_LOG = logging.getLogger("efface.service.access")

HEADERS: dict[str, str] = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
KNOWN = "efface.known"  # in a request's scope: it was answered as only somebody known is answered
RawHeaders = Iterable[tuple[bytes, bytes]]
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_CREDENTIALS = (b"authorization", b"cookie")
_ASKING = ("/v1/", "/dav/")  # whoever has no credentials gets nothing but errors there
_OPEN = ("/v1/sign-in", "/v1/keys")  # but here
_HSTS = "max-age=31536000; includeSubDomains"


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings, metrics: Metrics, draining: Draining) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._draining = draining
        self._proxies = Proxies(settings.proxies)
        headers = {**HEADERS, **({"strict-transport-security": _HSTS} if settings.secure else {})}
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        self._refusal = _response_bytes(
            Problem("unauthenticated", headers={"Connection": "close"}), self._headers
        )

    def refusal(self, method: str, url: bytes, headers: RawHeaders) -> bytes | None:
        """The whole answer to a request whose headers say that nobody sent it, but for its date. A server that asks for
        it before it begins with a request spends little on strangers. They are counted and not logged: whoever sends
        thousands would fill the log."""
        if not lacks_credentials(url.decode("latin-1"), headers):
            return None
        self._metrics.requests.labels(method if method in _METHODS else "OTHER", "none", "401").inc()
        head, body = self._refusal
        return head if method == "HEAD" else head + body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        self._proxies.correct(scope)
        state: dict[str, Any] = {"status": 500, "begun": False, "complete": False, "id": secrets.token_hex(8)}
        state["unread"] = has_body(scope)
        answer = self._with_headers(scope, state, send)
        try:
            limit = limit_of(self._settings, scope)
            if lacks_credentials(str(scope["path"]), scope["headers"]):
                await Problem("unauthenticated").response()(scope, receive, answer)
            elif _length(scope) > limit:
                await Problem("too-large", headers={"Connection": "close"}).response()(scope, receive, answer)
            else:
                await self._app(scope, self._bounded(receive, limit, shape_of(scope), state), answer)
        except asyncio.CancelledError:  # the server stops, and has waited long enough for this request
            if state["begun"]:
                raise
            stopping = Problem("busy", "The service is stopping.", headers={"Retry-After": "2"})
            await stopping.response()(scope, receive, answer)
        except Exception as error:
            if not state["begun"]:
                await problem_of(error).response()(scope, receive, answer)
            elif not state["complete"]:
                log_unexpected(error)
                raise ConnectionAbortedError from None  # the error may quote a document: it goes no further
        finally:
            self._note(scope, state, time.perf_counter() - started)

    def _bounded(
        self, receive: Receive, limit: int, shape: JsonShape | None, state: MutableMapping[str, Any]
    ) -> Receive:
        """Counts what arrives, how long it takes, and how deep it nests."""
        arrived = 0
        complete = False
        deadline = time.monotonic() + self._settings.upload_seconds

        async def bounded() -> Message:
            nonlocal arrived, complete
            if complete:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise HTTPException(408) from None
            piece = message.get("body", b"")
            arrived += len(piece)
            complete = not message.get("more_body", False)
            state["unread"] = not complete
            if arrived > limit:
                raise HTTPException(413)
            if shape is not None:
                shape.feed(piece)
            return message

        return bounded

    def _with_headers(self, scope: Scope, state: MutableMapping[str, Any], send: Send) -> Send:
        """Sends an answer with the headers that every answer has, and notes how far it got."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                state["status"], state["begun"] = message["status"], True
                scope[KNOWN] = message["status"] < 400 and _asks(str(scope["path"]))
                headers = list(message.get("headers", ()))
                known = {bytes(name).lower() for name, _ in headers}
                headers.extend(row for row in self._headers if row[0] not in known)
                headers.append((b"x-request-id", state["id"].encode()))
                # A body that was not read is not waited for, a stranger's next request neither; and when the port
                # closes no connection waits for more.
                closes = state["unread"] or message["status"] == 401 or self._draining.has_begun
                if closes and b"connection" not in known:
                    headers.append((b"connection", b"close"))
                message["headers"] = headers
            await send(message)
            state["complete"] = message["type"] == "http.response.body" and not message.get(
                "more_body", False
            )

        return answer

    def _note(self, scope: Scope, state: MutableMapping[str, Any], seconds: float) -> None:
        """The route's pattern, not the path: a path can hold a name, and a query the words looked for."""
        path = getattr(scope.get("route"), "path", None)
        route = path or ("/dav" if str(scope.get("path", "")).startswith("/dav") else "none")
        method = scope["method"] if str(scope["method"]).isalpha() and len(scope["method"]) < 12 else "OTHER"
        self._metrics.requests.labels(method, route, str(state["status"])).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if _LOG.isEnabledFor(logging.INFO):
            _LOG.info("%s %s %s %.1f ms %s", method, route, state["status"], seconds * 1e3, state["id"])


def lacks_credentials(path: str, headers: RawHeaders) -> bool:
    """Whether a request is refused whatever else it holds: it names something of somebody, and says nothing of who asks."""
    asks = path.startswith("/v1/") and _asks(path)  # the WebDAV folder asks in a way of its own
    return asks and not any(name in _CREDENTIALS for name, _ in headers)


def _response_bytes(problem: Problem, more: RawHeaders) -> tuple[bytes, bytes]:
    """A problem as it goes over a connection: the rest of its head, behind the first line and the date, and its body."""
    response = problem.response()
    rows = [*response.raw_headers, *more]
    return b"".join(b"%s: %s\r\n" % row for row in rows) + b"\r\n", bytes(response.body)


def _asks(path: str) -> bool:
    return path.startswith(_ASKING) and not path.startswith(_OPEN)


def _length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0
