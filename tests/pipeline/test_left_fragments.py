"""A writer that leaves a part of what the plan removes: nothing is held."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Document, Edit, Verdict
from efface.formats import get_format
from efface.pipeline import sanitize as pipeline
from efface.pipeline.left_fragments import left_fragments
from efface.text.alignment import Alignment
from efface.text.folding import fold_text
from tests.growth import assert_linear

BOUND = Sanitizer.from_text("find: {names: none, patterns: none, deny: [Zanzi barov, Ilsabeth]}").bind()


@dataclass(frozen=True)
class Careless:
    """Text files, written with some letters too many."""

    left: bytes

    def read(self, data: bytes, name: str) -> Document:
        return get_format("text").read(data, name)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        written = get_format("text").write(document, edits)
        return written.replace(b"[DENIED_1]", b"[DENIED_1]" + self.left)


def verdict_with(left: bytes) -> Verdict:
    text = b"Zanzi barov met the other one."
    return pipeline.sanitize(text, "a.txt", BOUND, format=Careless(left)).verdict


@pytest.mark.parametrize("left", [b" barov", b" Zanzi", b"rov", b" ZANZIB"])
def test_a_part_that_is_left_breaks_the_release(left: bytes) -> None:
    assert verdict_with(left) is Verdict.BROKEN


@pytest.mark.parametrize("left", [b"", b"  ", b" (removed)"])
def test_other_letters_are_no_part(left: bytes) -> None:
    assert verdict_with(left) is Verdict.HELD


def test_a_word_that_stays_elsewhere_is_no_part() -> None:
    """It is in the plan as often as in the release."""
    text = b"Zanzi barov and the zanzi, see Barov."
    assert pipeline.sanitize(text, "a.txt", BOUND, format=Careless(b"  ")).verdict is Verdict.HELD


@pytest.mark.parametrize(
    ("removed", "left"),
    [
        ("O\u0308zdemirog\u0306lu", "demirog\u0306lu"),  # accents as characters of their own
        ("Zan\u00adzibarov", "zibarov"),
        ("זנזיברוב", "ברוב"),
        ("Whitﬁeld", "ﬁeld"),
        ("प्रसाद", "साद"),
    ],
)
def test_parts_in_other_scripts_and_spellings(removed: str, left: str) -> None:
    edit = Edit(4, 4 + len(removed), "PERSON", "key", "test", "[X]")
    document = Document("a.txt", "text", f"met {removed} there", ())
    released = Document("a.txt", "text", f"met [X] {left} there", ())
    found = left_fragments(document, Alignment((edit,)), released)
    assert [leak.word for leak in found] == [fold_text(left)]


def test_a_string_that_is_removed_in_many_places_is_looked_at_once() -> None:
    name = "Ivan Petrovich Zanzibarov"

    def look(text: str) -> None:
        ends = [found.end() for found in re.finditer(name, text)]
        edits = tuple(Edit(end - len(name), end, "PERSON", "key", "test", "[X]") for end in ends)
        document = Document("a.txt", "text", text, ())
        released = Document("a.txt", "text", text.replace(name, "[X]") + " more", ())
        assert not list(left_fragments(document, Alignment(edits), released))

    assert_linear(look, f"{name} came. ", 100_000)
