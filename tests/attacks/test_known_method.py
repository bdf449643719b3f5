"""Guesses of one who knows the method, beside their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.attacks.known_method import RankedText, joint_ranks, rank_guess, rank_guess_left_out
from efface.knowledge.classes import LabelledDocument, TrainingSettings, train


def text(rows: list[list[int]], truth: int) -> RankedText:
    return RankedText(np.array(rows), truth)


def test_a_planner_that_stops_at_k_is_found_out_by_one_rank_and_by_all_ranks() -> None:
    stopped = [text([[1, 2, 3, 4], [2, 1, 3, 4]], 2) for _ in range(5)]
    assert rank_guess(stopped) == rank_guess_left_out(stopped) == 1.0
    assert all(places.tolist() == [1] * 5 for places in joint_ranks(stopped, 3).values())


def test_a_rank_that_fits_one_text_alone_is_luck_and_not_counted() -> None:
    spread = [text([[1 + (place + n) % 4 for place in range(4)]], 0) for n in range(4)]
    assert rank_guess(spread) == 0.25
    assert rank_guess_left_out(spread) == 0.0


def test_a_class_that_a_reader_ranks_better_than_k_is_no_candidate() -> None:
    found = joint_ranks([text([[1, 2, 3], [3, 2, 1]], 1)], 2)
    assert found["sum"].tolist() == found["worst"].tolist() == [1]


def test_a_tied_rank_is_no_hit() -> None:
    assert rank_guess([text([[1, 2, 2]], 1)]) == 0.0


@given(st.lists(st.permutations(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=4))
def test_ranks_are_those_of_the_scores(texts: list[list[str]]) -> None:
    words = ("alpha", "beta", "gamma", "delta")
    model = train([LabelledDocument(f"{w} {w}", w.upper()) for w in words], TrainingSettings(min_count=1))
    for some in texts:
        released = " ".join(some[:2])
        found = RankedText.of(model, released, "ALPHA")
        for row, scores in zip(found.ranks, model.all_scores(released).values(), strict=True):
            assert row.tolist() == [1 + int((scores > score).sum()) for score in scores]


@pytest.mark.parametrize("guess", [rank_guess, rank_guess_left_out])
def test_nothing_attacked_is_nothing_found(guess: object) -> None:
    assert callable(guess)
    assert guess([]) == 0.0
