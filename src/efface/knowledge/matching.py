"""Finding the terms of a segment in a text, in one pass over its words.

The text is a lattice of words: each word, the dictionary's words near it, and two words run together. A walk
over the lattice extends every window that may still become a term (a filter says so), so its cost follows the
text and not the dictionary. What the walk proposes, the true strings decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from efface.folding import Folded, words
from efface.knowledge.fuzzy import LENGTHS, is_fuzzy, variants
from efface.knowledge.gather import word_texts
from efface.knowledge.hashing import Hashes, extend, word_hash
from efface.knowledge.segment import Segment
from efface.knowledge.texts import STOP_WORDS

_LOOSE = " -',`"  # what may stand between the words of a term in place of one another
_LOOSER = _LOOSE + "."  # and where spelling may vary
_LONGEST_GAP = 3
_FULL_STOP = "."  # at the end of a term, as in "Acme Inc.", is often left out

_word_hash = lru_cache(maxsize=1 << 16)(word_hash)


@dataclass(frozen=True, slots=True)
class Fuzziness:
    """At most `edits` in all, in words from these lengths on (one edit, two edits)."""

    edits: int = 0
    lengths: tuple[int, int] = LENGTHS


EXACT = Fuzziness()


@dataclass(frozen=True, slots=True)
class Hit:
    """A term of a segment and where it stands in the folded text; `edits` is None for a variant of a name."""

    start: int
    end: int
    term: int
    key: str
    edits: int | None


@dataclass(frozen=True, slots=True)
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
        """What stands between word `at` and the next."""
        return self.folded.text[self.spans[at][1] : self.spans[at + 1][0]]

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


def find(segment: Segment, passage: Passage, fuzziness: Fuzziness) -> Iterator[Hit]:
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
            if span := _same(passage, first, last, key):
                yield Hit(*span, term, key, 0)
            elif fuzziness.edits and (hit := _near(passage, first, last, term, key, int(windows.edits[at]))):
                yield hit
        if fuzziness.edits:
            yield from _variant_hits(segment, passage, windows)


def _wordless(segment: Segment, passage: Passage) -> Iterator[Hit]:
    text = passage.folded.text
    for term in segment.wordless():
        key = segment.text(term)
        start = text.find(key)
        while start >= 0:
            yield Hit(start, start + len(key), term, key, 0)
            start = text.find(key, start + 1)


def _written_otherwise(segment: Segment, passage: Passage) -> Iterator[Hit]:
    """Values of attributes with a pattern, written in another way than the index keeps them."""
    for name, form in segment.forms.items():
        written = list(form.find(passage.folded.text, passage.spans))
        known = segment.terms(list({key for _, _, key in written}))
        for start, end, key in written:
            term = known.get(key)
            if term is not None and any(segment.attribute(pair).name == name for pair in segment.pairs(term)):
                yield Hit(start, end, term, key, 0)


def _exact_steps(passage: Passage) -> _Steps:
    starts = np.arange(len(passage.texts))
    return _Steps(starts, starts + 1, passage.hashes, np.zeros_like(starts))


def _with_near_words(steps: _Steps, segment: Segment, passage: Passage, fuzziness: Fuzziness) -> _Steps:
    """The same text with what its words may have meant."""
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
    starts, ends, hashes, edits = zip(*more, strict=True) if more else ((), (), (), ())
    start = np.concatenate([steps.start, np.array(starts, np.int64)])
    order = np.argsort(start, kind="stable")
    return _Steps(
        start[order],
        np.concatenate([steps.end, np.array(ends, np.int64)])[order],
        np.concatenate([steps.hash, np.array(hashes, np.uint64)])[order],
        np.concatenate([steps.edits, np.array(edits, np.int64)])[order],
    )


def _walk(segment: Segment, steps: _Steps, words_in_all: int, edits: int) -> Iterator[_Steps]:
    """Windows of one step, of two, …, as long as some may be the beginning of a term."""
    first = np.searchsorted(steps.start, np.arange(words_in_all + 2))
    windows = steps
    while True:
        windows = windows.where(segment.may_begin(windows.hash, edits > 0))
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


def _same(passage: Passage, first: int, last: int, key: str) -> tuple[int, int] | None:
    """Where the term stands when the words are its own and what parts them is too, or is as loose."""
    text = passage.folded.text
    start, end = passage.spans[first][0], passage.spans[last - 1][1]
    if text[start:end] == key:
        return start, end
    own = words(key)
    if [key[s:e] for s, e in own] != passage.texts[first:last]:
        return None
    for at in range(len(own) - 1):
        gap, mine = passage.gap(first + at), key[own[at][1] : own[at + 1][0]]
        if gap != mine and not (_is_gap(gap, _LOOSE) and _is_gap(mine, _LOOSE)):
            return None
    before, after = key[: own[0][0]], key[own[-1][1] :]
    if before and (start < len(before) or not text.startswith(before, start - len(before))):
        return None
    if after and text.startswith(after, end):
        return start - len(before), end + len(after)
    return (start - len(before), end) if after in ("", _FULL_STOP) else None


def _near(passage: Passage, first: int, last: int, term: int, key: str, edits: int) -> Hit | None:
    """The window as a misspelling of the term, or as its words parted by other marks."""
    own = words(key)
    edges = key[: own[0][0]] + key[own[-1][1] :]
    if edges.strip(_LOOSER) or not _gaps_vary(passage, first, last):
        return None
    if _distance(passage.texts[first:last], [key[start:end] for start, end in own]) > edits:
        return None
    return Hit(passage.spans[first][0], passage.spans[last - 1][1], term, key, edits)


def _gaps_vary(passage: Passage, first: int, last: int) -> bool:
    return all(_is_gap(passage.gap(at), _LOOSER) for at in range(first, last - 1))


def _distance(mine: Sequence[str], others: Sequence[str]) -> int:
    from rapidfuzz.distance import OSA

    return int(OSA.distance(" ".join(mine), " ".join(others)))


def _variant_hits(segment: Segment, passage: Passage, windows: _Steps) -> Iterator[Hit]:
    places, terms = segment.variants_of(windows.hash)
    for at, term in zip(places.tolist(), terms.tolist(), strict=True):
        first, last = int(windows.start[at]), int(windows.end[at])
        key = segment.text(term)
        mine = passage.texts[first:last]
        edits = int(windows.edits[at])
        abbreviated = all(passage.is_initial(first + i) for i, word in enumerate(mine) if len(word) == 1)
        forms = variants(key, word_texts(key), is_name=True)
        is_one = any(_distance(mine, form) <= edits for form in forms)
        if abbreviated and is_one and _gaps_vary(passage, first, last):
            yield Hit(passage.spans[first][0], passage.spans[last - 1][1], term, key, None)
