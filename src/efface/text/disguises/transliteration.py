"""Names whose marked letters are spelled out, as passports, mail addresses and old type have them: MUELLER, Soerensen."""

from __future__ import annotations

from unicodedata import normalize

from efface.text.folding import fold_term

_SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "æ": "ae", "ø": "oe", "œ": "oe", "þ": "th", "ð": "d"}
)


def transliterated(name: str) -> str:
    """The normal key of a name with such letters spelled out; "" if it has none."""
    lower = normalize("NFC", name).lower()
    written = lower.translate(_SPELLED_OUT)
    return fold_term(written) if written != lower else ""
