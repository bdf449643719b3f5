"""Earlier copies of documents: what is remembered of them, and what a new release must be judged with.

Three things are remembered, each where the policy asks for it.

- Of a document and a viewer: the places of the text that were struck in all their copies.
- Of a document and everybody (`collusion: safe`): the places that were struck in all copies, and in any copy. Copies
  of one state of the knowledge need not be compared with one another: they follow one plan an entity.
- Of a viewer (`together: viewer`): the terms of the knowledge that they saw in documents.

Places are compared with the terms that the knowledge has today, so a value that a row got later counts as well.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from efface.core import Guarantee, Reading, Span, SpanSet
from efface.guarantees.abilities import EarlierCopies, HasFingerprint, JudgesWithEarlier, Remembered
from efface.pipeline.bound import BoundPolicy
from efface.service.repository.release_memory import MemoryRecord, ReleaseMemory
from efface.text.spans import Place

StruckPlaces = tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """A release as it is remembered: a digest of the original's text, where it was struck, and which terms stayed."""

    text: str
    struck: StruckPlaces
    terms: Mapping[str, frozenset[str]] = field(repr=False)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Copy:
        terms = {over: frozenset(keys) for over, keys in data["terms"].items()}
        return cls(data["text"], merged(data["struck"]), terms)

    def data(self) -> dict[str, Any]:
        """What JSON knows."""
        terms = {over: sorted(keys) for over, keys in self.terms.items()}
        return {"text": self.text, "struck": [list(place) for place in self.struck], "terms": terms}


def merged(places: Iterable[Sequence[int]]) -> StruckPlaces:
    """Places in order, those that overlap or touch as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((place[0], place[1]) for place in places):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found)


def common(one: StruckPlaces, other: StruckPlaces) -> StruckPlaces:
    """What both cover. Each is merged."""
    found = []
    at = 0
    for start, end in one:
        while at < len(other) and other[at][1] <= start:
            at += 1
        here = at
        while here < len(other) and other[here][0] < end:
            found.append((max(start, other[here][0]), min(end, other[here][1])))
            here += 1
    return tuple(found)


def covers(outer: StruckPlaces, inner: StruckPlaces) -> bool:
    return common(outer, inner) == inner


@dataclass(frozen=True, slots=True)
class Struck:
    """The places that were struck in all of some copies, and in any of them."""

    all: StruckPlaces
    any: StruckPlaces

    @classmethod
    def of(cls, content: Any) -> Struck | None:
        return cls(merged(content["all"]), merged(content["any"])) if content else None

    def data(self) -> dict[str, Any]:
        return {"all": list(map(list, self.all)), "any": list(map(list, self.any))}

    def and_(self, other: Struck | None) -> Struck:
        if other is None:
            return self
        return Struck(common(self.all, other.all), merged((*self.any, *other.any)))

    def earlier(self, guarantee: JudgesWithEarlier, reading: Reading) -> EarlierCopies:
        return EarlierCopies(
            _readable_terms(guarantee, reading, self.any), _readable_terms(guarantee, reading, self.all)
        )


def _readable_terms(guarantee: JudgesWithEarlier, reading: Reading, struck: StruckPlaces) -> frozenset[str]:
    return guarantee.readable(reading, SpanSet(Span(start, end) for start, end in struck))


def text_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def remembering(bound: BoundPolicy) -> list[tuple[str, JudgesWithEarlier, Remembered]]:
    """The guarantees for which releases are remembered, each with the name of its knowledge."""
    found = []
    for guarantee in bound.guarantees:
        if isinstance(guarantee, JudgesWithEarlier) and guarantee.remembered is not None:
            found.append((guarantee.over, guarantee, guarantee.remembered))
    return found


@dataclass(frozen=True)
class EarlierContents:
    """What is remembered, as a value that can be sent to a worker process: what a new release is judged with."""

    own: Mapping[str, Any] = field(repr=False)
    everybody: Mapping[str, Any] | None = field(repr=False)
    terms: Mapping[str, frozenset[str]] = field(repr=False)  # that the viewer saw, by knowledge
    state: str  # of the policy and its knowledge

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> EarlierContents:
        terms = {over: frozenset(keys) for over, keys in data["terms"].items()}
        return cls(data["own"], data["everybody"], terms, data["state"])

    def data(self) -> dict[str, Any]:
        """What JSON knows."""
        terms = {over: sorted(keys) for over, keys in self.terms.items()}
        own, everybody = dict(self.own), None if self.everybody is None else dict(self.everybody)
        return {"own": own, "everybody": everybody, "terms": terms, "state": self.state}

    @property
    def mark(self) -> str:
        """What the judgement depends on, for views that are kept."""
        terms = {over: sorted(keys) for over, keys in self.terms.items()}
        own = {"text": self.own.get("text"), "all": self.own.get("all")}
        old = self.old()
        data = json.dumps([own, old.data() if old else None, terms], sort_keys=True)
        return hashlib.sha256(data.encode()).hexdigest()

    def old(self) -> Struck | None:
        """The copies of all viewers under other states of the knowledge."""
        content = self.everybody if self.everybody is not None else {}
        old, now = Struck.of(content.get("old")), Struck.of(content.get("now"))
        if now is not None and content.get("state") != self.state:
            return now.and_(old)
        return old

    def bind(self, bound: BoundPolicy, reading: Reading) -> BoundPolicy:
        """The guarantees with what was released before. `reading` is of the original."""
        text = text_digest(reading.document.text)
        named = {id(guarantee): over for over, guarantee, _ in remembering(bound)}
        bound_again: list[Guarantee] = []
        for guarantee in bound.guarantees:
            if id(guarantee) not in named or not isinstance(guarantee, JudgesWithEarlier):
                bound_again.append(guarantee)
                continue
            own = self._own_copies(guarantee, reading, text, named[id(guarantee)])
            bound_again.append(guarantee.with_earlier(own, self._copies_of_others(guarantee, reading, text)))
        return replace(bound, guarantees=tuple(bound_again))

    def _own_copies(
        self, guarantee: JudgesWithEarlier, reading: Reading, text: str, over: str
    ) -> EarlierCopies | None:
        here = frozenset[str]()
        least = frozenset[str]()
        if self.own:
            if self.own.get("text") == text:
                here = _readable_terms(guarantee, reading, merged(self.own["all"]))
                least = here
            else:  # what was struck of it is unknown: perhaps nothing, and perhaps everything
                here = _readable_terms(guarantee, reading, ())
        elsewhere = self.terms.get(over, frozenset())
        if not here and not elsewhere:
            return None
        return EarlierCopies(least | elsewhere, here | elsewhere)

    def _copies_of_others(
        self, guarantee: JudgesWithEarlier, reading: Reading, text: str
    ) -> EarlierCopies | None:
        old = self.old()
        if old is None or self.everybody is None:
            return None
        if self.everybody.get("text") != text:
            return EarlierCopies(frozenset(), _readable_terms(guarantee, reading, ()))
        return old.earlier(guarantee, reading)


@dataclass(frozen=True)
class RememberedCopies:
    """What is remembered when a viewer opens a document."""

    memory: ReleaseMemory = field(repr=False)
    own: MemoryRecord
    everybody: MemoryRecord | None
    viewer: MemoryRecord | None
    days: int
    state: str  # of the policy and its knowledge

    @classmethod
    def of(
        cls, memory: ReleaseMemory, bound: BoundPolicy, policy: str, document: str, team: str, viewer: str
    ) -> RememberedCopies:
        """What is remembered now, in one look into the store. `policy` is a digest of the policy's text."""
        asked = [remembered for _, _, remembered in remembering(bound)]
        own = memory.place("own", team, document, viewer)
        everybody = memory.place("everybody", team, document)
        terms = memory.place("viewer", team, viewer)
        found = memory.read([own, everybody, terms])
        asks_for_everybody = any(one.by_everybody for one in asked)
        asks_for_viewer = any(one.by_viewer for one in asked)
        days = max((one.days for one in asked), default=1)
        return cls(
            memory,
            found[own],
            found[everybody] if asks_for_everybody else None,
            found[terms] if asks_for_viewer else None,
            days,
            _state(bound, policy),
        )

    @property
    def contents(self) -> EarlierContents:
        everybody = None if self.everybody is None else self.everybody.content
        return EarlierContents(self.own.content, everybody, self._terms(), self.state)

    def _terms(self) -> dict[str, frozenset[str]]:
        """The terms that the viewer saw, by knowledge."""
        unexpired = {} if self.viewer is None else self._unexpired(self.viewer)
        return {over: frozenset(terms) for over, terms in unexpired.items()}

    def _unexpired(self, record: MemoryRecord) -> dict[str, dict[str, float]]:
        """The terms of a record that are still remembered, by knowledge, with the time when each is forgotten."""
        now = self.memory.clock()
        found = {}
        for over, terms in record.content.items():
            found[over] = {key: until for key, until in terms.items() if until > now}
        return found

    def allows(self, copy: Copy) -> bool:
        """Whether a copy that was judged by itself adds nothing to earlier ones, so that it need not be judged again."""
        old = self.contents.old()
        if old is not None and not (self._is_of(self.everybody, copy) and covers(copy.struck, old.any)):
            return False
        is_first = not self.own.content
        again = self._is_of(self.own, copy) and covers(copy.struck, merged(self.own.content["all"]))
        terms = self._terms()
        if not any(terms.values()):
            return is_first or again
        return again or (
            is_first and all(keys <= terms.get(over, frozenset()) for over, keys in copy.terms.items())
        )

    def _is_of(self, record: MemoryRecord | None, copy: Copy) -> bool:
        return record is not None and record.content.get("text") == copy.text

    def remember(self, copy: Copy) -> bool:
        """Put a copy on record before it is handed out. False where another opening was quicker."""
        until = self.memory.clock() + 86400.0 * self.days
        changes: list[tuple[MemoryRecord, Mapping[str, Any], float]] = [
            (self.own, self._own_after(copy), until)
        ]
        if self.everybody is not None:
            changes.append((self.everybody, self._everybody_after(self.everybody, copy), until))
        if self.viewer is not None:
            changes.append((self.viewer, self._viewer_after(self.viewer, copy, until), until))
        return self.memory.write(changes)

    def _own_after(self, copy: Copy) -> dict[str, Any]:
        struck = copy.struck
        if self._is_of(self.own, copy):
            struck = common(struck, merged(self.own.content["all"]))
        return {"text": copy.text, "all": [list(place) for place in struck]}

    def _everybody_after(self, record: MemoryRecord, copy: Copy) -> dict[str, Any]:
        known = record.content if self._is_of(record, copy) else {}
        now = Struck.of(known.get("now")) if known.get("state") == self.state else None
        old = self.contents.old() if known else None
        made = Struck(copy.struck, copy.struck).and_(now)
        return {
            "text": copy.text,
            "state": self.state,
            "now": made.data(),
            "old": old.data() if old else None,
        }

    def _viewer_after(self, record: MemoryRecord, copy: Copy, until: float) -> dict[str, Any]:
        """The terms with their expiry, put off by whole hours: a repeated look need not be written."""
        after = self._unexpired(record)
        for over, keys in copy.terms.items():
            mine = after.setdefault(over, {})
            for key in keys:
                if until - mine.get(key, 0.0) > 3600.0:
                    mine[key] = until
        return after


def _state(bound: BoundPolicy, policy: str) -> str:
    """A digest of the state of the policy and the entities, the same for every viewer."""
    facts = [policy]
    for _, guarantee, _ in remembering(bound):
        facts.append(guarantee.fingerprint if isinstance(guarantee, HasFingerprint) else "")
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()
