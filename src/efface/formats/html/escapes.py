"""How text is spelled in the places of an HTML page: entities, percent escapes, backslashes.

One codec with four parts: which escapes it resolves, how it escapes, which characters of new text it always
escapes, and what would end the place. New text can therefore never break out of its place.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html.entities import html5

from efface.formats.html.vocabulary import ATTRIBUTES, ELEMENTS
from efface.formats.patching.author_names import OwnName
from efface.formats.patching.source_patching import Fits, SlotStretch, SourceOrigin, SourcePiece, fitted
from efface.formats.plain.encoding import to_ascii

Units = Callable[[str], Iterator[tuple[int, int, str]]]

_ENTITY = r"&(?:#[0-9]++;?|#[xX][0-9a-fA-F]++;?|[A-Za-z][A-Za-z0-9]{1,31};?)"
_ENTITIES = re.compile(_ENTITY)
_ATTRIBUTE_ESCAPES = re.compile(rf"{_ENTITY}|(?:%[0-9a-fA-F]{{2}})++|\+")
_JS_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]{1,6}\}"
    r"|\\x[0-9a-fA-F]{2}|\\[\\\"'/bfnrtv]"
)
_CSS_ESCAPES = re.compile(r"\\[0-9a-fA-F]{1,6}[ \t\n\r\f]?")
_JS_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


@dataclass(frozen=True, slots=True)
class EscapedPlace:
    """A codec for one kind of place."""

    units: Units
    escape: Callable[[str], str]  # of one character
    unsafe: re.Pattern[str]  # what new text may not hold as it is
    forbidden: re.Pattern[str]  # what would end the place, or begin another
    banned: re.Pattern[str] | None = None  # what new text does without, for lack of a safe spelling

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return None if self.forbidden.search(raw) else tuple(stretches(raw, self.units))

    def clean(self, text: str, fits: Fits) -> str:
        text = self.banned.sub("", text) if self.banned else text
        return fitted(text, lambda piece: fits(piece) or fits("".join(map(self.escape, piece))))

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return "".join(self._escaped_piece(piece, fits) for piece in pieces)

    def _escaped_piece(self, piece: SourcePiece, fits: Fits) -> str:
        if piece.origin is SourceOrigin.KEPT:
            return piece.text
        if piece.origin is SourceOrigin.GUARDED:
            return "".join(map(self.escape, piece.text))
        text = self.unsafe.sub(lambda match: self.escape(match.group()), piece.text)
        text = text if fits(text) else "".join(c if fits(c) else self.escape(c) for c in text)
        if piece.origin is SourceOrigin.WHOLE and text[:1] == piece.text[:1]:  # it may begin something else
            return "".join(map(self.escape, text[:1])) + text[1:]
        return text


@dataclass(frozen=True, slots=True)
class Unquoted:
    """An attribute value without quotes; it gets them when its new text needs them."""

    quoted: EscapedPlace

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        if not raw.startswith('"'):
            return None if _ENDS_UNQUOTED.search(raw) or not raw else tuple(stretches(raw, self.quoted.units))
        inner = self.quoted.decode(raw[1:-1])
        if inner is None:
            return None
        shifted = (SlotStretch(one.start + 1, one.end + 1, one.text) for one in inner)
        return (
            SlotStretch(0, 1, "", fixed=True),
            *shifted,
            SlotStretch(len(raw) - 1, len(raw), "", fixed=True),
        )

    def clean(self, text: str, fits: Fits) -> str:
        return self.quoted.clean(text, fits)

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        spelling = self.quoted.encode(pieces, fits)
        if spelling and not _ENDS_UNQUOTED.search(spelling):
            return spelling
        return f'"{self.quoted.encode([_without_quotes(piece) for piece in pieces], fits)}"'


def _without_quotes(piece: SourcePiece) -> SourcePiece:
    return (
        piece._replace(text=piece.text.replace('"', "&quot;")) if piece.origin is SourceOrigin.KEPT else piece
    )


class Broken:
    """A tag that the end of the file cuts off. What is between its marks is replaced, never emptied."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return tuple(
            SlotStretch(*match.span(), None, match["mark"] is not None) for match in _MARKS.finditer(raw)
        )

    def clean(self, text: str, fits: Fits) -> str:
        return "x" + _NOT_IN_NAMES.sub("", to_ascii(text))

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return "".join(piece.text for piece in pieces)


_NOT_IN_NAMES = re.compile(r"[\x00-\x20\"'/<=>\x7f]")
_ENDS_UNQUOTED = re.compile(r"[\t\n\f\r >]|^[\"']")
_MARKS = re.compile(r"(?P<mark>[\"'<>=/\t\n\f\r ]++)|[^\"'<>=/\t\n\f\r ]++")


def stretches(raw: str, units: Units) -> Iterator[SlotStretch]:
    """What lies between the escapes shows itself."""
    position = 0
    for start, end, text in units(raw):
        if start > position:
            yield SlotStretch(position, start)
        yield SlotStretch(start, end, text)
        position = end
    if position < len(raw) or not raw:
        yield SlotStretch(position, len(raw))


def entities(raw: str, *, attribute: bool = False) -> Iterator[tuple[int, int, str]]:
    """Character references as browsers resolve them: in text also the old names without a semicolon."""
    if "&" in raw:
        for match in _ENTITIES.finditer(raw):
            yield from _entity(raw, match, attribute=attribute)


def _entity(raw: str, match: re.Match[str], *, attribute: bool) -> Iterator[tuple[int, int, str]]:
    """What a reference shows, as browsers read it: the longest known name, and none before `=` in an attribute."""
    start, end = match.span()
    name = raw[start + 1 : end]
    if name[0] == "#":
        short = name.rstrip(";").lstrip("#xX0")
        yield start, end, html.unescape(match.group()) if len(short) < 8 else "\ufffd"
    elif name in html5:
        if not attribute or name[-1] == ";" or raw[end : end + 1] != "=":
            yield start, end, html5[name]
    elif not attribute:
        for length in range(len(name) - 1, 1, -1):
            if (text := html5.get(name[:length])) is not None:
                yield start, start + 1 + length, text
                return


def attribute_escapes(raw: str, *, query: int | None = None) -> Iterator[tuple[int, int, str]]:
    """Entities, and percent escapes as in URLs: addresses are also in attributes that are no links.

    After `query`, + stands for a space, unless it belongs to a mail address.
    """
    argument_end = address = -1
    for match in _ATTRIBUTE_ESCAPES.finditer(raw) if any(char in raw for char in "&%+") else ():
        start = match.start()
        if raw[start] == "&":
            yield from _entity(raw, match, attribute=True)
        elif raw[start] == "%":
            yield from _percent(raw, *match.span())
        elif query is not None and start > query:
            if start > argument_end:
                ampersand = raw.find("&", start)
                argument_end = ampersand if ampersand >= 0 else len(raw)
                address = raw.rfind("@", start, argument_end)
            if start > address:
                yield start, start + 1, " "


def url_escapes(raw: str) -> Iterator[tuple[int, int, str]]:
    """The escapes of an attribute that holds a URL."""
    query = raw.find("?")
    return attribute_escapes(raw, query=query if query >= 0 else None)


def _percent(raw: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """One unit for each character of a run of percent escapes; bytes that are no UTF-8 stay as they are."""
    data = bytes.fromhex(raw[start:end].replace("%", ""))
    for char in data.decode("utf-8", "surrogateescape"):
        length = 3 if "\udc80" <= char <= "\udcff" else 3 * len(char.encode("utf-8"))
        if length > 3 or char < "\x80":
            yield start, start + length, char
        start += length


def js_escapes(raw: str) -> Iterator[tuple[int, int, str]]:
    """Backslash escapes of JavaScript and JSON strings, anywhere in a script."""
    for match in _JS_ESCAPES.finditer(raw) if "\\" in raw else ():
        yield *match.span(), _js_unescaped(match.group())


def _js_unescaped(escape: str) -> str:
    if escape[1] not in "ux":
        return _JS_LETTERS.get(escape[1], escape[1])
    digits = escape[2:].strip("{}")
    if "\\" in digits:
        high, low = int(digits[:4], 16), int(digits[6:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
    return _character(int(digits, 16))


def css_escapes(raw: str) -> Iterator[tuple[int, int, str]]:
    """Hexadecimal escapes of style sheets."""
    for match in _CSS_ESCAPES.finditer(raw) if "\\" in raw else ():
        yield *match.span(), _character(int(match.group()[1:], 16))


def _character(code: int) -> str:
    return chr(code) if code < 0xD800 or 0xE000 <= code < 0x110000 else "\ufffd"


def _as_entity(char: str) -> str:
    spelling = _NAMED.get(char) or f"&#{ord(char)};"
    return spelling if html.unescape(spelling) == char else char


def _as_percent(char: str) -> str:
    if char == "&":
        return "&amp;"
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8"))


def _as_js(char: str) -> str:
    data = char.encode("utf-16-be")
    return "".join(f"\\u{data[at : at + 2].hex()}" for at in range(0, len(data), 2))


def _as_css(char: str) -> str:
    return f"\\{ord(char):x} "


_MARKUP = re.compile("[&<>]")
_URL_UNSAFE = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$()*,;=-]")
_CODE_UNSAFE = re.compile(r"[^\w .,:;@()\[\]+*#|~-]")
_CODE = re.compile(r"[\"'`\\<>(){};$\x00-\x1f]")  # would end a string in an event handler or a style
_SPACE = r"\t\n\f\r "


def _ending(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


TEXT = EscapedPlace(entities, _as_entity, _MARKUP, _ending("<[a-z/!?]"))
COMMENT = EscapedPlace(entities, _as_entity, _MARKUP, _ending("--!?>|^-?>"))
SECTION = EscapedPlace(entities, _as_entity, _MARKUP, _ending(r"\]\]>"))
DECLARATION = EscapedPlace(entities, _as_entity, _MARKUP, _ending(r">|^--|^\[cdata\["))
INSTRUCTION = EscapedPlace(entities, _as_entity, _MARKUP, _ending(">"))
NAMELESS_END = EscapedPlace(entities, _as_entity, _MARKUP, _ending(">|^[a-z]"))
DOUBLE = EscapedPlace(attribute_escapes, _as_entity, re.compile('[&%<>"\n\r\t]'), _ending('"'))
SINGLE = EscapedPlace(attribute_escapes, _as_entity, re.compile("[&%<>'\n\r\t]"), _ending("'"))
CODE_DOUBLE = replace(DOUBLE, banned=_CODE)
CODE_SINGLE = replace(SINGLE, banned=_CODE)
URL_DOUBLE = EscapedPlace(url_escapes, _as_percent, _URL_UNSAFE, _ending('"'))
URL_SINGLE = EscapedPlace(url_escapes, _as_percent, _URL_UNSAFE, _ending("'"))
UNQUOTED = Unquoted(DOUBLE)
URL_UNQUOTED = Unquoted(URL_DOUBLE)
CODE_UNQUOTED = Unquoted(CODE_DOUBLE)
TAG_NAME = OwnName(re.compile(rf"[A-Za-z][^{_SPACE}/>]*+"), ELEMENTS, _NOT_IN_NAMES, "x-")
ATTRIBUTE_NAME = OwnName(re.compile(rf"=?[^{_SPACE}/>=]++|="), ATTRIBUTES, _NOT_IN_NAMES, "x-")
BROKEN = Broken()


@cache
def end_of(element: str) -> re.Pattern[str]:
    """What ends an element that holds no tags."""
    return re.compile(rf"</{element}(?=[{_SPACE}/>])", re.IGNORECASE)


@cache
def inside(element: str) -> EscapedPlace:
    """The content of such an element."""
    if element == "script":
        return EscapedPlace(js_escapes, _as_js, _CODE_UNSAFE, end_of(element))
    if element == "style":
        return EscapedPlace(css_escapes, _as_css, _CODE_UNSAFE, end_of(element))
    return EscapedPlace(entities, _as_entity, _MARKUP, end_of(element))
