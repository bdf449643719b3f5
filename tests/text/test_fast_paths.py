"""Short cuts for what is plain give what the long way gives."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Span, Spans, SpanSet
from efface.finders.patterns.checks import ip_address
from efface.text import folding
from efface.text.search import string_search

ASCII = st.text(st.characters(max_codepoint=127), max_size=40)
SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6)), max_size=8)


@given(ASCII)
@settings(max_examples=300, deadline=None)
def test_plain_text_folds_as_any_other(text: str) -> None:
    slow = folding._folded(text, folding._ASCII)
    assert folding.fold(text) == slow
    assert folding.fold_term(text) == slow.text.strip()


@given(
    st.lists(st.text("ab ", min_size=1, max_size=3), min_size=1, max_size=5, unique=True),
    st.text("ab ", max_size=30),
)
@settings(max_examples=300, deadline=None)
def test_few_strings_are_found_as_many_are(strings: list[str], text: str) -> None:
    few = list(string_search.occurrences(strings, 1)(text))
    many = list(string_search.occurrences(strings, string_search._SHORT_SEARCH + 1)(text))
    assert sorted(few) == sorted(many)
    assert [found[2] for found in few] == [found[2] for found in many]


@given(SPANS)
@settings(max_examples=300, deadline=None)
def test_spans_that_are_apart_need_no_merging(given_spans: list[tuple[int, int]]) -> None:
    spans = [Span(start, start + length) for start, length in given_spans]
    made = SpanSet(Spans(spans))
    covered = set[int]()
    for span in sorted(spans):
        covered.update(range(span.start, span.end))
    for at in range(40):
        assert made.touches(at, at + 1) == (at in covered)
    assert SpanSet(spans).covers(0, 1) == (0 in covered)


@pytest.mark.parametrize(
    "value",
    [
        "1.2.3.4",
        "255.255.255.255",
        "256.1.1.1",
        "1.2.3",
        "1.2.3.4.",
        "01.2.3.4",
        "1.2.3.4\n",
        "1.2.3.4/24",
        "::1",
    ],
)
def test_addresses_are_judged_as_the_library_does(value: str) -> None:
    try:
        ipaddress.ip_interface(value)
        wanted = True
    except ValueError:
        wanted = False
    assert ip_address(value) is wanted
