"""Words of a text compared with the ways to write a name: with initials, turned round, joined, or a title and the family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import islice, product

from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.fuzzy import families, spelled, variants
from efface.knowledge.entities.passage import LOOSER, Passage, is_gap

_BRACKETS = frozenset({" (", " [", "/"})  # Patel (Manish), PATEL/MANISH
_LEAST_BESIDE = 2  # a space and an initial
_MOST_READ = 16  # ways to read the words of a name


@dataclass(frozen=True)
class _Forms:
    """The ways to write a name, each as a tuple of words."""

    words: frozenset[tuple[str, ...]]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The same, each as one text."""
        return tuple(map(" ".join, self.words))

    def has(self, mine: Sequence[str], edits: int) -> bool:
        """Whether the words are one of these names, within that many edits."""
        if tuple(mine) in self.words:
            return True
        if not edits:
            return False
        text, distance = " ".join(mine), edit_distance()
        # As many edits as the lengths differ by are needed at least.
        close = (form for form in self.texts if abs(len(form) - len(text)) <= edits)
        return any(distance(text, form) <= edits for form in close)


@lru_cache(maxsize=1 << 13)
def _name_forms(key: str) -> tuple[list[str], _Forms, _Forms]:
    """The words of a name, its variants, and its family names as they may be spelled."""
    own = word_texts(key)
    told = (form for family in families(key, own) for form in spelled(family))
    return own, _Forms(frozenset(variants(key, own, is_name=True))), _Forms(frozenset(told))


@lru_cache(maxsize=1 << 16)
def _is_whole(readings: tuple[str, ...], key: str, edits: int) -> bool:
    """Whether one word is a whole term, run together: the only variant of one word that needs nothing beside it. A family
    name by itself, which many share, is none. `readings` are the word and those that it may be written for. With edits it
    may be a variant of several words, which has one of the term's own, a space and a letter at least."""
    own = word_texts(key)
    whole = "".join(own)
    if not edits and whole not in readings:
        return False
    if edits and max(map(len, readings)) + edits < min(len(whole), min(map(len, own)) + _LEAST_BESIDE):
        return False
    _, forms, _ = _name_forms(key)
    return any(forms.has([reading], edits) for reading in readings[:_MOST_READ])


@dataclass(frozen=True)
class NameWindow:
    """Words of a passage that may be a name, with what is the same for every name that they are compared with."""

    passage: Passage
    first: int
    last: int

    @cached_property
    def _words(self) -> list[str]:
        return self.passage.texts[self.first : self.last]

    @cached_property
    def is_possible(self) -> bool:
        """Whether single letters are initials, and nothing parts the words that would not part a name."""
        letters = (at for at, word in enumerate(self._words, self.first) if len(word) == 1)
        return all(map(self.passage.is_initial, letters)) and gaps_vary(self.passage, self.first, self.last)

    @cached_property
    def _is_titled(self) -> bool:
        return self.passage.is_titled(self.first, self.last)

    @cached_property
    def _known_families(self) -> list[tuple[str, ...]]:
        """The family names that the context marks as such ("the Patel family")."""
        return [tuple(family) for family in self.passage.families(self.first, self.last)]

    @cached_property
    def _readings(self) -> list[list[str]]:
        """The words as they are, without those that a reader skips, and with others that they may be written for."""
        # The first word is never skipped: without it the window would be another one.
        inside = enumerate(self._words[1:], self.first + 1)
        shorter = [self._words[0], *(word for at, word in inside if not self.passage.is_skipped(at))]
        read = [self._words] if len(shorter) == len(self._words) else [self._words, shorter]
        return read + self._with_other_words

    @cached_property
    def _with_other_words(self) -> list[list[str]]:
        """The words with those that they may be written for: "J. Mueller" as j muller."""
        ways = [(self.passage.texts[at], *self._other_readings(at)) for at in range(self.first, self.last)]
        if all(len(way) == 1 for way in ways):
            return []
        return [list(chosen) for chosen in islice(product(*ways), 1, _MOST_READ)]

    def _other_readings(self, at: int) -> tuple[str, ...]:
        return self.passage.others.get(at, ())

    @cached_property
    def _single(self) -> tuple[str, ...]:
        """The first word, and those that it may be written for."""
        return self.passage.texts[self.first], *self._other_readings(self.first)

    @cached_property
    def _is_lone_word(self) -> bool:
        """Whether the name is one word and nothing beside it marks it as a family name."""
        return self.last - self.first == 1 and not (self._is_titled or self._known_families)

    def is_variant(self, key: str, edits: int) -> bool:
        """Whether the words are a variant of the name: with initials, turned round, joined, or a title and the family."""
        if self._is_lone_word:
            return _is_whole(self._single, key, edits)
        mine, told = self._words, self._known_families
        own, forms, families_told = _name_forms(key)
        is_first_and_initial = len(mine) == 2 and (mine[0], mine[1]) == (own[0], own[-1][:1])
        if is_first_and_initial and self.passage.is_before_name(self.last):
            return False  # "Manish P. Kumar" is another person
        if any(forms.has(read, edits) for read in self._readings):
            return True
        if any(family in families_told.words for family in told):
            return True
        if not self._is_titled:
            return False
        read_as = [mine, *self._with_other_words]  # "доктору Ивановой"
        return any(families_told.has(read, edits) for read in read_as)


def gaps_vary(passage: Passage, first: int, last: int) -> bool:
    gaps = [passage.gap(at) for at in range(first, last - 1)]
    return all(is_gap(gap, LOOSER) or gap in _BRACKETS for gap in gaps)


@cache
def edit_distance() -> Callable[[str, str], int]:
    """The number of edits between two texts. The library is loaded when it is first needed."""
    from rapidfuzz.distance import OSA

    return OSA.distance
