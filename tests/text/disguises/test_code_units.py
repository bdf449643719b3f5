"""JSON writes a smiley as two units. A reader that took each for a character stopped the redaction of a plain text."""

from __future__ import annotations

import pytest

import efface
from efface.text.disguises.code_units import with_pairs_joined, without_halves


def test_pairs_are_characters_and_halves_are_none() -> None:
    assert with_pairs_joined("a\ud83d\ude0ab\ud83dc") == "a\U0001f60ab\ufffdc"


def test_without_halves_a_text_is_as_long_as_before() -> None:
    assert without_halves("a\ud83d\ude0ab") == "a\ufffd\ufffdb"


@pytest.mark.parametrize("escaped", [r"\ud83d\ude0a", r"\ud83d", r"\ude0a\ud83d", r"\u{d83d}"])
@pytest.mark.parametrize("deny", [(), ("Zanzibarov",)])
def test_a_text_with_escaped_units_is_released_without_the_name(escaped: str, deny: tuple[str, ...]) -> None:
    text = f'{{"note": "Anna Zanzibarov came {escaped} and left"}}\nand more'
    redaction = efface.redact(text, _policy(*deny), allow_unproven=True)
    assert "Zanzibarov" not in redaction.text


def test_a_denied_name_in_letters_beyond_the_first_plane_is_found_where_it_is_escaped() -> None:
    bold = "".join(chr(0x1D400 + ord(letter) - ord("A")) for letter in "ZANZIBAR")
    escaped = "".join(f"\\u{unit:04x}" for unit in _units(bold))
    redaction = efface.redact(f"She wrote {escaped} on it.", _policy("zanzibar"), allow_unproven=True)
    assert escaped not in redaction.text


def _policy(*deny: str) -> efface.Policy:
    return efface.Policy.model_validate({"find": {"deny": list(deny)}})


def _units(text: str) -> list[int]:
    raw = text.encode("utf-16-be")
    return [int.from_bytes(raw[at : at + 2], "big") for at in range(0, len(raw), 2)]
