"""A value of any row's own shape, put into any text, is found."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from efface.terms.pattern import CHECK_FAILS, CONTEXT_NEAR, THRESHOLD, Pattern
from efface.terms.patterns import PATTERNS, PatternFinder

around = st.text(st.sampled_from("abc XYZ 12 3-./é漢😀\n,;"), max_size=30)
# Rows that look ahead, or need a label of many forms, are left to the table tests.
ROWS = {
    f"{index}-{row.type}": row
    for index, row in enumerate(PATTERNS)
    if "(?=" not in row.regex and not (row.label and row.type == "SECRET")
}
LABELS = {
    "AGE": "aged ",
    "DATE_TIME": "in ",
    "POSTCODE": "MA ",
    "USERNAME": "user: ",
}  # what the label of a row matches
PRINTABLE = "".join(map(chr, range(32, 127))) + "°″"


def shapes(row: Pattern) -> st.SearchStrategy[str]:
    """Values that the row matches, not too long."""
    shorter = re.sub(
        r"\{(\d+),(\d+)\}\+?", lambda m: f"{{{m[1]},{min(int(m[2]), int(m[1]) + 6)}}}", row.regex
    )
    shape = re.compile(shorter, re.ASCII)
    return st.from_regex(shape, fullmatch=True, alphabet=PRINTABLE).filter(
        lambda value: value == value.strip()
    )


@pytest.mark.parametrize("name", ROWS)
def test_planted_values_are_found(name: str) -> None:
    row = ROWS[name]
    least = row.score + (CHECK_FAILS if row.check else 0)
    needs_word = round(least, 2) < THRESHOLD and bool(row.context)
    needs_check = round(least + CONTEXT_NEAR * needs_word, 2) < THRESHOLD
    lead = (row.context.split(", ")[0] + " " if needs_word else "") + (LABELS[row.type] if row.label else "")

    @settings(
        max_examples=12,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(shapes(row), around, around)
    def planted(value: str, before: str, after: str) -> None:
        assume(not (needs_check and row.check and not row.check(value)))
        begin = f"{before} so {lead}"
        text = f"{begin}{value} so {after}"
        assert any(
            m.type == row.type and m.start <= len(begin) and len(begin) + len(value) <= m.end
            for m in PatternFinder().find(text)
        )

    planted()
