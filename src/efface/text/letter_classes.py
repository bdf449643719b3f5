"""Capitals and small letters as pieces of regular expressions, in every alphabet that has both.

`[^\\W\\d_a-z]` takes the "é" of "était" for a capital. A letter of a script without capitals counts as either.
"""

from __future__ import annotations

_WITH_BOTH = (*range(0x100, 0x180), *range(0x1A0, 0x1B1), *range(0x218, 0x21C), *range(0x1EA0, 0x1EFA))
_SMALL = "a-z\u00df-\u00f6\u00f8-\u00ff\u03ac-\u03ce\u0430-\u045f" + "".join(
    letter for letter in map(chr, _WITH_BOTH) if letter.islower()
)
_CAPITALS = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0386-\u03ab\u0400-\u042f" + "".join(
    letter for letter in map(chr, _WITH_BOTH) if letter.isupper()
)

CAPITAL = rf"[^\W\d_{_SMALL}]"  # one letter that is no small one
SMALL = rf"[^\W\d_{_CAPITALS}]"  # one letter that is no capital
