"""The project's own names model as a learner: only its threshold is learned."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError
from efface.knowledge.identifiers import files as identifiers_files
from efface.knowledge.identifiers.files import dumps, loads
from efface.knowledge.identifiers.model import GreedyModel, IdentifierSettings
from efface.knowledge.identifiers.training import train
from efface.learners.classifier import NEVER, Costs
from efface.learners.features import FeatureLexicon, SentenceArrays
from efface.learners.neural import cheapest
from efface.learners.persons import Persons
from efface.learners.tokens import tokenize
from tests.guarantees.identifiers.toys import corpus

TEXT = "Yesterday Greta O'Brien met Dr. Bruno Keller-Lind in the plant .\n\nThe invoice was paid."


@pytest.fixture(scope="module")
def model() -> GreedyModel:
    return train(corpus(8), IdentifierSettings(learner="names", min_remaining=100))


def slow_cost(scores: list[float], truth: list[bool], costs: Costs, threshold: float) -> float:
    found = [score >= threshold for score in scores]
    missed = sum(hidden and not one for one, hidden in zip(found, truth, strict=True))
    in_vain = sum(one and not hidden for one, hidden in zip(found, truth, strict=True))
    return costs.missed * missed + costs.removed * in_vain


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    rows=st.lists(st.tuples(st.integers(-4, 4), st.booleans()), max_size=12),
    costs=st.tuples(st.integers(1, 9), st.integers(1, 9)),
)
def test_the_threshold_is_the_cheapest_of_all(rows: list[tuple[int, bool]], costs: tuple[int, int]) -> None:
    scores, truth = [float(score) for score, _ in rows], [hidden for _, hidden in rows]
    chosen = cheapest(np.array(scores), np.array(truth, np.bool_), Costs(*costs))
    every = {cut: slow_cost(scores, truth, Costs(*costs), cut) for cut in {*scores, NEVER}}
    assert every[chosen] == min(every.values())
    assert chosen == max(cut for cut, cost in every.items() if cost == every[chosen])


def test_tokens_take_the_likeliest_of_the_models_words() -> None:
    tokens = tokenize(TEXT)
    odds = dict(zip(tokens.words, Persons((tokens,)).log_odds.tolist(), strict=True))
    assert min(odds[word] for word in ("Greta", "O'Brien", "Bruno", "Keller", "Lind")) > 0
    assert max(odds[word] for word in ("met", "plant", "invoice", ".")) < 0


def test_parts_of_the_sentences_keep_their_own_probabilities() -> None:
    tokens = (tokenize("The invoice was paid."), tokenize(TEXT))
    whole = SentenceArrays.of(tokens, FeatureLexicon())
    part, inside = whole.part(np.arange(len(whole.lengths)) == 1)
    assert (part.person_log_odds() == whole.person_log_odds()[inside]).all()
    assert part.person_log_odds().max() > 0 > whole.person_log_odds()[:4].max()


def test_it_learns_a_threshold_and_nothing_else(model: GreedyModel) -> None:
    step = model.categories[0].rounds[0]
    assert step.pays and step.classifier.learner == "names"
    assert {
        (chain.kind, len(chain.weights), chain.steps) for part in step.classifier.parts for chain in part
    } == {("names", 0, ())}
    assert [(start, end) for start, end, _ in model.find("Ask Greta about the invoice.")] == [(4, 9)]


def test_a_dearer_miss_lowers_the_threshold() -> None:
    cheap, dear = (
        train(corpus(8), IdentifierSettings(learner="names", loss_ratio=ratio, min_remaining=100))
        .categories[0]
        .rounds[0]
        for ratio in (0.2, 50.0)
    )
    low, high = (step.classifier.parts[0][0].threshold for step in (dear, cheap))
    assert low <= high
    assert dear.counts.false_negatives <= cheap.counts.false_negatives


def test_its_file_gives_the_model_back(model: GreedyModel) -> None:
    data = dumps(model)
    assert loads(data).find(TEXT) == model.find(TEXT)
    assert (
        dumps(loads(data))
        == data
        == dumps(train(corpus(8), IdentifierSettings(learner="names", min_remaining=100)))
    )


def test_a_threshold_means_nothing_with_another_names_model(
    model: GreedyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = dumps(model)
    monkeypatch.setattr(identifiers_files, "digest", lambda: "another")
    with pytest.raises(InputError, match="another names model"):
        loads(data)


def test_other_learners_never_load_it() -> None:
    """A process of its own: whatever ran before has loaded the model here."""
    code = (
        "import sys; from tests.guarantees.identifiers.toys import corpus;"
        "from efface.knowledge.identifiers.model import IdentifierSettings;"
        "from efface.knowledge.identifiers.training import train;"
        "train(corpus(4), IdentifierSettings(learner='crf', min_remaining=10)).find('Dear Anna');"
        "print([name for name in sys.modules if name.startswith(('onnxruntime', 'efface.finders.names'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.strip() == "[]"
