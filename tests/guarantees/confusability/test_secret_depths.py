"""The secret numbers of a document: ranks for each reader, and the place for all readers together."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.guarantees.confusability.secret_depths import SecretDepths
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes.joint_ranks import JointPlaces, joint_places, rank_table

KEY = SecretRank(b"a key of 16 bytes and more")
READERS = ("one", "two", "three")


def depths(text: str, k: int = 5, classes: int = 48) -> SecretDepths:
    return SecretDepths(KEY, k, text, READERS, classes)


@given(st.text(max_size=20), st.integers(2, 12), st.integers(1, 60))
def test_ranks_stay_between_k_and_2k_and_within_the_classes(text: str, k: int, classes: int) -> None:
    drawings = depths(text, k, classes).drawings
    assert drawings == depths(text, k, classes).drawings
    for drawn in drawings:
        assert all(k <= rank <= max(k, min(2 * k, classes)) for rank in drawn.values())
    assert set(drawings[-1].values()) == {k}


@given(st.text(max_size=20), st.integers(2, 12), st.integers(1, 60))
def test_each_next_plan_is_at_least_as_deep(text: str, k: int, classes: int) -> None:
    before = depths(text, k, classes).drawings[0]
    for ranks in depths(text, k, classes).deeper():
        assert all(ranks[name] >= min(before[name], classes - 1) for name in READERS)
        assert all(ranks[name] <= max(k, classes - 1) for name in READERS)
        before = ranks


def test_a_narrow_range_favours_no_rank() -> None:
    """With 12 classes and k = 10 the rank is one of three; the remainder of another range favoured two of them."""
    drawn = Counter(depths(f"document {n}", 10, 12).drawings[0]["one"] for n in range(1500))
    assert set(drawn) == {10, 11, 12}
    assert max(drawn.values()) < 1.2 * min(drawn.values())


@pytest.mark.parametrize("k", [3, 5, 10])
def test_no_place_is_the_truth_more_often_than_once_in_k(k: int) -> None:
    """If every text is hidden just as deep as it must be, the place is spread evenly over 1 to k."""
    reached: Counter[int] = Counter()
    for number in range(200 * k):
        drawn = depths(f"document {number}", k)
        places = range(1, k + 1)
        reached[next(place for place in places if drawn.hides(JointPlaces(place, k)))] += 1
    assert set(reached) == set(range(1, k + 1))
    assert max(reached.values()) / (200 * k) < 1.3 / k


def test_nothing_secret_is_shown() -> None:
    assert "document" not in repr(depths("document")) and "16 bytes" not in repr(depths("document"))


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=6, max_size=6), min_size=1, max_size=4), st.integers(2, 4)
)
def test_places_are_the_definition(scores: list[list[int]], k: int) -> None:
    ranks = rank_table([np.array(row, np.float64) for row in scores])
    for truth in range(6):
        keys = []
        for one in range(6):
            column = [1 + sum(other > row[one] for other in row) for row in scores]
            keys.append((min(column) < k, sum(column), max(column)))
        places = joint_places(ranks, truth, k)
        by_sum = [(struck, total) for struck, total, _ in keys]
        by_worst = [(struck, worst) for struck, _, worst in keys]
        assert places.by_sum == 1 + sum(key < by_sum[truth] for key in by_sum)
        assert places.by_worst == 1 + sum(key < by_worst[truth] for key in by_worst)
