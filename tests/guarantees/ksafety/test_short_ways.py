"""Short ways give what the long ones give: safety by the groups that are unsafe now, forms searched only by their cues."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Mention, Span, Term
from efface.guarantees.ksafety.exposure import Exposure, crowds_of
from efface.guarantees.ksafety.partial_values import fitting
from efface.guarantees.ksafety.removal_cost import Neighbours, gone_with
from efface.guarantees.left_parts import LeftParts
from efface.guarantees.parts_in_words import _BIRTH, _COMPILED_WORDS, _CROSSED, parts_stated_in_words
from efface.knowledge.entities.column_values import ColumnValues
from efface.knowledge.entities.signatures import Signatures
from efface.text.folding import without_separators

TERMS = tuple("abcdefg")


@st.composite
def exposures(draw: st.DrawFn) -> Exposure:
    rows = draw(st.lists(st.integers(1, 127), min_size=1, max_size=9, unique=True))
    counts = np.array([draw(st.integers(1, 4)) for _ in rows], np.int64)
    protected = np.array([draw(st.integers(0, int(count))) for count in counts], np.int64)
    groups = np.array(rows, np.uint64).reshape(-1, 1)
    signatures = Signatures(TERMS, groups, counts, np.zeros_like(counts), 5, ())
    k = draw(st.sampled_from([None, 2, 3, 5]))
    return Exposure((), signatures, crowds_of(signatures), protected, {}, k)


def is_safe(exposure: Exposure, kept: set[str]) -> bool:
    """Every protected group is counted, whatever its crowd was."""
    mask = exposure.signatures.mask([at for at, key in enumerate(TERMS) if key in kept])
    shown = exposure.signatures.groups[exposure.protected > 0] & mask
    if exposure.k is None:
        return not shown.any()
    return all(exposure.signatures.crowd(row) >= exposure.k for row in shown if row.any())


@given(exposures(), st.lists(st.sets(st.sampled_from(TERMS)), min_size=1, max_size=6))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_safety_is_that_of_all_protected_groups(exposure: Exposure, asked: list[set[str]]) -> None:
    test = exposure.safety()
    assert [test(kept) for kept in asked] == [is_safe(exposure, kept) for kept in asked]


PIECES = ["born in 1980", "BORN 1980", "birthday on 12 March", "b. 1979", "b. May", "aged 46", "AGE: 7", "46-year-old",
          "46 y/o", "46yo", "ending in 1111", "ends with 22", "last four digits are 1234", "la\u017ft 4: 1234", "first two 12",
          "beg\u0131nning with 12", "F\u0130nishing in 12", "starts with 99", "101xx", "XXXX-1111", "x", " ", ", ", "é"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_what_is_told_in_words_is_what_all_forms_find(text: str) -> None:
    found = {span for span, _ in parts_stated_in_words(text)}
    for _, form, _ in _COMPILED_WORDS:
        assert {Span(*match.span("part")) for match in form.finditer(text)} <= found
    assert {Span(*match.span()) for match in _CROSSED.finditer(text)} <= found
    if not _BIRTH.search(text) and not _CROSSED.search(text):
        assert len(found) <= sum(len(form.findall(text)) for _, form, _ in _COMPILED_WORDS)


@given(st.text("a1 -.*", min_size=1, max_size=7), st.text("a1 -.", max_size=7))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_a_masked_value_fits_as_its_expressions_say(left: str, value: str) -> None:
    parts = LeftParts()
    written, bare = parts._under_marks(left), parts._under_marks(without_separators(left))
    expected = bool(written.fullmatch(value) or bare.fullmatch(without_separators(value)))
    assert parts._masked(left)(value) == expected


VALUES = st.one_of(
    st.text("ab1290 ./:-é", min_size=1, max_size=9),
    st.sampled_from(
        "1980-03-12|12.3.1979|4111 1111 1111 1111|10115|101 15|ab-12|born 1980|year 1980|1980|98/12|2|x12".split(
            "|"
        )
    ),
)
LEFT = st.one_of(
    st.text("ab129*# ./-x", min_size=1, max_size=8),
    st.sampled_from(
        "year 1980|age 46|age 47|month 198003|birthday 0312|ending 11|beginning 41|crossed 101xx|crossed xx11|"
        "**12|10115|1980s|101**|10-20|age 0".split("|")
    ),
)


@given(st.sets(VALUES, max_size=12), LEFT, st.sampled_from(["*#", "x*"]), st.sampled_from([0, 30]))
@settings(max_examples=600, deadline=None, derandomize=True)
def test_who_fits_a_part_is_told_without_trying_every_value(
    values: set[str], left: str, marks: str, days: int
) -> None:
    ordered = sorted(values)
    places = np.arange(len(ordered))
    table = ColumnValues(places, places, {value: at for at, value in enumerate(ordered)})
    parts = LeftParts(marks, days)
    test = parts.test(left)
    found = fitting({"column": table}, left, len(ordered), parts, test)
    assert found.tolist() == [test(value) for value in ordered]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), min_size=1, max_size=3), max_size=6),
    st.sets(st.integers(0, 5)),
)
def test_what_is_shown_again_is_what_is_not_gone_any_more(
    spans: list[list[tuple[int, int]]], chosen: set[int]
) -> None:
    terms = [
        Term(str(at), "", tuple(Mention(s, s + n, "", str(at), 1.0, "") for s, n in sorted(set(some))), "")
        for at, some in enumerate(spans)
    ]
    struck = {str(at) for at in chosen}
    gone = gone_with(terms, struck)
    neighbours = Neighbours.of(terms)
    for place, here in neighbours.at_place.items():
        fewer = struck - here
        assert gone - neighbours.shown_again(place, gone, fewer) == gone_with(terms, fewer)
