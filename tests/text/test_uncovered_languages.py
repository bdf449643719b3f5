"""What a report says of text in a language that is not covered."""

from __future__ import annotations

from efface.core import Document
from efface.text.language import LANGUAGES, UNKNOWN, languages
from efface.text.uncovered_languages import LANGUAGE_NAMES, uncovered_languages


def test_every_language_that_can_be_told_has_a_name() -> None:
    assert {*LANGUAGES, UNKNOWN} <= LANGUAGE_NAMES.keys()


def test_a_language_is_called_by_its_name() -> None:
    text = "La senyora va arribar ahir a la tarda amb els seus fills i després van sopar tots junts a casa.\n"
    document = Document("letter.txt", "text", text)
    found = list(uncovered_languages(document, languages(text), {"en"}))
    assert [one.name for one in found] == ["Catalan"]
