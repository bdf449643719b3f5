"""Calendars (.ics) and address cards (.vcf): lines of a property, its parameters and its value.

The text has a line for each property, unfolded, with escapes and quoted-printable resolved. Names of properties and
parameters are marked as code, so that no finder takes ATTENDEE for a name. Files within a card, such as a photograph,
are not read and are taken out.

Reading a release again gives exactly the edited text, except that an embedded file is gone.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from efface.core import Document, Edit, Part, PartKind
from efface.formats.patching.source_patching import (
    Codec,
    Fits,
    SlotStretch,
    SourceOrigin,
    SourcePiece,
    SourceSlot,
    fitted,
    patches,
    shown,
)
from efface.formats.plain.encoding import Decoded, Patch, decode

_EOL = r"(?:\r\n?+|\n)"
_FOLD = rf"{_EOL}[ \t]"
_LINE = re.compile(rf"(?P<line>(?:[^\r\n]|{_FOLD})*)(?P<eol>{_EOL}|\Z)")
# A soft line break of quoted-printable goes on in the next line, which need not begin with a space.
_SOFT_LINE = re.compile(rf"(?P<line>(?:[^\r\n]|{_FOLD}|(?<==){_EOL}(?=[^\r\n]))*)(?P<eol>{_EOL}|\Z)")
_ESCAPE = re.compile(rf"{_FOLD}|\\[nN,;:\\]")
_QUOTED_PRINTABLE = re.compile(rf"=[ \t]*{_EOL}[ \t]?|(?:=[0-9A-Fa-f]{{2}})+|{_FOLD}|\\[,;:\\]")
_HEAD = re.compile(r'(?P<name>[^;:"\r\n]*)(?P<parameters>(?:;[^;:"\r\n]*(?:"[^"\r\n]*"[^;:"\r\n]*)*)*):')
_PARAMETER = re.compile(r';(?P<name>[^=;:"]*)=?(?P<value>(?:"[^"]*"|[^;"])*)')
_SPOKEN = frozenset({"CN", "LABEL", "EMAIL", "SENT-BY", "DIR", "DELEGATED-TO", "DELEGATED-FROM", "MEMBER"})
_STRUCTURE = frozenset({"BEGIN", "END", "VERSION", "PRODID", "METHOD", "CALSCALE"})
_FILES = re.compile(r"ENCODING=(?:B|BASE64)\b|^(?:BASE64)$|VALUE=BINARY", re.IGNORECASE)
_DATA_ADDRESS = re.compile(r"data:[^,]{0,100};base64,", re.IGNORECASE)
_CHARSET = re.compile(r"CHARSET=([\w.:-]{1,40})")
_BREAKS_OUT = re.compile(rf"{_EOL}(?![ \t])")
_TO_ESCAPE = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": ""})


@dataclass(frozen=True, slots=True)
class _Property:
    """A line, its codec, and the text that it shows. A line with a file shows only what stands before the file."""

    start: int
    end: int
    eol: int
    codec: Codec
    text: str
    file: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class _Card:
    source: Decoded
    properties: tuple[_Property, ...]

    @property
    def notes(self) -> Sequence[str]:
        count = sum(one.file is not None for one in self.properties)
        return (f"{count} embedded file{'s' * (count > 1)} removed.",) if count else ()

    def slots(self) -> Iterator[SourceSlot]:
        for one in self.properties:
            yield SourceSlot(one.start, one.end, len(one.text), one.codec)
            yield SourceSlot(one.end, one.eol, 1)


@dataclass(frozen=True, slots=True)
class _LineCodec:
    """A folded line with its escapes, or one in quoted-printable with the charset that it declares."""

    charset: str = ""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        if not self.charset and _BREAKS_OUT.search(raw):
            return None
        return tuple(self._stretches(raw))

    def _stretches(self, raw: str) -> Iterator[SlotStretch]:
        position = 0
        for match in (_QUOTED_PRINTABLE if self.charset else _ESCAPE).finditer(raw):
            yield SlotStretch(position, match.start())
            yield SlotStretch(*match.span(), self._unescaped_text(match.group()))
            position = match.end()
        yield SlotStretch(position, len(raw))

    def _unescaped_text(self, written: str) -> str:
        if written[0] == "\\":
            return "\n" if written[1] in "nN" else written[1]
        if written[0] != "=" or written.endswith(("\r", "\n", " ", "\t")):
            return ""
        data = binascii.unhexlify(written.replace("=", ""))
        return data.decode(self.charset, "replace").replace("\r\n", "\n").replace("\r", "\n")

    def clean(self, text: str, fits: Fits) -> str:
        return text.replace("\r", "")

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return "".join(
            piece.text if piece.origin is SourceOrigin.KEPT else self._escaped_text(piece.text, fits)
            for piece in pieces
        )

    def _escaped_text(self, text: str, fits: Fits) -> str:
        if not self.charset:
            return fitted(text.translate(_TO_ESCAPE), fits)
        data = text.encode(self.charset, "replace")
        return "".join(chr(byte) if 32 <= byte < 127 and byte != 61 else f"={byte:02X}" for byte in data)


_ESCAPED = _LineCodec()


class ContentLines:
    """core.Format for .ics and .vcf."""

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        source = decode(data, charset)
        properties = tuple(_properties(source.text))
        text = "".join(f"{one.text}\n" for one in properties)
        return Document(name, "card", text, tuple(_parts(properties)), _Card(source, properties))

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        card = document.origin
        assert isinstance(card, _Card)
        files = [Patch(*one.file, "") for one in card.properties if one.file is not None]
        edited = patches(card.source, lambda _: card.slots(), edits)
        return card.source.splice(sorted([*edited, *files]))


CONTENT_LINES = ContentLines()


def _properties(source: str) -> Iterator[_Property]:
    position = 0
    while position < len(source):
        match = _LINE.match(source, position)
        assert match is not None
        head = _HEAD.match(_ESCAPE.sub("", match["line"]))
        parameters = head["parameters"] if head else ""
        codec = _codec(parameters)
        if codec is not _ESCAPED:
            match = _SOFT_LINE.match(source, position)
            assert match is not None
        line = match["line"]
        start, end = match.span("line")
        if _holds_file(line, parameters):
            cut = start + line.find(":") + 1
            shown_line = shown(codec, source[start:cut])
            yield _Property(start, cut, match.end(), codec, shown_line, (cut, end))
        else:
            yield _Property(start, end, match.end(), codec, shown(codec, line))
        position = match.end()


def _codec(parameters: str) -> _LineCodec:
    told = parameters.upper()
    if "QUOTED-PRINTABLE" not in told:
        return _ESCAPED
    charset = _CHARSET.search(told)
    try:
        return _LineCodec(codecs.lookup(charset[1]).name if charset else "utf-8")
    except LookupError:
        return _LineCodec("utf-8")


def _holds_file(line: str, parameters: str) -> bool:
    is_told = any(_FILES.search(one) for one in parameters.split(";"))
    return is_told or _DATA_ADDRESS.search(line[:400]) is not None


def _parts(properties: Sequence[_Property]) -> Iterator[Part]:
    """The value of each property, and the names and fixed values around it as code."""
    at = 0
    for one in properties:
        head = _HEAD.match(one.text)
        end = at + len(one.text)
        if head is None:
            yield Part("line", at, end)
        elif head["name"].upper() in _STRUCTURE:
            yield Part("structure", at, end, PartKind.CODE)
        else:
            yield from _head_parts(head, at)
            yield Part(head["name"].lower(), at + head.end(), end)
        at = end + 1


def _head_parts(head: re.Match[str], at: int) -> Iterator[Part]:
    position = 0
    for parameter in _PARAMETER.finditer(head.string, head.start("parameters"), head.end("parameters")):
        if parameter["name"].upper() in _SPOKEN:
            start, end = parameter.span("value")
            yield Part("structure", at + position, at + start, PartKind.CODE)
            yield Part(parameter["name"].lower(), at + start, at + end)
            position = end
    yield Part("structure", at + position, at + head.end(), PartKind.CODE)
