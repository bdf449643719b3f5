"""Capitals and small letters with and without accents, in alphabets that have both."""

from __future__ import annotations

import re

import pytest

from efface.text.letter_classes import CAPITAL, SMALL


@pytest.mark.parametrize("letter", "aéßñøłšıțđệаёω")
def test_a_small_letter_is_no_capital(letter: str) -> None:
    assert re.fullmatch(SMALL, letter)
    assert not re.fullmatch(CAPITAL, letter)


@pytest.mark.parametrize("letter", "AÉÑØŁŠİȚĐỆЁΩ")
def test_a_capital_is_no_small_letter(letter: str) -> None:
    assert re.fullmatch(CAPITAL, letter)
    assert not re.fullmatch(SMALL, letter)


@pytest.mark.parametrize("sign", "אع王9_- ")
def test_letters_without_case_are_either_and_signs_are_neither(sign: str) -> None:
    assert bool(re.fullmatch(CAPITAL, sign)) is bool(re.fullmatch(SMALL, sign)) is sign.isalpha()
