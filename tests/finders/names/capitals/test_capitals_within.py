"""A capital within a sentence makes less certainty enough."""

from __future__ import annotations

import pytest

from efface.finders.names.capitals.capitals_within import WITHIN_ENGLISH, WITHIN_OTHERS, least_chances
from efface.finders.names.model import PACKAGED
from efface.finders.names.tokens import Vocabulary

VOCABULARY = Vocabulary.load(PACKAGED / "vocab.txt")
USUAL = 0.4


def lowered(text: str, language: str = "") -> list[str]:
    """The words of which less is asked."""
    words = VOCABULARY.words(text)
    texts = words.texts(text)
    least = least_chances(words, texts, language, USUAL)
    return [word for word, one in zip(texts, least.tolist(), strict=True) if one < USUAL]


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("She left for Pellucid in May, as Nothing else.", "", ["Pellucid"]),
        ("He saw the interpreter (Halyna, from here).", "", ["Halyna"]),
        ("Zorrig. Halyna came; PELLUCID did.", "", []),
        ("On the second Monday the Reverend spoke.", "", []),
        ("Jo était au marché de Vimoutiers samedi.", "fr", ["Vimoutiers"]),
        ("Er kam mit den Maltesern zum Essen.", "de", []),
    ],
)
def test_less_is_asked_of_unknown_words_with_a_capital(text: str, language: str, found: list[str]) -> None:
    assert lowered(text, language) == found


def test_no_more_than_usual_is_asked() -> None:
    text = "She left for Pellucid."
    words = VOCABULARY.words(text)
    least = least_chances(words, words.texts(text), "", 0.01)
    assert max(least.tolist()) == pytest.approx(0.01)
    assert WITHIN_ENGLISH < WITHIN_OTHERS < USUAL
