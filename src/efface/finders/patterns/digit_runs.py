"""Which rows can match where a run of digits begins, told by how long the run is and by what stands behind it.

Nearly every row asks for so many digits and then for a certain sign, so of two hundred rows a few can match at a number.
What a row asks for is read from its parsed expression. Whatever this reading does not understand counts as possible, so
no row is left out by mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from string import digits
from typing import Any

MOST_DIGITS = 32  # that are told apart; longer runs are possible for every row
OTHER_SIGN = "\x80"  # stands for any sign that is not ASCII
_ASCII = frozenset(map(chr, range(128)))
_DIGITS = frozenset(digits)
_ONE_CHARACTER = frozenset(("LITERAL", "NOT_LITERAL", "IN", "ANY"))
_REPEATS = frozenset(("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"))
_NO_WIDTH = frozenset(("ASSERT", "ASSERT_NOT", "AT"))
_CATEGORIES = {
    name: frozenset(re.findall(sign, "".join(sorted(_ASCII)), re.ASCII))
    for name, sign in (
        *(("DIGIT", r"\d"), ("SPACE", r"\s"), ("WORD", r"\w")),
        *(("NOT_DIGIT", r"\D"), ("NOT_SPACE", r"\S"), ("NOT_WORD", r"\W")),
    )
}
_ONE_SIGN = re.compile(r"\(\?!\[[^\]]*\]\)")  # what may not follow a match is told by the next character


class DigitRunShape:
    """How long a run of digits an expression can begin with, and what it can go on with behind so many digits."""

    def __init__(self, regex: str, after: str) -> None:
        self._next: dict[int, set[str]] = {}  # digits read → ASCII signs that may follow them
        self._unknown = MOST_DIGITS  # from so many digits on anything is possible
        parsed = import_module("re._parser").parse(regex, re.ASCII)
        self._ends = self._read(parsed, frozenset((0,)))
        self._after = re.compile(after if _ONE_SIGN.fullmatch(after) else "", re.ASCII)
        self._ends_within_run = self._after.match("0") is not None

    def may_match(self, length: int, following: str) -> bool:
        """Whether the expression may match where a run of `length` digits begins, behind which this character stands."""
        if length >= self._unknown:
            return True
        if length in self._ends and self._after.match(following) is not None:
            return True
        if self._ends_within_run and any(end < length for end in self._ends):
            return True
        return length in self._next and (not following.isascii() or following in self._next[length])

    def _read(self, items: Iterable[tuple[Any, Any]], counts: frozenset[int]) -> frozenset[int]:
        """How many digits may be read when these items are, if `counts` may be before them."""
        for operation, argument in items:
            name = str(operation)
            if name in _NO_WIDTH:
                continue
            counts = self._read_one(name, operation, argument, counts)
        return counts

    def _read_one(self, name: str, operation: Any, argument: Any, counts: frozenset[int]) -> frozenset[int]:
        if name in _ONE_CHARACTER:
            return self._read_character(*_accepted(name, argument), counts)
        if name in _REPEATS:
            least, most, items = argument
            return self._read_repeated(int(least), int(most), items, counts)
        if name == "SUBPATTERN":
            return self._read(argument[-1], counts)
        if name == "ATOMIC_GROUP":
            return self._read(argument, counts)
        if name == "BRANCH":
            return frozenset().union(*(self._read(items, counts) for items in argument[1]))
        self._unknown = min((self._unknown, *counts))
        return counts

    def _read_character(
        self, signs: frozenset[str], is_digit: bool, counts: frozenset[int]
    ) -> frozenset[int]:
        for count in counts:
            self._next.setdefault(count, set()).update(signs)
        return frozenset(min(count + 1, MOST_DIGITS) for count in counts) if is_digit else frozenset()

    def _read_repeated(
        self, least: int, most: int, items: Iterable[tuple[Any, Any]], counts: frozenset[int]
    ) -> frozenset[int]:
        reached = counts if least == 0 else frozenset[int]()
        for time in range(1, min(most, max(least, MOST_DIGITS)) + 1):
            counts = self._read(items, counts)
            if time >= least:
                if counts <= reached:
                    break
                reached |= counts
        return reached


_KNOWN: dict[str, tuple[frozenset[str], bool]] = {}  # what items accept: rows have the same few


def _accepted(name: str, argument: Any) -> tuple[frozenset[str], bool]:
    """The ASCII signs that an item may accept, in either case, and whether it accepts digits."""
    written = f"{name} {argument}"
    known = _KNOWN.get(written)
    if known is None:
        accepted = _accepted_anew(name, argument)
        known = _KNOWN[written] = accepted - _DIGITS, not accepted.isdisjoint(_DIGITS)
    return known


def _accepted_anew(name: str, argument: Any) -> frozenset[str]:
    if name == "ANY":
        return _ASCII
    items = argument if name == "IN" else [("LITERAL", argument)]
    negated = name == "NOT_LITERAL" or str(items[0][0]) == "NEGATE"
    listed = frozenset[str]().union(*(_listed(str(operation), value) for operation, value in items))
    plain = _ASCII - listed if negated else listed
    return plain | frozenset(map(str.lower, plain)) | frozenset(map(str.upper, plain))


def _listed(operation: str, value: Any) -> Iterable[str]:
    """The ASCII characters that one item of a set names."""
    match operation:
        case "LITERAL":
            return chr(value) if value < len(_ASCII) else ""
        case "RANGE":
            first, last = value
            return map(chr, range(first, min(last + 1, len(_ASCII))))
        case "CATEGORY":
            return _CATEGORIES[str(value).removeprefix("CATEGORY_")]
    return ""


run_shape = lru_cache(maxsize=None)(DigitRunShape)  # groups share rows, and the tables end
