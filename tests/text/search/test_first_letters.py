"""Alternatives arranged by their first letters find what they find in one row."""

from __future__ import annotations

import re
from itertools import product

from efface.text.search.first_letters import apart_from, in_any_case

_ALTERNATIVES = ("surname", "names?", "name of", "sur", "i[dt]", "kin", "şehir", "s(?<!as)ize")
_WORDS = (
    *"surname SURNAME Names nAmE-of is\u0131k \u0130d \u0131t \u212ain \u017fur \u017fize Şehir asize size su".split(),
    "NAME OF",
)


def test_finds_the_same_as_alternatives_in_a_row_that_ignore_case() -> None:
    arranged = re.compile(rf"(?<!\w)(?:{in_any_case(_ALTERNATIVES)})(?!\w)")
    in_a_row = re.compile(rf"(?<!\w)(?i:{'|'.join(_ALTERNATIVES)})(?!\w)")
    for words in product(_WORDS, repeat=2):
        text = " ".join(words)
        assert [m.span() for m in arranged.finditer(text)] == [m.span() for m in in_a_row.finditer(text)], (
            text
        )
    assert arranged.search("\u212aIN") and arranged.search("NAMES")


def test_finds_the_same_as_a_look_behind_and_alternatives_in_a_row() -> None:
    alternatives = ("HCA", "HC", "RN", r"Sgt\.?", "FY[12]", "H")
    some = apart_from(r"[\w.-]", alternatives)
    arranged = re.compile(rf"(?:{some})(?!\w)")
    in_a_row = re.compile(rf"(?<![\w.-])(?:{'|'.join(alternatives)})(?!\w)")
    for parts in product(
        ("", " ", "-", ".", "x", "\n"), ("HCA", "HC", "RNs", "RN", "Sgt.", "FY2", "H"), repeat=2
    ):
        text = "".join(parts)
        assert [m.span() for m in arranged.finditer(text)] == [m.span() for m in in_a_row.finditer(text)], (
            text
        )
