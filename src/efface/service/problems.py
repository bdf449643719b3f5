"""Errors as RFC 9457 problem documents. None of them quotes a document, a secret or what was asked for."""

from __future__ import annotations

import errno
import json
import logging
import re
import traceback
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from efface.errors import EffaceError, InputError, OutputError, PolicyError, Refused

# The worker processes tell problems too. They serve no web and load neither its framework nor a database's.
if TYPE_CHECKING:
    from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("efface.service")

# What can go wrong, once: (status, title).
KINDS: dict[str, tuple[int, str]] = {
    "bad-request": (400, "The request is not understood"),
    "unauthenticated": (401, "Say who you are"),
    "csrf": (403, "The request did not come from this service's own page"),
    "sign-in": (403, "Signing in did not work"),
    "forbidden": (403, "You may not do this"),
    "not-found": (404, "There is no such thing, or not for you"),
    "method-not-allowed": (405, "This cannot be done here"),
    "not-acceptable": (406, "The answer does not come in this form"),
    "slow-upload": (408, "The request took too long to arrive"),
    "conflict": (409, "Something else stands in the way"),
    "too-large": (413, "The request is too large"),
    "unsupported-media-type": (415, "The request is not in a form that is read here"),
    "invalid": (422, "The request is not right"),
    "unreadable": (422, "The file cannot be read"),
    "policy": (422, "The policy is not right"),
    "refused": (422, "The guarantee does not hold, so nothing is released"),
    "too-many-requests": (429, "Too many requests"),
    "internal": (500, "Something went wrong here"),
    "busy": (503, "The service is busy"),
    "no-room": (507, "There is no room to store anything"),
    "timeout": (504, "This took too long"),
}
# What a program's author can do next; the same for every case of a kind, so it tells nothing of the case.
_NEXT: dict[str, str] = {
    "bad-request": "Compare the request with /openapi.json.",
    "unauthenticated": "Send `Authorization: Bearer TOKEN`, or sign in at /app/.",
    "csrf": "Send the `csrf` of GET /v1/me as `X-CSRF-Token`.",
    "forbidden": "Ask an administrator for the scope.",
    "not-found": "GET lists what there is for you, one level up.",
    "method-not-allowed": "/openapi.json lists what can be done here.",
    "not-acceptable": "Change `Accept`; /openapi.json lists the forms.",
    "slow-upload": "Send it again over a faster line, or in smaller files.",
    "too-large": "Send a smaller file, or ask for a larger `max_upload`.",
    "unsupported-media-type": "/openapi.json says in which form each route is read.",
    "invalid": "`errors` says where; /openapi.json says what is expected there.",
    "too-many-requests": "Wait as long as `Retry-After` says.",
    "internal": "Tell whoever runs the service the `X-Request-Id` of this answer.",
    "busy": "Try again in a moment.",
    "no-room": "Tell whoever runs the service; nothing was changed.",
    "timeout": "Send long work as a job: POST /v1/jobs.",
}


class Problem(Exception):
    """Something to tell the client. `kind` is a row of `KINDS`."""

    def __init__(
        self, kind: str, detail: str = "", headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = more

    @property
    def status(self) -> int:
        return KINDS[self.kind][0]

    def document(self) -> dict[str, Any]:
        status, title = KINDS[self.kind]
        found = {"type": f"/problems/{self.kind}", "title": title, "status": status, "detail": self.detail}
        return {**found, **({"next": _NEXT[self.kind]} if self.kind in _NEXT else {}), **self.more}

    def response(self) -> Response:
        from starlette.responses import Response

        headers = dict(self.headers)
        if self.kind == "unauthenticated":
            headers.setdefault("WWW-Authenticate", 'Bearer realm="efface"')
        body = json.dumps(self.document()).encode()
        return Response(body, self.status, headers, MEDIA_TYPE)


def problem_of(error: Exception) -> Problem:
    """What a client may know of an error."""
    if isinstance(error, Problem):
        return error
    for kind, name in ((Refused, "refused"), (InputError, "unreadable"), (PolicyError, "policy")):
        if isinstance(error, kind):
            return Problem(name, _without_folders(f"{error.message} {error.hint}".strip()))
    stored = _store_problem(error)
    if stored is not None:
        return stored
    if isinstance(error, EffaceError):
        return Problem("invalid", _without_folders(error.message))
    if isinstance(error, MemoryError):
        return Problem("too-large", "Not enough memory for this file.")
    if _is_unheard(error):
        return Problem("bad-request")
    log_unexpected(error)
    return Problem("internal")


def _is_unheard(error: Exception) -> bool:
    """Whether the client had gone before its request was read."""
    from starlette.requests import ClientDisconnect

    return isinstance(error, ClientDisconnect)


# The folders of an absolute path; a folder may have spaces in its name, but ends with its sentence.
_FOLDERS = re.compile(r"""(?:(?<=[\s`'"(])|^)/(?:(?:(?!\.\s)[^/\n])+/)+""")


def _without_folders(said: str) -> str:
    """The error's own words, with file names instead of paths. A user of the command line needs the path; a client
    of the service must not learn how its machine is arranged."""
    return _FOLDERS.sub("", said)


_FULL = ("disk is full", "no space left", "disk quota", "could not extend file")


def is_full(error: BaseException) -> bool:
    """Whether there was no room on a disk, here or at the database's."""
    from sqlalchemy.exc import DBAPIError

    if not isinstance(error, OutputError | OSError | DBAPIError):
        return False
    said = str(error).lower()
    return any(sign in said for sign in _FULL) or getattr(error, "errno", None) in (
        errno.ENOSPC,
        errno.EDQUOT,
    )


def _store_problem(error: Exception) -> Problem | None:
    """What a full disk or a store that does not answer is called. Their own words hold paths and statements."""
    from sqlalchemy import exc

    if is_full(error):
        log_bug("no room on the disk")
        return Problem("no-room")
    if isinstance(error, exc.OperationalError | exc.TimeoutError | exc.InterfaceError):
        log_unexpected(error)
        return Problem("busy", "The store does not answer.", headers={"Retry-After": "5"})
    if isinstance(error, exc.DataError):  # PostgreSQL stores no NUL, for example
        return Problem("invalid", "A text or a number of the request cannot be stored.")
    if isinstance(error, OutputError):
        log_unexpected(error)
        return Problem("internal")
    return None


def log_unexpected(error: BaseException) -> None:
    """Where it happened and what kind of error it was. Its message may quote a document and is left out."""
    log_bug(where_of(error))


def where_of(error: BaseException) -> str:
    """The kind of an error and the last functions on its way."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {where}"


def log_bug(where: str) -> None:
    _LOG.error("unexpected %s", where)
