"""A spaCy pipeline that the user has, as a finder: `find.names: {spacy: en_core_web_md}`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from efface.core import FinderTraits, Mention
from efface.errors import PolicyError
from efface.finders.adapters.text_chunks import pieces
from efface.text.folding import fold_term

SIZE = 100_000  # characters at a time, far below spaCy's own limit
SCORE = 0.85  # spaCy gives none; Presidio assumes the same

# spaCy's labels under the names that efface gives to types. Others keep their own.
LABELS = {
    "PER": "PERSON",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANIZATION",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
    "NORP": "NRP",
    "MONEY": "QUANTITY",
    "PERCENT": "QUANTITY",
}
DEFAULT = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "NRP"})


@dataclass(frozen=True, slots=True)
class SpacyFinder:
    """`model` is an installed package or a folder; `types` are efface's names, all usual ones when empty."""

    model: str
    types: frozenset[str] = frozenset()

    traits: ClassVar[FinderTraits] = FinderTraits(
        reads_sentence=True, splits_at_placeholders=True, has_own_threshold=True
    )

    def find(self, text: str) -> Iterator[Mention]:
        """The pipeline's entities."""
        nlp, wanted = _pipeline(self.model), self.types or DEFAULT
        stretches = list(pieces(text, SIZE))
        for (offset, _), doc in zip(stretches, nlp.pipe(stretch for _, stretch in stretches), strict=True):
            for entity in doc.ents:
                kind = LABELS.get(entity.label_, entity.label_)
                if kind in wanted and entity.text.strip():
                    start, end = offset + entity.start_char, offset + entity.end_char
                    yield Mention(start, end, kind, fold_term(entity.text), SCORE, f"spaCy: {entity.label_}")


@lru_cache(maxsize=2)
def _pipeline(model: str) -> Any:
    try:
        import spacy
    except ImportError:
        raise PolicyError("`find.names: {spacy: …}` needs spaCy.", "Install it: pip install spacy.") from None
    try:
        return spacy.load(model)
    except (OSError, ValueError):
        raise PolicyError(
            "The spaCy model of `find.names` is not installed here.", "Install it, or give its folder."
        ) from None
