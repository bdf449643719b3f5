"""efface's finders inside Presidio.

    registry.add_recognizer(EffaceRecognizer())

gives Presidio's analyzer efface's names and patterns.
"""

from __future__ import annotations

from collections.abc import Mapping

from presidio_analyzer import EntityRecognizer, RecognizerResult

from efface.core import Finder
from efface.finders.names.finder import DEFAULT_TYPES, NameFinder
from efface.finders.patterns.finder import TYPES, PatternFinder


class EffaceRecognizer(EntityRecognizer):
    """A Presidio recognizer. `patterns` says whether efface's patterns speak too, or only its names."""

    def __init__(
        self, *, patterns: bool = True, names: NameFinder | None = None, language: str = "en"
    ) -> None:
        names = names or NameFinder()
        self._finders: Mapping[str, Finder] = {
            "names": names,
            **({"patterns": PatternFinder()} if patterns else {}),
        }
        types = names.types | (set(TYPES) if patterns else set())
        super().__init__(sorted(types | DEFAULT_TYPES), name="efface", supported_language=language)

    def load(self) -> None:
        """Nothing: the model is loaded when the first text is read."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: object = None) -> list[RecognizerResult]:
        """The mentions of the asked types."""
        return [
            RecognizerResult(m.type, m.start, m.end, m.score)
            for finder in self._finders.values()
            for m in finder.find(text)
            if not entities or m.type in entities
        ]
