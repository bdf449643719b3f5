"""A replacement that reads well: singular or plural as what it replaces, `a` or `an` as it sounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from efface.core import Edit
from efface.knowledge.taxonomy import lexicon

_ARTICLE = re.compile(r"\b([Aa])(n?)(\s+)$")
_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_LIKE_YOU = re.compile(r"(?:uni(?!n)|us[aeiu]|eu|ut[eio]|ubi|one\b|once\b)", re.IGNORECASE)
_MASS = (
    "ness", "ity", "health", "ism", "guidance", "water", "care", "equipment", "information", "evidence", "blood",
    "behavior", "behaviour", "clothing", "food", "furniture", "hygiene", "knowledge", "liquid", "matter", "money",
    "music", "commerce", "finance", "advice", "traffic", "weather", "ology", "research", "surgery", "therapy", "tissue", "transmission", "treatment", "work", "writing",
)  # fmt: skip
_COUNTED = frozenset(
    "ability activity city community disability facility entity identity mechanism minority organism prism quality quantity university".split()
)
_DETERMINERS = frozenset(
    "a an the this that these those his her its their my our your whose each every either neither no some any "
    "another one such what which more less much little enough most all both other".split()
)
# A determiner that the words before `and` share with the word after it, but for `a`, which each has its own.
_SHARED = re.compile(
    r"(?:\b(?:the|this|that|these|those|his|her|its|their|my|our|your|whose|no|some|any|each|every)|['’]s)\s+"
    r"(?:[\w'’-]+\s+){1,3}(?:and|or|nor)\s+$",
    re.IGNORECASE,
)
_MASSES = re.compile(r"(?:\b(?:loss|lack|absence|want)\s+of|\d)\s+$", re.IGNORECASE)  # no article follows
_LISTED = re.compile(r"\s*(?:,|,?\s*\b(?:and|or|nor))\s+")
_ARTICLES = re.compile(r"^(?:an?|another|other)\s+")
_LAST_WORD = re.compile(r"([^\W_]+(?:['’]s?)?)[^\S\n]*\n?[^\S\n]*$")
_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice"}


def agreeing(label: str, head: str) -> str:
    """The label in the number of the word it stands for."""
    words = label.split(" ")
    if is_plural(head) and not _is_mass(words[-1]):
        words[-1] = pluralised(words[-1])
    return " ".join(words)


def _is_mass(word: str) -> bool:
    return word.endswith(_MASS) and word not in _COUNTED


def needing_article(text: str, start: int, end: int, label: str) -> str:
    """The label, with an article when it can be counted and what it replaces stood without one (`HIV`)."""
    before, after = text[max(0, start - 80) : start], text[end : end + 2]
    last = _LAST_WORD.search(before)
    spoken_for = last is not None and (
        last.group(1).lower() in _DETERMINERS or last.group(1).endswith(("'s", "’s", "'", "’"))
    )
    spoken_for = spoken_for or _SHARED.search(before) is not None or _MASSES.search(before) is not None
    inside = before[-1:] in ("-", "/", "(", "‐", "‑") or after[:1] in ("-", "/", "‐", "‑")
    head, word = text[start:end].rsplit(maxsplit=1)[-1], label.rsplit(" ", maxsplit=1)[-1]
    if spoken_for or inside or is_plural(head) or is_plural(word) or _is_mass(word):
        return label
    return f"{'an' if _sounds_open(label) else 'a'} {label}"


def capitalised(replacement: str, text: str, start: int) -> str:
    """The replacement with a capital where a sentence begins."""
    before = text[max(0, start - 40) : start].rstrip(" \t\"'([“‘")
    wrapped = (
        before.endswith("\n")
        and before.rstrip()[-1:] not in ("", ".", "!", "?", ":")
        and before[-2:] != "\n\n"
    )
    opens = text[start].isupper() and (not before or (before[-1] in ".!?:\n" and not wrapped))
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


def told_apart(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """Edits in order, where one that says what its neighbour in a list says becomes another of the kind:
    `a condition and another condition`, `conditions or other conditions`."""
    apart: list[Edit] = []
    for edit in edits:
        before = apart[-1] if apart else None
        if (
            before is not None
            and edit.replacement is not None
            and before.replacement is not None
            and before.key != edit.key
            and _LISTED.fullmatch(text[before.end : edit.start])
            and _bare(edit.replacement) == _bare(before.replacement)
        ):
            label = _bare(edit.replacement)
            kind = "other" if is_plural(label.rsplit(" ", maxsplit=1)[-1]) else "another"
            edit = replace(edit, replacement=label if _is_mass(label) else f"{kind} {label}")
        apart.append(edit)
    return apart


def _bare(replacement: str) -> str:
    return _ARTICLES.sub("", replacement.lower())


def _sounds_open(word: str) -> bool:
    """Whether a word begins with the sound of a vowel."""
    first = word.split(" ", maxsplit=1)[0].split("-", maxsplit=1)[0]
    if first.isupper():  # read letter by letter
        return first[0] in "AEFHILMNORSX"
    lower = first.lower()
    if lower.startswith(_SILENT_H):
        return True
    return lower[:1] in tuple("aeiou") and not _LIKE_YOU.match(lower)
