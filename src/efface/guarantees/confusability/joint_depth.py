"""Tells whether the class is hidden from an attacker who compares the lists of all readers, for any choice of words
of one document."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from efface.guarantees.confusability.secret_depths import SecretDepths
from efface.knowledge.classes.joint_ranks import joint_places, rank_table
from efface.solvers.confusability.panel import Panel
from efface.solvers.confusability.problem import Floats, Ints


@dataclass(frozen=True)
class JointDepth:
    """The lists of all readers, computed from the margins of a panel that has every class."""

    panel: Panel
    depths: SecretDepths = field(repr=False)

    @cached_property
    def _columns(self) -> Ints:
        """For each reader of classes, in a row, the columns of the other classes."""
        readers = len(self.depths.readers)
        first = len(self.panel.needed) - readers  # readers of categories come before
        starts = np.searchsorted(self.panel.reader, np.arange(first, first + readers))
        return np.asarray(starts[:, None] + np.arange(self.depths.classes - 1))

    def hides(self, margins: Floats) -> bool:
        """Whether the true class stands at the drawn places or behind them."""
        others = margins[self._columns]
        scores = np.hstack([others, np.zeros((len(others), 1))])  # the true class is 0 ahead of itself
        places = joint_places(rank_table(scores), self.depths.classes - 1, self.depths.k)
        return self.depths.hides(places)
