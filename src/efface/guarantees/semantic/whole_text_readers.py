"""A reader of the whole text, who adds up what all its words say about the hidden entity and about its rivals.

There are four such readers: one counts, one compares word vectors, one adds both, and one knows the articles about the
candidates. A text's evidence for a candidate is the sum over its terms of what they say, a term that occurs n times
counted 1 + log2(n) times. The last reader compares with rivals that have an article, because it sees no others.

The entity does not stand out for a reader when one of these is true:

    all words together say at most `ALLOWANCE` bits of it, however many entities are hidden beside it: a reader may look
    for this one alone;
    at least k - 1 rivals, or all if there are fewer, have more evidence (ties are counted against us).

Without any rival only the first one counts.

An entity that stands out in an original is what the text is about, and a plan aims lower: `PURSUED_ALLOWANCE` bits. With 5.5 bits
left, the entity may still be the first one that a reader thinks of.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from efface.guarantees.semantic.evidence import EvidenceBits, EvidenceSource
from efface.guarantees.semantic.rivals import Candidate, EntityAndRivals

Numbers = npt.NDArray[np.int64]

READERS = ("counts", "vectors", "both", "articles")
# Bits. A few everyday words say this much about anything. `maternity leave` says more about pregnancy.
ALLOWANCE = 5.5
# The same for an entity that the original text is about, as a plan brings it down: a reader knows that something is hidden.
PURSUED_ALLOWANCE = 3.0
_ROUNDING = 1e-6  # bits that sums in another order may differ by


@dataclass(frozen=True, slots=True)
class EntityStanding:
    """The entity as one reader sees it: its rank, its evidence, and whether it stands out."""

    rank: int
    evidence: float
    stands_out: bool


def standing(scores: EvidenceBits, k: int, allowance: float = ALLOWANCE) -> EntityStanding:
    """The definition. `scores` has the evidence of the entity first, then that of its rivals."""
    own, others = float(scores[0]), scores[1:]
    ahead = int((others > own).sum())
    quiet = own <= allowance + _ROUNDING
    hidden = len(others) > 0 and ahead >= min(k - 1, len(others))
    return EntityStanding(1 + ahead, own, not (quiet or hidden))


@dataclass(frozen=True)
class DocumentReaders:
    """The readers of all hidden entities. Candidates that several entities share are looked up once."""

    entities: tuple[EntityAndRivals, ...] = field(repr=False)
    source: EvidenceSource = field(repr=False)

    @cached_property
    def places(self) -> tuple[tuple[Numbers, ...], ...]:
        """For each entity and each reader, the positions of the entity and its rivals among all candidates."""
        number = {candidate: place for place, candidate in enumerate(self.source.candidates)}
        found = []
        for each in self.entities:
            known = np.array([number[each.entity], *(number[rival] for rival in each.rivals)], np.int64)
            described = np.array(
                [number[each.entity], *(number[rival] for rival in each.described)], np.int64
            )
            found.append(tuple(described if reader == "articles" else known for reader in READERS))
        return tuple(found)

    def defines_entity(self, key: str) -> bool:
        """Whether a definition of a word names a hidden entity."""
        return bool(self.source.defined_by(key) & {int(places[0][0]) for places in self.places})

    def standings(
        self, total: EvidenceBits, ks: Sequence[int], pursued: Set[int] = frozenset()
    ) -> list[list[EntityStanding]]:
        """For each entity its standing for each reader. `total` is sources by candidates; `ks` has a k a reader. Of entities
        that are `pursued`, words may say next to nothing."""
        views = by_reader(total)
        found = []
        for number, places in enumerate(self.places):
            allowance = PURSUED_ALLOWANCE if number in pursued else ALLOWANCE
            by_view = zip(views, places, ks, strict=True)
            found.append([standing(view[place], k, allowance) for view, place, k in by_view])
        return found


def by_reader(total: EvidenceBits) -> tuple[EvidenceBits, EvidenceBits, EvidenceBits, EvidenceBits]:
    """The evidence that each of READERS goes by, from that of the sources."""
    counts, vectors, articles = total[..., 0, :], total[..., 1, :], total[..., 2, :]
    return counts, vectors, np.asarray(counts + vectors), articles


def all_candidates(entities: Sequence[EntityAndRivals]) -> tuple[Candidate, ...]:
    """Every entity and rival once."""
    listed = (candidate for each in entities for candidate in (each.entity, *each.rivals, *each.described))
    return tuple(dict.fromkeys(listed))


def times(mentions: int) -> float:
    """How often a term counts that occurs so many times."""
    return 1.0 + float(np.log2(mentions)) if mentions else 0.0
