"""The objectives' formulas, written out."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from efface.solvers.confusability.objectives import OBJECTIVES, CategoryWorth

ROWS = np.log(np.array([[0.5, 0.2, 0.1], [0.3, 0.3, 0.3], [0.01, 0.4, 0.2]]))
PRIORS = np.array([0.2, 0.5, 0.3])
COUNTS = np.array([7, 3, 11])


def useful(*mine: int) -> CategoryWorth:
    return CategoryWorth(ROWS, PRIORS, COUNTS, np.array(mine))


def test_ova_log_odds_is_the_paper_s_formula() -> None:
    for u in range(3):
        others = [o for o in range(3) if o != u]
        expected = [(1 - PRIORS[u]) * row[u] - sum(PRIORS[o] * row[o] for o in others) for row in ROWS]
        assert OBJECTIVES["OVALogOdds"](useful(u)) == pytest.approx(expected)


def test_odds_ratio_and_freq_log_p() -> None:
    for word in range(3):
        inside = exp(ROWS[word, 0])
        outside = (0.5 * exp(ROWS[word, 1]) + 0.3 * exp(ROWS[word, 2])) / 0.8
        odds = log(inside * (1 - outside) / ((1 - inside) * outside))
        assert OBJECTIVES["OddsRatio"](useful(0))[word] == pytest.approx(odds)
        frequent = COUNTS[word] * log(inside / outside)
        assert OBJECTIVES["FreqLogP"](useful(0))[word] == pytest.approx(frequent)


def test_info_gain_does_not_depend_on_the_category_and_is_never_negative() -> None:
    for word in range(3):
        chances = np.exp(ROWS[word])
        overall = float(chances @ PRIORS)
        expected = sum(
            p * (c * log(c / overall) + (1 - c) * log((1 - c) / (1 - overall)))
            for p, c in zip(PRIORS, chances, strict=True)
        )
        for mine in range(3):
            assert OBJECTIVES["InfoGain"](useful(mine))[word] == pytest.approx(expected)
    assert OBJECTIVES["InfoGain"](useful(0))[1] == pytest.approx(0)
    assert (OBJECTIVES["InfoGain"](useful(0)) >= -1e-12).all()


def test_words_that_speak_for_the_category_are_worth_more() -> None:
    for name in ("OVALogOdds", "OddsRatio", "FreqLogP"):
        values = OBJECTIVES[name](useful(0))
        assert values[0] > 0 > values[2]
        assert values[1] == pytest.approx(0)


def test_several_categories_share() -> None:
    both = OBJECTIVES["OVALogOdds"](useful(0, 1))
    expected = [0.3 * (row[0] + row[1]) / 2 - 0.3 * row[2] for row in ROWS]
    assert both == pytest.approx(expected)
    assert OBJECTIVES["count"](useful(0)).tolist() == [1, 1, 1]


def test_all_categories_at_once_leave_nothing_to_tell_apart() -> None:
    for name in OBJECTIVES:
        assert np.isfinite(OBJECTIVES[name](useful(0, 1, 2))).all()
