"""Text out of released bytes by a route of its own: the standard library's parsers, no code of the writers.

Each reader yields (part, text). Structure (tag and attribute names, delimiters) is left out, so that a
removed word which is also a tag's name is not taken for a leak.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import email
import html
import io
import json
import quopri
import re
from collections.abc import Callable, Iterable, Iterator
from email.message import Message
from functools import partial

from efface.attacks.readers import html_page
from efface.attacks.readers.html_page import APART
from efface.files.long_csv import csv

Parts = Iterator[tuple[str, str]]

_JSON_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?P<head>data:image/[\w.+-]{1,40}(?:;[\w=.-]{1,60}){0,3};base64,)(?P<code>[A-Za-z0-9+/=\t\r\n]*+)",
    re.IGNORECASE | re.ASCII,
)
_FOLD = re.compile(r"(?:\r\n|\r|\n)[ \t]")
_MAX_DEPTH = 25  # files within files; the formats refuse at fewer


def decode(data: bytes) -> str:
    """The bytes as text: by byte-order mark, else UTF-8, else Windows' Western encoding."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if data[:400].count(0) * 3 > len(data[:400]):
        return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le", "replace")
    if b"\x1b$B" in data or b"\x1b$@" in data:  # Japanese letters in bytes of ASCII
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("iso2022_jp")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _plain_text_parts(data: bytes) -> Parts:
    yield "text", decode(data)


def _delimited(data: bytes) -> Parts:
    """Cells as the csv module sees them, under each delimiter, beside the text itself."""
    text = decode(data)
    yield "text", text
    with contextlib.suppress(csv.Error):
        for delimiter in ",;\t|":
            if delimiter in text:
                rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
                yield f"cells by {delimiter!r}", APART.join(APART.join(row) for row in rows)


def _json(data: bytes) -> Parts:
    yield from _json_text(decode(data))


def _json_text(text: str) -> Parts:
    try:
        strings = list(_walk(json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=_Pairs)))
    except (ValueError, RecursionError):
        strings = [_json_string(match) for match in _JSON_STRING.finditer(text)]
        strings.append(_JSON_STRING.sub(" ", text))
    yield "strings", APART.join(strings)


class _Pairs(list[tuple[str, object]]):
    """An object's members with repeated keys kept."""


def _json_string(match: re.Match[str]) -> str:
    try:
        return str(json.loads(match.group()))
    except ValueError:
        return match.group(1)


def _walk(root: object) -> Iterator[str]:
    stack = [root]
    while stack:
        value = stack.pop()
        if isinstance(value, _Pairs):
            for key, member in reversed(value):
                stack.append(member)
                stack.append(key)
        elif isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, str):
            yield value


def _json_lines(data: bytes) -> Parts:
    yield (
        "strings",
        APART.join(
            text for line in decode(data).splitlines() if line.strip() for _, text in _json_text(line)
        ),
    )


def _content_lines(data: bytes) -> Parts:
    """A calendar or a card: its lines as they are, unfolded, and without their escapes."""
    text = decode(data)
    yield "text", text
    unfolded = _FOLD.sub("", text)
    yield "unfolded", re.sub(r"\\(.)", _unescaped, unfolded)
    if "QUOTED-PRINTABLE" in text.upper():
        yield (
            "quoted-printable",
            quopri.decodestring(unfolded.encode("utf-8", "replace")).decode("utf-8", "replace"),
        )


def _unescaped(escape: re.Match[str]) -> str:
    return "\n" if escape[1] in "nN" else escape[1]


def _html(data: bytes) -> Parts:
    declared = _CHARSET.search(data[:4096])
    text = decode(data)
    if declared and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        with contextlib.suppress(LookupError):
            text = data.decode(declared.group(1).decode("ascii"), "replace")
    seen: list[bytes] = []
    page = _ADDRESS.sub(partial(_set_picture_aside, seen), text)
    yield from html_page.read(page)
    for picture in seen:
        yield from _picture(picture)


def _set_picture_aside(seen: list[bytes], address: re.Match[str]) -> str:
    """Moves a picture out of an address into `seen` and returns the rest. Other addresses stay as they are."""
    code = "".join(address["code"].split())
    try:
        data = base64.b64decode(code + "=" * (-len(code) % 4))
    except binascii.Error:
        return address.group()
    if not data.startswith((*_PICTURES, b"BM")):
        return address.group()
    seen.append(data)
    return address["head"]


def _mail(data: bytes) -> Parts:
    yield from _message(email.message_from_bytes(data), 0)


def _message(message: Message, depth: int) -> Parts:
    if depth > _MAX_DEPTH:
        return
    for name, value in message.items():
        yield f"header {name}", _header(str(value))
    for label in (message.preamble, message.epilogue):
        if label:
            yield "between parts", label
    if message.is_multipart():
        for child in message.get_payload():
            if isinstance(child, Message):
                yield from _message(child, depth + 1)
        return
    payload = message.get_payload(decode=True)
    if isinstance(payload, bytes):
        yield from _body(message, payload)


def _body(message: Message, payload: bytes) -> Parts:
    name = message.get_filename() or ""
    if name:
        yield "attachment name", _header(name)
    attached = "attachment " if name else ""
    for part, text in _reader(message, name, payload)(_as_utf8(payload, message.get_content_charset())):
        yield f"{attached}{part}", text


def _reader(message: Message, name: str, payload: bytes) -> Callable[[bytes], Parts]:
    """Chooses a reader by the bytes first, then by name or declared type. Names and types are often wrong."""
    if payload.startswith(b"PK\x03\x04"):
        return _office
    if b"%PDF-" in payload[:1024]:
        return _pdf
    if payload.startswith(_PICTURES):
        return _picture
    told = (message.get_content_subtype(), name.rpartition(".")[2].lower())
    return next((_BY_DECLARED_TYPE[word] for word in told if word in _BY_DECLARED_TYPE), _plain_text_parts)


# How PNG, JPEG, GIF, TIFF and WebP begin.
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"RIFF")


def _as_utf8(payload: bytes, charset: str | None) -> bytes:
    """The bytes with their character set said by a mark, where a header says it."""
    if charset is None:
        return payload
    try:
        return b"\xef\xbb\xbf" + payload.decode(charset, "replace").encode("utf-8", "replace")
    except LookupError:
        return payload


def _header(value: str) -> str:
    """The header's words decoded; the raw form too when decoding fails."""
    from email.header import decode_header

    try:
        pieces = decode_header(value)
        return "".join(
            piece.decode(charset or "latin-1", "replace") if isinstance(piece, bytes) else piece
            for piece, charset in pieces
        )
    except (LookupError, ValueError):
        return value


def _xml(data: bytes) -> Parts:
    """The words in and between the tags; of what is no XML, all that it holds."""
    from xml.parsers import expat  # of the formats here only this one needs them

    from efface.attacks.readers import xml_data

    try:
        yield from list(xml_data.read(data))
    except (expat.ExpatError, ValueError, LookupError):
        for part, text in _plain_text_parts(data):
            yield part, html.unescape(text)


def _office(data: bytes) -> Parts:
    from efface.attacks.readers.office import extract as office

    yield from office(data)


def _picture(data: bytes) -> Parts:
    from efface.attacks.readers.office import picture

    yield from picture(data)


def _pdf(data: bytes) -> Parts:
    from efface.attacks.readers.pdf import extract as pdf

    yield from pdf(data)


READERS: dict[str, Callable[[bytes], Parts]] = {
    "text": _plain_text_parts,
    "csv": _delimited,
    "json": _json,
    "jsonl": _json_lines,
    "card": _content_lines,
    "html": _html,
    "xml": _xml,
    "eml": _mail,
    "docx": _office,
    "xlsx": _office,
    "pptx": _office,
    "odt": _office,
    "ods": _office,
    "odp": _office,
    "picture": _picture,
    "pdf": _pdf,
}
AS_BYTES = "text as bytes"  # the part that shows the bytes of a text, which no finder judges
_OF_CHARACTERS = frozenset({"text", "csv", "json", "jsonl", "card", "html", "xml", "eml"})
# The endings and media types of attachments that are no plain text.
_BY_DECLARED_TYPE: dict[str, Callable[[bytes], Parts]] = {
    **dict.fromkeys(("csv", "tsv", "tab", "tab-separated-values"), _delimited),
    **dict.fromkeys(("json",), _json),
    **dict.fromkeys(("jsonl", "ndjson", "jsonlines", "x-ndjson"), _json_lines),
    **dict.fromkeys(("html", "htm", "xhtml", "xhtml+xml"), _html),
    "xml": _xml,
    **dict.fromkeys(
        ("ics", "vcs", "vcf", "vcard", "calendar", "x-vcard", "x-vcalendar", "directory"), _content_lines
    ),
    "eml": _mail,
    **dict.fromkeys(("bmp", "x-bmp", "x-ms-bmp"), _picture),
}


def add_reader(
    format: str, reader: Callable[[bytes], Parts], endings: Iterable[str], media_types: Iterable[str]
) -> None:
    """Registers a reader for another format. It is used for files, and for attachments with the declared type."""
    READERS[format] = reader
    subtypes = (media_type.rpartition("/")[2] for media_type in media_types)
    told = (*subtypes, *(ending.removeprefix(".") for ending in endings))
    _BY_DECLARED_TYPE.update({word: reader for word in told if word not in _BY_DECLARED_TYPE})


def extract(data: bytes, format: str) -> Parts:
    """Every text in the bytes, part by part; half characters become marks."""
    for part, text in READERS[format](data):
        yield part, text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    if (
        format in _OF_CHARACTERS and b"\0" in data
    ):  # a text of two bytes a character, or one that only looks like it
        yield AS_BYTES, data.replace(b"\0", b"").decode("utf-8", "replace")
