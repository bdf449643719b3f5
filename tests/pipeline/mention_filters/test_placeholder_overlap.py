"""What efface itself put into a text is no part of a name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Mention, Span
from efface.pipeline.mention_filters.placeholder_overlap import without_placeholders


def _left(text: str, mention: tuple[int, int], ours: list[tuple[int, int]]) -> list[str]:
    found = without_placeholders(
        text, [Mention(*mention, "PERSON", "k", 1.0, "")], [Span(*span) for span in ours]
    )
    return [text[m.start : m.end] for m in found]


@pytest.mark.parametrize(
    ("text", "ours", "left"),
    [
        ("Dr [PERSON_1]", [(3, 13)], []),
        ("[PERSON_1] Smith", [(0, 10)], [" Smith"]),
        ("Anna [X_1] Smith", [(5, 10)], ["Anna ", " Smith"]),
        ("Anna Smith", [], ["Anna Smith"]),
        ("[PERSON_1]", [(0, 10)], ["[PERSON_1]"]),
    ],
)
def test_what_is_left_beside_a_placeholder(text: str, ours: list[tuple[int, int]], left: list[str]) -> None:
    assert _left(text, (0, len(text)), ours) == left


ENDS = st.tuples(st.integers(0, 29), st.integers(1, 6)).map(lambda e: (e[0], min(30, e[0] + e[1])))


@given(ENDS, st.lists(ENDS, max_size=4))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_nothing_of_ours_is_left_and_nothing_else_is_lost(
    mention: tuple[int, int], ours: list[tuple[int, int]]
) -> None:
    text = "abcdefghijklmnopqrstuvwxyzabcd"
    apart_ = list(
        without_placeholders(
            text, [Mention(*mention, "PERSON", "k", 1.0, "")], [Span(*span) for span in ours]
        )
    )
    covered = {at for span in ours for at in range(*span)}
    whole = set(range(*mention))
    if whole <= covered:
        assert [(m.start, m.end) for m in apart_] == [mention]
        return
    kept = {at for m in apart_ for at in range(m.start, m.end)}
    assert not kept & covered
    lost = whole - covered - kept
    for at in lost:  # only stretches too short for a name are dropped
        run = {at}
        while max(run) + 1 in lost:
            run.add(max(run) + 1)
        while min(run) - 1 in lost:
            run.add(min(run) - 1)
        assert len(run) < 3


@pytest.mark.parametrize(
    ("type_", "score", "gap", "stays"),
    [
        ("DATE_TIME", 0.3, 20, False),  # a guess near a placeholder
        ("DATE_TIME", 0.3, 500, True),
        ("DATE_TIME", 0.8, 20, True),
        ("PERSON", 0.3, 20, False),
        ("PERSON", 0.3, 1, True),  # the rest of a name
    ],
)
def test_a_guess_in_a_sentence_with_placeholders_is_none(
    type_: str, score: float, gap: int, stays: bool
) -> None:
    text = "[PERSON_1]" + " " * gap + "Smith"
    mention = Mention(len(text) - 5, len(text), type_, "smith", score, "")
    assert bool(list(without_placeholders(text, [mention], [Span(0, 10)]))) == stays


@pytest.mark.parametrize(
    ("text", "type_", "left"),
    [
        ("[NRP_1] months", "NRP", []),
        ("[NRP_1] weeks and years", "NRP", []),
        ("[LOCATION_1] district of [LOCATION_2]", "LOCATION", []),
        ("the regional court of [LOCATION_1]", "ORGANIZATION", []),
        ("[NRP_1] Months", "NRP", [" Months"]),  # with a capital it can be a name
        ("[LOCATION_1] Falls", "LOCATION", [" Falls"]),
        ("[LOCATION_1] grzegorz", "LOCATION", [" grzegorz"]),  # no ordinary word
        ("[PERSON_1] rose", "PERSON", [" rose"]),  # a surname that somebody did not write with a capital
        ("[DATE_TIME_1] january", "DATE_TIME", [" january"]),
    ],
)
def test_ordinary_words_beside_a_placeholder_are_no_name(text: str, type_: str, left: list[str]) -> None:
    ours = [Span(*match.span()) for match in re.finditer(r"\[[A-Z_]+_\d\]", text)]
    found = without_placeholders(text, [Mention(0, len(text), type_, "k", 1.0, "")], ours)
    assert [text[m.start : m.end] for m in found] == left
