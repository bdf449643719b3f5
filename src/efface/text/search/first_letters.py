"""Alternatives of an expression, arranged by their first letters so that a search for them is fast.

The engine of `re` tries each of many alternatives at each place, unless it can tell by the first letter that none is there.
It cannot where an expression begins with a look at what stands before, or where case is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ODD_CASES = (
    "\u0130\u0131\u017f\u212a\u212b\u00b5"  # letters that are another one to an expression that ignores case
)


def in_any_case(alternatives: Iterable[str]) -> str:
    """An expression for any of the alternatives in any case. Each is an expression that begins with a letter.

    Those that begin alike keep their order, and of the others none can match at the same place.
    """
    rests: dict[str, list[str]] = {}
    for alternative in alternatives:
        rests.setdefault(alternative[0], []).append(alternative[1:])
    return "|".join(f"[{_cases(first)}](?i:{'|'.join(some)})" for first, some in rests.items())


def apart_from(before: str, alternatives: Iterable[str]) -> str:
    """An expression for any of the alternatives where none of the characters `before` (a set) stands before it. Each is an
    expression that begins with a letter. It is the same as the look behind and then the alternatives."""
    rests: dict[str, list[str]] = {}
    for alternative in alternatives:
        rests.setdefault(alternative[0], []).append(alternative[1:])
    return "|".join(f"{first}(?<!{before}.)(?:{'|'.join(some)})" for first, some in rests.items())


def _cases(letter: str) -> str:
    """The letters that an expression takes for this one when it ignores case."""
    known = dict.fromkeys((letter, letter.upper(), *_ODD_CASES))
    return "".join(one for one in known if re.fullmatch(letter, one, re.IGNORECASE))
