"""Names and addresses in messages of HL7 version 2, where the number of a field tells what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from efface.text.spans import Span

# Fields by segment: who is meant, and where they live.
_NAMES: Mapping[str, tuple[int, ...]] = {
    "PID": (5, 6, 9),
    "NK1": (2,),
    "PV1": (7, 8, 9, 17),
    "PD1": (4,),
    "GT1": (3,),
    "IN1": (16,),
    "OBR": (10, 16, 28),
    "ORC": (10, 11, 12),
}
_ADDRESSES: Mapping[str, tuple[int, ...]] = {"PID": (11,), "NK1": (4,), "GT1": (5,), "IN1": (19,)}
_SEGMENT = re.compile(rf"(?:\A|(?<=[\r\n]))(?P<kind>{'|'.join(_NAMES)})\|[^\r\n]*")
_PEOPLE = re.compile(r"[^~]+")  # a field may repeat
_COMPONENT = re.compile(r"[^^&]*")
_OF_NAME = 4  # components: a number, the surname, given names
_OF_ADDRESS = 5  # components: the street, what else there is, the town, the county, the postcode


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


def _fields(text: str, numbers: Mapping[str, tuple[int, ...]]) -> Iterator[list[Span]]:
    """The components of the fields with these numbers, for each time that a field is told."""
    if "MSH|" not in text:
        return
    for segment in _SEGMENT.finditer(text):
        position = segment.start()
        told: list[Span] = []
        while position <= segment.end():
            end = text.find("|", position, segment.end())
            told.append(Span(position, end if end >= 0 else segment.end()))
            position = told[-1].end + 1
        for number in numbers.get(segment["kind"], ()):
            for field in told[number : number + 1]:
                for person in _PEOPLE.finditer(text, field.start, field.end):
                    yield [
                        Span(*part.span())
                        for part in _COMPONENT.finditer(text, *person.span())
                        if part.group()
                    ]
