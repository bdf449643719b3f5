"""The pattern finder: every row of the tables, over a text of any length, in one pass of bounded memory.

A row is tried at every place where it may begin, so what is found at a place depends on the text around
it alone, not on what was found before, and the text may be cut into blocks anywhere. A mention is
reported from the threshold on; what a check or a context word adds or takes away is in `row.Pattern`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from heapq import merge
from operator import attrgetter
from typing import ClassVar

from efface.core import FinderTraits, Mention
from efface.errors import UsageError
from efface.finders.patterns import dates, phones
from efface.finders.patterns.checks import compact
from efface.finders.patterns.columns import labelled_columns
from efface.finders.patterns.context_words import seen
from efface.finders.patterns.hits import Hit, outermost, whole_code, whole_numbers
from efface.finders.patterns.line_ends import is_row, within_lines
from efface.finders.patterns.needles import absent_triggers
from efface.finders.patterns.normalized_text import NormalizedText, view
from efface.finders.patterns.other_numbers import without_other_numbers
from efface.finders.patterns.row import (
    CHECK_FAILS,
    CHECK_HOLDS,
    CONTEXT_NEAR,
    LEAST,
    LINE_BREAK,
    RECALL_THRESHOLD,
    THRESHOLD,
    TRIGGERS,
    Pattern,
    Trigger,
)
from efface.finders.patterns.tables.abroad import ABROAD
from efface.finders.patterns.tables.addresses import ADDRESSES
from efface.finders.patterns.tables.common import COMMON
from efface.finders.patterns.tables.europe import EUROPE
from efface.finders.patterns.tables.labelled import LABELLED
from efface.finders.patterns.tables.logs import LOGS
from efface.finders.patterns.tables.more_states import MORE_STATES
from efface.finders.patterns.tables.net import NET
from efface.finders.patterns.tables.references import REFERENCES
from efface.finders.patterns.tables.world import WORLD
from efface.text.entity_types import TYPES
from efface.text.folding import fold_term
from efface.text.placeholder_blank import APART_SIGN
from efface.text.search.search_prefilter import marks_of
from efface.text.tables.find import may_have_tables

__all__ = ["PATTERNS", "THRESHOLD", "TYPES", "PatternFinder"]

PATTERNS: tuple[Pattern, ...] = (
    NET + COMMON + REFERENCES + LABELLED + LOGS + ADDRESSES + EUROPE + WORLD + MORE_STATES + ABROAD
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


_RowEvidence = tuple[
    bool | None, bool, int
]  # whether the check holds, a context word near, line breaks within


@dataclass(frozen=True, slots=True)
class _CompiledRow:
    """A pattern ready for use: its context words, the most it can score where none of them is near, and what each kind
    of match is worth, once one was met."""

    pattern: Pattern
    context: frozenset[str]
    most: float
    worths: dict[_RowEvidence, tuple[float, str]] = field(default_factory=dict, compare=False, repr=False)

    def worth(self, evidence: _RowEvidence) -> tuple[float, str]:
        """The score of a match with this evidence, and why."""
        known = self.worths.get(evidence)
        if known is None:
            known = self.worths[evidence] = _worth(self.pattern, *evidence)
        return known


@dataclass(frozen=True, slots=True)
class _TriggerGroup:
    """The rows of one trigger as one expression: each row is a group of its own in a look-ahead, so that
    one match at a place gives every row that fits there. `rows` holds, for each group, the rows of that
    shape; `pairs` the context words of all that are two words, `words` the others and the words of those."""

    name: str
    trigger: Trigger
    sign: re.Pattern[str]
    start: re.Pattern[str]
    shapes: re.Pattern[str]
    rows: tuple[tuple[_CompiledRow, ...], ...]
    words: frozenset[str]
    pairs: frozenset[str]

    def may_begin(self, marks: frozenset[str]) -> bool:
        """Whether a row may begin anywhere in a text that has these marks."""
        return not self.trigger.marks or not marks.isdisjoint(self.trigger.marks)

    def starts(self, text: str, first: int, last: int, digits: list[int]) -> Iterable[int]:
        """Where in `[first, last)` a row may begin. `digits` are the places where a run of digits does."""
        signs = self._signs(text, first, digits)
        if signs and self.trigger.reach:
            return self._starts_before_signs(signs, text, first, last)
        return [at for at in signs if at < last]

    def _signs(self, text: str, first: int, digits: list[int]) -> list[int]:
        """Where the trigger is, in order."""
        if self.trigger.needles:
            places: list[int] = []
            for needle in self.trigger.needles:
                at = text.find(needle, first)
                while at >= 0:
                    places.append(at)
                    at = text.find(needle, at + 1)
            return sorted(places)
        if self.trigger.digits:
            is_sign = self.sign.match
            return [at for at in digits if is_sign(text, at)]
        return [sign.start() for sign in self.sign.finditer(text, first)]

    def _starts_before_signs(self, signs: list[int], text: str, first: int, last: int) -> list[int]:
        reach, looks_right = self.trigger.reach, self.start.finditer
        starts: list[int] = []
        for at in signs:
            if at - reach >= last:
                break
            starts += [start.start() for start in looks_right(text, max(first, at - reach), at + 1)]
            first = at + 1
        return starts if not starts or starts[-1] < last else [start for start in starts if start < last]


@lru_cache(maxsize=8)
def _groups(types: frozenset[str] | None, regions: tuple[str, ...]) -> tuple[_TriggerGroup, ...]:
    """The chosen rows by the trigger at which they may begin."""
    if unknown := sorted((types or frozenset()) - TYPES.keys()):
        raise UsageError(f"There is no pattern type {unknown[0]}.", "`efface policy types` lists them.")
    chosen = [_bound(row, regions) for row in PATTERNS if types is None or row.type in types]
    groups = []
    for name, trigger in TRIGGERS.items():
        names = {name, *trigger.also}
        rows = [row for row in chosen if not names.isdisjoint(row.pattern.at)]
        if rows:
            groups.append(_group(name, trigger, rows))
    return tuple(groups)


def _bound(pattern: Pattern, regions: tuple[str, ...]) -> _CompiledRow:
    if pattern.check is phones.is_valid:
        pattern = replace(pattern, check=partial(phones.is_valid, regions=regions))
    most = round(pattern.score + CHECK_HOLDS * (pattern.check is not None), 2)
    return _CompiledRow(pattern, seen(pattern.context), most)


def _group(name: str, trigger: Trigger, rows: list[_CompiledRow]) -> _TriggerGroup:
    shapes: dict[str, list[_CompiledRow]] = {}
    context = {term for row in rows for term in row.context}
    for row in rows:
        shapes.setdefault(f"{row.pattern.label}({row.pattern.regex}){trigger.after}", []).append(row)
    # Each shape is looked at and none is consumed, so that one match gives all that begin at a place.
    all_shapes = "".join(f"(?:(?={shape})|)" for shape in shapes)
    words = frozenset(word for term in context for word in term.split())
    pairs = frozenset(term for term in context if " " in term)
    return _TriggerGroup(
        name,
        trigger,
        re.compile(trigger.sign, re.ASCII),
        re.compile(trigger.start, re.ASCII),
        re.compile(all_shapes, re.ASCII),
        tuple(map(tuple, shapes.values())),
        words,
        pairs,
    )


def _find_named(text: str, groups: tuple[_TriggerGroup, ...], threshold: float) -> Iterator[Mention]:
    """The mentions without numbers that are named as something else, unless a shape is enough."""
    found = _find_blocks(text, groups, threshold)
    return without_other_numbers(text, found) if threshold > RECALL_THRESHOLD else found


def _find_blocks(text: str, groups: tuple[_TriggerGroup, ...], threshold: float) -> Iterator[Mention]:
    for low in range(0, len(text), BLOCK):
        yield from _find_block(text, low, min(low + BLOCK, len(text)), groups, threshold)


def _in_columns(text: str, groups: tuple[_TriggerGroup, ...], threshold: float) -> list[Mention]:
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
    text: str, low: int, high: int, groups: tuple[_TriggerGroup, ...], threshold: float
) -> Iterator[Mention]:
    """Mentions that begin in `text[low:high]`. Longer ones that begin earlier hide what they contain."""
    seen = _view_around(text, low, high)
    first, last = max(0, seen.position(low) - LONGEST), seen.position(high)
    hits = _hits(seen.text, first, last, groups, threshold)
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


def _hits(text: str, first: int, last: int, groups: Iterable[_TriggerGroup], threshold: float) -> list[Hit]:
    hits: list[Hit] = []
    marks, absent = marks_of(text), absent_triggers(text)
    digits = [run.start() for run in _DIGITS.finditer(text, first, min(last + REACH, len(text)))]
    for group in groups:
        if group.name in absent or not group.may_begin(marks) or (group.trigger.digits and not digits):
            continue
        match_at = group.shapes.match
        for start in group.starts(text, first, last, digits):
            match = match_at(text, start)
            if match is not None and match.lastindex:
                hits += _fitting(text, match, group, threshold)
    return hits


def _fitting(text: str, match: re.Match[str], group: _TriggerGroup, threshold: float) -> list[Hit]:
    """The rows that fit at one place and score enough. Where a match goes on in the next line, what fits before the
    line's end is tried as well, and alone where the two lines are rows of a table."""
    hits: list[Hit] = []
    values = [(index, value) for index, value in enumerate(match.groups()) if value is not None]
    end = max([match.end(index + 1) for index, _ in values])
    words = _context_words_near(text, match.start(), end, group)
    line_end = text.find("\n", match.start(), end)
    at_row_end = line_end >= 0 and is_row(text, line_end)
    for index, value in values:
        for row in group.rows[index]:
            near = bool(words) and not words.isdisjoint(row.context)
            if at_row_end and "\n" in value and not row.pattern.many_lines:
                continue
            if row.most >= threshold or near:
                hit = _scored_hit(row, match.start(index + 1), value, near, threshold)
                if hit:
                    hits.append(hit)
    if line_end > match.start():
        shorter = group.shapes.match(text, match.start(), line_end)
        if shorter is not None and shorter.lastindex:
            hits += _fitting(text, shorter, group, threshold)
    return hits


def _context_words_near(text: str, start: int, end: int, group: _TriggerGroup) -> set[str]:
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


def _scored_hit(row: _CompiledRow, start: int, value: str, near: bool, threshold: float) -> Hit | None:
    """What a match is worth, and why; nothing when it is not worth enough."""
    pattern = row.pattern
    holds = pattern.check(value) if pattern.check else None
    breaks = value.count("\n") if "\n" in value and not pattern.many_lines else 0
    score, because = row.worth((holds, near, breaks))
    if score < threshold:
        return None
    return Hit(start, start + len(value), pattern.type, score, holds, because)


def _worth(pattern: Pattern, holds: bool | None, near: bool, breaks: int) -> tuple[float, str]:
    """The score of a match, and why: whether the check holds, whether a context word is near, over how many lines."""
    score = pattern.score + LINE_BREAK * breaks
    if holds is not None:
        score += CHECK_HOLDS if holds else CHECK_FAILS
    if near:
        score += CONTEXT_NEAR
    reasons = (
        "" if holds is None else "check holds" if holds else "check fails",
        "context word near" if near else "",
        "split over lines" if breaks else "",
    )
    because = f"pattern {pattern.type}: {', '.join(filter(None, reasons)) or 'shape'}"
    return round(min(max(score, LEAST), 1.0), 2), because


def _broken_by_line_end(
    text: str, first: int, last: int, groups: Iterable[_TriggerGroup], threshold: float
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
