"""Words that the readers do not know and that a person reads as words that they know."""

from __future__ import annotations

import random

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Document, Plan, Reading, Span, apply_edits
from efface.guarantees.confusability.edits import filled
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes import ClassModel, LabelledDocument, train
from efface.knowledge.people.build import build_people

OWN = {"Ash": "furnace", "Birch": "velmora", "Cedar": "tolenna", "Dogwood": "quarrish"}
OTHERS = "harbour ledger cargo market growth report quarter season".split()
HIDDEN = ["Furnaces", "furnacing", "furn4ce", "fur nace", "fur-na-ce", "fu r na ce", "thefurnace"]


@pytest.fixture(scope="module")
def model() -> ClassModel:
    texts = [
        LabelledDocument(f"{word} {word} the {' '.join(OTHERS[at:] + OTHERS[:at])}", name)
        for name, word in OWN.items()
        for at in range(4)
    ]
    return train(texts)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    folder = tmp_path_factory.mktemp("people")
    known = [LabelledDocument(f"furnace {' '.join(OTHERS)}", "Ida Ruthven")]
    known += [LabelledDocument(" ".join([f"own{n}x", *OTHERS, *OTHERS]), f"Person {n}") for n in range(9)]
    build_people(known, folder / "people.index")
    (folder / "p.yaml").write_text(
        "find: {patterns: none, names: none}\n"
        "guarantees: [{k-confusability: {people: people.index, k: 2, truth: Ida Ruthven}}]\n"
    )
    return Sanitizer.from_policy(folder / "p.yaml")


def read(text: str, inserted: tuple[Span, ...] = ()) -> Reading:
    return Reading(Document("", "text", text), (), inserted)


def left_of(text: str, plan: Plan) -> str:
    return apply_edits(text, [filled(edit) for edit in plan.edits])


@pytest.mark.parametrize("written", HIDDEN)
def test_a_disguised_word_that_tells_is_found_and_goes(model: ClassModel, written: str) -> None:
    """It stayed, under `held`: the readers did not know it, and a person read it."""
    text = f"{written} {written} {written} velmora tolenna quarrish"
    promise = Confusability(model, 3, secret=SecretRank(b"a key of 16 bytes and more")).bind(text, "Ash")
    findings = promise.assess(read(text))
    assert findings
    assert findings[0].terms
    left = left_of(text, promise.plan(read(text), findings))
    assert written not in left
    assert not promise.assess(read(left))


@pytest.mark.parametrize("written", HIDDEN)
def test_it_goes_with_the_word_that_it_says(model: ClassModel, written: str) -> None:
    text = f"furnace furnace velmora tolenna and {written}"
    promise = Confusability(model, 3).bind(text, "Ash")
    left = left_of(text, promise.plan(read(text), promise.assess(read(text))))
    assert "furnace" not in left
    assert written not in left


def test_a_disguised_word_of_a_rival_hides_nobody(model: ClassModel) -> None:
    """A reader who does not see through the disguise finds the true class first."""
    text = "furnace velmora velmora tolennas quarrishes"
    promise = Confusability(model, 2).bind(text, "Ash")
    assert not promise.assess(read(text))
    text = "furnace velmoras velmoras velmoras tolennas"
    assert promise.bind(text, "Ash").assess(read(text))


def test_disguised_words_that_tell_nothing_stay(model: ClassModel) -> None:
    text = "furnace velmora tolenna quarrish ledgers har bour growths"
    promise = Confusability(model, 2).bind(text, "Ash")
    left = left_of(text, promise.plan(read(text), promise.assess(read(text))))
    assert "har bour" in left
    assert "ledgers" in left


@pytest.mark.parametrize("written", HIDDEN)
def test_it_tells_the_person_as_well(people: Sanitizer, written: str) -> None:
    assert written not in people.redact(f"{written} {' '.join(OTHERS)}").text


def _dressed(word: str, chance: random.Random) -> str:
    at = chance.randint(1, len(word) - 1)
    dresses = (f"{word}s", f"{word[:at]} {word[at:]}", f"{word[:at]}-{word[at:]}", word.replace("o", "0"))
    return chance.choice((word, word, *dresses, f"{word.title()}Online", f"the{word}", " ".join(word)))


@pytest.mark.parametrize("seed", (1, 2, 3, 4, 5, 7))  # of 0 and 6 no release is possible
def test_both_readings_of_a_release_mislead_every_reader(seed: int) -> None:
    """A reader of the words as they are written was forgotten where disguised words spoke for rivals."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("bdlmnrstaeiou", k=chance.randint(5, 8))) for _ in range(20)]
    weights = {name: [chance.random() ** 4 for _ in words] for name in OWN}
    documents = []
    for name in [*OWN, *OWN]:
        documents.append(LabelledDocument(" ".join(chance.choices(words, weights[name], k=20)), name))
    model = train(documents)
    text = " ".join(_dressed(word, chance) for word in chance.choices(words, weights["Ash"], k=15))
    promise = Confusability(model, 2, method="simple").bind(text, "Ash")
    while findings := promise.assess(read(text)):
        text = left_of(text, promise.plan(read(text), findings))
    for reading in (text, model.undisguised(text)):
        for name, scores in model.all_scores(reading).items():
            nothing = scores[0] == 0 and (name in ("cosine", "bm25", "bigrams") or not scores.any())
            assert (nothing and name != "naive-bayes") or max(scores[1:]) > scores[0]
