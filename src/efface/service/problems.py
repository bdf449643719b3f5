"""Errors as RFC 9457 problem documents. None of them quotes a document, a secret or what was asked for."""

from __future__ import annotations

import errno
import json
import logging
import re
import traceback
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from efface.errors import EffaceError, InputError, OutputError, PolicyError, Refused

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
_BY_STATUS = {
    status: kind
    for kind, (status, _) in reversed(KINDS.items())
    if kind not in ("csrf", "sign-in", "unreadable", "policy", "refused")
}


class ProblemDocument(BaseModel):
    """RFC 9457."""

    type: str = Field(examples=["/problems/refused"])
    title: str
    status: int
    detail: str = ""
    next: str = Field("", description="What to do next.")
    errors: list[dict[str, str]] = Field(default_factory=list)


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
    if isinstance(error, ClientDisconnect):
        return Problem("bad-request")  # nobody hears it
    log_unexpected(error)
    return Problem("internal")


# The folders of an absolute path; a folder may have spaces in its name, but ends with its sentence.
_FOLDERS = re.compile(r"""(?:(?<=[\s`'"(])|^)/(?:(?:(?!\.\s)[^/\n])+/)+""")


def _without_folders(said: str) -> str:
    """An error in its own words, in which files have bare names. Whoever uses the command line wants to know where a file
    is missing; whoever asks the service does not have to know how its machine is arranged."""
    return _FOLDERS.sub("", said)


_FULL = ("disk is full", "no space left", "disk quota", "could not extend file")


def is_full(error: BaseException) -> bool:
    """Whether there was no room on a disk, here or at the database's."""
    if not isinstance(error, OutputError | OSError | sa.exc.DBAPIError):
        return False
    said = str(error).lower()
    return any(sign in said for sign in _FULL) or getattr(error, "errno", None) in (
        errno.ENOSPC,
        errno.EDQUOT,
    )


def _store_problem(error: Exception) -> Problem | None:
    """What a full disk or a store that does not answer is called. Their own words hold paths and statements."""
    if is_full(error):
        log_bug("no room on the disk")
        return Problem("no-room")
    if isinstance(error, sa.exc.OperationalError | sa.exc.TimeoutError | sa.exc.InterfaceError):
        log_unexpected(error)
        return Problem("busy", "The store does not answer.", headers={"Retry-After": "5"})
    if isinstance(error, sa.exc.DataError):  # PostgreSQL stores no NUL, for example
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


def install(app: FastAPI) -> None:
    """Every error of the app leaves as a problem document."""

    async def any_error(_request: Request, error: Exception) -> Response:
        return problem_of(error).response()

    async def http_error(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        problem = Problem(_BY_STATUS.get(error.status_code, "bad-request"), headers=error.headers)
        return problem.response()

    async def invalid(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        errors = []
        for row in error.errors():
            where = ".".join(map(str, row["loc"]))
            errors.append({"where": where, "what": str(row["type"])})
        return Problem("invalid", errors=errors[:20]).response()

    app.add_exception_handler(Problem, any_error)
    app.add_exception_handler(EffaceError, any_error)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, any_error)


RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem (RFC 9457)",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
    }
}
