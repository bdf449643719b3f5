"""Changes against the readers of the whole text, planned together with those against terms and groups.

A text's evidence is a sum over its terms, so what a change takes from it is known beforehand. While the entity stands out
for a reader, the change is made that brings it down furthest for each bit of meaning that it costs. Then changes
that turn out to be needless are taken back, the dearest first. Groups of terms are looked at again after that: a
generalisation may form a new one. Terms only ever become more general from one pass to the next, so this ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from efface.guarantees.semantic.evidence import EvidenceBits
from efface.guarantees.semantic.search import GroupSearch
from efface.guarantees.semantic.whole_text_readers import DocumentReaders, EntityStanding, by_reader

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_LEAST_COST = 1.0  # bits: a change is never free
_LEAST_TAKEN = 1e-4  # bits: less is rounding
_SPEAKS = 0.25  # bits that a term adds to an entity's lead before a finding names it
_MARGIN = 0.5  # bits by which a rival must be ahead before a plan relies on it


@dataclass(frozen=True, slots=True)
class Moves:
    """Every option of every term as one list: its term, its number among the term's options, and so on."""

    term: Numbers
    option: Numbers
    first: Numbers  # for each term, where its options begin
    worth: npt.NDArray[np.float64] = field(repr=False)  # bits, for all mentions of the term
    allowed: Flags = field(repr=False)
    evidence: EvidenceBits = field(repr=False)  # moves by sources by candidates, for all mentions

    def row(self, term: int, option: int) -> int:
        return int(self.first[term]) + option


@dataclass(frozen=True, slots=True)
class Direction:
    """How a unit of each candidate's evidence counts for one entity and one reader, and how far there is to go."""

    entity: int
    reader: int
    weights: EvidenceBits = field(repr=False)
    need: float


@dataclass(frozen=True, slots=True)
class Prominent:
    """An entity that stands out: for which reader, by how many bits, and the terms that are evidence for it."""

    entity: int
    reader: int
    lead: float
    terms: tuple[int, ...]


@dataclass(frozen=True)
class ReaderSearch:
    """Finds changes after which no entity stands out. `ks` has a rank for each reader. Entities that are `pursued` are
    brought further down than the definition asks."""

    readers: DocumentReaders
    moves: Moves
    ks: Sequence[int]
    pursued: frozenset[int] = frozenset()

    def total(self, chosen: Numbers) -> EvidenceBits:
        """The evidence of the text with these options."""
        return np.asarray(self.moves.evidence[self.moves.first + chosen].sum(axis=0))

    def standings(self, chosen: Numbers) -> list[list[EntityStanding]]:
        return self.readers.standings(self.total(chosen), self.ks, self.pursued)

    def pursuing(self) -> ReaderSearch:
        """This search, with the entities pursued that stand out in the original."""
        original = np.zeros(len(self.moves.first), np.int64)
        return replace(self, pursued=frozenset(each.entity for each in self.prominent(original)))

    def prominent(self, chosen: Numbers) -> Iterator[Prominent]:
        """Entities that stand out, each for the reader for whom it does so most, with the terms that support it."""
        total = self.total(chosen)
        found: dict[int, Prominent] = {}
        for each in replace(self, pursued=frozenset())._directions(total):
            said = self._evidence_for_reader(each.reader, each.weights)[self.moves.first + chosen]
            order = np.argsort(-said, kind="stable")
            terms = tuple(order[said[order] > _SPEAKS].tolist())
            if each.entity not in found or found[each.entity].lead < each.need:
                found[each.entity] = Prominent(each.entity, each.reader, each.need, terms)
        yield from found.values()

    def settle(self, chosen: Numbers, *, restore: bool) -> set[int]:
        """Change options in place until no entity stands out; the terms that were changed."""
        before = chosen.copy()
        self._bring_down(chosen)
        if restore:
            self._restore(chosen, before)
            self._bring_down(chosen)  # sums in another order may differ in the last digit
        return set(np.flatnonzero(chosen != before).tolist())

    def _bring_down(self, chosen: Numbers) -> None:
        while directions := list(self._directions(self.total(chosen))):
            move = self._best_move(chosen, directions)
            chosen[self.moves.term[move]] = self.moves.option[move]

    def _directions(self, total: EvidenceBits) -> Iterator[Direction]:
        """Where evidence must go, for each entity and each reader for whom it stands out."""
        views = by_reader(total)
        every = self.readers.standings(total, self.ks, self.pursued)
        for entity, (places, standings) in enumerate(zip(self.readers.places, every, strict=True)):
            for reader, each in enumerate(standings):
                if not each.stands_out:
                    continue
                own = places[reader]
                weights = np.zeros(total.shape[-1], np.float32)
                weights[own[0]] = 1
                behind = _to_raise(views[reader][own], self.ks[reader])
                if len(behind):
                    weights[own[1 + behind]] = -1 / len(behind)
                need = float(weights @ views[reader]) + _MARGIN
                yield Direction(entity, reader, weights, max(need, _MARGIN))

    def _best_move(self, chosen: Numbers, directions: Sequence[Direction]) -> int:
        """The change that brings every entity that stands out furthest down for each bit that it costs."""
        moves = self.moves
        current = moves.first + chosen
        later = moves.allowed & (moves.option > chosen[moves.term])
        cost = np.maximum(moves.worth[current][moves.term] - moves.worth, _LEAST_COST)
        taken = np.zeros(len(moves.term))
        for each in directions:
            own = self._evidence_for_reader(each.reader, np.maximum(each.weights, 0))
            taken = np.maximum(taken, own[current][moves.term] - own)
        # A change must take evidence from an entity: words that only support its rivals would deceive readers.
        later &= taken > _LEAST_TAKEN
        for plain in (False, True):  # at last the entity's own evidence alone counts
            progress = np.zeros(len(moves.term))
            for each in directions:
                weights = np.maximum(each.weights, 0) if plain else each.weights
                said = self._evidence_for_reader(each.reader, weights)
                progress += np.minimum(said[current][moves.term] - said, each.need) / each.need
            worth = np.where(later, progress / cost, -np.inf)
            best = int(np.argmax(worth))
            if worth[best] > 0:
                return best
        raise AssertionError("without any word of it, an entity does not stand out")

    def _evidence_for_reader(self, reader: int, weights: EvidenceBits) -> EvidenceBits:
        """For each move what a reader takes from it, the candidates weighted."""
        return np.asarray(by_reader(self.moves.evidence)[reader] @ weights)

    def _restore(self, chosen: Numbers, before: Numbers) -> None:
        """Take back, wholly or in part, what need not have been changed; the dearest changes first."""
        moves = self.moves
        changed = np.flatnonzero(chosen != before)
        lost = moves.worth[(moves.first + before)[changed]] - moves.worth[(moves.first + chosen)[changed]]
        total = self.total(chosen)
        for term in changed[np.argsort(-lost, kind="stable")].tolist():
            now = int(chosen[term])
            for option in range(int(before[term]), now):
                trial = self.with_option(total, term, now, option)
                if moves.allowed[moves.row(term, option)] and not self.stands_out(trial):
                    chosen[term], total = option, trial
                    break

    def with_option(self, total: EvidenceBits, term: int, now: int, option: int) -> EvidenceBits:
        """The evidence of a text in which one term has another option."""
        evidence = self.moves.evidence
        return np.asarray(
            total + evidence[self.moves.row(term, option)] - evidence[self.moves.row(term, now)]
        )

    def stands_out(self, total: EvidenceBits) -> bool:
        """Whether any entity does, for any reader."""
        every = self.readers.standings(total, self.ks, self.pursued)
        return any(each.stands_out for row in every for each in row)


def _to_raise(scores: EvidenceBits, k: int) -> Numbers:
    """Takes the k - 1 rivals with the most evidence. Returns those that are not ahead of the entity."""
    own, others = scores[0], scores[1:]
    best = np.argsort(-others, kind="stable")[: k - 1]
    return np.asarray(best[others[best] <= own], np.int64)


def settle_all(search: GroupSearch, reading: ReaderSearch | None) -> frozenset[int]:
    """Settle terms, groups and readers together; the terms that are involved in any of it."""
    involved = set(search.run())
    restore = True
    while reading is not None:
        changed = reading.settle(search.chosen, restore=restore)
        if not changed:
            break
        involved |= changed
        involved |= search.settle_again(changed)
        restore = False
    _take_back(search, reading)
    return frozenset(involved)


def _take_back(search: GroupSearch, reading: ReaderSearch | None) -> None:
    """Give terms back what no guarantee needs of them any more, the dearest change first: a later change may have made
    an earlier one needless."""
    total = None if reading is None else reading.total(search.chosen)
    for term in search.by_loss():
        now = int(search.chosen[term])
        for option in range(now):
            if not search.is_harmless(term, option):
                continue
            trial = (
                None if reading is None or total is None else reading.with_option(total, term, now, option)
            )
            if reading is None or trial is None or not reading.stands_out(trial):
                search.chosen[term], total = option, trial
                break
