"""The pattern finder: every row of the tables, over a text of any length, in one pass of bounded memory.

A row is tried at every place where it may begin, so what is found at a place depends on the text around
it alone, not on what was found before, and the text may be cut into blocks anywhere. A mention is
reported from the threshold on; what a check or a context word adds or takes away is in `row.Pattern`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import merge
from operator import attrgetter
from typing import ClassVar

from efface.core import FinderTraits, Mention
from efface.errors import UsageError
from efface.finders.patterns import dates, phones
from efface.finders.patterns.checks import compact
from efface.finders.patterns.columns import labelled_columns
from efface.finders.patterns.hits import Hit, outermost, whole_code, whole_numbers
from efface.finders.patterns.line_ends import is_row, within_lines
from efface.finders.patterns.needles import absent_triggers
from efface.finders.patterns.normalized_text import NormalizedText, view
from efface.finders.patterns.other_numbers import without_other_numbers
from efface.finders.patterns.row import (
    RECALL_THRESHOLD,
    THRESHOLD,
    TRIGGERS,
    Pattern,
)
from efface.finders.patterns.tables.abroad import ABROAD
from efface.finders.patterns.tables.addresses import ADDRESSES
from efface.finders.patterns.tables.codes import CODES
from efface.finders.patterns.tables.common import COMMON
from efface.finders.patterns.tables.europe import EUROPE
from efface.finders.patterns.tables.labelled import LABELLED
from efface.finders.patterns.tables.logs import LOGS
from efface.finders.patterns.tables.more_states import MORE_STATES
from efface.finders.patterns.tables.net import NET
from efface.finders.patterns.tables.references import REFERENCES
from efface.finders.patterns.tables.world import WORLD
from efface.finders.patterns.trigger_groups import CompiledRow, Fit, TriggerGroup, bound_row, trigger_group
from efface.text.entity_types import TYPES
from efface.text.folding import fold_term
from efface.text.placeholder_blank import APART_SIGN
from efface.text.search.search_prefilter import marks_of
from efface.text.tables.find import may_have_tables

__all__ = ["PATTERNS", "THRESHOLD", "TYPES", "PatternFinder"]

PATTERNS: tuple[Pattern, ...] = (
    NET + COMMON + CODES + REFERENCES + LABELLED + LOGS + ADDRESSES + EUROPE + WORLD + MORE_STATES + ABROAD
)

BLOCK = 1 << 20  # characters searched at a time
LONGEST = 1 << 14  # no match is longer
REACH = max(trigger.reach for trigger in TRIGGERS.values())
LONGEST_KEY = 256  # characters: of a longer value, such as a private key, the digest is kept
NEAR_BEFORE, NEAR_AFTER = 48, 24  # how far from a value its context words may be
MARGIN = LONGEST + 4 * NEAR_BEFORE
JOIN = 44  # how far a number broken by a line's end may reach to either side
JOINABLE = ("number", "long", "code")  # rows tried on a number that goes on in the next line

_WORD = re.compile(r"[a-z]+|[A-Z](?:[a-z]+|[A-Z]*)|/")  # a stroke stays, to keep two words apart
_ANY_WORD = re.compile(rf"[^\W\d_]*[^\W\d_\x00-\x7f][^\W\d_]*|{_WORD.pattern}")  # also of another script
_WITHIN_NUMBER = re.compile(r"[0-9]{3}/\Z")
_LETTER = re.compile(r"[A-Za-z]")
_DIGITS = re.compile(r"[0-9]++")
_JOINT = re.compile(r"\n(?=[0-9])(?:(?<=[0-9]\n)|(?<=[0-9]-\n))")  # a line break first: it is looked for fast

_KEYS: Mapping[str, Callable[[str], str]] = {
    "DATE_TIME": dates.normal_form,
    "PHONE_NUMBER": phones.normal_form,
    **dict.fromkeys(
        ("EMAIL_ADDRESS", "USERNAME", "MAC_ADDRESS", "IP_ADDRESS", "GEO_COORDINATE", "STREET_ADDRESS"),
        fold_term,
    ),
    **dict.fromkeys(("URL", "FILE_PATH", "SECRET", "CASE_NUMBER", "CRYPTO"), str.strip),
}


@dataclass(frozen=True, slots=True)
class PatternFinder:
    """Finds identifiers by their shape. `types` chooses among `TYPES`, None takes all; `regions` are the
    countries whose telephone numbers are known without their country code."""

    types: frozenset[str] | None = None
    threshold: float = THRESHOLD
    regions: tuple[str, ...] = phones.DEFAULT_REGIONS

    traits: ClassVar[FinderTraits] = FinderTraits(counts_everywhere=True, reads_context_words=True)

    def find(self, text: str) -> Iterator[Mention]:
        """Mentions in order of their start. Offsets are code points of `text`."""
        groups = _groups(self.types, self.regions)
        found = _find_named(text, groups, self.threshold)
        in_columns = _in_columns(text, groups, self.threshold)
        yield from merge(found, in_columns, key=attrgetter("start")) if in_columns else found


@lru_cache(maxsize=8)
def _groups(types: frozenset[str] | None, regions: tuple[str, ...]) -> tuple[TriggerGroup, ...]:
    """The chosen rows by the trigger at which they may begin."""
    if unknown := sorted((types or frozenset()) - TYPES.keys()):
        raise UsageError(f"There is no pattern type {unknown[0]}.", "`efface policy types` lists them.")
    chosen = [bound_row(row, regions) for row in PATTERNS if types is None or row.type in types]
    groups = []
    for name, trigger in TRIGGERS.items():
        names = {name, *trigger.also}
        rows = [row for row in chosen if not names.isdisjoint(row.pattern.at)]
        if rows:
            groups.append(trigger_group(name, trigger, rows))
    return tuple(groups)


def _find_named(text: str, groups: tuple[TriggerGroup, ...], threshold: float) -> Iterator[Mention]:
    """The mentions without numbers that are named as something else, unless a shape is enough."""
    found = _find_blocks(text, groups, threshold)
    return without_other_numbers(text, found) if threshold > RECALL_THRESHOLD else found


def _find_blocks(text: str, groups: tuple[TriggerGroup, ...], threshold: float) -> Iterator[Mention]:
    for low in range(0, len(text), BLOCK):
        yield from _find_block(text, low, min(low + BLOCK, len(text)), groups, threshold)


def _in_columns(text: str, groups: tuple[TriggerGroup, ...], threshold: float) -> list[Mention]:
    """What the labels of columns tell of the values below them."""
    if not may_have_tables(text):
        return []
    columns = labelled_columns(text, frozenset().union(*(group.words for group in groups)))
    found = []
    for mention in _find_named(columns.text, groups, threshold):
        place = columns.origin(mention.start, mention.end)
        if place is not None:
            found.append(replace(mention, start=place.start, end=place.end))
    return sorted(found, key=attrgetter("start"))


def _find_block(
    text: str, low: int, high: int, groups: tuple[TriggerGroup, ...], threshold: float
) -> Iterator[Mention]:
    """Mentions that begin in `text[low:high]`. Longer ones that begin earlier hide what they contain."""
    seen = _view_around(text, low, high)
    first, last = max(0, seen.position(low) - LONGEST), seen.position(high)
    hits = _hits(seen.text, first, last, groups, threshold)
    over_lines = max((hit.end for hit in hits if "\n" in seen.text[hit.start : hit.end]), default=last)
    if over_lines > last:  # what begins after the block may say that such a hit is two numbers
        hits = _hits(seen.text, first, over_lines, groups, threshold)
    hits += _broken_by_line_end(seen.text, first, last, groups, threshold)
    hits = list(within_lines(hits, seen.text))
    keys: dict[str, str] = {}  # a value that comes back has one key in memory
    for found in whole_numbers(outermost(hits), hits, seen.text):
        if low <= seen.origin(found.start) < high:
            hit = whole_code(found, seen.text)
            start, end = seen.origin(hit.start), seen.origin(hit.end - 1) + 1
            key = _key(hit, seen.text)
            yield Mention(start, end, hit.type, keys.setdefault(key, key), hit.score, hit.because)


def _key(hit: Hit, text: str) -> str:
    """The normal form of the value; of a long one, its digest."""
    key = _KEYS.get(hit.type, compact)(text[hit.start : hit.end])
    return key if len(key) <= LONGEST_KEY else hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _view_around(text: str, low: int, high: int) -> NormalizedText:
    """The view of a block with enough on either side for any match that touches it. What the view leaves
    out (invisible characters, indentation) does not count, within reason."""
    margin = MARGIN + MARGIN // 4
    while True:
        seen = view(text, max(0, low - margin), min(len(text), high + margin))
        before, after = seen.position(low), len(seen.text) - seen.position(high)
        enough = (low <= margin or before >= MARGIN) and (high + margin >= len(text) or after >= MARGIN)
        if enough or margin > 16 * MARGIN:
            return seen
        margin *= 2


def _hits(text: str, first: int, last: int, groups: Iterable[TriggerGroup], threshold: float) -> list[Hit]:
    hits: list[Hit] = []
    marks, absent = marks_of(text), absent_triggers(text)
    digits = [run.start() for run in _DIGITS.finditer(text, first, min(last + REACH, len(text)))]
    for group in groups:
        if group.name in absent or not group.may_begin(marks) or (group.trigger.digits and not digits):
            continue
        fitting = group.shapes.fitting
        for start in group.starts(text, first, last, digits):
            fits = fitting(text, start, len(text))
            if fits:
                hits += _scored(text, start, fits, group, threshold)
    return hits


def _scored(text: str, start: int, fits: Sequence[Fit], group: TriggerGroup, threshold: float) -> list[Hit]:
    """The rows that fit at one place and score enough. Where a match goes on in the next line, what fits before the
    line's end is tried as well, and alone where the two lines are rows of a table."""
    hits: list[Hit] = []
    end = max([at + len(value) for _, at, value in fits])
    words = _context_words_near(text, start, end, group)
    line_end = text.find("\n", start, end)
    at_row_end = line_end >= 0 and is_row(text, line_end)
    for which, at, value in fits:
        for row in group.rows[which]:
            near = bool(words) and not words.isdisjoint(row.context)
            if at_row_end and "\n" in value and not row.pattern.many_lines:
                continue
            if row.most >= threshold or near:
                hit = _scored_hit(row, at, value, near, threshold)
                if hit:
                    hits.append(hit)
    if line_end > start:
        shorter = group.shapes.fitting(text, start, line_end)
        if shorter:
            hits += _scored(text, start, shorter, group, threshold)
    return hits


def _context_words_near(text: str, start: int, end: int, group: TriggerGroup) -> set[str]:
    """The context words of the group around a value."""
    before = text[max(0, start - NEAR_BEFORE) : start].rpartition(APART_SIGN)[2]
    after = text[end : end + NEAR_AFTER].partition(APART_SIGN)[0]
    around = f"{before}/{after}"
    word = _WORD if around.isascii() else _ANY_WORD
    phrase = " ".join(word.findall(around)).lower()
    found = set(group.words.intersection(phrase.split(" ")))
    if found:
        phrase = f" {phrase} "
        found.update(pair for pair in group.pairs if f" {pair} " in phrase)
    return found


def _scored_hit(row: CompiledRow, start: int, value: str, near: bool, threshold: float) -> Hit | None:
    """What a match is worth, and why; nothing when it is not worth enough."""
    pattern = row.pattern
    holds = pattern.check(value) if pattern.check else None
    breaks = value.count("\n") if "\n" in value and not pattern.many_lines else 0
    score, because = row.worth((holds, near, breaks))
    if score < threshold:
        return None
    return Hit(start, start + len(value), pattern.type, score, holds, because)


def _broken_by_line_end(
    text: str, first: int, last: int, groups: Iterable[TriggerGroup], threshold: float
) -> Iterator[Hit]:
    """Numbers broken in two by a line's end: read with the break left out, and believed if their checksum
    holds. One that begins within another number ("4471/170624") is none. A line that has no word in it is a row of
    numbers, and one with as many separators as the next is a row of a table: they join nothing."""
    joinable = [group for group in groups if group.name in JOINABLE]
    for joint in _JOINT.finditer(text, first, min(last + JOIN, len(text))):
        gap = joint.end() - 1
        low = max(0, gap - JOIN - NEAR_BEFORE)
        if not _LETTER.search(text, max(low, text.rfind("\n", low, gap)), gap):
            continue
        if is_row(text, gap):
            continue
        line = text[low:gap] + text[gap + 1 : gap + JOIN]
        for hit in _hits(line, max(0, gap - JOIN - low), gap - low, joinable, threshold):
            if _WITHIN_NUMBER.search(line[: hit.start]):
                continue
            if hit.end > gap - low and hit.holds and hit.type not in ("DATE_TIME", "PHONE_NUMBER"):
                because = f"{hit.because}, split over lines"
                yield hit._replace(start=low + hit.start, end=low + hit.end + 1, because=because)
