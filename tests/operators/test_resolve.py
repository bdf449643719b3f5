from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.core import Edit
from efface.operators import resolve
from tests.operators.helpers import edit


@st.composite
def an_edit(draw: st.DrawFn) -> Edit:
    start = draw(st.integers(0, 40))
    return Edit(
        start,
        start + draw(st.integers(1, 9)),
        draw(st.sampled_from(["PERSON", "URL", "DATE_TIME"])),
        draw(st.sampled_from(["a", "b"])),
        draw(st.sampled_from(["rule 1", "rule 2"])),
        draw(st.sampled_from([None, "x", "y"])),
        draw(st.sampled_from([0.3, 0.5, 1.0])),
    )


def resolved_slowly(edits: list[Edit]) -> list[tuple[int, int, str, str, str | None]]:
    """The definition: merge any two groups that share a character until none do; then take the winner."""
    groups = [[e] for e in edits]
    merging = True
    while merging:
        merging = False
        for a in groups:
            for b in groups:
                if a is not b and any(x.span.overlaps(y.span) for x in a for y in b):
                    groups = [g for g in groups if g is not a and g is not b] + [a + b]
                    merging = True
                    break
            if merging:
                break
    out = []
    for group in groups:
        start, end = min(e.start for e in group), max(e.end for e in group)
        best = [e for e in group if e.end - e.start == max(x.end - x.start for x in group)]
        best = [e for e in best if e.score == max(x.score for x in best)]
        best = [e for e in best if e.start == min(x.start for x in best)]
        best = [e for e in best if e.type == min(x.type for x in best)]
        best = [e for e in best if e.key == min(x.key for x in best)]
        best = [e for e in best if e.reason == min(x.reason for x in best)]
        winner = min(best, key=lambda e: (e.replacement is not None, e.replacement or ""))
        alone = (winner.start, winner.end) == (start, end)
        out.append((start, end, winner.type, winner.key, winner.replacement if alone else None))
    return sorted(out)


@given(st.lists(an_edit(), max_size=14))
def test_resolve_is_its_definition(edits: list[Edit]) -> None:
    assert [(e.start, e.end, e.type, e.key, e.replacement) for e in resolve(edits)] == resolved_slowly(edits)


@given(st.lists(an_edit(), max_size=30), st.randoms(use_true_random=False))
def test_resolve_covers_the_union_disjointly_whatever_the_order(edits: list[Edit], random: object) -> None:
    result = resolve(edits)
    covered = [i for e in result for i in range(e.start, e.end)]
    assert len(covered) == len(set(covered))
    assert set(covered) == {i for e in edits for i in range(e.start, e.end)}
    assert list(result) == sorted(result, key=lambda e: e.start)
    assert resolve(result) == result
    shuffled = list(edits)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(shuffled) == result


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        pytest.param(
            [edit(0, 10, "URL", score=0.5), edit(8, 12, "PERSON", score=0.9)],
            [(0, 12, "URL", None)],
            id="the longer names the union",
        ),
        pytest.param(
            [edit(0, 4, "URL", score=0.5), edit(0, 4, "PERSON", score=0.9)],
            [(0, 4, "PERSON", None)],
            id="the higher score wins a tie",
        ),
        pytest.param(
            [edit(0, 4), edit(4, 8)], [(0, 4, "PERSON", None), (4, 8, "PERSON", None)], id="touching"
        ),
        pytest.param([edit(3, 3), edit(5, 4)], [], id="covering nothing"),
        pytest.param(
            [edit(0, 9, replacement="a town"), edit(2, 4)], [(0, 9, "PERSON", "a town")], id="covers it all"
        ),
        pytest.param(
            [edit(0, 9, replacement="a town"), edit(5, 11)], [(0, 11, "PERSON", None)], id="made for a part"
        ),
        pytest.param(
            [edit(0, 5, score=0.1), edit(4, 9, score=0.2), edit(8, 12, "URL", score=0.3)],
            [(0, 12, "PERSON", None)],
            id="a chain is one",
        ),
    ],
)
def test_resolve_table(edits: list[Edit], expected: list[tuple[int, int, str, str | None]]) -> None:
    assert [(e.start, e.end, e.type, e.replacement) for e in resolve(edits)] == expected


def test_very_many_edits_under_one_long_one() -> None:
    edits = [edit(0, 2_000_000, "URL"), *(edit(2 * i, 2 * i + 3) for i in range(200_000))]
    assert [(e.start, e.end) for e in resolve(edits)] == [(0, 2_000_000)]
