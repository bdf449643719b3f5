"""What the names finder makes of style names, bookmarks and raw streams."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from efface.core import Document, FinderTraits, Mention, Part, PartKind, Span
from efface.finders.names.windows import WindowRow
from efface.pipeline.find import _filtered
from efface.pipeline.mention_filters.labels import UnreadMentions, filter_labels

NAMES = FinderTraits(reads_sentence=True, splits_at_placeholders=True)
PROSE = "Rosa Lind works at Acme.\n"


@dataclass(frozen=True)
class Fixed:
    """Finds the given words everywhere, as sure as told."""

    words: dict[str, float]
    type: str = "ORGANIZATION"

    def find(self, text: str) -> Iterator[Mention]:
        for word, score in self.words.items():
            start = text.find(word)
            while start >= 0:
                yield Mention(start, start + len(word), self.type, word.lower(), score, "fixed")
                start = text.find(word, start + 1)


def marked(labels: str, words: dict[str, float], kind: PartKind = PartKind.LABEL) -> list[str]:
    text = PROSE + labels
    parts = (Part("body", 0, len(PROSE)), Part("second", len(PROSE), len(text), kind))
    found = filter_labels(text, Fixed(words).find(text), parts)
    return sorted({text[m.start : m.end] for m in found if m.start >= len(PROSE)})


@pytest.mark.parametrize(
    ("labels", "words", "expected"),
    [
        ("Titre 1", {"Titre": 0.4}, []),  # a guess about a style's name
        ("Edf Corps", {"Edf": 0.9}, ["Edf"]),  # sure by itself
        ("7dash\n7 tablehead", {"7dash\n7": 0.9, "tablehead": 0.9}, []),  # sure, but written like no name
        ("Acme Heading", {"Acme": 0.3}, ["Acme"]),  # the prose names it
        ("ACME HEADING", {"Acme": 0.3}, ["ACME"]),  # however it is written
        ("Acmeheading", {"Acme": 0.3}, []),  # part of another word, as for the leak check
    ],
)
def test_labels(labels: str, words: dict[str, float], expected: list[str]) -> None:
    assert marked(labels, words) == expected


def test_code_names_nobody_by_itself() -> None:
    assert marked("Hans", {"Hans": 0.99}, PartKind.CODE) == []
    assert marked("Acme Sans", {"Acme": 0.99}, PartKind.CODE) == ["Acme"]


def test_prose_is_left_as_it_is() -> None:
    assert marked("Titre 1", {"Titre": 0.3}, PartKind.PROSE) == ["Titre"]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("This was sent by Zanzibarov himself.", ["zanzibarov"]),
        ("sRGB\nZanzibarov\nen-US", []),  # no sentence: it may be a font
        ("The Gmail account was opened.", []),  # judged in its sentence
        ("The GMAIL account was opened.", []),
        ("The Adobe account was opened.", []),  # a guess
    ],
)
def test_beyond(stream: str, expected: list[str]) -> None:
    finder = UnreadMentions(
        Fixed({"Gmail": 0.9, "GMAIL": 0.9, "Adobe": 0.5, "Zanzibarov": 0.9}), "Your Gmail account."
    )
    assert [mention.key for mention in finder.find(stream)] == expected


def test_another_word_is_not_the_same() -> None:
    finder = UnreadMentions(Fixed({"Gmail": 0.9}), "A Gmailing list.")
    assert len(list(finder.find("The Gmail account was opened."))) == 1


def test_a_full_name_needs_no_sentence() -> None:
    assert list(UnreadMentions(Fixed({"Rosa Lind": 0.9}, "PERSON"), "").find("sRGB\nRosa Lind"))
    assert not list(UnreadMentions(Fixed({"Rosa Lind": 0.9}), "").find("sRGB\nRosa Lind"))


@pytest.mark.parametrize("noise", ["OUNFT@GHE", "Ou1 Ghe", "Ounft^Ghe"])
def test_letters_among_the_bytes_of_a_picture_are_no_full_name(noise: str) -> None:
    assert not list(UnreadMentions(Fixed({noise: 0.9}, "PERSON"), "").find(f"sRGB\n6{noise}"))


def test_windows_that_tell_of_other_words_are_not_taken_for_one_another() -> None:
    ids, places = np.arange(4, dtype=np.int32), np.arange(3)
    whole, later = WindowRow(ids, ids, places, places), WindowRow(ids, ids, places[1:], places[1:])
    assert whole.key != later.key
    assert whole.key == WindowRow(ids, ids, places, places + 7).key


def test_a_guess_that_does_not_count_beside_a_placeholder_names_nothing_in_labels() -> None:
    text = "[PERSON_1] is seen in Fig here.\nfig\n"
    parts = (Part("body", 0, 32), Part("styles", 32, len(text), PartKind.LABEL))
    finder = Fixed({"Fig": 0.61, "fig": 0.1}, "LOCATION")
    found = _filtered(finder.find(text), NAMES, Document("d", "docx", text, parts), ([Span(0, 10)], ()))
    assert list(found) == []
