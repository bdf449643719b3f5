"""The rows of the tables, made ready: by the trigger at which they may begin, as expressions that try them together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from efface.finders.patterns import phones
from efface.finders.patterns.context_words import seen
from efface.finders.patterns.digit_runs import MOST_DIGITS, OTHER_SIGN, run_shape
from efface.finders.patterns.row import (
    CHECK_FAILS,
    CHECK_HOLDS,
    CONTEXT_NEAR,
    LEAST,
    LINE_BREAK,
    Pattern,
    Trigger,
)

_RUN = re.compile(r"[0-9]++")
_Match = Callable[[str, int, int], re.Match[str] | None]
Fit = tuple[int, int, str]  # which shape fits, where its value begins, and the value
# Whether the check holds, whether a context word is near, and how many line breaks are within.
_MatchSigns = tuple[bool | None, bool, int]


@dataclass(frozen=True, slots=True)
class CompiledRow:
    """A pattern ready for use: its context words, the most it can score where none of them is near, and what each kind
    of match is worth, once one was met."""

    pattern: Pattern
    context: frozenset[str]
    most: float
    worths: dict[_MatchSigns, tuple[float, str]] = field(default_factory=dict, compare=False, repr=False)

    def worth(self, evidence: _MatchSigns) -> tuple[float, str]:
        """The score of a match with this evidence, and why."""
        known = self.worths.get(evidence)
        if known is None:
            known = self.worths[evidence] = _worth(self.pattern, *evidence)
        return known


class _Shapes(Protocol):
    """The shapes of a group."""

    def fitting(self, text: str, at: int, end: int) -> Sequence[Fit]:
        """Those that fit at a place of a text which ends at `end`, in their order."""


class _Together:
    """Shapes as one expression: each is a group of its own in a look-ahead and none is consumed, so that one match at a
    place gives all that begin there."""

    __slots__ = ("_match",)

    def __init__(self, shapes: Iterable[str]) -> None:
        self._match = re.compile("".join(f"(?:(?={shape})|)" for shape in shapes), re.ASCII).match

    def fitting(self, text: str, at: int, end: int) -> Sequence[Fit]:
        match = self._match(text, at, end)
        if match is None or not match.lastindex:
            return ()
        values = enumerate(match.groups())
        return [(which, match.start(which + 1), value) for which, value in values if value is not None]


class _AtDigits:
    """Shapes that begin with a run of digits. Those are tried which can have so many digits and then such a sign; each is
    compiled when it is first tried."""

    __slots__ = ("_after", "_expressions", "_matches", "_tried")

    def __init__(self, shapes: Iterable[str], after: str) -> None:
        self._expressions = tuple(shapes)
        self._after = after
        self._matches: dict[int, _Match] = {}
        self._tried: dict[tuple[int, str], list[tuple[int, _Match]]] = {}

    def fitting(self, text: str, at: int, end: int) -> Sequence[Fit]:
        run = _RUN.match(text, at, end)
        stop = run.end() if run else at
        following = text[stop : min(stop + 1, end)]
        key = min(stop - at, MOST_DIGITS), following if following < OTHER_SIGN else OTHER_SIGN
        tried = self._tried.get(key)
        if tried is None:
            tried = self._tried[key] = self._possible(*key)
        fits: list[Fit] = []
        for which, match_at in tried:
            match = match_at(text, at, end)
            if match is not None:
                fits.append((which, match.start(1), match[1]))
        return fits

    def _possible(self, length: int, following: str) -> list[tuple[int, _Match]]:
        """The shapes that are tried at such a run, by number."""
        found = []
        for which, expression in enumerate(self._expressions):
            if run_shape(expression, self._after).may_match(length, following):
                if which not in self._matches:
                    self._matches[which] = re.compile(expression, re.ASCII).match
                found.append((which, self._matches[which]))
        return found


@dataclass(frozen=True, slots=True)
class TriggerGroup:
    """The rows of one trigger. `rows` holds, for each of the `shapes`, the rows of that shape; `pairs` the context words
    of all that are two words, `words` the others and the words of those."""

    name: str
    trigger: Trigger
    sign: re.Pattern[str]
    start: re.Pattern[str]
    shapes: _Shapes
    rows: tuple[tuple[CompiledRow, ...], ...]
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


def bound_row(pattern: Pattern, regions: tuple[str, ...]) -> CompiledRow:
    if pattern.check is phones.is_valid:
        pattern = replace(pattern, check=partial(phones.is_valid, regions=regions))
    most = round(pattern.score + CHECK_HOLDS * (pattern.check is not None), 2)
    return CompiledRow(pattern, seen(pattern.context), most)


def trigger_group(name: str, trigger: Trigger, rows: list[CompiledRow]) -> TriggerGroup:
    """The rows as a group, those of one shape together."""
    shapes: dict[str, list[CompiledRow]] = {}
    context = {term for row in rows for term in row.context}
    for row in rows:
        shapes.setdefault(f"{row.pattern.label}({row.pattern.regex}){trigger.after}", []).append(row)
    words = frozenset(word for term in context for word in term.split())
    pairs = frozenset(term for term in context if " " in term)
    return TriggerGroup(
        name,
        trigger,
        re.compile(trigger.sign, re.ASCII),
        re.compile(trigger.start, re.ASCII),
        _AtDigits(shapes, trigger.after) if trigger.digits and not trigger.reach else _Together(shapes),
        tuple(map(tuple, shapes.values())),
        words,
        pairs,
    )


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
