"""Organisations of ordinary words are told by their own words or by those before them; departments and rules are not."""

from __future__ import annotations

import pytest

from efface.finders.context.firms_in_context import firms_in_context
from tests.growth import assert_linear


def _found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in firms_in_context(text)]


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("The Premier Inn is noisy.", "Premier Inn"),
        ("She was referred to Mind by her GP.", "Mind"),
        ("He rang Shelter about the arrears.", "Shelter"),
        ("The HSE has closed its file.", "HSE"),
        ("Lavora con l'INPS da anni.", "INPS"),
        ("The bus quote was from Happy Wheels, not them.", "Happy Wheels"),
        ("Mediation by Talking Heads is offered.", "Talking Heads"),
        ("Jeweller, Goldsmith & Daughters, to value.", "Goldsmith & Daughters"),
        ("A paramedic from LifeNet checked me.", "LifeNet"),
        ("The cat was seen at Vets4All today.", "Vets4All"),
    ],
)
def test_an_organisation_of_ordinary_words_is_found(text: str, firm: str) -> None:
    assert firm in _found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Never mind that. Mind the gap, and next please.",
        "He had training with Human Resources and a letter from Head Office.",
        "A claim with Learning Support was made in Year Six.",
        "The policy from Operations Manager and the case with Type Two Diabetes.",
        "HSE 4471 is the number on the form, AXA no 3.",
        "He wrote it in JavaScript and PowerPoint.",
        "The plumber from Manchester came.",
        "A mentor from Anna Kowalska came.",
    ],
)
def test_other_words_with_capitals_are_no_firms(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize("piece", ["Premier ", "quote from ", "by A", "called Aa Bb "])
def test_firms_are_looked_for_in_linear_time(piece: str) -> None:
    assert_linear(lambda text: list(firms_in_context(text)), piece, 50_000)
