"""Sets of spans against the obvious way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from efface.core import Span, SpanSet

spans = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 6)).map(lambda one: Span(one[0], one[0] + one[1])),
    max_size=8,
)


@given(spans, st.integers(0, 22), st.integers(1, 5))
def test_sets_of_spans_cover_and_touch_as_their_characters_do(
    given_: list[Span], start: int, length: int
) -> None:
    chars = {at for span in given_ for at in range(span.start, span.end)}
    asked = set(range(start, start + length))
    made = SpanSet(iter(given_))
    assert made.touches(start, start + length) == bool(chars & asked)
    assert made.covers(start, start + length) == (asked <= chars)
