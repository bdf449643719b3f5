"""Tokens of a text that say something else when they are decoded: "&#87;hitcombe", "%57hitcombe", "Whit**combe**".

A reader of the page, a browser or a line of code undoes each of these. What such a token says is looked at like the
text itself, and a token with a name in it goes whole.
"""

from __future__ import annotations

import binascii
import html
import quopri
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote

_LONGEST = 4096  # characters of a token that are decoded on each side of the mark of an encoding
_MARKS = re.compile(r"[*_~`]{1,3}")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))")
_TAG_BLOCK = 0xE0000
_NUMBER = re.compile("[0-9]{2,3}")
_FIRST_LETTER = 33  # the code of the first character that shows something
_MIXED = re.compile(r"[a-z][A-Z]|[0-9+/=]")  # words of prose are not decoded as base64
_ENCODINGS = ("utf-8", "cp1252")


@dataclass(frozen=True, slots=True)
class EncodedToken:
    """A stretch of a text, and what it says when decoded."""

    start: int
    end: int
    reading: str


def encoded_tokens(text: str) -> Iterator[EncodedToken]:
    """The tokens of the text that say something else when decoded, each with every reading."""
    for hint, pattern, decode in _CODES:
        if hint and hint not in text:
            continue
        for match in pattern.finditer(text):
            written = match.group()
            for reading in decode(written):
                if reading != written:
                    yield EncodedToken(match.start(), match.end(), reading)


def _unquoted(token: str) -> Iterator[str]:
    for encoding in _ENCODINGS:
        yield unquote(token, encoding, "replace")


def _unescaped_page(token: str) -> Iterator[str]:
    yield html.unescape(token)


def _unescaped_code(token: str) -> Iterator[str]:
    yield _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), token)


def _quoted_printable(token: str) -> Iterator[str]:
    raw = quopri.decodestring(token.encode("utf-8", "replace"))
    for encoding in _ENCODINGS:
        yield raw.decode(encoding, "replace")


def _unmarked(token: str) -> Iterator[str]:
    yield _MARKS.sub("", token)


def _turned(token: str) -> Iterator[str]:
    yield token.strip("\u202c\u202e")[::-1]


def _untagged(token: str) -> Iterator[str]:
    yield "".join(chr(ord(char) - _TAG_BLOCK) for char in token)


def _from_base64(token: str) -> Iterator[str]:
    if _MIXED.search(token) is None:
        return
    run = "".join(token.split()).translate(str.maketrans("-_", "+/", "="))
    rest = len(run) % 4
    padded = run + "=" * (4 - rest) if rest > 1 else run[: len(run) - rest]
    try:
        yield from _texts(binascii.a2b_base64(padded))
    except (binascii.Error, ValueError):
        return


def _from_hexadecimal(token: str) -> Iterator[str]:
    yield from _texts(bytes.fromhex(token[: len(token) // 2 * 2]))


def _from_numbers(token: str) -> Iterator[str]:
    codes = map(int, _NUMBER.findall(token))
    yield "".join(chr(code) if code >= _FIRST_LETTER else " " for code in codes)


def _from_uuencoding(token: str) -> Iterator[str]:
    pieces = []
    for line in token.splitlines()[1:-1]:
        with suppress(binascii.Error):
            pieces.append(binascii.a2b_uu(line))
    yield from _texts(b"".join(pieces))


def _texts(data: bytes) -> Iterator[str]:
    for encoding in _ENCODINGS:
        yield data.decode(encoding, "replace")
    if b"\0" in data:
        yield data.replace(b"\0", b"").decode("utf-8", "replace")


_Decode = Callable[[str], Iterator[str]]
_REST = rf"[^\s<>\"]{{0,{_LONGEST}}}"
# What the text must hold, what a token looks like, and how it is decoded.
_CODES: tuple[tuple[str, re.Pattern[str], _Decode], ...] = (
    ("%", re.compile(rf"(?<![^\s<>\"]){_REST}?%[0-9A-Fa-f]{{2}}{_REST}"), _unquoted),
    ("&", re.compile(rf"(?<![^\s<>\"]){_REST}?&#?[0-9A-Za-z]{{1,32}};{_REST}"), _unescaped_page),
    ("\\", re.compile(rf"(?<![^\s<>\"]){_REST}?{_ESCAPE.pattern}{_REST}"), _unescaped_code),
    ("=", re.compile(rf"(?<![^\s<>\"]){_REST}?=(?:[0-9A-Fa-f]{{2}}|\r?\n){_REST}"), _quoted_printable),
    ("", re.compile(r"(?<![\w*~`])[*_~`]*+[^\W_]++[*_~`]{1,3}+[^\W_][\w*~`]*"), _unmarked),
    ("", re.compile(r"(?<![0-9.])[0-9]{2,3}(?:[,;]? ?[,; \n][0-9]{2,3}){3,2000}(?![0-9.])"), _from_numbers),
    (
        "begin ",
        re.compile(r"begin [0-7]{3,4} [^\r\n]{1,200}(?:\r?\n[ -`]{1,62})+?\r?\nend"),
        _from_uuencoding,
    ),
    ("\u202e", re.compile("\u202e[^\u202c\u202e\n]+\u202c?"), _turned),
    ("", re.compile("[\U000e0020-\U000e007e]+"), _untagged),
    ("", re.compile(r"[A-Za-z0-9+/_-]{7,}+={0,2}"), _from_base64),
    ("\n", re.compile(r"[A-Za-z0-9+/_-]{7,}+(?:\r?\n[A-Za-z0-9+/_-]{2,}+)++={0,2}"), _from_base64),
    ("", re.compile(r"[0-9A-Fa-f]{10,}+"), _from_hexadecimal),
)
