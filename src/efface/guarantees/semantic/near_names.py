"""Words that are nearly a hidden name: its cognates in other languages (`diabète`, `leukämie`) and its misspellings.

English counts know nothing of them, and a reader sees at once what they mean. Spellings are compared as sounds are
written across languages: accents, `ph` and `f`, `y` and `i`, `k` and `c`, doubled letters make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rapidfuzz.distance import OSA

from efface.text.folding import fold_term

_WORD = re.compile(r"[^\W_]+")
_UNSEEN = re.compile("[\u00ad\u180e\u200b\u200c\u200d\u2060\ufeff]")  # no page shows them
_LETTERS = str.maketrans({"ä": "e", "æ": "e", "ö": "e", "ø": "e", "œ": "e", "å": "a", "ß": "s"})
# What is written in several ways for one sound, in the order in which it is replaced.
_SOUNDS = (
    (re.compile(r"^es(?=[^aeiou])"), "s"),  # Spanish and Portuguese put an e before: esquizofrenia
    (re.compile(r"sch|squ?"), "sc"),
    (re.compile(r"qu|ck|k|ch"), "c"),
    (re.compile(r"ph"), "f"),
    (re.compile(r"th"), "t"),
    (re.compile(r"[yj]"), "i"),
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"z"), "s"),
    (re.compile(r"(.)\1+"), r"\1"),
)
_SHORTEST = 5  # letters of a name that has near ones
_LONG = 7  # letters from which two may differ
_ENDING = 3  # letters of a name that a word derived from it may change: narcolepsy, narcoleptic
_BEGINNING = 3  # letters that are then the same
_COMPOUND = 6  # letters of a name that is recognised within a longer word


@dataclass(frozen=True)
class NearNames:
    """The names of one entity."""

    names: tuple[str, ...] = field(repr=False)

    @cached_property
    def by_length(self) -> dict[int, list[list[str]]]:
        """The words of each name, as they sound, by how many they are."""
        found: dict[int, list[list[str]]] = {}
        for name in self.names:
            words = [sounds(word) for word in name.split(" ")]
            if max(map(len, words)) >= _SHORTEST:
                found.setdefault(len(words), []).append(words)
        return found


@dataclass(frozen=True)
class NearNameLook:
    """The names of one entity in one document. `is_ordinary` says of a word whether English uses it for something else, so
    that counts can say what it discloses; `is_common` whether it is frequent enough for that, though it is made of a name."""

    near: NearNames = field(repr=False)
    is_ordinary: Callable[[str], bool] = field(repr=False)
    is_common: Callable[[str], bool] = field(repr=False)
    _known: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

    def stand_in(self, term: str) -> bool:
        """Whether some words of a term, in their order, are nearly a name."""
        words = _WORD.findall(_UNSEEN.sub("", unicodedata.normalize("NFC", term)))
        return any(
            self._is_near(" ".join(words[at : at + size]), size)
            for size in self.near.by_length
            for at in range(len(words) - size + 1)
        )

    def _is_near(self, phrase: str, size: int) -> bool:
        if phrase not in self._known:
            words = phrase.split(" ")
            spelled = [sounds(word) for word in words]
            names = self.near.by_length[size]
            self._known[phrase] = any(self._matches(words, spelled, name) for name in names)
        return self._known[phrase]

    def _matches(self, words: Sequence[str], spelled: Sequence[str], name: Sequence[str]) -> bool:
        """Whether each word is the name's or nearly so, and none of those that differ is an ordinary word."""
        differing, derived = [], []
        for word, one, other in zip(words, spelled, name, strict=True):
            if word.islower() and one != other and _is_derived(one, other):
                derived.append(word)
            elif not _is_nearly(one, other):
                return False
            elif one != other:
                differing.append(word)
        # Where all sound alike, all of them are asked about.
        asked = differing if differing or derived else words
        return not any(map(self.is_ordinary, asked)) and not any(map(self.is_common, derived))


def sounds(word: str) -> str:
    """A word as it sounds across languages."""
    found = re.sub(r"[^a-z]", "", fold_term(word.lower().translate(_LETTERS)))
    for pattern, written in _SOUNDS:
        found = pattern.sub(written, found)
    return found


def _is_derived(word: str, name: str) -> bool:
    """Whether a word begins with a name, or as a long name does: asthmatic, epileptiform, diabetologist."""
    if len(name) >= _SHORTEST and word.startswith(name):
        return True
    return len(name) >= _LONG and word.startswith(name[: max(_SHORTEST, len(name) - _ENDING)])


def _is_nearly(word: str, name: str) -> bool:
    if word == name:
        return True
    if len(name) >= _COMPOUND and name in word:
        return True
    if len(name) < _SHORTEST or word[:1] != name[:1]:
        return False
    long = min(len(word), len(name)) >= _LONG and word[:_BEGINNING] == name[:_BEGINNING]
    limit = 2 if long else 1
    return OSA.distance(word, name, score_cutoff=limit) <= limit
