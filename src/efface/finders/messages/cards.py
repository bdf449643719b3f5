"""Names, addresses and times in calendars and address cards, where the property tells what its value is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.text.spans import Span

_PERSONS = (
    "FN NICKNAME AGENT ASSISTANT MANAGER SPOUSE X-ANNIVERSARY-OF X-SPOUSE X-MANAGER X-ASSISTANT".split()
)
_PLACES = "ADR LABEL LOCATION GEO BIRTHPLACE DEATHPLACE".split()
_TIMES = (
    "BDAY ANNIVERSARY DEATHDATE REV DTSTART DTEND DTSTAMP DUE CREATED LAST-MODIFIED COMPLETED RECURRENCE-ID EXDATE "
    "RDATE"
).split()
_PROPERTY = re.compile(
    r"^(?:[\w-]+\.)?(?P<name>[A-Z-]+)(?P<parameters>(?:;[^:;\"\r\n]*(?:\"[^\"\r\n]*\")?)*):(?P<value>[^\r\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_COMMON_NAME = re.compile(r";CN=\"?(?P<name>[^\";:\r\n]+)", re.IGNORECASE)
_BETWEEN = re.compile(r"(?<!\\);")
_OF_NAME = 3  # components: the surname, given names, further names
_TIME = re.compile(r"(?:--)?\d{2,4}[\d:T.Z+-]*|--\d{2}-?\d{2}", re.IGNORECASE)


def is_card(text: str) -> bool:
    return re.search(r"^BEGIN:V(?:CARD|CALENDAR)", text, re.MULTILINE | re.IGNORECASE) is not None


def names(text: str) -> Iterator[list[Span]]:
    """The parts of each person's name: the surname and given names, or the name as it is said."""
    for line in _lines(text):
        for told in _COMMON_NAME.finditer(line["parameters"]):
            start = line.start("parameters")
            yield [Span(start + told.start("name"), start + told.end("name"))]
        if line["name"].upper() == "N":
            yield from filter(None, [_components(text, line, _OF_NAME)])
        elif line["name"].upper() in _PERSONS:
            yield from ([part] for part in _components(text, line))


def places(text: str) -> Iterator[Span]:
    """The street, the town and the postcode of each address, and where a meeting is."""
    for line in _lines(text):
        if line["name"].upper() in _PLACES:
            yield from _components(text, line)


def firms(text: str) -> Iterator[Span]:
    for line in _lines(text):
        if line["name"].upper() == "ORG":
            yield from _components(text, line)


def times(text: str) -> Iterator[Span]:
    """The days and hours of births and meetings, as machines write them."""
    for line in _lines(text):
        if line["name"].upper() in _TIMES:
            yield from (Span(*time.span()) for time in _TIME.finditer(text, *line.span("value")))


def _lines(text: str) -> Iterator[re.Match[str]]:
    if is_card(text):
        yield from _PROPERTY.finditer(text)


def _components(text: str, line: re.Match[str], most: int | None = None) -> list[Span]:
    """The parts of a value between semicolons that say something, of the first ones if there is a limit."""
    start, end = line.span("value")
    marks = [mark.start() for mark in _BETWEEN.finditer(text, start, end)]
    parts = map(Span, [start, *(mark + 1 for mark in marks)], [*marks, end])
    return [part for part in list(parts)[:most] if text[part.start : part.end].strip()]
