"""What one look at one document keeps: counts and verdicts of its words, for the rounds in which the text is read again.

A guarantee lives as long as its policy and serves many documents, so it keeps none of their words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from efface.guarantees.semantic.disclosure_bits import HiddenEntity
from efface.guarantees.semantic.evidence import EvidenceLook, EvidenceSource
from efface.guarantees.semantic.near_names import NearNameLook
from efface.guarantees.semantic.term_queries import TermQueries
from efface.guarantees.semantic.terms import FEW
from efface.knowledge.corpus.text_runs import term_key
from efface.knowledge.taxonomy.concepts import lexicon
from efface.text.ordinary_words import is_ordinary


@dataclass(frozen=True)
class SemanticLook:
    """Made for one document: a judge of its terms, its evidence, and which of its words are nearly a hidden name."""

    judge: TermQueries = field(repr=False)
    evidence: EvidenceLook | None = field(repr=False)
    _near: Mapping[HiddenEntity, NearNameLook] = field(repr=False)

    def is_near_name(self, entity: HiddenEntity, label: str) -> bool:
        """Whether words hold what is nearly a name of an entity."""
        near = self._near.get(entity)
        return near is not None and near.stand_in(label)


def new_look(
    known: TermQueries, entities: tuple[HiddenEntity, ...], evidence: EvidenceSource | None
) -> SemanticLook:
    """A look that has seen nothing yet. `known` counts in the same corpus, and `evidence` is that of the readers."""
    judge = known.for_look()

    def is_english(word: str) -> bool:
        """Whether English has the word for something of its own, so that counts say what it discloses."""
        return term_key(word) in lexicon().nouns or is_common(word)

    def is_common(word: str) -> bool:
        return is_ordinary(word.lower()) or judge.count(((term_key(word),),)) >= FEW

    near = {
        each: NearNameLook(each.near, is_english, is_common) for each in entities if each.near is not None
    }
    return SemanticLook(judge, None if evidence is None else evidence.for_look(judge.corpus), near)
