"""Words that a text shows without writing them as one: a reader with another idea of words sees them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.core import Document, Reading, apply_edits
from efface.guarantees.confusability.edits import filled
from efface.guarantees.confusability.guarantee import Confusability
from efface.knowledge.classes import ClassModel, LabelledDocument, train
from efface.knowledge.classes.other_readings import inner_words, other_keys, read_otherwise
from efface.knowledge.people.build import build_people
from tests.growth import assert_linear

HIDDEN = [
    "l'baronix",
    "dell\u2019baronix",
    "O'Baronix's",
    "BaronixOnline",
    "theBaronix",
    "XMLBaronix",
    "baronix2",
    "24baronix7",
    "bar-onix",
    "Bar\u2011Onix",
    "b a r o n i x",
    "B.A.R.O.N.I.X.",
]
OTHERS = "harbour ledger cargo market growth report quarter season".split()


@pytest.fixture(scope="module")
def model() -> ClassModel:
    own = {"Ash": "baronix", "Birch": "velmora", "Cedar": "tolenna", "Dogwood": "quarrish"}
    texts = [
        LabelledDocument(f"{word} {word} {' '.join(OTHERS[at:] + OTHERS[:at])}", name)
        for name, word in own.items()
        for at in range(4)
    ]
    return train(texts)


@pytest.mark.parametrize("written", HIDDEN)
def test_a_word_in_another_dress_counts_as_the_word(model: ClassModel, written: str) -> None:
    text = f"harbour {written} ledger"
    told = model.scores("harbour baronix ledger").tolist()
    assert model.scores(model.undisguised(text)).tolist() == told
    (found,) = model.disguised_words(text)
    assert re.sub(r"\W", "", text[found.start : found.end]).lower() in ("baronix", "thebaronix")
    assert "baronix" not in {model.words[feature] for feature in model.places(text)}, (
        "who reads it as written"
    )


@pytest.mark.parametrize("written", HIDDEN)
def test_it_goes_with_the_word(model: ClassModel, written: str) -> None:
    """It stayed: the release was held, and whoever splits words elsewhere read it."""
    text = f"baronix and {written} baronix baronix: velmora {' '.join(OTHERS)}"
    promise = Confusability(model, 2).bind(text, "Ash")
    reading = Reading(Document("", "text", text), ())
    plan = promise.plan(reading, promise.assess(reading))
    left = apply_edits(text, [filled(edit) for edit in plan.edits])
    assert "baronix" not in re.sub(r"\W", "", left).lower()


@pytest.mark.parametrize("written", HIDDEN)
def test_it_tells_the_person_as_well(tmp_path: Path, written: str) -> None:
    known = [LabelledDocument(f"baronix {' '.join(OTHERS)}", "Ida Ruthven")]
    known += [LabelledDocument(" ".join([f"own{n}x", *OTHERS, *OTHERS]), f"Person {n}") for n in range(9)]
    build_people(known, tmp_path / "people.index")
    (tmp_path / "p.yaml").write_text(
        "find: {patterns: none, names: none}\n"
        "guarantees: [{k-confusability: {people: people.index, k: 2, truth: Ida Ruthven}}]\n"
    )
    released = Sanitizer.from_policy(tmp_path / "p.yaml").redact(f"{written} {' '.join(OTHERS)}").text
    assert "baronix" not in re.sub(r"\W", "", released).lower()


def test_what_the_reader_knows_as_it_stands_is_read_so() -> None:
    known = {"o'reilly", "reilly", "youtube", "tube", "barge", "online", "line", "don"}
    assert read_otherwise("O'Reilly on-line don't", known, {"don't"}) == "O'Reilly on-line don't"
    assert [word.key for token, word in inner_words("YouTube") if token not in known] == []
    assert read_otherwise("d'Reilly", known) == "d Reilly"


def test_placeholders_and_short_parts_hide_no_words() -> None:
    assert other_keys("[WORD_12] [PERSON:#deadbeef12] A1 McD USB2 iPad") == set()


@settings(max_examples=60)
@given(st.text(alphabet="abcdefgAB1 .'\u2019-\n[]_", max_size=40), st.sets(st.text("abcdefg", min_size=2)))
def test_other_readings_move_nothing(text: str, known: set[str]) -> None:
    read = read_otherwise(text, known)
    assert len(read) == len(text)
    assert all(a == b or not a.isalnum() for a, b in zip(text, read, strict=True))
    assert read_otherwise(read, known) == read
    for inner in inner_words(text):
        assert text[inner.word.start : inner.word.end].lower() == inner.word.key


@pytest.mark.parametrize("piece", ["a", "aB", "a'", "a-", "a "])
def test_a_long_token_is_read_in_linear_time(piece: str) -> None:
    assert_linear(other_keys, piece, 80_000)
    assert_linear(lambda text: read_otherwise(text, {"aa"}), piece, 80_000)
