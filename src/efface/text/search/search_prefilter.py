"""Cheap tests that a text must pass before a slow search of it can find anything.

A search for encoded words is slow, and nearly no text holds any. Each search therefore declares what is cheap to look
for and without which it finds nothing: its marks, one of which must be there, and a sign, a finer proof. All searches
of a text share one pass over its bytes for the marks, and most signs are one more pass in C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from string import ascii_letters
from typing import Generic, Protocol, TypeVar

Sign = Callable[[str, bytes], bool]
"""Whether a text, given with its bytes, may hold what a search looks for. False is a proof that it does not."""

DIGIT = "0"  # the mark that stands for any digit
_BLOCK = 1 << 20  # characters whose bytes are looked at together
_REMEMBERED = 4096  # sets of marks
NOT_ASCII = "\x80"  # the mark that stands for any character that is not ASCII
_NO_MARKS = (ascii_letters + " .,").encode()
# A table for bytes.translate: each ASCII character is its own mark, but for the digits, which share one, as do all bytes
# of other characters.
_MARKS = bytes(range(ord("0"))) + DIGIT.encode() * 10 + bytes(range(ord("9") + 1, 128)) + bytes([128]) * 128


def marks_of(text: str) -> frozenset[str]:
    """The marks that a text has."""
    found: set[int] = set()
    for start in range(0, len(text), _BLOCK):
        raw = text[start : start + _BLOCK].encode("utf-8", "surrogatepass")
        found.update(raw.translate(_MARKS, _NO_MARKS))
    return frozenset(map(chr, found))


class Guarded(Protocol):
    """A search that declares when it is worth its time. Without `marks` any text may have it."""

    @property
    def marks(self) -> str: ...

    @property
    def sign(self) -> Sign: ...


_Search = TypeVar("_Search", bound=Guarded)


class Prefilter(Generic[_Search]):
    """Searches of one kind, and which of them are worth their time in a text."""

    def __init__(self, searches: Iterable[_Search]) -> None:
        self.searches = tuple(searches)
        self._by_marks: dict[bytes, tuple[_Search, ...]] = {}  # the same few marks occur in text after text

    def worth_trying(self, text: str) -> list[_Search]:
        """The searches that may find something in the text, in their order."""
        if len(text) > _BLOCK:  # a copy of its bytes would be as large as the text
            return list(self._with_marks(bytes(map(ord, marks_of(text)))))
        raw = text.encode("utf-8", "surrogatepass")
        marks = bytes(set(raw.translate(_MARKS, _NO_MARKS)))
        known = self._by_marks.get(marks)
        if known is None:
            known = self._with_marks(marks)
        return [search for search in known if search.sign(text, raw)]

    def _with_marks(self, marks: bytes) -> tuple[_Search, ...]:
        """The searches that have one of their marks."""
        there = set(marks.decode("latin-1"))
        found = tuple(one for one in self.searches if not one.marks or not there.isdisjoint(one.marks))
        if len(self._by_marks) < _REMEMBERED:
            self._by_marks[marks] = found
        return found


def always(_: str, __: bytes) -> bool:
    """No proof beyond the marks."""
    return True


def matches(pattern: re.Pattern[str]) -> Sign:
    """The expression matches somewhere. It should begin with something rare, which keeps the search fast."""
    search = pattern.search
    return lambda text, _: search(text) is not None


def holds(*needles: str) -> Sign:
    """The text has one of these strings."""
    return lambda text, _: any(map(text.__contains__, needles))


def run_of(characters: str, length: int) -> Sign:
    """At least `length` of these ASCII characters follow one another."""
    table, run = _table({characters: "x"}), b"x" * length
    return lambda _, raw: run in raw.translate(table)


def in_kinds(kinds: dict[str, str], *needles: str, without: str = "") -> Sign:
    """The text contains one of the needles after each ASCII character is replaced by its kind.

    Characters without a kind become blanks. Those in `without` are dropped first.
    """
    table, first, *others = _table(kinds), *(needle.encode("ascii") for needle in needles)
    left_out = without.encode("ascii")

    def is_there(_: str, raw: bytes) -> bool:
        kinds_of = raw.translate(table, left_out)
        return first in kinds_of or any(map(kinds_of.__contains__, others))

    return is_there


def both(one: Sign, other: Sign) -> Sign:
    """Two signs are there. The first should be the cheaper one."""
    return lambda text, raw: one(text, raw) and other(text, raw)


def either(*signs: Sign) -> Sign:
    """One of several signs is there."""
    return lambda text, raw: any(sign(text, raw) for sign in signs)


def _table(kinds: dict[str, str]) -> bytes:
    table = bytearray(b" " * 256)
    for characters, kind in kinds.items():
        for code in characters.encode("ascii"):
            table[code] = ord(kind)
    return bytes(table)
