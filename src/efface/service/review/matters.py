"""A matter: documents under one policy that are reviewed and handed over together."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from efface.errors import EffaceError
from efface.service.auth.identity import Identity
from efface.service.jobs.processes import RequestContext
from efface.service.problems import Problem, problem_of
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
# What says nothing of a document: the next one would meet the same.
_NOT_OF_A_DOCUMENT = frozenset({"busy", "too-many-requests", "no-room", "unauthenticated", "forbidden"})
_DOTS = frozenset({".", ".."})


def name_of_matter(said: str) -> str:
    """Returns the name, with single spaces for all white space. A name that no address can hold is refused: its documents
    could not be handed over."""
    name = " ".join(said.split())
    has_controls = any(unicodedata.category(character) == "Cc" for character in name)
    if has_controls or not _DOTS.isdisjoint(re.split(r"[/\\]", name)):
        raise Problem(
            "invalid", "A matter's name has no control characters, and no `.` or `..` between slashes."
        )
    return name


@dataclass(frozen=True, slots=True)
class MatterProgress:
    """How far a matter is: how many documents are in each state."""

    name: str
    documents: int
    states: dict[str, int]
    due: float | None


@dataclass(frozen=True, slots=True)
class DecidedDocument:
    """A document of a matter that a decision is for. `is_left_out`: it could not be decided there, for example because
    the file cannot be read."""

    id: str
    is_left_out: bool = False


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


def _require_of_document(error: Problem | EffaceError) -> None:
    """Tell an error that says nothing of the document that was worked on."""
    found = problem_of(error)
    if found.kind in _NOT_OF_A_DOCUMENT:
        raise found


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
    ) -> Iterator[DecidedDocument]:
        """Make the decision about a term in every other document of the matter that has it. A document in which another
        person decided about the term keeps that decision."""
        wanted = fold_term(made.term)

        def decide_in(row: Any) -> bool:
            if not self.review_store.holds(row.id, wanted, asker):
                return False
            entries = self.review_store.log.entries(row.id)
            if _is_decided_by_others(entries, who.name, made.term_key):
                return False
            seen = entries[-1].seq if entries else 0
            self.review_store.decide(row.id, who, seen, [made], asker, record_of(row.id))
            return True

        return self._in_each(name, but, decide_in)

    def repeat_undo(
        self,
        who: Identity,
        name: str,
        made: TakenBack,
        but: str,
        record_of: Callable[[str], RecordEntries],
        asker: RequestContext,
    ) -> Iterator[DecidedDocument]:
        """Undo or redo, in every other document of the matter, the asker's last decision for the matter about a term."""

        def repeat_in(row: Any) -> bool:
            entries = self.review_store.log.entries(row.id)
            of = _decided_for_matter(entries, who.name, made)
            if of is None:
                return False
            again = Decision(kind=made.kind, of=of)
            self.review_store.decide(row.id, who, entries[-1].seq, [again], asker, record_of(row.id))
            return True

        return self._in_each(name, but, repeat_in)

    def _in_each(self, name: str, but: str, act: Callable[[Any], bool]) -> Iterator[DecidedDocument]:
        """Act on every other document of the matter that has not left. One that cannot be worked on keeps the decision
        from none of the others."""
        for row in self.rows(name):
            if row.id == but or row.state == _OPEN:
                continue
            try:
                if act(row):
                    yield DecidedDocument(row.id)
            except (Problem, EffaceError) as error:
                _require_of_document(error)
                yield DecidedDocument(row.id, is_left_out=True)

    def learning(self, name: str, asker: RequestContext) -> dict[str, Any]:
        """What reviewers changed in a matter: words that they kept or added, for the policy's lists, and how often they
        overruled a finder, by type."""
        kept: dict[str, str] = {}
        added: dict[str, str] = {}
        changed: Counter[str] = Counter()
        found: Counter[str] = Counter()
        rows = self.rows(name)
        left_out = 0
        for row in rows:
            now = decided(self.review_store.log.entries(row.id))
            kinds = self._kinds(row.id, asker)
            if kinds is None:
                left_out += 1
                continue
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
        told = {"changes": share, "left_out": left_out}
        return {**lists, **told, "teams": sorted({row.team for row in rows})}

    def _kinds(self, id: str, asker: RequestContext) -> dict[str, str] | None:
        """The terms that the policy marks, with their types; None for a file that cannot be worked on."""
        try:
            return self.review_store.kinds(id, asker)
        except (Problem, EffaceError) as error:
            _require_of_document(error)
            return None
