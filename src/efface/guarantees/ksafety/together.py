"""Crowds over what is released now and what was released before.

Let W be the terms that a release keeps, and C(e) the terms of a protected entity e. Of the earlier copies, `least` holds
the terms that stood in all of them, `most` those that stood in any. The release is safe together if, for every e,

    at least k entities have all of (W or most) within C(e), or W within C(e) is a part of `least`.

The second case adds nothing about e to what each earlier copy showed. What was released cannot be taken back, so where
`most` alone identifies e, this is all that is left to do. Striking whatever is not in `least` always leads there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from efface.core import Finding, Term
from efface.guarantees.abilities import EarlierCopies
from efface.guarantees.ksafety.exposure import NAMED, keys_of, plain
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.signatures import Signatures
from efface.solvers.ksafety.crowd import holders


@dataclass(frozen=True, slots=True)
class Joint:
    """The groups of entities that a release and earlier copies together leave in too small a crowd."""

    signatures: Signatures = field(repr=False)
    kept: frozenset[str] = field(repr=False)  # the terms of the release
    earlier: EarlierCopies = field(repr=False)
    crowds: Mapping[int, int]  # of the groups in too small a crowd
    members: Mapping[int, Sequence[str]] = field(repr=False)

    def added(self, group: int) -> list[str]:
        """The terms of a group that the release adds to what every earlier copy showed."""
        keys = keys_of(self.signatures, group)
        return [key for key in keys if key in self.kept and key not in self.earlier.least]

    @property
    def ids(self) -> list[str]:
        return sorted({id for found in self.members.values() for id in found})

    def only(self, protected: Collection[str]) -> Joint:
        """The groups that hold one of these entities, the smallest crowd first."""
        mine = set(protected)
        named = {}
        for group in sorted(self.members, key=lambda group: (self.crowds[group], group)):
            named[group] = [id for id in self.members[group] if id in mine]
        return replace(self, members={group: ids for group, ids in named.items() if ids})

    def findings(self, terms: Sequence[Term], over: str, k: int) -> Iterator[Finding]:
        by_key = {term.key: term for term in terms}
        pairs = ((group, id) for group, ids in self.members.items() for id in ids)
        for group, id in islice(pairs, NAMED):
            added = tuple(plain(by_key[key]) for key in self.added(group))
            crowd = self.crowds[group]
            because = f"with what was released before, it fits {crowd} of {over}"
            yield Finding("k-safety", id, added, float(crowd), float(k), because)

    def struck(self, k: int, prices: Mapping[str, float]) -> set[str]:
        """Terms of the release whose removal makes the groups safe: whatever enlarges a crowd most goes first."""
        gone: set[str] = set()
        for group in self.members:
            held = set(keys_of(self.signatures, group))
            while added := [key for key in self.added(group) if key not in gone]:
                if self._crowd(held, gone) >= k:
                    break
                gone.add(max(added, key=lambda key: (self._crowd(held, {*gone, key}), -prices[key], key)))
        return gone

    def _crowd(self, held: Collection[str], gone: Collection[str]) -> int:
        """How many entities have what is left of a group's terms once some go from the release."""
        left = {key for key in held if key in self.earlier.most or key not in gone}
        places = [at for at, key in enumerate(self.signatures.terms) if key in left]
        return self.signatures.crowd(self.signatures.mask(places))


def joint(
    index: EntityIndex, roles: frozenset[str], kept: frozenset[str], earlier: EarlierCopies, k: int
) -> Joint | None:
    """Who is in too small a crowd together; None where the release adds nothing to the earlier copies.

    Only entities that have an added term are looked at: an entity that shares all terms of one of them has it too.
    """
    added = kept - earlier.least
    if not added or not earlier.most:
        return None
    signatures = index.signatures(sorted(kept | earlier.most), roles=roles)
    places = [at for at, key in enumerate(signatures.terms) if key in added]
    rows = np.flatnonzero((signatures.groups & signatures.mask(places)).any(axis=1))
    masks = signatures.groups[rows]
    crowds = holders(masks, masks, signatures.counts[rows])
    small = {int(row): int(crowd) for row, crowd in zip(rows, crowds, strict=True) if crowd < k}
    members: dict[int, list[str]] = {}
    for group, id in signatures.members(list(small)):
        members.setdefault(group, []).append(id)
    return Joint(signatures, kept, earlier, small, members)
