"""Draws texts that an expression matches, to try every row of the tables with values that nobody wrote down."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from efface.finders.patterns.row import Pattern

_MOST = 6  # how often more than needed something is repeated
_PRINTABLE = (
    "".join(map(chr, range(32, 127))) + "°″"
)  # what values are drawn from, where the expression allows it
_CATEGORIES = {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "0123456789", "CATEGORY_WORD": "_aZ7"}


def values(
    row: Pattern, rng: random.Random, count: int, *, valid: bool, tries: int = 20_000
) -> Iterator[str]:
    """Values of a row's shape whose check holds, or does not; fewer than `count` when they are rare."""
    drawn = matching(row.regex, rng, tries)
    fitting = (value for value in drawn if (row.check is None or row.check(value)) == valid)
    yield from islice(fitting, count)


def matching(regex: str, rng: random.Random, tries: int, tail: str = "", head: str = "") -> Iterator[str]:
    """Texts that the whole of an expression matches between `head` and `tail`, among so many that were drawn."""
    tree = parser.parse(regex, re.ASCII)
    shape = re.compile(regex + (f"(?={re.escape(tail)}$)" if tail else "$"), re.ASCII)
    for _ in range(tries):
        value = _drawn(tree, rng)
        if shape.match(head + value + tail, len(head)):
            yield value


def _drawn(tree: Any, rng: random.Random) -> str:
    return "".join(_piece(str(operation), argument, rng) for operation, argument in tree)


def _piece(operation: str, argument: Any, rng: random.Random) -> str:
    if operation == "LITERAL":
        return chr(argument)
    if operation == "NOT_LITERAL":
        return rng.choice(_PRINTABLE.replace(chr(argument), ""))
    if operation == "IN":
        return rng.choice(_characters(tuple(argument)))
    if operation == "BRANCH":
        return _drawn(rng.choice(argument[1]), rng)
    if operation == "SUBPATTERN":
        return _drawn(argument[3], rng)
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        low, high, inner = argument
        return "".join(_drawn(inner, rng) for _ in range(rng.randint(low, min(int(high), low + _MOST))))
    return ""  # what looks around draws nothing


@cache
def _characters(items: Any) -> list[str]:
    """What a class in brackets matches, printable where it can be."""
    printable = [character for character in _PRINTABLE if any(_holds(item, character) for item in items)]
    if str(items[0][0]) == "NEGATE":
        return [character for character in _PRINTABLE if character not in printable]
    return printable or [chr(argument) for operation, argument in items if str(operation) == "LITERAL"]


def _holds(item: Any, character: str) -> bool:
    operation, argument = str(item[0]), item[1]
    if operation == "LITERAL":
        return ord(character) == int(argument)
    if operation == "RANGE":
        return bool(argument[0] <= ord(character) <= argument[1])
    return operation == "CATEGORY" and character in _CATEGORIES[str(argument)]
