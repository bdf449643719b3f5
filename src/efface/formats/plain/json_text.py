"""JSON and JSON Lines.

The text is the file itself with the escapes in its strings resolved: keys stand beside their values, and
both are searched. Braces, brackets, commas, colons and quotes are structure. An edited number, true, false
or null becomes a string, unless a number is replaced by another number.

Reading a release again gives exactly the edited text, except that an edit leaves the structure it covers,
and that a number which becomes a string gets quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from efface.core import Document, Edit, Part
from efface.errors import InputError
from efface.formats.patching.source_patching import (
    Fits,
    NextEdit,
    SlotStretch,
    SourceOrigin,
    SourcePiece,
    SourceSlot,
    gathered,
    rewrite,
    sparse,
)
from efface.formats.plain.encoding import Decoded, decode

MAX_DEPTH = 500  # what any common JSON parser reads without failing

_WS = r"[ \t\n\r]*+"
_STRING = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+"
_SIMPLE = rf"(?:{_STRING}|(?:{_NUMBER}|true|false|null|NaN|-?Infinity)(?![0-9A-Za-z_.+-]))"
_KEY = rf"{_WS}{_STRING}{_WS}:"
_MEMBERS = re.compile(rf"(?:{_KEY}{_WS}{_SIMPLE}{_WS},)*+")
_ITEMS = re.compile(rf"(?:{_WS}{_SIMPLE}{_WS},)*+")
_KEY_NEXT = re.compile(_KEY)
_VALUE_NEXT = re.compile(rf"{_WS}(?:(?P<open>[\[{{])|{_SIMPLE})")
_CLOSE_NEXT = re.compile(rf"{_WS}(?P<close>[\]}}])")
_COMMA_NEXT = re.compile(rf"{_WS},")
_SPACE = re.compile(_WS)

_NUMBER_ALONE = re.compile(_NUMBER)
_WHOLE_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"')
_STRUCTURE = " \t\n\r[]{}:,"
_BARE = re.compile(r'[^ \t\n\r\[\]{}:,"]++')
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]", re.DOTALL
)
_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
# How a character is written inside a string. Control characters have numbers, a few of them letters.
_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(0x20), 0x7F)}
_ESCAPES |= {ord(char): f"\\{letter}" for letter, char in _LETTERS.items()}
_ESCAPES |= {ord('"'): '\\"', ord("\\"): "\\\\"}


@dataclass(frozen=True, slots=True)
class Json:
    """core.Format for .json; with `lines` for .jsonl and .ndjson: any number of values in a row."""

    lines: bool = False

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        source = decode(data, charset)
        _validate(source.text, lines=self.lines)
        text = _strings_text(source.text)
        return Document(name, "jsonl" if self.lines else "json", text, (Part("data", 0, len(text)),), source)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        source = document.origin
        assert isinstance(source, Decoded)
        return rewrite(source, lambda next_edit: _slots(source.text, next_edit), edits)


JSON = Json()
JSONL = Json(lines=True)


class Literal:
    """A string with its quotes, or a number, true, false or null."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        if not raw.startswith('"'):
            return (SlotStretch(0, len(raw)),)
        return (
            SlotStretch(0, 1, fixed=True),
            *_string_stretches(raw),
            SlotStretch(len(raw) - 1, len(raw), fixed=True),
        )

    def clean(self, text: str, fits: Fits) -> str:
        return text

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        content = "".join(piece.text for piece in pieces)
        if pieces[0].origin is SourceOrigin.KEPT and pieces[0].text.startswith('"'):
            return "".join(
                p.text if p.origin is SourceOrigin.KEPT else _escaped(p.text, fits) for p in pieces
            )
        if pieces[0].origin is SourceOrigin.WHOLE and len(content) > 1 and content[0] == content[-1] == '"':
            return f'"{_escaped(content[1:-1], fits)}"'
        return content if _NUMBER_ALONE.fullmatch(content) else f'"{_escaped(content, fits)}"'


_LITERAL = Literal()


def _string_stretches(raw: str) -> Iterator[SlotStretch]:
    position = 1
    for match in _ESCAPE.finditer(raw) if "\\" in raw else ():
        yield SlotStretch(position, match.start())
        yield SlotStretch(*match.span(), _unescaped(match.group()))
        position = match.end()
    yield SlotStretch(position, len(raw) - 1)


def _unescaped(escape: str) -> str:
    if escape[1] != "u":
        return _LETTERS.get(escape[1], escape[1])
    code = int(escape[2:6], 16)
    if len(escape) > 6:
        return chr(0x10000 + ((code - 0xD800) << 10) + int(escape[8:], 16) - 0xDC00)
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)  # half a character is no character


def _escaped(text: str, fits: Fits) -> str:
    text = text.translate(_ESCAPES)
    return text if fits(text) else "".join(c if fits(c) else _code_units(c) for c in text)


def _code_units(char: str) -> str:
    data = char.encode("utf-16-be")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))


def _slots(source: str, next_edit: NextEdit) -> Iterator[SourceSlot]:
    """The literals of a source that is known to be valid; where no escape is, the text is the source."""

    def escaped() -> Iterator[SourceSlot]:
        position = 0
        while (escape := source.find("\\", position)) >= 0:
            start = source.rfind('"', position, escape)
            literal = _WHOLE_STRING.match(source, start)
            assert literal
            width = sum(stretch.width for stretch in _string_stretches(literal.group())) + 2
            yield SourceSlot(start, literal.end(), width, _LITERAL)
            position = literal.end()

    def around(low: int, at: int) -> SourceSlot:
        if source.count('"', low, at) % 2:
            start, end = source.rfind('"', low, at), source.find('"', at) + 1
        elif source[at] == '"':
            start, end = at, source.find('"', at + 1) + 1
        elif source[at] in _STRUCTURE:
            return SourceSlot(at, at + 1, 1)
        else:
            start = max(low - 1, *(source.rfind(char, low, at) for char in _STRUCTURE)) + 1
            bare = _BARE.match(source, at)
            end = bare.end() if bare else at + 1
        return SourceSlot(start, end, end - start, _LITERAL)

    return sparse(len(source), escaped(), around, next_edit)


def _strings_text(source: str) -> str:
    return gathered(_texts(source)) if "\\" in source else source


def _texts(source: str) -> Iterator[str]:
    position = 0
    for match in _ESCAPE.finditer(source):
        yield source[position : match.start()]
        yield _unescaped(match.group())
        position = match.end()
    yield source[position:]


def _validate(source: str, *, lines: bool) -> None:
    """InputError unless the source is JSON. One pass, no recursion: depth costs a byte a level."""
    position = _skip(source, 0)
    if position == len(source):
        return
    position = _value(source, position)
    while lines and position < len(source):
        position = _value(source, position)
    if position < len(source):
        raise _invalid(source, position)


def _value(source: str, position: int) -> int:
    """The place after the value at `position` and the space that follows it."""
    open_: list[str] = []
    while True:
        match = _VALUE_NEXT.match(source, position)
        if not match:
            raise _invalid(source, position)
        position = match.end()
        if match["open"]:
            open_.append(match["open"])
            if len(open_) > MAX_DEPTH:
                raise InputError(f"The JSON is nested over {MAX_DEPTH} levels deep.", "Flatten it first.")
            if not _CLOSE_NEXT.match(source, position):
                position = _to_next_value(source, position, open_[-1])
                continue
        position = _close(source, position, open_)
        if not open_:
            return _skip(source, position)
        comma = _COMMA_NEXT.match(source, position)
        if not comma:
            raise _invalid(source, position)
        position = _to_next_value(source, comma.end(), open_[-1])


def _to_next_value(source: str, position: int, opened: str) -> int:
    """Past all simple members (or items) that another follows, and past the key of the next one."""
    run = (_ITEMS if opened == "[" else _MEMBERS).match(source, position)
    position = run.end() if run else position
    if opened == "[":
        return position
    key = _KEY_NEXT.match(source, position)
    if not key:
        raise _invalid(source, position)
    return key.end()


def _close(source: str, position: int, opened: list[str]) -> int:
    """Past all brackets that close here."""
    while opened and (match := _CLOSE_NEXT.match(source, position)):
        if (opened.pop() == "[") != (match["close"] == "]"):
            raise _invalid(source, position)
        position = match.end()
    return position


def _skip(source: str, position: int) -> int:
    match = _SPACE.match(source, position)
    return match.end() if match else position


def _invalid(source: str, position: int) -> InputError:
    position = _skip(source, position)
    line = source.count("\n", 0, position) + 1
    column = position - source.rfind("\n", 0, position)
    return InputError(f"The JSON is not valid at line {line}, column {column}.", "Repair the file.")
