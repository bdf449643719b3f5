"""Characters that are written as two units of UTF-16: `\\ud83d\\ude0a` in JSON is one sign, and half of it is none."""

from __future__ import annotations

import re

_PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
_HALF = re.compile("[\ud800-\udfff]")
_NO_CHARACTER = "\ufffd"


def with_pairs_joined(text: str) -> str:
    """The text with a character for each pair of units, and none for a unit alone."""
    return without_halves(_PAIR.sub(_joined, text)) if _HALF.search(text) else text


def without_halves(text: str) -> str:
    """The text with a replacement character for each half of a surrogate pair. Its length stays the same. No search
    takes such halves."""
    return _HALF.sub(_NO_CHARACTER, text) if _HALF.search(text) else text


def _joined(pair: re.Match[str]) -> str:
    return chr(0x10000 + ((ord(pair[1]) - 0xD800) << 10) + ord(pair[2]) - 0xDC00)
