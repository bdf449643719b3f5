"""Problems as answers of the app: their schema, and the handlers that turn every error into one."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from efface.errors import EffaceError
from efface.service.problems import KINDS, MEDIA_TYPE, Problem, problem_of

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
