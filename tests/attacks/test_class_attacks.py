"""Attackers who see only what was released."""

from __future__ import annotations

import numpy as np
import pytest

from efface.attacks.class_readers import STRONGER, Attacker
from efface.attacks.classes import (
    AttackedDocument,
    RankedDocuments,
    attack_cases,
    attack_from_redacted,
    attack_with_model,
    attack_with_readers,
    chance,
)
from efface.errors import UsageError
from efface.knowledge.classes import LabelledDocument, TrainingSettings, train

TOPICS = {"Acme": "steel furnace coke slag", "Bolt": "loan bank credit bond", "Crane": "rail ship crane port"}


def corpus(size: int = 8) -> list[LabelledDocument]:
    rng = np.random.default_rng(7)
    return [
        LabelledDocument(" ".join(rng.choice(words.split(), 12)) + " company report", name)
        for name, words in TOPICS.items()
        for _ in range(size)
    ]


def test_ties_go_to_the_attacker_and_unknown_classes_are_last() -> None:
    attacker = Attacker(("a", "b", "c"), lambda texts: np.array([[1.0, 1.0, 0.0]] * len(texts)))
    assert attacker.ranks(["x", "y", "z", "w"], ["a", "b", "c", "d"]).tolist() == [1, 1, 3, 4]
    assert attacker.ranks([], []).tolist() == []


def test_the_model_attacks() -> None:
    documents = corpus()
    model = train(documents, TrainingSettings(min_count=1))
    cases = [AttackedDocument("report", d.sensitive, d.text) for d in documents]
    ranks = attack_with_model(model, cases, learned=True)
    before = ranks.success("naive-bayes", 1, chance([8, 8, 8], 1))
    assert before.before == 1.0
    assert before.chance == pytest.approx(1 / 3)
    assert before.documents == 24
    # The document itself is left out, so its own class has one document less: the others come first.
    assert before.after == 0.0
    assert ranks.success("naive-bayes", 3, 1.0).after == 1.0


def test_leaving_out_is_training_without_the_document() -> None:
    documents = corpus(3)
    model = train(documents, TrainingSettings(min_count=1))
    document, rest = documents[4], documents[:4] + documents[5:]
    alone = train(rest, TrainingSettings(min_count=1))
    assert set(alone.words) == set(model.words)
    scores = alone.scores("bank steel report")
    expected = 1 + int((scores > scores[alone.sensitive.index(document.sensitive)]).sum())
    case = AttackedDocument("bank steel report", document.sensitive, document.text)
    assert attack_with_model(model, [case], learned=True).after.tolist() == [expected]


def test_only_released_texts_need_to_be_known_unless_one_is_left_out() -> None:
    model = train(corpus(), TrainingSettings(min_count=1))
    ranks = attack_with_model(model, [AttackedDocument("steel furnace", "Acme")])
    assert ranks.before is None
    assert ranks.success("x", 1, 0.5).before is None
    assert ranks.after.tolist() == [1]
    with pytest.raises(UsageError):
        attack_with_model(model, [AttackedDocument("steel", "Acme")], learned=True)
    with pytest.raises(UsageError):
        attack_with_model(model, [])


@pytest.mark.parametrize("name", sorted(STRONGER))
def test_stronger_attackers_read_plain_texts_and_know_nothing_of_empty_ones(name: str) -> None:
    documents = corpus()
    attacker = STRONGER[name](documents, 0)
    assert attacker.classes == ("Acme", "Bolt", "Crane")
    assert attacker.ranks(list(TOPICS.values()), list(TOPICS)).tolist() == [1, 1, 1]
    two = STRONGER[name]([d for d in documents if d.sensitive != "Crane"], 0)
    assert two.ranks(["steel slag", "bank bond", "rail"], ["Acme", "Bolt", "Crane"]).tolist() == [1, 1, 3]


def test_stronger_attackers_compare_before_and_after_and_never_learned_what_they_attack() -> None:
    documents = corpus()
    cases = [AttackedDocument("[WORD_1] company report", d.sensitive, d.text) for d in documents[::2]]
    cases.append(AttackedDocument("bond credit", "Bolt", "loan bond credit loan"))  # not of the corpus
    found = attack_cases(documents, cases, folds=3)
    assert set(found) == set(STRONGER)
    for name, ranks in found.items():
        assert ranks.before is not None
        success = ranks.success(name, 1, chance([8, 8, 8], 1))
        assert success.documents == 13
        assert success.before == 1.0
        assert success.after < 1.0
        assert ranks.after[-1] == 1
    again = attack_cases(documents, cases, folds=3)
    assert all(again[name].after.tolist() == found[name].after.tolist() for name in found)
    # A document that only itself could give away is not known to who attacks it.
    odd = LabelledDocument("quagga quagga quagga quagga", "Bolt")
    for ranks in attack_cases(
        [*documents, odd], [AttackedDocument(odd.text, odd.sensitive, odd.text)]
    ).values():
        assert ranks.before is not None
        assert ranks.before.tolist() == ranks.after.tolist()
    assert attack_cases(documents, [AttackedDocument("steel", "Acme")])["nearest"].before is None
    with pytest.raises(UsageError):
        attack_cases(documents, [])


def test_chance_is_knowing_only_how_frequent_the_classes_are() -> None:
    assert chance([5, 3, 2], 1) == 0.5
    assert chance([2, 3, 5], 2) == 0.8
    assert chance([], 1) == 0.0
    assert RankedDocuments(None, np.array([1, 2, 3, 4])).success("x", 2, 0.0).after == 0.5


def test_a_reader_of_redacted_documents_learns_what_redaction_itself_tells() -> None:
    """What stands in the place of words may tell as much as they did."""
    marks = {"Acme": "[WORD_1] alpha", "Bolt": "beta [WORD_2]", "Crane": "gamma"}
    cases = [AttackedDocument(f"{mark} report", name) for name, mark in marks.items() for _ in range(5)]
    found = attack_from_redacted(cases)
    assert found.before is None
    assert found.success("redacted", 1, 1 / 3).after == 1.0
    same = [AttackedDocument("[WORD_1] report", name) for name in marks for _ in range(5)]
    assert attack_from_redacted(same).success("redacted", 1, 1 / 3).after < 1.0
    one = [AttackedDocument("x", "Acme"), AttackedDocument("y", "Acme")]
    assert attack_from_redacted(one).after.tolist() == [1, 1], "there is but one class to name"


@pytest.mark.parametrize(("guesses", "success"), [(1, 0.25), (2, 0.5), (9, 1.0)])
def test_a_rank_that_every_class_shares_is_guessed_by_chance_alone(guesses: int, success: float) -> None:
    """A reader of pairs finds none in such texts, so its list says nothing of the class."""
    words = ("alpha", "beta", "gamma", "delta")
    model = train(
        [LabelledDocument(f"{w} {w}", w.upper()) for w in words for _ in range(2)],
        TrainingSettings(min_count=1),
    )
    cases = [AttackedDocument("omega", w.upper()) for w in words]
    for found in attack_with_readers(model, cases).values():
        assert found.rank_guess(guesses) == pytest.approx(success)
    assert attack_with_model(model, cases).rank_guess(guesses) == pytest.approx(success)
