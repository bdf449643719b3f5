"""Greetings, closings and verbs of notes have a capital because a line begins with them, and are no names."""

from __future__ import annotations

import pytest

from efface.finders.names.finder import NameFinder
from efface.text.function_words import OPENERS
from efface.text.person_words import given_names


def test_no_opener_is_a_given_name() -> None:
    assert not {word for words in OPENERS.values() for word in words} & given_names()


@pytest.mark.parametrize(
    ("text", "word", "name"),
    [
        ("Hallo Marlene,\n\nder Termin ist am Montag um acht Uhr im großen Raum.", "Hallo", "Marlene"),
        ("Oi Cadu,\n\na festa é na sexta e o bolo já está pronto.\n\nBeijos,\nBia", "Beijos", "Bia"),
        ("Llamar a Rosa mañana por la factura pendiente de la luz.", "Llamar", "Rosa"),
        ("Merhaba Elif, hastanede çok beklemedik ve iyi haber aldık.", "Merhaba", "Elif"),
        ("Hoi Daan,\n\nwe huren zaterdag een grote bus. Neem je ook een jas mee?", "Neem", "Daan"),
    ],
)
def test_an_opener_stays_and_the_name_beside_it_goes(text: str, word: str, name: str) -> None:
    found = " ".join(text[mention.start : mention.end] for mention in NameFinder().find(text))
    assert word not in found
    assert name in found
