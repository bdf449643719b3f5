"""Signs of PDF fonts as the letters of their codes.

ZapfDingbats and Symbol show a sign for the code of a letter: a black square for "n". Whoever reads the codes of a page without
its fonts sees the letter beside a word that stays, and must know that word again.
"""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

_LETTERS = ascii_uppercase + ascii_lowercase
_GREEK = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ"  # Symbol, in the order of A to Z and a to z
_DINGBATS = 0x26E0  # so far behind its code in ZapfDingbats a sign stands in Unicode
_OTHER_BLOCKS = {"H": "★", "l": "●", "n": "■", "s": "▲", "t": "▼", "u": "◆", "w": "◗"}
_SIGNS = {chr(_DINGBATS + ord(letter)): letter for letter in _LETTERS}
_SIGNS |= dict(zip(_OTHER_BLOCKS.values(), _OTHER_BLOCKS, strict=True))
_SIGNS |= dict(zip(_GREEK, _LETTERS, strict=True))
_AS_LETTERS = str.maketrans(_SIGNS)


def with_codes_of_signs(text: str) -> str:
    """The text with each sign replaced by the letter that its code stands for. Its length stays the same."""
    return text if text.isascii() else text.translate(_AS_LETTERS)
