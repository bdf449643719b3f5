"""Codes and long numbers that a text writes in groups: 9180 4408-8778, GB82 WEST 1234 5698 7654 32, SW1A 2AA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from itertools import combinations

from efface.knowledge.entities.spellings.other_scripts import LETTER

# Where a value is in the folded text, and the value without what parts its groups.
Readings = Iterator[tuple[int, int, str]]

LEAST_DIGITS, _MOST_DIGITS, _USUAL_GROUP = 7, 40, 3
LEAST_CODE, _MOST_CODE = 5, 34  # characters: of a postcode, of an IBAN
_MOST_GROUPS = 9  # in which a code may be written: an IBAN has nine
_PAIRS, _LEAST_IN_PAIRS = range(4, 7), 9  # so many groups may be shorter, with so many digits in all
_LONGEST_LETTERS = 4  # letters of a group without digits: the bank in an IBAN
_DIGITS_APART = re.compile(
    rf"(?<!{LETTER})\(?\d{{1,12}}\)?(?:(?:[ ./-]{{1,2}}|(?<=\)))\(?\d{{1,12}}\)?){{1,9}}(?!{LETTER})"
)
_ADDRESS = re.compile(r"(?<![\w:])[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])")
_GROUP = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
# Words with a digit in them, and short ones without beside them. One before the first digit is enough.
_WITH_DIGIT = r"[^\W\d_]{0,8}\d[^\W_]{0,20}"
_RUN_OF_GROUPS = re.compile(
    rf"(?:[^\W\d_]{{1,{_LONGEST_LETTERS}}}[ ./-])?{_WITH_DIGIT}(?![^\W_])"
    rf"(?:[ ./-](?:{_WITH_DIGIT}|[^\W\d_]{{1,{_LONGEST_LETTERS}}})(?![^\W_]))+"
    rf"|[^\W\d_]{{1,{_LONGEST_LETTERS}}}[ ./-]{_WITH_DIGIT}(?![^\W_])"
)
_SHORT_WORD = re.compile(rf"(?<![^\W_])(?P<word>[^\W\d_]{{1,{_LONGEST_LETTERS}}})[ ./-]\Z")
_COUNTRY = range(1, 4)  # digits of a country's number
_FROM_ABROAD = re.compile(
    rf"(?<![\w+])(?:\+(?=[1-9])|(?=00[1-9]))(?P<number>\d{{{LEAST_DIGITS + 2},17}})(?!\w)"
)


def grouped_digits(text: str) -> Readings:
    """Long numbers in groups. Any groups side by side may be one, since others may stand beside them."""
    for run in _DIGITS_APART.finditer(text):
        groups = [group for group in _GROUP.finditer(text, *run.span()) if not _is_trunk(text, group)]
        for first, last in combinations(range(len(groups)), 2):
            key = "".join(group[0] for group in groups[first : last + 1])
            if _may_be_one(key, last - first + 1) and LEAST_DIGITS <= len(key) <= _MOST_DIGITS:
                yield groups[first].start(), groups[last].end(), key
                for other in _dialled(text, groups[first].start(), key):
                    yield groups[first].start(), groups[last].end(), other


def _may_be_one(key: str, groups: int) -> bool:
    """Whether groups of digits may be one number. 12/03/1980 is none, 01 23 45 67 89 is."""
    return len(key) >= _USUAL_GROUP * groups or (groups in _PAIRS and len(key) >= _LEAST_IN_PAIRS)


def _is_trunk(text: str, group: re.Match[str]) -> bool:
    """Whether it is the zero of +49 (0)151, which is dialled at home alone."""
    return group[0] == "0" and text[group.start() - 1 : group.end() + 1] == "(0)"


def _dialled(text: str, start: int, key: str) -> Iterator[str]:
    """A telephone number as dialled from abroad and at home: 0049 151 … is 49151…, and both it and +49 151 … are
    0151…"""
    number = key.removeprefix("00")
    if number != key:
        yield number
    if number != key or text[start - 1 : start] == "+":
        yield from (f"0{number[digits:]}" for digits in _COUNTRY)


def numbers_from_abroad(text: str) -> Readings:
    """Telephone numbers in one piece with their country's number: +447700900123."""
    for match in _FROM_ABROAD.finditer(text) if "+" in text or "00" in text else ():
        for other in _dialled(text, match.start("number"), match["number"]):
            yield match.start(), match.end(), other


def grouped_codes(text: str) -> Readings:
    """Letters and digits in groups, as codes are written that a database keeps without what parts them."""
    for run in _runs_of_groups(text):
        words = list(_WORD.finditer(text, *run.span()))
        has_digit = [_GROUP.search(word[0]) is not None for word in words]
        for first in range(len(words) - 1):
            if has_digit[first] or has_digit[first + 1]:
                yield from _codes_from(words[first : first + _MOST_GROUPS])


def _runs_of_groups(text: str) -> Iterator[re.Match[str]]:
    """Words side by side that may be groups of codes, found by their digits: most of a text has none."""
    end = 0
    for digits in _GROUP.finditer(text):
        start = digits.start()
        if start < end:
            continue
        while start > end and text[start - 1].isalnum():
            start -= 1
        before = _SHORT_WORD.search(text, max(start - _LONGEST_LETTERS - 2, end), start)
        run = _RUN_OF_GROUPS.match(text, before.start("word") if before else start)
        end = digits.end() if run is None else max(run.end(), digits.end())
        if run is not None:
            yield run


def _codes_from(words: list[re.Match[str]]) -> Readings:
    """What the first word and those after it say, as far as they may be groups of one code."""
    key = words[0][0]
    for word in words[1:]:
        key += word[0]
        if len(key) > _MOST_CODE:
            return
        if len(key) >= LEAST_CODE and not key.isdigit():
            yield words[0].start(), word.end(), key


def addresses(text: str) -> Readings:
    """Addresses of version 6 with zeros that a database leaves out: 2001:0db8:0:0:0:0:0:1 is 2001:db8::1."""
    for match in _ADDRESS.finditer(text) if ":" in text else ():
        try:
            yield match.start(), match.end(), str(IPv6Address(match[0]))
        except AddressValueError:  # a time of day, a hardware address
            continue


def at_home(text: str) -> Iterator[str]:
    """A telephone number without its country code, as dialled within the country: +49 30 901820 is 030 901820."""
    digits = re.sub(r"[^0-9]", "", text)
    if not LEAST_DIGITS <= len(digits) <= _MOST_DIGITS or re.search(r"[^\W\d_]", text):
        return
    for length in _COUNTRY:
        prefix = _prefix_within(int(digits[:length]))
        if prefix is not None and len(digits) - length >= LEAST_DIGITS - 1:
            yield prefix + digits[length:]
            return


@lru_cache(maxsize=1024)
def _prefix_within(country: int) -> str | None:
    """What is dialled before a number within a country, nothing in some; None if no country has this number."""
    import phonenumbers

    regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(country)
    if not regions or regions[0] == "001":
        return None
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(regions[0], None)
    prefix = getattr(metadata, "national_prefix", None) or ""
    return "" if prefix == "1" else str(prefix)
