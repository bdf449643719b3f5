"""Bytes to characters and back, so that every byte outside an edit returns as it was.

A byte-order mark decides; else the encoding that the file declares; else UTF-8, UTF-16 without a mark when
that is plain, and Windows' Western encoding (a superset of Latin-1). A byte that the encoding does not allow
is shown as the character it would be in Windows' Western encoding, and remembered by its position.
"""

from __future__ import annotations

import codecs
import io
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from efface.errors import InputError

_MARKS = (  # the longer first: UTF-32's mark begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNIT = {"utf-8": 1, "utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
# Declared names (as Python normalises them) and the encodings that readers really use for them.
_SINGLE_BYTE = frozenset(
    "cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp437 cp850 cp852 cp866 cp874 "
    "iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 "
    "iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic tis-620".split()
)
_MULTI_BYTE = frozenset("gbk gb18030 big5 big5hkscs euc_jp euc_kr shift_jis cp932 cp949 iso2022_jp".split())
_WIDENED = {"iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "gb2312": "gbk"}
_UNKNOWN = frozenset(["", "unknown-8bit", "x-unknown", "unknown", "binary", "default", "8bit", "7bit"])
_BINARY = (  # how files begin that are no text, whatever they are named
    *(b"%PDF-", b"{\\rtf", b"PK\x03\x04", b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!"),
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"RIFF", b"OggS", b"ID3"),
    *(b"\x7fELF", b"\xd0\xcf\x11\xe0", b"SQLite format 3\0"),
)
_BLOCK = 1 << 18  # characters that are encoded at once
_CONTROLS = bytes({*range(32), 127} - {9, 10, 11, 12, 13, 27})
_LONE = re.compile("[\ud800-\udfff]")
_JAPANESE = (b"\x1b$B", b"\x1b$@")  # how ISO-2022-JP, all of ASCII bytes, begins its own letters
_OTHER_SHIFTS = (b"\x1b$)", b"\x1b$*", b"\x1b$A", b"\x1b$(")  # its relatives', which are not read
# Letters beyond ASCII stand alone or in pairs in Western words. Of four together the text is in another encoding.
_RUN = re.compile(rb"[\x80-\xff]{4,}")
_ASCII = bytes(range(128))
_SIGNS = (
    b"\x82\x84\x85\x8b\x91\x92\x93\x94\x95\x96\x97\x9b\xa0\xa1\xab\xad\xb7\xbb\xbf"  # quotes, dashes, blanks
)
_FOREIGN_SHARE = 0.2  # of the bytes beyond ASCII
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_ASCII_FORMS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d"}
    | {"ł": "l", "Ł": "L", "þ": "th", "Þ": "Th", "ı": "i", "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"'}
    | {"„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "€": "EUR", "£": "GBP", "×": "x", "·": "."}
)


class Patch(NamedTuple):
    """New characters for the stretch `[start, end)` of a decoded source."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's characters, and all that is needed to make the same bytes of them again."""

    text: str
    encoding: str
    mark: bytes = b""
    odd: Sequence[int] = field(default=(), repr=False)  # characters in place of bytes that do not decode
    raw: bytes = field(default=b"", repr=False)  # those bytes, one encoding unit each

    def fits(self, text: str) -> bool:
        """Whether the encoding can express the text."""
        if self.encoding in _UNIT or text.isascii():
            return True
        try:
            _encode(text, self.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def splice(self, patches: Iterable[Patch]) -> bytes:
        """The file with the patches (sorted, disjoint) in place of their stretches."""
        is_small = len(self.text) <= _BLOCK and not self.odd
        if is_small or self.encoding == "iso2022_jp":  # its escape sequences span characters
            return self.mark + _encode("".join(self._spliced(patches)), self.encoding)
        out = io.BytesIO()
        out.write(self.mark)
        position = 0
        for patch in patches:
            self._copy(out, position, patch.start)
            out.write(_encode(patch.text, self.encoding))
            position = patch.end
        self._copy(out, position, len(self.text))
        return out.getvalue()

    def _spliced(self, patches: Iterable[Patch]) -> Iterable[str]:
        position = 0
        for patch in patches:
            yield self.text[position : patch.start]
            yield patch.text
            position = patch.end
        yield self.text[position:]

    def _copy(self, out: io.BytesIO, start: int, end: int) -> None:
        """Writes a stretch as it was."""
        unit = _UNIT.get(self.encoding, 1)
        for index in range(bisect_left(self.odd, start), bisect_left(self.odd, end)):
            self._copy_even(out, start, self.odd[index])
            out.write(self.raw[index * unit : (index + 1) * unit])
            start = self.odd[index] + 1
        self._copy_even(out, start, end)

    def _copy_even(self, out: io.BytesIO, start: int, end: int) -> None:
        for low in range(start, end, _BLOCK):  # it may be all of a large file
            out.write(_encode(self.text[low : min(end, low + _BLOCK)], self.encoding))


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """The characters of a text file. Raises InputError for what is no text or is cut off."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _unicode(data[len(mark) :], encoding, mark)
    encoding = charset(declared) if declared is not None else ""
    if not encoding and any(map(data.__contains__, _JAPANESE)):
        return _multi_byte(data, "iso2022_jp")
    if not encoding and (wide := _wide(data)):
        return _unicode(data, wide)
    refuse_binary(data)
    if encoding in _UNIT and encoding != "utf-8":
        return _unicode(data, encoding)
    if not encoding and any(map(data.__contains__, _OTHER_SHIFTS)):
        raise _unknown_encoding()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _not_utf8(data, encoding)
    _refuse_controls(data, share=0.3)
    if not text.isascii():  # no other encoding looks like UTF-8 by chance, whatever was declared
        return Decoded(text, "utf-8")
    return _multi_byte(data, encoding) if encoding in _MULTI_BYTE else Decoded(text, encoding or "utf-8")


def charset(declared: str) -> str:
    """The encoding that a declared name means, "" when it says nothing. Raises InputError if unknown."""
    if declared.strip().lower() in _UNKNOWN:
        return ""
    try:
        name = codecs.lookup(declared.strip()).name
    except (LookupError, ValueError):
        name = ""
    name = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", **_WIDENED}.get(name, name)
    if name in _UNIT or name in _SINGLE_BYTE or name in _MULTI_BYTE or name == "ascii":
        return name
    raise InputError("The file declares a character encoding that efface cannot read.", "Save it as UTF-8.")


def is_ascii_compatible(declared: str) -> bool:
    """Whether ASCII bytes are ASCII characters in the declared encoding."""
    encoding = charset(declared)
    return encoding in ("", "ascii", "utf-8") or encoding in _SINGLE_BYTE


def refuse_binary(data: bytes) -> None:
    """InputError for files that begin like something else than text."""
    if data.startswith(_BINARY):
        raise _no_text()


def to_ascii(text: str) -> str:
    """The nearest ASCII spelling; `_` where there is none."""
    flat = unicodedata.normalize("NFKD", text.translate(_ASCII_FORMS)).translate(_ASCII_FORMS)
    return "".join(c if c.isascii() else "_" for c in flat if not unicodedata.combining(c))


def _no_text() -> InputError:
    return InputError("This is not a text file.", "Give the file its right ending, or convert it to text.")


def _unknown_encoding() -> InputError:
    return InputError(
        "The text does not say its character encoding, and it is neither Unicode nor Western.",
        "Save it as UTF-8.",
    )


def _wide(data: bytes) -> str:
    """UTF-16 without a mark, when every other byte of the beginning is nearly always zero; else ""."""
    head = data[:4096]
    pairs = len(head) // 2
    low, high = head[0::2].count(0), head[1::2].count(0)
    if pairs < 8 or max(low, high) * 5 < pairs * 2 or min(low, high) * 20 > pairs:
        return ""
    return "utf-16-le" if high > low else "utf-16-be"


def _unicode(data: bytes, encoding: str, mark: bytes = b"") -> Decoded:
    """One of the Unicode encodings; a unit that does not decode becomes an odd character."""
    unit = _UNIT[encoding]
    if len(data) % unit:
        raise _cut_off(encoding)
    try:
        return Decoded(data.decode(encoding), encoding, mark)
    except UnicodeDecodeError as error:
        if unit == 4:
            raise InputError(f"This is not valid {encoding[:6].upper()} text.", "Save it as UTF-8.") from None
        if unit == 2 and error.reason == "unexpected end of data":
            raise _cut_off(encoding) from None
    return _odd_utf8(data, mark) if unit == 1 else _odd_utf16(data, encoding, mark)


def _cut_off(encoding: str) -> InputError:
    name = encoding[:6].upper()
    return InputError(f"The file is cut off: its {name} text ends within a character.", "Get it again.")


def _odd_utf8(data: bytes, mark: bytes = b"") -> Decoded:
    loose = data.decode("utf-8", "surrogateescape")
    odd = array("Q", (match.start() for match in _LONE.finditer(loose)))
    raw = bytes(ord(loose[at]) - 0xDC00 for at in odd)
    table = _table("cp1252")
    shown = loose.translate({0xDC00 + byte: table[byte] for byte in range(0x80, 0x100)})
    return Decoded(shown, "utf-8", mark, odd, raw)


def _odd_utf16(data: bytes, encoding: str, mark: bytes) -> Decoded:
    loose = data.decode(encoding, "surrogatepass")
    odd = array("Q", (match.start() for match in _LONE.finditer(loose)))
    raw = b"".join(loose[at].encode(encoding, "surrogatepass") for at in odd)
    return Decoded(_LONE.sub("\ufffd", loose), encoding, mark, odd, raw)


def _not_utf8(data: bytes, encoding: str) -> Decoded:
    """What the declaration says, or UTF-8 with some bytes astray, or Windows' Western encoding."""
    if encoding in _SINGLE_BYTE:
        _refuse_controls(data, share=0.04)
        return Decoded(_decode(data, encoding), encoding)
    if encoding in _MULTI_BYTE:
        return _multi_byte(data, encoding)
    _refuse_controls(data, share=0.04)
    if encoding == "utf-8" or _mostly_utf8(data):
        return _odd_utf8(data)
    if not encoding:
        _refuse_unknown(data)
    return Decoded(_decode(data, "cp1252"), "cp1252")


def _refuse_unknown(data: bytes) -> None:
    """InputError for bytes that are no Western text: read as one, a name in Russian or Japanese is seen by no finder."""
    beyond = len(data) - len(data.translate(None, delete=_ASCII))
    foreign = sum(len(run) for run in _RUN.findall(data) if _is_word(run))
    if foreign > _FOREIGN_SHARE * beyond:
        raise _unknown_encoding()


def _is_word(run: bytes) -> bool:
    """Whether bytes beyond ASCII are letters in their variety: no row of dashes, no frame, no closing quotes."""
    counts = Counter(run.translate(None, delete=_SIGNS))
    return len(counts) > 2 and max(counts.values()) * 2 <= len(run)


def _mostly_utf8(data: bytes) -> bool:
    loose = data.decode("utf-8", "surrogateescape")
    astray = sum(1 for _ in _LONE.finditer(loose))
    return sum(1 for _ in _BEYOND_ASCII.finditer(loose)) >= 2 * astray  # those astray are counted twice


def _multi_byte(data: bytes, encoding: str) -> Decoded:
    """A legacy encoding of several bytes a character, accepted only if it can be made again exactly."""
    try:
        text = data.decode(encoding)
        if text.encode(encoding) == data:
            return Decoded(text, encoding)
    except UnicodeError:
        pass
    raise InputError("The file is not what its declared encoding says.", "Save it as UTF-8.")


def _refuse_controls(data: bytes, share: float) -> None:
    blocks = (data[low : low + _BLOCK] for low in range(0, len(data), _BLOCK))
    controls = sum(len(block) - len(block.translate(None, delete=_CONTROLS)) for block in blocks)
    if controls > 2 and controls > share * len(data):
        raise _no_text()


@cache
def _table(encoding: str) -> str:
    """The 256 characters of a single-byte encoding; unused bytes get characters of their own."""
    known = [bytes([byte]).decode(encoding, "ignore") for byte in range(256)]
    spare = (chr(byte) if chr(byte) not in known else chr(0xF700 + byte) for byte in range(256))
    return "".join(char or own for char, own in zip(known, spare, strict=True))


@cache
def _mapping(encoding: str) -> Any:  # an opaque table of the codecs module
    return codecs.charmap_build(_table(encoding))


def _decode(data: bytes, encoding: str) -> str:
    return codecs.charmap_decode(data, "strict", _table(encoding))[0]


def _encode(text: str, encoding: str) -> bytes:
    if encoding in _SINGLE_BYTE:
        return codecs.charmap_encode(text, "strict", _mapping(encoding))[0]
    return text.encode(encoding)
