"""Colours of a terminal within a name or a number hide nothing: a search marks what it found in the middle of a word."""

from __future__ import annotations

import pytest

from efface import Sanitizer

RED, MARK, END = "\x1b[31m", "\x1b[01;31m\x1b[K", "\x1b[m\x1b[K"


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer()


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        (f"Yesterday {RED}Anna Kowalska{END} met Dr Omar Haddad in Leeds.", ("Anna", "Kowal", "Haddad")),
        (f"Yesterday Anna Kowal{MARK}ska{END} met Dr Omar Haddad in Leeds.", ("Anna", "Kowal", "ska")),
        (
            f"Patient: {RED}Mar{END}tin {RED}King{END}\nSeen by {MARK}Dr{END} Priest.",
            ("tin", "King", "Priest"),
        ),
        (f"mail bob@{MARK}exam{END}ple.com, card 4111 1111 {MARK}1111{END} 1111", ("bob", "ple", "1111")),
    ],
)
def test_what_has_a_colour_goes(sanitizer: Sanitizer, text: str, gone: tuple[str, ...]) -> None:
    released = sanitizer.redact(text, allow_unproven=True).text
    assert not [piece for piece in gone if piece in released]


def test_a_colour_before_a_name_stays_whole(sanitizer: Sanitizer) -> None:
    released = sanitizer.redact(f"Yesterday {RED}Anna Kowalska met Dr Omar Haddad.", allow_unproven=True)
    assert released.text.startswith(f"Yesterday {RED}[PERSON_1] met")
