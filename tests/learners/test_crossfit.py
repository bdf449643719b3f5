"""Honest rounds: what a classifier is judged on, it did not learn from."""

from __future__ import annotations

import numpy as np
import pytest

from efface.knowledge.identifiers.training import TrainingTexts
from efface.learners.classifier import Classifier, Costs, Learner, LinearChain
from efface.learners.crossfit import HALVES, CrossFit, parts
from efface.learners.features import FeatureView, Flags
from efface.learners.greedy import Counts, apply, greedy
from efface.learners.selection import SINGLE, SelectedLearner, learner
from tests.guarantees.identifiers.toys import corpus, flags, view_of

ACCURACY = Costs()


def honest(material: TrainingTexts, chosen: Learner, aim: Costs = ACCURACY) -> CrossFit:
    return CrossFit(chosen, aim, parts(material.of_sentence, HALVES, 0))


@pytest.fixture(scope="module")
def material() -> TrainingTexts:
    return TrainingTexts.of(corpus(12))


# --- halves -----------------------------------------------------------------------------------------------


def test_a_document_is_in_one_part() -> None:
    documents = np.array([0, 0, 1, 2, 2, 2, 3])
    found = parts(documents, 2, seed=3)
    assert {len(set(found[documents == one].tolist())) for one in range(4)} == {1}
    assert set(found.tolist()) == {0, 1}
    assert [int((parts(np.arange(10), 5, 0) == one).sum()) for one in range(5)] == [2] * 5


def test_one_document_is_cut_in_stretches() -> None:
    assert parts(np.zeros(6, np.int64), 2, seed=0).tolist() == [0, 0, 0, 1, 1, 1]
    assert parts(np.zeros(1, np.int64), 2, seed=0).tolist() == [0]
    assert parts(np.zeros(0, np.int64), 2, seed=0).tolist() == []


# --- judging ----------------------------------------------------------------------------------------------


class Memory:
    """Knows by heart the words that were sensitive where it learned, and nothing else."""

    name = "memory"

    def fit(self, view: FeatureView, labels: Flags, costs: Costs) -> Classifier:
        weights = np.zeros(view.space.width, np.float32)
        words = view.sentences.ids()
        for word in set(words[labels].tolist()) - set(words[~labels].tolist()):
            starts, columns = view.rows.starts[2], view.rows.columns[2]
            end = starts[word + 1] if word + 1 < len(starts) else len(columns)
            names = [
                name for name, at in view.space.columns[2].items() if at in columns[starts[word] : end - 1]
            ]
            weights[[view.space.columns[2][name] for name in names if name.startswith("w")]] = 2
        return Classifier("memory", ((LinearChain("history", weights, (-1.0, 0.0, 0.0)),),))


def test_a_classifier_that_only_remembers_finds_nothing_it_has_not_seen() -> None:
    """Every half has names of its own: on its training data `Memory` is perfect, and it is worth nothing."""
    view = view_of("meet Anna now", "meet Bruno now")
    sensitive = flags(1, 4, n=6)
    assert (Memory().fit(view, sensitive, Costs()).predict(view) == sensitive).all()
    rounds = CrossFit(Memory(), Costs(), np.array([0, 1]))
    steps = list(greedy(view, sensitive, rounds, Costs(10, 1)))
    assert [(step.counts, step.pays) for step in steps] == [(Counts(0, 0, 2, 4), False)]


def test_what_both_halves_know_is_found() -> None:
    view = view_of("meet Anna now", "see Anna there")
    sensitive = flags(1, 4, n=6)
    rounds = CrossFit(Memory(), Costs(), np.array([0, 1]))
    steps = list(greedy(view, sensitive, rounds, Costs(10, 1)))
    assert [(step.counts.true_positives, step.pays) for step in steps] == [(2, True), (0, False)]


def test_each_part_is_learned_without_its_half(material: TrainingTexts) -> None:
    view, sensitive = material.view, material.labels["PERSON"]
    rounds = honest(material, learner("crf"), Costs(5, 1))
    united = rounds.fit(view, sensitive)
    assert len(united.parts) == HALVES
    expected = np.zeros(len(view), np.bool_)
    for number in range(HALVES):
        known, inside = view.part(rounds.half != number)
        alone = learner("crf").fit(known, sensitive[inside], Costs(5, 1))
        held, outside = view.part(rounds.half == number)
        expected[outside] = alone.predict(held)
        assert (united.part(number).predict(view) == alone.predict(view)).all()
    assert (rounds.judge(united, view) == expected).all()


@pytest.mark.parametrize("name", ["crf", "ensemble", "names"])
def test_the_union_misses_no_more_than_was_counted(name: str, material: TrainingTexts) -> None:
    view, sensitive = material.view, material.labels["PERSON"]
    rounds = honest(material, learner(name))
    united = rounds.fit(view, sensitive)
    counted, whole = rounds.judge(united, view), united.predict(view)
    assert not (counted & ~whole).any()
    assert (whole == np.any([united.part(n).predict(view) for n in range(HALVES)], axis=0)).all()


def test_selection_takes_the_learner_with_the_lowest_loss_on_unseen_halves(material: TrainingTexts) -> None:
    view = material.view
    noisy = material.labels["PERSON"] & (np.random.default_rng(1).random(len(view)) < 0.7)
    costs = Costs(3, 1)

    def loss(name: str) -> float:
        rounds = honest(material, learner(name), costs)
        counts = Counts.of(rounds.judge(rounds.fit(view, noisy), view), noisy, ~view.sentences.marked)
        return 3 * counts.false_negatives + counts.false_positives

    chosen = honest(material, SelectedLearner(), costs).fit(view, noisy).learner
    losses = {name: loss(name) for name in SINGLE}
    assert losses[chosen] == min(losses.values())
    assert len(set(losses.values())) > 1


def test_rounds_that_aim_at_the_loss_leave_less(material: TrainingTexts) -> None:
    view = material.view
    noisy = material.labels["PERSON"] & (np.random.default_rng(5).random(len(view)) < 0.4)
    costs = Costs(20, 1)
    left = []
    for aim in (Costs(), costs):
        steps = greedy(view, noisy, honest(material, learner("crf"), aim), costs)
        removed = apply([step.classifier for step in steps if step.pays], view)
        left.append(int((noisy & ~removed).sum()))
    assert left[1] < left[0]


def test_a_single_sentence_teaches_nothing_that_could_be_checked() -> None:
    view = view_of("meet Anna now")
    rounds = CrossFit(learner("crf"), Costs(), parts(np.zeros(1, np.int64), HALVES, 0))
    steps = list(greedy(view, flags(1, n=3), rounds, Costs(10, 1)))
    assert [step.pays for step in steps] == [False]
