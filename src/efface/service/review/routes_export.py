"""What leaves a review: the file, its report, its certificate and the index of redactions, for a document or a matter."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.responses import Response

from efface.core import Report, Verdict
from efface.formats import FORMATS
from efface.report.data import certificate, review, to_json
from efface.report.page import review_page
from efface.report.strength import tradeoffs
from efface.service.audit import Event
from efface.service.auth.credentials import Running
from efface.service.certificates import OPENING
from efface.service.problems import Problem
from efface.service.repository.file_responses import attachment
from efface.service.request_bodies import BodyRoute
from efface.service.review.approvals import approver_roles, has_four_eyes, missing_eyes
from efface.service.review.file_names import released_name
from efface.service.review.redaction_index import as_csv, as_docx, index_rows
from efface.service.review.review_store import ReviewStanding, ReviewStore
from efface.service.review.run_with_decisions import Prepared
from efface.service.review.team_access import OfReview

router = APIRouter(tags=["review"], route_class=BodyRoute)

ReviewId = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.",
          "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}  # fmt: skip
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class Export(BaseModel):
    """What leaves: the file, the reviewer's report, the certificate, or the index of redactions. `override` is an
    administrator's reason."""

    what: Literal["file", "report", "report.html", "certificate", "index.csv", "index.docx"] = "file"
    override: str = Field("", max_length=500)


@router.post("/v1/reviews/{id}/export", responses=_FILE, response_class=Response)
async def export(service: Running, who: OfReview, id: ReviewId, wanted: Export) -> Response:
    """What may leave. The policy and its data are read anew; nothing leaves unless the verdict is `held`."""
    row = await to_thread.run_sync(service.review_store.get, id)
    standing: ReviewStanding = await service.workers.run(service.review_store.result, id, fresh=True)
    result = standing.result
    reason = wanted.override.strip()
    if result.report is None or result.report.released is None:
        raise Problem("refused", result.problem)
    if reason and not who.may_in(row.team, "admin"):
        raise Problem("forbidden", "Only an administrator may override.")
    if wanted.what in ("file", "certificate"):
        require_held(service.review_store, row, standing, reason)
    detail = {
        "policy": row.policy,
        "verdict": result.verdict.value,
        "what": wanted.what,
        "version": str(result.version),
        "approved": " ".join(sorted(set(standing.approvers))),
        "release": standing.state.release,
        "policy_digest": standing.state.policy,
    }
    action = "override" if reason else "release"
    if reason:
        detail["reason"] = reason
    if wanted.what.startswith(("report", "index")):
        action = "read report"
    await to_thread.run_sync(service.trail.append, Event.of(who.name, action, id, **detail))
    if wanted.what == "file":
        await to_thread.run_sync(service.review_store.exported, id)
    if wanted.what == "report.html":
        page = await service.workers.run(_page, result.report, standing.prepared)
        return attachment(page, f"{row.name}.report.html", "text/html", _verdict(result.report))
    if wanted.what.startswith("index"):
        index: Response = await service.workers.run(
            _index, service, row, standing, result.report, wanted.what
        )
        return index
    if wanted.what == "certificate":
        return await to_thread.run_sync(_certified, service, standing, result.report)
    if wanted.what == "file":
        name = await service.workers.run(released_name, row.name, standing)
        return _sent(result.report, name, wanted.what)
    return _sent(result.report, row.name, wanted.what)


def _index(service: Any, row: Any, standing: ReviewStanding, report: Report, what: str) -> Response:
    """The index of redactions. It names no word that was removed."""
    codes = service.policies.of(row.policy).sanitizer.policy.review.codes
    name = released_name(row.name, standing)
    rows = index_rows(name, report, standing.decided, codes)
    if what == "index.csv":
        return attachment(as_csv(rows), f"{name}.index.csv", "text/csv", _verdict(report))
    title = f"Index of redactions: {name}"
    return attachment(as_docx(title, rows), f"{name}.index.docx", _DOCX, _verdict(report))


def _certified(service: Any, standing: ReviewStanding, report: Report) -> Response:
    """The signed certificate. The opening of its commitment to the policy goes beside it, for the issuer's files."""
    roles = approver_roles(standing.decided, standing.state)
    signed = service.certificates.sign(certificate(report), standing.state.policy, roles)
    headers = {**_verdict(report), OPENING: service.certificates.opening(signed).hex()}
    return attachment(to_json(signed), "certificate.json", "application/json", headers)


def require_held(review_store: ReviewStore, row: Any, standing: ReviewStanding, reason: str) -> None:
    """Nothing leaves unless the guarantees hold and, where the policy asks for it, two people approved just this."""
    if reason:
        return
    verdict = standing.result.verdict
    if verdict is not Verdict.HELD:
        raise Problem("refused", f"The verdict is {verdict.value}.", verdict=verdict.value)
    author = standing.decided.author
    if review_store.four_eyes(row) and not has_four_eyes(standing.approvers, author):
        raise Problem("conflict", missing_eyes(standing.approvers, author))


def _page(report: Report, prepared: Prepared) -> bytes:
    return review_page(report, tradeoffs(report, prepared.bound)).encode("utf-8", "replace")


def _verdict(report: Report) -> dict[str, str]:
    return {"Efface-Verdict": report.verdict.value}


def _sent(report: Report, name: str, what: str) -> Response:
    headers = _verdict(report)
    if what == "file":
        assert report.released is not None
        return attachment(report.released, name, FORMATS[report.document.format].media_types[0], headers)
    return attachment(to_json(review(report)), f"{name}.report.json", "application/json", headers)
