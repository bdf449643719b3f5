"""Algorithm 1 of (C, g(C))-sanitization: small groups first, informative ones first, the best replacement.

H1: groups of one term, then two, up to `max_group`. H2: within a size, the most informative groups first.
H3: of all combinations of what may replace the members, the most informative that keeps every limit.
A1: only terms of one context form groups. A2: `max_group`. After a change everything it touches is looked at
again, until nothing is risky: every change moves a term up, so this ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from efface.guarantees.semantic.disclosure_bits import Disclosure, Risk
from efface.guarantees.semantic.terms import Option
from efface.knowledge.corpus.counts import Groups

Contexts = npt.NDArray[np.uint8]
_BLOCK = 200_000  # groups looked at together
_MOST_TRIED = 250_000  # groups that are looked at before a change is taken back
_CONTEXT_BYTES = 1 << 22  # bytes of contexts that are compared together


@dataclass(frozen=True, slots=True)
class TermOptions:
    """For each term its options; `rows` gives the table row of each option, -1 for one that forms no group."""

    options: Sequence[Sequence[Option]]
    rows: Sequence[npt.NDArray[np.int64]] = field(repr=False)
    # For each term, which options may be chosen. One that discloses too much by itself may not.
    allowed: Sequence[npt.NDArray[np.bool_]] = field(repr=False)
    contexts: Contexts = field(repr=False)  # one row of bits a term: where it is
    judged: npt.NDArray[np.bool_] = field(repr=False)  # terms that may form groups

    def bits(self, term: int, option: int) -> float:
        return self.options[term][option].bits


class GroupSearch:
    """The state of the algorithm: which option each term has now."""

    def __init__(self, candidates: TermOptions, measures: Sequence[Disclosure], max_group: int) -> None:
        self._candidates = candidates
        self._measures = measures
        self._max = max_group
        self.chosen = np.zeros(len(candidates.options), np.int64)
        self._first = np.cumsum([0, *map(len, candidates.rows)])[:-1].astype(np.int64)
        self._all_rows = np.concatenate([np.zeros(0, np.int64), *candidates.rows])
        self._involved: set[int] = set()
        self._load: Counter[int] = Counter()  # in how many risky groups a term still is

    def run(self) -> frozenset[int]:
        """Change what must be changed; the terms that were in a risky group."""
        self._singles()
        return self._settle_groups(None)

    def settle_again(self, changed: set[int]) -> frozenset[int]:
        """Settle groups after terms were changed from outside: only groups that hold one of them can be risky."""
        return self._settle_groups(changed)

    def _settle_groups(self, changed: set[int] | None) -> frozenset[int]:
        size = 2
        while size <= self._max:
            again = self._settle(size, changed)
            if changed is not None:
                changed |= again
            size = 2 if again and size > 2 else size + 1
        return frozenset(self._involved)

    def _singles(self) -> None:
        for term, allowed in enumerate(self._candidates.allowed):
            self.chosen[term] = int(np.argmax(allowed))
            if self.chosen[term]:
                self._involved.add(term)

    def _settle(self, size: int, changed: set[int] | None) -> set[int]:
        """Resolve every risky group of a size, or those that hold a changed term; the terms that were changed."""
        every_change: set[int] = set()
        while changed is None or changed:
            risky = self.risky(size, changed)
            self._load = Counter(term for group in risky for term in group)
            changed = set()
            for group in sorted(risky, key=self._order):
                changed |= self._resolve(group)
                self._load.subtract(group)
            every_change |= changed
        return every_change

    def _order(self, group: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
        return -sum(self._candidates.bits(term, self.chosen[term]) for term in group), group

    def risky(self, size: int, changed: set[int] | None = None) -> list[tuple[int, ...]]:
        """Risky groups of a size; with `changed`, only those that hold one of these terms."""
        found: list[tuple[int, ...]] = []
        for groups in self.groups(size, changed):
            rows = self.rows(groups)
            bad = np.zeros(len(groups), bool)
            for measure in self._measures:
                bad |= measure.risk(rows).risky
            found.extend(map(tuple, groups[bad].tolist()))
        return found

    def groups(self, size: int, changed: set[int] | None = None) -> Iterator[Groups]:
        """Groups of terms that occur in one context and could be risky, in blocks."""
        alive = self._members()
        marked = np.zeros(len(self.chosen), bool)
        marked[list(changed) if changed is not None else alive] = True
        contexts = self._candidates.contexts
        for block in _blocks(alive, size):
            block = block[marked[block].any(axis=1)]
            block = block[_share_context(contexts, block)]
            if len(block):
                yield block

    def _members(self) -> npt.NDArray[np.int64]:
        """Terms that may be in a risky group: the others, by far the most, need not be combined with anything."""
        current = self._current()
        alive = np.flatnonzero(self._candidates.judged & (current >= 0))
        risky = np.zeros(len(alive), bool)
        for measure in self._measures:
            risky |= measure.forms_groups(current[alive])
        return np.asarray(alive[risky], np.int64)

    def row(self, term: int) -> int:
        return int(self._candidates.rows[term][self.chosen[term]])

    def rows(self, groups: Groups) -> Groups:
        return self._current()[groups]

    def _current(self) -> npt.NDArray[np.int64]:
        """The row of each term's option."""
        if not len(self.chosen):
            return np.zeros(0, np.int64)
        return np.asarray(self._all_rows[self._first + self.chosen], np.int64)

    def _resolve(self, group: tuple[int, ...]) -> set[int]:
        """Replace members of a group that is still risky by the most informative combination that is not."""
        rows = [self.row(term) for term in group]
        if any(row < 0 for row in rows) or not self._is_risky(rows):
            return set()
        self._involved.update(group)
        changed = set()
        for term, option in zip(group, self._best(group), strict=True):
            if option != self.chosen[term]:
                self.chosen[term] = option
                changed.add(term)
        return changed

    def _is_risky(self, rows: Sequence[int]) -> bool:
        return any(measure.risk(np.array([rows], np.int64)).risky[0] for measure in self._measures)

    def _best(self, group: tuple[int, ...]) -> tuple[int, ...]:
        """H3. Among equally informative combinations fewer changes win, then nearer generalisations."""

        def price(combo: tuple[int, ...]) -> tuple[float, int, tuple[int, ...]]:
            options = list(zip(group, combo, strict=True))
            lost = sum(self._loss(term, option) for term, option in options)
            changes = sum(bool(option != self.chosen[term]) for term, option in options)
            return lost, changes, combo

        ladders = [self._ladder(term) for term in group]
        combos = sorted(product(*ladders), key=price)
        good = self._harmless(group, combos)
        return combos[int(np.argmax(good))]

    def _loss(self, term: int, option: int) -> float:
        """Bits that a change costs, shared among the risky groups that it may resolve."""
        lost = self._candidates.bits(term, self.chosen[term]) - self._candidates.bits(term, option)
        return lost / max(1, self._load[term])

    def _ladder(self, term: int) -> list[int]:
        """The option a term has and those above it that are harmless alone."""
        allowed = self._candidates.allowed[term]
        return [option for option in range(int(self.chosen[term]), len(allowed)) if allowed[option]]

    def _harmless(self, group: tuple[int, ...], combos: Sequence[tuple[int, ...]]) -> npt.NDArray[np.bool_]:
        """Which combinations keep all limits, every smaller group within them included."""
        choices = np.array(combos, np.int64)
        rows = np.stack([self._candidates.rows[t][choices[:, at]] for at, t in enumerate(group)], axis=1)
        good = np.ones(len(combos), bool)
        for size in range(2, len(group) + 1):
            for members in combinations(range(len(group)), size):
                part = rows[:, members]
                whole = np.flatnonzero((part >= 0).all(axis=1))
                for measure in self._measures:
                    good[whole] &= ~measure.risk(part[whole]).risky
        return good

    def by_loss(self) -> list[int]:
        """The changed terms, that whose change costs most first."""
        lost = {
            t: self._candidates.bits(t, 0) - self._candidates.bits(t, int(self.chosen[t]))
            for t in self._changed()
        }
        return sorted(lost, key=lambda term: (-lost[term], term))

    def _changed(self) -> list[int]:
        return [int(term) for term in np.flatnonzero(self.chosen)]

    def is_harmless(self, term: int, option: int) -> bool:
        """Whether a term could have this option while all others keep theirs: it, and every group that it is in, keep
        every limit."""
        if not self._candidates.allowed[term][option]:
            return False
        row = int(self._candidates.rows[term][option])
        if row < 0 or not self._candidates.judged[term]:
            return True
        others = self._members()
        others = others[others != term]
        for size in range(1, self._max):
            if len(others) ** size > _MOST_TRIED:
                return False
            for rest in _blocks(others, size):
                groups = np.concatenate([np.full((len(rest), 1), term), rest], axis=1)
                rest = rest[_share_context(self._candidates.contexts, groups)]
                rows = np.concatenate([np.full((len(rest), 1), row), self.rows(rest)], axis=1)
                if len(rows) and any(measure.risk(rows).risky.any() for measure in self._measures):
                    return False
        return True

    def worst(self, measure: Disclosure, sizes: Sequence[int]) -> float:
        """The most bits that a group of these sizes discloses, where enough documents support it."""
        most = -np.inf
        for size in sizes:
            for groups in self.groups(size):
                risk: Risk = measure.risk(self.rows(groups))
                most = max(most, float(risk.bits[risk.supported].max(initial=-np.inf)))
        return most


def _share_context(contexts: Contexts, groups: Groups) -> npt.NDArray[np.bool_]:
    """Which groups occur together in one context."""
    shared = np.empty(len(groups), bool)
    step = max(1, _CONTEXT_BYTES // contexts.shape[1])
    for start in range(0, len(groups), step):
        part = groups[start : start + step]
        together = contexts[part[:, 0]]
        for column in range(1, part.shape[1]):
            together &= contexts[part[:, column]]
        shared[start : start + step] = together.any(axis=1)
    return shared


def _blocks(items: npt.NDArray[np.int64], size: int) -> Iterator[Groups]:
    """All groups of a size, some at a time."""
    if size == 1:
        yield items[:, None]
    elif size == 2:
        step = max(1, _BLOCK // max(1, len(items)))
        for start in range(0, len(items) - 1, step):
            rows = np.arange(start, min(start + step, len(items)))
            first, second = np.nonzero(np.arange(len(items)) > rows[:, None])
            yield np.stack([items[first + start], items[second]], axis=1)
    else:
        for at in range(len(items)):
            for rest in _blocks(items[at + 1 :], size - 1):
                yield np.concatenate([np.full((len(rest), 1), items[at]), rest], axis=1)
