"""Finding the terms of a segment in a text, in one pass over its words.

The text is a lattice of words: each word, the dictionary's words near it, and two words run together. A walk
over the lattice extends every window that may still become a term (a filter says so), so its cost follows the
text and not the dictionary. What the walk proposes, the true strings decide.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count

import numpy as np
import numpy.typing as npt

from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.build_segments import is_name_like
from efface.knowledge.entities.fuzzy import LENGTHS, families, is_fuzzy, is_personal, spelled, variants
from efface.knowledge.entities.hashing import Hashes, extend, word_hash
from efface.knowledge.entities.segment import EntitySegment
from efface.knowledge.entities.text_folder import STOP_WORDS
from efface.knowledge.entities.ways_to_write import (
    KIN,
    NO_INITIALS,
    NOT_PERSONAL,
    PARTICLES,
    TITLES,
    other_words,
)
from efface.text.folding import Folded, words

_LOOSE = " -',`"  # what may stand between the words of a term in place of one another
_LOOSER = _LOOSE + "."  # and where spelling may vary
_MARKED = _LOOSE + '_*~()[]{}"/'  # and in a text: marks of emphasis, brackets, the underscores of file names
# What may stand between the words of a term and is no part of it: the target of a link, a tag, a nickname in quotes.
_ASIDE = re.compile(
    r"""\]\([^()\s]{1,200}\)|</?[a-z][^<>\n]{0,80}>|(?<=\w )["“(][^\W\d_]{2,20}["”)](?= \w)"""
)
_ASIDE_MARKS = ("](", "<", '"', "“", "(")
_LONGEST_GAP = 3
_LONGEST_MARKED = 5
_NO_MIDDLE = STOP_WORDS | TITLES | NOT_PERSONAL | PARTICLES
_FULL_STOP = "."  # at the end of a term, as in "Acme Inc.", is often left out

_word_hash = lru_cache(maxsize=1 << 16)(word_hash)


@dataclass(frozen=True, slots=True)
class Fuzziness:
    """At most `edits` in all, in words from these lengths on (one edit, two edits)."""

    edits: int = 0
    lengths: tuple[int, int] = LENGTHS


EXACT = Fuzziness()


@dataclass(frozen=True, slots=True)
class TermHit:
    """A term of a segment and where it is in the folded text; `edits` is None for a variant of a name."""

    start: int
    end: int
    term: int
    key: str
    edits: int | None


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
        return cls(original, folded, spans, texts, np.fromiter(map(_word_hash, texts), np.uint64, len(texts)))

    def gap(self, at: int) -> str:
        """What is between word `at` and the next."""
        return self.folded.text[self.spans[at][1] : self.spans[at + 1][0]]

    def is_loose_gap(self, at: int) -> bool:
        """Whether what is after word `at` may part the words of one name. A full stop does so after an initial, or
        without a space (manish.patel): elsewhere it ends a sentence."""
        gap = self.gap(at)
        if at in self.asides or at + 1 in self.asides:
            return True
        return _is_marked_gap(gap) or _is_gap(gap, _LOOSER if len(self.texts[at]) == 1 else _LOOSE)

    def is_titled(self, first: int, last: int) -> bool:
        """Whether a title is before the words, as in "Mr Patel", and no more of a name after them."""
        if first == 0 or self.texts[first - 1] not in TITLES or not _is_gap(self.gap(first - 1), _LOOSER):
            return False
        return last >= len(self.texts) or self.gap(last - 1) not in (" ", "-") or not self._is_capital(last)

    def families(self, first: int, last: int) -> Iterator[list[str]]:
        """The family names that the words are told to be: "the Patel family", "the Patels"."""
        mine = self.texts[first:last]
        if not self._is_capital(first):
            return
        if last < len(self.texts) and self.gap(last - 1) == " " and self.texts[last] in KIN:
            yield mine
        is_whole = (
            last >= len(self.texts) or self.gap(last - 1) not in (" ", "-") or not self._is_capital(last)
        )
        if first > 0 and is_whole and self.texts[first - 1] == "the" and self.gap(first - 1) == " ":
            others = self.others.get(last - 1, ())
            yield from ([*mine[:-1], other] for other in others if mine[-1] in (f"{other}s", f"{other}es"))

    def is_before_name(self, last: int) -> bool:
        """Whether more of a name follows an initial: "Manish P. Kumar", but not "Manish P. He came"."""
        if last >= len(self.texts) or self.gap(last - 1) not in (" ", "-", ". "):
            return False
        return self._is_capital(last) and self.texts[last] not in STOP_WORDS

    def _is_capital(self, at: int) -> bool:
        return self._capitals[at]

    @cached_property
    def _capitals(self) -> list[bool]:
        """Of each word, whether its first letter is a capital."""
        if len(self.folded.text) == len(self.original) and self.folded.ends == [
            -1
        ]:  # the two texts run in step
            return [self.original[start].isupper() for start, _ in self.spans]
        return [self.original[self.folded.span(start, end).start].isupper() for start, end in self.spans]

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
        """Words that the text's words may be written for: see `other_words`."""
        found = {}
        for at, (word, (start, end)) in enumerate(zip(self.texts, self.spans, strict=True)):
            if len(word) > 3 and (others := other_words(word, self._as_written(word, start, end))):
                found[at] = others
        return found

    def _as_written(self, word: str, start: int, end: int) -> str:
        if self.original.isascii():
            return word
        span = self.folded.span(start, end)
        return self.original[span.start : span.end].lower()

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
        """Whether a term leaves word `at` out: the initial of a middle name, or an aside."""
        if at in self.asides:
            return True
        return (
            0 < at < len(self.texts) - 1
            and len(self.texts[at]) == 1
            and self.is_initial(at)
            and _is_gap(self.gap(at - 1), _LOOSER)
            and _is_gap(self.gap(at), _LOOSER)
        )

    def is_initial(self, at: int) -> bool:
        """Whether a one-letter word abbreviates a name: a capital, and no article or pronoun."""
        start, end = self.spans[at]
        letter = self.original[self.folded.span(start, end).start]
        return letter.isupper() and (letter not in "AI" or self.folded.text[end : end + 1] == ".")


@dataclass(frozen=True, slots=True)
class _Steps:
    """Edges of the lattice, sorted by the word they start at, or windows made of such edges."""

    start: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]
    hash: Hashes
    edits: npt.NDArray[np.int64]

    def where(self, keep: npt.NDArray[np.bool_]) -> _Steps:
        return _Steps(self.start[keep], self.end[keep], self.hash[keep], self.edits[keep])


def find(segment: EntitySegment, passage: Passage, fuzziness: Fuzziness) -> Iterator[TermHit]:
    """Every occurrence of every term of the segment, overlaps and all."""
    yield from _wordless(segment, passage)
    yield from _written_otherwise(segment, passage)
    if not passage.texts:
        return
    steps = _exact_steps(passage)
    if fuzziness.edits:
        steps = _with_near_words(steps, segment, passage, fuzziness)
    for windows in _walk(segment, steps, len(passage.texts), fuzziness.edits):
        places, terms = segment.terms_of(windows.hash)
        for at, term in zip(places.tolist(), terms.tolist(), strict=True):
            first, last = int(windows.start[at]), int(windows.end[at])
            key = segment.text(term)
            if span := _same(passage, first, last, key) or _written_for(passage, first, last, key):
                yield TermHit(*span, term, key, 0)
            elif _has_middle_name(passage, first, last, key) and _is_of_name(segment, term):
                yield TermHit(passage.spans[first][0], passage.spans[last - 1][1], term, key, None)
            elif fuzziness.edits and (hit := _near(passage, first, last, term, key, int(windows.edits[at]))):
                yield hit
        yield from _variant_hits(segment, passage, windows)


def initials(passage: Passage, key: str) -> Iterator[TermHit]:
    """The initials of a person whom the text names: "M.P.", "M. P.", "MP". Alone they would fit many people."""
    own = word_texts(key)
    if not is_personal(key, own) or min(map(len, own)) < 2:  # not of "ADP, S.C."
        return
    family = families(key, own)[0]
    order = (*own[len(family) :], *family) if "," in key else own
    letters = [re.escape(word[0]) for word in order]
    dotted = r"\. ?".join(letters) + r"\.?"
    bare = "".join(word[0] for word in order)
    alone = re.escape(bare) if bare not in STOP_WORDS | NO_INITIALS else rf"(?<=\(){re.escape(bare)}(?=\))"
    for match in re.finditer(rf"(?<![\w.])(?:{dotted}|{alone})(?!\.?\w)", passage.folded.text):
        span = passage.folded.span(*match.span())
        written = passage.original[span.start : span.end]
        if written == written.upper():
            yield TermHit(match.start(), match.end(), 0, key, None)


def _wordless(segment: EntitySegment, passage: Passage) -> Iterator[TermHit]:
    text = passage.folded.text
    for term in segment.wordless():
        key = segment.text(term)
        start = text.find(key)
        while start >= 0:
            yield TermHit(start, start + len(key), term, key, 0)
            start = text.find(key, start + 1)


def _written_otherwise(segment: EntitySegment, passage: Passage) -> Iterator[TermHit]:
    """Values of attributes with a pattern, written in another way than the index keeps them."""
    for name, form in segment.forms.items():
        written = list(form.find(passage.folded.text, passage.spans))
        known = segment.terms(list({key for _, _, key in written}))
        for start, end, key in written:
            term = known.get(key)
            if term is not None and any(segment.attribute(pair).name == name for pair in segment.pairs(term)):
                yield TermHit(start, end, term, key, 0)


def _exact_steps(passage: Passage) -> _Steps:
    """The words, the words that they may be written for, and words with the initial after them."""
    starts = np.arange(len(passage.texts))
    steps = _Steps(starts, starts + 1, passage.hashes, np.zeros_like(starts))
    more = [(at, at + 1, _word_hash(other), 0) for at, others in passage.others.items() for other in others]
    for at, word in enumerate(passage.texts):
        is_initial = len(word) == 1 and at not in passage.asides and passage.is_skipped(at)
        if is_initial or at in passage.middle_names:
            more.append((at - 1, at + 1, _word_hash(passage.texts[at - 1]), 0))
    for at in sorted(passage.asides):
        if at and at - 1 not in passage.asides:
            end = next(end for end in count(at) if end not in passage.asides)
            more.append((at - 1, end, _word_hash(passage.texts[at - 1]), 0))
    return _with_more(steps, more)


def _with_more(steps: _Steps, more: list[tuple[int, int, int, int]]) -> _Steps:
    if not more:
        return steps
    starts, ends, hashes, edits = zip(*more, strict=True)
    start = np.concatenate([steps.start, np.array(starts, np.int64)])
    order = np.argsort(start, kind="stable")
    return _Steps(
        start[order],
        np.concatenate([steps.end, np.array(ends, np.int64)])[order],
        np.concatenate([steps.hash, np.array(hashes, np.uint64)])[order],
        np.concatenate([steps.edits, np.array(edits, np.int64)])[order],
    )


def _with_near_words(steps: _Steps, segment: EntitySegment, passage: Passage, fuzziness: Fuzziness) -> _Steps:
    """The steps through the text, with those of words that its words may be misspellings of."""
    asked = dict.fromkeys(w for w in passage.texts if is_fuzzy(w) and w not in STOP_WORDS)
    near = segment.near_words.near(list(asked), fuzziness.edits, fuzziness.lengths)
    more = [
        (at, at + 1, _word_hash(other), edits)
        for at, word in enumerate(passage.texts)
        for other, edits in near.get(word, ())
    ]
    for at, (left, right) in enumerate(zip(passage.texts, passage.texts[1:], strict=False)):
        if left.isalpha() and right.isalpha() and _is_gap(passage.gap(at), _LOOSE):
            more.append((at, at + 2, _word_hash(left + right), 1))
    return _with_more(steps, more)


def _walk(segment: EntitySegment, steps: _Steps, words_in_all: int, edits: int) -> Iterator[_Steps]:
    """Windows of one step, of two, …, as long as some may be the beginning of a term."""
    first = np.searchsorted(steps.start, np.arange(words_in_all + 2))
    windows = steps
    while True:
        windows = windows.where(segment.may_begin(windows.hash, with_variants=True))
        if not windows.hash.size:
            return
        yield windows
        counts = first[windows.end + 1] - first[windows.end]
        mine = np.repeat(np.arange(counts.size), counts)
        step = np.repeat(first[windows.end] - np.cumsum(counts) + counts, counts) + np.arange(mine.size)
        windows = _Steps(
            windows.start[mine],
            steps.end[step],
            extend(windows.hash[mine], steps.hash[step]),
            windows.edits[mine] + steps.edits[step],
        )
        windows = windows.where(windows.edits <= edits)


def _is_gap(text: str, marks: str) -> bool:
    return len(text) <= _LONGEST_GAP and not text.strip(marks)


def _is_marked_gap(text: str) -> bool:
    return text == _FULL_STOP or (
        len(text) <= _LONGEST_MARKED and not text.strip(_MARKED) and len(text.strip(" ")) <= _LONGEST_GAP
    )


def _written_for(passage: Passage, first: int, last: int, key: str) -> tuple[int, int] | None:
    """Where the term is when other words are written for its own, or an initial is between them."""
    own = words(key)
    if not own or (key[: own[0][0]] + key[own[-1][1] :]).strip(_LOOSER):
        return None
    wanted = [key[start:end] for start, end in own]
    at = first
    is_other = False  # the term's own words, parted as it parts them, are not for here
    for number, word in enumerate(wanted):
        while number and at < last and passage.texts[at] != word and passage.is_skipped(at):
            at += 1
            is_other = True
        if at >= last or (passage.texts[at] != word and word not in passage.others.get(at, ())):
            return None
        is_other = is_other or passage.texts[at] != word
        at += 1
    if at != last or not is_other or not all(map(passage.is_loose_gap, range(first, last - 1))):
        return None
    return passage.spans[first][0], passage.spans[last - 1][1]


def _has_middle_name(passage: Passage, first: int, last: int, key: str) -> bool:
    """Whether the window is a person's name with one more name in it: "Manish Kumar Patel"."""
    own = word_texts(key)
    if last - first != len(own) + 1 or not is_personal(key, own) or not _gaps_vary(passage, first, last):
        return False
    mine = passage.texts[first:last]
    return any(
        mine[:at] + mine[at + 1 :] == own and first + at in passage.middle_names for at in range(1, len(own))
    )


def _is_of_name(segment: EntitySegment, term: int) -> bool:
    return any(is_name_like(segment.attribute(pair).name) for pair in segment.pairs(term))


def _same(passage: Passage, first: int, last: int, key: str) -> tuple[int, int] | None:
    """Where the term is when the words are its own and what parts them is too, or is as loose."""
    text = passage.folded.text
    start, end = passage.spans[first][0], passage.spans[last - 1][1]
    if text[start:end] == key:
        return start, end
    own = words(key)
    if [key[s:e] for s, e in own] != passage.texts[first:last]:
        return None
    for at in range(len(own) - 1):
        gap, mine = passage.gap(first + at), key[own[at][1] : own[at + 1][0]]
        if gap != mine and not (_is_marked_gap(gap) and _is_gap(mine, _LOOSE)):
            return None
    before, after = key[: own[0][0]], key[own[-1][1] :]
    if before and (start < len(before) or not text.startswith(before, start - len(before))):
        return None
    if after and text.startswith(after, end):
        return start - len(before), end + len(after)
    return (start - len(before), end) if after in ("", _FULL_STOP) else None


def _near(passage: Passage, first: int, last: int, term: int, key: str, edits: int) -> TermHit | None:
    """The window as a misspelling of the term, or as its words parted by other marks."""
    own = words(key)
    edges = key[: own[0][0]] + key[own[-1][1] :]
    if edges.strip(_LOOSER) or not _gaps_vary(passage, first, last):
        return None
    if _distance(passage.texts[first:last], [key[start:end] for start, end in own]) > edits:
        return None
    return TermHit(passage.spans[first][0], passage.spans[last - 1][1], term, key, edits)


def _gaps_vary(passage: Passage, first: int, last: int) -> bool:
    return all(_is_gap(passage.gap(at), _LOOSER) for at in range(first, last - 1))


def _distance(mine: Sequence[str], others: Sequence[str]) -> int:
    from rapidfuzz.distance import OSA

    return int(OSA.distance(" ".join(mine), " ".join(others)))


def _variant_hits(segment: EntitySegment, passage: Passage, windows: _Steps) -> Iterator[TermHit]:
    places, terms = segment.variants_of(windows.hash)
    for at, term in zip(places.tolist(), terms.tolist(), strict=True):
        first, last = int(windows.start[at]), int(windows.end[at])
        key = segment.text(term)
        if _is_variant(passage, first, last, key, int(windows.edits[at])):
            yield TermHit(passage.spans[first][0], passage.spans[last - 1][1], term, key, None)


def _is_variant(passage: Passage, first: int, last: int, key: str, edits: int) -> bool:
    """Whether the window is a variant of the name: with initials, turned round, joined, or a title and the family."""
    mine = passage.texts[first:last]
    if any(len(word) == 1 and not passage.is_initial(first + at) for at, word in enumerate(mine)):
        return False
    if not _gaps_vary(passage, first, last):
        return False
    own = word_texts(key)
    forms = variants(key, own, is_name=True)
    if len(mine) == 2 and (mine[0], mine[1]) == (own[0], own[-1][:1]) and passage.is_before_name(last):
        return False  # "Manish P. Kumar" is another person
    shorter = [word for at, word in enumerate(mine, first) if not (first < at and passage.is_skipped(at))]
    read = [mine] if len(shorter) == len(mine) else [mine, shorter]
    if any(_is_within(written, forms, edits) for written in read):
        return True
    is_titled = passage.is_titled(first, last)
    told = list(passage.families(first, last))
    if not is_titled and not told:
        return False
    written = {form for family in families(key, own) for form in spelled(family)}
    return any(tuple(family) in written for family in told) or (
        is_titled and _is_within(mine, written, edits)
    )


def _is_within(mine: Sequence[str], forms: Collection[tuple[str, ...]], edits: int) -> bool:
    if tuple(mine) in forms:
        return True
    return edits > 0 and any(_distance(mine, form) <= edits for form in forms)
