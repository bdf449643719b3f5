"""Names in front of their mail addresses, as mails list people: "Okafor, Blessing <blessing.okafor@example.org>".

A name may be made of ordinary words. The address tells that it is somebody's when it is made of the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from efface.core import Mention
from efface.learners.names import is_given_name
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import is_ordinary
from efface.text.person_words import WORD_NAMES

_SCORE = 0.9  # surer than a bare shape, less sure than a label
ADDRESSED = "its mail address is made of it"
_WORD = rf"{CAPITAL}[^\W\d_]+(?:['’-][^\W\d_]+)*"
_NAME = rf"{_WORD}(?:,?[ \u00a0](?:{_WORD}|{CAPITAL}\.?)){{1,3}}"
_ADDRESS = re.compile(r"[\"”'’]?[ \u00a0]?<(?:mailto:)?(?P<local>[\w.+'-]{2,64})@")
_ENDS = re.compile(rf"(?<![\w'’.-])(?P<name>{_NAME})\Z")
_LONGEST = 80  # characters of a name
_LETTERS = re.compile(r"[^\W\d_]+")


def addressed_names(text: str) -> Iterator[Mention]:
    """The names that stand before an address in angle brackets that is made of them."""
    for address in _ADDRESS.finditer(text):
        low = max(0, address.start() - _LONGEST)
        found = _ENDS.search(text[low : address.start()])
        if found is None:
            continue
        words = _LETTERS.findall(fold_term(found["name"]))
        if _is_made_of(fold_term(address["local"]), words) and any(map(_may_be_name, words)):
            start = low + found.start("name")
            yield Mention(start, address.start(), "PERSON", fold_term(found["name"]), _SCORE, ADDRESSED)


def _is_made_of(local: str, words: Sequence[str]) -> bool:
    """Whether one word is in the local part, and of the others each or its initial. A middle initial may be missing."""
    rest = "".join(_LETTERS.findall(local))
    whole = [word for word in words if len(word) > 1 and word in rest]
    for word in whole:
        rest = rest.replace(word, "", 1)
    others = [word for word in words if word not in whole]
    every = sorted(word[0] for word in others)
    needed = sorted(word[0] for word in others if len(word) > 1)
    return bool(whole) and sorted(rest) in (every, needed)


def _may_be_name(word: str) -> bool:
    return len(word) > 1 and (is_given_name(word) or word in WORD_NAMES or not is_ordinary(word))
