"""Names in other languages than English, by paragraph."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from efface.core import Document
from efface.errors import InputError, PolicyError
from efface.finders.names import languages as languages_module
from efface.finders.names.chain import (
    LABELS,
    OWN_CHAINS,
    PAIR_PLACES,
    CachedChain,
    ChainWeights,
    NameLists,
    features,
    hashed,
    load_chain,
    marginals,
    pair_feature,
    placed,
)
from efface.finders.names.coverage import COVERED
from efface.finders.names.finder import NameFinder
from efface.finders.names.languages import load_others, segments
from efface.finders.names.model import PACKAGED, NamesModel
from efface.finders.names.tokens import Vocabulary
from efface.policy.bind import bind
from efface.policy.model import parse
from efface.text.language import LanguageStretch

LETTERS = {
    "de": (
        "Herr Karl Müller aus Hamburg wurde von Frau Dr. Anna Weber untersucht und geht wieder nach Hause.",
        2,
    ),
    "fr": ("Le patient Jean Dupont, né à Lyon, a été vu par le docteur Sophie Martin avant de partir.", 2),
    "es": (
        "El señor Carlos García vive en Sevilla y trabaja con su hija Lucía Fernández desde hace años.",
        2,
    ),
    "it": (
        "Il signor Mario Rossi vive a Firenze e lavora con la dottoressa Giulia Bianchi da molti anni.",
        2,
    ),
    "nl": ("De heer Jan de Vries uit Utrecht werkt sinds vorig jaar samen met mevrouw Anneke Bakker.", 2),
    "pt": ("O senhor João Silva vive em Lisboa e trabalha com a doutora Maria Ferreira há muitos anos.", 2),
}


@pytest.mark.parametrize("code", LETTERS)
def test_persons_and_a_place_are_found(code: str) -> None:
    text, persons = LETTERS[code]
    found = list(NameFinder().find(text))
    assert sum(one.type == "PERSON" for one in found) >= persons
    assert any(one.type == "LOCATION" for one in found)


def test_paragraphs_of_several_languages_are_read_each_in_its_own() -> None:
    text = "\n\n".join(
        [LETTERS["de"][0], "The letter was signed by John Carter and that was all.", LETTERS["es"][0]]
    )
    found = {text[one.start : one.end] for one in NameFinder().find(text) if one.type == "PERSON"}
    assert {"Karl Müller", "John Carter", "Carlos García"} <= found


def test_a_name_found_in_one_paragraph_is_found_in_another() -> None:
    text = f"{LETTERS['de'][0]}\n\nThe files of Müller were sent to the court, which has not answered."
    found = [text[one.start : one.end] for one in NameFinder().find(text) if one.type == "PERSON"]
    assert sum("Müller" in name for name in found) == 2


def test_english_reads_as_it_did_without_other_languages() -> None:
    text = "The patient Mary Jones lives in Denver and works for the Bank of America, as her sister has said."
    english = list(NameFinder(languages=("en",)).find(text))
    assert list(NameFinder().find(text)) == english


def test_risk_subject_marks_every_name_in_another_language() -> None:
    text = LETTERS["de"][0]
    found = [text[one.start : one.end] for one in NameFinder(risk="subject").find(text)]
    assert any("Müller" in name for name in found)
    assert any("Weber" in name for name in found)


def test_the_policy_names_languages() -> None:
    bound = bind(parse("efface: 1\nfind: {names: {languages: [de, en]}}\n"))
    finder = bound.finders["names"]
    assert isinstance(finder, NameFinder)
    assert finder.languages == ("de", "en")
    with pytest.raises(PolicyError, match="klingon"):
        bind(parse("efface: 1\nfind: {names: {languages: [klingon]}}\n"))


def test_segments_are_runs_of_words_that_are_read_alike() -> None:
    stretches = [
        LanguageStretch(0, 10, "en"),
        LanguageStretch(10, 20, "de"),
        LanguageStretch(20, 30, "fr"),
        LanguageStretch(30, 40, "en"),
    ]
    starts = np.array([0, 5, 12, 22, 31])
    foreign = [(0, 2, ""), (2, 3, "de"), (3, 4, "fr"), (4, 5, "")]
    assert list(segments(starts, stretches, {"de", "fr"}.__contains__)) == foreign
    assert list(segments(starts, stretches, {"fr"}.__contains__)) == [(0, 3, ""), (3, 4, "fr"), (4, 5, "")]
    assert list(segments(starts, [], {"de"}.__contains__)) == [(0, 5, "")]


@pytest.mark.parametrize("length", [1, 2, 4])
def test_marginals_equal_the_sum_over_all_labellings(length: int) -> None:
    rng = np.random.default_rng(length)
    count = len(LABELS)
    scores = rng.normal(size=(2, 4, count)).astype(np.float32)
    steps = rng.normal(size=(count, count)).astype(np.float32)
    judged = marginals(scores, np.array([length, 4]), steps)
    totals = np.zeros((length, count))
    for labels in itertools.product(range(count), repeat=length):
        own = sum(scores[0, at, label] for at, label in enumerate(labels))
        moves = sum(steps[one, other] for one, other in itertools.pairwise(labels))
        for at, label in enumerate(labels):
            totals[at, label] += np.exp(own + moves)
    assert np.allclose(judged[0, :length], totals / totals.sum(1, keepdims=True), atol=1e-5)


def test_a_word_counts_where_it_stands() -> None:
    name = next(iter(placed(features("Anna"), 0)))
    weights = np.zeros((1, len(LABELS)), np.float32)
    weights[0, 1] = 5.0
    keys, steps = np.array([hashed(name)], np.uint32), np.zeros((len(LABELS), len(LABELS)), np.float32)
    chain = CachedChain(ChainWeights(keys, weights, steps))
    judged = chain.probabilities(["Anna", "und", "Otto"], np.array([0]))
    assert judged[0].argmax() == 1
    assert np.allclose(judged[1:], 1 / len(LABELS))


@pytest.mark.parametrize("place", PAIR_PLACES)
def test_a_pair_counts_where_it_is_seen_from(place: int) -> None:
    """The pair of the third and the fourth letter, seen from each place around the fourth."""
    keys = np.array([hashed(pair_feature("c", "d", place))], np.uint32)
    weights = np.zeros((1, len(LABELS)), np.float32)
    weights[0, 1] = 5.0
    steps = np.zeros((len(LABELS), len(LABELS)), np.float32)
    chain = CachedChain(ChainWeights(keys, weights, steps, pairs=True))
    judged = chain.probabilities(list("abcdef"), np.array([0]))
    assert np.flatnonzero(judged[:, 1] > 0.5).tolist() == [3 - place]


def test_a_list_of_names_is_a_feature() -> None:
    lists = NameLists("G", (np.array(sorted(map(hashed, ("otto", "hanna"))), np.uint32),))
    assert lists("otto").endswith("G")
    assert not lists("stuhl").endswith("G")
    assert any(one.startswith("d") and one.endswith("G") for one in features("Otto", lists)[1])


def test_what_is_covered_is_said() -> None:
    assert {"en", "fr", "es", "pt", "it", "da", "de", "nl", "no", "sv", "fi", "tr"} == COVERED


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        ("Gestern hat [PERSON_1] in [LOCATION_1] mit der Müller GmbH über ihre Wohnung gesprochen.", 0),
        ("Geftern hat Frau Mey.r in Köln ¬ mit dem Anw^lt ■ über ihre Wohn|ung gefprochen und ge•lacht.", 1),
        ("Gisteren heeft mevrouw Bakker met haar advocaat over de nieuwe woning gesproken.", 0),
        ("Giftcren heeft mevr■uw Bakk¬r met haar adv|caat over de nieuwe won•ng gefprok^n.", 1),
        ("Il signor Rossi ha parlato ieri con il suo avvocato della nuova casa in campagna.", 0),
        ("Pan Kowalski rozmawiał wczoraj ze swoim adwokatem o nowym domu na wsi pod miastem.", 1),
    ],
)
def test_german_and_dutch_are_covered_in_clean_text_only(text: str, gaps: int) -> None:
    found = list(NameFinder().gaps(Document("a.txt", "text", text)))
    assert len(found) == gaps


def test_every_chain_has_settings_and_is_read() -> None:
    others = load_others(PACKAGED)
    assert others.own.keys() == {path.stem for path in (PACKAGED / OWN_CHAINS).iterdir()}
    for code in others.own:
        judged = load_chain(PACKAGED, code).probabilities(["Anna", "und", "Otto"], np.array([0]))
        assert np.allclose(judged.sum(1), 1, atol=1e-3)


def test_the_network_for_other_languages_is_read_for_them_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = languages_module.load_network

    def load(folder: Path, expected: str) -> NamesModel:
        asked.append(expected)
        return real(folder, expected)

    monkeypatch.setattr(languages_module, "load_network", load)
    list(NameFinder().find("The roof leaked again, and Mr James Livingston wrote to the landlord about it."))
    assert not asked
    text = "Gestern hat Frau Annegret Kowalczyk in Köln mit dem Anwalt über ihre Wohnung gesprochen."
    assert "Annegret Kowalczyk" in {text[m.start : m.end] for m in NameFinder().find(text)}
    assert asked


def test_a_damaged_network_is_refused(tmp_path: Path) -> None:
    for name in (languages_module.NETWORK, languages_module.PIECES):
        (tmp_path / name).write_bytes(b"other")
    with pytest.raises(InputError, match="damaged"):
        languages_module.load_network(tmp_path, "0" * 64)


def test_words_are_cut_again_in_another_vocabulary() -> None:
    text = "Anna kam"
    one, other = Vocabulary({"anna": 5, "kam": 6}), Vocabulary({"an": 7, "##na": 8, "kam": 9})
    again = other.cut_again(one.words(text), ["Anna", "kam"])
    assert again.pieces.tolist() == other.words(text).pieces.tolist() == [7, 8, 9]
    assert again.heads.tolist() == [0, 2, 3]


def test_japanese_names_are_found_though_the_language_is_not_covered() -> None:
    text = "昨日、東京の病院で佐藤花子さんに会いました。彼女は株式会社日立製作所で働いています。"
    found = {text[mention.start : mention.end] for mention in NameFinder().find(text)}
    assert {"東京", "佐藤花子", "株式会社日立製作所"} <= found
    assert "ja" not in COVERED


def test_chinese_names_are_found_though_the_language_is_not_covered() -> None:
    text = "合同由上海华夏科技有限公司与刘洋签订，地址是南京市中山路12号。刘洋和王小明都在场。"
    found = "".join(text[mention.start : mention.end] for mention in NameFinder().find(text))
    assert all(name in found for name in ("上海华夏科技有限公司", "刘洋", "王小明"))
    assert [gap.reason for gap in NameFinder().gaps(Document("a.txt", "text", text))] == [
        "The names finder does not cover Chinese."
    ]
