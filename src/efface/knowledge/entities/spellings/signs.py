"""Negative numbers: with a sign before them, and without one where words tell it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# What makes a number negative: -4512, minus 4,512, and (4,512) in accounts.
_SIGN = re.compile(r"(?<![\w)])(?:[-\u2212\u2013] ?|(?:minus|negative) |(?P<account>\())(?=[$€£¥₹]?\d)")
_MAY_BE_SIGN = re.compile(r"[-\u2212\u2013(] ?[$€£¥₹\d]|minus |negative ")
_INTEGER = re.compile(r"\d{1,40}(?!\w)(?![.,]\d)")
_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WHOLE_NUMBER = re.compile(rf"(?<!\w){_INTEGER.pattern}")


def negative(text: str, numbers: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Numbers with a sign before them."""
    signs = list(_SIGN.finditer(text)) if _MAY_BE_SIGN.search(text) else []
    if not signs:
        return
    by_start: dict[int, list[tuple[int, str]]] = {}
    for start, end, key in numbers:
        by_start.setdefault(start, []).append((end, key))
    for sign in signs:
        for at in (sign.end(), sign.end() + 1):  # a currency may stand between
            whole = _INTEGER.match(text, at) if at == sign.end() or not text[at - 1].isdigit() else None
            read = by_start.get(at, [])
            for end, key in [*read, (whole.end(), whole[0])] if whole else read:
                if not sign["account"]:
                    yield sign.start(), end, f"-{key}"
                elif text[end : end + 1] == ")":
                    yield sign.start(), end + 1, f"-{key}"


def perhaps_negative(text: str, read: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """The numbers of a folded text and of its readings as negative ones: a text may tell the sign by a word ("4512 overdrawn").
    They are no spellings of a negative number, so that debts and credits are never pooled into one crowd."""
    for start, end, key in read:
        if _PLAIN_NUMBER.fullmatch(key):
            yield start, end, f"-{key}"
    for match in _WHOLE_NUMBER.finditer(text):
        yield *match.span(), f"-{match[0]}"
