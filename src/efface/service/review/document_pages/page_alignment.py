"""Words on drawn pages, matched with the words of a document's text.

The pages of an office file are drawn by another program than the one that read its text. So words are matched by
what they say, in the order in which they stand. A word that cannot be placed has no box: the list of terms still
shows it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import LCSseq

PageBox = tuple[float, float, float, float]
_WORD = re.compile(r"\S+")
_AHEAD = 3  # times the words of a page: how far in the text its words are looked for
_LEAST_AHEAD = 300  # words of the text in which those of a page are looked for
_RARE = 8  # times that a word may be left over: the likeliest place is taken, in order
_MOST_PIECES = 4  # pieces that a word may be broken into
_ENOUGH = 0.3  # with a smaller share of a page's words matched, the text does not move on


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word on a page, and its box from the top left."""

    page: int
    word: str
    box: PageBox


@dataclass(frozen=True)
class _Words:
    """The words of the text that no page has shown yet, and those of the pages that have no place in the text yet."""

    spans: Sequence[tuple[int, int]]
    words: Sequence[str]
    seen: Sequence[SeenWord]
    pairs: dict[int, int] = field(default_factory=dict)  # from words on pages to words of the text


def aligned(text: str, seen: Sequence[SeenWord], hidden: Sequence[tuple[int, int]]) -> list[list[float]]:
    """Page, start, end and box of each word that could be placed. `hidden` parts of the text are on no page."""
    spans = [match.span() for match in _WORD.finditer(text) if not _is_in(match.start(), hidden)]
    found = _Words(spans, [text[start:end] for start, end in spans], seen)
    _follow(found)
    return [[word.page, *spans[mine], *word.box] for mine, word in sorted(_matched_words(found), key=_order)]


def _is_in(position: int, parts: Sequence[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in parts)


def _order(pair: tuple[int, SeenWord]) -> tuple[int, int]:
    return pair[1].page, pair[0]


def _follow(found: _Words) -> None:
    """Match page after page against what comes next in the text."""
    at = 0
    for theirs in _pages(found.seen):
        window = found.words[at : at + max(_LEAST_AHEAD, _AHEAD * len(theirs))]
        matched = list(_common(window, [found.seen[index].word for index in theirs]))
        found.pairs.update((theirs[there], at + here) for here, there in matched)
        if matched and len(matched) >= _ENOUGH * len(theirs):
            at += matched[-1][0] + 1


def _pages(seen: Sequence[SeenWord]) -> Iterable[list[int]]:
    pages: dict[int, list[int]] = defaultdict(list)
    for index, word in enumerate(seen):
        pages[word.page].append(index)
    return pages.values()


def _common(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of a longest common sequence."""
    for step in LCSseq.opcodes(ours, theirs):
        if step.tag == "equal":
            yield from zip(
                range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True
            )


def _matched_words(found: _Words) -> Iterator[tuple[int, SeenWord]]:
    """What was matched in order, and then what is left: a rare word, one that is as often left on the pages as in the
    text, or one that the text has once, as a heading that every page repeats."""
    for theirs, mine in found.pairs.items():
        yield mine, found.seen[theirs]
    used = set(found.pairs.values())
    ours = _by_word((index, word) for index, word in enumerate(found.words) if index not in used)
    left = [index for index in range(len(found.seen)) if index not in found.pairs]
    pieces: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for word, places in _unmatched_words(found.seen, left):
        if word in ours:
            pieces[word].append(places)
    for word, written in pieces.items():
        copies = ours[word]
        is_rare = max(len(copies), len(written)) <= _RARE
        if not is_rare and len(copies) not in (1, len(written)):
            continue
        for at, places in enumerate(written):
            mine = copies[min(at, len(copies) - 1)]
            for place in places:
                yield mine, found.seen[place]


def _unmatched_words(seen: Sequence[SeenWord], left: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The words that are left, and those that words which follow one another would make: a line may break in one."""
    for at in range(len(left)):
        places: tuple[int, ...] = ()
        for index in left[at : at + _MOST_PIECES]:
            if places and index != places[-1] + 1:
                break
            places = (*places, index)
            yield "".join(seen[place].word for place in places), places


def _by_word(words: Iterable[tuple[int, str]]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for index, word in words:
        found[word].append(index)
    return found
