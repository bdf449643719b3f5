"""Whether a text hides the class as deep as the secret numbers of its document ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from efface.guarantees.confusability.class_ranks import ConfusabilityLook
from efface.guarantees.confusability.secret_depths import SecretDepths
from efface.knowledge.classes.joint_ranks import joint_places, rank_table


@dataclass(frozen=True, slots=True)
class DepthCheck:
    """For the texts that a document may become."""

    look: Callable[[str], ConfusabilityLook]
    k: int
    # Sets of ranks to reach, a rank for each reader. The first set that is reached counts.
    ranks: tuple[Mapping[str, int], ...] = field(repr=False)
    depths: SecretDepths | None = field(repr=False)

    def hides_from_all_together(self, look: ConfusabilityLook) -> bool:
        """Whether who puts all readers' ranks together finds the class no earlier than at the drawn places."""
        if self.depths is None:
            return True
        truth = look.model.sensitive.index(look.truth)
        return self.depths.hides(joint_places(rank_table(look.scores.values()), truth, self.k))

    def as_deep_as(self, text: str) -> Callable[[str], bool]:
        """A test whether another text hides the class as deep as this one does, as far as the secret numbers ask.

        Rank k alone would not do: broader words would be put in until it is reached, and reveal the truth there.
        """
        planned = self.look(text)
        reached = [drawn for drawn in self.ranks if _reaches(planned, drawn)]
        ranks = reached[0] if reached else dict.fromkeys(planned.readers, self.k)
        together = self.hides_from_all_together(planned)

        def is_as_deep(other: str) -> bool:
            look = self.look(other)
            if look.names or not _reaches(look, ranks):
                return False
            return not together or self.hides_from_all_together(look)

        return is_as_deep

    def is_deep_undisguised(self, text: str) -> bool:
        """Whether who sees through disguised words of a text finds the class no earlier than who does not, as far as the
        secret numbers ask."""
        look = self.look(text)
        reached = (drawn for drawn in self.ranks if _all_behind(look.ahead_as_written, drawn))
        return _reaches(look, next(reached, dict.fromkeys(look.readers, self.k)))


def _reaches(look: ConfusabilityLook, ranks: Mapping[str, int]) -> bool:
    """Whether every reader has as many classes ahead of the true one as these ranks ask for."""
    return _all_behind(look.ahead, ranks)


def _all_behind(ahead: Mapping[str, int], ranks: Mapping[str, int]) -> bool:
    return all(count >= ranks[name] - 1 for name, count in ahead.items())
