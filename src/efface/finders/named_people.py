"""Other mentions of people whom a text names: their initials, and their first or family name alone.

Alone, "M.P." and "Patel" would fit many people. In a text that also has "Manish Patel" a reader takes them for his.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from efface.core import SpanSet
from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.fuzzy import families, is_personal
from efface.knowledge.entities.matching import TermHit
from efface.knowledge.entities.passage import Passage
from efface.knowledge.entities.spellings.words import NO_INITIALS, PARTICLES, SUFFIXES, TITLES
from efface.knowledge.entities.text_folder import STOP_WORDS
from efface.text.calendar_names import MONTH_NUMBERS
from efface.text.ordinary_words import Usage, usage

NameWords = tuple[str, ...]
_ENDS_SENTENCE = re.compile(r"[.!?:;\n]")
_DOTS = (".", ". ")
_JOINTS = frozenset({" ", "-", "'", ". "})


@dataclass(frozen=True)
class NamedPeople:
    """The people whom a passage names, each with the places of their names."""

    passage: Passage
    hits: Mapping[str, Collection[TermHit]] = field(repr=False)

    def others(self) -> Iterator[TermHit]:
        """Further mentions of them."""
        parts: dict[str, dict[tuple[NameWords, str], None]] = {}
        for key in self.hits:
            own = word_texts(key)
            if is_personal(key, own):
                yield from self._initials(key, own)
                for part in _parts(key, own):
                    parts.setdefault(part[0], {})[part, key] = None
        if parts:
            yield from self._lone_name_parts(parts)

    def _initials(self, key: str, own: list[str]) -> Iterator[TermHit]:
        """ "M.P.", "M. P." and "MP"; not of "ADP, S.C."."""
        if min(map(len, own)) < 2:
            return
        folded = self.passage.folded
        family = families(key, own)[0]
        order = (*own[len(family) :], *family) if "," in key else own
        bare = "".join(word[0] for word in order)
        if bare not in self._words and not any(f"{bare[0]}{mark}{bare[1]}" in folded.text for mark in _DOTS):
            return  # nearly always: an expression need not be made
        dotted = r"\. ?".join(re.escape(word[0]) for word in order) + r"\.?"
        alone = (
            re.escape(bare) if bare not in STOP_WORDS | NO_INITIALS else rf"(?<=\(){re.escape(bare)}(?=\))"
        )
        for match in re.finditer(rf"(?<![\w.])(?:{dotted}|{alone})(?!\.?\w)", folded.text):
            span = folded.span(*match.span())
            written = self.passage.original[span.start : span.end]
            if written == written.upper():
                yield TermHit(match.start(), match.end(), 0, key, None)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self.passage.texts)

    def _lone_name_parts(self, parts: Mapping[str, Collection[tuple[NameWords, str]]]) -> Iterator[TermHit]:
        """Parts of names that stand by themselves."""
        texts, spans = self.passage.texts, self.passage.spans
        whole = {key: SpanSet(hits) for key, hits in self.hits.items()}
        for first, word in enumerate(texts):
            for part, key in parts.get(word, ()):
                last = first + len(part)
                start, end = spans[first][0], spans[min(last, len(spans)) - 1][1]
                if tuple(texts[first:last]) != part or whole[key].touches(start, end):
                    continue
                if self._is_name(first, last, in_small_letters=self._is_small(key)):
                    yield TermHit(start, end, 0, key, None)

    def _is_small(self, key: str) -> bool:
        """Whether the text has the whole name without a capital, as hurried notes do."""
        folded, original = self.passage.folded, self.passage.original
        spans = (folded.span(hit.start, hit.end) for hit in self.hits[key])
        return any(original[span.start : span.end].islower() for span in spans)

    def _is_name(self, first: int, last: int, *, in_small_letters: bool) -> bool:
        """Whether the words are a name by themselves: no more of a name is beside them."""
        passage = self.passage
        if not (in_small_letters or any(passage.is_capital(at) for at in range(first, last))):
            return False
        if first > 0 and self._is_joined_name(first - 1, first - 1, in_small_letters):
            return False
        if last < len(passage.texts) and self._is_joined_name(last, last - 1, in_small_letters):
            return False
        return not self._is_ordinary(first, last, in_small_letters)

    def _is_joined_name(self, at: int, gap: int, in_small_letters: bool) -> bool:
        """Whether the word beside the part belongs to somebody's name: "Anita Patel", "A. Patel"."""
        word = self.passage.texts[at]
        if self.passage.gap(gap) not in _JOINTS or not word.isalpha():
            return False
        if self.passage.gap(gap) == ". " and (len(word) > 1 or at > gap):
            return False  # a sentence ends, or a name does
        if not (in_small_letters or self.passage.is_capital(at)):
            return False
        if len(word) == 1 and self.passage.is_initial(at):
            return True
        if word in STOP_WORDS | TITLES | SUFFIXES or word == "s":
            return False
        return usage(word) is not Usage.ALWAYS

    def _is_ordinary(self, first: int, last: int, in_small_letters: bool) -> bool:
        """Whether the words are rather a word that any text has: at the beginning of a sentence, or a month."""
        word = self.passage.texts[first]
        if last - first > 1:
            return False
        used = usage(word)
        if in_small_letters:
            return used is not Usage.NEVER
        begins = first == 0 or _ENDS_SENTENCE.search(self.passage.gap(first - 1)) is not None
        beside = self.passage.texts[max(first - 1, 0) : last + 1]
        is_month = word in MONTH_NUMBERS and any(other[:1].isdigit() for other in beside)
        return is_month or (begins and used is Usage.ALWAYS)


def _parts(key: str, own: list[str]) -> Iterator[NameWords]:
    """The family name, in each way that it is read, and each first name."""
    found = families(key, own)
    yield from dict.fromkeys(found)
    of_family = {word for family in found for word in family}
    for word in own:
        if len(word) > 1 and word not in of_family | PARTICLES | SUFFIXES:
            yield (word,)
