"""Words and their normal form: one key for singular and plural, acronyms distinguished from words by their case."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from efface.text.folding import fold_term

_POSSESSIVE = re.compile(r"[’'ʼ](?:s|S)?$")
_ACRONYM_LENGTH = 6  # longer words in capitals are shouted, not abbreviated
_PLURAL_ACRONYM = re.compile(r"[A-Z][A-Z0-9]+s")
# Endings of plurals and what they come from, in the order tried.
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("zes", "z"),
    ("uses", "us"),
    ("men", "man"),
    ("s", ""),
    ("ses", "s"),
    ("oes", "o"),
)
_NO_PLURAL = ("ss", "us", "is")


def singulars(word: str, exceptions: Mapping[str, str]) -> Iterator[str]:
    """What a word in lower case may be the plural of, the likeliest first."""
    if word in exceptions:
        yield exceptions[word]
    if len(word) < 4 or word.endswith(_NO_PLURAL):
        return
    for ending, origin in _ENDINGS:
        if word.endswith(ending):
            yield word.removesuffix(ending) + origin


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a language: nouns as they are spelled, irregular plurals, and the classes of other words.

    A class is one letter: n noun, v verb, a adjective, r adverb; a word's likeliest comes first.
    """

    nouns: Collection[str] = field(repr=False)
    exceptions: Mapping[str, str] = field(repr=False)
    classes: Mapping[str, str] = field(repr=False)

    def key(self, word: str) -> str:
        """The normal form of one word: `viruses` → `virus`, `STDs` → `STD`, `patient's` → `patient`."""
        word = _POSSESSIVE.sub("", word)
        if _PLURAL_ACRONYM.fullmatch(word):
            word = word[:-1]
        if word.isupper() and 1 < len(word) <= _ACRONYM_LENGTH:
            return word
        lower = fold_term(word)
        candidates = tuple(singulars(lower, self.exceptions))
        nouns = (candidate for candidate in candidates if candidate in self.nouns)
        if lower in self.nouns:
            # `species` is no plural of `specie`
            return next((noun for noun in nouns if not noun.endswith("ie")), lower)
        singular = next(nouns, "")
        if singular:
            return singular
        if lower.upper() in self.nouns and len(lower) > 2:  # `hiv` is written only in capitals
            return lower.upper()
        return lower if lower in self.classes or not candidates else candidates[0]

    def word_classes(self, word: str) -> str:
        """The classes that a word may have, the likeliest first: from the list, from its ending, or noun."""
        lower = fold_term(word)
        listed = self.classes.get(lower)
        if listed:
            return listed
        if lower in self.nouns:  # `eats` is a noun too
            stems = singulars(lower, self.exceptions)
            verb = any(self.classes.get(stem, "").startswith("v") for stem in stems)
            return "nv" if verb else "n"
        return self._inflected(lower) or ("r" if lower.endswith("ly") and len(lower) > 4 else "n")

    def inflected_classes(self, word: str) -> str:
        """The classes that a word has by its ending alone: `bleeding` comes from a verb."""
        return self._inflected(fold_term(word))

    def _inflected(self, lower: str) -> str:
        """Participles (p) stand before nouns as adjectives do; a third person is a verb or a plural."""
        if any("v" in self.classes.get(stem, "") for stem in _verbs(lower)):
            return "pn" if lower.endswith("ing") else "p"  # `the bleeding` is a noun as well
        for stem in singulars(lower, self.exceptions):
            listed = self.classes.get(stem, "n" if stem in self.nouns else "")
            if listed:
                return "".join(letter for letter in listed if letter in "nv") or "n"
        return ""


def _verbs(lower: str) -> tuple[str, ...]:
    """Verbs that a form in -ed or -ing may come from."""
    stems: list[str] = []
    for ending in ("ing", "ed"):
        if lower.endswith(ending) and len(lower) > len(ending) + 2:
            stem = lower.removesuffix(ending)
            stems += [stem, stem + "e"]
            if stem[-1] == stem[-2]:
                stems.append(stem[:-1])
            if stem.endswith("i"):
                stems.append(stem[:-1] + "y")
    return tuple(stems)
