"""The figure over the guessing game's answers: games add up, intervals hold, invented answers are marked."""

from __future__ import annotations

import pytest
from experiments.inference_blocking.figure4 import INVENTED, levels, page, wilson


def _game(k: int, answers: int, people: float | None, error: float) -> dict[str, object]:
    return {
        "players": 2,
        "by_k": [{"k": k, "answers": answers, "people": people, "attackers": {"svm": error}}],
    }


def test_games_are_added_up_by_answers() -> None:
    found = levels([_game(2, 10, 0.5, 1.0), _game(2, 30, 0.1, 0.0), _game(5, 0, None, 1.0)])
    assert [(level.k, level.answers, level.wrong) for level in found] == [(2, 40, 8)]
    assert found[0].error == 0.2
    assert found[0].attackers == {"svm": 0.25}
    assert levels([]) == []


@pytest.mark.parametrize(
    ("wrong", "answers", "low", "high"),
    [(0, 0, 0, 1), (0, 10, 0, 0.278), (5, 10, 0.237, 0.763), (10, 10, 0.722, 1)],
)
def test_intervals(wrong: int, answers: int, low: float, high: float) -> None:
    assert wilson(wrong, answers) == pytest.approx((low, high), abs=1e-3)


def test_what_is_invented_says_so_in_every_row() -> None:
    text = page(levels([INVENTED]), 0, invented=True)
    rows = [line for line in text.splitlines() if line.startswith(("| 1", "| 2", "| 5"))]
    assert len(rows) == 3 and all("(invented)" in row for row in rows)
    assert "Nobody has played yet" in text
    assert "invented" not in page(levels([_game(2, 10, 0.5, 1.0)]), 2, invented=False)
