"""The review over HTTP: the queue, the document, decisions, the attacker's view, and what may leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, File, Form, Path, Query, UploadFile
from pydantic import BaseModel, Field
from starlette.responses import Response

from efface.core import Report, Verdict
from efface.formats import FORMATS, get_format
from efface.report.data import certificate, review, to_json
from efface.report.page import review_page
from efface.service.audit import Event
from efface.service.documents import Opened
from efface.service.identity import Identity
from efface.service.problems import Problem
from efface.service.review import attacker, preview
from efface.service.review.curve import curve
from efface.service.review.decisions import Decision
from efface.service.review.desk import Desk
from efface.service.review.flow import Prepared
from efface.service.sending import attachment, name_of
from efface.service.who import Asking, Reviewer, Running
from efface.strength import tradeoffs

router = APIRouter(tags=["review"])

_MOST = 2_000_000  # characters of a text that is read on the page

ReviewId = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]
PageNumber = Annotated[int, Path(ge=0, le=100_000)]
State = Literal["waiting", "working", "failed", "refused", "broken", "unproven", "held", "exported"]
_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A picture.", "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}
}  # fmt: skip
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.",
          "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}  # fmt: skip


class Review(BaseModel):
    """A document under review."""

    id: str
    name: str
    policy: str
    owner: str
    created: float
    state: State
    findings: int
    problem: str
    four_eyes: bool


class Queue(BaseModel):
    """What needs somebody first."""

    reviews: list[Review]


class Made(BaseModel):
    """Decisions, and the last one that their author had seen."""

    seen: int = Field(0, ge=0, le=2**31)
    decisions: list[Decision] = Field(min_length=1, max_length=5000)


class Decisions(BaseModel):
    """The log, or its end."""

    version: int
    entries: list[dict[str, Any]]


class Export(BaseModel):
    """What leaves: the file, the reviewer's report, or the certificate. `override` is an administrator's reason."""

    what: Literal["file", "report", "report.html", "certificate"] = "file"
    override: str = Field("", max_length=500)


@router.post("/v1/reviews", status_code=201)
async def add(
    service: Running, who: Reviewer,
    file: Annotated[UploadFile, File(description="The document.")],
    policy: Annotated[str, Form(max_length=64, description="A policy that the service has.")] = "",
) -> Review:  # fmt: skip
    """Put a document into the queue. It is kept once this is answered, and looked at soon after."""
    data = await file.read()
    added: Review = await service.workers.recorded(_added, service, who, policy, name_of(file.filename), data)
    service.workers.later(service.desk.look, added.id)
    return added


@router.get("/v1/reviews")
def queue(
    service: Running,
    _who: Reviewer,
    state: State | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 200,
) -> Queue:
    """The queue: failed and refused first."""
    return Queue(reviews=[_review(service.desk, row) for row in service.desk.listed(state, limit)])


@router.get("/v1/reviews/{id}")
async def document(service: Running, who: Reviewer, id: ReviewId) -> dict[str, Any]:
    """The original as it looks, for the page. That somebody looked is recorded."""
    found: dict[str, Any] = await service.workers.recorded(_original, service, who, id, _whole)
    return found


@router.get("/v1/reviews/{id}/pages")
async def pages(service: Running, who: Reviewer, id: ReviewId) -> dict[str, Any]:
    """The sizes of a PDF's pages, to be painted before the document is read; null for other formats."""
    found: dict[str, Any] = await service.workers.recorded(_original, service, who, id, _sizes)
    return found


@router.delete("/v1/reviews/{id}", status_code=204)
def remove(service: Running, who: Reviewer, id: ReviewId) -> None:
    """Take a document and its decisions off the desk; its owner or an administrator may."""
    if service.desk.get(id).owner != who.name and not who.may("admin"):
        raise Problem("forbidden", "Only its owner or an administrator may.")
    service.desk.remove(id)
    service.trail.append(Event.of(who.name, "end review", id))


@router.get("/v1/reviews/{id}/view")
async def view(service: Running, _who: Reviewer, id: ReviewId) -> dict[str, Any]:
    """The attacker's view of the document as decided so far: verdict, terms, reasons, measures."""
    found = await service.workers.run(service.desk.result, id)
    return _clean(await service.workers.run(attacker.view, *found))


@router.get("/v1/reviews/{id}/curve")
async def slider(service: Running, _who: Reviewer, id: ReviewId) -> dict[str, Any]:
    """What goes at each strength, for the slider."""
    prepared = await service.workers.run(service.desk.prepared, id)
    found: dict[str, Any] = await service.workers.run(curve, prepared)
    return found


@router.get("/v1/reviews/{id}/pages/{number}")
async def page(service: Running, _who: Reviewer, id: ReviewId, number: PageNumber) -> dict[str, Any]:
    """The words of a page and where they stand."""
    prepared = await service.workers.run(service.desk.prepared, id)
    if prepared.document.format != "pdf":
        raise Problem("not-found")
    words = await service.workers.run(preview.page_words, prepared.data, number, prepared.document)
    return {"words": words}


@router.get("/v1/reviews/{id}/pages/{number}/image", responses=_PICTURE, response_class=Response)
async def picture(service: Running, _who: Reviewer, id: ReviewId, number: PageNumber) -> Response:
    """A page as a picture."""
    format, data = await service.workers.run(service.desk.original, id)
    if format != "pdf":
        raise Problem("not-found")
    return Response(await service.workers.run(preview.page_image, data, number), media_type="image/png")


@router.get("/v1/wider")
def wider(_who: Reviewer, term: Annotated[str, Query(max_length=200)]) -> dict[str, list[str]]:
    """Wider words that could stand for a term."""
    from efface.knowledge.taxonomy import wider as broader

    return {"words": list(broader(term))[:8]}


@router.get("/v1/reviews/{id}/decisions")
def log(
    service: Running, _who: Reviewer, id: ReviewId, after: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> Decisions:
    """What was decided, by whom."""
    service.desk.get(id)
    entries = service.desk.log.entries(id, after)
    return Decisions(
        version=entries[-1].seq if entries else after, entries=[entry.data() for entry in entries]
    )


@router.post("/v1/reviews/{id}/decisions")
def decide(service: Running, who: Reviewer, id: ReviewId, made: Made) -> Decisions:
    """Decisions are kept once this is answered. What somebody else decided meanwhile is never overwritten unseen."""
    kinds = sorted({each.kind for each in made.decisions})
    if "approve" in kinds and len(made.decisions) > 1:
        raise Problem("invalid", "An approval comes alone.")
    new = service.desk.decide(id, who, made.seen, made.decisions)
    detail = {"kinds": " ".join(kinds), "count": str(len(new)), "version": str(new[-1].seq)}
    service.trail.append(Event.of(who.name, "approve" if "approve" in kinds else "decide", id, **detail))
    return Decisions(version=new[-1].seq, entries=[entry.data() for entry in new])


@router.get("/v1/proposals")
def proposals(service: Running, _who: Reviewer) -> dict[str, Any]:
    """Terms that reviewers want always or never redacted, by policy, for whoever writes the policies."""
    found: dict[str, dict[str, list[str]]] = {}
    for row in service.desk.listed(None, 500):
        for entry in service.desk.log.entries(row.id):
            if entry.decision.propose and entry.decision.term:
                lists = found.setdefault(row.policy or "default", {"deny": [], "keep": []})
                name = "keep" if entry.decision.kind == "keep" else "deny"
                if entry.decision.term not in lists[name]:
                    lists[name].append(entry.decision.term)
    return {"policies": found}


@router.post("/v1/reviews/{id}/export", responses=_FILE, response_class=Response)
async def export(service: Running, who: Reviewer, id: ReviewId, wanted: Export) -> Response:
    """What may leave. The policy and its data are read anew; nothing leaves unless the verdict is `held`."""
    row = await to_thread.run_sync(service.desk.get, id)
    prepared, decided, result = await service.workers.run(service.desk.result, id, fresh=True)
    reason = wanted.override.strip()
    if result.report is None or result.report.released is None:
        raise Problem("refused", result.problem)
    if reason and not who.may("admin"):
        raise Problem("forbidden", "Only an administrator may override.")
    if wanted.what in ("file", "certificate"):
        _require_held(service.desk, row, decided.approved, result.verdict, reason)
    detail = {
        "policy": row.policy,
        "verdict": result.verdict.value,
        "what": wanted.what,
        "version": str(result.version),
        "approved": " ".join(sorted(decided.approved)),
    }
    action = "override" if reason else "release"
    if reason:
        detail["reason"] = reason
    if wanted.what.startswith("report"):
        action = "read report"
    await to_thread.run_sync(service.trail.append, Event.of(who.name, action, id, **detail))
    if wanted.what == "file":
        await to_thread.run_sync(service.desk.exported, id)
    if wanted.what == "report.html":
        page = await service.workers.run(_page, result.report, prepared)
        return attachment(page, f"{row.name}.report.html", "text/html", _verdict(result.report))
    return _sent(result.report, row.name, wanted.what)


def _require_held(desk: Desk, row: Any, approved: frozenset[str], verdict: Verdict, reason: str) -> None:
    if reason:
        return
    if verdict is not Verdict.HELD:
        raise Problem("refused", f"The verdict is {verdict.value}.", verdict=verdict.value)
    if desk.four_eyes(row.policy) and len(approved) < 2:
        raise Problem("conflict", "The policy asks for four eyes: two reviewers must approve this state.")


def _page(report: Report, prepared: Prepared) -> bytes:
    return review_page(report, tradeoffs(report, prepared.bound)).encode("utf-8", "replace")


def _verdict(report: Report) -> dict[str, str]:
    return {"Efface-Verdict": report.verdict.value}


def _sent(report: Report, name: str, what: str) -> Response:
    headers = _verdict(report)
    if what == "file":
        assert report.released is not None
        return attachment(report.released, name, FORMATS[report.document.format].media_types[0], headers)
    data = to_json(certificate(report) if what == "certificate" else review(report))
    return attachment(
        data, f"{name}.{what}.json" if what == "report" else "certificate.json", "application/json", headers
    )


@router.get("/v1/preview/{id}")
async def reading(service: Running, asked: Asking, id: ReviewId) -> dict[str, Any]:
    """The text of a document as whoever asks may see it now, to be read on the page; recorded as an opening."""
    opened = await service.openings.open(asked, id)
    return _clean(await service.workers.run(_text, opened))


@router.get("/v1/preview/{id}/as/{user}")
async def reading_as(
    service: Running, asked: Asking, id: ReviewId, user: Annotated[str, Path(max_length=128)]
) -> dict[str, Any]:
    """The text as another user would see it, for an administrator; recorded."""
    opened = await service.openings.open(asked, id, user)
    return _clean(await service.workers.run(_text, opened))


def _text(opened: Opened) -> dict[str, Any]:
    document = get_format(opened.view.format).read(opened.data, opened.name)
    return {"name": opened.name, "text": document.text[:_MOST], "verdict": opened.view.verdict}


def _added(service: Any, who: Identity, policy: str, name: str, data: bytes) -> tuple[Review, Event]:
    id = service.desk.add(who, policy, name, data)
    return _review(service.desk, service.desk.get(id)), Event.of(who.name, "review", id, policy=policy)


def _original(
    service: Any, who: Identity, id: str, shown: Callable[[Desk, str], dict[str, Any]]
) -> tuple[dict[str, Any], Event]:
    """The original, or something about it, and the record that somebody looked."""
    row = service.desk.get(id)
    found = _clean({"review": _review(service.desk, row).model_dump(), **shown(service.desk, id)})
    return found, Event.of(who.name, "read original", id, policy=row.policy)


def _whole(desk: Desk, id: str) -> dict[str, Any]:
    prepared = desk.prepared(id)
    return preview.preview(prepared.document, prepared.data)


def _sizes(desk: Desk, id: str) -> dict[str, Any]:
    format, data = desk.original(id)
    return {"pages": preview.page_sizes(data) if format == "pdf" else None}


def _review(desk: Desk, row: Any) -> Review:
    return Review(
        id=row.id,
        name=row.name,
        policy=row.policy,
        owner=row.owner,
        created=row.created,
        state=row.state,
        findings=row.findings,
        problem=row.problem,
        four_eyes=desk.four_eyes(row.policy),
    )


def _clean(value: dict[str, Any]) -> dict[str, Any]:
    """Lone surrogates, which hostile files hold, become question marks one for one: an answer is UTF-8."""
    found: dict[str, Any] = _mended(value)
    return found


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if not value.isascii() else value
    if isinstance(value, dict):
        return {key: _mended(each) for key, each in value.items()}
    return [_mended(each) for each in value] if isinstance(value, list) else value
