"""The review over HTTP: the queue, the document, decisions, the attacker's view, and what may leave."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, Path, Query, UploadFile
from pydantic import BaseModel, Field
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from efface.service.audit import Event
from efface.service.auth.credentials import Asking, Reviewer, Running
from efface.service.auth.identity import Identity
from efface.service.jobs.processes import RequestContext
from efface.service.jobs.threads import leaving
from efface.service.problems import Problem
from efface.service.repository.documents import ViewedDocument
from efface.service.repository.file_responses import name_of
from efface.service.request_bodies import BodyRoute, ListOf
from efface.service.review.decisions import Decision, LogEntry
from efface.service.review.matters import name_of_matter
from efface.service.review.review_progress import ReviewProgress
from efface.service.review.review_standing import ReviewStanding, merged_json
from efface.service.review.review_store import ReviewStore
from efface.service.review.team_access import OfReview

router = APIRouter(tags=["review"], route_class=BodyRoute)

# What stands for a value that this viewer may not see.
_PLACEHOLDER = re.compile(r"\[([A-Z][A-Z0-9_]*?)_[0-9]+\]")
_MOST = 2_000_000  # characters of a text that is read on the page
# How fast a file is first looked at, roughly. A small file goes before a large one that came with it.
_BYTES_A_SECOND = 10_000
_SOONER = 3600.0  # seconds by which what somebody is about to open goes before first looks

ReviewId = Annotated[str, Path(pattern="^[0-9a-f]{24}$")]
ReviewState = Literal["waiting", "working", "failed", "refused", "broken", "unproven", "held", "exported"]


class Review(BaseModel):
    """A document under review."""

    id: str
    name: str
    policy: str
    owner: str
    created: float
    state: ReviewState
    findings: int
    problem: str
    four_eyes: bool
    matter: str
    assignee: str
    due: float | None
    risk: float
    approved: list[str]
    progress: ReviewProgress | None


class Queue(BaseModel):
    """What needs somebody first."""

    reviews: list[Review]


class DecisionRequest(BaseModel):
    """Decisions, and the last one that their author had seen."""

    seen: int = Field(0, ge=0, le=2**31)
    decisions: ListOf[Decision] = Field(min_length=1, max_length=5000)
    text_digest: str = Field("", max_length=64, description="Of the text that was shown, for places in it.")


class Decisions(BaseModel):
    """The log, or its end."""

    version: int
    entries: list[dict[str, Any]]


@router.post("/v1/reviews", status_code=201)
async def add(
    request: Request, service: Running, who: Reviewer,
    file: Annotated[UploadFile, File(description="The document.")],
    policy: Annotated[str, Form(max_length=129, description="A policy that the service has.")] = "",
    matter: Annotated[str, Form(max_length=120, description="The set of documents that it belongs to.")] = "",
    team: Annotated[str, Form(max_length=64, description="Whose queue, under the default policy.")] = "",
) -> Review:  # fmt: skip
    """Put a document into the queue. It is kept once this is answered, and looked at soon after."""
    data = await file.read()
    given = who, policy, name_of(file.filename), data, name_of_matter(matter), team
    added: Review = await service.workers.asked(request, who.name, add_review, service, *given)
    look_later(service, added.id, len(data))
    return added


def look_later(service: Any, id: str, size: int) -> None:
    """The first look at a document of so many bytes, in the background."""
    delay = size / _BYTES_A_SECOND
    service.workers.later(service.review_store.look, id, delay=delay, name=f"look {id}")


@router.get("/v1/reviews")
def queue(
    service: Running,
    who: Reviewer,
    state: ReviewState | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 200,
) -> Queue:
    """The queue: failed and refused first, and among equals the riskiest."""
    rows = service.review_store.listed(state, limit, who.teams_with("review"))
    approvals = service.review_store.log.approvals([row.id for row in rows])
    reviewers = service.review_store.reviewers_now()
    listed: list[Review] = []
    for row in rows:
        counted = reviewers.counted(approvals.get(row.id, ()), row.team)
        listed.append(_review(service.review_store, row, counted.actors))
    return Queue(reviews=listed)


@router.get("/v1/reviews/{id}", response_model=dict[str, Any])
async def document(request: Request, service: Running, who: OfReview, id: ReviewId) -> Response:
    """The original as it looks, for the page. That somebody looked is recorded."""
    found: bytes = await service.workers.recorded(
        request, who.name, look_at_original, service, who, id, _whole_document
    )
    return as_json(found)


@router.delete("/v1/reviews/{id}", status_code=204)
def remove(service: Running, who: OfReview, id: ReviewId) -> None:
    """Take a document and its decisions off the desk; its owner or an administrator may."""
    row = service.review_store.get(id)
    if row.owner != who.name and not who.may_in(row.team, "admin"):
        raise Problem("forbidden", "Only its owner or an administrator may.")
    with service.changing(who) as record:
        service.review_store.remove(id)
        record(Event.of(who.on_record, "end review", id, team=row.team))


@router.post("/v1/reviews/{id}/preparation", status_code=202)
def prepare(service: Running, who: OfReview, id: ReviewId) -> None:
    """Make ready what opening this document needs, because somebody is about to. Nothing of it is shown: this is no look
    at the original, and nobody can approve by it. Of one person one document waits for it."""
    service.workers.later(_prepared, service, id, delay=-_SOONER, name=f"prepare for {who.name}")


def _prepared(service: Any, id: str) -> None:
    """Errors are noted with the review, as when it is opened."""
    asker = RequestContext(f"review {id}", background=True)
    with contextlib.suppress(Problem):
        format, data = service.review_store.original(id)
        service.review_store.result(id, asker)
        if service.renditions.can_draw(format):
            service.renditions.pdf(asker, format, data)


@router.get("/v1/reviews/{id}/progress")
def progress(service: Running, _who: OfReview, id: ReviewId) -> dict[str, ReviewProgress | None]:
    """How far the work on a document is, while somebody waits for it. Nothing that the document says is in it."""
    return {"progress": service.review_store.progress(id)}


@router.get("/v1/reviews/{id}/view", response_model=dict[str, Any])
async def view(request: Request, service: Running, who: OfReview, id: ReviewId) -> Response:
    """The attacker's view of the document as decided so far: verdict, terms, reasons, measures. That it was shown is
    recorded; only what one was shown can one approve."""
    return as_json(await service.workers.recorded(request, who.name, _viewed, service, who, id))


@router.get("/v1/reviews/{id}/curve", response_model=dict[str, Any])
async def slider(request: Request, service: Running, who: OfReview, id: ReviewId) -> Response:
    """What goes at each strength, for the slider. Recorded as a look at the original."""
    return as_json(await service.workers.recorded(request, who.name, _curve, service, who, id))


@router.get("/v1/wider")
def wider(_who: Reviewer, term: Annotated[str, Query(max_length=200)]) -> dict[str, list[str]]:
    """Wider words that could stand for a term."""
    from efface.knowledge.taxonomy.concepts import wider as broader

    return {"words": list(broader(term))[:8]}


@router.get("/v1/reviews/{id}/decisions", response_model=Decisions)
async def log(
    request: Request,
    service: Running,
    who: OfReview,
    id: ReviewId,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
) -> Response:
    """What was decided, by whom. Decisions name words of the original: that somebody saw them is recorded."""
    return as_json(await service.workers.asked(request, who.name, _log, service, who, id, after))


def _log(service: Any, who: Identity, id: str, after: int, _asker: RequestContext) -> bytes:
    entries = service.review_store.log.entries(id, after)
    if any(entry.decision.term for entry in entries):
        service.trail.append(looked(service.review_store, who, id, "decisions"))
    return _decisions(entries, after)


def _decisions(entries: Sequence[LogEntry], before: int = 0) -> bytes:
    """The log, or its end, as JSON. A long one is written here, in a thread, and not while everybody waits."""
    rows = [entry.data() for entry in entries]
    return json.dumps({"version": entries[-1].seq if entries else before, "entries": rows}).encode()


@router.post("/v1/reviews/{id}/decisions", response_model=Decisions)
async def decide(
    request: Request, service: Running, who: OfReview, id: ReviewId, made: DecisionRequest
) -> Response:
    """Decisions are kept once this is answered. What somebody else decided meanwhile is never overwritten unseen.

    An approval comes alone, and is of the state that `GET /v1/reviews/{id}/view` showed to whoever approves."""
    approves = any(each.kind == "approve" for each in made.decisions)
    if approves and len(made.decisions) > 1:
        raise Problem("invalid", "An approval comes alone.")
    return as_json(await service.workers.asked(request, who.name, _decided, service, who, id, made, approves))


def _decided(
    service: Any, who: Identity, id: str, made: DecisionRequest, approves: bool, asker: RequestContext
) -> bytes:
    """The decisions and their record in the trail, in one transaction."""

    team = service.review_store.get(id).team

    def record(connection: Connection, new: Sequence[LogEntry]) -> None:
        service.people.require_still(connection, who)
        service.trail.write_in(connection, _decision_event(who, id, team, new))

    if approves:
        found: list[LogEntry] = service.review_store.approve(id, who, made.seen, asker, record)
    else:
        found = service.review_store.decide(
            id, who, made.seen, made.decisions, asker, record, made.text_digest
        )
    return _decisions(found)


def _decision_event(who: Identity, id: str, team: str, new: Sequence[LogEntry]) -> Event:
    kinds = sorted({entry.decision.kind for entry in new})
    detail = {"kinds": " ".join(kinds), "count": str(len(new)), "version": str(new[-1].seq)}
    approval = new[-1].decision.approval
    if approval is not None:
        detail |= {name: value for name, value in approval.model_dump().items() if name != "state"}
    action = "approve" if approval is not None else "decide"
    return Event.of(who.on_record, action, id, team=team, **detail)


@router.get("/v1/proposals")
def proposals(service: Running, who: Reviewer) -> dict[str, Any]:
    """Terms that reviewers want always or never redacted, by policy, for the authors of the policies. The request
    is recorded as a look at originals."""
    found: dict[str, dict[str, list[str]]] = {}
    rows = {row.id: row for row in service.review_store.listed(None, 500, who.teams_with("review"))}
    proposed = service.review_store.log.proposed(list(rows))
    for review, made in proposed:
        lists = found.setdefault(rows[review].policy or "default", {"deny": [], "keep": []})
        name = "keep" if made.kind == "keep" else "deny"
        if made.term not in lists[name]:
            lists[name].append(made.term)
    seen = {rows[review].team for review, _ in proposed}
    for team in sorted(seen):
        service.trail.append(Event.of(who.on_record, "read original", team=team, what="proposals"))
    return {"policies": found}


@router.get("/v1/preview/{id}", response_model=dict[str, Any])
async def reading(request: Request, service: Running, asked: Asking, id: ReviewId) -> Response:
    """The text of a document as whoever asks may see it now, to be read on the page; recorded as an opening."""
    opened = await service.openings.open(asked, id, left=leaving(request.receive))
    return as_json(await service.workers.run(_text_data, opened))


@router.get("/v1/preview/{id}/as/{user}", response_model=dict[str, Any])
async def reading_as(
    request: Request,
    service: Running,
    asked: Asking,
    id: ReviewId,
    user: Annotated[str, Path(max_length=128)],
) -> Response:
    """The text as another user would see it, for an administrator; recorded."""
    opened = await service.openings.open(asked, id, user, leaving(request.receive))
    return as_json(await service.workers.run(_text_data, opened))


def _text_data(opened: ViewedDocument) -> bytes:
    text = opened.view.text
    gone = Counter(match[1] for match in _PLACEHOLDER.finditer(text))
    shown = {"name": opened.name, "text": text[:_MOST], "verdict": opened.view.verdict}
    return json_of({**shown, "denied": [[kind, count] for kind, count in gone.most_common()]})


def add_review(
    service: Any,
    who: Identity,
    policy: str,
    name: str,
    data: bytes,
    matter: str,
    team: str,
    _asker: RequestContext,
) -> Review:
    """The review of a document that was put into the queue, and into the trail with it."""

    def record(connection: Connection, id: str, of: str) -> None:
        service.people.require_still(connection, who)
        service.trail.write_in(connection, Event.of(who.on_record, "review", id, team=of, policy=policy))

    id = service.review_store.add(who, policy, name, data, matter, team, record)
    return _review(service.review_store, service.review_store.get(id))


ShowsOriginal = Callable[[Any, Identity, str, RequestContext], bytes]


def look_at_original(
    service: Any, who: Identity, id: str, shown: ShowsOriginal, asker: RequestContext
) -> tuple[bytes, Event]:
    """The original, or something about it, as JSON, and the record that somebody looked."""
    row = service.review_store.get(id)
    review = _review(service.review_store, row).model_dump()
    found = merged_json(shown(service, who, id, asker), {"review": review})
    return found, looked(service.review_store, who, id, "document")


def _viewed(service: Any, who: Identity, id: str, asker: RequestContext) -> tuple[bytes, Event]:
    """The attacker's view, the note that this state was shown, and the record that somebody looked."""
    now: ReviewStanding = service.review_store.result(id, asker)
    codes = now.file.policy.sanitizer.policy.review.codes
    service.review_store.shown.note(id, who.on_record, now.state)
    event = looked(service.review_store, who, id, "view", release=now.state.release)
    return merged_json(now.view, {"codes": codes}), event


def _curve(service: Any, who: Identity, id: str, asker: RequestContext) -> tuple[bytes, Event]:
    return service.review_store.slider(id, asker), looked(service.review_store, who, id, "curve")


def looked(review_store: ReviewStore, who: Identity, id: str, what: str, **more: str) -> Event:
    """The record of a look at an original, or at information about it."""
    row = review_store.get(id)
    return Event.of(who.on_record, "read original", id, team=row.team, policy=row.policy, what=what, **more)


def _whole_document(service: Any, _who: Identity, id: str, asker: RequestContext) -> bytes:
    found: bytes = service.review_store.document(id, asker)
    return found


def as_json(found: bytes) -> Response:
    return Response(found, media_type="application/json")


def _review(review_store: ReviewStore, row: Any, approved: Sequence[str] = ()) -> Review:
    return Review(
        id=row.id,
        name=row.name,
        policy=row.policy,
        owner=row.owner,
        created=row.created,
        state=row.state,
        findings=row.findings,
        problem=row.problem,
        four_eyes=review_store.four_eyes(row),
        matter=row.matter,
        assignee=row.assignee,
        due=row.due,
        risk=row.risk,
        approved=list(approved),
        progress=review_store.progress(row.id),
    )


def json_of(value: Any) -> bytes:
    """JSON, written in a thread: the event loop would let everybody wait for a large one. Lone surrogates, which hostile
    files hold, become question marks one for one: an answer is UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
