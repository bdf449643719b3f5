"""Names, addresses, numbers and times in messages of HL7 version 2, where the number of a field tells what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from efface.text.spans import Span

# Fields by segment: who is meant, where they live, by which number they are known, and when it was.
_NAMES: Mapping[str, tuple[int, ...]] = {
    "PID": (5, 6, 9),
    "NK1": (2, 30),
    "PV1": (7, 8, 9, 17, 52),
    "PD1": (4,),
    "GT1": (3, 4),
    "IN1": (16,),
    "OBR": (10, 16, 28),
    "ORC": (10, 11, 12),
    "EVN": (5,),
    "MRG": (7,),
}
_ADDRESSES: Mapping[str, tuple[int, ...]] = {
    "PID": (11, 23),
    "NK1": (4,),
    "GT1": (5,),
    "IN1": (5, 19),
    "ORC": (22, 24),
}
# The facilities that send and receive.
_FACILITIES: Mapping[str, tuple[int, ...]] = {"MSH": (4, 6)}
_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "MSH": (10,),  # of the message itself, by which the sender finds it again
    "PID": (2, 3, 4, 18, 19, 20, 21),
    "NK1": (12, 33, 37),
    "PV1": (5, 19, 50),
    "GT1": (2, 12, 19),
    "IN1": (2, 36, 49),
    "IN2": (1, 2, 6, 8),
    "MRG": (1, 2, 3, 4, 5),
    "OBR": (2, 3),
    "ORC": (2, 3, 4),
}
_TIMES: Mapping[str, tuple[int, ...]] = {
    "MSH": (7,),
    "EVN": (2, 3, 6),
    "PID": (7, 29),
    "NK1": (8, 9, 16),
    "PV1": (44, 45),
    "GT1": (8,),
    "IN1": (12, 13, 18),
    "OBR": (6, 7, 8, 14, 22),
    "OBX": (14, 19),
    "ORC": (9, 15),
    "DG1": (5,),
    "PR1": (5,),
}
_KINDS = sorted({*_NAMES, *_ADDRESSES, *_FACILITIES, *_NUMBERS, *_TIMES})
_SEGMENT = re.compile(rf"(?:\A|(?<=[\r\n]))(?P<kind>{'|'.join(_KINDS)})\|[^\r\n]*")
_REPETITION = re.compile(r"[^~]+")  # a field may repeat
_COMPONENT = re.compile(r"[^^&]*")
_TIME = re.compile(r"(?:19|20)\d{2}(?:\d{2}){1,5}(?:\.\d{1,4})?(?:[+-]\d{4})?")
_OF_NAME = 4  # components: a number, the surname, given names
_OF_ADDRESS = 5  # components: the street, what else there is, the town, the county, the postcode
_SHORTEST_NUMBER = 2  # characters; a shorter one counts rows


def person_fields(text: str) -> Iterator[list[Span]]:
    """The parts of each name: the surname, then the given names."""
    for field in _fields(text, _NAMES):
        parts = [part for part in field[:_OF_NAME] if text[part.start : part.start + 1].isalpha()]
        if parts:
            yield parts


def address_fields(text: str) -> Iterator[Span]:
    """The streets, towns and postcodes. One letter is the kind of the address."""
    for field in _fields(text, _ADDRESSES):
        yield from (part for part in field[:_OF_ADDRESS] if part.end - part.start > 1)


def facility_fields(text: str) -> Iterator[Span]:
    """The hospitals and surgeries between which a message goes."""
    for field in _fields(text, _FACILITIES):
        yield from (part for part in field[:1] if any(map(str.isalpha, text[part.start : part.end])))


def number_fields(text: str) -> Iterator[Span]:
    """The numbers of patients, accounts, visits and orders, and of those who treat."""
    for field in _fields(text, _NUMBERS):
        if field[0].end - field[0].start >= _SHORTEST_NUMBER:
            yield field[0]
    for field in _fields(text, _NAMES):
        if any(map(str.isdigit, text[field[0].start : field[0].end])):
            yield field[0]


def time_fields(text: str) -> Iterator[Span]:
    for field in _fields(text, _TIMES):
        if _TIME.fullmatch(text, field[0].start, field[0].end):
            yield field[0]


def _fields(text: str, numbers: Mapping[str, tuple[int, ...]]) -> Iterator[list[Span]]:
    """The components of the fields with these numbers, for each time that a field is told."""
    if "MSH|" not in text:
        return
    for segment in _SEGMENT.finditer(text):
        told = _fields_of(text, segment)
        for number in numbers.get(segment["kind"], ()):
            for field in told[number : number + 1]:
                for repetition in _REPETITION.finditer(text, field.start, field.end):
                    components = [
                        Span(*part.span()) for part in _COMPONENT.finditer(text, *repetition.span())
                    ]
                    if any(part.end > part.start for part in components):
                        yield [part for part in components if part.end > part.start]


def _fields_of(text: str, segment: re.Match[str]) -> list[Span]:
    """The fields of a segment by number. The first field of MSH is the mark between fields itself."""
    told = [Span(segment.start(), segment.start() + 3)] if segment["kind"] == "MSH" else []
    position = segment.start()
    while position <= segment.end():
        end = text.find("|", position, segment.end())
        told.append(Span(position, end if end >= 0 else segment.end()))
        position = told[-1].end + 1
    return told
