"""File formats: read to text, write edits back, and change nothing else.

`FORMATS` is all there is: a row names where a format lives, how its files are called, and how mail and the
web call it. A format's module is imported when a file of its kind is read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import NamedTuple, Protocol, cast, runtime_checkable

from efface.core import Document, Format, Gap, Pictures
from efface.errors import InputError


class FormatKind(NamedTuple):
    """Where a format is (`module:name`), the endings of its files, its media types, and how it begins.

    `takes_charset`: its `read` takes a third argument, the charset that a mail declares for an attachment.
    """

    where: str
    endings: tuple[str, ...]
    media_types: tuple[str, ...]
    beginnings: tuple[bytes, ...] = ()
    takes_charset: bool = False


_OOXML = "application/vnd.openxmlformats-officedocument"

FORMATS: dict[str, FormatKind] = {
    "text": FormatKind(
        "efface.formats.plain.text:TEXT",
        (".txt", ".text", ".md", ".markdown", ".log", ".hl7"),
        ("text/plain", "text/markdown", "application/hl7-v2", "x-application/hl7-v2+er7"),
        takes_charset=True,
    ),
    "csv": FormatKind(
        "efface.formats.plain.delimited:CSV",
        (".csv", ".tsv", ".tab"),
        ("text/csv", "text/tab-separated-values", "application/csv"),
        takes_charset=True,
    ),
    "json": FormatKind(
        "efface.formats.plain.json_text:JSON",
        (".json",),
        ("application/json", "text/json"),
        takes_charset=True,
    ),
    "jsonl": FormatKind(
        "efface.formats.plain.json_text:JSONL",
        (".jsonl", ".ndjson"),
        ("application/x-ndjson", "application/jsonl", "application/jsonlines"),
        takes_charset=True,
    ),
    "card": FormatKind(
        "efface.formats.plain.content_lines:CONTENT_LINES",
        (".ics", ".vcs", ".vcf", ".vcard"),
        (
            "text/calendar",
            "text/vcard",
            "text/x-vcard",
            "text/x-vcalendar",
            "text/directory",
            "application/ics",
        ),
        (b"begin:vcalendar", b"begin:vcard"),
        takes_charset=True,
    ),
    "html": FormatKind(
        "efface.formats.html.markup:HTML",
        (".html", ".htm", ".xhtml"),
        ("text/html", "application/xhtml+xml"),
        (b"<!doctype html", b"<html"),
        takes_charset=True,
    ),
    "xml": FormatKind(
        "efface.formats.plain.xml_text:XML",
        (".xml",),
        ("application/xml", "text/xml"),
        (b"<?xml",),
        takes_charset=True,
    ),
    "eml": FormatKind("efface.formats.mail.message:EML", (".eml",), ("message/rfc822", "message/global")),
    "docx": FormatKind(
        "efface.formats.office:DOCX", (".docx", ".docm", ".dotx"), (f"{_OOXML}.wordprocessingml.document",)
    ),
    "xlsx": FormatKind(
        "efface.formats.office:XLSX", (".xlsx", ".xlsm", ".xltx"), (f"{_OOXML}.spreadsheetml.sheet",)
    ),
    "pptx": FormatKind(
        "efface.formats.office:PPTX",
        (".pptx", ".pptm", ".potx", ".ppsx"),
        (f"{_OOXML}.presentationml.presentation",),
    ),
    "odt": FormatKind(
        "efface.formats.office:ODT", (".odt", ".ott"), ("application/vnd.oasis.opendocument.text",)
    ),
    "ods": FormatKind(
        "efface.formats.office:ODS", (".ods", ".ots"), ("application/vnd.oasis.opendocument.spreadsheet",)
    ),
    "odp": FormatKind(
        "efface.formats.office:ODP", (".odp", ".otp"), ("application/vnd.oasis.opendocument.presentation",)
    ),
    "picture": FormatKind(
        "efface.formats.pictures.picture_file:PICTURE_FILE",
        (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"),
        (
            "image/png",
            "image/jpeg",
            "image/jpg",
            "image/pjpeg",
            "image/gif",
            "image/bmp",
            "image/tiff",
            "image/webp",
        ),
        (b"\x89png\r\n\x1a\n", b"\xff\xd8\xff", b"gif87a", b"gif89a"),
    ),
    "pdf": FormatKind("efface.formats.pdf:PDF", (".pdf",), ("application/pdf",), (b"%pdf-",)),
}
BY_ENDING = {ending: name for name, kind in FORMATS.items() for ending in kind.endings}
BY_MEDIA_TYPE = {media_type: name for name, kind in FORMATS.items() for media_type in kind.media_types}


# What to do with files of kinds that are often met and not read, by ending.
_INSTEAD = {
    ending: step
    for endings, step in (
        (".doc .dot .rtf .wps .pages", "Open it in an office program, save it as .docx and retry."),
        (".xls .xlt .xlsb .numbers", "Open it in an office program, save it as .xlsx and retry."),
        (".ppt .pps .pot .key", "Open it in an office program, save it as .pptx and retry."),
        (".odg .vsdx .vsd .pub .xps .ps .eps", "Save or print it as .pdf and retry."),
        (".heic .heif .avif .svg .psd", "Save it as .png or .jpg and retry."),
        (".msg", "Open it in a mail program, save it as .eml and retry."),
        (".zip .tar .tgz .mbox", "Give it to `efface batch`, which reads what is in it."),
        (".gz .bz2 .xz .7z .rar", "Unpack it and retry; `efface batch` reads .zip and .tar.gz."),
    )
    for ending in endings.split()
}


@runtime_checkable
class HoldsPictures(Protocol):
    """An optional ability of a format: its files hold pictures, and the policy says what becomes of them."""

    def with_pictures(self, pictures: Pictures) -> Format: ...


def get_format(name: str, pictures: Pictures = Pictures.READ) -> Format:
    """The format of that name, under a policy for pictures."""
    module, _, attribute = FORMATS[name].where.partition(":")
    found = getattr(import_module(module), attribute)
    format = cast("Format", found() if isinstance(found, type) else found)
    return format.with_pictures(pictures) if isinstance(format, HoldsPictures) else format


def detect(name: str, data: bytes) -> str:
    """The format of a file, by its ending; without an ending by its first bytes, else text."""
    ending = PurePath(name).suffix.lower()
    if ending in BY_ENDING:
        return BY_ENDING[ending]
    head = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for format_name, kind in FORMATS.items():
        if head.startswith(kind.beginnings):
            return format_name
    if not ending:
        return "text"
    known = f"It reads {', '.join(sorted(BY_ENDING))}."
    raise InputError("efface does not know files with this ending.", _INSTEAD.get(ending, known))


# Formats whose line feeds end a paragraph, a row or a cell, never a mere line of a sentence.
_BY_PARAGRAPH = frozenset({"card", "csv", "json", "jsonl", "docx", "xlsx", "pptx", "odt", "ods", "odp"})


def cell_breaks(format_name: str) -> str:
    """The characters at which a cell, a field or a form line ends in a format's text."""
    breaks = "\t\n\r\v\f" if format_name in _BY_PARAGRAPH else "\t"
    return breaks + ";" if format_name == "card" else breaks  # "N:Stone;Rocky;;Dr.;"


@runtime_checkable
class OriginWithNotes(Protocol):
    """The origin of a document whose reader has something to tell."""

    @property
    def notes(self) -> Sequence[str]: ...


@runtime_checkable
class OriginWithGaps(Protocol):
    """The origin of a document whose reader could not look at everything."""

    @property
    def gaps(self) -> Sequence[Gap]: ...


@runtime_checkable
class OriginWithReadablePdf(Protocol):
    """The origin of a document that is a PDF in which every word that was read can be found, those of pictures too."""

    @property
    def readable_pdf(self) -> bytes: ...


@runtime_checkable
class OriginReadByOcr(OriginWithReadablePdf, Protocol):
    """The origin of a PDF of which OCR read some pages (counted from 0) as they look."""

    @property
    def recognised(self) -> Collection[int]: ...


def notes(document: Document) -> tuple[str, ...]:
    """Notes for the user beside the edits: what writing drops, and what was read in another way."""
    origin = document.origin  # the attribute is looked up first: a check against a protocol is slow
    return tuple(origin.notes) if hasattr(origin, "notes") and isinstance(origin, OriginWithNotes) else ()


def gaps(document: Document) -> tuple[Gap, ...]:
    """What of a document its format could not look at."""
    origin = document.origin
    return tuple(origin.gaps) if hasattr(origin, "gaps") and isinstance(origin, OriginWithGaps) else ()
