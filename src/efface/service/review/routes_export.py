"""What leaves a review: the file, its report, its certificate and the index of redactions, for a document or a matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from efface.core import Verdict
from efface.formats import FORMATS
from efface.report.data import to_json
from efface.service.audit import Event
from efface.service.auth.credentials import Running
from efface.service.auth.identity import Identity
from efface.service.certificates import OPENING
from efface.service.jobs.processes import ClientDisconnected, RequestContext
from efface.service.problems import Problem
from efface.service.repository.file_responses import FILE_CONTENT, attachment
from efface.service.request_bodies import BodyRoute
from efface.service.review.redaction_index import IndexRow, as_csv, as_docx, rows_of_json
from efface.service.review.review_standing import ReviewStanding
from efface.service.review.review_store import ReviewStore
from efface.service.review.team_access import OfReview

router = APIRouter(tags=["review"], route_class=BodyRoute)

ReviewId = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.",
          "content": FILE_CONTENT}
}  # fmt: skip
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class Export(BaseModel):
    """What leaves: the file, the reviewer's report, the certificate, or the index of redactions. `override` is an
    administrator's reason."""

    what: Literal["file", "report", "report.html", "certificate", "index.csv", "index.docx"] = "file"
    override: str = Field("", max_length=500)


@router.post("/v1/reviews/{id}/export", responses=_FILE, response_class=Response)
async def export(request: Request, service: Running, who: OfReview, id: ReviewId, wanted: Export) -> Response:
    """What may leave. The policy and its data are read anew; nothing leaves unless the verdict is `held`."""
    sent: Response = await service.workers.asked(request, who.name, _exported, service, who, id, wanted)
    return sent


def _exported(service: Any, who: Identity, id: str, wanted: Export, asker: RequestContext) -> Response:
    """Makes the export, once the audit trail has a record of it. This may take minutes, so the right to it is asked
    for again at the end."""
    row = service.review_store.get(id)
    standing: ReviewStanding = service.review_store.result(id, asker, fresh=True)
    reason = wanted.override.strip()
    if standing.outcome.released is None:
        raise Problem("refused", standing.outcome.problem)
    if reason and not who.may_in(row.team, "admin"):
        raise Problem("forbidden", "Only an administrator may override.")
    if wanted.what in ("file", "certificate"):
        require_held(service.review_store, row, standing, reason)
    sent = _sent(service, row, standing, wanted.what, asker)
    if asker.gone.is_set():
        raise ClientDisconnected
    with service.changing(who) as record:
        record(_export_event(who, row, standing, wanted.what, reason))
        if wanted.what == "file":
            service.review_store.exported(id, standing.decided.version)
        elif wanted.what == "certificate":
            service.review_store.require_unchanged(id, standing.decided.version)
    return sent


def _export_event(who: Identity, row: Any, standing: ReviewStanding, what: str, reason: str) -> Event:
    action = "override" if reason else "release"
    if what.startswith(("report", "index")):
        action = "read report"
    detail = {**release_detail(row, standing, what), **({"reason": reason} if reason else {})}
    return Event.of(who.on_record, action, row.id, team=row.team, **detail)


def release_detail(row: Any, standing: ReviewStanding, what: str) -> dict[str, str]:
    """What the trail holds of something that leaves."""
    return {
        "policy": row.policy,
        "verdict": standing.outcome.verdict.value,
        "what": what,
        "version": str(standing.decided.version),
        "approved": " ".join(sorted(set(standing.approvals.actors))),
        "release": standing.state.release,
        "policy_digest": standing.state.policy,
    }


def _sent(service: Any, row: Any, standing: ReviewStanding, what: str, asker: RequestContext) -> Response:
    verdict = {"Efface-Verdict": standing.outcome.verdict.value}
    if what == "certificate":
        return _certified(service, standing, verdict)
    kind = "index" if what.startswith("index") else what
    name, found = service.review_store.record(standing, kind, asker)
    if what == "file":
        assert standing.outcome.released is not None
        media_type = FORMATS[standing.outcome.format].media_types[0]
        return attachment(standing.outcome.released, name, media_type, verdict)
    if what == "report.html":
        return attachment(found, f"{row.name}.report.html", "text/html", verdict)
    if what == "report":
        return attachment(found, f"{row.name}.report.json", "application/json", verdict)
    return _index(name, rows_of_json(found), what, verdict)


def _index(name: str, rows: Sequence[IndexRow], what: str, headers: Mapping[str, str]) -> Response:
    """The index of redactions. It names no word that was removed."""
    if what == "index.csv":
        return attachment(as_csv(rows), f"{name}.index.csv", "text/csv", headers)
    title = f"Index of redactions: {name}"
    return attachment(as_docx(title, rows), f"{name}.index.docx", _DOCX, headers)


def signed_certificate(service: Any, standing: ReviewStanding) -> dict[str, Any]:
    """The certificate of what would leave, with the roles of those who approved it."""
    found: dict[str, Any] = service.certificates.sign(
        standing.outcome.certificate, standing.state.policy, standing.approvals.roles
    )
    return found


def _certified(service: Any, standing: ReviewStanding, headers: Mapping[str, str]) -> Response:
    """The signed certificate. The opening of its commitment to the policy goes beside it, for the issuer's files."""
    signed = signed_certificate(service, standing)
    told = {**headers, OPENING: service.certificates.opening(signed).hex()}
    return attachment(to_json(signed), "certificate.json", "application/json", told)


def require_held(review_store: ReviewStore, row: Any, standing: ReviewStanding, reason: str) -> None:
    """Nothing leaves unless the guarantees hold and, where the policy asks for it, two people approved just this."""
    if reason:
        return
    verdict = standing.outcome.verdict
    if verdict is not Verdict.HELD:
        raise Problem("refused", f"The verdict is {verdict.value}.", verdict=verdict.value)
    if review_store.four_eyes(row) and standing.missing_eyes:
        raise Problem("conflict", standing.missing_eyes)
