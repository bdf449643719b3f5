"""Decisions: an append-only log for each document, and what holds once all of them are read in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, FailFast, Field, model_validator
from sqlalchemy import Connection

from efface.service.problems import Problem
from efface.service.review.review_tables import decisions, reviews
from efface.service.store import Store
from efface.text.entity_types import NAME_TYPES, TYPES
from efface.text.folding import fold_term
from efface.text.spans import Place

DecisionKind = Literal["redact", "keep", "replace", "area", "page", "strength", "undo", "redo", "approve"]
AreaBox = tuple[float, float, float, float]  # left, top, right, bottom: parts of a page as it is seen, 0 to 1
_CHANGES = ("redact", "keep", "replace", "area", "page", "strength", "undo", "redo")
_ABOUT_DECISIONS = ("undo", "redo", "approve")  # not about the document itself
_ABOUT_TERMS = ("redact", "keep", "replace")
_MAX_LOG = 100_000  # decisions on one document
_MAX_PLACES = 20_000  # of one decision
_MAX_LOG_PLACES = 400_000  # of all decisions about one document: each of them is read at each look at it
_FARTHEST = 2**40  # where a place may end
_TYPES = frozenset((*TYPES, *NAME_TYPES, ""))


class Decision(BaseModel):
    """One decision. With `start` and `end` it is about that one place, with `places` about all of these (a column of a
    table), without them about the term everywhere. An `area` of a page, or a whole `page`, is taken out of a PDF."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: DecisionKind
    term: str = Field("", max_length=2000)
    start: int | None = Field(None, ge=0, le=2**40)
    end: int | None = Field(None, ge=1, le=2**40)
    places: Annotated[tuple[Place, ...], FailFast()] = Field((), max_length=_MAX_PLACES)
    page: int | None = Field(None, ge=0, le=100_000, description="Which page, for `area` and `page`, from 0.")
    box: AreaBox | None = Field(None, description="The area: left, top, right, bottom, as parts of the page.")
    type: str = Field("", max_length=64, description="What it is, for `redact`: PERSON, LOCATION, …")
    code: str = Field("", max_length=64, description="One of the policy's exemption codes.")
    text: str = Field("", max_length=2000, description="What stands in its place, for `replace`.")
    value: float | None = Field(None, ge=0, le=1000, description="The strength, for `strength`.")
    of: int | None = Field(None, ge=1, le=2**31, description="Which decision, for `undo` and `redo`.")
    in_matter: bool = Field(False, description="Made in all documents of the matter that have the term.")
    step: str = Field("", max_length=40, description="The same for all that were decided at once.")
    propose: bool = Field(False, description="Always so: proposed to the policy's lists too.")

    @model_validator(mode="after")
    def _check_whole(self) -> Decision:
        """Refuses a decision whose parts do not go together."""
        self._check_places()
        self._check_area()
        if self.type not in _TYPES or (self.type and self.kind != "redact"):
            raise ValueError("a type is one that efface knows, and goes with `redact`")
        if self.code and self.kind not in ("redact", "area", "page"):
            raise ValueError("a code goes with what is taken out")
        if self.kind in ("undo", "redo") and self.of is None:
            raise ValueError("which decision?")
        if self.kind == "strength" and self.value is None:
            raise ValueError("a value is needed")
        return self

    def _check_places(self) -> None:
        """Refuses places that cannot be, and decisions that say nothing about where."""
        is_half = (self.start is None) != (self.end is None)
        if is_half or (self.end or 1) <= (self.start or 0):
            raise ValueError("a place has a start and a later end")
        if any(not 0 <= start < end <= _FARTHEST for start, end in self.places):
            raise ValueError("a place has a start and a later end")
        says_what = self.has_place or bool(fold_term(self.term))
        if self.kind in _ABOUT_TERMS and not says_what:
            raise ValueError("a term or a place is needed")
        if self.places and (self.kind != "redact" or self.start is not None):
            raise ValueError("several places can only be redacted")

    def _check_area(self) -> None:
        if self.kind in ("area", "page") and self.page is None:
            raise ValueError("which page?")
        if (self.kind == "area") != (self.box is not None) or not _is_area(self.box):
            raise ValueError("an area has a box within the page")

    @property
    def has_place(self) -> bool:
        """Whether it is about places in the text."""
        return self.start is not None or bool(self.places)

    @property
    def term_key(self) -> str:
        """The term that it is about, in one place or everywhere; "" if it is about no term."""
        return fold_term(self.term) if self.kind in _ABOUT_TERMS else ""

    @property
    def targets(self) -> frozenset[str]:
        """All that it is about: several places are several things."""
        return frozenset(f"{start}-{end}" for start, end in self.places) or frozenset((self.target,))

    @property
    def can_be_overruled(self) -> bool:
        """Whether another decision can say the opposite. Only an undo brings back an area, a page or a column."""
        return self.kind not in ("area", "page") and not self.places

    @property
    def target(self) -> str:
        """What it is about: a later decision about the same replaces it."""
        if self.kind == "strength":
            return "strength"
        if self.kind in ("area", "page"):
            return f"page {self.page} {self.box or ''}"
        if self.places:
            return f"places {self.places}"
        return f"{self.start}-{self.end}" if self.start is not None else f"term {fold_term(self.term)}"


def digest_of_text(text: str) -> str:
    """What distinguishes one reading of a document from another: places are positions in one text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _is_area(box: AreaBox | None) -> bool:
    """Whether it is no box, or one with some room that lies within a page."""
    if box is None:
        return True
    left, top, right, bottom = box
    return 0 <= left < right <= 1 and 0 <= top < bottom <= 1


class Approval(BaseModel):
    """What an approval is about. The service fills it in; no request can."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    state: str  # the digest of all the others, and of the last change
    release: str
    policy: str
    knowledge: str
    role: str = ""  # of the approver


class Recorded(Decision):
    """A decision as the log keeps it."""

    approval: Approval | None = None
    text_digest: str = ""  # of the text that its places are places of; the service fills it in
    makers: tuple[str, ...] = ()  # who else knows the token that it was sent with; the service fills it in
    company: bool = False  # whether it was sent with a company account; the service fills it in

    @classmethod
    def as_sent(cls, made: Decision, text_digest: str, makers: Iterable[str]) -> Recorded:
        """A decision that came with a token of these makers. Only one with a place names the text."""
        known: dict[str, Any] = {"makers": sorted(makers)}
        if made.has_place:
            known["text_digest"] = text_digest
        return cls.model_validate({**made.model_dump(exclude_defaults=True), **known})


@dataclass(frozen=True, slots=True)
class Approved:
    """An approval and its author. `hands` are all users who may have given it: the author and the maker of the
    author's token."""

    actor: str
    approval: Approval
    hands: frozenset[str]
    at: float
    company: bool  # whether it was given with a company account, not by a user of this service

    @classmethod
    def of(cls, entry: LogEntry, approval: Approval) -> Approved:
        return cls(entry.actor, approval, entry.hands, entry.at, entry.decision.company)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A decision in its place in the log."""

    seq: int
    actor: str
    at: float
    decision: Recorded

    @property
    def hands(self) -> frozenset[str]:
        """Everybody who may have made it."""
        return frozenset({self.actor, *self.decision.makers})

    def data(self) -> dict[str, Any]:
        made = self.decision.model_dump(exclude_defaults=True, exclude={"text_digest"})
        return {"seq": self.seq, "actor": self.actor, "at": self.at, **made}


@dataclass(frozen=True, slots=True)
class EffectiveDecisions:
    """What holds: by folded term, and by place."""

    terms: dict[str, Decision] = field(default_factory=dict)
    places: dict[Place, Recorded] = field(default_factory=dict)
    areas: tuple[Decision, ...] = ()  # areas and whole pages that are taken out
    strength: float | None = None
    version: int = 0
    changed: int = 0  # the number of the last entry that changed something
    author: str = ""  # who made that change
    author_hands: frozenset[str] = frozenset()  # everybody who may have made it
    approvals: tuple[Approved, ...] = ()  # since then, in order


def decided(entries: Sequence[LogEntry]) -> EffectiveDecisions:
    """The log read in order; an undone decision is as if it had not been made."""
    standing = {entry.seq for entry in entries} - undone(entries)
    terms: dict[str, Decision] = {}
    places: dict[Place, Recorded] = {}
    areas: list[Decision] = []
    strength: float | None = None
    changed, author, hands = 0, "", frozenset[str]()
    approvals: list[Approved] = []
    for entry in entries:
        made = entry.decision
        if made.kind in _CHANGES:
            changed, author, hands = entry.seq, entry.actor, entry.hands
            approvals.clear()
        if made.approval is not None:
            approvals.append(Approved.of(entry, made.approval))
        if entry.seq not in standing or made.kind in _ABOUT_DECISIONS:
            continue
        if made.kind == "strength":
            strength = made.value
        elif made.kind in ("area", "page"):
            areas.append(made)
        elif made.places:
            places.update(dict.fromkeys(made.places, made))
        elif made.start is not None and made.end is not None:
            places[made.start, made.end] = made
        else:
            terms[made.term_key] = made
            _forget_places(places, made.term_key)
    version = entries[-1].seq if entries else 0
    return EffectiveDecisions(
        terms, places, tuple(areas), strength, version, changed, author, hands, tuple(approvals)
    )


def _forget_places(places: dict[Place, Recorded], term: str) -> None:
    """What was decided earlier about single places of a term: a decision about all of them holds in each. A column was
    not chosen for its words and stays as it was decided."""
    for place in [place for place, made in places.items() if made.term_key == term and not made.places]:
        del places[place]


def undone(entries: Iterable[LogEntry]) -> set[int]:
    """The numbers of the decisions that were taken back."""
    gone: set[int] = set()
    for entry in entries:
        of = entry.decision.of
        if entry.decision.kind == "undo" and of is not None:
            gone.add(of)
        elif entry.decision.kind == "redo" and of is not None:
            gone.discard(of)
    return gone


def entries_as_json(entries: Iterable[LogEntry]) -> bytes:
    """The log as a worker process takes it."""
    rows = [
        [each.seq, each.actor, each.at, each.decision.model_dump(exclude_defaults=True)] for each in entries
    ]
    return json.dumps(rows).encode()


def entries_of_json(data: bytes) -> list[LogEntry]:
    return [
        LogEntry(seq, actor, at, Recorded.model_validate(body)) for seq, actor, at, body in json.loads(data)
    ]


_APPROVES = decisions.c.body.startswith('{"kind":"approve"')  # as `append` writes it
RecordEntries = Callable[[Connection, Sequence[LogEntry]], None]


def no_record(_connection: Connection, _new: Sequence[LogEntry]) -> None:
    """For a log without an audit trail."""


@dataclass(frozen=True)
class Log:
    """The log in the store. Nothing in it is ever changed; what two people decide is all there."""

    store: Store

    def entries(self, review: str, after: int = 0) -> list[LogEntry]:
        chosen = sa.select(decisions).where(decisions.c.review == review, decisions.c.seq > after)
        with self.store.read() as connection:
            rows = connection.execute(chosen.order_by(decisions.c.seq)).all()
        return [_entry(row) for row in rows]

    def approvals(self, ids: Sequence[str]) -> dict[str, list[Approved]]:
        """The approvals of each of these since its last change, in order. Whether they are of what would leave now, only
        the review itself can say."""
        mine = decisions.c.review.in_(ids)
        last = sa.select(decisions.c.review, sa.func.max(decisions.c.seq)).where(mine, ~_APPROVES)
        given = sa.select(decisions).where(mine, _APPROVES).order_by(decisions.c.seq)
        with self.store.read() as connection:
            changed = {row[0]: row[1] for row in connection.execute(last.group_by(decisions.c.review))}
            rows = connection.execute(given).all()
        found: dict[str, list[Approved]] = {}
        for row in rows:
            approval = _entry(row).decision.approval
            if approval is not None and row.seq > changed.get(row.review, 0):
                found.setdefault(row.review, []).append(Approved.of(_entry(row), approval))
        return found

    def proposed(self, ids: Sequence[str]) -> list[tuple[str, Decision]]:
        """The decisions about terms of these reviews that are proposed to the policies, each with its review."""
        asked = (decisions.c.review.in_(ids), decisions.c.body.contains('"propose":true'))
        with self.store.read() as connection:
            rows = connection.execute(sa.select(decisions).where(*asked).order_by(decisions.c.seq)).all()
        found = [(str(row.review), _entry(row).decision) for row in rows]
        return [(review, made) for review, made in found if made.propose and made.term]

    def append(
        self, review: str, actor: str, seen: int, made: Sequence[Recorded], record: RecordEntries = no_record
    ) -> list[LogEntry]:
        """The new entries, once they are stored. What another person decided about the same thing after `seen`
        is not overwritten unseen: the answer is then a conflict. `record` writes to the audit trail in the same
        transaction, so that neither is there without the other. What was decided before is read and compared before the
        transaction begins: nobody else can write while a long log is read."""
        known = self.entries(review)
        _check(known, actor, seen, made)
        with self.store.write() as connection:
            self.store.lock(connection, "members")
            self.store.lock(connection, "decisions")
            if not connection.execute(sa.select(reviews.c.id).where(reviews.c.id == review)).first():
                raise Problem("not-found")
            since = sa.select(decisions).where(
                decisions.c.review == review, decisions.c.seq > (known[-1].seq if known else 0)
            )
            meanwhile = [_entry(row) for row in connection.execute(since.order_by(decisions.c.seq))]
            if meanwhile:
                known += meanwhile
                _check(known, actor, seen, made)
            last = known[-1].seq if known else 0
            now = self.store.clock(connection)
            new = [LogEntry(last + number, actor, now, each) for number, each in enumerate(made, 1)]
            for entry in new:
                body = entry.decision.model_dump_json(exclude_defaults=True)
                row = {"review": review, "seq": entry.seq, "actor": actor, "at": now, "body": body}
                connection.execute(decisions.insert().values(row))
            record(connection, new)
        return new


def _check(known: Sequence[LogEntry], actor: str, seen: int, made: Sequence[Decision]) -> None:
    """Refuse decisions that do not fit, or conflict with those of others which `actor` had not seen when deciding."""
    _check_room(known, made)
    by_seq = {entry.seq: entry for entry in known}
    unseen = _unseen_targets(known, actor, seen)
    for each in made:
        if each.of is not None:
            _check_undone(by_seq.get(each.of), actor, seen)
        if each.kind == "approve" and known and known[-1].seq > seen:
            raise Problem("conflict", "Something was decided meanwhile: look again before you approve.")
        if each.kind not in _ABOUT_DECISIONS and each.targets & unseen:
            raise Problem("conflict", "Somebody else has just decided about the same: look again.")


def _check_room(known: Sequence[LogEntry], made: Sequence[Decision]) -> None:
    """Refuse more decisions, or more places in them, than a log may have."""
    earlier = sum(len(entry.decision.places) for entry in known)
    places = earlier + sum(len(each.places) for each in made)
    if len(known) + len(made) > _MAX_LOG or places > _MAX_LOG_PLACES:
        raise Problem("conflict", "No more decisions fit on this document.")


def _unseen_targets(known: Sequence[LogEntry], actor: str, seen: int) -> set[str]:
    """What others decided about since `actor` looked."""
    unseen: set[str] = set()
    for entry in known:
        if entry.seq > seen and entry.actor != actor:
            unseen.update(entry.decision.targets)
            # A decision about the term would overrule one about a place.
            unseen.add(f"term {entry.decision.term_key}")
    return unseen


def _check_undone(of: LogEntry | None, actor: str, seen: int) -> None:
    if of is None or of.decision.kind in _ABOUT_DECISIONS:
        raise Problem("not-found", "There is no such decision to undo.")
    if of.actor != actor and (of.decision.can_be_overruled or of.seq > seen):
        raise Problem("conflict", "Somebody else made that decision: decide anew instead.")


def _entry(row: Any) -> LogEntry:
    return LogEntry(row.seq, row.actor, row.at, Recorded.model_validate(json.loads(row.body)))
