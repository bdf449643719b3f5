"""Firms begin before what the readers found of them, and surnames stand behind given names, in other languages."""

from __future__ import annotations

import pytest

from efface.finders.names.finder import NameFinder
from tests.growth import assert_linear


def found(text: str) -> list[tuple[str, str]]:
    return [(mention.type, text[mention.start : mention.end]) for mention in NameFinder().find(text)]


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("Wir danken ihr für alles.\n\nNordlicht Reederei AG\nppa. Sönke Brodersen", "Nordlicht Reederei AG"),
        ("Trabajó en Construcciones Hermanos Peña S.L. hasta mayo.", "Construcciones Hermanos Peña S.L."),
        ("Die Sommer Gartenbau GmbH hat uns ein Angebot gemacht.", "Sommer Gartenbau GmbH"),
        ("Min arbetsgivare är Eks Åkeri AB och jag trivs bra.", "Eks Åkeri AB"),
        ("Hij werkt bij Bouwbedrijf Jansen B.V. in Zwolle.", "Bouwbedrijf Jansen B.V."),
    ],
)
def test_a_firm_is_found_from_its_first_word_to_its_legal_form(text: str, firm: str) -> None:
    assert ("ORGANIZATION", firm) in found(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bitte melden Sie sich im Sekretariat der Goethe-Schule oder rufen Sie an.", "Goethe-Schule"),
        ("Sie liegt seit gestern in der Robert-Koch-Klinik und wartet.", "Robert-Koch-Klinik"),
    ],
)
def test_schools_and_hospitals_with_hyphens_are_found(text: str, name: str) -> None:
    assert "".join(surface for _, surface in found(text)) == name


def test_what_looks_like_a_legal_form_makes_no_firm_in_another_language() -> None:
    assert found("Die Blutgruppe AB ist selten, und das Gewicht nahm um fünf Kilo zu.") == []


def test_a_surname_that_is_an_ordinary_word_follows_its_given_name() -> None:
    text = "Wegen der Rechnung habe ich gestern mit Ihrer Kollegin Beate Kurz telefoniert."
    assert any(surface.endswith("Beate Kurz") for _, surface in found(text))


def test_small_words_and_other_sentences_behind_a_given_name_are_none() -> None:
    text = "Ieri è venuta Beatrice senza dirlo. Domani torna con Bruno. Certo, aspettiamo."
    assert [surface for kind, surface in found(text) if kind == "PERSON"] == ["Beatrice", "Bruno"]


def test_many_firms_take_time_by_their_number() -> None:
    finder = NameFinder()

    sentence = "Die Sommer GmbH und Beate Kurz kamen. "
    list(finder.find(sentence * 1600))  # the network knows the windows of this text after that

    assert_linear(lambda text: list(finder.find(text)), sentence, 1600 * len(sentence))
