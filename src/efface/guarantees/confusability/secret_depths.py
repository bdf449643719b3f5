"""The secret numbers of one document: the rank to reach for each reader, and the place for all readers together.

For each reader its own rank is drawn: a common one would stand out where the readers are compared. An attacker who
compares the readers drops every class that some reader ranks better than k, and takes the class that all readers
together rank best. The
place of the true class in that list is drawn between 1 and k, so that no guess of a place is right more often than once
in k. A plan that leaves the class at a better place is made deeper, by amounts that are drawn too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes.joint_ranks import JointPlaces

_DEEPER = 4  # plans beyond the first one


@dataclass(frozen=True, slots=True)
class SecretDepths:
    """Draws what one document must reach. Nothing of it is in a `repr`."""

    secret: SecretRank = field(repr=False)
    k: int
    text: str = field(repr=False)  # before anything was removed
    readers: tuple[str, ...]
    classes: int

    @property
    def drawings(self) -> tuple[Mapping[str, int], ...]:
        """Ranks to be tried in order: between k and 2k, and in narrower ranges for a document that cannot be hidden so
        deep; the last is k itself."""
        drawings: list[Mapping[str, int]] = []
        for most in (2 * self.k, self.k + self.k // 2, self.k):
            last = max(self.k, min(most, self.classes))
            drawn = {name: self.secret.between(self.k, last, self.text, name) for name in self.readers}
            if drawn not in drawings:
                drawings.append(drawn)
        return tuple(drawings)

    def deeper(self) -> Iterator[Mapping[str, int]]:
        """Ranks deeper than the first ones, each time by up to k."""
        ranks = dict(self.drawings[0])
        for number in range(1, _DEEPER + 1):
            for name in self.readers:
                more = self.secret.between(0, self.k, self.text, f"{name}, deeper {number}")
                ranks[name] = min(ranks[name] + more, max(self.k, self.classes - 1))
            yield dict(ranks)

    def hides(self, places: JointPlaces) -> bool:
        """Whether the true class stands at the drawn places or behind them."""
        by_sum = self.secret.between(1, self.k, self.text, "all ranks, sum")
        by_worst = self.secret.between(1, self.k, self.text, "all ranks, worst")
        return places.by_sum >= by_sum and places.by_worst >= by_worst
