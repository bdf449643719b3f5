"""Postcodes before a town, and the street before the postcode: "Am Alten Markt 7, 18055 Rostock".

The model marks the town. A postcode tells more of it than its name does, and the line before it tells the house.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from efface.finders.names.decoding import DecodedMention
from efface.finders.names.repeats import ReadText
from efface.finders.names.tokens import TITLE, UPPER

_REACH = 80  # characters before a town in which its street begins
_TOWN = "LOCATION"
_CAPITAL = r"[^\W\d_a-zß-ÿ][\w.'’-]{0,30}"
_STREET = rf"(?:{_CAPITAL}[ ](?:(?:de[rnms]?|het|la|las|los|les|du|des|da|do|dos)[ ])?){{1,3}}[0-9]{{1,4}}[ ]?[a-zA-Z]?"
_CODE = (
    r"(?:[A-Z]{1,2}-)?[0-9]{5}(?:-[0-9]{3})?|[0-9]{3}[ ][0-9]{2}|[0-9]{2}-[0-9]{3}|[0-9]{4}-[0-9]{3}"
    r"|[0-9]{4}[ ]?[A-Z]{2}"
)
# Four digits may be a year, so that they count only where a line begins or after a comma.
_SHORT_CODE = r"(?:\A|(?<=[\n,;|\t])|(?<=[,;] ))(?:[A-Z]{1,2}-)?[0-9]{4}"
_BEFORE_TOWN = re.compile(
    rf"(?:(?<!\w)(?P<street>{_STREET})(?:,[ ]?|\r?\n|,\r?\n))?(?<![\w.,-])(?P<code>{_CODE}|{_SHORT_CODE})[ ]\Z"
)
_ENDS_CODE = re.compile(r"[0-9A-Z] ")  # what every code before a town ends with


# What tells the house, the stair and the flat behind a street: "No: 12 D: 4" in Turkish, "3 A 5" in Finnish.
_NUMBERED = re.compile(
    r",?[ ](?:No|Nr|Kat|Daire|D)[.:]{0,2}[ ]?[0-9]{1,4}(?:/[0-9]{1,3})?[A-Za-z]?(?:[ ,]{1,2}(?:Kat|Daire|D)[.:]{0,2}[ ]?[0-9]{1,3})?"
    r"(?!\w)"
)
_STAIR_AND_FLAT = re.compile(r"[ ][A-Z](?:[ ][0-9]{1,3})?(?!\w)")
_LONGEST_REST = 40  # characters of an address behind its street


def with_addresses(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    """The mentions, and the postcodes and streets that stand before the towns among them."""
    found = [_with_rest(page, one) for one in found]
    taken = np.zeros(len(page.starts), bool)
    for one in found:
        taken[one.first : one.last] = True
    new: list[DecodedMention] = []
    for one in found:
        if one.type in (_TOWN, "ADDRESS", "PERSON", "ORGANIZATION"):
            for part in (*_street_and_code_before(page, one), *_town_after_code(page, one)):
                new += _untaken(part, taken)
    return sorted([*found, *new], key=lambda one: one.first) if new else found


def _untaken(part: DecodedMention, taken: npt.NDArray[np.bool_]) -> Iterator[DecodedMention]:
    """What no mention has yet of a part of an address: the "26" of "903 26", where the model marked "Storgatan 5, 903"."""
    free = [at for at in range(part.first, part.last) if not taken[at]]
    if free:
        yield replace(part, first=free[0], last=free[-1] + 1)


def _town_after_code(page: ReadText, code: DecodedMention) -> Iterator[DecodedMention]:
    """The town after a postcode that the model marked without it."""
    at = code.last
    if code.type not in (_TOWN, "ADDRESS"):
        return
    written = page.text[page.starts[code.first] : page.ends[at - 1]]
    if at == len(page.starts) or not re.fullmatch(_CODE, written):
        return
    if page.starts[at] == page.ends[at - 1] + 1 and page.cases[at] in (TITLE, UPPER):
        yield DecodedMention(at, at + 1, _TOWN, code.score, code.mask)


def _with_rest(page: ReadText, street: DecodedMention) -> DecodedMention:
    """A street with the numbers behind it, in Turkish and Finnish."""
    if street.type not in (_TOWN, "ADDRESS"):
        return street
    language, end = page.language(street.first), int(page.ends[street.last - 1])
    shape = _NUMBERED if language == "tr" else _STAIR_AND_FLAT if language == "fi" else None
    if shape is None or (language == "fi" and not page.text[end - 1].isdigit()):
        return street
    start = end - len(" No") if page.text.endswith(" No", 0, end) else end
    rest = shape.match(page.text, start, start + _LONGEST_REST)
    return street if rest is None else replace(street, last=int(np.searchsorted(page.starts, rest.end())))


def _street_and_code_before(page: ReadText, town: DecodedMention) -> Iterator[DecodedMention]:
    start = int(page.starts[town.first])
    if not _ENDS_CODE.match(
        page.text, start - 2, start
    ):  # as before nearly every town; the next look is slow
        return
    low = max(0, start - _REACH)
    address = _BEFORE_TOWN.search(page.text[low:start])
    if address is None or (town.type not in (_TOWN, "ADDRESS") and not address["street"]):
        return  # a town may be taken for a person; the street before the postcode tells that it is none
    for name, kind in (("street", "ADDRESS"), ("code", _TOWN)):
        if address[name]:
            first = int(np.searchsorted(page.starts, low + address.start(name)))
            last = int(np.searchsorted(page.starts, low + address.end(name)))
            yield DecodedMention(first, last, kind, town.score, town.mask)
