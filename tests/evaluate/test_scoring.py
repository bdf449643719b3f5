"""The measures against their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.evaluate.calibration import expected_error, judged, reliability
from efface.evaluate.comparing import compare
from efface.evaluate.gold import Gold, GoldCase
from efface.evaluate.scoring import ALL, LEVELS, CaseScore, Predicted, ScoreTally, score, total
from tests.evaluate import oracle

TEXTS = st.text("ab .-1", min_size=1, max_size=24)
KINDS = st.sampled_from(["PERSON", "LOCATION", "CODE"])


@st.composite
def judged_cases(draw: st.DrawFn) -> tuple[GoldCase, list[Predicted]]:
    text = draw(TEXTS)
    ends = st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text))).filter(lambda e: e[0] < e[1])
    gold = st.builds(
        lambda e, kind, entity, identifier: Gold(e[0], e[1], kind, entity, identifier),
        ends,
        KINDS,
        st.sampled_from("xyz"),
        st.sampled_from(["DIRECT", "QUASI", "NO_MASK"]),
    )
    annotations = draw(st.lists(st.lists(gold, max_size=4).map(tuple), min_size=1, max_size=2))
    said = draw(st.lists(st.builds(lambda e, kind: Predicted(e[0], e[1], kind), ends, KINDS), max_size=4))
    return GoldCase("x", text, tuple(annotations)), said


@given(judged_cases())
@settings(max_examples=120, deadline=None, derandomize=True)
def test_every_measure_is_its_definition(drawn: tuple[GoldCase, list[Predicted]]) -> None:
    case, said = drawn
    result = score(case, said, len)
    for level in LEVELS:
        assert result.tallies[level, ALL] == oracle.tally(case, said, level, None)
        for kind in {kind for _, kind in result.tallies} - {ALL}:
            assert result.tallies[level, kind] == oracle.tally(case, said, level, kind)
    for identifier, name in (("DIRECT", "ER_direct"), ("QUASI", "ER_quasi")):
        assert (result.tab[name].found, result.tab[name].gold) == oracle.entity_recall(case, said, identifier)
    right, whole = oracle.weighted_precision(case, said)
    assert (result.tab["weighted_precision"].right, result.tab["weighted_precision"].said) == pytest.approx(
        (right, whole)
    )


@pytest.mark.parametrize(
    ("tally", "recall", "precision", "f1", "f2"),
    [
        (ScoreTally(8, 10, 8, 16), 0.8, 0.5, 2 * 0.8 * 0.5 / 1.3, 5 * 0.8 * 0.5 / (4 * 0.5 + 0.8)),
        (ScoreTally(0, 10, 0, 5), 0.0, 0.0, 0.0, 0.0),
        (ScoreTally(), 1.0, 1.0, 1.0, 1.0),
    ],
)
def test_figures(tally: ScoreTally, recall: float, precision: float, f1: float, f2: float) -> None:
    assert (tally.recall, tally.precision) == (recall, precision)
    assert (tally.f(1), tally.f(2)) == pytest.approx((f1, f2))


def test_an_entity_counts_only_when_all_its_mentions_are_masked() -> None:
    case = GoldCase(
        "x",
        "Ann Lee met Ann",
        ((Gold(0, 7, "PERSON", "e", "DIRECT"), Gold(12, 15, "PERSON", "e", "DIRECT")),),
    )
    once = score(case, [Predicted(0, 7, "PERSON")], len)
    twice = score(case, [Predicted(0, 7, "PERSON"), Predicted(12, 15, "PERSON")], len)
    assert (once.tab["ER_direct"].recall, twice.tab["ER_direct"].recall) == (0.0, 1.0)


def test_what_need_not_be_masked_is_neither_wanted_nor_right() -> None:
    case = GoldCase("x", "the Supreme Court", ((Gold(4, 17, "ORGANIZATION", "e", "NO_MASK"),),))
    result = score(case, [Predicted(4, 17, "ORGANIZATION")], len)
    assert result.tallies["token", ALL] == ScoreTally(0, 0, 0, 2)


def test_unjudged_stretches_count_for_nobody() -> None:
    case = GoldCase("x", "Mr. Ford", ((Gold(4, 8, "PERSON"),),), ((0, 3),))
    assert (
        score(case, [Predicted(0, 3, "PERSON"), Predicted(4, 8, "PERSON")]).tallies["strict", ALL].precision
        == 1.0
    )


def test_calibration() -> None:
    case = GoldCase("x", "Ann Lee Bob", ((Gold(0, 3, "PERSON"),),))
    pairs = list(
        judged(
            case,
            [Predicted(0, 3, "PERSON", 0.9), Predicted(4, 7, "PERSON", 0.9), Predicted(8, 11, "PERSON", 0.2)],
        )
    )
    assert pairs == [(0.9, True), (0.9, False), (0.2, False)]
    bins = reliability(pairs)
    assert [(b.low, b.count, b.right) for b in bins] == [(0.2, 1, 0.0), (0.9, 2, 0.5)]
    assert expected_error(bins) == pytest.approx((0.2 + 2 * 0.4) / 3)
    assert reliability([(1.0, True)])[0].high == 1.0


def _scores(tallies: list[ScoreTally]) -> list[CaseScore]:
    return [CaseScore({("token", ALL): tally}) for tally in tallies]


def test_alike_systems_do_not_differ() -> None:
    same = _scores([ScoreTally(5, 10, 5, 8), ScoreTally(9, 10, 9, 9)])
    for one in compare(same, same):
        assert (one.difference, one.p_value) == (0.0, 1.0)
        assert one.low <= 0.0 <= one.high


def test_a_clear_difference_is_told_from_luck() -> None:
    good, bad = _scores([ScoreTally(9, 10, 9, 10)] * 20), _scores([ScoreTally(5, 10, 5, 10)] * 20)
    for one in compare(good, bad):
        assert one.difference == pytest.approx(0.4)
        assert one.p_value < 0.001
        assert one.low > 0.3


def test_one_case_proves_nothing() -> None:
    good, bad = _scores([ScoreTally(10, 10, 10, 10)]), _scores([ScoreTally(0, 10, 0, 10)])
    assert compare(good, bad)[0].p_value > 0.4


def test_totals_add_up() -> None:
    both = total([CaseScore({("token", ALL): ScoreTally(1, 2, 3, 4)}, {"ER_direct": ScoreTally(1, 1)})] * 2)
    assert both.tallies["token", ALL] == ScoreTally(2, 4, 6, 8)
    assert both.tab["ER_direct"] == ScoreTally(2, 2)
