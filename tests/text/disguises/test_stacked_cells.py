"""Words that are broken over two cells of a column."""

from __future__ import annotations

import pytest

from efface.text.disguises.stacked_cells import StackedCells
from tests.growth import assert_linear


def _found(text: str, word: str = "whitcombe") -> list[tuple[str, str]]:
    places = [(upper, lower) for _, upper, lower in StackedCells([word]).find(text)]
    return [(text[upper.start : upper.end], text[lower.start : lower.end]) for upper, lower in places]


@pytest.mark.parametrize(
    "text",
    [
        "Whit\tother\ncombe\tmore\n",
        "a\tMr Whit\r\nb\tcombe came\r\n",
        "name,town\nWhit,Leeds\ncombe,York\n",
        '"a","Whit"\n"b","combe"\n',
        "| a | Whit |\n| b | combe |\n",
        "| Whit | a |\n|---|---|\n| combe | b |\n",
        "Left text Whit      right text\ncombe more left     right here\n",
        "left here      this Whit\nleft again     combe too\n",
    ],
)
def test_both_halves_are_found(text: str) -> None:
    assert _found(text) == [("Whit", "combe")]


def test_letters_with_accents_are_those_of_the_folded_word() -> None:
    assert _found("Mül\tx\nlerstein\ty\n", "mullerstein") == [("Mül", "lerstein")]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Good\tx\nman\ty\n", "goodman"),
        ("Whit\tx\ny\tcombe\n", "whitcombe"),
        ("Whit x\ncombe y\n", "whitcombe"),
        ("Whit\tx\ncombes\ty\n", "whitcombe"),
        ("twit\tx\ncombe\ty\n", "witcombe"),
        ("Whit and\tx\ncombe\ty\n", "whitcombe"),
    ],
)
def test_others_are_not(text: str, word: str) -> None:
    assert _found(text, word) == []


@pytest.mark.parametrize("piece", ["Whit\t", "Whit\tx\n", "Wh  ", "\n", "Whit|"])
def test_the_time_grows_with_the_length(piece: str) -> None:
    cells = StackedCells(["whitcombe"])
    assert_linear(lambda text: list(cells.find(f"{text}\n{text}\n")), piece, 16_000, before="a\n")
