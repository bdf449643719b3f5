from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from efface.core import Document, Edit, Part, Span, SpanSet, apply_edits
from efface.text.alignment import Alignment


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, tuple[Edit, ...]]:
    text = draw(st.text("abcdef", max_size=30))
    cuts = sorted(set(draw(st.lists(st.integers(0, len(text)), max_size=8))))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits = tuple(Edit(a, b, "T", "k", "r", draw(st.text("XY", max_size=4))) for a, b in pairs if a < b)
    return text, edits


@given(edited())
def test_replacements_stand_where_the_alignment_says(case: tuple[str, tuple[Edit, ...]]) -> None:
    text, edits = case
    alignment = Alignment(edits)
    after = apply_edits(text, edits)
    assert [after[s.start : s.end] for s in alignment.inserted] == [e.replacement for e in edits]


@given(edited(), st.data())
def test_back_covers_what_it_came_from(case: tuple[str, tuple[Edit, ...]], data: st.DataObject) -> None:
    text, edits = case
    alignment = Alignment(edits)
    after = apply_edits(text, edits)
    if not after:
        return
    start = data.draw(st.integers(0, len(after) - 1))
    end = data.draw(st.integers(start + 1, len(after)))
    back = alignment.back(Edit(start, end, "T", "k", "r"))
    assert 0 <= back.start <= back.end <= len(text)
    # Slow oracle: the original position of every character of the edited text.
    origins: list[tuple[int, int]] = []
    position = 0
    for edit in edits:
        origins += [(i, i + 1) for i in range(position, edit.start)]
        origins += [(edit.start, edit.end)] * len(edit.replacement or "")
        position = edit.end
    origins += [(i, i + 1) for i in range(position, len(text))]
    covered = origins[start:end]
    assert back.start <= min(a for a, _ in covered)
    assert back.end >= max(b for _, b in covered)


@given(edited())
def test_parts_move_with_the_text(case: tuple[str, tuple[Edit, ...]]) -> None:
    text, edits = case
    middle = len(text) // 2
    document = Document("d", "text", text, (Part("a", 0, middle), Part("b", middle, len(text))))
    planned = Alignment(edits).planned(document)
    assert planned.parts[0].start == 0
    assert planned.parts[-1].end == len(planned.text)
    assert all(part.start <= part.end for part in planned.parts)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), max_size=6),
    st.integers(0, 25),
    st.integers(1, 6),
)
def test_span_set_against_a_set_of_positions(spans: list[tuple[int, int]], start: int, size: int) -> None:
    covered = {p for a, n in spans for p in range(a, a + n)}
    span_set = SpanSet(Span(a, a + n) for a, n in spans)
    wanted = set(range(start, start + size))
    assert span_set.covers(start, start + size) == (wanted <= covered)
    assert span_set.touches(start, start + size) == bool(wanted & covered)
