"""Learners: what they learn, that it is crfsuite's own, and what the costs change."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import UsageError
from efface.knowledge.identifiers.training import TrainingTexts
from efface.learners.adaboost import _features
from efface.learners.classifier import Costs, LinearChain
from efface.learners.crf import Crf, items_of
from efface.learners.features import FeatureView, Flags, Floats
from efface.learners.greedy import Counts
from efface.learners.selection import NAMES, learner
from efface.learners.svm import history
from tests.guarantees.identifiers.toys import corpus, flags, view_of


@pytest.fixture(scope="module")
def material() -> TrainingTexts:
    return TrainingTexts.of(corpus())


def labels_of(material: TrainingTexts) -> Flags:
    return material.labels["PERSON"]


def counts(view: FeatureView, found: Flags, truth: Flags) -> Counts:
    return Counts.of(found, truth, ~view.sentences.marked)


# --- features ---------------------------------------------------------------------------------------------


def test_scores_are_the_matrix_times_the_weights(material: TrainingTexts) -> None:
    view = material.view
    weights = np.random.default_rng(0).normal(size=view.space.width).astype(np.float32)
    assert np.allclose(view.scores(weights), view.matrix() @ weights.astype(np.float64))


def test_a_word_never_seen_has_only_the_features_that_were(material: TrainingTexts) -> None:
    space = material.view.space
    rows = space.rows(["Zyxwv"])
    names = {name for place in space.columns for name in place}
    assert "wzyxwv" not in names
    assert all(columns[-1] == space.width for columns in rows.columns)


def test_removed_words_are_the_mark_to_the_next_round(material: TrainingTexts) -> None:
    gone = labels_of(material)
    view = material.view.without(gone)
    assert (view.sentences.marked == gone).all()
    assert not material.view.sentences.marked.any()


def test_a_part_of_the_sentences_has_the_same_features(material: TrainingTexts) -> None:
    view = material.view
    chosen = np.arange(len(view.sentences.lengths)) % 3 == 1
    part, tokens = view.part(chosen)
    weights = np.random.default_rng(1).normal(size=view.space.width).astype(np.float32)
    assert np.allclose(part.scores(weights), view.scores(weights)[tokens])


def test_the_pairs_of_adaboost_are_the_sparse_matrix(material: TrainingTexts) -> None:
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    view, truth = material.view, labels_of(material)
    matrix = sparse.hstack([view.matrix(), sparse.csr_matrix(history(view.sentences, truth))], format="csr")
    tokens, columns = np.arange(1, len(view), 2), np.arange(0, matrix.shape[1], 3)
    ours = _features(view, truth).of_tokens(tokens).of_columns(columns)
    theirs = matrix[tokens][:, columns]
    chance = np.random.default_rng(2)
    weights, votes = chance.normal(size=len(tokens)), chance.normal(size=len(columns))
    assert len(ours.tokens) == theirs.nnz > 100
    assert np.allclose(ours.weighed(weights), theirs.T @ weights)
    assert np.allclose(ours.sums(votes, len(tokens)), theirs @ votes)


# --- decoding ---------------------------------------------------------------------------------------------


def test_log_odds_are_the_marginals_of_crfsuite(material: TrainingTexts, tmp_path) -> None:  # type: ignore[no-untyped-def]
    import pycrfsuite

    view, truth = material.view, labels_of(material)
    chain = Crf().fit(view, truth, Costs()).parts[0][0]
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c2": Crf().penalty, "max_iterations": Crf().iterations})
    trainer.set("feature.possible_transitions", True)
    sequences = list(items_of(view))
    for first, items in sequences:
        trainer.append(items, ["1" if hidden else "0" for hidden in truth[first : first + len(items)]])
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    theirs = []
    for _, items in sequences:
        tagger.set(items)
        theirs += [tagger.marginal("1", place) for place in range(len(items))]
    ours = 1 / (1 + np.exp(-chain.scores(view)))
    assert np.abs(ours - np.array(theirs)).max() < 1e-3


def slow_marginals(emitted: Floats, lengths: list[int], steps: tuple[float, ...]) -> list[float]:
    """Every labelling of every sentence, weighed."""
    found: list[float] = []
    at = 0
    for length in lengths:
        here = emitted[at : at + length]
        odds = np.zeros((length, 2))
        for number in range(2**length):
            path = [number >> place & 1 for place in range(length)]
            score = sum(e for e, label in zip(here, path, strict=True) if label)
            score += sum(steps[2 * a + b] for a, b in itertools.pairwise(path))
            for place, label in enumerate(path):
                odds[place, label] += np.exp(score)
        found += np.log(odds[:, 1] / odds[:, 0]).tolist()
        at += length
    return found


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    lengths=st.lists(st.integers(1, 5), min_size=1, max_size=4),
    seed=st.integers(0, 10**6),
)
def test_marginals_and_history_equal_their_definitions(lengths: list[int], seed: int) -> None:
    view = view_of(*(" ".join("abcde"[:length]) for length in lengths))
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=view.space.width).astype(np.float32)
    steps = tuple(rng.normal(size=4).tolist())
    emitted = view.scores(weights)
    assert np.allclose(
        LinearChain("marginal", weights, steps).scores(view), slow_marginals(emitted, lengths, steps)
    )
    bias, one, two = steps[:3]
    expected: list[float] = []
    for length in lengths:
        answers: list[bool] = []
        for _ in range(length):
            score = emitted[len(expected)] + bias
            score += one * (len(answers) > 0 and answers[-1]) + two * (len(answers) > 1 and answers[-2])
            answers.append(bool(score >= 0))
            expected.append(score)
    assert np.allclose(LinearChain("history", weights, steps[:3]).scores(view), expected)


def test_history_does_not_reach_over_the_sentence() -> None:
    view = view_of("a b c", "d e")
    columns = history(view.sentences, flags(1, 2, 3, n=5))
    assert columns.tolist() == [[0, 0], [0, 0], [1, 0], [0, 0], [1, 0]]


# --- learning ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_learner_learns_names(name: str, material: TrainingTexts) -> None:
    truth = labels_of(material)
    found = learner(name).fit(material.view, truth, Costs()).predict(material.view)
    seen = counts(material.view, found, truth)
    assert seen.true_positives > 0.9 * truth.sum()
    assert seen.false_positives < 0.05 * truth.sum()


@pytest.mark.parametrize("name", NAMES)
def test_every_learner_gives_the_same_twice(name: str, material: TrainingTexts) -> None:
    one, other = (learner(name, 3).fit(material.view, labels_of(material), Costs()) for _ in range(2))
    assert one.learner == other.learner
    for ours, theirs in zip(one.parts[0], other.parts[0], strict=True):
        assert ours.weights.tobytes() == theirs.weights.tobytes()
        assert (ours.steps, ours.threshold) == (theirs.steps, theirs.threshold)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_and_everything_sensitive(name: str, material: TrainingTexts) -> None:
    view = material.view
    none = np.zeros(len(view), np.bool_)
    assert not learner(name).fit(view, none, Costs()).predict(view).any()
    assert learner(name).fit(view, ~none, Costs()).predict(view).all()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_removed_is_neither_learned_from_nor_found_again(name: str, material: TrainingTexts) -> None:
    truth = labels_of(material)
    left = material.view.without(truth)
    found = learner(name).fit(left, truth, Costs()).predict(left)
    assert not (found & truth).any()
    assert not found.any()


@pytest.mark.parametrize("name", ["crf", "svm", "adaboost", "ensemble"])
def test_costs_make_a_learner_find_more(name: str, material: TrainingTexts) -> None:
    view = material.view
    noisy = labels_of(material) & (np.random.default_rng(5).random(len(view)) < 0.4)
    plain, eager = (
        counts(view, learner(name).fit(view, noisy, costs).predict(view), noisy)
        for costs in (Costs(), Costs(50, 1))
    )
    assert eager.false_negatives < plain.false_negatives
    assert eager.false_positives > plain.false_positives


def test_the_threshold_of_a_crf_is_where_removing_is_cheaper() -> None:
    assert Costs(9, 1).threshold == pytest.approx(0.1)
    view, truth = view_of("a b", "a c"), flags(1, n=4)
    chain = Crf().fit(view, truth, Costs(9, 1)).parts[0][0]
    assert chain.threshold == pytest.approx(np.log(0.1 / 0.9))


def test_an_unknown_learner_is_refused() -> None:
    with pytest.raises(UsageError, match="no learner"):
        learner("oracle")
