"""Files sent to be redacted or assessed: at once, or as jobs."""

from __future__ import annotations

import base64
import json
import time
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, File, Form, Path, Query, Request, UploadFile
from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from efface import pipeline
from efface.core import Report, Verdict
from efface.formats import FORMATS
from efface.report.data import assessment, review
from efface.sanitizer import Sanitizer
from efface.service.audit import Event
from efface.service.identity import Identity
from efface.service.jobs import progress
from efface.service.policies import inline
from efface.service.problems import Problem
from efface.service.sending import attachment, name_of
from efface.service.who import Redactor, Running

router = APIRouter(tags=["work"])

Sent = Annotated[UploadFile, File(description="The file.")]
PolicyName = Annotated[
    str, Form(max_length=64, description="A policy that the service has (`GET /v1/policies`).")
]
PolicyText = Annotated[
    str, Form(max_length=65536, description="Or a policy's YAML text, which names no file, database or key.")
]
JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file, or with `Accept: application/json` the file and the report.",
          "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                      "application/json": {"schema": {"type": "object"}}}}
}  # fmt: skip


class Job(BaseModel):
    """Where a job stands."""

    id: str
    kind: str
    state: Literal["queued", "running", "done", "refused", "failed", "cancelled"]
    stage: str
    progress: float
    created: float
    finished: float | None = None
    verdict: str | None = None
    problem: dict[str, Any] | None = None


class JobList(BaseModel):
    """The newest first."""

    jobs: list[Job]


class Names(BaseModel):
    """Policies by name."""

    policies: list[str]


@router.get("/v1/policies")
def policies(service: Running, _who: Redactor) -> Names:
    """The policies that may be named in requests."""
    return Names(policies=service.policies.names())


@router.post("/v1/redact", responses=_FILE, response_class=Response)
async def redact(
    request: Request,
    service: Running,
    who: Redactor,
    file: Sent,
    policy: PolicyName = "",
    policy_text: PolicyText = "",
) -> Response:
    """The file's sanitized twin, if the guarantees hold on its bytes; otherwise a problem and nothing else."""
    sanitizer, name = (
        await to_thread.run_sync(_sanitizer, service, policy, policy_text),
        name_of(file.filename),
    )
    data = await file.read()
    report = await service.workers.run(_work, service, "redact", sanitizer, who, data, name)
    await _noted(service, who, "redact", policy, policy_text, report)
    if report.verdict is not Verdict.HELD or report.released is None:
        raise Problem("refused", f"The verdict is {report.verdict.value}.", verdict=report.verdict.value)
    media_type = FORMATS[report.document.format].media_types[0]
    headers = {"Efface-Verdict": report.verdict.value}
    if "application/json" in request.headers.get("accept", ""):
        sent = {"name": name, "media_type": media_type, "base64": base64.b64encode(report.released).decode()}
        body = {"verdict": report.verdict.value, "file": sent, "report": review(report)}
        return Response(_json(body), headers=headers, media_type="application/json")
    return attachment(report.released, name, media_type, headers)


@router.post("/v1/assess")
async def assess(
    service: Running, who: Redactor, file: Sent, policy: PolicyName = "", policy_text: PolicyText = ""
) -> dict[str, Any]:
    """What the file discloses as it stands."""
    sanitizer = await to_thread.run_sync(_sanitizer, service, policy, policy_text)
    data = await file.read()
    report = await service.workers.run(_work, service, "assess", sanitizer, who, data, name_of(file.filename))
    await _noted(service, who, "assess", policy, policy_text, report)
    found: dict[str, Any] = json.loads(_json(assessment(report)))
    return found


@router.post("/v1/jobs", status_code=202)
async def submit(
    service: Running, who: Redactor, response: Response, file: Sent,
    kind: Annotated[Literal["redact", "assess"], Form()] = "redact", policy: PolicyName = "",
) -> Job:  # fmt: skip
    """Work for later. It is not lost once this is answered, whatever happens to the service."""
    data = await file.read()
    id = await to_thread.run_sync(service.jobs.submit, who, kind, policy, name_of(file.filename), data)
    response.headers["Location"] = f"/v1/jobs/{id}"
    return _job(await to_thread.run_sync(service.jobs.get, id, who))


@router.get("/v1/jobs")
def listed(service: Running, who: Redactor, limit: Annotated[int, Query(ge=1, le=500)] = 50) -> JobList:
    """One's own jobs."""
    return JobList(jobs=[_job(row) for row in service.jobs.listed(who, limit)])


@router.get("/v1/jobs/{id}")
def job(service: Running, who: Redactor, id: JobId) -> Job:
    """Where a job stands."""
    return _job(service.jobs.get(id, who))


@router.delete("/v1/jobs/{id}", status_code=204)
def cancel(service: Running, who: Redactor, id: JobId) -> None:
    """Cancel a job, or forget a finished one with its files."""
    service.jobs.cancel(id, who)


@router.get("/v1/jobs/{id}/file", responses=_FILE, response_class=Response)
def job_file(service: Running, who: Redactor, id: JobId) -> Response:
    """The released file."""
    row = service.jobs.get(id, who)
    if row.result is None:
        raise Problem("not-found", "There is no released file.")
    service.trail.append(Event.of(who.name, "release", id, policy=row.policy, verdict=row.verdict))
    return attachment(service.blobs.get(row.result), row.name, "application/octet-stream", {})


@router.get("/v1/jobs/{id}/{record}", response_class=JSONResponse)
def job_record(
    service: Running, who: Redactor, id: JobId, record: Literal["report", "certificate"]
) -> Response:
    """The reviewer's report, which holds original text, or the certificate, which may be published."""
    row = service.jobs.get(id, who)
    file = row.report if record == "report" else row.certificate
    if file is None:
        raise Problem("not-found", "There is no such record.")
    if record == "report":
        service.trail.append(Event.of(who.name, "read report", id, policy=row.policy))
    return Response(service.blobs.get(file), media_type="application/json")


def _sanitizer(service: Any, policy: str, policy_text: str) -> Sanitizer:
    if policy and policy_text:
        raise Problem("invalid", "Send the name of a policy or its text, not both.")
    if policy:
        named: Sanitizer = service.policies.get(policy).sanitizer
        return named
    return inline(policy_text or "efface: 1")


def _work(service: Any, kind: str, sanitizer: Sanitizer, who: Identity, data: bytes, name: str) -> Report:
    """In a thread. The viewer is whoever asks."""
    deadline = time.monotonic() + service.settings.request_seconds

    def watch(_stage: str) -> None:
        if time.monotonic() > deadline:
            raise Problem("timeout")

    stage = pipeline.sanitize if kind == "redact" else pipeline.assess
    return stage(data, name, sanitizer.bind(who.viewer), watch)


async def _noted(service: Any, who: Identity, action: str, policy: str, text: str, report: Report) -> None:
    named = policy or ("sent with the request" if text else "default")
    event = Event.of(who.name, action, "", viewer=who.viewer, policy=named, verdict=report.verdict.value)
    await to_thread.run_sync(service.trail.append, event)
    service.metrics.verdicts.labels(report.verdict.value).inc()


def _job(row: Any) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        state=row.state,
        stage=row.stage,
        progress=progress(row.state, row.stage),
        created=row.created,
        finished=row.finished,
        verdict=row.verdict,
        problem=json.loads(row.problem) if row.problem else None,
    )


def _json(value: dict[str, Any]) -> bytes:
    """Lone surrogates, which hostile files hold, are escaped."""
    return json.dumps(value, ensure_ascii=True).encode()
