"""XML data files: the text is the file with its character references resolved, and its tags stand.

Text, the values of attributes, comments and CDATA are searched and edited. Where sentences have tags in them (mixed content),
the text goes on over the tags as a reader sees it, and these stand after the file, a line each. A release is well-formed XML or
there is none: a name that is the name of an element cannot be taken out, so such a file is refused, unless the element is called
by ordinary words. So is a file that declares entities, because they would show words that stand nowhere in it as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.parsers import expat

from efface.core import Document, Edit, Part, PartKind
from efface.errors import InputError, Refused
from efface.formats.html.escapes import COMMENT, DOUBLE, SECTION, SINGLE, TEXT
from efface.formats.patching.source_patching import PLAIN, Codec, SourceSlot, patches, shown
from efface.formats.plain.encoding import Decoded, decode
from efface.formats.plain.xml_sentences import FORMATTING, LINES, MARKUP, NAME, local_name, running_elements
from efface.text.form_labels import is_ordinary_label

_VALUE = re.compile(r"=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)')")
# Word processors part words at any letter, and what parts them has no name that tells it.
_OFFICE = re.compile(
    r"xmlns(?::[\w.-]{1,40})?+\s{0,20}+=\s{0,20}+[\"'](?:http://(?:schemas\.openxmlformats\.org/wordprocessingml"
    r"|purl\.oclc\.org/ooxml/wordprocessingml|schemas\.microsoft\.com/office/(?:word/2003/wordml|2006/xmlPackage))"
    r"|urn:oasis:names:tc:opendocument:xmlns:text)"
)
_QUOTING = {"<!--": COMMENT, "<![CDATA[": SECTION}  # what stands in these is no tag
_NAMES = {PartKind.PROSE: "data", PartKind.CODE: "markup"}
_NO_LABELS = FORMATTING | LINES
_AS_TEXT = "Give it the ending .txt to have it read as plain text."


class _Stretch(NamedTuple):
    """A stretch of the file: words, as their codec shows them, or markup. Without a codec it shows `glue`, and stays."""

    start: int
    end: int
    codec: Codec | None
    kind: PartKind = PartKind.PROSE
    glue: str = ""

    def shown_in(self, source: str) -> str:
        return shown(self.codec, source[self.start : self.end]) if self.codec else self.glue


class XmlText:
    """core.Format for .xml."""

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        _check(data)
        source = decode(data, charset)
        if _OFFICE.search(source.text):
            raise InputError("The file is a document of a word processor.", "Save it as .docx or .odt.")
        texts, parts, length = [], [], 0
        for one in _all_stretches(source.text):
            shown_text = one.shown_in(source.text)
            texts.append(shown_text)
            parts.append(Part(_NAMES[one.kind], length, length + len(shown_text), one.kind))
            length += len(shown_text)
        return Document(name, "xml", "".join(texts), tuple(parts), source)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        source = document.origin
        assert isinstance(source, Decoded)
        # What stands after the file in the text stands within it in the source.
        written = source.splice(sorted(patches(source, lambda _: _slots(source.text), edits)))
        try:
            _check(written)
        except InputError:
            raise Refused(
                "What is to be removed is a part of the file's markup, and without it the file is no XML.",
                _AS_TEXT,
            ) from None
        return written


def _slots(source: str) -> Iterator[SourceSlot]:
    for one in _all_stretches(source):
        yield SourceSlot(one.start, one.end, len(one.shown_in(source)), one.codec)


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


def _all_stretches(text: str) -> Iterator[_Stretch]:
    """All of the file: words and markup in their order, then the markup that stands within sentences."""
    running = running_elements(text)
    asides: list[_Stretch] = []
    position = depth = 0  # how many elements are open in a sentence
    for tag in MARKUP.finditer(text):
        if tag.start() > position:
            yield _Stretch(position, tag.start(), TEXT)
        position = tag.end()
        written = tag.group()
        if depth and written.startswith("</"):
            depth -= 1
        if not depth:
            yield from _markup(text, tag)
        elif written.startswith("<![CDATA["):
            yield from _filled(_Stretch(tag.start() + 9, tag.end() - 3, SECTION))
        else:
            yield from _break(written, tag.start())
            asides += _tag_as_line(text, tag)
        opens = NAME.match(written, 1) is not None and not written.endswith("/>")
        if opens and (depth or tag.start() in running):
            depth += 1
    yield from _filled(_Stretch(position, len(text), TEXT))
    yield from asides


def _filled(one: _Stretch) -> Iterator[_Stretch]:
    if one.end > one.start:
        yield one


def _break(written: str, start: int) -> Iterator[_Stretch]:
    """The end of a line, at the tags that make one."""
    name = NAME.match(written, 2 if written.startswith("</") else 1)
    if name and local_name(name.group()) in LINES:
        yield _glue(start, "\n")


def _glue(start: int, shown_text: str) -> _Stretch:
    return _Stretch(start, start, None, PartKind.CODE, shown_text)


def _tag_as_line(text: str, tag: re.Match[str]) -> Iterator[_Stretch]:
    """What a tag or a comment in a sentence says, as a line. An element tells what its words are, so they stand in it again."""
    written = tag.group()
    name = NAME.match(written, 1)
    is_bare = name is not None and local_name(name.group()) in _NO_LABELS and "=" not in written
    if written.startswith("</") or is_bare:
        return
    yield _glue(tag.start(), "\n")
    yield from _markup(text, tag)
    end = text.find("<", tag.end())
    if name and not written.endswith("/>") and text.startswith(f"</{name.group()}", end):
        said = shown(TEXT, text[tag.end() : end])
        yield _glue(end, said)._replace(kind=PartKind.PROSE)
        yield _glue(end, f"</{name.group()}>")


def _markup(text: str, tag: re.Match[str]) -> Iterator[_Stretch]:
    """A tag, a comment or a section: its words, and the markup around them."""
    position = tag.start()
    is_tag = tag.group().startswith("</") or NAME.match(tag.group(), 1) is not None
    for one in _words_in_markup(text, tag):
        yield from _filled(_structure(text, position, one.start, is_tag))
        yield from _filled(one)
        position = one.end
    yield from _filled(_structure(text, position, tag.end(), is_tag))


def _structure(text: str, start: int, end: int, is_tag: bool) -> _Stretch:
    """Markup. The names in a tag that are ordinary words stay: they say what the file holds and not whom it is about."""
    if is_tag and all(map(is_ordinary_label, NAME.findall(text, start, end))):
        return _Stretch(start, end, None, PartKind.CODE, text[start:end])
    return _Stretch(start, end, PLAIN, PartKind.CODE)


def _words_in_markup(text: str, tag: re.Match[str]) -> Iterator[_Stretch]:
    """Where words are in markup."""
    written = tag.group()
    opened = next((mark for mark in _QUOTING if written.startswith(mark)), "")
    if opened:
        yield _Stretch(tag.start() + len(opened), tag.end() - 3, _QUOTING[opened])
    elif not written.startswith(("<?xml ", "</")):
        for value in _VALUE.finditer(text, tag.start(), tag.end()):
            is_double = value["double"] is not None
            start, end = value.span("double" if is_double else "single")
            yield _Stretch(start, end, DOUBLE if is_double else SINGLE)


XML = XmlText()
