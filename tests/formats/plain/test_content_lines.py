"""Calendars and address cards: what a line says, and how an edit is written back."""

from __future__ import annotations

import pytest

from efface.core import Document, Edit, PartKind
from efface.formats import detect, get_format, notes

CARDS = get_format("card")


def read(source: str) -> Document:
    return CARDS.read(source.encode(), "card.vcf")


def edited(source: str, old: str, new: str = "[PERSON_1]") -> str:
    document = read(source)
    at = document.text.index(old)
    edit = Edit(at, at + len(old), "PERSON", old, "test", new)
    return CARDS.write(document, [edit]).decode()


def test_a_folded_line_is_one() -> None:
    source = "DESCRIPTION:The letter of Ludovic Pen\r\n rose came.\r\nEND:VEVENT\r\n"
    assert "Ludovic Penrose came" in read(source).text
    assert edited(source, "Penrose") == "DESCRIPTION:The letter of Ludovic [PERSON_1] came.\r\nEND:VEVENT\r\n"


def test_escapes_are_resolved_and_written() -> None:
    source = "NOTE:Snow\\, Tabitha\\nTel. 4\n"
    assert read(source).text == "NOTE:Snow, Tabitha\nTel. 4\n"
    assert edited(source, "Snow", "A;B") == "NOTE:A\\;B\\, Tabitha\\nTel. 4\n"


def test_quoted_printable_over_two_lines() -> None:
    source = "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCl=\nler;J=C3=BCrgen\nEND:VCARD\n"
    assert read(source).text == "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Müller;Jürgen\nEND:VCARD\n"
    assert "ler" not in edited(source, "Müller")


@pytest.mark.parametrize(
    "line", ["PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\r\n SkZJRg==", "PHOTO:data:image/png;base64,iVBORw0KGgo="]
)
def test_a_photograph_goes_and_the_next_line_stays(line: str) -> None:
    source = f"BEGIN:VCARD\r\n{line}\r\nEND:VCARD\r\n"
    document = read(source)
    released = CARDS.write(document, []).decode()
    assert released == f"BEGIN:VCARD\r\n{line[: line.index(':') + 1]}\r\nEND:VCARD\r\n"
    assert notes(document) == ("1 embedded file removed.",)


def test_names_of_properties_are_code() -> None:
    document = read("ATTENDEE;CN=Ludovic Penrose;ROLE=CHAIR:mailto:a@b.example\n")
    prose = [document.text[part.start : part.end] for part in document.parts if part.kind is PartKind.PROSE]
    assert prose == ["Ludovic Penrose", "mailto:a@b.example"]


def test_without_edits_the_bytes_stay() -> None:
    source = b"BEGIN:VCALENDAR\nSUMMARY:a\\,b\r\n c\nX\n\nEND:VCALENDAR"
    assert CARDS.write(CARDS.read(source, "a.ics"), []) == source
    assert detect("invite", source) == "card"
