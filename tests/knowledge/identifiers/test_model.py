"""Models: trained, kept in files, applied to texts."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Edit, apply_edits
from efface.errors import InputError, Refused
from efface.knowledge.identifiers.corpus import LabelledSpan, LabelledText
from efface.knowledge.identifiers.files import _FILE, dumps, loads
from efface.knowledge.identifiers.model import GreedyModel, IdentifierSettings, runs
from efface.knowledge.identifiers.training import TrainingProgress, fingerprint, train
from efface.learners.greedy import apply
from efface.learners.tokens import tokenize
from tests.guarantees.identifiers.toys import GIVEN, SURNAMES, corpus, flags

SETTINGS = IdentifierSettings(learner="crf", min_remaining=100)


@pytest.fixture(scope="module")
def model() -> GreedyModel:
    return train(corpus(), SETTINGS)


def removed(model: GreedyModel, text: str) -> str:
    edits = [Edit(start, end, type_, "", "", f"[{type_}]") for start, end, type_ in model.find(text)]
    return apply_edits(text, edits)


def test_names_go_and_the_rest_stays(model: GreedyModel) -> None:
    text = "Dear Anna, please send the report to Moser before Friday."
    assert removed(model, text) == "Dear [PERSON], please send the report to [PERSON] before Friday."


def test_names_side_by_side_are_one(model: GreedyModel) -> None:
    assert "Yesterday [PERSON] called" in removed(model, "Yesterday Greta Tobler called about the invoice.")


words = st.lists(
    st.sampled_from(
        [*GIVEN[:4], *SURNAMES[:4], "Dear", "Mr.", "the", "report", ",", ".", "\n", "and", "[PERSON_1]"]
    ),
    max_size=25,
).map(" ".join)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(text=words)
def test_nothing_is_left_to_find(model: GreedyModel, text: str) -> None:
    found = model.find(text)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert model.find(removed(model, text)) == ()


@pytest.mark.parametrize(
    ("places", "left"),
    [
        ((0, 1, 2), [(1, 5)]),  # a sign before the word stays, one after it too
        ((1, 3, 4, 5), [(1, 5), (7, 14)]),
        ((0, 2, 6), []),  # signs alone identify nobody
        ((3, 4, 5), [(7, 14)]),  # inside a name they go with it
        ((5, 7), [(10, 14), (16, 17)]),
        ((5, 6, 7), [(10, 14), (16, 17)]),  # never across a line
    ],
)
def test_a_removed_stretch_begins_and_ends_with_a_word(
    places: tuple[int, ...], left: list[tuple[int, int]]
) -> None:
    text = '"Anna" J. Lind\n-x'
    tokens = tokenize(text)
    assert list(tokens.words) == ['"', "Anna", '"', "J", ".", "Lind", "-", "x"]
    assert list(runs(flags(*places, n=8), tokens, text)) == left


def test_an_empty_text_and_one_without_words(model: GreedyModel) -> None:
    assert model.find("") == model.find(" \n ") == ()


def test_the_first_pass_is_the_union_of_all_rounds(model: GreedyModel) -> None:
    text = corpus(1, seed=9)[0].text
    tokens = tokenize(text)
    union = apply(model.categories[0].classifiers, model.view(tokens))
    inside = {place for start, end, _ in model.find(text) for place in range(start, end)}
    assert union.any()
    assert all(int(tokens.starts[at]) in inside for at in union.nonzero()[0])


# --- files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", ["crf", "selection"])
def test_the_same_seed_gives_the_same_bytes(learner: str) -> None:
    chosen = IdentifierSettings(learner=learner, seed=7, min_remaining=100)
    assert dumps(train(corpus(8), chosen)) == dumps(train(corpus(8), chosen))


def test_a_file_gives_the_model_back(model: GreedyModel) -> None:
    data = dumps(model)
    again = loads(data)
    assert dumps(again) == data
    text = corpus(1, seed=4)[0].text
    assert again.find(text) == model.find(text)


def damaged(data: bytes) -> dict[str, bytes]:
    return {
        "empty": b"",
        "another file": b"PK\x03\x04",
        "cut": data[:-100],
        "changed": data[:-30] + bytes([data[-30] ^ 1]) + data[-29:],
        "version": replace(_FILE, version=9).dumps({}),
        "no arrays": _FILE.dumps({}),
    }


def test_damaged_files_are_refused(model: GreedyModel) -> None:
    for name, data in damaged(dumps(model)).items():
        with pytest.raises(InputError):
            loads(data)
            pytest.fail(name)


def test_an_unfinished_run_is_no_model(model: GreedyModel) -> None:
    with pytest.raises(InputError, match="not finished"):
        loads(dumps(model, run="a"))
    assert loads(dumps(model, run="a"), run="a").categories[0].type == "PERSON"


# --- training ---------------------------------------------------------------------------------------------


def test_an_interrupted_run_resumes_and_gives_the_same_bytes() -> None:
    documents = two_types()
    snapshots: list[bytes] = []

    def watch(done: TrainingProgress) -> None:
        snapshots.append(dumps(done.so_far, run="r"))

    whole = dumps(train(documents, SETTINGS, watch))
    for snapshot in snapshots[:-1]:
        assert dumps(train(documents, SETTINGS, resume=loads(snapshot, run="r"))) == whole


def test_the_fingerprint_tells_data_and_settings_apart() -> None:
    marks = {
        fingerprint(corpus(2), SETTINGS),
        fingerprint(corpus(3), SETTINGS),
        fingerprint(corpus(2), IdentifierSettings(learner="svm", min_remaining=100)),
    }
    assert len(marks) == 3


def test_every_round_is_told_with_what_it_removed() -> None:
    told: list[TrainingProgress] = []
    model = train(corpus(), SETTINGS, told.append)
    assert [done.number for done in told] == list(range(1, len(told) + 1))
    assert [done.round.pays for done in told] == [True] * (len(told) - 1) + [False]
    assert len(model.categories[0].classifiers) == len(told) - 1
    for done in told:
        assert int(done.found.sum()) == done.round.counts.positives


def test_too_few_words_left_means_nothing_should_be_published() -> None:
    with pytest.raises(Refused, match="Nothing should be published"):
        train(corpus(4), IdentifierSettings(learner="crf", min_remaining=10_000))


def test_one_document_is_enough_to_learn_from() -> None:
    model = train(corpus(1), IdentifierSettings(learner="selection", min_remaining=10))
    assert model.categories[0].type == "PERSON"


def test_all_words_sensitive() -> None:
    everything = tuple(
        LabelledText(d.name, d.text, (LabelledSpan(0, len(d.text), "ALL"),)) for d in corpus(4)
    )
    model = train(everything, IdentifierSettings(learner="crf", min_remaining=0))
    assert removed(model, "Dear Anna, please") == "[ALL]"


def two_types() -> tuple[LabelledText, ...]:
    documents = []
    for document in corpus(10):
        days = [
            LabelledSpan(at, at + len(day), "DAY")
            for day in ("Friday", "Monday")
            if (at := document.text.find(day)) >= 0
        ]
        documents.append(LabelledText(document.name, document.text, (*document.spans, *days)))
    return tuple(documents)


def test_every_type_has_its_own_classifiers() -> None:
    model = train(two_types(), IdentifierSettings(learner="crf", loss_ratio=2, min_remaining=100))
    assert [category.type for category in model.categories] == ["PERSON", "DAY"]
    text = "Dear Anna, please send the report to Moser before Friday."
    assert removed(model, text) == "Dear [PERSON], please send the report to [PERSON] before [DAY]."


def related_corpus() -> tuple[LabelledText, ...]:
    """The word `Matterhorn` appears only beside Hugo."""
    documents = []
    for number, document in enumerate(corpus(20)):
        if number % 4 == 0:
            text = "Hugo climbed the Matterhorn again .\n\n" + document.text
            shifted = tuple(LabelledSpan(s.start + 37, s.end + 37, s.type) for s in document.spans)
            documents.append(LabelledText(document.name, text, (LabelledSpan(0, 4, "PERSON"), *shifted)))
        else:
            spans = document.spans
            text = document.text.replace("Hugo", "Emma")
            documents.append(LabelledText(document.name, text, spans))
    return tuple(documents)


def test_words_tied_to_an_identifier_are_a_category_of_their_own() -> None:
    model = train(related_corpus(), IdentifierSettings(learner="crf", min_remaining=100, related=0.9))
    assert [category.type for category in model.categories] == ["PERSON", "PERSON_CONTEXT"]
    assert "Matterhorn" not in removed(model, "Hugo climbed the Matterhorn again .")


def test_without_rules_there_is_no_such_category() -> None:
    assert [category.type for category in train(related_corpus(), SETTINGS).categories] == ["PERSON"]
