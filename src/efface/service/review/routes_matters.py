"""Matters over HTTP: who works on what until when, the same decision everywhere, and all of it as one archive."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from efface.errors import EffaceError
from efface.report.data import to_json
from efface.service.audit import Event
from efface.service.auth.credentials import Reviewer, Running
from efface.service.auth.identity import Identity
from efface.service.jobs.processes import ClientDisconnected, RequestContext
from efface.service.problems import Problem
from efface.service.repository.file_responses import attachment, name_of
from efface.service.request_bodies import BodyRoute, ListOf
from efface.service.review.approvals import has_four_eyes
from efface.service.review.decisions import Decision, LogEntry, RecordEntries, decided
from efface.service.review.file_names import CERTIFICATE, PLAIN
from efface.service.review.matters import MOST, Matters, TakenBack, name_of_matter
from efface.service.review.redaction_index import IndexRow, as_csv, as_docx, rows_of_json
from efface.service.review.review_standing import ReviewStanding
from efface.service.review.review_store import ReviewStore
from efface.service.review.routes_export import release_detail, require_held, signed_certificate

router = APIRouter(tags=["review"], route_class=BodyRoute)

MatterName = Annotated[str, Path(min_length=1, max_length=120)]
_ID = Annotated[str, Field(pattern="^[0-9a-f]{24}$")]


class MatterStatus(BaseModel):
    """How far a matter is."""

    name: str
    documents: int
    states: dict[str, int]
    due: float | None


class MatterList(BaseModel):
    """Every matter."""

    matters: list[MatterStatus]


class QueueChanges(BaseModel):
    """New values for several documents of the queue; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    ids: ListOf[_ID] = Field(min_length=1, max_length=MOST)
    matter: str = Field("", max_length=120, description="Empty: of no matter.")
    assignee: str = Field("", max_length=128, description="Empty: nobody's.")
    due: float | None = Field(None, ge=0, le=1e11, description="Seconds since 1970; 0 takes the date away.")


class MatterDecision(BaseModel):
    """A decision about a term, for the other documents of a matter. `undo` and `redo` are about the last one of these."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["redact", "keep", "undo", "redo"]
    term: str = Field(min_length=1, max_length=2000)
    type: str = Field("", max_length=64)
    code: str = Field("", max_length=64)
    but: str = Field("", max_length=24, description="The document in which it was decided already.")


class MatterExport(BaseModel):
    """What leaves of a matter. With `partial`, what is not ready is left out and named in the archive."""

    partial: bool = False


class ReviewerChanges(BaseModel):
    """What reviewers changed: words for the policy's lists, and for each type how many of how many terms."""

    keep: list[str]
    deny: list[str]
    changes: dict[str, Annotated[list[int], Field(min_length=2, max_length=2)]]
    left_out: int = Field(0, description="Documents that could not be looked into.")


class ChangedDocuments(BaseModel):
    """How many documents were changed."""

    documents: int


class DecidedInMatter(ChangedDocuments):
    """How many documents a decision was made in."""

    left_out: int = Field(
        0, description="Documents in which it could not be decided: look at them one by one."
    )


@router.get("/v1/matters")
def matters(service: Running, who: Reviewer) -> MatterList:
    """Every matter, with how many documents are in each state."""
    found = _matters(service, who).progress()
    return MatterList(matters=[MatterStatus.model_validate(asdict(each)) for each in found])


@router.get("/v1/matters/{name:path}/learning")
async def learning(request: Request, service: Running, who: Reviewer, name: MatterName) -> ReviewerChanges:
    """What reviewers changed in the matter, so that its policy can improve. Recorded as a look at originals."""
    matters = _matters(service, who)
    found: dict[str, Any] = await service.workers.asked(request, who.name, matters.learning, name)
    await to_thread.run_sync(_record_learning, service, who, name, found.pop("teams"))
    return ReviewerChanges.model_validate(found)


def _record_learning(service: Any, who: Identity, name: str, teams: Sequence[str]) -> None:
    for team in teams:
        event = Event.of(who.on_record, "read original", team=team, what="learning", matter=name)
        service.trail.append(event)


@router.patch("/v1/reviews")
def change(service: Running, who: Reviewer, changes: QueueChanges) -> ChangedDocuments:
    """Put documents into a matter, assign them, or set when they are due."""
    values = changes.model_dump(exclude_unset=True, exclude={"ids"})
    if not values:
        raise Problem("invalid", "Nothing to change was named.")
    if "matter" in values:
        values["matter"] = name_of_matter(values["matter"])
    if values.get("due") == 0:
        values["due"] = None
    if "assignee" in values:
        values["assignee"] = values["assignee"].strip()
    with service.changing(who) as record:
        counts = _matters(service, who).update(changes.ids, values)
        for team, count in counts.items():
            detail = {"count": str(count), "what": " ".join(sorted(values))}
            record(Event.of(who.on_record, "change reviews", team=team, **detail))
        if values.get("assignee"):
            _require_reviewer(service, who, values["assignee"], list(counts))
    return ChangedDocuments(documents=counts.total())


def _require_reviewer(service: Any, who: Identity, name: str, teams: Sequence[str]) -> None:
    """Refuse an assignee who does not review in these teams: nobody else would find the documents among their own. Company
    accounts are not known before they sign in, so with an identity provider any other name may be one."""
    may_be_company_account = service.settings.oidc is not None and service.people.get(name) is None
    if name == who.name or may_be_company_account:
        return
    reviewers = service.review_store.reviewers_now()
    if not all(reviewers.still_may(name, team, math.inf, company=False) for team in teams):
        raise Problem("invalid", "Nobody of this name reviews in the team of these documents.")


@router.post("/v1/matters/{name:path}/decisions")
async def decide(
    request: Request, service: Running, who: Reviewer, name: MatterName, made: MatterDecision
) -> DecidedInMatter:
    """The same decision in every other document of the matter that has the term."""
    found: DecidedInMatter = await service.workers.asked(
        request, who.name, _decided, service, who, name, made
    )
    return found


def _matters(service: Any, who: Identity) -> Matters:
    """Returns the teams in which the caller is a reviewer."""
    return Matters(service.review_store, who.teams_with("review"))


def _decided(
    service: Any, who: Identity, name: str, made: MatterDecision, asker: RequestContext
) -> DecidedInMatter:
    found = DecidedInMatter(documents=0)

    def record_of(id: str) -> RecordEntries:
        """A decision and its record are one transaction."""

        def record(connection: Connection, new: Sequence[LogEntry]) -> None:
            detail = {"kinds": made.kind, "count": "1", "version": str(new[-1].seq), "matter": name}
            team = service.review_store.get(id).team
            service.people.require_still(connection, who)
            service.trail.write_in(connection, Event.of(who.on_record, "decide", id, team=team, **detail))

        return record

    matters = _matters(service, who)
    if made.kind in ("undo", "redo"):
        changed = matters.repeat_undo(who, name, TakenBack(made.kind, made.term), made.but, record_of, asker)
    else:
        changed = matters.decide(who, name, _decision(made), made.but, record_of, asker)
    for each in changed:
        if each.is_left_out:
            found.left_out += 1
            continue
        context = RequestContext(f"review {each.id}", background=True)
        service.workers.later(service.review_store.result, each.id, context, name=f"result {each.id}")
        found.documents += 1
    return found


def _decision(made: MatterDecision) -> Decision:
    try:
        return Decision.model_validate({**made.model_dump(exclude={"but"}), "in_matter": True})
    except ValueError:
        raise Problem("invalid", "Such a decision makes no sense: see the kinds, types and codes.") from None


@router.post("/v1/matters/{name:path}/export", response_class=Response)
async def export(
    request: Request, service: Running, who: Reviewer, name: MatterName, wanted: MatterExport
) -> Response:
    """Everything of a matter that may leave, as one archive: files, certificates and the index of redactions."""
    data: bytes = await service.workers.asked(request, who.name, _archive, service, who, name, wanted.partial)
    return attachment(data, f"{name_of(name)}.zip", "application/zip", {})


def _archive(service: Any, who: Identity, name: str, partial: bool, asker: RequestContext) -> bytes:
    with service.review_store.exports.going_on(who.name, name) as since:
        return _archive_since(service, who, name, partial, since, asker)


def _archive_since(
    service: Any, who: Identity, name: str, partial: bool, since: float, asker: RequestContext
) -> bytes:
    rows = _matters(service, who).rows(name)
    ready: list[_Ready] = []
    waiting: list[str] = []
    for row in rows:
        found = _ready(service.review_store, row, since, asker)
        if found is not None:
            ready.append(found)
        else:
            waiting.append(_waiting_name(service.review_store, row, asker))
    if waiting and not partial:
        raise Problem("conflict", f"{len(waiting)} of {len(rows)} documents may not leave yet.")
    if not ready:
        raise Problem("conflict", "No document of the matter may leave yet.")
    packed = _packed(service, name, ready, waiting)
    if asker.gone.is_set():
        raise ClientDisconnected
    with service.changing(who) as record:  # all of it leaves, or nothing
        for one in ready:
            record(_release(who, one.row, one.standing, name))
            service.review_store.exported(one.row.id, one.standing.decided.version)
    return packed


@dataclass(frozen=True)
class _Ready:
    """A document that may leave: its row, what leaves, under which name, and its redactions."""

    row: Any
    standing: ReviewStanding
    name: str
    index: bytes = field(repr=False)


def _ready(review_store: ReviewStore, row: Any, since: float, asker: RequestContext) -> _Ready | None:
    """Its index is asked for at once, while the worker that made the file still has it."""
    standing = _standing_if_it_may_leave(review_store, row, since, asker)
    if standing is None:
        return None
    # The file's own name is part of what the index is of: two files may hold the same.
    state = f"{row.id} {standing.state.digest}"
    index = review_store.exports.index(state, lambda: review_store.record(standing, "index", asker))
    return _Ready(row, standing, *index)


def _packed(service: Any, name: str, ready: Sequence[_Ready], waiting: Sequence[str]) -> bytes:
    out = io.BytesIO()
    index: list[IndexRow] = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, one in enumerate(ready, 1):
            assert one.standing.outcome.released is not None
            folder = f"{number:03d}"
            path = f"{folder}/{one.name}"
            archive.writestr(path, one.standing.outcome.released)
            archive.writestr(f"{folder}/{CERTIFICATE}", to_json(signed_certificate(service, one.standing)))
            index += [replace(each, document=path) for each in rows_of_json(one.index)]
        archive.writestr("index.csv", as_csv(index))
        archive.writestr("index.docx", as_docx(f"Index of redactions: {name}", index))
        if waiting:
            archive.writestr("left-out.txt", "\n".join(["These documents may not leave yet:", *waiting]))
    return out.getvalue()


def _standing_if_it_may_leave(
    review_store: ReviewStore, row: Any, since: float, asker: RequestContext
) -> ReviewStanding | None:
    """The document as it would leave, with policy and data read since the export began; None if it may not."""
    made = decided(review_store.log.entries(row.id))
    hands = [approved.hands for approved in made.approvals]
    if review_store.four_eyes(row) and not has_four_eyes(hands, made.author_hands):
        return None  # whatever would leave: nothing has to be computed to know that
    try:
        standing = review_store.result(row.id, asker, fresh=True, since=since)
        require_held(review_store, row, standing, "")
    except Problem:
        return None
    return standing if standing.outcome.released is not None else None


def _waiting_name(review_store: ReviewStore, row: Any, asker: RequestContext) -> str:
    """What the archive calls a document that is not in it: its name, if nothing in that has to go."""
    try:
        return review_store.waiting_name(row.id, asker)
    except (Problem, EffaceError):
        return PLAIN


def _release(who: Identity, row: Any, standing: ReviewStanding, matter: str) -> Event:
    detail = {**release_detail(row, standing, "file"), "matter": matter}
    return Event.of(who.on_record, "release", row.id, team=row.team, **detail)
