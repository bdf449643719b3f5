"""The attack on a release, its bounds, and the choice of L/C."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from efface.attacks.release import (
    SEEDS,
    Attack,
    Residue,
    Trial,
    attack_release,
    carry,
    joined,
    upper_share,
    worst,
)
from efface.attacks.release_bounds import Assumptions, bounds
from efface.attacks.tradeoff import TradeoffPoint, folds, knee, tradeoff
from efface.batch.release_attack import ReleaseAttack, TypeAttack
from efface.knowledge.identifiers.corpus import token_labels
from efface.knowledge.identifiers.training import TrainingTexts
from efface.learners.greedy import Counts
from efface.learners.selection import SINGLE, learner
from efface.learners.tokens import tokenize
from tests.guarantees.identifiers.toys import corpus, flags

FIGURE_1 = Counts(3, 6, 2, 15)


def ranked(counts: Counts) -> Attack:
    """The identifiers of each half stand first in it."""
    order = [True] * counts.true_positives + [False] * counts.false_positives
    order += [True] * counts.false_negatives + [False] * counts.true_negatives
    return Attack(np.array(order), counts, ("crf",))


# --- utilities --------------------------------------------------------------------------------------------


def test_chance_is_the_mean_over_all_choices() -> None:
    attack = ranked(Counts(2, 1, 1, 3))
    picks = list(combinations(attack.ranked.tolist(), 3))
    assert attack.by_chance(3) == pytest.approx(sum(map(sum, picks)) / len(picks))


def test_the_papers_example() -> None:
    """Figure 1: 26 instances, budget 20; within each half the order is arbitrary, so on average."""
    expected = 3 + (20 - 3 - 6) * 2 / (2 + 15)
    assert expected / ranked(FIGURE_1).by_chance(20) == pytest.approx(1.11, abs=0.01)


def test_what_is_read_and_found() -> None:
    attack = ranked(FIGURE_1)
    assert [attack.found(budget) for budget in (0, 2, 9, 11, 26, 99)] == [0, 2, 3, 5, 5, 5]
    assert attack.default_budget == 9
    assert ranked(Counts(0, 0, 0, 5)).ratio(3) is None


def test_parts_are_read_positives_first() -> None:
    both = joined([ranked(Counts(1, 0, 0, 2)), ranked(Counts(0, 1, 1, 1))])
    assert both.counts == Counts(1, 1, 1, 3)
    assert both.ranked[:2].sum() == 1
    assert both.ranked.sum() == 2


# --- bounds -----------------------------------------------------------------------------------------------


def test_the_bounds_are_those_of_the_theorems() -> None:
    last = Counts(4, 60, 8, 928)
    given = Assumptions(loss_ratio=10, n=1000, alpha=0.05, v=3).estimated(FIGURE_1, last)
    assert (given.m, given.p, given.q) == (1000, 7.5, 0.004)
    assert (given.r, given.s) == (0.2, 3.0)
    third, fourth, fifth, sixth = bounds(ranked(FIGURE_1), 20, given)
    assert third.bound == pytest.approx(95)
    assert fourth.bound == pytest.approx(951 / 11)
    deviation = math.sqrt(41 / 1000 * (3 * math.log(2 * math.e * 1000 / 3) + math.log(4 / 0.05)))
    assert given.deviation() == pytest.approx(deviation)
    gain = (1 + 1 / 7.5) * 0.004 * 10 - deviation
    assert gain < 0  # too little data: no bound
    assert fifth.bound == sixth.bound == math.inf
    assert third.vacuous and fourth.vacuous and fifth.vacuous and sixth.vacuous


def test_with_enough_data_the_finite_bounds_are_finite() -> None:
    given = Assumptions(1000, 10**6, 0.05, m=10**7, v=2, p=2, q=0.01, r=0.001, s=50)
    attack = ranked(Counts(10, 600, 2, 900_000))
    third, fourth, fifth, sixth = bounds(attack, 2000, given)
    gain = 1.5 * 0.01 * 1000 - given.deviation()
    factor = 0.001 * (1 + 1 / 50)
    assert fifth.bound == pytest.approx(factor * 950_000 / gain)
    assert sixth.bound == pytest.approx(950_001 * factor / (factor + gain))
    assert third.bound == 950 and not third.vacuous
    assert not fifth.vacuous and not sixth.vacuous
    assert all(one.measured is not None for one in (third, fourth, fifth, sixth))


@pytest.mark.parametrize(
    ("counts", "budget", "why"),
    [
        (FIGURE_1, 5, "budget"),
        (Counts(1, 20, 5, 1), 26, "worse than chance"),
        (FIGURE_1, 20, ""),
    ],
)
def test_theorem_4_says_where_it_does_not_apply(counts: Counts, budget: int, why: str) -> None:
    given = Assumptions(10, 1000, 0.05).estimated(counts, None)
    fourth = list(bounds(ranked(counts), budget, given))[1]
    assert why in fourth.why_not
    assert bool(why) == bool(fourth.why_not)


def test_theorems_5_and_6_need_the_last_classifier() -> None:
    given = Assumptions(10, 1000, 0.05, v=10)
    for last, why in ((None, "give the model"), (Counts(0, 0, 9, 900), "found no identifier")):
        found = list(bounds(ranked(FIGURE_1), 20, given.estimated(FIGURE_1, last)))
        assert [why in one.why_not for one in found] == [False, False, True, True]


# --- labels on what was released --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("released", "left"),
    [
        ("Anna met Bruno in Rome", ["Anna", "Bruno"]),
        ("[PERSON_1] met Bruno in Rome", ["Bruno"]),
        ("Emil met Otto in Rome", []),
        ("", []),
        ("Anna Bruno", ["Anna", "Bruno"]),
        ("Bruno and somebody met in Rome", ["Bruno"]),
        ("[PERSON_1] met [PERSON_2] in Rome, says BRUNO", ["BRUNO"]),
    ],
)
def test_labels_follow_words_into_the_release(released: str, left: list[str]) -> None:
    before, after = tokenize("Anna met Bruno in Rome"), tokenize(released)
    found = carry(flags(0, 2, n=5), before, after)
    assert [word for word, hidden in zip(after.words, found, strict=True) if hidden] == left


def residues(documents: int, leave: str) -> list[Residue]:
    found = []
    for document in corpus(documents):
        before = tokenize(document.text)
        labels = token_labels(before, document.spans, "PERSON")
        text = document.text
        for span in reversed(document.spans):
            if leave == "none" or (leave == "surnames" and text[span.start : span.end] in "Anna Emma Hugo"):
                text = text[: span.start] + "[PERSON_1]" + text[span.end :]
        after = tokenize(text)
        found.append(Residue(after, carry(labels, before, after), len(before), int(labels.sum())))
    return found


def test_an_attacker_finds_what_was_left_in_the_open() -> None:
    trials = attack_release(residues(12, "all"))
    most, budget = worst(trials)
    assert most.attack.found(budget) > 0.8 * most.attack.counts.sensitive
    assert most.attack.ratio(budget) > 5  # type: ignore[operator]
    assert {trial.learner for trial in trials} == set(SINGLE)
    assert len({trial.seed for trial in trials}) == SEEDS


def test_no_attacker_finds_more_than_the_one_who_counts() -> None:
    trials = attack_release(residues(12, "surnames"))
    most, budget = worst(trials)
    for trial in trials:
        assert all(trial.attack.found(few) <= most.attack.found(budget) for few in trial.attack.budgets)
    given, asked = worst(trials, 7)
    assert asked == 7
    assert given.attack.found(7) == max(trial.attack.found(7) for trial in trials)


def test_nothing_left_is_nothing_found() -> None:
    closed, budget = worst(attack_release(residues(12, "none")))
    assert closed.attack.counts.sensitive == 0
    assert closed.attack.found(budget) == closed.attack.found(10**6) == 0


def test_the_attack_is_the_same_twice() -> None:
    both = [attack_release(residues(6, "surnames"), seed=2) for _ in range(2)]
    for one, other in zip(*both, strict=True):
        assert one.attack.counts == other.attack.counts
        assert (one.attack.ranked == other.attack.ranked).all()


def test_a_release_of_one_document_can_be_attacked() -> None:
    for trial in attack_release(residues(1, "all")):
        assert len(trial.attack.ranked) == len(residues(1, "all")[0].tokens)


def test_the_documents_of_what_was_read_are_known() -> None:
    given = residues(6, "all")
    for trial in attack_release(given):
        left = np.bincount(trial.attack.documents[trial.attack.ranked], minlength=len(given))
        assert left.tolist() == [int(one.sensitive.sum()) for one in given]


def _found(ranked: list[bool], documents: list[int], learner: str = "crf", seed: int = 0) -> list[Trial]:
    flags_ = np.array(ranked)
    attack = Attack(flags_, Counts(int(flags_.sum()), 0, 0, 0), (), np.array(documents))
    return [Trial(learner, seed, attack)]


def test_few_identifiers_prove_little() -> None:
    nothing = _found([False] * 10, [0] * 10)
    assert upper_share(nothing, 10, [20, 10]) == pytest.approx(0.1)
    assert upper_share(nothing, 10, [3_000, 3_000]) < 0.001


def test_what_one_document_gives_away_makes_the_rest_uncertain() -> None:
    one = _found([True] * 5, [0] * 5, "svm")
    assert upper_share(one, 5, [100] * 10) > 5 / 1_000
    even = _found([True] * 10, list(range(10)))
    assert upper_share(even, 10, [100] * 10) == pytest.approx(0.01)
    assert upper_share([*even, *one], 10, [100] * 10) == upper_share(one, 5, [100] * 10)


def test_attackers_that_differ_by_their_seed_make_the_verdict_uncertain() -> None:
    """Three seeds find 8, 4 and 6 of 1,000: another one may find more than ten."""
    lucky, poor, usual = (
        _found([True] * count, list(range(count)), seed=seed)[0] for seed, count in enumerate((8, 4, 6))
    )
    alone = upper_share([lucky], 10, [100] * 10)
    assert upper_share([lucky, poor, usual], 10, [100] * 10) > max(alone, 0.01)
    assert upper_share([lucky, lucky, lucky], 10, [100] * 10) == pytest.approx(alone)


def test_another_seed_adds_attackers_and_takes_none_away() -> None:
    given = residues(8, "surnames")
    usual, other = attack_release(given), attack_release(given, seed=SEEDS + 2)
    shown = [(trial.learner, trial.seed, trial.attack.counts) for trial in other]
    assert [(trial.learner, trial.seed, trial.attack.counts) for trial in usual] == shown[: len(usual)]
    assert {trial.seed for trial in other} == {*range(SEEDS), SEEDS + 2}


# --- choosing L/C -----------------------------------------------------------------------------------------


def point(ratio: float, published: float, left: float) -> TradeoffPoint:
    return TradeoffPoint(ratio, published, left, left, 0, 1.0)


def test_the_knee_is_where_the_curve_bends() -> None:
    points = [point(1, 1.0, 1.0), point(5, 0.97, 0.1), point(10, 0.95, 0.08), point(100, 0.5, 0.0)]
    assert knee(points).loss_ratio in (5, 10)
    assert knee(points) == points[1]


def test_a_curve_that_does_not_bend_has_its_safest_point() -> None:
    assert knee([point(1, 0.9, 0.2), point(2, 0.9, 0.2)]).loss_ratio == 1
    assert knee([point(1, 0.9, 0.2), point(2, 0.8, 0.1)]).loss_ratio == 2


def test_folds_share_no_document() -> None:
    material = TrainingTexts.of(corpus(9))
    parts = list(folds(material, material.labels["PERSON"], 4))
    assert len(parts) == 4
    assert sum(len(part.held) for part in parts) == len(material.view)
    assert all(len(part.held) + len(part.known) == len(material.view) for part in parts)


def test_a_higher_price_of_misses_leaves_no_more() -> None:
    material = TrainingTexts.of(corpus(12))
    points = tradeoff(material, material.labels["PERSON"], learner("crf"), (0.01, 10.0), count=3)
    cheap, dear = points
    assert (cheap.loss_ratio, dear.loss_ratio) == (0.01, 10.0)
    assert cheap.published >= dear.published
    assert cheap.left >= dear.left
    assert dear.left < 0.2
    assert dear.published < 1


# --- the verdict ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unlabelled", "upper", "verdict"), [(0, 0.1, "held"), (3, 0.1, "unproven"), (3, 0.005, "held")]
)
def test_nothing_left_where_labels_are_says_little_of_other_files(
    unlabelled: int, upper: float, verdict: str
) -> None:
    """Thirty identifiers, none left: with files that nobody labelled that is too few to tell."""
    closed = ranked(Counts(0, 0, 0, 500))
    one = TypeAttack("PERSON", closed, 30, 5, Assumptions(10, 500, 0.06), (), (), upper)
    assert ReleaseAttack((one,), 4, unlabelled, 0.01).verdict == verdict
