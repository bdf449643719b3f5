"""Finding the terms of a segment in a text, in one pass over its words.

The text is a lattice of words: each word, the dictionary's words near it, and two words run together. A walk
over the lattice extends every window that may still become a term (a filter says so), so its cost follows the
text and not the dictionary. What the walk proposes, the true strings decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count

import numpy as np
import numpy.typing as npt

from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.build_segments import is_name_like
from efface.knowledge.entities.fuzzy import LENGTHS, is_fuzzy, is_personal
from efface.knowledge.entities.hashing import Hashes, cached_word_hash, extend
from efface.knowledge.entities.name_windows import NameWindow, edit_distance, gaps_vary
from efface.knowledge.entities.passage import (
    FULL_STOP,
    LOOSE,
    LOOSER,
    Passage,
    is_gap,
    is_marked_gap,
)
from efface.knowledge.entities.segment import EntitySegment
from efface.knowledge.entities.spellings.words import TITLES
from efface.knowledge.entities.text_folder import STOP_WORDS
from efface.text.folding import words


@dataclass(frozen=True, slots=True)
class Fuzziness:
    """At most `edits` in all, in words from these lengths on (one edit, two edits)."""

    edits: int = 0
    lengths: tuple[int, int] = LENGTHS


EXACT = Fuzziness()
_words = lru_cache(maxsize=1 << 13)(words)  # of terms: those that a text has are compared with it many times


_AND = frozenset("&+")
_ABBREVIATED = (2, 3)  # letters of a word that a point may end


@dataclass(frozen=True, slots=True)
class TermHit:
    """A term of a segment and where it is in the folded text; `edits` is None for a variant of a name."""

    start: int
    end: int
    term: int
    key: str
    edits: int | None


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
    text_of = cache(segment.text)
    for windows in _walk(segment, steps, len(passage.texts), fuzziness.edits):
        places, terms = segment.terms_of(windows.hash)
        for at, term in zip(places.tolist(), terms.tolist(), strict=True):
            first, last = int(windows.start[at]), int(windows.end[at])
            key = text_of(term)
            if span := _exact_bounds(passage, first, last, key) or _written_for(passage, first, last, key):
                yield TermHit(*span, term, key, 0)
            elif _has_middle_name(passage, first, last, key) and _is_of_name(segment, term):
                yield TermHit(passage.spans[first][0], passage.spans[last - 1][1], term, key, None)
            elif fuzziness.edits and (
                hit := _misspelled_hit(passage, first, last, term, key, int(windows.edits[at]))
            ):
                yield hit
        yield from _variant_hits(segment, passage, windows, text_of)


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
    more: list[tuple[int, int, int, int]] = []
    for at, others in passage.others.items():
        more += [(at, at + 1, cached_word_hash(other), 0) for other in others]
    for at in _left_out(passage):
        more.append((at - 1, at + 1, cached_word_hash(passage.texts[at - 1]), 0))
    for at in sorted(passage.asides):
        if at and at - 1 not in passage.asides:  # the first word of an aside
            end = next(end for end in count(at) if end not in passage.asides)
            more.append((at - 1, end, cached_word_hash(passage.texts[at - 1]), 0))
    return _with_more(steps, more)


def _left_out(passage: Passage) -> list[int]:
    """The words that go with the one before them and may be left out: initials, titles inside a name and middle names."""
    found = set(passage.middle_names)
    for at, word in enumerate(passage.texts):
        if len(word) == 1:
            if (at not in passage.asides and passage.is_skipped(at)) or passage.is_title_inside(at):
                found.add(at)
        elif word in TITLES and passage.is_title_inside(at):
            found.add(at)
    return sorted(found)


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
        (at, at + 1, cached_word_hash(other), edits)
        for at, word in enumerate(passage.texts)
        for other, edits in near.get(word, ())
    ]
    is_alpha = list(map(str.isalpha, passage.texts))
    for at, (left, right) in enumerate(zip(passage.texts, passage.texts[1:], strict=False)):
        if is_alpha[at] and is_alpha[at + 1] and is_gap(passage.gap(at), LOOSE):
            more.append((at, at + 2, cached_word_hash(left + right), 1))
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


def _written_for(passage: Passage, first: int, last: int, key: str) -> tuple[int, int] | None:
    """Where the term is when other words are written for its own, or an initial is between them."""
    own = _words(key)
    if not own or (key[: own[0][0]] + key[own[-1][1] :]).strip(LOOSER):
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
    if last - first != len(own) + 1 or not is_personal(key, own) or not gaps_vary(passage, first, last):
        return False
    mine = passage.texts[first:last]
    return any(
        mine[:at] + mine[at + 1 :] == own and first + at in passage.middle_names for at in range(1, len(own))
    )


def _is_of_name(segment: EntitySegment, term: int) -> bool:
    return any(is_name_like(segment.attribute(pair).name) for pair in segment.pairs(term))


def _exact_bounds(passage: Passage, first: int, last: int, key: str) -> tuple[int, int] | None:
    """Where the term is when the words are its own and what parts them is too, or is as loose."""
    text = passage.folded.text
    start, end = passage.spans[first][0], passage.spans[last - 1][1]
    if text[start:end] == key:
        return start, end
    own = _words(key)
    if [key[s:e] for s, e in own] != passage.texts[first:last]:
        return None
    for at in range(len(own) - 1):
        is_short = own[at][1] - own[at][0] in _ABBREVIATED
        if not _is_same_gap(passage.gap(first + at), key[own[at][1] : own[at + 1][0]], is_short=is_short):
            return None
    before, after = key[: own[0][0]], key[own[-1][1] :]
    if before and (start < len(before) or not text.startswith(before, start - len(before))):
        return None
    if after and text.startswith(after, end):
        return start - len(before), end + len(after)
    return (start - len(before), end) if after in ("", FULL_STOP) else None


def _is_same_gap(gap: str, mine: str, *, is_short: bool) -> bool:
    """Whether what parts two words of a text may part those of a term. After a short word a point may be missing, as in
    "St Louis"."""
    mine = mine.replace("_", " ")  # as names in programs are written: in_treatment
    if gap == mine or (mine.strip() in _AND and gap.strip() in _AND):  # Johnson&Johnson
        return True
    return is_marked_gap(gap) and is_gap(mine, LOOSER if is_short else LOOSE)


def _misspelled_hit(
    passage: Passage, first: int, last: int, term: int, key: str, edits: int
) -> TermHit | None:
    """The window as a misspelling of the term, or as its words parted by other marks."""
    own = _words(key)
    edges = key[: own[0][0]] + key[own[-1][1] :]
    if edges.strip(LOOSER) or not gaps_vary(passage, first, last):
        return None
    if _distance(passage.texts[first:last], [key[start:end] for start, end in own]) > edits:
        return None
    return TermHit(passage.spans[first][0], passage.spans[last - 1][1], term, key, edits)


def _distance(mine: Sequence[str], others: Sequence[str]) -> int:
    return edit_distance()(" ".join(mine), " ".join(others))


def _variant_hits(
    segment: EntitySegment, passage: Passage, windows: _Steps, text_of: Callable[[int], str]
) -> Iterator[TermHit]:
    places, terms = segment.variants_of(windows.hash)
    seen: dict[tuple[int, int], NameWindow] = {}
    rows = zip(*(some[places].tolist() for some in (windows.start, windows.end, windows.edits)), strict=True)
    for (first, last, edits), term in zip(rows, terms.tolist(), strict=True):
        window = seen.get((first, last))
        if window is None:
            window = seen[first, last] = NameWindow(passage, first, last)
        if window.is_possible and window.is_variant(key := text_of(term), edits):
            yield TermHit(passage.spans[first][0], passage.spans[last - 1][1], term, key, None)
