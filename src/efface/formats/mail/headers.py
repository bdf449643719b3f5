"""The head of a mail message or of one of its parts.

The text has a line for each field's value, unfolded, with encoded words (RFC 2047) and extended parameters
(RFC 2231) resolved. Names of fields and parameters that mail defines, media types, charsets and transfer
encodings are vocabulary: they say how the message is to be read, so they are neither shown nor changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from efface.core import Document, Edit
from efface.errors import InputError
from efface.formats.mail.header_values import (
    ADDRESSES,
    EOL,
    FIELD_NAME,
    MESSAGE_IDS,
    PARAMETER_NAME,
    QUOTED,
    TOKEN,
    WORDS,
    Boundary,
    Extended,
)
from efface.formats.mail.vocabulary import (
    ADDRESS_FIELDS,
    DISPOSITIONS,
    FIELDS,
    MEDIA_TYPES,
    PARAMETERS,
    TRANSFER_ENCODINGS,
)
from efface.formats.patching.source_patching import Codec, SourceItem, SourceSlot, laid_out, patches, shown
from efface.formats.plain.encoding import Decoded, charset, decode

_FIELD = re.compile(
    rf"(?P<name>[!-9;-~]++)[ \t]*+:[ \t]?+(?P<value>[^\r\n]*+(?:{EOL}[ \t][^\r\n]*+)*+)(?:{EOL}|\Z)"
)
_LINE = re.compile(rf"(?P<value>[^\r\n]*+)(?:{EOL}|\Z)")
_PARAMETER = re.compile(
    r";[ \t\r\n]*+(?P<name>[^\s=;*\"]++)(?:\*(?P<index>[0-9]{1,4}))?(?P<extended>\*)?[ \t\r\n]*+=[ \t\r\n]*+"
    r"(?:\"(?P<quoted>(?:[^\"\\]++|\\.)*+)\"|(?P<token>(?:[^\s;\"][^\s;]*+)?+))",
    re.DOTALL,
)
_ID_FIELDS = ("message-id", "in-reply-to", "references", "resent-message-id")
_CODECS: dict[str, Codec] = dict.fromkeys(ADDRESS_FIELDS, ADDRESSES) | dict.fromkeys(_ID_FIELDS, MESSAGE_IDS)
_CHARSET_AND_LANGUAGE = re.compile(r"(?P<charset>[^'%]{0,40})'[^'%]{0,40}'")


@dataclass(frozen=True, slots=True)
class _Head:
    source: Decoded
    boundary: str

    def pieces(self) -> Iterator[tuple[SourceItem, str]]:
        """The items and what each shows."""
        text = self.source.text
        for item in _scan(text, self.boundary):
            yield item, shown(item.codec, text[item.start : item.end]) if item.codec else item.glue


@dataclass(frozen=True, slots=True)
class Headers:
    """core.Format for a head. An edited boundary gives way to the new one given here, whole."""

    boundary: str

    def read(self, data: bytes, name: str) -> Document:
        head = _Head(decode(data), self.boundary)
        text, parts = laid_out(head.pieces())
        return Document(name, "headers", text, parts, head)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        head = document.origin
        assert isinstance(head, _Head)
        slots = (SourceSlot(item.start, item.end, len(text), item.codec) for item, text in head.pieces())
        return head.source.splice(patches(head.source, lambda _: slots, edits))


def fields(data: bytes) -> Iterator[tuple[str, str]]:
    """The fields of a head: names in lower case, values as they stand."""
    for match in _FIELD.finditer(decode(data).text):
        yield match["name"].lower(), match["value"]


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """The first word of a structured value, in lower case, and its parameters, decoded and put together."""
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(value):
        name = match["name"].lower()
        start, end, codec = _value(match)
        text = shown(codec, value[start:end])
        if _continues(match):
            found[name] = found.get(name, "") + text
        else:
            found.setdefault(name, text)
    return re.split(r"[;\s(]", value.strip(), maxsplit=1)[0].lower(), found


def _scan(source: str, boundary: str) -> Iterator[SourceItem]:
    position = 0
    while position < len(source):
        part = "header"
        match = _FIELD.match(source, position)
        if match:
            name = match["name"].lower()
            part = f"header {FIELDS[name]}" if name in FIELDS else "header"
            yield from _field(match, name, part, boundary)
        else:  # the line with which a mailbox begins each message
            match = _LINE.match(source, position)
            assert match
            yield SourceItem(*match.span("value"), WORDS, part)
        yield SourceItem(match.end(), match.end(), None, part, "\n")
        position = match.end()


def _field(match: re.Match[str], name: str, part: str, boundary: str) -> Iterator[SourceItem]:
    if name not in FIELDS:
        yield SourceItem(*match.span("name"), FIELD_NAME, part)
        yield SourceItem(match.end("name"), match.end("name"), None, part, ": ")
    start, end = match.span("value")
    if name in ("content-type", "content-disposition"):
        yield from _structured(match.string, start, end, part, boundary)
    elif not _is_vocabulary(name, match["value"].strip().lower()):
        yield SourceItem(start, end, _CODECS.get(name, WORDS), part)


def _is_vocabulary(name: str, value: str) -> bool:
    """Whether a value only says how the message is encoded."""
    if name == "content-transfer-encoding":
        return value in TRANSFER_ENCODINGS
    return name == "mime-version" and value == "1.0"


def _structured(source: str, start: int, end: int, part: str, boundary: str) -> Iterator[SourceItem]:
    """A media type or a disposition, and its parameters."""
    semicolon = source.find(";", start, end)
    head = semicolon if semicolon >= 0 else end
    if source[start:head].strip().lower() not in MEDIA_TYPES | DISPOSITIONS:
        yield SourceItem(start, head, WORDS, part)
    position = head
    for match in _PARAMETER.finditer(source, head, end):
        if match.start() > position:
            yield SourceItem(position, match.start(), WORDS, part)
        yield from _parameter(match, part, boundary)
        position = match.end()
    if position < end:
        yield SourceItem(position, end, WORDS, part)


def _parameter(match: re.Match[str], part: str, boundary: str) -> Iterator[SourceItem]:
    name = match["name"].lower()
    if name == "charset" and _is_charset(match["quoted"] or match["token"]):
        return
    if not _continues(match):
        yield SourceItem(match.start(), match.start(), None, part, " ")
        if name not in PARAMETERS:
            yield SourceItem(*match.span("name"), PARAMETER_NAME, part)
            yield SourceItem(match.end("name"), match.end("name"), None, part, "=")
    start, end, codec = _value(match)
    yield SourceItem(start, end, Boundary(boundary) if name == "boundary" else codec, part)


def _continues(match: re.Match[str]) -> bool:
    """Whether a parameter goes on with the value of the one before it."""
    return int(match["index"] or 0) > 0


def _is_charset(name: str) -> bool:
    try:
        return bool(charset(name) or name)
    except InputError:
        return False


def _value(match: re.Match[str]) -> tuple[int, int, Codec]:
    """The place of a parameter's value, without quotes, and how it is spelled."""
    kind = "token" if match["quoted"] is None else "quoted"
    start, end = match.span(kind)
    if not match["extended"]:
        return start, end, QUOTED if kind == "quoted" else TOKEN
    prefix = None if _continues(match) else _CHARSET_AND_LANGUAGE.match(match.string, start, end)
    if not prefix:
        return start, end, Extended("utf-8")
    return prefix.end(), end, Extended(charset(prefix["charset"]) or "utf-8")
