"""A replacement that reads well: singular or plural as what it replaces, `a` or `an` as it sounds."""

from __future__ import annotations

import re

from efface.knowledge.taxonomy import lexicon

_ARTICLE = re.compile(r"\b([Aa])(n?)(\s+)$")
_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_LIKE_YOU = re.compile(r"(?:uni(?!n)|us[aeiu]|eu|ut[eio]|ubi|one\b|once\b)", re.IGNORECASE)
_MASS = ("ness", "ity", "health", "ism", "guidance", "water", "care", "equipment", "information", "evidence")
_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice"}


def agreeing(label: str, head: str) -> str:
    """The label in the number of the word it stands for."""
    words = label.split(" ")
    if is_plural(head) and not words[-1].endswith(_MASS):
        words[-1] = pluralised(words[-1])
    return " ".join(words)


def capitalised(replacement: str, text: str, start: int) -> str:
    """The replacement with a capital where a sentence begins."""
    before = text[max(0, start - 40) : start].rstrip(" \t\"'([“‘")
    opens = text[start].isupper() and (not before or before[-1] in ".!?:\n")
    return replacement[0].upper() + replacement[1:] if opens else replacement


def is_plural(word: str) -> bool:
    """`cells`, `STDs`, `children`; not `virus`, `AIDS`."""
    if word.isupper():
        return False
    return word[:-1].isupper() or lexicon().key(word).lower() != word.lower()


def pluralised(word: str) -> str:
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    for ending, plural in (("man", "men"), ("sis", "ses")):
        if lower.endswith(ending) and len(lower) > 4:
            return word.removesuffix(ending) + plural
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if lower.endswith(("s", "x", "z", "ch", "sh")) else "s")


def with_article(text: str, start: int, replacement: str) -> tuple[int, str]:
    """Where the edit begins and what it puts there: an article before it that no longer fits is taken in."""
    match = _ARTICLE.search(text, max(0, start - 8), start)
    if match is None:
        return start, replacement
    wanted = "n" if _sounds_open(replacement) else ""
    if match.group(2) == wanted:
        return start, replacement
    return match.start(), f"{match.group(1)}{wanted}{match.group(3)}{replacement}"


def _sounds_open(word: str) -> bool:
    """Whether a word begins with the sound of a vowel."""
    first = word.split(" ", maxsplit=1)[0].split("-", maxsplit=1)[0]
    if first.isupper():  # read letter by letter
        return first[0] in "AEFHILMNORSX"
    lower = first.lower()
    if lower.startswith(_SILENT_H):
        return True
    return lower[:1] in tuple("aeiou") and not _LIKE_YOU.match(lower)
