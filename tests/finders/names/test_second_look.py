"""The second look at a text: placeholders are one word each, and only what may hold a name is read again."""

from __future__ import annotations

import random

import pytest

import efface
from efface.finders.names.finder import NameFinder
from efface.finders.names.model import Logits, NamesModel, load_model
from efface.finders.names.tokens import CUT, UNKNOWN
from efface.finders.names.windows import WindowRow
from efface.text.placeholder_blank import BLANK

PROSE = (
    "Anna Kowalska met Dr. Omar Haddad in Leeds, and Piotr Zielinski wrote to the Northgate Clinic.",
    "Acme Holdings of Rotterdam, a firm that Margaret O'Neill founded, sold its ships to Delmar Lines.",
    "The minister flew to Nairobi in March 2019 with Judge Okonkwo, as the Daily Courier wrote on Monday.",
    "Ngozi Adeyemi of the Red Cross told Reuters that Camp Seven near Gao had no water for five days.",
)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[WindowRow]:
    read: list[WindowRow] = []
    run = NamesModel.run

    def counted(model: NamesModel, row: WindowRow) -> Logits:
        read.append(row)
        return run(model, row)

    monkeypatch.setattr(NamesModel, "run", counted)
    return read


@pytest.mark.parametrize("length", [1, 10, 60])
def test_a_placeholder_is_one_word_of_one_piece(length: int) -> None:
    words = load_model().vocabulary.words(f"He met {BLANK * length}, there.")
    assert words.pieces.tolist()[2] == UNKNOWN
    assert words.cases.tolist()[2] == CUT
    assert len(words) == len(words.pieces) == 6


@pytest.mark.parametrize(
    "text", ["{} left in the rain.", "The man whom {} met left with {}.", "{}, {} and {}"]
)
def test_a_sentence_with_nothing_but_placeholders_is_not_read(text: str, windows: list[WindowRow]) -> None:
    assert not list(NameFinder().find(text.format(*[BLANK * 10] * 3)))
    assert not windows


@pytest.mark.parametrize(
    "text", ["{} met Anna.", "{} came in 2019.", "{} came yesterday.", "{} wrote to b@c", "met {} again"]
)
def test_a_sentence_that_may_hold_more_is_read(text: str, windows: list[WindowRow]) -> None:
    list(NameFinder().find(text.format(BLANK * 10)))
    assert windows


def test_a_name_left_beside_placeholders_is_found() -> None:
    sanitizer = efface.Sanitizer("names")
    left = "[PERSON_1] and Anna Kowalska met [PERSON_2] in [LOCATION_1]."
    assert "Kowalska" not in sanitizer.redact(left).text


def test_windows_behind_a_change_are_not_read_again(windows: list[WindowRow]) -> None:
    draw = random.Random(7)
    paragraphs = [" ".join(draw.choice(PROSE) for _ in range(draw.randint(1, 4))) for _ in range(90)]
    finder = NameFinder().for_one_document()
    list(finder.find("\n\n".join(paragraphs)))
    whole = len(windows)
    windows.clear()
    paragraphs[5] = f"{BLANK * 9} of {BLANK * 9} said nothing to Reuters."
    list(finder.find("\n\n".join(paragraphs)))
    assert whole > 20
    assert 1 <= len(windows) * 4 <= whole
