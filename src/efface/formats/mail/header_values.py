"""How text is spelled in the values of header fields: encoded words (RFC 2047), quotes, percent escapes
(RFC 2231). New text never holds a line break, so it cannot add a field.
"""

from __future__ import annotations

import binascii
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from efface.formats.mail.vocabulary import FIELDS, PARAMETERS
from efface.formats.patching.author_names import OwnName
from efface.formats.patching.source_patching import Fits, SlotStretch, SourceOrigin, SourcePiece
from efface.formats.plain.encoding import charset, to_ascii

EOL = r"(?:\r\n?+|\n)"

_WORD = r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?\r\n]*+\?="
_ONE_WORD = re.compile(r"=\?(?P<charset>[^?\s*]{1,40})[^?\s]*+\?(?P<how>[bBqQ])\?(?P<text>[^?\r\n]*+)\?=")
_WORDS_OR_FOLD = rf"(?P<words>{_WORD}(?:[ \t\r\n]++{_WORD})*+)|{EOL}(?=[ \t])"
_ESCAPES = re.compile(_WORDS_OR_FOLD)
_QUOTED_ESCAPES = re.compile(rf"{_WORDS_OR_FOLD}|\\[^\r\n]")
_ID_OWNER = "efface@"
_ID_ESCAPES = re.compile(rf"{_WORDS_OR_FOLD}|(?<=<){_ID_OWNER}(?=\[)")
_PLACEHOLDER_ID = re.compile(r"<(\[[A-Za-z0-9_]+\])>")
_QUOTED = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_BREAKS_OUT = re.compile(rf"{EOL}(?![ \t])")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2})++")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_PLAIN_WORDS = re.compile(r"(?!.*=\?)[ -~]*+")
_PLAIN_PHRASE = re.compile(r"(?!.*=\?)[A-Za-z0-9!#$%&'*+/=?^_`{|}~@. -]*+")
_PLAIN_TOKEN = re.compile(r"(?!.*=\?)[A-Za-z0-9!#$%&'*+^_`{|}~.-]++")
_IN_EXTENDED = frozenset(string.ascii_letters + string.digits + "!#$&+^_`{|}~.-")
_FIELD_NAME = re.compile(r"[!-9;-~]++")
_PARAMETER_NAME = re.compile(r"[^\s=;*\"]++")
_NOT_IN_NAMES = re.compile(r"[^!#-)+-9<>-~]")
_WORD_BYTES = 40  # bytes of text in one encoded word, which may have 75 characters


class EncodedWords:
    """Text in which encoded words may stand."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return None if _BREAKS_OUT.search(raw) else tuple(_value_stretches(raw, 0, len(raw)))

    def clean(self, text: str, fits: Fits) -> str:
        return _CONTROL.sub(" ", text)

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return "".join(
            text if kept or _PLAIN_WORDS.fullmatch(text) else _encoded_words(text)
            for kept, text in _kept_or_new(pieces)
        )


class Addresses(EncodedWords):
    """Mail addresses with the names of their owners. Quotes are structure; new text gets them if it must."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return None if _BREAKS_OUT.search(raw) else tuple(_addresses(raw))

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        quotes = 0
        out: list[str] = []
        for kept, text in _kept_or_new(pieces):
            quotes += len(re.findall(r'(?<!\\)"', text)) if kept else 0
            out.append(text if kept else _phrase(text, quoted=quotes % 2 == 1))
        return "".join(out)


class MessageIds(EncodedWords):
    """The number of a message, or of those before it, in angle brackets.

    A placeholder is written as the domain of an id ("<efface@[EMAIL_ADDRESS_1]>"): parsers of mail expect an id there,
    and some fail at anything else.
    """

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return None if _BREAKS_OUT.search(raw) else tuple(_value_stretches(raw, 0, len(raw), _ID_ESCAPES))

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return _PLACEHOLDER_ID.sub(rf"<{_ID_OWNER}\1>", super().encode(pieces, fits))


class Quoted(EncodedWords):
    """A parameter's value between quotes."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        whole = _QUOTED.fullmatch(f'"{raw}"') and not _BREAKS_OUT.search(raw)
        return tuple(_value_stretches(raw, 0, len(raw), _QUOTED_ESCAPES)) if whole else None

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return "".join(text if kept else _phrase(text, quoted=True) for kept, text in _kept_or_new(pieces))


class HeaderToken(EncodedWords):
    """A parameter's value without quotes; it gets them if its new text must have them."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        if raw.startswith('"'):
            return tuple(_addresses(raw)) if _QUOTED.fullmatch(raw) else None
        return None if re.search(r"[\s;]", raw) else tuple(_value_stretches(raw, 0, len(raw)))

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        if all(kept or _PLAIN_TOKEN.fullmatch(text) for kept, text in _kept_or_new(pieces)):
            return "".join(piece.text for piece in pieces)
        inner = (
            text.replace('"', '\\"') if kept else _phrase(text, quoted=True)
            for kept, text in _kept_or_new(pieces)
        )
        return f'"{"".join(inner)}"'


@dataclass(frozen=True, slots=True)
class Extended:
    """A parameter's value in percent escapes."""

    encoding: str

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return tuple(self._stretches(raw))

    def clean(self, text: str, fits: Fits) -> str:
        text = _CONTROL.sub(" ", text)
        return "".join(char if self._bytes(char) else to_ascii(char) for char in text)

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return "".join(
            piece.text if piece.origin is SourceOrigin.KEPT else self._escaped(piece) for piece in pieces
        )

    def _escaped(self, piece: SourcePiece) -> str:
        plain = _IN_EXTENDED if piece.origin is not SourceOrigin.GUARDED else frozenset()
        return "".join(char if char in plain else self._percent(char) for char in piece.text)

    def _percent(self, char: str) -> str:
        return "".join(f"%{byte:02X}" for byte in self._bytes(char))

    def _bytes(self, char: str) -> bytes:
        return char.encode(self.encoding, "ignore")

    def _stretches(self, raw: str) -> Iterator[SlotStretch]:
        position = 0
        for run in _PERCENT.finditer(raw):
            if run.start() > position:
                yield SlotStretch(position, run.start())
            yield from self._run(run)
            position = run.end()
        if position < len(raw) or not raw:
            yield SlotStretch(position, len(raw))

    def _run(self, run: re.Match[str]) -> Iterator[SlotStretch]:
        """A stretch for each character; what does not decode stays as it is."""
        start, end = run.span()
        try:
            text = bytes.fromhex(run.group().replace("%", "")).decode(self.encoding)
        except UnicodeDecodeError:
            yield SlotStretch(start, end)
            return
        widths = [3 * len(self._bytes(char)) for char in text]
        if sum(widths) != end - start:  # an encoding whose characters depend on those before them
            yield SlotStretch(start, end, text)
            return
        for char, width in zip(text, widths, strict=True):
            yield SlotStretch(start, start + width, char)
            start += width


@dataclass(frozen=True, slots=True)
class Boundary:
    """The line that separates the parts of a message. Any edit replaces it by a fresh one."""

    fresh: str

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return (SlotStretch(0, len(raw)),)

    def clean(self, text: str, fits: Fits) -> str:
        return ""

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return self.fresh


WORDS = EncodedWords()
ADDRESSES = Addresses()
MESSAGE_IDS = MessageIds()
QUOTED = Quoted()
TOKEN = HeaderToken()
FIELD_NAME = OwnName(_FIELD_NAME, FIELDS, _NOT_IN_NAMES, "X-")
PARAMETER_NAME = OwnName(_PARAMETER_NAME, PARAMETERS, _NOT_IN_NAMES, "X-")


def _kept_or_new(pieces: Sequence[SourcePiece]) -> Iterator[tuple[bool, str]]:
    """Neighbouring pieces joined, if they are all kept or all new."""
    for kept, group in groupby(pieces, key=lambda piece: piece.origin is SourceOrigin.KEPT):
        yield kept, "".join(piece.text for piece in group)


def _phrase(text: str, *, quoted: bool) -> str:
    """New text among addresses: as it is if it may stand so, else quoted, else as encoded words."""
    if not quoted and _PLAIN_PHRASE.fullmatch(text):
        return text
    if _PLAIN_WORDS.fullmatch(text):
        escaped = re.sub(r'[\\"]', r"\\\g<0>", text)
        return escaped if quoted else f'"{escaped}"'
    return _encoded_words(text)


def _encoded_words(text: str) -> str:
    words: list[bytes] = [b""]
    for char in text:
        data = char.encode("utf-8")
        if len(words[-1]) + len(data) > _WORD_BYTES:
            words.append(b"")
        words[-1] += data
    coded = (binascii.b2a_base64(word, newline=False).decode("ascii") for word in words)
    return " ".join(f"=?utf-8?b?{word}?=" for word in coded)


def _addresses(raw: str) -> Iterator[SlotStretch]:
    position = 0
    for match in _QUOTED.finditer(raw):
        start, end = match.span()
        if start > position:
            yield from _value_stretches(raw, position, start)
        yield SlotStretch(start, start + 1, "", fixed=True)
        yield from _value_stretches(raw, start + 1, end - 1, _QUOTED_ESCAPES)
        yield SlotStretch(end - 1, end, "", fixed=True)
        position = end
    yield from _value_stretches(raw, position, len(raw))


def _value_stretches(
    raw: str, start: int, end: int, escapes: re.Pattern[str] = _ESCAPES
) -> Iterator[SlotStretch]:
    """The stretches of a value: encoded words resolved, folds left out, and in quotes the backslashes."""
    position = start
    for match in escapes.finditer(raw, start, end):
        text = _decoded_words(match["words"]) if match["words"] else ""
        if text is None:
            continue
        if raw[match.start()] == "\\":
            text = raw[match.start() + 1]
        if match.start() > position:
            yield SlotStretch(position, match.start())
        yield SlotStretch(*match.span(), text)
        position = match.end()
    if position < end or start == end:
        yield SlotStretch(position, end)


def _decoded_words(words: str) -> str | None:
    """Neighbouring words of one charset may share a character, so their bytes are joined first."""
    texts: list[str] = []
    for name, group in groupby(_ONE_WORD.finditer(words), key=lambda match: match["charset"].lower()):
        data = [_word_bytes(match["how"].lower(), match["text"]) for match in group]
        if any(piece is None for piece in data):
            return None
        texts.append(_decoded(b"".join(piece for piece in data if piece), name))
    return "".join(texts)


def _word_bytes(how: str, text: str) -> bytes | None:
    raw = text.encode("utf-8")
    try:
        if how == "q":
            return binascii.a2b_qp(raw, header=True)
        return binascii.a2b_base64(raw + b"=" * (-len(raw) % 4))
    except binascii.Error:
        return None


def _decoded(data: bytes, name: str) -> str:
    encoding = charset(name) or "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("latin-1")
