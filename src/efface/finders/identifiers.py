"""Finds what the classifiers of a trained model take for identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from efface.core import FinderTraits, Mention
from efface.knowledge.identifiers.model import GreedyModel
from efface.text.folding import fold_term


@dataclass(frozen=True, slots=True)
class IdentifierFinder:
    """Marks every stretch that one of the model's classifiers finds, in the text or in what is left of it."""

    model: GreedyModel

    traits: ClassVar[FinderTraits] = FinderTraits(reads_sentence=True)

    def find(self, text: str) -> Iterator[Mention]:
        for start, end, type_ in self.model.find(text):
            yield Mention(start, end, type_, fold_term(text[start:end]), 1.0, f"classifiers of {type_}")
