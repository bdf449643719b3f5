"""A matter: documents under one policy that are reviewed and handed over together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from efface.service.auth.identity import Identity
from efface.service.jobs.processes import RequestContext
from efface.service.problems import Problem
from efface.service.review.decisions import (
    Decision,
    EffectiveDecisions,
    LogEntry,
    RecordEntries,
    decided,
    undone,
)
from efface.service.review.review_store import ReviewStore
from efface.service.review.review_tables import reviews
from efface.text.folding import fold_term

MOST = 500  # documents of a matter that one request works on
_OPEN = "exported"  # what has left is not decided anew


@dataclass(frozen=True, slots=True)
class MatterProgress:
    """How far a matter is: how many documents are in each state."""

    name: str
    documents: int
    states: dict[str, int]
    due: float | None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A decision about a term that is undone, or made again."""

    kind: Literal["undo", "redo"]
    term: str


def _decided_for_matter(entries: Sequence[LogEntry], actor: str, made: TakenBack) -> int | None:
    """The number of the last decision for the matter about the term that can be undone, or made again."""
    gone = undone(entries)
    key = fold_term(made.term)
    for entry in reversed(entries):
        is_theirs = entry.actor == actor and entry.decision.in_matter and entry.decision.term_key == key
        if is_theirs and (entry.seq in gone) == (made.kind == "redo"):
            return entry.seq
    return None


def _is_decided_by_others(entries: Sequence[LogEntry], actor: str, key: str) -> bool:
    """Whether a decision about the term stands that somebody else made. One that was taken back is in nobody's way."""
    gone = undone(entries)
    for entry in entries:
        if entry.actor != actor and entry.decision.term_key == key and entry.seq not in gone:
            return True
    return False


def _by_term(now: EffectiveDecisions) -> dict[str, Decision]:
    """What was decided about each term, in one place or in all of them; a column was not chosen for its words."""
    singly = {made.term_key: made for made in now.places.values() if made.term_key and not made.places}
    return {**singly, **now.terms}


@dataclass(frozen=True)
class Matters:
    """Matters of some teams in the store."""

    review_store: ReviewStore
    teams: Sequence[str]

    def progress(self) -> list[MatterProgress]:
        """Every matter, by name."""
        number = sa.func.count().label("number")
        chosen = (
            sa.select(reviews.c.matter, reviews.c.state, number, sa.func.min(reviews.c.due).label("due"))
            .where(reviews.c.matter != "", reviews.c.team.in_(self.teams))
            .group_by(reviews.c.matter, reviews.c.state)
            .order_by(reviews.c.matter)
        )  # fmt: skip
        with self.review_store.store.read() as connection:
            rows = connection.execute(chosen).all()
        states: dict[str, dict[str, int]] = {}
        dues: dict[str, list[float]] = {}
        for row in rows:
            states.setdefault(row.matter, {})[row.state] = row.number
            dues.setdefault(row.matter, []).extend([row.due] if row.due is not None else [])
        return [
            MatterProgress(name, sum(found.values()), found, min(dues[name], default=None))
            for name, found in states.items()
        ]

    def rows(self, name: str) -> list[Any]:
        """The documents of a matter, the oldest first."""
        theirs = (reviews.c.matter == name, reviews.c.team.in_(self.teams))
        chosen = sa.select(reviews).where(*theirs).order_by(reviews.c.created)
        with self.review_store.store.read() as connection:
            found = list(connection.execute(chosen.limit(MOST + 1)).all())
        if not found or not name:
            raise Problem("not-found")
        if len(found) > MOST:
            raise Problem("conflict", f"The matter has more than {MOST} documents: divide it.")
        return found

    def update(self, ids: Sequence[str], values: dict[str, Any]) -> Counter[str]:
        """Set matter, assignee or due date of several documents; how many there were of each team."""
        with self.review_store.store.write() as connection:
            theirs = (reviews.c.id.in_(ids), reviews.c.team.in_(self.teams))
            found = connection.execute(sa.select(reviews.c.team).where(*theirs)).scalars().all()
            connection.execute(reviews.update().where(*theirs).values(values))
            return Counter(found)

    def decide(
        self,
        who: Identity,
        name: str,
        made: Decision,
        but: str,
        record_of: Callable[[str], RecordEntries],
        asker: RequestContext,
    ) -> Iterator[tuple[str, list[LogEntry]]]:
        """Make the decision about a term in every other document of the matter that has it. A document in which another
        person decided about the term keeps that decision."""
        wanted = fold_term(made.term)
        for row in self.rows(name):
            if row.id == but or row.state == _OPEN:
                continue
            if not self.review_store.holds(row.id, wanted, asker):
                continue
            entries = self.review_store.log.entries(row.id)
            if _is_decided_by_others(entries, who.name, made.term_key):
                continue
            seen = entries[-1].seq if entries else 0
            yield row.id, self.review_store.decide(row.id, who, seen, [made], asker, record_of(row.id))

    def repeat_undo(
        self,
        who: Identity,
        name: str,
        made: TakenBack,
        but: str,
        record_of: Callable[[str], RecordEntries],
        asker: RequestContext,
    ) -> Iterator[tuple[str, list[LogEntry]]]:
        """Undo or redo, in every other document of the matter, the asker's last decision for the matter about a term."""
        for row in self.rows(name):
            if row.id == but or row.state == _OPEN:
                continue
            entries = self.review_store.log.entries(row.id)
            of = _decided_for_matter(entries, who.name, made)
            if of is not None:
                again = Decision(kind=made.kind, of=of)
                found = self.review_store.decide(
                    row.id, who, entries[-1].seq, [again], asker, record_of(row.id)
                )
                yield row.id, found

    def learning(self, name: str, asker: RequestContext) -> dict[str, Any]:
        """What reviewers changed in a matter: words that they kept or added, for the policy's lists, and how often they
        overruled a finder, by type."""
        kept: dict[str, str] = {}
        added: dict[str, str] = {}
        changed: Counter[str] = Counter()
        found: Counter[str] = Counter()
        rows = self.rows(name)
        for row in rows:
            now = decided(self.review_store.log.entries(row.id))
            kinds = self.review_store.kinds(row.id, asker)
            found.update(kinds.values())
            for key, made in _by_term(now).items():
                if made.kind != "keep" and key in kinds:
                    continue  # the finder was right
                if made.kind != "keep":
                    added.setdefault(key, made.term)
                elif key in now.terms:  # one kept place says nothing of the others
                    kept.setdefault(key, made.term)
                changed[kinds.get(key, "missed")] += 1
        share = {kind: [changed[kind], found[kind] or changed[kind]] for kind in sorted({*found, *changed})}
        lists = {"keep": sorted(kept.values()), "deny": sorted(added.values())}
        return {**lists, "changes": share, "teams": sorted({row.team for row in rows})}
