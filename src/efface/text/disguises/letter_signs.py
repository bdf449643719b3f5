"""Digits and signs that people write for letters: "Wh1tc0mb3", "Wh!tcom8e", "Zanzib@rov"."""

from __future__ import annotations

import re

_DIGITS, _OF_DIGITS = "02345789", "ozeastbg"
_SIGNS, _OF_SIGNS = "@$€", "ase"
_BARS = "1|!"  # for i, and for l
# Every reading of these: the bars are all i or all l.
LEET = (
    str.maketrans(_BARS + _DIGITS + _SIGNS, "iii" + _OF_DIGITS + _OF_SIGNS),
    str.maketrans(_BARS + _DIGITS + _SIGNS, "lll" + _OF_DIGITS + _OF_SIGNS),
)
LEET_LETTERS = frozenset("il" + _OF_DIGITS + _OF_SIGNS)
# Where one may be meant: beside a letter. "!" ends a sentence, so it is one only between two letters.
LEET_SPOT = re.compile(r"[0-57-9|@$€](?:(?<=[^\W\d_].)|(?=[^\W\d_]))|!(?<=[^\W\d_].)(?=[^\W\d_])")
# One letter for all that look alike, and signs that are letters in one reading and nothing in another.
COARSE_FROM = "i" + _BARS + _DIGITS + _SIGNS
COARSE_TO = "llll" + _OF_DIGITS + _OF_SIGNS
SIGNS = "|!" + _SIGNS
