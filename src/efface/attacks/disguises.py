"""What a text becomes under each decoding that a reader may try: URLs, entities, base64, escapes, emphasis."""

from __future__ import annotations

import binascii
import contextlib
import html
import quopri
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from string import digits, hexdigits
from urllib.parse import unquote

from efface.attacks import rare_disguises as rare
from efface.text.disguises.code_units import with_pairs_joined
from efface.text.disguises.compressed_data import unpacked
from efface.text.search.search_prefilter import (
    DIGIT,
    NOT_ASCII,
    Prefilter,
    Sign,
    always,
    both,
    either,
    holds,
    in_kinds,
    matches,
    run_of,
)

DISGUISE_MINIMUM = 5  # letters: a shorter string turns up in decoded noise by chance
_BLOCK = 1 << 20  # characters of a text whose runs are listed at once
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{7,}={0,2}")
_WRAPPED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{7,}+(?:\r?\n[A-Za-z0-9+/_-]{2,}+)+={0,2}")
_QUOTED = re.compile(r"(?:=[0-9A-Fa-f]{2}|=\r?\n)+")
_ESCAPED = re.compile(
    r"\\(?:[ux]\{([0-9A-Fa-f]{1,5})\}|u([0-9A-Fa-f]{4})|U000([0-9A-Fa-f]{5})|x([0-9A-Fa-f]{2})|N\{U\+([0-9A-Fa-f]{1,5})\})"
    r"|%u([0-9A-Fa-f]{4})"
)
_TAG = re.compile(
    r"<(?:/?(?:b|code|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,400})?|!--[^>]{0,400}--)>",
    re.IGNORECASE,
)
_FOOTNOTE = re.compile(r"\[(?:\^[^\[\]\s]{1,40}|[0-9]{1,3})\]")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,200})\](?:\([^()\n]{0,400}\)|\[[^\[\]\n]{0,100}\])")
_TEMPLATE = (
    re.compile(  # a mark that a program fills, or leaves empty: {{x}}, ${x}, {% x %}, <%= x %>, [[x]], «x»
        r"(?<=[^\W_])(?:[$#%]?\{\{?[^{}\n]{0,100}\}\}?|<%[^<>\n]{0,100}%>"
        r"|\[\[[^\[\]\n]{0,100}\]\]|«[^«»\n]{0,100}»)(?=[^\W_])"
    )
)
_INLINE = re.compile(  # what a page does not show within a word
    rf"{_TAG.pattern}|{_TEMPLATE.pattern}|(?<=[^\W_])(?:{_FOOTNOTE.pattern}){{1,4}}(?=[^\W_])", re.IGNORECASE
)
_DEEP = 3  # decodings, one of what another gave
# Markdown within a word or beside one, which a page does not show: "Whit**combe**", "**Falcon** Ridge".
_WITHIN_WORD = re.compile(r"[*_~`](?<=[^\W_].)[*_~`]{0,2}(?=[^\W_])")
_EMPHASIS = re.compile(r"[*_~`](?:(?<=[^\W_].)|(?=[^\W_]))")
_MARKS = re.compile(r"[*_~`]{1,3}")
_TURNED = re.compile("\u202e([^\u202c\u202e\n]*)")  # letters shown in the other order
_TAGS = re.compile("[\U000e0020-\U000e007e]")  # ASCII that no font shows
_LINE_IN_WORD = re.compile(r"\n[A-Za-z0-9+/_-]{2}(?:(?<=[A-Za-z0-9+/_-]\n..)|(?<=[A-Za-z0-9+/_-]\r\n..))")
_HEX_DIGITS = 10  # the shortest code: five letters
_HEX = re.compile(rf"[0-9A-Fa-f]{{{_HEX_DIGITS},}}")
_CODES = re.compile(  # 90, 97, 110, 122
    r"(?<![0-9])[0-9]{2,3}(?:(?:[,; \n]{1,2}[0-9]{2,3}){4,}+|(?:[\t_/|:-][0-9]{2,3}){4,}+)(?![0-9])"
)
_NUMBER = re.compile("[0-9]+")
_PAIRS = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{2}(?:[ ,:-]{1,2}(?:0x)?[0-9A-Fa-f]{2}){4,}+(?![0-9A-Za-z])"
)
_PAIR = re.compile(r"(?:0x)?([0-9A-Fa-f]{2})")
_BRACKETED = re.compile(r"\[[^\[\]\s]+\]")
_TO_BASE64 = str.maketrans("-_", "+/", " \t\n\r\f\v=")
_PRINTABLE = bytes(range(32, 127))
_ENCODINGS = ("utf-8", "cp1252")
_LONG = 48  # bytes of a blob that may hold text among others
_REMEMBERED = 100_000  # words known to be none


def disguises(text: str, placeholders: Collection[str]) -> Iterator[tuple[str, str]]:
    """The text, and what it becomes under each decoding that changes it."""
    yield "plain", text
    yield from _decoded(text, placeholders, _DEEP)


def _decoded(text: str, placeholders: Collection[str], deep: int) -> Iterator[tuple[str, str]]:
    """What decodings make of the text, and others of what a blob decodes to."""
    for disguise in _DISGUISES.worth_trying(text):
        for decoded in disguise.decode(text, placeholders):
            yield disguise.name, decoded
    for decoded in _gathered(_blobs(text)):
        yield "base64", decoded
        if deep > 1:
            for _, deeper in _decoded(decoded, placeholders, deep - 1):
                yield "base64", deeper


@dataclass(frozen=True, slots=True, eq=False)
class _Disguise:
    """A decoding: its name, what it makes of a text, and what a text must hold for it to make anything."""

    name: str
    decode: Callable[[str, Collection[str]], Iterator[str]]
    marks: str = ""
    sign: Sign = always


def _repeated(decode: Callable[[str], str], text: str) -> Iterator[str]:
    """What is decoded once, twice, and so on, while that changes something."""
    for _ in range(_DEEP):
        decoded = decode(text)
        if decoded == text:
            return
        yield decoded
        text = decoded


def _unquoted(text: str, _: Collection[str]) -> Iterator[str]:
    for encoding in _ENCODINGS:
        yield from _repeated(partial(unquote, encoding=encoding, errors="replace"), text)


def _unescaped_page(text: str, _: Collection[str]) -> Iterator[str]:
    return _repeated(html.unescape, text)


def _unquoted_lines(text: str, _: Collection[str]) -> Iterator[str]:
    for encoding in _ENCODINGS:
        yield _QUOTED.sub(partial(_unquoted_printable, encoding=encoding), text)


def _unescaped_code(text: str, _: Collection[str]) -> Iterator[str]:
    yield with_pairs_joined(_ESCAPED.sub(_escaped_letter, text))


def _untagged_page(text: str, _: Collection[str]) -> Iterator[str]:
    yield _INLINE.sub("", text)
    if _LINK.search(text):
        yield _LINK.sub(r"\1", text)


def _unmarked(text: str, placeholders: Collection[str]) -> Iterator[str]:
    ours_aside = _without_placeholders(placeholders, text)
    if _WITHIN_WORD.search(ours_aside):
        yield _without_marks(text, placeholders)
    elif _EMPHASIS.search(ours_aside):
        # A phrase goes on in the next line, not in the next paragraph, whose first word may be emphasised.
        yield "\n¶\n".join(_without_marks(paragraph, placeholders) for paragraph in text.split("\n\n"))


def _without_marks(text: str, placeholders: Collection[str]) -> str:
    """The text without marks of emphasis. Placeholders stay as they are: "[WORD_3]" does not say "word3"."""
    pieces: list[str] = []
    at = 0
    for bracketed in _BRACKETED.finditer(text):
        if bracketed[0] in placeholders:
            pieces += (_MARKS.sub("", text[at : bracketed.start()]), bracketed[0])
            at = bracketed.end()
    return "".join(pieces) + _MARKS.sub("", text[at:])


def _without_nulls(text: str, _: Collection[str]) -> Iterator[str]:
    yield text.replace("\0", "")


def _reversed_texts(text: str, _: Collection[str]) -> Iterator[str]:
    yield _TURNED.sub(lambda found: found[1][::-1], text)


def _shown_tags(text: str, _: Collection[str]) -> Iterator[str]:
    yield _TAGS.sub(lambda found: chr(ord(found[0]) - 0xE0000), text)


def _uuencoded(text: str, _: Collection[str]) -> Iterator[str]:
    decoded = "\n".join(_uudecoded(text))
    if decoded:
        yield decoded


def _said_by_codes(text: str, _: Collection[str]) -> Iterator[str]:
    if codes := _CODES.findall(text):
        yield "\n".join(map(_from_codes, codes))


def _said_by_pairs(text: str, _: Collection[str]) -> Iterator[str]:
    if pairs := _PAIRS.findall(text):
        yield "\n".join(map(_from_pairs, pairs))


def _says_vowels(text: str, _: bytes) -> bool:
    """Whether the place holds a code word for a vowel. Every name has a vowel."""
    return any(
        map(text.lower().__contains__, ("alfa", "alpha", "echo", "india", "oscar", "uniform", "yankee"))
    )


_DISGUISES = Prefilter(
    (
        _Disguise("URL", _unquoted, "%"),
        _Disguise("HTML", _unescaped_page, "&"),
        _Disguise("quoted-printable", _unquoted_lines, "=", matches(_QUOTED)),
        _Disguise("escaped", _unescaped_code, "\\%", matches(_ESCAPED)),
        _Disguise(
            "markup",
            _untagged_page,
            "<[{",
            either(matches(_TAG), matches(_FOOTNOTE), matches(_TEMPLATE), holds("](", "][")),
        ),
        _Disguise("markup", _untagged_page, NOT_ASCII, holds("«")),
        _Disguise("emphasis", _unmarked, "*_~`", matches(_EMPHASIS)),
        _Disguise("UTF-16", _without_nulls, "\0"),
        _Disguise("right to left", _reversed_texts, NOT_ASCII, holds("\u202e")),
        _Disguise("tags", _shown_tags, NOT_ASCII, matches(_TAGS)),
        _Disguise("uuencoded", _uuencoded, "\n", holds("\nend")),
        # One of the numbers in the middle has separators on both sides; so has one of the pairs, or it begins with 0x.
        _Disguise(
            "character codes",
            _said_by_codes,
            DIGIT,
            in_kinds({digits: "d", ",; \t\n_/|:-": "s"}, "sdds", "sddds"),
        ),
        _Disguise(
            "character codes",
            _said_by_pairs,
            sign=either(in_kinds({hexdigits: "h", " ,:-": "s"}, "shhshhs", "shhsshhs"), holds("0x")),
        ),
        _Disguise("struck over", rare.struck_over, "\b"),
        _Disguise("commands", rare.without_commands, "\\", matches(rare.COMMAND)),
        _Disguise("base85", rare.from_base85, rare.SIGNS, matches(rare.TWO_SIGNS)),
        _Disguise("dump", rare.from_dumps, DIGIT, in_kinds({hexdigits: "h", " \t-": "s"}, "hhshh", "hhsshh")),
        _Disguise("punycode", rare.from_punycode, "-", holds("xn--", "XN--")),
        _Disguise(
            "Morse",
            rare.from_morse,
            ".-",
            in_kinds({".-": "d", " /": "s"}, *(f"ds{'d' * n}sd" for n in range(1, 6))),
        ),
        _Disguise("octal", rare.from_octal, "\\", matches(rare.OCTAL)),
        _Disguise("bits", rare.from_bits, DIGIT, both(run_of("01", 7), matches(rare.BITS))),
        _Disguise("spelling alphabet", rare.spoken, sign=_says_vowels),
        _Disguise("spelling alphabet", rare.told, sign=matches(rare.TOLD)),
        _Disguise("upside down", rare.turned, NOT_ASCII, matches(rare.TURNED)),
    )
)


def _escaped_letter(found: re.Match[str]) -> str:
    return chr(int(found[found.lastindex or 0], 16))


def _from_codes(run: str) -> str:
    return "".join(chr(int(code)) for code in _NUMBER.findall(run))


def _from_pairs(run: str) -> str:
    return bytes.fromhex("".join(_PAIR.findall(run))).decode("utf-8", "replace")


def _unquoted_printable(run: re.Match[str], encoding: str) -> str:
    """Decodes a run of quoted-printable bytes. The text around it stays, so that its words keep their neighbours."""
    return quopri.decodestring(run.group().encode("ascii")).decode(encoding, "replace")


def _uudecoded(text: str) -> Iterator[str]:
    """What is between `begin` and `end` of uuencoded files."""
    data: list[bytes] | None = None
    for line in text.splitlines():
        if line.startswith("begin "):
            data = []
        elif line == "end" and data is not None:
            yield from _decoded_text(b"".join(data))
            data = None
        elif data is not None:
            with contextlib.suppress(binascii.Error, ValueError):
                data.append(binascii.a2b_uu(line))


def _without_placeholders(placeholders: Collection[str], text: str) -> str:
    """The text without them: nothing is emphasised in "[EMAIL_ADDRESS_1]"."""
    return _BRACKETED.sub(lambda found: "[]" if found[0] in placeholders else found[0], text)


def _gathered(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces on lines of their own, about a block at a time: together they may be as long as the file."""
    lines: list[str] = []
    length = 0
    for piece in pieces:
        lines.append(piece)
        length += len(piece)
        if length >= _BLOCK:
            yield "\n".join(lines)
            lines, length = [], 0
    if lines:
        yield "\n".join(lines)


def _blobs(text: str) -> Iterator[str]:
    """What base64 and hexadecimal runs decode to, when that is text."""
    wrapped = _matches(_WRAPPED, text) if _LINE_IN_WORD.search(text) else ()
    for run in _distinct(chain(_matches(_BASE64, text), wrapped)):
        yield from _decoded_run(run) if len(run) > _LONG else _decoded_short_run(run)


def _matches(pattern: re.Pattern[str], text: str) -> Iterable[str]:
    """What the expression matches; of a long text one at a time, since together they are as long as the text."""
    return pattern.findall(text) if len(text) <= _BLOCK else (run.group() for run in pattern.finditer(text))


@lru_cache(maxsize=1 << 14)  # nearly every run is a word, and words come back in document after document
def _decoded_short_run(run: str) -> tuple[str, ...]:
    return tuple(_decoded_run(run))


def _decoded_run(run: str) -> Iterator[str]:
    """What a run says as base64 and as hexadecimal."""
    yield from _decoded_text(_from_base64(run if run.isalnum() else run.translate(_TO_BASE64)))
    for code in _HEX.findall(run) if len(run) >= _HEX_DIGITS else ():
        yield from _decoded_text(bytes.fromhex(code[: len(code) // 2 * 2]))


def _distinct(runs: Iterable[str]) -> Iterator[str]:
    """The runs, short ones once: most are words, which prose repeats."""
    seen: set[str] = set()
    for run in runs:
        if run in seen:
            continue
        if len(run) < _LONG and len(seen) < _REMEMBERED:
            seen.add(run)
        yield run


def _from_base64(run: str) -> bytes:
    rest = len(run) % 4
    padded = run + "=" * (4 - rest) if rest > 1 else run[: len(run) - rest]
    try:
        return binascii.a2b_base64(padded)
    except (binascii.Error, ValueError):
        return b""


def _decoded_text(data: bytes) -> Iterator[str]:
    """The bytes as text. A short run is more often a word that looks like base64: then only whole UTF-8 counts."""
    data = unpacked(data) or data
    if len(data) < DISGUISE_MINIMUM:
        return
    try:
        yield data.decode("utf-8", "replace" if len(data) >= _LONG else "strict")
    except UnicodeDecodeError:
        if len(data.translate(None, _PRINTABLE)) * 4 <= len(data):  # Western text, not noise
            yield data.decode("cp1252", "replace")
    if b"\0" in data:
        yield data.replace(b"\0", b"").decode("utf-8", "replace")
