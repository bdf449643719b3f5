"""A GLiNER model that the user has, as a finder: `find.names: {gliner: path/to/model}`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from efface.core import FinderTraits, Mention
from efface.errors import PolicyError
from efface.finders.adapters.text_chunks import pieces
from efface.text.folding import fold_term

SIZE = 1_200  # characters: what such a model reads at once

# GLiNER is asked in words.
LABELS = {
    "person": "PERSON",
    "location": "LOCATION",
    "organization": "ORGANIZATION",
    "date": "DATE_TIME",
    "nationality or religious or political group": "NRP",
}


@dataclass(frozen=True, slots=True)
class GlinerFinder:
    """`model` is a folder; types outside the table are asked for by their own name in lower case."""

    model: str
    types: frozenset[str] = frozenset()
    threshold: float = 0.4

    traits: ClassVar[FinderTraits] = FinderTraits(
        reads_sentence=True, splits_at_placeholders=True, has_own_threshold=True
    )

    def find(self, text: str) -> Iterator[Mention]:
        """What the model reports from the threshold on."""
        model, labels = _model(self.model), self._labels()
        for offset, stretch in pieces(text, SIZE):
            if not stretch.strip():
                continue
            for one in model.predict_entities(stretch, list(labels), threshold=self.threshold):
                start, end, kind = offset + one["start"], offset + one["end"], labels[one["label"]]
                key = fold_term(text[start:end])
                yield Mention(start, end, kind, key, float(one["score"]), f"GLiNER: {kind}")

    def _labels(self) -> dict[str, str]:
        if not self.types:
            return LABELS
        own = {kind: word for word, kind in LABELS.items()}
        return {own.get(kind, kind.lower().replace("_", " ")): kind for kind in sorted(self.types)}


@lru_cache(maxsize=2)
def _model(folder: str) -> Any:
    try:
        from gliner import GLiNER
    except ImportError:
        raise PolicyError(
            "`find.names: {gliner: …}` needs GLiNER.", "Install it: pip install gliner."
        ) from None
    try:
        return GLiNER.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):
        raise PolicyError(
            "The GLiNER model of `find.names` cannot be loaded.", "Give the folder of a model that is here."
        ) from None
