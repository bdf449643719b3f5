"""Places that look like something else: "DC" the state and "DC" the officer, "apt. 336" in small letters."""

from __future__ import annotations

import re

from efface.core import Mention
from efface.text.folding import fold_term

_STATES = frozenset(
    "AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA "
    "PR RI SC SD TN TX UT VA VT WA WI WV WY".split()
)
_BEHIND_TOWN = re.compile(r"[^\W\d_],[ \u00a0\n]\Z|\],?[ \u00a0\n]\Z")
_ZIP = re.compile(r"[ \u00a0]\d{5}(?!\d)")
_WHERE = re.compile(r"\b(?:in|to|from|near|outside)[ \u00a0]\Z")
_UNITS = frozenset("apt apartment flat suite ste".split())
_LOOK = 8  # characters before a mention
_SURE = 0.6  # how sure a finder must be of a state that no town and no postcode stands beside


def is_place(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether a find is a place by what stands around it, whatever else its letters mean elsewhere."""
    if mention.type != "LOCATION":
        return False
    return _is_state(text, mention, words) or _is_unit(text, mention, words)


def _is_state(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether two letters are a state of the USA: behind a town, before a postcode, or where a place is expected."""
    if len(words) != 1 or words[0] not in _STATES:
        return False
    before = text[max(0, mention.start - _LOOK) : mention.start]
    if _BEHIND_TOWN.search(before) or _ZIP.match(text, mention.start + len(words[0])):
        return True
    return mention.score >= _SURE and _WHERE.search(before) is not None


def _is_unit(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether a find is a part of a house with its number."""
    has_number = any(map(str.isdigit, text[mention.start : mention.end]))
    return has_number and len(words) == 1 and fold_term(words[0]) in _UNITS
