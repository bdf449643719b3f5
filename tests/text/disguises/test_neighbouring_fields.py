"""Words that are broken over the values of two fields."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from efface.text.disguises.neighbouring_fields import NeighbouringFields
from tests.growth import assert_linear

DENY = Sanitizer({"find": {"deny": ["Whitcombe"], "names": "none", "patterns": "none"}})


def _found(text: str, word: str = "whitcombe") -> list[tuple[str, str]]:
    places = [(upper, lower) for _, upper, lower in NeighbouringFields([word]).find(text)]
    return [(text[upper.start : upper.end], text[lower.start : lower.end]) for upper, lower in places]


@pytest.mark.parametrize(
    "text",
    [
        '{"a1": "Whit", "a2": "combe"}',
        '{\n "a1": "Mr Whit",\n "a2": "combe came"\n}',
        "a1: Whit\na2: combe\n",
        "- a1: Whit\n- a2: combe\n",
        '<row a="Whit" b="combe"/>',
        "/search?first=Whit&second=combe",
        "first half: Whit\r\nsecond half: combe\r\n",
        "[x]\na = Whit\nb = combe\n",
    ],
)
def test_both_halves_are_found_and_go(text: str) -> None:
    assert _found(text) == [("Whit", "combe")]
    released = DENY.redact(text).text
    assert released is not None
    assert "Whit" not in released
    assert "combe" not in released


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"a1": "good", "a2": "man"}', "goodman"),
        ('{"a1": "Whit", "a2": "x", "a3": "combe"}', "whitcombe"),
        ("Whit came: combe left", "whitcombe"),
        ("a1: twit\na2: combe\n", "witcombe"),
        ("a1: Whit\na2: combes\n", "whitcombe"),
    ],
)
def test_others_are_not(text: str, word: str) -> None:
    assert _found(text, word) == []


@pytest.mark.parametrize("piece", ['"Whit", ', "a: Whit\n", "Whit\n", "Whit' ", "Whit=", ":"])
def test_the_time_grows_with_the_length(piece: str) -> None:
    fields = NeighbouringFields(["whitcombe"])
    assert_linear(lambda text: list(fields.find(f"a: {text}")), piece, 16_000)
