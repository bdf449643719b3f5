"""How else a cut string is written: "KA 09 HX 4471" is "ka-09-hx-4471" elsewhere, and Mark Brown has the account "mbrown"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.text.ordinary_words import is_ordinary

_CODES = frozenset({"ID_NUMBER", "CASE_NUMBER", "MEDICAL_RECORD", "VEHICLE_ID"})
_JOINTS = re.compile(r"[\s./-]+")
_HANDLE_LENGTH = 5  # letters: shorter ones are in ordinary words
_LEAST_DIGITS, _LEAST = 4, 6  # of digits, and of letters and digits


def spellings_of_code(type_: str, string: str) -> Iterator[str]:
    """The folded string of a code with its groups joined otherwise."""
    pieces = _JOINTS.split(string)
    if type_ not in _CODES or len(pieces) < 2:
        return
    joined = "".join(pieces)
    if joined.isalnum() and len(joined) >= _LEAST and sum(map(str.isdigit, joined)) >= _LEAST_DIGITS:
        yield from {joined, "-".join(pieces), " ".join(pieces)} - {string}


def handles(words: list[str]) -> Iterator[str]:
    """How accounts and files are called after a person: "markbrown", "m.brown", "mbrown"."""
    if len(words) < 2 or not (words[0].isalpha() and words[-1].isalpha()):
        return
    given, surname = words[0], words[-1]
    for one, other in ((given, surname), (surname, given), (given[0], surname)):
        for joint in (".", "_", "-"):
            yield f"{one}{joint}{other}"
    for joined in (given + surname, surname + given, given[0] + surname, surname + given[0]):
        if len(joined) >= _HANDLE_LENGTH and not is_ordinary(joined):
            yield joined
