"""The routes of Presidio's analyzer and anonymizer, for clients that were written for those."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, ValidationError
from pydantic.json_schema import models_json_schema
from starlette.responses import Response

from efface.finders.patterns.finder import TYPES
from efface.service.auth.credentials import WHO, Running, address, anybody_if_open
from efface.service.auth.identity import Identity
from efface.service.jobs.processes import Call, RequestContext
from efface.service.presidio.analyze import NAME_RECOGNIZER, NAMED, RECOGNIZER, check, wants_names
from efface.service.presidio.anonymize import ANONYMIZERS, DEANONYMIZERS
from efface.service.presidio.forms import (
    AnalyzeRequest,
    AnalyzerResult,
    Anonymized,
    AnonymizeRequest,
    DeanonymizeRequest,
)
from efface.service.problems import Problem

router = APIRouter(tags=["presidio"], dependencies=[Depends(anybody_if_open)])
_AT_ONCE = 16 << 10  # parsing so many bytes takes less time than handing them to a thread
_Model = TypeVar("_Model", bound=BaseModel)
Language = Annotated[str, Query(alias="language", description="Any: patterns are of no language.")]


def schemas() -> dict[str, Any]:
    """The schemas of the request bodies that the routes parse themselves, for the OpenAPI description."""
    models = (AnalyzeRequest, AnonymizeRequest, DeanonymizeRequest)
    chosen = [(model, "validation") for model in models]
    _, found = models_json_schema(chosen, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    defined: dict[str, Any] = found["$defs"]
    return defined


def _body(model: type[BaseModel]) -> dict[str, Any]:
    """The route reads its body itself, which is quicker; the description says what it reads."""
    reference = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": reference}}}}


async def _read(request: Request, model: type[_Model]) -> tuple[_Model, bytes]:
    body = await request.body()
    try:
        if len(body) <= _AT_ONCE:
            return model.model_validate_json(body), body
        return await to_thread.run_sync(model.model_validate_json, body), body
    except ValidationError as error:
        row = error.errors(include_input=False, include_url=False, include_context=False)[0]
        if row["type"] == "json_invalid":
            raise Problem("bad-request", error="Invalid request json") from None
        where = ".".join(str(part) for part in row["loc"]) or "request"
        raise Problem("invalid", error=f"Invalid input, {where}: {row['type']}") from None


async def _worked(request: Request, service: Any, task: str, body: bytes, **given: Any) -> Response:
    """The answer of a worker process: a text may take as long as a file. Whoever sends no credentials is known by
    their address."""
    who: Identity | None = request.scope.get(WHO)
    user = who.name if who is not None else f"address {address(request)}"
    found: bytes = await service.workers.asked(request, user, _run, service, task, body, given)
    return Response(found, media_type="application/json")


def _run(service: Any, task: str, body: bytes, given: dict[str, Any], asker: RequestContext) -> bytes:
    call = Call(task, asker.user, service.settings.request_seconds, given, (body,), asker.gone)
    found: bytes = service.processes.run(call).files[0]
    return found


@router.post(
    "/analyze",
    response_model=list[AnalyzerResult] | list[list[AnalyzerResult]],
    openapi_extra=_body(AnalyzeRequest),
)
async def post_analyze(request: Request, service: Running) -> Response:
    """Find identifiers in a text, or in each of a list."""
    asked, body = await _read(request, AnalyzeRequest)
    names = service.settings.names and wants_names(asked)
    check(asked, names)
    return await _worked(request, service, "analyze", body, names=names)


@router.post("/anonymize", response_model=Anonymized, openapi_extra=_body(AnonymizeRequest))
async def post_anonymize(request: Request, service: Running) -> Response:
    """Put something in the place of what was found."""
    _, body = await _read(request, AnonymizeRequest)
    return await _worked(request, service, "anonymize", body)


@router.post("/deanonymize", response_model=Anonymized, openapi_extra=_body(DeanonymizeRequest))
async def post_deanonymize(request: Request, service: Running) -> Response:
    """Put back what `encrypt` took out."""
    _, body = await _read(request, DeanonymizeRequest)
    return await _worked(request, service, "deanonymize", body)


@router.get("/supportedentities")
async def supported_entities(service: Running, _language: Language = "en") -> list[str]:
    """The types that are found."""
    return sorted({*TYPES, *(NAMED if service.settings.names else ())})


@router.get("/recognizers")
async def recognizers(service: Running, _language: Language = "en") -> list[str]:
    """What finds them."""
    return [RECOGNIZER, NAME_RECOGNIZER] if service.settings.names else [RECOGNIZER]


@router.get("/anonymizers")
async def anonymizers() -> list[str]:
    """The operators of `/anonymize`."""
    return list(ANONYMIZERS)


@router.get("/deanonymizers")
async def deanonymizers() -> list[str]:
    """The operators of `/deanonymize`."""
    return list(DEANONYMIZERS)
