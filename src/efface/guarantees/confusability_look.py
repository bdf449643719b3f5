"""A text through the eyes of the reader that k-confusability is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from efface.core import Span
from efface.knowledge.classes_model import ClassModel, Place, View
from efface.knowledge.classes_names import find_names


@dataclass(frozen=True)
class Look:
    """What is seen is worked out once: assessing and planning look at the same text."""

    text: str
    model: ClassModel
    truth: str

    @cached_property
    def names(self) -> tuple[Span, ...]:
        return find_names(self.text, self.model.spellings(self.truth))

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        return self.model.scores(self.text)

    @cached_property
    def places(self) -> Mapping[int, Sequence[Place]]:
        return self.model.places(self.text)

    @property
    def ahead(self) -> int:
        """How many classes fit strictly better than the true one."""
        return int((self.scores > self.scores[self.model.sensitive.index(self.truth)]).sum())

    def view(self, fixed: Sequence[Span], gone: Sequence[Span]) -> View:
        places = self.places if self.model.settings.ngrams == 1 else None
        return self.model.view(self.text, fixed, gone, places)
