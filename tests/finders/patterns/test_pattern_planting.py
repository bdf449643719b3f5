"""A value of any row's own shape, put into any text, is found."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from efface.finders.patterns.finder import PATTERNS, PatternFinder
from efface.finders.patterns.row import CHECK_FAILS, CONTEXT_NEAR, THRESHOLD, Pattern
from tests.finders.patterns.drawn import matching

PLANTED = 108  # values of each row, of which at least 100 are asked for
TRIES = 200 * PLANTED  # of values; a check digit holds for one in ten to one in a hundred
ROWS = {f"{index}-{row.type}": row for index, row in enumerate(PATTERNS)}
# What the row looks ahead at, and so no part of the value.
TAILS = {
    "months?|weeks?": "-days-old",
    "years?|yrs?": " years old",
    "S[ADS]|AD|BC": " Delft",
    "Drive|Dr": ", Dover",
    "Auf dem": ", 24103 Ulm",
    r"Jahre\salt": " Jahre alt",
    "ans|anos|anni": " ans",
    r"[bf]\.": ")",
    r"\sfrom\s": " from 10.0.0.1",
    r"2[0-3])[:.]?[0-5]": " 1030 seen",
    r":?(?=\s[A-Z][a-z]+)": " Viewed",
}
# What the row looks back at.
HEADS = {
    r"[bf]\.": "(f. ",
    "DAL": "vom ",
    r"(?<![^\n])(?:0?[1-9]": "\n",
    r"(?<![^\n])(?![123]/": "\n",
    "[xX]{4}-": "xxxx-",
    r"(?i:ssn)\s": "SSN ",
    r"[Nn]o\.\s": "No. ",
}
AROUND = "abc XYZ 12 3-./é漢😀\n,;"
APART = "\n" + "and then they went on to say more of it to all who were there " * 2 + "\n"


def _values(row: Pattern, rng: random.Random, needs_check: bool, tail: str, word: str) -> list[str]:
    """Values that the row must find beside its word and its label, and among them some whose check holds. After a
    label a value begins with no sign that the label could end with: of `key==x` the label may be `key==`."""
    drawn = matching(row.regex, rng, TRIES, tail, word)
    signs = ":=>" if row.label else " "
    whole = (value for value in drawn if value == value.strip().lstrip(signs))
    check = row.check
    if check is None:
        return list(islice(whole, PLANTED))
    if needs_check:
        return list(islice(filter(check, whole), PLANTED))
    return list(islice(whole, PLANTED - 8)) + list(islice(filter(check, islice(whole, 2000)), 8))


def _around(rng: random.Random) -> str:
    return "".join(rng.choices(AROUND, k=rng.randrange(30)))


@pytest.mark.parametrize("name", ROWS)
def test_planted_values_are_found(name: str) -> None:
    row, rng = ROWS[name], random.Random(name)
    least = row.score + (CHECK_FAILS if row.check else 0)
    needs_word = round(least, 2) < THRESHOLD and bool(row.context)
    needs_check = round(least + CONTEXT_NEAR * needs_word, 2) < THRESHOLD
    word = row.context.split(", ")[0] + " " if needs_word else ""
    word = next((head for shape, head in HEADS.items() if shape in row.regex), word)
    tail = next((tail for shape, tail in TAILS.items() if shape in row.regex), "")
    labels = list(islice(matching(row.label, rng, TRIES), PLANTED))
    text, places = "", []
    for value in _values(row, rng, needs_check, tail, word):
        begin = f"{text}{_around(rng)} so {word}{rng.choice(labels)}"
        places.append((len(begin), len(begin) + len(value)))
        text = f"{begin}{value}{tail} so {_around(rng)}{APART}"
    found = [
        (mention.start, mention.end) for mention in PatternFinder().find(text) if mention.type == row.type
    ]
    missed = [
        text[start:end]
        for start, end in places
        if not any(low <= start and end <= high for low, high in found)
    ]
    assert len(places) >= 100
    assert missed == []
