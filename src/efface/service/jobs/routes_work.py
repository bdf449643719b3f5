"""Files sent to be redacted or assessed: at once, or as jobs."""

from __future__ import annotations

import base64
import json
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, File, Form, Path, Query, Request, UploadFile
from pydantic import BaseModel
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from efface.core import Verdict
from efface.formats import FORMATS
from efface.service.audit import Event
from efface.service.auth.credentials import Redactor, Running
from efface.service.auth.identity import Identity, team_of
from efface.service.jobs.processes import Call, RequestContext
from efface.service.jobs.queue import job_team, progress
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.problems import Problem
from efface.service.repository.file_responses import FILE_CONTENT, attachment, name_of
from efface.service.repository.policies import FingerprintedPolicy, SentPolicy
from efface.service.request_bodies import BodyRoute

router = APIRouter(tags=["work"], route_class=BodyRoute)

Sent = Annotated[UploadFile, File(description="The file.")]
PolicyName = Annotated[
    str, Form(max_length=129, description="A policy that the service has (`GET /v1/policies`).")
]
PolicyText = Annotated[
    str, Form(max_length=65536, description="Or a policy's YAML text, which names no file, database or key.")
]
JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file, or with `Accept: application/json` the file and the report.",
          "content": {**FILE_CONTENT, "application/json": {"schema": {"type": "object"}}}}
}  # fmt: skip


class Job(BaseModel):
    """The state of a job."""

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


class JobNames(BaseModel):
    """Policies by name."""

    policies: list[str]


@router.get("/v1/policies")
def policies(service: Running, who: Redactor) -> JobNames:
    """The policies that may be named in requests."""
    theirs = [name for name in service.policies.names() if who.may_in(team_of(name), "redact")]
    return JobNames(policies=theirs)


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
    name = name_of(file.filename)
    done = await _worked_on(request, service, who, "redact", file, name, policy, policy_text)
    verdict = done.values["verdict"]
    if verdict != Verdict.HELD.value or not done.values["released"]:
        raise Problem("refused", f"The verdict is {verdict}.", verdict=verdict)
    media_type = FORMATS[done.values["format"]].media_types[0]
    headers = {"Efface-Verdict": verdict}
    if "application/json" in request.headers.get("accept", ""):
        body = await to_thread.run_sync(_file_and_report, done, name, media_type)
        return Response(body, headers=headers, media_type="application/json")
    return attachment(done.files[0], name, media_type, headers)


@router.post("/v1/assess", response_model=dict[str, Any])
async def assess(
    request: Request,
    service: Running,
    who: Redactor,
    file: Sent,
    policy: PolicyName = "",
    policy_text: PolicyText = "",
) -> Response:
    """What the file discloses as it stands."""
    name = name_of(file.filename)
    done = await _worked_on(request, service, who, "assess", file, name, policy, policy_text)
    return Response(done.files[0], media_type="application/json")


async def _worked_on(
    request: Request,
    service: Any,
    who: Identity,
    task: str,
    file: UploadFile,
    name: str,
    policy: str,
    policy_text: str,
) -> MessageFrame:
    """What a worker made of the file under the policy that the request names. The verdict goes on record."""
    chosen = await to_thread.run_sync(_policy, service, who, policy, policy_text)
    data = await file.read()
    done: MessageFrame = await service.workers.asked(
        request, who.name, _work, service, task, chosen, who, data, name
    )
    await _noted(service, who, task, policy, policy_text, done.values["verdict"])
    return done


@router.post("/v1/jobs", status_code=202)
async def submit(
    service: Running, who: Redactor, response: Response, file: Sent,
    kind: Annotated[Literal["redact", "assess"], Form()] = "redact", policy: PolicyName = "",
) -> Job:  # fmt: skip
    """Work for later. It is not lost once this is answered, whatever happens to the service."""
    data = await file.read()

    def record(connection: Connection, id: str, team: str) -> None:
        service.people.require_still(connection, who)
        event = Event.of(who.on_record, "send job", id, team=team, kind=kind, policy=policy)
        service.trail.write_in(connection, event)

    given = who, kind, policy, name_of(file.filename), data, record
    id = await to_thread.run_sync(service.jobs.submit, *given)
    response.headers["Location"] = f"/v1/jobs/{id}"
    return _job(await to_thread.run_sync(service.jobs.get, id, who))


@router.get("/v1/jobs")
def listed(service: Running, who: Redactor, limit: Annotated[int, Query(ge=1, le=500)] = 50) -> JobList:
    """One's own jobs."""
    return JobList(jobs=[_job(row) for row in service.jobs.listed(who, limit)])


@router.get("/v1/jobs/{id}")
def job(service: Running, who: Redactor, id: JobId) -> Job:
    """The state of a job."""
    return _job(service.jobs.get(id, who))


@router.delete("/v1/jobs/{id}", status_code=204)
def cancel(service: Running, who: Redactor, id: JobId) -> None:
    """Cancel a job, or forget a finished one with its files."""
    team = service.jobs.get(id, who).team
    with service.changing(who) as record:
        service.jobs.cancel(id, who)
        record(Event.of(who.on_record, "end job", id, team=team))


@router.get("/v1/jobs/{id}/file", responses=_FILE, response_class=Response)
def job_file(service: Running, who: Redactor, id: JobId) -> Response:
    """The released file."""
    row = service.jobs.get(id, who)
    if row.result is None:
        raise Problem("not-found", "There is no released file.")
    service.trail.append(
        Event.of(who.on_record, "release", id, team=row.team, policy=row.policy, verdict=row.verdict)
    )
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
        service.trail.append(Event.of(who.on_record, "read report", id, team=row.team, policy=row.policy))
    return Response(service.blobs.get(file), media_type="application/json")


def _policy(service: Any, who: Identity, policy: str, policy_text: str) -> FingerprintedPolicy | SentPolicy:
    if policy and policy_text:
        raise Problem("invalid", "Send the name of a policy or its text, not both.")
    if policy_text:
        return SentPolicy(policy_text, service.policies.seed)
    found: FingerprintedPolicy = service.policies.for_somebody(who, policy)
    return found


def _work(
    service: Any,
    task: str,
    policy: FingerprintedPolicy | SentPolicy,
    who: Identity,
    data: bytes,
    name: str,
    asker: RequestContext,
) -> MessageFrame:
    """Runs in a thread that waits for a worker process. The viewer is the caller."""
    given = {"name": name, "viewer": who.viewer, **policy.given(data)}
    call = Call(task, asker.user, service.settings.request_seconds, given, (data,), asker.gone)
    found: MessageFrame = service.processes.run(call)
    return found


async def _noted(service: Any, who: Identity, action: str, policy: str, text: str, verdict: str) -> None:
    named = policy or ("sent with the request" if text else "default")
    detail = {"viewer": who.viewer, "policy": named, "verdict": verdict}
    event = Event.of(who.on_record, action, "", team=job_team(who, policy), **detail)
    await to_thread.run_sync(service.trail.append, event)
    service.metrics.verdicts.labels(verdict).inc()


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


def _file_and_report(done: MessageFrame, name: str, media_type: str) -> bytes:
    """The released file and its report as JSON. The report is JSON already and is not parsed: that of a large file takes
    seconds."""
    released, report, _ = done.files
    sent = {"name": name, "media_type": media_type, "base64": base64.b64encode(released).decode()}
    head = json.dumps({"verdict": done.values["verdict"], "file": sent}).encode()
    return head[:-1] + b', "report": ' + report + b"}"
