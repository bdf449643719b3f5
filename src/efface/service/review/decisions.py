"""Decisions: an append-only log for each document, and what holds once all of them are read in order."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, Field, model_validator

from efface.folding import fold_term
from efface.service.problems import Problem
from efface.service.review.tables import decisions, reviews
from efface.service.store import Store

Kind = Literal["redact", "keep", "replace", "strength", "undo", "redo", "approve"]
_CHANGES = ("redact", "keep", "replace", "strength", "undo", "redo")
_MAX_LOG = 100_000


class Decision(BaseModel):
    """One decision. With `start` and `end` it is about that one place, without about the term everywhere."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    term: str = Field("", max_length=2000)
    start: int | None = Field(None, ge=0, le=2**40)
    end: int | None = Field(None, ge=1, le=2**40)
    text: str = Field("", max_length=2000, description="What stands in its place, for `replace`.")
    value: float | None = Field(None, ge=0, le=1000, description="The strength, for `strength`.")
    of: int | None = Field(None, ge=1, le=2**31, description="Which decision, for `undo` and `redo`.")
    propose: bool = Field(False, description="Always so: proposed to the policy's lists too.")

    @model_validator(mode="after")
    def _whole(self) -> Decision:
        if (self.start is None) != (self.end is None) or (self.end or 1) <= (self.start or 0):
            raise ValueError("a place has a start and a later end")
        if self.kind in ("redact", "keep", "replace") and self.start is None and not fold_term(self.term):
            raise ValueError("a term or a place is needed")
        if self.kind in ("undo", "redo") and self.of is None:
            raise ValueError("which decision?")
        if self.kind == "strength" and self.value is None:
            raise ValueError("a value is needed")
        return self

    @property
    def target(self) -> str:
        """What it is about: a later decision about the same replaces it."""
        if self.kind == "strength":
            return "strength"
        return f"{self.start}-{self.end}" if self.start is not None else f"term {fold_term(self.term)}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A decision in its place in the log."""

    seq: int
    actor: str
    at: float
    decision: Decision

    def data(self) -> dict[str, Any]:
        made = self.decision.model_dump(exclude_defaults=True)
        return {"seq": self.seq, "actor": self.actor, "at": self.at, **made}


@dataclass(frozen=True, slots=True)
class Decided:
    """What holds: by folded term, and by place."""

    terms: dict[str, Decision] = field(default_factory=dict)
    places: dict[tuple[int, int], Decision] = field(default_factory=dict)
    strength: float | None = None
    version: int = 0
    approved: frozenset[str] = frozenset()  # by whom, as things stand now


def decided(entries: Sequence[Entry]) -> Decided:
    """The log read in order; an undone decision is as if it had not been made."""
    standing = {entry.seq for entry in entries} - _undone(entries)
    terms: dict[str, Decision] = {}
    places: dict[tuple[int, int], Decision] = {}
    strength: float | None = None
    approved: set[str] = set()
    for entry in entries:
        made = entry.decision
        if made.kind in _CHANGES:
            approved.clear()
        if made.kind == "approve":
            approved.add(entry.actor)
        if entry.seq not in standing or made.kind in ("undo", "redo", "approve"):
            continue
        if made.kind == "strength":
            strength = made.value
        elif made.start is not None and made.end is not None:
            places[made.start, made.end] = made
        else:
            terms[fold_term(made.term)] = made
    version = entries[-1].seq if entries else 0
    return Decided(terms, places, strength, version, frozenset(approved))


def _undone(entries: Iterable[Entry]) -> set[int]:
    gone: set[int] = set()
    for entry in entries:
        of = entry.decision.of
        if entry.decision.kind == "undo" and of is not None:
            gone.add(of)
        elif entry.decision.kind == "redo" and of is not None:
            gone.discard(of)
    return gone


@dataclass(frozen=True)
class Log:
    """The log in the store. Nothing in it is ever changed; what two people decide is all there."""

    store: Store

    def entries(self, review: str, after: int = 0) -> list[Entry]:
        chosen = sa.select(decisions).where(decisions.c.review == review, decisions.c.seq > after)
        with self.store.read() as connection:
            rows = connection.execute(chosen.order_by(decisions.c.seq)).all()
        return [_entry(row) for row in rows]

    def append(self, review: str, actor: str, seen: int, made: Sequence[Decision]) -> list[Entry]:
        """The new entries, once they are stored. What somebody else decided about the same thing after `seen`
        is not overwritten unseen: the answer is then a conflict."""
        with self.store.write() as connection:
            self.store.lock(connection, "decisions")
            if not connection.execute(sa.select(reviews.c.id).where(reviews.c.id == review)).first():
                raise Problem("not-found")
            chosen = sa.select(decisions).where(decisions.c.review == review).order_by(decisions.c.seq)
            known = [_entry(row) for row in connection.execute(chosen)]
            if len(known) + len(made) > _MAX_LOG:
                raise Problem("conflict", "No more decisions fit on this document.")
            _check(known, actor, seen, made)
            last = known[-1].seq if known else 0
            now = time.time()
            new = [Entry(last + number, actor, now, each) for number, each in enumerate(made, 1)]
            for entry in new:
                body = entry.decision.model_dump_json(exclude_defaults=True)
                row = {"review": review, "seq": entry.seq, "actor": actor, "at": now, "body": body}
                connection.execute(decisions.insert().values(row))
        return new


def _check(known: Sequence[Entry], actor: str, seen: int, made: Sequence[Decision]) -> None:
    by_seq = {entry.seq: entry for entry in known}
    unseen = {entry.decision.target for entry in known if entry.seq > seen and entry.actor != actor}
    for each in made:
        if each.of is not None:
            of = by_seq.get(each.of)
            if of is None or of.decision.kind in ("undo", "redo", "approve"):
                raise Problem("not-found", "There is no such decision to undo.")
            if of.actor != actor:
                raise Problem("conflict", "Somebody else made that decision: decide anew instead.")
        if each.kind == "approve" and known and known[-1].seq > seen:
            raise Problem("conflict", "Something was decided meanwhile: look again before you approve.")
        if each.kind not in ("undo", "redo", "approve") and each.target in unseen:
            raise Problem("conflict", "Somebody else has just decided about the same: look again.")


def _entry(row: Any) -> Entry:
    return Entry(row.seq, row.actor, row.at, Decision.model_validate(json.loads(row.body)))
