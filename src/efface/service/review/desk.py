"""The desk: documents under review in the store, and this process's memory of those in hand."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from efface.core import Verdict
from efface.errors import EffaceError
from efface.formats import detect
from efface.sanitizer import Sanitizer
from efface.service.blobs import Blobs
from efface.service.identity import Identity
from efface.service.policies import Policies
from efface.service.problems import Problem, problem_of
from efface.service.review.decisions import Decided, Decision, Entry, Log, decided
from efface.service.review.flow import Prepared, Result, run
from efface.service.review.tables import decisions, reviews
from efface.service.store import Store

STATES = ("waiting", "working", "failed", "refused", "broken", "unproven", "held", "exported")
_IN_HAND = 8  # documents remembered at a time
_FRESH = 300.0  # seconds for which a bound policy is believed while somebody looks; an export binds anew


@dataclass
class _Hand:
    """A document in hand. One at a time reads it, and one at a time works on it; who wants to look at it waits
    for the reading only."""

    prepared: Prepared | None = None
    at: float = 0.0
    mark: str = ""
    result: Result | None = None
    reading: threading.Lock = field(default_factory=threading.Lock)
    working: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class Desk:
    """Reviews, their decisions and results."""

    store: Store
    blobs: Blobs
    policies: Policies
    _hands: OrderedDict[str, _Hand] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def log(self) -> Log:
        return Log(self.store)

    def add(self, who: Identity, policy: str, name: str, data: bytes) -> str:
        """The review's id. The file is kept once this returns."""
        if policy:
            self.policies.get(policy)
        id = secrets.token_hex(12)
        file = self.blobs.put(data)
        row = {
            "id": id,
            "name": name,
            "file": file,
            "policy": policy,
            "owner": who.name,
            "viewer": who.viewer,
        }
        with self.store.write() as connection:
            connection.execute(reviews.insert().values(**row, created=time.time(), state="waiting"))
        return id

    def get(self, id: str) -> Any:
        with self.store.read() as connection:
            row = connection.execute(sa.select(reviews).where(reviews.c.id == id)).first()
        if row is None:
            raise Problem("not-found")
        return row

    def listed(self, state: str | None, limit: int) -> list[Any]:
        """What needs somebody comes first: failed and refused, then the rest, the oldest first."""
        order = sa.case(
            {name: number for number, name in enumerate(_URGENT)}, value=reviews.c.state, else_=99
        )
        chosen = sa.select(reviews).order_by(order, reviews.c.created).limit(limit)
        if state is not None:
            chosen = chosen.where(reviews.c.state == state)
        with self.store.read() as connection:
            return list(connection.execute(chosen).all())

    def remove(self, id: str) -> None:
        row = self.get(id)
        with self.store.write() as connection:
            connection.execute(reviews.delete().where(reviews.c.id == id))
            connection.execute(decisions.delete().where(decisions.c.review == id))
        self.blobs.delete(row.file)
        with self._lock:
            self._hands.pop(id, None)

    def prepared(self, id: str) -> Prepared:
        return self._prepared(id, self._hand(id), fresh=False)

    def original(self, id: str) -> tuple[str, bytes]:
        """The file's format and its bytes, before anybody has read it."""
        row = self.get(id)
        data = self.blobs.get(row.file)
        return detect(row.name, data), data

    def decide(self, id: str, who: Identity, seen: int, made: list[Decision]) -> list[Entry]:
        return self.log.append(id, who.name, seen, made)

    def result(self, id: str, *, fresh: bool = False) -> tuple[Prepared, Decided, Result]:
        """The document, its decisions, and what would leave; with `fresh` the policy and its data are read anew."""
        hand = self._hand(id)
        with hand.working:
            try:
                prepared = self._prepared(id, hand, fresh=fresh)
                made = decided(self.log.entries(id))
                result = hand.result
                if result is None or result.version != made.version:
                    self._set(id, state="working")
                    result = hand.result = run(prepared, made)
                    self._note(id, result)
            except Exception as error:
                found = problem_of(error)
                self._set(id, state="failed", problem=found.detail or found.document()["title"])
                raise found from None
            return prepared, made, result

    def look(self, id: str) -> None:
        """The first look, when nobody waits for it. What goes wrong is noted with the review."""
        with contextlib.suppress(Problem):
            self.result(id)

    def unseen(self) -> list[str]:
        """What nobody has looked at: a process may have ended before it came to them."""
        chosen = sa.select(reviews.c.id).where(reviews.c.state.in_(("waiting", "working")))
        with self.store.read() as connection:
            return list(connection.execute(chosen.order_by(reviews.c.created)).scalars())

    def exported(self, id: str) -> None:
        self._set(id, state="exported")

    def _hand(self, id: str) -> _Hand:
        with self._lock:
            hand = self._hands.setdefault(id, _Hand())
            self._hands.move_to_end(id)
            while len(self._hands) > _IN_HAND:
                self._hands.popitem(last=False)
            return hand

    def _prepared(self, id: str, hand: _Hand, *, fresh: bool) -> Prepared:
        row = self.get(id)
        mark = self.policies.get(row.policy).mark or "" if row.policy else ""
        with hand.reading:
            old = time.monotonic() - hand.at > _FRESH or hand.mark != mark
            if hand.prepared is None or fresh or old:
                bound = self.sanitizer(row.policy).bind(row.viewer)
                hand.prepared = Prepared.of(self.blobs.get(row.file), row.name, bound)
                hand.at, hand.mark, hand.result = time.monotonic(), mark, None
            return hand.prepared

    def sanitizer(self, policy: str) -> Sanitizer:
        return self.policies.get(policy).sanitizer if policy else Sanitizer.from_text("efface: 1")

    def four_eyes(self, policy: str) -> bool:
        try:
            return self.sanitizer(policy).policy.review.four_eyes
        except (Problem, EffaceError):
            return True

    def _note(self, id: str, result: Result) -> None:
        report = result.report
        left = sum(len(outcome.after) for outcome in report.outcomes) if report else 0
        state = "refused" if report is None else result.verdict.value
        self._set(id, state=state, version=result.version, findings=left, problem=result.problem)

    def _set(self, id: str, **values: Any) -> None:
        with self.store.write() as connection:
            connection.execute(reviews.update().where(reviews.c.id == id).values(values))


_URGENT = ("failed", "refused", "broken", "unproven", "working", "waiting", "held", "exported")
assert set(_URGENT) == set(STATES) and {v.value for v in Verdict} <= set(STATES)
