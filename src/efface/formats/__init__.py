"""File formats: read to text, write edits back, and change nothing else.

`FORMATS` is all there is: a row names where a format lives, how its files are called, and how mail and the
web call it. A format's module is imported when a file of its kind is read.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import PurePath
from typing import NamedTuple, cast

from efface.core import Document, Format
from efface.errors import InputError


class Kind(NamedTuple):
    """Where a format is (`module:name`), the endings of its files, its media types, and how it begins."""

    where: str
    endings: tuple[str, ...]
    media_types: tuple[str, ...]
    beginnings: tuple[bytes, ...] = ()


_OOXML = "application/vnd.openxmlformats-officedocument"

FORMATS: dict[str, Kind] = {
    "text": Kind(
        "efface.formats.text:TEXT",
        (".txt", ".text", ".md", ".markdown", ".log"),
        ("text/plain", "text/markdown"),
    ),
    "csv": Kind(
        "efface.formats.delimited:CSV",
        (".csv", ".tsv", ".tab"),
        ("text/csv", "text/tab-separated-values", "application/csv"),
    ),
    "json": Kind("efface.formats.jsontext:JSON", (".json",), ("application/json", "text/json")),
    "jsonl": Kind(
        "efface.formats.jsontext:JSONL",
        (".jsonl", ".ndjson"),
        ("application/x-ndjson", "application/jsonl", "application/jsonlines"),
    ),
    "html": Kind(
        "efface.formats.markup:HTML",
        (".html", ".htm", ".xhtml"),
        ("text/html", "application/xhtml+xml"),
        (b"<!doctype html", b"<html"),
    ),
    "eml": Kind("efface.formats.mail:EML", (".eml",), ("message/rfc822", "message/global")),
    "docx": Kind(
        "efface.formats.office:DOCX", (".docx", ".docm", ".dotx"), (f"{_OOXML}.wordprocessingml.document",)
    ),
    "xlsx": Kind(
        "efface.formats.office:XLSX", (".xlsx", ".xlsm", ".xltx"), (f"{_OOXML}.spreadsheetml.sheet",)
    ),
    "pptx": Kind(
        "efface.formats.office:PPTX", (".pptx", ".pptm", ".potx"), (f"{_OOXML}.presentationml.presentation",)
    ),
    "odt": Kind("efface.formats.office:ODT", (".odt", ".ott"), ("application/vnd.oasis.opendocument.text",)),
    "ods": Kind(
        "efface.formats.office:ODS", (".ods", ".ots"), ("application/vnd.oasis.opendocument.spreadsheet",)
    ),
    "pdf": Kind("efface.formats.pdf:PDF", (".pdf",), ("application/pdf",), (b"%pdf-",)),
}
BY_ENDING = {ending: name for name, kind in FORMATS.items() for ending in kind.endings}
BY_MEDIA_TYPE = {media_type: name for name, kind in FORMATS.items() for media_type in kind.media_types}


def get_format(name: str) -> Format:
    """The format of that name."""
    module, _, attribute = FORMATS[name].where.partition(":")
    found = getattr(import_module(module), attribute)
    return cast("Format", found() if isinstance(found, type) else found)


def detect(name: str, data: bytes) -> str:
    """The format of a file, by its ending; a file without one is told by how it begins, else it is text."""
    ending = PurePath(name).suffix.lower()
    if ending in BY_ENDING:
        return BY_ENDING[ending]
    head = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for format_name, kind in FORMATS.items():
        if head.startswith(kind.beginnings):
            return format_name
    if not ending:
        return "text"
    known = ", ".join(sorted(BY_ENDING))
    raise InputError("efface does not know files with this ending.", f"It reads {known}.")


def notes(document: Document) -> tuple[str, ...]:
    """What the user should know beside the edits: what writing drops, what was read in another way."""
    return tuple(getattr(document.origin, "notes", ()))
