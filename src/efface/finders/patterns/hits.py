"""What the rows of the tables hit in a text, before it counts as found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_LETTER = re.compile(r"[A-Za-z]")
# Types whose values are written with letters or further numbers behind a stroke or a hyphen: "JRT/M2291-4".
_CODES = frozenset({"ID_NUMBER", "CASE_NUMBER", "MEDICAL_RECORD", "PHONE_NUMBER", "CREDIT_CARD"})
# The initials of who typed a letter may be small: "GMW/kt/BELL0042".
_CODE_BEFORE = re.compile(
    r"(?<![\w/.@-])[0-9]{0,6}[A-Z]{1,6}[0-9]{0,6}[/-](?:(?:[0-9]{0,6}[A-Z]{1,6}[0-9]{0,6}|[a-z]{2,3})[/-]){0,2}\Z"
)
_CODE_AFTER = re.compile(r"(?:[/-](?:[A-Z]{1,3}[0-9]{0,6}|[0-9]{1,6}[A-Z]{0,2})){1,3}(?![\w/@-])")
# Codes in groups: "Hospital no: HX 0048812", "CSNU 718332 4". A field or a sentence ends behind them.
_GROUPED = frozenset({"ID_NUMBER", "CASE_NUMBER", "MEDICAL_RECORD", "CREDIT_CARD"})
_GROUP_BEFORE = re.compile(r"(?<=[:#][ \t])[A-Z]{1,4}[ ]\Z")
_GROUPS_AFTER = re.compile(r"(?:[ ][0-9]{1,4}){1,2}(?=[ ]{2}|[ ]?(?:[,;)\n]|\.(?:\s|\Z)|\Z))")
_CODE_REACH = 40  # characters before a number in which the rest of its code stands


class Hit(NamedTuple):
    """A mention before it has an offset in the original: positions are those of the view."""

    start: int
    end: int
    type: str
    score: float
    holds: bool | None
    because: str


def outermost(hits: Iterable[Hit]) -> list[Hit]:
    """The best hit of each type and span, in order, without those inside another of their type that
    scores as well."""
    kept: list[Hit] = []
    open_: dict[str, list[Hit]] = {}
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.type, -hit.score)):
        around = [other for other in open_.get(hit.type, ()) if other.end > hit.start]
        if not any(other.end >= hit.end and other.score >= hit.score for other in around):
            around.append(hit)
            kept.append(hit)
        open_[hit.type] = around
    return kept


def whole_numbers(hits: Iterable[Hit], every: Iterable[Hit], text: str) -> Iterator[Hit]:
    """The hits without parts of a longer number that scores more: the year of a date is no postcode, four digits
    of a card are none, and neither is looked for elsewhere. The number may be any of `every` hit, also a hidden one."""
    found = (hit for hit in every if not _LETTER.search(text, hit.start, hit.end))
    numbers = sorted(found, key=lambda hit: hit.start)
    open_: list[Hit] = []
    at = 0
    for hit in hits:
        while at < len(numbers) and numbers[at].start <= hit.start:
            open_.append(numbers[at])
            at += 1
        open_ = [number for number in open_ if number.end > hit.start]
        length = hit.end - hit.start
        if not any(n.end >= hit.end and n.score > hit.score and n.end - n.start > length for n in open_):
            yield hit


def whole_code(hit: Hit, text: str) -> Hit:
    """The hit with the rest of the code that it is glued to. "R1290447" of "R1290447/3" tells the code, and so does the rest."""
    if hit.type not in _CODES:
        return hit
    low = max(0, hit.start - _CODE_REACH)
    before = _CODE_BEFORE.search(text[low : hit.start])
    after = _CODE_AFTER.match(text, hit.end)
    if hit.type in _GROUPED and text[hit.end - 1].isdigit():
        before = before or _GROUP_BEFORE.search(text[low : hit.start])
        after = after or _GROUPS_AFTER.match(text, hit.end)
    if before is None and after is None:
        return hit
    start = hit.start - len(before.group()) if before else hit.start
    return hit._replace(start=start, end=after.end() if after else hit.end)
