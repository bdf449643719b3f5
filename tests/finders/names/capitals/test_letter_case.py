"""Small words are doubted as names in text that writes names with capitals."""

from __future__ import annotations

import numpy as np
import pytest

from efface.finders.names.capitals.letter_case import DOUBT, doubted
from efface.finders.names.finder import NameFinder
from efface.finders.names.model import PACKAGED
from efface.finders.names.tokens import Vocabulary

VOCABULARY = Vocabulary.load(PACKAGED / "vocab.txt")


def chances(text: str, kind: int = 0, language: str = "nl") -> dict[str, float]:
    """What is left of a chance of .5 that each word is of a kind."""
    words = VOCABULARY.words(text)
    given = np.full((len(words), 3), 0.1, np.float32)
    given[:, kind] = 0.5
    places = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    texts = [text[start:end] for start, end in places]
    judged = doubted(given, words, texts, language)
    return {word: float(row[kind]) for word, row in zip(texts, judged, strict=True)}


def test_a_small_word_after_a_name_is_doubted() -> None:
    found = chances("De directeur Leo Pardon vroeg water")
    assert found["vroeg"] == found["water"] == pytest.approx(0.5 * DOUBT)
    assert found["Leo"] == found["Pardon"] == 0.5


@pytest.mark.parametrize("text", ["Gisteren kwam Jan van den Berg terug", "Daar zag Piet de la Cruz niets"])
def test_particles_within_a_name_are_not_doubted(text: str) -> None:
    words = text.split()
    found = chances(text)
    assert all(found[word] == 0.5 for word in words[3:5])
    assert found[words[-1]] < 0.5


def test_small_words_may_be_of_an_organisation() -> None:
    text, organisation = "Eilen avasi Helsingin yliopisto ovensa", 2
    assert chances(text, organisation, "fi")["yliopisto"] == 0.5
    assert chances("Toen vroeg De Morgen water", organisation, "nl")["water"] == pytest.approx(0.5 * DOUBT)
    assert chances(text, 0, "fi")["yliopisto"] == pytest.approx(0.5 * DOUBT)


def test_text_without_capitals_is_left_alone() -> None:
    assert set(chances("gisteren kwam jan van den berg terug").values()) == {0.5}
    assert set(chances("Gisteren kwam jan van den berg terug. Hij bleef.").values()) == {0.5}


def test_an_ending_that_is_joined_to_a_name_belongs_to_it() -> None:
    assert chances("Dün akşam Ayşe'nin evine gitti")["nin"] == 0.5


def test_the_finder_marks_no_small_words_after_a_dutch_name() -> None:
    text = (
        "Gedelegeerd bestuurder Etienne Schouppe van de NMBS vroeg zich gisteren af wat de minister wilde.\n"
        "Topman Patrick Du Bois van Sabena sloot zich daarbij aan."
    )
    found = [text[one.start : one.end] for one in NameFinder().find(text) if one.type == "PERSON"]
    assert any("Schouppe" in name for name in found)
    assert not any(name.endswith((" van", " de")) for name in found)


def test_only_particles_are_kept_before_a_person() -> None:
    found = chances("Hij zat in klas van den Broek")
    assert found["van"] == found["den"] == 0.5
    assert found["klas"] == pytest.approx(0.5 * DOUBT)


def test_a_verb_between_two_people_is_doubted() -> None:
    assert chances("Gisteren zei Soraya vertelde Soufiane niets")["vertelde"] == pytest.approx(0.5 * DOUBT)
    assert chances("Dat is het Bureau voor Statistiek", 2, "fr")["voor"] == 0.5


def test_a_full_stop_that_ends_a_sentence_is_of_no_name() -> None:
    assert chances("Afwezig was Lotte. Van Rooij opent")["."] == 0
    assert chances("Daar kwam Dr. Bakker")["."] == 0.5
    assert chances("Daar kwam P. Bakker")["."] == 0.5


def test_two_people_on_both_sides_of_a_full_stop_are_two() -> None:
    text = (
        "De jongen, Thijs Verhoeven, zat in de klas van juf Marloes. Verhoeven werd gisteren gevonden door de buurman.\n"
        "Notulen: aanwezig waren Yvonne van Rooij en Dirk de Hart. Afwezig was Lotte. Van Rooij opent de vergadering."
    )
    found = [text[one.start : one.end] for one in NameFinder().find(text) if one.type == "PERSON"]
    assert not any("." in name for name in found)
    assert {"Lotte", "Marloes"} <= set(found)
