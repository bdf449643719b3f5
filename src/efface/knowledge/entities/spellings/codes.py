"""Codes and long numbers that a text writes in groups: 9180 4408-8778, GB82 WEST 1234 5698 7654 32, SW1A 2AA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

Readings = Iterator[
    tuple[int, int, str]
]  # where it is in the folded text, and the value without what parts it

LEAST_DIGITS, _MOST_DIGITS, _USUAL_GROUP = 7, 24, 3
LEAST_CODE, _MOST_CODE = 5, 34  # characters: of a postcode, of an IBAN
_MOST_GROUPS = 9
_LONGEST_LETTERS = 4  # of a group without digits: the bank in an IBAN
_DIGITS_APART = re.compile(r"(?<!\w)\(?\d{1,12}\)?(?:(?:[ ./-]{1,2}|(?<=\)))\(?\d{1,12}\)?){1,9}(?!\w)")
_GROUP = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = frozenset((" ", "-", ".", "/"))
_COUNTRY = range(1, 4)  # digits of a country's number


def grouped_digits(text: str) -> Readings:
    """Long numbers in groups. Any groups side by side may be one, since others may stand beside them."""
    for run in _DIGITS_APART.finditer(text):
        groups = [group for group in _GROUP.finditer(text, *run.span()) if not _is_trunk(text, group)]
        for first, last in combinations(range(len(groups)), 2):
            key = "".join(group[0] for group in groups[first : last + 1])
            is_long = len(key) >= _USUAL_GROUP * (last - first + 1)  # 12/03/1980 is no such number
            if is_long and LEAST_DIGITS <= len(key) <= _MOST_DIGITS:
                yield groups[first].start(), groups[last].end(), key
                for other in _dialled(text, groups[first].start(), key):
                    yield groups[first].start(), groups[last].end(), other


def _is_trunk(text: str, group: re.Match[str]) -> bool:
    """Whether it is the zero of +49 (0)151, which is dialled at home alone."""
    return group[0] == "0" and text[group.start() - 1 : group.end() + 1] == "(0)"


def _dialled(text: str, start: int, key: str) -> Iterator[str]:
    """A telephone number as it is dialled from elsewhere: 0049 151 … is 49151…, and +49 151 … is 0151… at home."""
    if key.startswith("00"):
        yield key[2:]
    if text[start - 1 : start] == "+":
        yield from (f"0{key[digits:]}" for digits in _COUNTRY)


def grouped_codes(text: str) -> Readings:
    """Letters and digits in groups, as codes are written that a database keeps without what parts them."""
    found = list(_WORD.finditer(text))
    if not found or not any(map(str.isdigit, text)):
        return
    words = [word[0] for word in found]
    has_digit = [any(map(str.isdigit, word)) for word in words]
    is_joined = [text[one.end() : two.start()] in _BETWEEN for one, two in pairwise(found)] + [False]
    for first, word in enumerate(words):
        if not is_joined[first]:
            continue
        if not has_digit[first] and not (has_digit[first + 1] and len(word) <= _LONGEST_LETTERS):
            continue
        key = word
        for last in range(first + 1, min(first + _MOST_GROUPS, len(words))):
            key += words[last]
            is_group = has_digit[last] or len(words[last]) <= _LONGEST_LETTERS
            if not is_joined[last - 1] or not is_group or len(key) > _MOST_CODE:
                break
            if len(key) >= LEAST_CODE and not key.isdigit():
                yield found[first].start(), found[last].end(), key
