"""XML data files: the text is the file with its character references resolved, and its tags stand.

Text, the values of attributes, comments and CDATA are searched and edited. A release is well-formed XML or there is none:
a name that is the name of an element cannot be taken out, so such a file is refused. So is one that declares entities, because
they would show words that stand nowhere in it as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.parsers import expat

from efface.core import Document, Edit, Part, PartKind
from efface.errors import InputError, Refused
from efface.formats.html.escapes import COMMENT, DOUBLE, SECTION, SINGLE, TEXT
from efface.formats.patching.source_patching import PLAIN, Codec, SourceSlot, rewrite, shown
from efface.formats.plain.encoding import Decoded, decode

_MARKUP = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>",
    re.DOTALL,
)
_VALUE = re.compile(r"=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)')")
_QUOTING = {"<!--": COMMENT, "<![CDATA[": SECTION}  # what stands in these is no tag
_NAMES = {PartKind.PROSE: "data", PartKind.CODE: "markup"}
_AS_TEXT = "Give it the ending .txt to have it read as plain text."


class _Stretch(NamedTuple):
    """A stretch of the file: words, as their codec shows them, or markup."""

    start: int
    end: int
    codec: Codec
    kind: PartKind = PartKind.PROSE


class XmlText:
    """core.Format for .xml."""

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        _check(data)
        source = decode(data, charset)
        texts, parts, length = [], [], 0
        for one in _stretches(source.text):
            shown_text = shown(one.codec, source.text[one.start : one.end])
            texts.append(shown_text)
            parts.append(Part(_NAMES[one.kind], length, length + len(shown_text), one.kind))
            length += len(shown_text)
        return Document(name, "xml", "".join(texts), tuple(parts), source)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        source = document.origin
        assert isinstance(source, Decoded)
        written = rewrite(source, lambda _: _slots(source.text), edits)
        try:
            _check(written)
        except InputError:
            raise Refused(
                "What is to be removed is a part of the file's markup, and without it the file is no XML.",
                _AS_TEXT,
            ) from None
        return written


def _slots(source: str) -> Iterator[SourceSlot]:
    for one in _stretches(source):
        width = len(shown(one.codec, source[one.start : one.end]))
        yield SourceSlot(one.start, one.end, width, one.codec)


def _check(data: bytes) -> None:
    """Refuses what is not well-formed, and what declares entities."""
    parser = expat.ParserCreate()
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError):
        raise InputError("The file is not well-formed XML.", _AS_TEXT) from None


def _refuse_entities(*_: object) -> None:
    raise InputError("The file declares entities of its own.", "Save it without them.")


def _stretches(text: str) -> Iterator[_Stretch]:
    """All of the file: the words between tags, in attributes, comments and CDATA, and between them the markup."""
    position = 0
    for one in _words(text):
        if one.start > position:
            yield _Stretch(position, one.start, PLAIN, PartKind.CODE)
        if one.end > one.start:
            yield one
        position = max(position, one.end)
    if position < len(text):
        yield _Stretch(position, len(text), PLAIN, PartKind.CODE)


def _words(text: str) -> Iterator[_Stretch]:
    """Where words are that markup is not."""
    position = 0
    for tag in _MARKUP.finditer(text):
        yield _Stretch(position, tag.start(), TEXT)
        written = tag.group()
        opened = next((mark for mark in _QUOTING if written.startswith(mark)), "")
        if opened:
            yield _Stretch(tag.start() + len(opened), tag.end() - 3, _QUOTING[opened])
        elif not written.startswith(("<?xml ", "</")):
            for value in _VALUE.finditer(text, tag.start(), tag.end()):
                is_double = value["double"] is not None
                start, end = value.span("double" if is_double else "single")
                yield _Stretch(start, end, DOUBLE if is_double else SINGLE)
        position = tag.end()
    yield _Stretch(position, len(text), TEXT)


XML = XmlText()
