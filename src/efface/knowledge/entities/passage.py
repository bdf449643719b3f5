"""A text cut into words, as it is searched for the terms of an index: what stands between words, and what they may say."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from efface.knowledge.entities.hashing import Hashes, cached_word_hash
from efface.knowledge.entities.spellings.cases import LANGUAGES, SMALL_TITLES, case_of
from efface.knowledge.entities.spellings.words import (
    KIN,
    NOT_PERSONAL,
    PARTICLES,
    SHORT_WORDS,
    TITLES,
    other_words,
)
from efface.knowledge.entities.text_folder import STOP_WORDS
from efface.text.folding import Folded, words
from efface.text.language import languages

LOOSE = " -',`"  # what may stand between the words of a term in place of one another
LOOSER = LOOSE + "."  # signs between words where spelling may vary
# In a text there are also marks of emphasis, brackets, and the underscores of file names.
_MARKED = LOOSE + '_*~()[]{}"/|+&'
# What may stand between the words of a term and is no part of it: the target of a link, a tag, a nickname in quotes.
_ASIDE = re.compile(
    r"""\]\([^()\s]{1,200}\)|</?[a-z][^<>\n]{0,80}>|(?<=\w )["“(‘'][^\W\d_]{2,20}["”)’'](?= \w)"""
)
_ASIDE_MARKS = ("](", "<", '"', "“", "(", "'", "‘")
LONGEST_GAP = 3  # characters between two words of one value
_LONGEST_MARKED = 5  # the same where marks of a format stand between them
_NO_MIDDLE = STOP_WORDS | TITLES | NOT_PERSONAL | PARTICLES
FULL_STOP = "."  # a full stop at the end of a term, as in "Acme Inc.", is often left out


@dataclass(frozen=True)
class Passage:
    """A folded text cut into words, ready to be searched in any number of segments."""

    original: str
    folded: Folded
    spans: list[tuple[int, int]]
    texts: list[str]
    hashes: Hashes

    @classmethod
    def of(cls, original: str, folded: Folded) -> Passage:
        spans = words(folded.text)
        texts = [folded.text[start:end] for start, end in spans]
        return cls(
            original, folded, spans, texts, np.fromiter(map(cached_word_hash, texts), np.uint64, len(texts))
        )

    def gap(self, at: int) -> str:
        """What is between word `at` and the next."""
        return self._gaps[at]

    @cached_property
    def _gaps(self) -> list[str]:
        text = self.folded.text
        pairs = zip(self.spans, self.spans[1:], strict=False)
        return [text[end:start] for (_, end), (start, _) in pairs]

    def is_loose_gap(self, at: int) -> bool:
        """Whether what is after word `at` may part the words of one name. A full stop does so after an initial, or
        without a space (manish.patel): elsewhere it ends a sentence."""
        gap = self.gap(at)
        if at in self.asides or at + 1 in self.asides:
            return True
        return is_marked_gap(gap) or is_gap(gap, LOOSER if _is_abbreviated(self.texts[at]) else LOOSE)

    def is_titled(self, first: int, last: int) -> bool:
        """Whether a title is before the words, as in "Mr Patel", and no more of a name after them."""
        if first == 0 or not is_gap(self.gap(first - 1), LOOSER):
            return False
        title = self.texts[first - 1]
        if first > 1 and self.gap(first - 2) == "-":  # "г-жа Иванова"
            title = title if title in TITLES else f"{self.texts[first - 2]}-{title}"
        is_title = title in TITLES or (title in SMALL_TITLES and not self.is_capital(first - 1))
        return is_title and self._ends_name(last)

    def _ends_name(self, last: int) -> bool:
        """Whether no more of a name follows."""
        return last >= len(self.texts) or self.gap(last - 1) not in (" ", "-") or not self.is_capital(last)

    def families(self, first: int, last: int) -> Iterator[list[str]]:
        """The family names that the context marks as such: "the Patel family", "the Patels"."""
        mine = self.texts[first:last]
        if not self.is_capital(first):
            return
        if last < len(self.texts) and self.gap(last - 1) == " " and self.texts[last] in KIN:
            yield mine
        is_after_the = first > 0 and self.texts[first - 1] == "the" and self.gap(first - 1) == " "
        if is_after_the and self._ends_name(last):
            for other in self.others.get(last - 1, ()):
                if mine[-1] in (f"{other}s", f"{other}es"):
                    yield [*mine[:-1], other]

    def is_before_name(self, last: int) -> bool:
        """Whether more of a name follows an initial: "Manish P. Kumar", but not "Manish P. He came"."""
        if last >= len(self.texts) or self.gap(last - 1) not in (" ", "-", ". "):
            return False
        return self.is_capital(last) and self.texts[last] not in STOP_WORDS

    def is_capital(self, at: int) -> bool:
        return self._capitals[at]

    @cached_property
    def _capitals(self) -> list[bool]:
        """Whether the first letter of each word is a capital."""
        return [self.original[start].isupper() for start, _ in self._original_bounds]

    @cached_property
    def _original_bounds(self) -> list[tuple[int, int]]:
        """Where each word is in the original text."""
        return self.folded.all_bounds(self.spans)

    @cached_property
    def middle_names(self) -> frozenset[int]:
        """Words that may be a middle name: three words with capitals side by side, none of them any text's."""
        capitals = self._capitals
        triples = zip(capitals, capitals[1:], capitals[2:], strict=False)
        found = (at for at, three in enumerate(triples, 1) if all(three))
        return frozenset(
            at
            for at in found
            if self.gap(at - 1) == " " == self.gap(at)
            and len(word := self.texts[at]) > 1
            and word.isalpha()
            and word not in _NO_MIDDLE
        )

    @cached_property
    def others(self) -> dict[int, tuple[str, ...]]:
        """Words that the text's words may be written for: see `other_words`, and `cases` for languages that have them."""
        found = dict(self._cases())
        as_written = self.texts
        if not self.original.isascii():
            as_written = [self.original[start:end].lower() for start, end in self._original_bounds]
        for at, (word, written) in enumerate(zip(self.texts, as_written, strict=True)):
            if (len(word) > 3 or word in SHORT_WORDS) and (others := other_words(word, written)):
                found[at] = (*others, *found.get(at, ()))
        return found

    def _cases(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Words that may be cases of others, where the text is in a language that has them. Such text has letters beyond
        ASCII."""
        if self.original.isascii():
            return
        stretches = (one for one in languages(self.original) if one.language in LANGUAGES)
        for stretch in stretches:
            for at, (start, _) in enumerate(self._original_bounds):
                if stretch.start <= start < stretch.end and self._capitals[at]:
                    yield at, tuple(case_of(self.texts[at], stretch.language))

    @cached_property
    def asides(self) -> frozenset[int]:
        """Words between others that are no part of what these say."""
        if not any(mark in self.folded.text for mark in _ASIDE_MARKS):
            return frozenset()
        starts = [start for start, _ in self.spans]
        found: set[int] = set()
        for match in _ASIDE.finditer(self.folded.text):
            found.update(range(bisect_left(starts, match.start()), bisect_left(starts, match.end())))
        return frozenset(found)

    def is_skipped(self, at: int) -> bool:
        """Whether a term leaves word `at` out: the initial of a middle name, an aside, or a title after a comma
        ("Patel, Dr Manish")."""
        if at in self.asides or self.is_title_inside(at):
            return True
        return (
            0 < at < len(self.texts) - 1
            and len(self.texts[at]) == 1
            and self.is_initial(at)
            and is_gap(self.gap(at - 1), LOOSER)
            and is_gap(self.gap(at), LOOSER)
        )

    def is_title_inside(self, at: int) -> bool:
        if self.texts[at] not in TITLES or not 0 < at < len(self.texts) - 1:
            return False
        return self.gap(at - 1) == ", " and is_gap(self.gap(at), LOOSER)

    def is_initial(self, at: int) -> bool:
        """Whether a one-letter word abbreviates a name: a capital, and no article or pronoun. In the name of an account the
        point alone says so: m.patel."""
        end = self.spans[at][1]
        letter = self.original[self._original_bounds[at][0]]
        if letter.islower() and at + 1 < len(self.texts) and self.gap(at) == FULL_STOP:
            return len(self.texts[at + 1]) > 1
        return letter.isupper() and (letter not in "AI" or self.folded.text[end : end + 1] == ".")


def _is_abbreviated(word: str) -> bool:
    return len(word) == 1 or word in SHORT_WORDS or word.endswith("str")  # Hauptstr. 5


def is_gap(text: str, marks: str) -> bool:
    return text == " " or (len(text) <= LONGEST_GAP and not text.strip(marks))


def is_marked_gap(text: str) -> bool:
    return text in (FULL_STOP, ";") or (
        len(text) <= _LONGEST_MARKED and not text.strip(_MARKED) and len(text.strip(" ")) <= LONGEST_GAP
    )
