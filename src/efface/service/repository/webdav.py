"""The repository as a folder in the file manager: WebDAV, read-only, each user with their own versions."""

from __future__ import annotations

import asyncio
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from a2wsgi import WSGIMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from wsgidav.dav_error import HTTP_CONFLICT, DAVError
from wsgidav.dav_provider import DAVCollection, DAVNonCollection, DAVProvider
from wsgidav.wsgidav_app import WsgiDAVApp

from efface.service.audit import Event
from efface.service.auth.identity import Identity
from efface.service.jobs.processes import RequestContext
from efface.service.jobs.threads import leaving
from efface.service.problems import Problem
from efface.service.repository.documents import ViewedDocument
from efface.service.settings import ServiceSettings

if TYPE_CHECKING:
    from efface.service.app import Service

_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND"})
_WHO, _ASKER, _TREE = "efface.who", "efface.asker", "efface.tree"
_MAX_BODY = 64 << 10  # bytes of a question for properties
_UTF8 = re.compile(r"""encoding\s*=\s*["']utf-8["']""")


@contextmanager
def _known_errors() -> Iterator[None]:
    """wsgidav calls every error that it does not know an internal one. A full disk or a busy store is none."""
    try:
        yield
    except Problem as problem:
        raise DAVError(problem.status) from None


class _File(DAVNonCollection):  # type: ignore[misc]
    """A document, whole in memory: it was computed for this request."""

    def __init__(self, path: str, environ: dict[str, Any], opened: ViewedDocument, service: Service) -> None:
        super().__init__(path, environ)
        self._opened = opened
        self._service = service

    def get_content_length(self) -> int | None:
        """Unknown until the document is opened, where openings are remembered: it tells how long the words are."""
        if self._opened.is_remembered and self.environ["REQUEST_METHOD"] != "GET":
            return None
        return len(self._opened.data)

    def get_content_type(self) -> str:
        return self._opened.media_type

    def get_creation_date(self) -> float:
        return self._opened.stored.added

    def get_last_modified(self) -> float:
        return self._opened.stored.added

    def get_etag(self) -> str:
        """A keyed digest. Against a plain one, a user who may list documents could test guesses at their text."""
        return self._service.repository.memory.digest(self._opened.data)[:32]

    def support_etag(self) -> bool:
        return True

    def support_ranges(self) -> bool:
        return True

    def get_content(self) -> io.BytesIO:
        who: Identity = self.environ[_WHO]
        stored = self._opened.stored
        with _known_errors():
            handed_out = self._service.repository.is_handed_out(
                self._opened, who.viewer, self.environ[_ASKER]
            )
        if not handed_out:
            raise DAVError(HTTP_CONFLICT)  # something changed since its length was reported
        detail = {
            "viewer": who.viewer,
            "policy": stored.policy,
            "verdict": self._opened.view.verdict,
            "via": "dav",
        }
        with _known_errors():
            self._service.trail.append(Event.of(who.on_record, "read", stored.id, team=stored.team, **detail))
        return io.BytesIO(self._opened.data)


class _DavFolder(DAVCollection):  # type: ignore[misc]
    """The root with its folders, or a folder with its documents."""

    def __init__(self, path: str, environ: dict[str, Any], members: dict[str, Any], service: Service) -> None:
        super().__init__(path, environ)
        self._members = members
        self._service = service

    def get_member_names(self) -> list[str]:
        return list(self._members)

    def get_member(self, name: str) -> _File | _DavFolder | None:
        found = self._members.get(name)
        return (
            None
            if found is None
            else _resource(f"{self.path.rstrip('/')}/{name}", self.environ, found, self._service)
        )


def _resource(path: str, environ: dict[str, Any], found: Any, service: Service) -> _File | _DavFolder:
    return (
        _DavFolder(path, environ, found, service)
        if isinstance(found, dict)
        else _File(path, environ, found, service)
    )


class _Provider(DAVProvider):  # type: ignore[misc]
    """Looks everything up in the tree that was made for this request."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self._service = service

    def is_readonly(self) -> bool:
        return True

    def get_resource_inst(self, path: str, environ: dict[str, Any]) -> _File | _DavFolder | None:
        names = path.strip("/").split("/") if path.strip("/") else []
        with _known_errors():
            found: Any = _tree(self._service, environ, names[0] if names else None)
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
            if found is None:
                return None
        return _resource(path, environ, found, self._service)


def _tree(
    service: Service, environ: dict[str, Any], folder: str | None
) -> dict[str, dict[str, ViewedDocument]]:
    """Folders with the documents that this user may see, named as they may see them. With a `folder` only that one is
    computed. The tree is kept for the request, which lists the documents first and describes them after."""
    made: dict[str | None, dict[str, dict[str, ViewedDocument]]] = environ.setdefault(_TREE, {})
    if folder not in made:
        tree = made[folder] = {}
        for opened in service.repository.visible(environ[_WHO], folder, environ[_ASKER]):
            members = tree.setdefault(opened.stored.folder, {})
            name = opened.name.replace("/", "_")
            if name in members:
                stem, dot, ending = name.rpartition(".")
                name = f"{stem or ending} {opened.stored.id[:8]}{dot and stem and '.' + ending}"
            members[name] = opened
    return made[folder]


class _AsWho:
    """Puts the identity, checked before, where the provider finds it. wsgidav itself checks no credentials."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        environ[_WHO] = environ["asgi.scope"]["state"][_WHO]
        environ[_ASKER] = environ["asgi.scope"]["state"][_ASKER]
        return self._app(environ, start_response)


def _is_plain_xml(body: bytes) -> bool:
    """Whether a body is UTF-8 without a document type: no file manager sends another. In UTF-7, which the parser knows
    by the declaration alone, a document type would not look like one."""
    try:
        text = body.decode("utf-8").lower()
    except UnicodeDecodeError:
        return False
    declaration = text.partition("?>")[0]
    is_utf8 = len(_UTF8.findall(declaration)) == declaration.count("encoding")
    return is_utf8 and "<!doctype" not in text and "\0" not in text


class _Door:
    """Checks who asks and what for before anything of wsgidav runs."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings) -> None:
        self._app = app
        self._per_user = settings.per_user
        self._seconds = settings.request_seconds
        self._asking: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from efface.service.auth.credentials import needs

        request = Request(scope, receive)
        try:
            if scope["method"] not in _METHODS:
                raise Problem("method-not-allowed", headers={"Allow": ", ".join(sorted(_METHODS))})
            who = await needs("read")(request)
            if ".." in str(scope["path"]).replace("\\", "/").split("/"):
                raise Problem("not-found")
            body = await request.body()
            if len(body) > _MAX_BODY or not _is_plain_xml(body):
                raise Problem("bad-request")
            if self._asking[who.name] >= self._per_user:
                raise Problem("too-many-requests", headers={"Retry-After": "2"})
        except Problem as problem:
            if problem.kind == "unauthenticated":
                problem.headers["WWW-Authenticate"] = 'Basic realm="efface", charset="UTF-8"'
            await problem.response()(scope, receive, send)
            return
        self._asking[who.name] += 1
        try:
            await self._answer_in_time(who, scope, body, receive, send)
        finally:
            self._asking[who.name] -= 1
            self._asking += Counter()  # drops people with no request

    async def _answer_in_time(
        self, who: Identity, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> None:
        """Answer, and stop computing when the client has disconnected or the time of a request is over. What was computed
        by then is kept, so that the next attempt gets further."""
        asker = RequestContext(who.name)
        known = {**scope.get("state", {}), _WHO: who, _ASKER: asker}
        answer = _BoundedAnswer(send)
        work = self._app({**scope, "state": known}, _again(body, receive), answer)
        answered = asyncio.ensure_future(work)
        left = asyncio.ensure_future(leaving(receive)())
        both: set[asyncio.Future[Any]] = {answered, left}
        try:
            done, _ = await asyncio.wait(both, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
            answer.is_late = not done and not answer.has_begun
            if left.done() or answer.is_late:
                asker.gone.set()
            await answered
        finally:
            asker.gone.set()
            left.cancel()
        if answer.is_late:
            await Problem("timeout", "Try again: what was listed so far is kept.").response()(
                scope, receive, send
            )


@dataclass
class _BoundedAnswer:
    """What wsgidav sends, unless it begins after the time is over."""

    send: Send
    has_begun: bool = False
    is_late: bool = False

    async def __call__(self, message: Message) -> None:
        if not self.is_late:
            self.has_begun = True
            await self.send(message)


def _again(body: bytes, receive: Receive) -> Receive:
    """The body, which was read already, and then whatever comes."""
    read = False

    async def again() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _to_root(_request: Request) -> Response:
    return RedirectResponse("/dav/")


HOME = Route(
    "/dav", _to_root, methods=sorted(_METHODS), include_in_schema=False
)  # as file managers ask for it


def application(service: Service) -> ASGIApp:
    """The folder, to be mounted."""
    config = {
        "provider_mapping": {"/": _Provider(service)},
        "mount_path": "/dav",
        "http_authenticator": {"domain_controller": None, "accept_basic": False, "accept_digest": False},
        "simple_dc": {"user_mapping": {"*": True}},
        "middleware_stack": [
            "wsgidav.error_printer.ErrorPrinter",
            "wsgidav.request_resolver.RequestResolver",
        ],
        "lock_storage": None,
        "property_manager": None,
        "logging": {"enable": False},
        "verbose": 0,
        "dir_browser": {"enable": False},
    }
    folder: Any = _AsWho(WsgiDAVApp(config))
    settings = service.settings
    # The threads wait for worker processes: whatever one person lists, the others have theirs.
    inner: Any = WSGIMiddleware(folder, workers=settings.threads + settings.per_user)
    return _Door(inner, settings)
