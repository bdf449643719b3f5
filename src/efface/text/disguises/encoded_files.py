"""Files that a text holds as code: a PDF in base64 in JSON, a picture in hexadecimal in a dump of a database.

What such a file says is compressed or drawn, so no finder reads it and no search sees it.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from string import ascii_letters, digits
from typing import NamedTuple

from efface.text.disguises.compressed_data import is_read_whole
from efface.text.search.search_prefilter import run_of

_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*")
_COMPRESSED = (b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ\0")
_FILES = (
    b"%PDF-",
    b"%!PS",
    b"PK\3\4",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",  # Word, Excel, PowerPoint and Outlook before 2007
    b"{\\rtf",
    b"\x78\x9f\x3e\x22",  # winmail.dat
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"SQLite format 3\0",
    b"RIFF",
    b"ID3\3",
    b"ID3\4",
    b"OggS\0",
    b"fLaC\0",
)
_HEADS = (*_PICTURES, *_COMPRESSED, *_FILES)
_ARCHIVES = (b"PK\3\4", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")
_SHORTEST = 75  # bytes: a shorter file shows no word
_SHORTEST_ARCHIVE = (
    36  # one that is cut short, as at the edge of a page, still gives back how its first file begins
)
_LEAST_SIDE = 8  # pixels of a picture that can hold a letter
_LINE = 40  # letters in the first line of a code
_BLOCK = 1 << 20  # characters that are looked at together
_IN_CODE = run_of(ascii_letters + digits + "+/_-\\%", _LINE)
_BEFORE = "(?<![A-Za-z0-9+/_-])"
# The letters of base64, also as URLs and programs write them; lines of it may be set in.
_LETTER = r"(?:[A-Za-z0-9+/_-]|\\/|%2[BFbf])"
_LINES = (
    rf"{_LETTER}{{{_LINE},}}+(?:(?:\s|\\[nr]|%0[ADad])++{_LETTER}{{16,}}+)*+(?:\s*+{_LETTER}++={{1,2}})?+"
)
_SIGNS = {"/": r"(?:\\?/|_|%2[Ff])", "+": r"(?:\+|-|%2[Bb])"}
_TO_BASE64 = {"\\/": "/", "%2F": "/", "%2B": "+", "_": "/", "-": "+"}
_WRITTEN = re.compile(r"\\/|%2[BF]|[_-]", re.IGNORECASE)
_FRAMES = ("=ybegin ", "begin ", "begin-base64 ", "GIT binary patch", "BinHex 4.0", "-----BEGIN ")
_FRAME = re.compile(
    r"^[ \t>|]{0,12}(?:=ybegin [a-z]|begin(?:-base64)? [0-7]{3,4} [^\s\[]|GIT binary patch|\(This file must be converted with BinHex"
    r"|-----BEGIN (?:PGP MESSAGE|PKCS7|CMS|CERTIFICATE)-----)",
    re.MULTILINE,
)
_NO_LETTERS = re.compile(r"\s|\\[nr]|%0[AD]|=", re.IGNORECASE)


class EncodedFile(NamedTuple):
    """Where the code of a file stands, and whether it is a picture."""

    start: int
    end: int
    is_picture: bool


def encoded_files(text: str) -> Iterator[EncodedFile]:
    """The files in the text that are code, those aside that say nothing or are read with the text."""
    if not _may_hold_code(text):
        return
    for match in _expression().finditer(text):
        data = _decoded(match)
        is_picture = data.startswith(_PICTURES) or data[8:12] == b"WEBP"
        shortest = _SHORTEST_ARCHIVE if data.startswith(_ARCHIVES) else _SHORTEST
        says_nothing = len(data) < shortest or not data.startswith(_HEADS) or _is_tiny(data)
        if not says_nothing and not (data.startswith(_COMPRESSED) and is_read_whole(data)):
            yield EncodedFile(match.start(), match.end(), is_picture)


def framed_files(text: str) -> int:
    """How many files stand in the text between lines that say so: yEnc, uuencode, patches of git, what is encrypted."""
    return len(_FRAME.findall(text)) if any(map(text.__contains__, _FRAMES)) else 0


def _may_hold_code(text: str) -> bool:
    """Whether a line of code may be there. A code that two blocks share is long enough in one of them."""
    blocks = (text[start : start + _BLOCK] for start in range(0, len(text), _BLOCK))
    if not any(_IN_CODE(block, block.encode("utf-8", "surrogatepass")) for block in blocks):
        return False
    return any(map(text.__contains__, _needles()))


@lru_cache(maxsize=1)
def _needles() -> frozenset[str]:
    """Short strings, one of which every encoded file contains. A text without any of them needs no search."""
    in_base64 = (max(re.split("[/+]", _plain_head(head)), key=len) for head in _HEADS)
    in_hexadecimal = (head.hex()[:6] for head in _HEADS)
    return frozenset(chain(in_base64, *((code, code.upper()) for code in in_hexadecimal)))


@lru_cache(maxsize=1)
def _expression() -> re.Pattern[str]:
    """The codes of files, by how they begin."""
    in_base64 = "|".join(map(_base64_head, _HEADS))
    in_hexadecimal = "|".join(head.hex() for head in _HEADS)
    return re.compile(
        rf"{_BEFORE}(?=(?:{in_base64}))(?P<base64>{_LINES})"
        rf"|(?<![0-9A-Fa-f]{{2}})(?P<hexadecimal>(?:{in_hexadecimal}|{in_hexadecimal.upper()})(?:[0-9A-Fa-f]{{2}}\s*+)++)"
    )


def _base64_head(head: bytes) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in _plain_head(head))


def _plain_head(head: bytes) -> str:
    """The beginning of a file in base64, as far as the file's next bytes do not change it."""
    return base64.b64encode(head).decode("ascii")[: len(head) * 8 // 6]


def _decoded(match: re.Match[str]) -> bytes:
    if match["hexadecimal"]:
        return bytes.fromhex(match["hexadecimal"])
    code = _NO_LETTERS.sub("", match["base64"])
    code = _WRITTEN.sub(lambda sign: _TO_BASE64[sign[0].upper()], code)
    return base64.b64decode(code[: len(code) // 4 * 4])


def _is_tiny(data: bytes) -> bool:
    """Whether it is a picture without room for a letter: most are there to count readers."""
    if data.startswith(b"GIF8"):
        sides = struct.unpack_from("<HH", data, 6)
    elif data.startswith(b"\x89PNG"):
        sides = struct.unpack_from(">II", data, 16)
    else:
        return False
    return bool(min(sides) < _LEAST_SIDE)
