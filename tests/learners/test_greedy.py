"""GreedySanitize against the paper's definitions on enumerated toys."""

from __future__ import annotations

from itertools import product

import pytest
from experiments.greedy_sanitize.trials import until_it_no_longer_pays
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.learners.classifier import Costs
from efface.learners.greedy import apply, greedy
from tests.guarantees.identifiers import oracle
from tests.guarantees.identifiers.oracle import World, subsets
from tests.guarantees.identifiers.toys import Chosen, Scripted, flags, toy, view_of

N = 4
WORLDS = [
    World(N, sensitive, missed, removed)
    for sensitive in subsets(N)
    for missed, removed in ((1, 1), (3, 1), (1, 2))
]


@pytest.mark.parametrize("world", WORLDS[::3])
def test_lemma_1_splits_the_counts_of_a_union(world: World) -> None:
    for first, second, third in product(subsets(N), repeat=3):
        chosen = [first, second]
        left = world.published(chosen)
        with_it = [*chosen, third]
        assert world.false_negatives(chosen) == world.false_negatives(with_it) + world.true_positives_on(
            third, left
        )
        assert world.false_positives(with_it) == world.false_positives(chosen) + world.false_positives_on(
            third, left
        )


@pytest.mark.parametrize("world", WORLDS)
def test_theorem_2_a_local_optimum_is_where_false_alarms_outweigh_finds(world: World) -> None:
    for chosen, attacker in product(subsets(N), repeat=2):
        left = world.published([chosen])
        finds = world.true_positives_on(attacker, left)
        alarms = world.false_positives_on(attacker, left)
        cheap = finds == 0 or alarms / finds >= world.missed / world.removed
        assert world.is_local_optimum([chosen], attacker) == cheap
        if cheap:  # Theorem 3
            assert finds <= world.removed / world.missed * (N - len(world.sensitive)) or finds == 0


scripts = st.lists(st.frozensets(st.integers(0, 6)), max_size=6)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    sensitive=st.frozensets(st.integers(0, 6)),
    script=scripts,
    costs=st.tuples(st.integers(1, 9), st.integers(1, 9)),
)
def test_rounds_are_those_of_algorithm_1(
    sensitive: frozenset[int], script: list[frozenset[int]], costs: tuple[int, int]
) -> None:
    world = World(7, sensitive, *costs)
    view = view_of("a b c d e f g")
    learner = Scripted([toy(places) for places in script])
    rounds = list(greedy(view, flags(*sensitive, n=7), learner, Costs(*costs)))
    kept = oracle.greedy(world, [*script, frozenset()])
    applied = [step for step in rounds if step.pays]
    assert len(applied) == len(kept)
    assert len(rounds) == len(kept) + 1  # the last is looked at and not applied
    for number, step in enumerate(rounds):
        assert step.loss == world.loss(kept[:number])
    assert rounds[-1].next_loss >= rounds[-1].loss
    removed = apply([step.classifier for step in applied], view)
    assert {place for place in range(7) if not removed[place]} == set(world.published(kept))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(sensitive=st.frozensets(st.integers(0, 6)), script=scripts, ratio=st.integers(1, 9))
def test_the_rounds_for_a_low_ratio_begin_those_for_a_high_one(
    sensitive: frozenset[int], script: list[frozenset[int]], ratio: int
) -> None:
    view, labels = view_of("a b c d e f g"), flags(*sensitive, n=7)
    high = list(greedy(view, labels, Scripted([toy(p) for p in script]), Costs(9, 1)))
    low = list(greedy(view, labels, Scripted([toy(p) for p in script]), Costs(ratio, 1)))
    again = list(until_it_no_longer_pays(high, Costs(ratio, 1)))
    assert [(step.counts, step.loss, step.next_loss) for step in again] == [
        (step.counts, step.loss, step.next_loss) for step in low
    ]


def rounds_of(
    learner: Chosen, n: int = 8, sensitive: tuple[int, ...] = (1, 4, 6)
) -> list[tuple[int, int, bool]]:
    view = view_of(" ".join("abcdefgh"[:n]))
    found = greedy(view, flags(*sensitive, n=n), learner, Costs(2, 1))
    return [(step.counts.true_positives, step.counts.false_positives, step.pays) for step in found]


def test_a_perfect_classifier_ends_after_one_round() -> None:
    assert rounds_of(Chosen(lambda truth, there: truth)) == [(3, 0, True), (0, 0, False)]


def test_a_useless_classifier_is_never_applied() -> None:
    assert rounds_of(Chosen(lambda truth, there: there & ~truth)) == [(0, 5, False)]


def test_one_that_finds_everything_is_applied_only_if_it_pays() -> None:
    assert rounds_of(Chosen(lambda truth, there: there)) == [(3, 5, True), (0, 0, False)]
    assert rounds_of(Chosen(lambda truth, there: there), sensitive=(1, 4)) == [(2, 6, False)]


def test_no_more_rounds_than_words() -> None:
    def one_at_a_time(truth, there):  # type: ignore[no-untyped-def]
        return flags(int(truth.argmax()), n=len(truth)) & truth

    assert len(rounds_of(Chosen(one_at_a_time), sensitive=tuple(range(8)))) == 8 + 1


def test_without_identifiers_nothing_pays() -> None:
    assert rounds_of(Chosen(lambda truth, there: there), sensitive=()) == [(0, 8, False)]


def test_a_run_that_was_interrupted_goes_on_where_it_was() -> None:
    view, labels = view_of("a b c d e f g"), flags(0, 2, 4, n=7)
    script = [toy([0, 1]), toy([2]), toy([4])]
    whole = list(greedy(view, labels, Scripted(list(script)), Costs(5, 1)))
    rest = list(greedy(view, labels, Scripted(script[2:]), Costs(5, 1), known=script[:2]))
    assert [step.counts for step in rest] == [step.counts for step in whole]
