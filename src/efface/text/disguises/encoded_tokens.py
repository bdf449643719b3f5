"""Tokens of a text that decode to another text: "&#87;hitcombe", "%57hitcombe", "Whit**combe**".

A reader of the page, a browser or a line of code undoes each of these. What such a token says is looked at like the
text itself, and a token with a name in it goes whole.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits
from urllib.parse import unquote

from efface.core import NOTHING, Span, SpanSet
from efface.text.disguises.code_units import with_pairs_joined
from efface.text.disguises.rare_codes import RARE_CODES
from efface.text.disguises.token_code import ENCODINGS, Code, Decode, texts
from efface.text.search.search_prefilter import (
    DIGIT,
    NOT_ASCII,
    Prefilter,
    either,
    holds,
    in_kinds,
    matches,
    run_of,
)

_LONGEST = 4096  # characters of a token that are decoded on each side of the mark of an encoding
_MARKS = re.compile(r"[*_~`]{1,3}")
_DEEPER = 2  # times that what was decoded is decoded again: "%2557", a page in base64
_ESCAPE = re.compile(
    r"\\(?:(?:(?:[ux]\{|N\{U\+)([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|U00([0-9A-Fa-f]{6})|x([0-9A-Fa-f]{2}))"
    r"|(?:o\{([0-7]{1,7})\}|([0-3][0-7]{2})))"
)
_OLD_ESCAPE = re.compile("%u([0-9A-Fa-f]{4})")  # as old pages write a letter in a URL
_STYLE_ESCAPE = re.compile(r"\\(0?[0-9A-Fa-f]{1,5}) ?")  # an escape of style sheets: "\57 hitcombe"
# Marks that a page does not show. Cells and paragraphs are not among them: these part words.
_TAG = re.compile(
    r"<(?:/?(?:a|abbr|b|bdi|bdo|big|code|del|em|font|i|ins|kbd|mark|nobr|q|s|small|span|strike|strong|sub|sup|tspan|tt|u|wbr)"
    r"(?:\s[^<>]{0,400}|/)?|!--[^>]{0,400}--)>",
    re.IGNORECASE,
)
# Also the mark of a footnote: "Whit[^1]combe", "Whit[1]combe".
_FORUM_TAG = re.compile(
    r"\[(?:/?(?:b|color|font|i|s|size|u|url)(?:=[^\[\]]{0,100})?|\^[^\[\]\s]{1,40}|[0-9]{1,3})\]",
    re.IGNORECASE,
)
# A link of Markdown, which a page shows as its words: "[Whit](https://example.org)combe".
_LINKED, _TARGET = r"[^\[\]\n]{1,200}", r"(?:\([^()\n]{0,400}\)|\[[^\[\]\n]{0,100}\])"
_LINK, _WHOLE_LINK = re.compile(rf"!?\[({_LINKED})\]{_TARGET}"), rf"!?\[{_LINKED}\]{_TARGET}"
# "Whit" + "combe" in a program, "Whit"_x"combe" and "Whit"[Red]"combe" in a format of numbers.
_BETWEEN_STRINGS = re.compile(r"[\"'][ \t]*(?:\+|\|\||&|\.|[_*][^\s\"']|\[\w{1,12}\])?[ \t]*[\"']")
_NOISE = re.compile("[^\t\n\r -~\u00a0-\ufffc]")
_HEX_PAIR = re.compile(r"[0-9A-Fa-f]{2}(?![0-9A-Fa-f])")
_SOFT_BREAK = re.compile("=\r?\n")
_BYTE = re.compile("[01]{7,8}")  # of ASCII seven bits are enough
_TAG_BLOCK = 0xE0000  # where Unicode's tag characters begin, each 0xE0000 above its ASCII twin
_OVERRIDE = "\u202e"  # behind this sign letters are shown from right to left
_OVERRIDES = f"\u202c{_OVERRIDE}"  # the other one ends it
_NUMBER = re.compile("[0-9]{2,3}")
_OCTAL = re.compile("[0-3]?[0-7]{2}")
_FIRST_LETTER = 33  # the code of the first character that shows something
_MIXED = re.compile(r"[a-z][A-Z]|[0-9+/=]")  # words of prose are not decoded as base64
_LETTER = re.compile("[A-Za-z]")  # letters give some in base64: a telephone number is not decoded
_KEPT = 256  # characters of a token whose readings are kept
_KEPT_TEXT = 1 << 14  # characters of a text whose tokens are kept


@dataclass(frozen=True, slots=True)
class EncodedToken:
    """A stretch of a text, and the text that it decodes to."""

    start: int
    end: int
    reading: str

    def place_of(self, text: str, start: int, end: int) -> Span:
        """Where the text says what the reading says from `start` to `end`.

        Letters in the other order have a place each: an override turns all the rest of its line. Of other codes
        the whole token says it.
        """
        written = text[self.start : self.end]
        letters = written.strip(_OVERRIDES)
        if not written.startswith(_OVERRIDE) or self.reading != letters[::-1]:
            return Span(self.start, self.end)
        last = self.start + written.index(letters) + len(letters)
        return Span(last - end, last - start)


def encoded_tokens(text: str, cut: SpanSet = NOTHING) -> Iterator[EncodedToken]:
    """The tokens of the text that say something else when decoded, each with every reading; none inside of `cut`."""
    for code, start, end in _kept_places(text) if len(text) <= _KEPT_TEXT else _encoded_places(text):
        if cut.covers(start, end):
            continue
        readings = _kept_readings if end - start <= _KEPT else _readings
        for reading in readings(code, text[start:end]):
            yield EncodedToken(start, end, reading)


def _encoded_places(text: str) -> Iterator[tuple[Code, int, int]]:
    """Where tokens of each code are."""
    for code in _CODES.worth_trying(text):
        for match in code.pattern.finditer(text):
            yield code, match.start(), match.end()


@lru_cache(maxsize=8)  # finders and the spreading of cuts look at the same few texts one after another
def _kept_places(text: str) -> tuple[tuple[Code, int, int], ...]:
    return tuple(_encoded_places(text))


def _readings(code: Code, written: str) -> tuple[str, ...]:
    """What a token says, and what tokens of that say."""
    found: list[str] = []
    ends_run = _SOFT_BREAK.search(written) is not None  # the end of a run of base64, and another word
    for reading in _decoded(code, written):
        found.append(reading)
        if not ends_run:
            found += _decoded_again(reading, _DEEPER)
    return tuple(found)


_kept_readings = lru_cache(maxsize=1024)(_readings)  # one round after another reads the same tokens


def _decoded_again(reading: str, deeper: int) -> Iterator[str]:
    """What tokens of a decoded token say. Noise is not decoded: it says nothing."""
    if not deeper or len(_NOISE.findall(reading)) * 8 > len(reading):
        return
    for code in _CODES.worth_trying(reading):
        for match in code.pattern.finditer(reading):
            for inner in _decoded(code, match.group()):
                yield inner
                yield from _decoded_again(inner, deeper - 1)


def _decoded(code: Code, written: str) -> Iterator[str]:
    """What a token of this code says, where that is something else."""
    return (reading for reading in dict.fromkeys(code.decode(written)) if reading != written)


def _unquoted(token: str) -> Iterator[str]:
    token = _OLD_ESCAPE.sub(lambda found: chr(int(found[1], 16)), token)
    for encoding in ENCODINGS:
        yield unquote(token, encoding, "replace")


def _unescaped_page(token: str) -> Iterator[str]:
    yield html.unescape(token)


def _unescaped_code(token: str) -> Iterator[str]:
    yield with_pairs_joined(_ESCAPE.sub(_escaped_letter, token))


def _escaped_letter(found: re.Match[str]) -> str:
    octal = found[5] or found[6]
    code = int(octal, 8) if octal else int(found[found.lastindex or 0], 16)
    return chr(code) if code <= sys.maxunicode else found[0]


def _unescaped_style(token: str) -> Iterator[str]:
    yield _STYLE_ESCAPE.sub(lambda found: chr(int(found[1], 16)), token)


def _unhyphenated(token: str) -> Iterator[str]:
    yield token.replace("\\-", "")


def _joined_strings(token: str) -> Iterator[str]:
    yield _BETWEEN_STRINGS.sub("", token)


def _untagged_page(token: str) -> Iterator[str]:
    yield _FORUM_TAG.sub("", _TAG.sub("", token))


def _unlinked(token: str) -> Iterator[str]:
    yield _LINK.sub(r"\1", token)


def _from_utf_7(token: str) -> Iterator[str]:
    with suppress(UnicodeError):
        yield token.encode("ascii").decode("utf-7")


def _quoted_printable(token: str) -> Iterator[str]:
    raw = quopri.decodestring(token.encode("utf-8", "replace"))
    for encoding in ENCODINGS:
        yield raw.decode(encoding, "replace")


def _unmarked(token: str) -> Iterator[str]:
    yield _MARKS.sub("", token)


def _reversed_token(token: str) -> Iterator[str]:
    yield token.strip(_OVERRIDES)[::-1]


def _untagged(token: str) -> Iterator[str]:
    yield "".join(chr(ord(char) - _TAG_BLOCK) for char in token)


def _from_base64(token: str) -> Iterator[str]:
    if _MIXED.search(token) is None or _LETTER.search(token) is None:
        return
    run = "".join(token.split()).translate(str.maketrans("-_", "+/", "="))
    rest = len(run) % 4
    padded = run + "=" * (4 - rest) if rest > 1 else run[: len(run) - rest]
    try:
        yield from texts(binascii.a2b_base64(padded))
    except (binascii.Error, ValueError):
        return


def _from_hexadecimal(token: str) -> Iterator[str]:
    yield from texts(bytes.fromhex(token[: len(token) // 2 * 2]))


def _from_numbers(token: str) -> Iterator[str]:
    numbers = _NUMBER.findall(token)
    yield "".join(chr(code) if code >= _FIRST_LETTER else " " for code in map(int, numbers))
    if all(map(_OCTAL.fullmatch, numbers)):
        yield from texts(bytes(int(number, 8) for number in numbers))


def _from_hexadecimal_pairs(token: str) -> Iterator[str]:
    yield from texts(bytes.fromhex("".join(_HEX_PAIR.findall(token))))


def _from_binary(token: str) -> Iterator[str]:
    yield from texts(bytes(int(byte, 2) for byte in _BYTE.findall(token)))


def _from_base32(token: str) -> Iterator[str]:
    run = token.rstrip("=")
    if run.isalpha():  # a word in capitals
        return
    with suppress(binascii.Error):
        yield from texts(base64.b32decode(run + "=" * (-len(run) % 8)))


def _from_uuencoding(token: str) -> Iterator[str]:
    pieces = []
    for line in token.splitlines()[1:-1]:
        with suppress(binascii.Error):
            pieces.append(binascii.a2b_uu(line))
    yield from texts(b"".join(pieces))


_REST = rf"[^\s<>\"]{{0,{_LONGEST}}}"
_ENTITY = r"&#[0-9]{2,7};?|&#[xX][0-9A-Fa-f]{2,6};?|&[0-9A-Za-z]{2,32};"
_CHARACTER = r"(?:n?char|chr|unichar)w?\([0-9]{2,3}\)"  # a character as formulas and queries write it
_PREFIX = r"(?:0[xX]|U\+00|u00|\\x|&H|#)?"  # what stands before a hexadecimal code
_BASE64 = ascii_letters + digits + "+/_-"
# A run of base64 that is no word and no number: `_MIXED` and `_LETTER` say what those have not.
_BLOB = (
    r"(?<![A-Za-z0-9+/_-])(?![A-Z]?[a-z]*+(?![A-Za-z0-9+/=_-]))"  # most words, and fast to tell
    r"(?!(?:[A-Z_-]++|[a-z]++(?![A-Z]))*+(?![A-Za-z0-9+/=_-]))"
    r"(?=[0-9+/_-]*+[A-Za-z])[A-Za-z0-9+/_-]{7,}+={0,2}"
)
# What tells a blob from words: a capital behind a small letter, a digit or sign beside a letter, the "=" behind its end.
_MAY_BE_BLOB = in_kinds(
    {ascii_lowercase: "a", ascii_uppercase: "A", digits + "+/": "0", "=": "="},
    *("aA", "a0", "A0", "0a", "0A", "a=", "A="),
    without="-_",
)


def _code_around_mark(mark: str, decode: Decode, marks: str) -> Code:
    """The tokens that have a mark of the encoding somewhere in them."""
    pattern = re.compile(rf"(?<![^\s<>\"]){_REST}?(?:{mark}){_REST}")
    return Code(pattern, decode, marks, matches(re.compile(mark)))


def _with_marks(mark: re.Pattern[str], marks: str) -> Code:
    """Words with marks inside of them that a page does not show."""
    word = rf"[^\s<>\[\]]{{1,{_LONGEST}}}+"
    pattern = rf"(?<![^\s<>\[\]]){word}(?:(?:{mark.pattern})++{word})+"
    return Code(re.compile(pattern, re.IGNORECASE), _untagged_page, marks, matches(mark))


_CODES = Prefilter(
    (
        _code_around_mark("%(?:[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})", _unquoted, "%"),
        _code_around_mark(_ENTITY, _unescaped_page, "&"),
        _code_around_mark(_ESCAPE.pattern, _unescaped_code, "\\"),
        Code(
            re.compile(rf"(?<![^\s<>\"\\])(?:[^\s<>\"\\]{{0,{_LONGEST}}}+{_STYLE_ESCAPE.pattern})+{_REST}"),
            _unescaped_style,
            "\\",
            matches(_STYLE_ESCAPE),
        ),
        _code_around_mark(r"\\-", _unhyphenated, "\\"),
        Code(
            re.compile(rf"(?<!\w)\w++(?:{_BETWEEN_STRINGS.pattern}\w++)+"),
            _joined_strings,
            "\"'",
            matches(_BETWEEN_STRINGS),
        ),
        _with_marks(_TAG, "<"),
        _with_marks(_FORUM_TAG, "["),
        Code(
            re.compile(
                rf"(?<![\w\])])(?:\w++(?:{_WHOLE_LINK}\w*+)++|(?:{_WHOLE_LINK})++\w++(?:{_WHOLE_LINK}\w*+)*+)"
            ),
            _unlinked,
            "[",
            holds("](", "]["),
        ),
        _code_around_mark(r"\+[A-Za-z0-9/]{2,1000}+-", _from_utf_7, "+"),
        _code_around_mark(r"=(?:[0-9A-Fa-f]{2}|\r?\n)", _quoted_printable, "="),
        Code(
            re.compile(r"(?<![\w*~`])[*_~`]*+[^\W_]++[*_~`]{1,3}+[^\W_][\w*~`]*"),
            _unmarked,
            "*_~`",
            matches(re.compile(r"[*_~`](?<=[^\W_].)[*_~`]{0,2}+[^\W_]")),
        ),
        Code(
            re.compile(r"[0-9](?<![0-9.].)[0-9]{1,2}(?:[,;]? ?[,; \n][0-9]{2,3}){3,2000}(?![0-9.])"),
            _from_numbers,
            DIGIT,
            in_kinds({digits: "d", ",; \n": "s"}, "sdds", "sddds"),  # the second of four numbers
        ),
        Code(
            re.compile(r"[0-9](?<![0-9.].)[0-9]{1,2}([\t_/|:-])[0-9]{2,3}(?:\1[0-9]{2,3}){2,2000}(?![0-9.])"),
            _from_numbers,
            DIGIT,
            in_kinds({digits: "d", "\t_/|:-": "s"}, "sdds", "sddds"),
        ),
        Code(
            re.compile(
                rf"(?<![0-9A-Za-z]){_PREFIX}[0-9A-Fa-f]{{2}}"
                rf"(?:[ ,;:-]{{1,2}}{_PREFIX}[0-9A-Fa-f]{{2}}){{3,2000}}(?![0-9A-Za-z])"
            ),
            _from_hexadecimal_pairs,
            sign=either(  # the second and the third of four pairs, or a prefix
                in_kinds({hexdigits: "h", " ,;:-": "s"}, "shhshhs", "shhsshhs"),
                holds("0x", "0X", "U+00", "u00", "\\x", "&H", "#"),
            ),
        ),
        Code(
            re.compile(rf"{_CHARACTER}(?:[ +&.|,]{{1,4}}{_CHARACTER}){{3,}}", re.IGNORECASE),
            _from_numbers,
            "(",
            in_kinds({digits: "d", "(": "(", ")": ")"}, "(dd)", "(ddd)"),
        ),
        Code(
            re.compile(
                r"[01](?<![0-9].)(?:[01]{7}(?: ?[01]{8}){3,2000}|[01]{6}(?: [01]{7}){3,2000})(?![0-9])"
            ),
            _from_binary,
            DIGIT,
            run_of("01", 7),
        ),
        Code(
            re.compile(r"begin [0-7]{3,4} [^\r\n]{1,200}(?:\r?\n[ -`]{1,62})+?\r?\nend"),
            _from_uuencoding,
            "\n",
            holds("begin "),
        ),
        Code(re.compile("\u202e[^\u202c\u202e\n]+\u202c?"), _reversed_token, NOT_ASCII, holds("\u202e")),
        Code(re.compile("[\U000e0020-\U000e007e]+"), _untagged, NOT_ASCII),
        Code(re.compile(_BLOB), _from_base64, sign=_MAY_BE_BLOB),
        Code(
            re.compile(r"[A-Za-z0-9+/_-]{7,}+(?:\r?\n[A-Za-z0-9+/_-]{2,}+)++={0,2}"),
            _from_base64,
            "\n",
            in_kinds({_BASE64: "b", "\r": "r", "\n": "n"}, f"{'b' * 7}nbb", f"{'b' * 7}rnbb"),
        ),
        Code(
            re.compile(r"(?<![A-Za-z0-9])[A-Z2-7]{8,}+={0,6}(?![A-Za-z0-9])"),
            _from_base32,
            DIGIT,  # without a digit it is a word in capitals
            run_of(ascii_uppercase + "234567", 8),
        ),
        Code(re.compile(r"[0-9A-Fa-f]{10,}+"), _from_hexadecimal, sign=run_of(hexdigits, 10)),
        *RARE_CODES,
    )
)
