"""The attack on a release, its bounds, and the choice of L/C."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from efface.attacks.release import Attack, Residue, attack_release, carry, joined
from efface.attacks.release_bounds import Assumptions, bounds
from efface.attacks.tradeoff import Point, folds, knee, tradeoff
from efface.knowledge.identifiers_corpus import token_labels
from efface.knowledge.identifiers_training import Material
from efface.learners.greedy import Counts
from efface.learners.selection import learner
from efface.learners.tokens import tokenize
from tests.identifiers.toys import corpus, flags

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
    open_ = attack_release(residues(12, "all"))
    assert open_.counts.true_positives > 0.8 * open_.counts.sensitive
    assert open_.found(open_.default_budget) >= open_.counts.true_positives
    assert open_.ratio(open_.default_budget) > 5  # type: ignore[operator]


def test_nothing_left_is_nothing_found() -> None:
    closed = attack_release(residues(12, "none"))
    assert closed.counts.sensitive == 0
    assert closed.found(10**6) == 0


def test_the_attack_is_the_same_twice() -> None:
    one, other = (attack_release(residues(6, "surnames"), seed=2) for _ in range(2))
    assert one.counts == other.counts
    assert (one.ranked == other.ranked).all()


def test_a_release_of_one_document_can_be_attacked() -> None:
    attack = attack_release(residues(1, "all"))
    assert len(attack.ranked) == len(residues(1, "all")[0].tokens)


# --- choosing L/C -----------------------------------------------------------------------------------------


def point(ratio: float, published: float, left: float) -> Point:
    return Point(ratio, published, left, left, 0, 1.0)


def test_the_knee_is_where_the_curve_bends() -> None:
    points = [point(1, 1.0, 1.0), point(5, 0.97, 0.1), point(10, 0.95, 0.08), point(100, 0.5, 0.0)]
    assert knee(points).loss_ratio in (5, 10)
    assert knee(points) == points[1]


def test_a_curve_that_does_not_bend_has_its_safest_point() -> None:
    assert knee([point(1, 0.9, 0.2), point(2, 0.9, 0.2)]).loss_ratio == 1
    assert knee([point(1, 0.9, 0.2), point(2, 0.8, 0.1)]).loss_ratio == 2


def test_folds_share_no_document() -> None:
    material = Material.of(corpus(9))
    parts = list(folds(material, material.labels["PERSON"], 4))
    assert len(parts) == 4
    assert sum(len(part.held) for part in parts) == len(material.view)
    assert all(len(part.held) + len(part.known) == len(material.view) for part in parts)


def test_a_higher_price_of_misses_leaves_no_more() -> None:
    material = Material.of(corpus(12))
    points = tradeoff(material, material.labels["PERSON"], learner("crf"), (0.01, 10.0), count=3)
    cheap, dear = points
    assert (cheap.loss_ratio, dear.loss_ratio) == (0.01, 10.0)
    assert cheap.published >= dear.published
    assert cheap.left >= dear.left
    assert dear.left < 0.2
    assert dear.published < 1
