"""Words with which letters begin and end, and which a finder takes for names: "Kind regards", "Bill to:"."""

from __future__ import annotations

import re

from efface.core import Mention

# How letters begin and end, with what follows there.
_FORMULAS = {
    "kind": re.compile(r"(?:est)?[ \u00a0]+(?:regards|wishes)", re.IGNORECASE),
    "warm": re.compile(r"(?:est)?[ \u00a0]+(?:regards|wishes)", re.IGNORECASE),
    "best": re.compile(r"[ \u00a0]+(?:regards|wishes)|,", re.IGNORECASE),
    "many": re.compile(r"[ \u00a0]+thanks", re.IGNORECASE),
    "yours": re.compile(r"[ \u00a0]+(?:sincerely|faithfully|truly|ever)|,", re.IGNORECASE),
    "hi": re.compile(r"[ \u00a0]+[^\W\d_a-z\[]|[ \u00a0]+\[|[ \u00a0]+(?:all|both|there|team|again)\b|[,!]"),
    "bill": re.compile(r"(?:ed|ing)?[ \u00a0]+(?:to|from)[ \u00a0]*:", re.IGNORECASE),
    "grant": re.compile(r"[ \u00a0]+(?:no\.?|number|ref|reference|agreement)\b", re.IGNORECASE),
}


def is_formula(text: str, mention: Mention, words: list[str]) -> bool:
    """Whether the mention is one word, and what follows makes it a formula."""
    formula = _FORMULAS.get(words[0].lower()) if len(words) == 1 else None
    return formula is not None and formula.match(text, mention.end) is not None
