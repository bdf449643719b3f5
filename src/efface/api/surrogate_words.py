"""Surrogates as an answer may write them: in another case, in part, or with an ending."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from efface.api.originals import NUMBERED, Originals

ENDING = 4  # letters that an inflected surrogate may have behind it
_STEM = 4  # letters of a surrogate that may be inflected
_PART = 3  # letters of a part of a name that is known by itself
_LETTERS = re.compile(r"[^\W\d_]*")


@dataclass(frozen=True, slots=True)
class SurrogateWord:
    """A surrogate or a word of one, what it stands for, and the replacements that it belongs to."""

    written: str
    original: str
    owners: frozenset[str]


class SurrogateWords:
    """All surrogates of a redaction, and the words of those that name persons."""

    def __init__(self, originals: Originals) -> None:
        self._words: dict[str, list[SurrogateWord]] = {}  # by their small letters
        for replacement, original in originals.mapping.items():
            if replacement.strip() and not NUMBERED.fullmatch(replacement):
                word = SurrogateWord(replacement, original, frozenset({replacement}))
                self._words.setdefault(replacement.lower(), []).append(word)
        for part in _parts(originals):
            self._words.setdefault(part.written.lower(), []).append(part)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def pattern(self) -> str:
        """An expression for all of them, the longest first; empty where there are none."""
        return "|".join(_form(one) for one in sorted(self._words, key=lambda one: (-len(one), one)))

    def meant(self, match: re.Match[str]) -> SurrogateWord | None:
        """The surrogate that a match of the expression means, or None for a word that could mean several, or none."""
        same = self._same(match.group())
        exact = [one for one in same if one.written == match.group()]
        meant = exact or same
        if len({one.original.lower() for one in meant}) != 1 or _is_ordinary(match, meant[0]):
            return None
        owners = frozenset(owner for one in meant for owner in one.owners)
        return SurrogateWord(meant[0].written, meant[0].original, owners)

    def _same(self, written: str) -> list[SurrogateWord]:
        known = self._words.get(written.lower())
        if known is not None:
            return known
        # A letter may be the same in another case to an expression, and not to `lower`: the long s for instance.
        return next(
            words
            for one, words in self._words.items()
            if re.fullmatch(re.escape(one), written, re.IGNORECASE)
        )


def cased(original: str, replacement: str, written: str) -> str:
    """The original in the case in which its surrogate was written."""
    if written == replacement:
        return original
    if written.isupper():
        return original.upper()
    return original.lower() if written.islower() else original


def _parts(originals: Originals) -> Iterator[SurrogateWord]:
    """The words of persons' surrogates, each for the word of the original at its place."""
    for replacement in sorted(originals.people):
        original = originals.mapping.get(replacement, "")
        fakes, words = replacement.split(), original.split()
        if NUMBERED.fullmatch(replacement) or len(fakes) != len(words) or len(fakes) < 2:
            continue
        for fake, word in zip(fakes, words, strict=True):
            if len(fake) >= _PART and fake.isalpha():
                yield SurrogateWord(fake, word, frozenset({replacement}))


def _form(replacement: str) -> str:
    """A surrogate as a word of its own; one that ends in letters may have an ending."""
    before = r"(?<!\w)" if replacement[0].isalnum() else ""
    after = ""
    if replacement[-1].isalpha() and len(replacement) >= _STEM:
        after = rf"(?=[^\W\d_]{{0,{ENDING}}}(?!\w))"
    elif replacement[-1].isalnum():
        after = r"(?!\w)"
    return f"{before}{re.escape(replacement)}{after}"


def _is_ordinary(match: re.Match[str], meant: SurrogateWord) -> bool:
    """Whether an answer that says this need not mean the surrogate: "a market" does not mean Mark, nor "to mark"."""
    rest = _LETTERS.match(match.string, match.end())
    word = match.group() + (rest.group() if rest else "")
    if word == meant.written or not word.isalpha():
        return False
    if len(word) == len(match.group()) and not word.islower():
        return False
    from efface.text.ordinary_words import is_ordinary

    return is_ordinary(word.lower())
