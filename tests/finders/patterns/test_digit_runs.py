"""A row that matches at a run of digits is among those that are tried there, and most others are not."""

from __future__ import annotations

import random
import re

import pytest

from efface.finders.patterns.digit_runs import DigitRunShape, run_shape
from efface.finders.patterns.finder import PATTERNS
from efface.finders.patterns.row import TRIGGERS
from tests.finders.patterns.drawn import matching

AFTER = TRIGGERS["number"].after
ROWS = [row for row in PATTERNS if not {"number", "long"}.isdisjoint(row.at)]


def _told(text: str) -> tuple[int, str]:
    """How long the run of digits is at the beginning of a text, and what stands behind it."""
    length = len(text) - len(text.lstrip("0123456789"))
    return length, text[length : length + 1]


def test_drawn_matches_of_rows_are_possible() -> None:
    rng = random.Random(5)
    drawn = 0
    for row in rng.sample(ROWS, 50):
        shape = run_shape(f"({row.regex}){AFTER}", AFTER)
        for value in matching(row.regex, rng, 6, rng.choice(["", ".", " the"])):
            length, following = _told(value)
            if length:  # some rows may begin with a letter, at another trigger
                drawn += 1
                assert shape.may_match(length, following), (row.type, value)
    assert drawn > 50


@pytest.mark.parametrize(
    "regex",
    [
        r"[0-9]{3}-[0-9]{2}",
        r"(?:[0-9]{2}[ -]){2}[0-9]{4}",
        r"0[0-9]{2,4}+(?:/|(?i:x))[0-9]*",
        r"[^a-z]{4}",
        r"\d\D\d",
        r"[0-9]+?(?=k)",
        r"[0-9]{2}(?P<sign>[-.])[0-9](?P=sign)[0-9]",
        r"(?>[0-9]{1,3}),[0-9]{3}",
        r"[0-9]{2}\u00ba[A-Z]",
        r"[0-9]{40}",
    ],
)
@pytest.mark.parametrize("after", [AFTER, ""])
def test_what_the_shape_calls_impossible_never_matches(regex: str, after: str) -> None:
    shape, expression = DigitRunShape(regex, after), re.compile(regex + after, re.ASCII)
    rng = random.Random(7)
    for _ in range(400):
        text = "".join(rng.choices("0123", k=rng.randint(1, 5))) + "".join(
            rng.choices("01-. /xXk,aZ\u00ba\x1f", k=rng.randint(0, 6))
        )
        if expression.match(text):
            assert shape.may_match(*_told(text)), text


def test_few_rows_are_tried_at_a_number() -> None:
    tried = [row for row in ROWS if run_shape(f"({row.regex}){AFTER}", AFTER).may_match(3, "-")]
    assert len(tried) * 4 < len(ROWS)
