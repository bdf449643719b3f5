"""What operators leave of a value: a masked card, a birth year, 101**, an age band, a date that was moved. What was
masked before the text came to us is the same to a reader.

A guarantee judges the text as it leaves, so a part of a value counts for everybody whose value gives that part.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from efface.core import Mention, Reading, Span, SpanSet, Term
from efface.guarantees.parts_in_words import (
    is_stated_in_words,
    parts_stated_in_words,
    pieces_of_words,
    tests_of_words,
)
from efface.knowledge.entities.spellings.values import dates
from efface.text.folding import fold_term, without_separators

PARTIAL = "PARTIAL"  # the type of such a term
MARKS = "*#•█"  # what masks usually write over a value

_MANY = 8  # marks that are a mask even by themselves

_NUMBERS = re.compile(r"\d+")
_AMOUNT = re.compile(r"\d[\d,' ]*(?:\.\d+)?")
_DECADE = re.compile(r"(\d{3}0)s")
_RANGE = re.compile(r"\D*(\d[\d,]*)\s?-\s?(\d[\d,]*)\D*|\D*(\d+)\+\D*")
_OUTWARD = re.compile(r"[a-z]{1,2}\d[a-z0-9]?|[a-z]\d[a-z]")
_INWARD = r"[ -]?\d[a-z]{2}|[ -]?\d[a-z]\d"
_SEPARATED = re.compile(r"[,' ]")

Fits = Callable[[str], bool]
"""Whether a folded value gives what is left."""


@dataclass(frozen=True, slots=True)
class LeftParts:
    """Recognises what the policy's operators leave. `marks` are masking characters; dates move by `days` at most."""

    marks: str = MARKS
    days: int = 0

    def left_over(self, reading: Reading, source: str) -> Iterator[Term]:
        """Replacements by efface that show a part of a value, and what was masked in the original text."""
        text = reading.document.text
        ours = SpanSet(reading.inserted)
        masked = (span for span in self._masked_before(text) if not ours.touches(span.start, span.end))
        for span in (*reading.inserted, *masked):
            key = fold_term(text[span.start : span.end])
            if any(True for _ in self._tests(key)):
                yield _term(span, key, source)
        for span, key in parts_stated_in_words(text):
            if not ours.touches(span.start, span.end):
                yield _term(span, key, source)

    def _masked_before(self, text: str) -> Iterator[Span]:
        """Tokens of which a part is written over: 101**, **** **** **** 1111. Stars around a word or before a line
        are no mask."""
        if not any(mark in text for mark in self.marks):
            return
        one = re.escape(self.marks)
        written = rf"(?<![\w{one}])(?:[\d{one}]+[ -])*\w*[{one}][\w{one}]*(?:[ -][\d{one}]+)*"
        for found in re.finditer(written, text):
            marks = sum(character in self.marks for character in found[0])
            shown = sum(map(str.isalnum, found[0]))
            # One token of both, as 101** is. Where they stand apart, only many marks are a mask.
            # So are marks that stand for a group before or between others: **** 1111, 4000 1234 **** 2222.
            # But #### 11 is a heading.
            mixed = rf"\w[{one}]|[{one}]\w|\d[ -][{one}]{{3,}}[ -]\d|(?:(?!#)[{one}]){{4}}[ -]\d"
            is_mixed = re.search(mixed, found[0]) is not None
            if marks >= 2 and shown >= 2 and (is_mixed or marks >= _MANY):
                yield Span(found.start(), found.end())

    def test(self, left: str) -> Fits:
        """A test for the values that could have become what is left, by whichever operator."""
        tests = self.tests(left)
        if len(tests) == 1:
            return tests[0]
        return lambda value: any(fits(value) for fits in tests)

    def tests(self, left: str) -> tuple[Fits, ...]:
        """A test for each way to read what is left. A reader may know which operator wrote it, so each way counts by itself."""
        return tuple(self._tests(left))

    def _tests(self, left: str) -> Iterator[Fits]:
        yield from tests_of_words(left)
        if any(mark in left for mark in self.marks):
            if any(c.isalnum() and c not in self.marks for c in left):
                yield self._masked(left)
                yield from self._masked_otherwise(left)
            return
        if left.isdigit() and len(left) > 1:
            yield lambda value: left != value and left in _NUMBERS.findall(value)
        if decade := _DECADE.fullmatch(left):
            yield lambda value: any(year[:3] == decade[1][:3] for year in re.findall(r"\d{4}", value))
        if _OUTWARD.fullmatch(left):
            yield lambda value: re.fullmatch(f"{left}(?:{_INWARD})", value) is not None
        yield from _ranges(left)
        yield from _networks(left)
        yield from self._fits_shifted_date(left)

    def _masked(self, left: str) -> Fits:
        """A mark stands for a character, which may be a space ("*********Whitcombe"); or only for letters and digits,
        which the value may have grouped otherwise."""
        written, bare = self._under_marks(left), self._under_marks(without_separators(left))
        # The longest piece that is shown. Nearly no value of a large database has it, so most are told by a look in C.
        shown = self._longest_shown_part(left)

        def fits(value: str) -> bool:
            if shown not in value and (value.isalnum() or shown not in without_separators(value)):
                return False
            return bool(written.fullmatch(value) or bare.fullmatch(without_separators(value)))

        return fits

    def _masked_otherwise(self, left: str) -> Iterator[Fits]:
        """A mark for each character, as efface writes them; fewer characters, where the text has the value with
        separators; and any number of digits: 4000****, 4000 **** 1111. Stars around a number are no mask."""
        every = f"[{re.escape(self.marks)}]"
        written = re.compile("".join("." if c in self.marks else re.escape(c) for c in left))
        yield lambda value: written.fullmatch(value) is not None
        bare = without_separators(left)
        runs = re.split(f"({every}+)", bare)
        shown = "".join(runs[::2])
        fewer = re.compile(
            "".join(f".{{0,{len(run)}}}" if at % 2 else re.escape(run) for at, run in enumerate(runs))
        )
        yield lambda value: fewer.fullmatch(without_separators(value)) is not None
        if shown.isdigit() and len(shown) > 1 and (runs[0] or runs[-1]):
            many = re.compile(".*".join(runs[::2]))
            yield (
                lambda value: (
                    without_separators(value) != shown
                    and many.fullmatch(without_separators(value)) is not None
                )
            )

    def _longest_shown_part(self, left: str) -> str:
        return max(re.split(rf"[{re.escape(self.marks)}\s./:-]+", left), key=len)

    def pieces(self, left: str) -> frozenset[str] | None:
        """Strings of which every value that could have become what is left holds one, separators aside. None: any value
        must be tried."""
        pieces: set[str] = set()
        if is_stated_in_words(left):
            told = pieces_of_words(left)
            if told is None:
                return None
            pieces |= told
        if any(mark in left for mark in self.marks):
            pieces.add(self._longest_shown_part(left))
        elif self.days:  # a date that was moved looks like no other
            return None
        return frozenset(pieces) if all(pieces) and pieces else None

    def _under_marks(self, left: str) -> re.Pattern[str]:
        shown = left.lstrip(self.marks)
        hidden = len(left) - len(shown)  # perhaps more: ****1111 is a card too
        rest = "".join("." if c in self.marks else re.escape(c) for c in shown)
        return re.compile((f".{{{hidden},}}" if hidden else "") + rest)

    def _fits_shifted_date(self, left: str) -> Iterator[Fits]:
        """A date that was moved may have been any date that is near enough."""
        days = [date.fromisoformat(key) for _, _, key in dates(left)] if self.days else []
        if days:
            yield lambda value: any(
                abs((date.fromisoformat(key) - day).days) <= self.days
                for _, _, key in dates(value)
                for day in days
            )


USUAL = LeftParts()


def _term(span: Span, key: str, source: str) -> Term:
    mention = Mention(span.start, span.end, PARTIAL, key, 1.0, "a part of a value")
    return Term(key, PARTIAL, (mention,), source)


def _ranges(left: str) -> Iterator[Fits]:
    found = _RANGE.fullmatch(left)
    if found is None or any(True for _ in dates(left)):
        return
    low = _number(found[1] or found[3])
    high = _number(found[2]) if found[2] else float("inf")
    yield lambda value: any(low <= _number(number) <= high for number in _AMOUNT.findall(value))


def _number(text: str) -> float:
    return float(_SEPARATED.sub("", text))


def _networks(left: str) -> Iterator[Fits]:
    if "/" not in left:
        return
    try:
        network = ipaddress.ip_network(left)
    except ValueError:
        return
    yield lambda value: _is_in(value, network)


def _is_in(value: str, network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> bool:
    try:
        return ipaddress.ip_address(value) in network
    except ValueError:
        return False
