"""Training, unlearning, growing, saving."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Span
from efface.errors import EffaceError, InputError, UsageError
from efface.knowledge.classes import ClassModel, LabelledDocument, TrainingSettings, load, save, train
from efface.knowledge.classes.files import _FILE, dumps, loads
from efface.knowledge.classes.training import mutual_information
from tests.guarantees.confusability import oracle
from tests.guarantees.confusability.strategies import CLASSES, WORDS, corpora, texts

ALL = TrainingSettings(min_count=1, readers=("naive-bayes",))


def small(settings: TrainingSettings = ALL) -> ClassModel:
    return train(
        [
            LabelledDocument("steel furnace steel bank", "Acme", ("metal",)),
            LabelledDocument("steel rail rail", "Acme", ("metal", "transport")),
            LabelledDocument("bank loan loan", "Bolt", ("finance",)),
        ],
        settings,
        {"Acme": ["AC"]},
    )


@given(corpora(), texts)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_scores_are_the_definition(documents: list[LabelledDocument], text: str) -> None:
    model = train(documents, ALL)
    assert set(model.words) == {word for d in documents for word in d.text.split()}
    expected = [oracle.score(documents, name, text, model.words) for name in model.sensitive.names]
    assert model.scores(text).tolist() == pytest.approx(expected, abs=1e-4)


@given(corpora())
@settings(deadline=None, derandomize=True, max_examples=60)
def test_features_are_those_with_most_mutual_information(documents: list[LabelledDocument]) -> None:
    counts = {word: sum(d.text.split().count(word) for d in documents) for word in WORDS}
    often = [word for word in WORDS if counts[word] >= 2]
    utilities = [LabelledDocument(d.text, d.utility[0]) for d in documents]
    worth = {
        w: max(oracle.mutual_information(documents, w), oracle.mutual_information(utilities, w))
        for w in often
    }
    model = train(documents, TrainingSettings(features=3))
    assert len(model.words) == min(3, len(often))
    least = min((worth[word] for word in model.words), default=0.0)
    assert all(worth[word] <= least + 1e-9 for word in often if word not in model.words)


def test_mutual_information_by_hand() -> None:
    presence = np.array([[2, 0], [1, 1], [2, 2]], np.uint32)  # three words, two classes of two documents
    assert mutual_information(presence, [2, 2]) == pytest.approx([math.log(2), 0.0, 0.0])


def test_stop_words_words_seen_once_and_single_letters_are_no_features() -> None:
    documents = [LabelledDocument("the the steel steel x x rail", name) for name in "ab"]
    assert train(documents[:1] + documents[1:], TrainingSettings(min_count=3)).words == ("steel",)
    assert train([LabelledDocument("rail steel steel", "a")], TrainingSettings()).words == ("steel",)


def test_ngrams_are_features_when_asked() -> None:
    documents = [LabelledDocument("rolled steel. Cold rolled steel", "a"), LabelledDocument("cold bank", "b")]
    model = train(documents, TrainingSettings(ngrams=2))
    assert set(model.words) == {"rolled", "steel", "cold", "rolled steel"}


def test_words_seen_once_are_forgotten_when_there_are_too_many() -> None:
    rare = [LabelledDocument(f"steel steel unique{number}x", "a") for number in range(50)]
    from efface.knowledge.classes import training as classes_training

    tally = classes_training._Tally(TrainingSettings(vocabulary=20))
    for document in rare:
        tally.add(document)
    assert len(tally.entries.lexicon) <= 21
    assert tally.model({}).words == ("steel",)
    assert int(tally.model({}).sensitive.counts[0, 0]) == 100


def test_the_order_of_documents_does_not_matter() -> None:
    documents = [LabelledDocument(" ".join(WORDS[i : i + 4] * 2), CLASSES[i % 3], ("u",)) for i in range(6)]
    assert dumps(train(documents, ALL)) == dumps(train(documents[::-1], ALL))


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(InputError):
        train([])


def test_documents_without_words_make_classes_without_features() -> None:
    model = train([LabelledDocument("", "a"), LabelledDocument("", "b"), LabelledDocument("…", "b")])
    assert model.words == ()
    assert model.best_guess("anything") == "b"
    assert loads(dumps(model)).sensitive.names == ("a", "b")


@given(corpora(), st.data())
@settings(deadline=None, derandomize=True, max_examples=40)
def test_unlearning_is_never_having_learned(documents: list[LabelledDocument], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(documents) - 1))
    rest = documents[:place] + documents[place + 1 :]
    if documents[place].sensitive not in {d.sensitive for d in rest}:
        return
    model = train(documents, ALL)
    unlearned = model.without(documents[place])
    retrained = train(rest, ALL)
    for labels, fresh in ((unlearned.sensitive, retrained.sensitive), (unlearned.utility, retrained.utility)):
        for name in fresh.names:
            assert labels.documents[labels.index(name)] == fresh.documents[fresh.index(name)]
            for word in model.words:
                left = labels.counts[model.index[word], labels.index(name)]
                known = (
                    fresh.counts[retrained.index[word], fresh.index(name)] if word in retrained.index else 0
                )
                assert left == known
    assert dumps(train(documents, ALL)) == dumps(model)  # the model itself is as before
    if set(retrained.words) == set(model.words):
        assert (
            unlearned.scores(documents[place].text).tolist()
            == retrained.scores(documents[place].text).tolist()
        )


def test_unlearning_a_label_s_only_document_leaves_it_rare_not_impossible() -> None:
    model = small().without(LabelledDocument("bank loan loan", "Bolt", ("finance",)))
    assert np.isfinite(model.sensitive.log_prior).all()
    assert model.sensitive.documents[model.sensitive.index("Bolt")] == 0


@given(corpora(), texts, texts)
@settings(deadline=None, derandomize=True, max_examples=40)
def test_a_class_given_at_run_time_is_as_if_trained(
    documents: list[LabelledDocument], first: str, second: str
) -> None:
    more = [LabelledDocument(first, "Newcomer", ("sector9",)), LabelledDocument(second, "Newcomer")]
    whole = train([*documents, *more], ALL)
    grown = train(documents, ALL).with_class("Newcomer", more)
    assert sorted(grown.words) == sorted(whole.words)
    for text in (first, second, "steel bank"):
        by_name = dict(zip(grown.sensitive.names, grown.scores(text).tolist(), strict=True))
        assert [by_name[name] for name in whole.sensitive.names] == whole.scores(text).tolist()
    assert grown.utility.names[-1] == "sector9"


def test_a_newcomer_s_own_words_become_features_but_not_words_found_wanting_before() -> None:
    documents = [LabelledDocument("common common steel", "a"), LabelledDocument("common common rail", "b")]
    model = train([*documents, *documents], TrainingSettings(features=2))
    assert set(model.words) == {"rail", "steel"}
    grown = model.with_class("New", ["common common zeppelin zeppelin once"], aliases=["Newco"])
    assert set(grown.words) == {"rail", "steel", "zeppelin"}
    assert "Newco" in {spelling.text for spelling in grown.spellings("New")}
    assert len(model.words) == 2


def test_a_class_without_documents_is_refused_and_an_unknown_one_too() -> None:
    with pytest.raises(InputError):
        small().with_class("Empty", [])
    with pytest.raises(UsageError) as caught:
        small().spellings("Zebra Holding")
    assert "Zebra" not in str(caught.value)


def test_several_categories_a_document() -> None:
    model = small()
    assert model.utility.names == ("finance", "metal", "transport")
    assert model.utility.documents.tolist() == [1, 2, 1]
    rail = model.utility.counts[model.index["rail"]]
    assert rail.tolist() == [0, 2, 2]


def test_a_view_counts_what_scoring_counts() -> None:
    for ngrams in (1, 2):
        model = small(TrainingSettings(min_count=1, ngrams=ngrams, readers=("naive-bayes",)))
        text = "Steel, steel rail [WORD_1] bank loan unknown"
        view = model.view(text)
        bag = dict(zip(*(array.tolist() for array in model.bag(text)), strict=True))
        entries: dict[int, int] = {}
        for feature, count in zip(view.features.tolist(), view.counts.tolist(), strict=True):
            entries[feature] = entries.get(feature, 0) + count
        assert entries == bag
        fixed = model.view(text, fixed=[Span(0, len(text))])
        assert dict(fixed.fixed) == bag
        assert not fixed.units
        gone = model.view(text, gone=[Span(0, 5)])
        assert gone.places[gone.units.index("steel")] == ((7, 12),)


def test_same_model_same_bytes_and_back(tmp_path: Path) -> None:
    model = small(TrainingSettings(min_count=1, ngrams=2, smoothing=0.5))
    data = dumps(model)
    assert data == dumps(small(TrainingSettings(min_count=1, ngrams=2, smoothing=0.5)))
    save(model, tmp_path / "clients.model")
    again = load(tmp_path / "clients.model")
    assert dumps(again) == data
    assert again.settings == model.settings
    assert again.aliases == {"Acme": ("AC",)}
    assert again.scores("steel bank rail").tolist() == model.scores("steel bank rail").tolist()
    assert (tmp_path / "clients.model").stat().st_mode & 0o077 == 0


def test_damage_is_noticed() -> None:
    data = dumps(small())
    for place in range(0, len(data), 7):
        broken = bytearray(data)
        broken[place] ^= 1
        with pytest.raises(EffaceError):
            loads(bytes(broken))
    for length in (0, 10, len(data) // 2, len(data) - 1):
        with pytest.raises(InputError):
            loads(data[:length])
    with pytest.raises(InputError, match="another version"):
        loads(replace(_FILE, version=2).dumps({}))


def test_a_whole_file_whose_parts_do_not_fit_is_refused() -> None:
    about = (
        b'{"words": ["a"], "sensitive": ["x"], "utility": [], "aliases": {}, "settings": {"stop_words": []}}'
    )
    arrays = {name: np.zeros(3, np.uint8) for name in ("seen", "sensitive_documents", "sensitive_counts",
                                                       "utility_documents", "utility_counts")}  # fmt: skip
    for content in (about, b"[]", b"not json"):
        with pytest.raises(InputError):
            loads(_FILE.dumps({"about": np.frombuffer(content, np.uint8), **arrays}))
    with pytest.raises(InputError):
        loads(_FILE.dumps({}))
