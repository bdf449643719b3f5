"""What a model takes for a name and is none: a legal form, a government without its state, a letter for a date."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.ordinary_words import without_ordinary_words


def _left(text: str, surface: str, type_: str) -> list[str]:
    start = text.index(surface)
    mention = Mention(start, start + len(surface), type_, surface.lower(), 0.99, "model")
    return [text[one.start : one.end] for one in without_ordinary_words(text, [mention])]


@pytest.mark.parametrize(
    ("text", "surface", "type_", "left"),
    [
        ("Volga Group LLC sold it.", "LLC", "ORGANIZATION", []),
        ("Volga Group LLC sold it.", "Volga Group LLC", "ORGANIZATION", ["Volga Group LLC"]),
        ("the Government of Iraq", "Government", "ORGANIZATION", []),
        ("pursuant to E.O. 13224", "E", "DATE_TIME", []),
        ("on 5 May", "5 May", "DATE_TIME", ["5 May"]),
        ("We met Sue there.", "Sue", "PERSON", ["Sue"]),
    ],
)
def test_what_names_nothing_stays(text: str, surface: str, type_: str, left: list[str]) -> None:
    assert _left(text, surface, type_) == left
