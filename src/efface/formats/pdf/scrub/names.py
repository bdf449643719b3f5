"""Names that producers choose (resources, states, tags, fonts) must not keep what was removed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from efface.formats.pdf.fonts.encodings import glyph_text
from efface.formats.pdf.reader.content import ContentPiece, parse, serialise, stream_bytes
from efface.formats.pdf.reader.object_walk import ObjGen, containers, members, serialised, walk
from efface.formats.pdf.reader.pdfium_text import ExpectedText
from efface.formats.pdf.scrub.vocabulary import HARMLESS

_NAME = re.compile(rb"/([^\s/<>\[\](){}%]+)")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
# Where one word of a name ends and the next begins: "WhitcombePara", "JWhitcombe", "para_Whitcombe2".
_SEAM = re.compile(r"_+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


def rename(pdf: pikepdf.Pdf, wanted: ExpectedText) -> None:
    """Gives every name that holds a removed string a new one, the same everywhere."""
    if not wanted.keys:
        return
    written: set[bytes] = set()
    contents: dict[ObjGen, None] = {}

    def collect(obj: pikepdf.Object, _key: str) -> None:
        written.update(_NAME.findall(serialised(obj)))
        contents.update(dict.fromkeys(_content_streams(obj)))

    walk(pdf, collect)
    streams = [pdf.get_object(objgen) for objgen in contents]
    data = {stream.objgen: stream_bytes(stream) for stream in streams if isinstance(stream, Stream)}
    for content in data.values():
        written.update(_NAME.findall(content))
    telling = sorted(name for name in written if _tells(name, wanted))
    if telling:
        _apply(pdf, {_decoded(name): f"/Renamed{at}" for at, name in enumerate(telling, 1)}, data)


def _content_streams(obj: pikepdf.Object) -> Iterator[ObjGen]:
    """The streams of an object that hold operators: forms, patterns, contents of pages, glyphs."""
    if isinstance(obj, Stream):
        if obj.get("/Subtype") == "/Form" or obj.get("/PatternType") == 1:
            yield obj.objgen
        return
    if not isinstance(obj, Dictionary):
        return
    contents = obj.get("/Contents")
    listed: list[Any] = list(contents) if isinstance(contents, Array) else [contents]
    procedures = obj.get("/CharProcs")
    if isinstance(procedures, Dictionary):
        listed += [value for _, value in members(procedures)]
    for stream in listed:
        if isinstance(stream, Stream):
            yield stream.objgen


def _decoded(name: bytes) -> str:
    raw = _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), name)
    return "/" + raw.decode("utf-8", "surrogateescape")


def _tells(name: bytes, wanted: ExpectedText) -> bool:
    """Whether a removed string is in a name, as it is or as one of the words that are written together."""
    text = _decoded(name)
    if text in HARMLESS or glyph_text(text[1:]):
        return False
    written = text[1:].encode("utf-8", "replace").decode()
    return bool(wanted.find(written) or wanted.find(_SEAM.sub(" ", written)))


def _apply(pdf: pikepdf.Pdf, names: Mapping[str, str], data: Mapping[ObjGen, bytes]) -> None:
    def visit(obj: pikepdf.Object, key: str) -> None:
        for container, _ in containers(obj, key):
            _rename_members(container, names)

    walk(pdf, visit)
    for objgen, content in data.items():
        if not any(_decoded(name) in names for name in set(_NAME.findall(content))):
            continue
        pieces: list[ContentPiece] = []
        for instruction in parse(pdf, content):
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                pieces.append(instruction)
                continue
            operands = Array(list(instruction.operands))
            for container, _ in containers(operands, ""):
                _rename_members(container, names)
            pieces.append(pikepdf.ContentStreamInstruction(list(operands), instruction.operator))
        stream = pdf.get_object(objgen)
        if isinstance(stream, Stream):
            stream.write(serialise(pieces))


def _rename_members(container: pikepdf.Object, names: Mapping[str, str]) -> None:
    for step, value in members(container):
        if isinstance(value, Name) and str(value) in names:
            container[step] = Name(names[str(value)])
            value = container[step]
        if isinstance(step, str) and step in names:
            container[names[step]] = value
            del container[step]
