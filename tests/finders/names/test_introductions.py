"""Titles, kinship, closings and lists of people tell names in other languages, whatever else their words mean."""

from __future__ import annotations

import numpy as np
import pytest

from efface.finders.names.introductions import (
    SURE,
    after_english_titles,
    full_english_names,
    introduced,
)
from efface.finders.names.model import PACKAGED
from efface.finders.names.tokens import Vocabulary

VOCABULARY = Vocabulary.load(PACKAGED / "vocab.txt")


def persons(text: str, language: str) -> list[str]:
    """The words that are made persons where the readers see none."""
    words = VOCABULARY.words(text)
    texts = [text[s:e] for s, e in zip(words.starts.tolist(), words.ends.tolist(), strict=True)]
    judged = introduced(np.full((len(words), 3), 0.05, np.float32), words, texts, language)
    return [word for word, row in zip(texts, judged, strict=True) if row[0] >= SURE]


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("Hr. Lykke kan ikke tirsdag.", "da", "Lykke"),
        ("Min fetter Dag er glad.", "no", "Dag"),
        ("Ring fru Glad i dag.", "sv", "Glad"),
        ("El primo Nacho está encantado.", "es", "Nacho"),
        ("Com o vovô Zé para casa.", "pt", "Zé"),
        ("Gestern kam Herr Prof. Dr. von König zu spät.", "de", "König"),
        ("Meneer de Groot kan niet.", "nl", "Groot"),
        ("Je soussignée Églantine déclare.", "fr", "Églantine"),
        ("Songül Hanım geldi.", "tr", "Songül"),
        ("Ihr Anwalt ist RA Stock.", "de", "Stock"),
        ("Kopie an Hrn. Bach.", "de", "Bach"),
        ("Il geom. Riva non viene.", "it", "Riva"),
        ("O Seu Osvaldo leva.", "pt", "Osvaldo"),
        ("O Eng. Matos vai.", "pt", "Matos"),
    ],
)
def test_a_name_follows_a_title_or_a_word_of_kinship(text: str, language: str, name: str) -> None:
    assert persons(text, language) == [name]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Sehr geehrte Frau Bürgermeisterin, das Wetter ist gut.", "de"),
        ("Il primo Ministro parla.", "it"),
        ("La señora de la casa habla.", "es"),
        ("The aunt Mary of English text", "en"),
        ("", "de"),
    ],
)
def test_offices_and_small_words_are_no_names(text: str, language: str) -> None:
    assert persons(text, language) == []


def test_who_signs_below_a_closing_is_a_person() -> None:
    assert persons("Até logo.\n\nBeijos,\nThaís", "pt") == ["Thaís"]
    assert persons("Tak for gaven.\n\nKærlig hilsen\nAsta Bro", "da") == ["Asta", "Bro"]


def test_who_speaks_in_a_conversation_is_a_person() -> None:
    chat = "Duda: vem na casa hoje?\nBeto: sim, com a prima\nDuda: liga pro vizinho"
    assert persons(chat, "pt") == ["Duda", "Beto", "Duda"]


@pytest.mark.parametrize(
    "text",
    [
        "Frage: wann war das?\nAntwort: gestern am Abend\nFrage: und wo?",
        "Betrag: 5 Euro\nDatum: 3. Mai\nBetrag: 7 Euro",
        "Obst: Birnen und Quitten\nSaft: Traube und mehr\nBrot: Roggen und mehr",
    ],
)
def test_fields_and_roles_do_not_speak(text: str) -> None:
    assert persons(text, "de") == []


def test_a_sentence_about_kisses_closes_nothing() -> None:
    assert persons("Ela mandou muitos beijos para todos os amigos da escola.\nDepois foi Embora", "pt") == []


def test_the_lines_of_a_list_of_people_are_persons() -> None:
    assert persons("Deltagere:\n- Bach\n- Friis\n\nEmnet Er Nyt", "da") == ["Bach", "Friis"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bed 3  Mr King, 90M, fall.", ["Mr", "King"]),
        ("Mrs. van der Berg came.", ["Mrs", ".", "van", "der", "Berg"]),
        ("Thank you, Mr Chairman.", []),
        ("Miss you. Dr and nurse.", []),
        ("with help of PC Lorimer today", ["PC", "Lorimer"]),
        ("PC World is shut and so is DC Comics", []),
    ],
)
def test_who_is_called_mister_in_english_is_a_person(text: str, names: list[str]) -> None:
    words = VOCABULARY.words(text)
    places = after_english_titles(text, words.starts, np.zeros((len(words), 3), np.float32))
    assert [words.texts(text)[at] for at in places] == names


def test_a_name_that_the_network_found_is_left_to_it() -> None:
    words = VOCABULARY.words("Mr King fell.")
    assert after_english_titles("Mr King fell.", words.starts, np.ones((len(words), 3), np.float32)) == []


def test_a_full_name_of_the_lists_is_a_person_unless_the_network_was_sure() -> None:
    text = "Ref made - spoke w Bev Marsh bleep 2231. Will Marsh come?"
    words = VOCABULARY.words(text)
    unsure = np.zeros((len(words), 3), np.float32)
    places = full_english_names(text, words.starts, unsure)
    assert [words.texts(text)[at] for at in places] == ["Bev", "Marsh"]
    assert full_english_names(text, words.starts, unsure + np.float32(0.6)) == []
