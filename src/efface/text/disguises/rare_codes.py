"""Codes that few texts hold: letters struck over one another, words between commands of RTF and TeX, dumps of bytes,
base85, Morse, the spelling alphabet, letters upside down, names of the internet in other scripts, and base64 that is set as
a quotation or in groups."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from string import ascii_letters, ascii_lowercase, digits, hexdigits

from efface.text.disguises.compressed_data import unpacked
from efface.text.disguises.token_code import Code, texts
from efface.text.search.search_prefilter import (
    DIGIT,
    NOT_ASCII,
    Sign,
    both,
    holds,
    in_kinds,
    matches,
    run_of,
)

_STRUCK = re.compile(r"([^\n\x08])\x08([^\n\x08]?)")
_GONE = re.compile(r"[^\n\x08]\x08")
# RTF's codes of characters, and the commands of RTF, TeX and troff, which a page does not show.
_RTF_CHARACTER = re.compile(r"\\(?:'([0-9A-Fa-f]{2})|u(-?[0-9]{2,5})(?: \?|[ ?])?)")
_COMMAND = re.compile(r"\\(?:f[BIPR]|[A-Za-z]{1,30}(?:-?[0-9]{1,6})? ?|\*)|[{}]")
_BASE64 = ascii_letters + digits + "+/"
_PRINTABLE = "".join(map(chr, range(33, 127)))
_BASE85_SIGNS = "#$%&*+;<=>?@`{|}~!^"
_TWO_SIGNS = re.compile(f"[{_BASE85_SIGNS}][!-~]{{0,200}}?[{_BASE85_SIGNS}]")
_LEAST_BASE85 = 13  # characters: ten letters
_ADOBE = re.compile("<~([!-uz]*)~?>?")
_TO_BASE85 = str.maketrans(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#",
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~",
)
_UNSHOWN = re.compile("[^\t\n\r -~\u00a0-\ufffc]")
_OFFSET = re.compile(r"[ \t]*[0-9A-Fa-f]{4,8}:?[ \t]+")
_GROUP = re.compile(r"([0-9A-Fa-f]{2,4})(?:[ \t-]{1,2}|$)")
_OCTAL_BYTE = re.compile("[0-3][0-7]{2}")
_DUMP_LINE = r"[ \t]*[0-9A-Fa-f]{4,8}:?[ \t]+(?:[0-9A-Fa-f]{2,4}[ \t-]{1,3}){3,}[^\r\n]{0,120}"
_LINE_END = r"[\"']?[ \t]{0,4}[+\\,;&_]?[ \t]{0,4}\r?\n[ \t>|#*\"']{0,12}"
_RUN = re.compile("[A-Za-z0-9+/]{2,}")
_MORSE = dict(
    zip(
        ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split(),
        ascii_lowercase,
        strict=True,
    )
)


# Letters that look like others upside down, and the letters that they are then.
_TURNED = "ɐqɔpǝɟƃɥᴉıɾʞlɯuodbɹsʇnʌʍxʎz∀ᗺƆᗡƎℲ⅁HIſ⋊⅂˥WNOԀᴚS⊥┴∩ΛMX⅄Z"
_UPSIDE_DOWN = str.maketrans(_TURNED, "abcdefghiijklmnopqrstuvwxyzABCDEFGHIJKLLMNOPRSTTUVWXYZ")
_TURNED_ONLY = "ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ∀ᗺƆƎℲ⅁⅂Ԁᴚ⊥┴⅄"  # a word that is turned has one of these
_TURNED_WORD = rf"(?:(?![{_TURNED_ONLY}])[{_TURNED}]){{0,40}}[{_TURNED_ONLY}][{_TURNED}]{{0,40}}"
_SPELLING_WORDS = (
    "alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa "
    "quebec romeo sierra tango uniform victor whiskey whisky xray x-ray yankee zulu"
)
_SPELLING_WORD = rf"\b(?:{'|'.join(sorted(_SPELLING_WORDS.split(), reverse=True))})\b"
_VOWELS = frozenset("aeiouy")
_SAID_LETTER = r"(?<![^\W_])[^\W\d_] (?:for|as in|like) \w{1,20}"


def _upside_down(token: str) -> Iterator[str]:
    yield token[::-1].translate(_UPSIDE_DOWN).title()


def _from_spelling_alphabet(token: str) -> Iterator[str]:
    letters = [word[0].lower() for word in re.findall(_SPELLING_WORD, token, re.IGNORECASE)]
    is_name = not _VOWELS.isdisjoint(letters) and letters != sorted(
        letters
    )  # "Alpha, Bravo, Charlie" are teams
    if is_name:
        yield "".join(letters).title()


def _from_said_letters(token: str) -> Iterator[str]:
    yield "".join(said[0] for said in re.findall(_SAID_LETTER, token, re.IGNORECASE)).title()


def _struck_over(token: str) -> Iterator[str]:
    """A letter struck twice is bold, one struck over a line is underlined, another one replaces it."""
    yield _GONE.sub("", token)
    yield _STRUCK.sub(lambda pair: pair[1] if pair[2] in "_-/" else pair[2], token)


def _rtf_character(found: re.Match[str]) -> str:
    if found[1]:
        return bytes.fromhex(found[1]).decode("cp1252", "replace")
    return chr(int(found[2]) % 0x10000)


def _without_commands(token: str) -> Iterator[str]:
    yield _COMMAND.sub("", _RTF_CHARACTER.sub(_rtf_character, token))


def _from_base85(token: str) -> Iterator[str]:
    adobe = _ADOBE.search(token)
    # The lines below a code may be others: numbers of rows in a list, the last line of a paragraph.
    pieces = [adobe[1]] if adobe else [token, *re.split(r"\r?\n", token), *token.split('"')]
    for piece in dict.fromkeys(pieces):
        code = "".join(piece.split())
        if len(code) >= _LEAST_BASE85 or adobe:
            for decode in _BASE85:
                with suppress(ValueError, binascii.Error):
                    yield from _plain_text(decode(code))


_BASE85: tuple[Callable[[str], bytes], ...] = (
    base64.a85decode,
    base64.b85decode,
    lambda code: base64.b85decode(code.translate(_TO_BASE85)),
)


def _plain_text(data: bytes) -> Iterator[str]:
    """The bytes if they are text, every one of them: what is no code decodes to noise."""
    with suppress(UnicodeDecodeError):
        text = (unpacked(data) or data).decode("utf-8")
        if _UNSHOWN.search(text) is None:
            yield text


def _from_dump(token: str) -> Iterator[str]:
    """What a dump of bytes says: pairs, words of two bytes in either order, or octal numbers."""
    groups: list[str] = []
    for line in token.splitlines():
        offset = _OFFSET.match(line)
        groups += _groups(line, offset.end() if offset else 0)
    yield from _from_groups(groups)


def _groups(line: str, at: int) -> Iterator[str]:
    """The numbers of a line, as long as all have the same length."""
    length = 0
    while (found := _GROUP.match(line, at)) is not None and length in (0, len(found[1])):
        yield found[1]
        length, at = len(found[1]), found.end()
        if line[found.end(1) : at].strip(" \t") == "" and line[at : at + 1] == "|":
            return


def _from_groups(groups: list[str]) -> Iterator[str]:
    """What the numbers of a dump say. Three digits are an octal number, two and four hexadecimal ones."""
    if all(len(group) == 3 for group in groups):
        octal = [int(group, 8) for group in groups if _OCTAL_BYTE.fullmatch(group)]
        yield from texts(bytes(octal))
        return
    even = [bytes.fromhex(group) for group in groups if len(group) % 2 == 0]
    yield from texts(b"".join(even))
    yield from texts(b"".join(group[::-1] for group in even))


def _from_hexadecimal_groups(token: str) -> Iterator[str]:
    yield from _from_groups(token.split())


def _from_punycode(token: str) -> Iterator[str]:
    for label in token.split("."):
        if label[:4].lower() == "xn--":
            with suppress(UnicodeError):
                yield label[4:].encode("ascii").decode("punycode")


def _from_set_base64(token: str) -> Iterator[str]:
    code = "".join(_RUN.findall(token))
    with suppress(binascii.Error):
        yield from texts(base64.b64decode(code[: len(code) // 4 * 4] + _padded(code)))


def _padded(code: str) -> str:
    """The last group of a base64 code, padded to four characters."""
    rest = code[len(code) // 4 * 4 :]
    return rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""


def _from_small_base32(token: str) -> Iterator[str]:
    code = token.rstrip("=").upper()
    with suppress(binascii.Error):
        yield from texts(base64.b32decode(code + "=" * (-len(code) % 8)))


def _from_uuencoded_lines(token: str) -> Iterator[str]:
    pieces = []
    for line in token.splitlines():
        with suppress(binascii.Error):
            pieces.append(binascii.a2b_uu(line))
    yield from texts(b"".join(pieces))


def _from_morse(token: str) -> Iterator[str]:
    yield "".join(_MORSE.get(sign, " ") for sign in re.split("[ /]", token)).title()


def _begins_line(letter: str) -> Sign:
    return lambda text, _: text.startswith(letter) or f"\n{letter}" in text


def _holds_in_any_case(*needles: str) -> Sign:
    return lambda text, _: any(map(text.lower().__contains__, needles))


_IN_HEXADECIMAL = {hexdigits: "h", " \t-": "s"}
_IN_BASE64 = {_BASE64: "b", " \t": "s"}
RARE_CODES = (
    Code(
        re.compile(r"(?:[^\s\x08](?!\x08)){0,200}(?:[^\n\x08]\x08(?:[^\s\x08](?!\x08)){0,200})+"),
        _struck_over,
        "\b",
    ),
    Code(
        re.compile(
            rf"(?<![^\s\\{{}}])(?=[^\s\\]{{0,200}}\\['*A-Za-z])(?:[^\s\\{{}}]{{1,200}})?"
            rf"(?:(?:{_RTF_CHARACTER.pattern}|{_COMMAND.pattern})++[^\s\\{{}}]{{0,200}})+"
        ),
        _without_commands,
        "\\",
        matches(re.compile(r"\\['*A-Za-z]")),
    ),
    Code(
        re.compile(
            r"(?<![!-~])(?=[!-~]{0,200}?[#$%&*+;<=>?@^`{|}~!][!-~]{0,200}?[#$%&*+;<=>?@^`{|}~!])"
            rf"[!-~]{{{_LEAST_BASE85},4096}}+(?:\r?\n[!-~]{{1,4096}}+(?=\r?\n|\Z))*+(?![!-~])"
        ),
        _from_base85,
        _BASE85_SIGNS,
        both(matches(_TWO_SIGNS), run_of(_PRINTABLE, _LEAST_BASE85)),
    ),
    Code(
        re.compile(
            rf"^{_DUMP_LINE}(?:\r?\n{_DUMP_LINE}|\r?\n[ \t]*[0-9A-Fa-f]{{4,8}}:?[ \t][^\r\n]{{0,120}})*",
            re.MULTILINE,
        ),
        _from_dump,
        DIGIT,
        in_kinds(_IN_HEXADECIMAL, "shhshhs", "shhhhshhhhs", "shhhshhhs"),
    ),
    Code(
        re.compile(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{4}[ \t]){2,}[0-9A-Fa-f]{4}(?![0-9A-Za-z])"),
        _from_hexadecimal_groups,
        sign=in_kinds(_IN_HEXADECIMAL, "hhhhshhhhshhhh"),
    ),
    Code(
        re.compile(r"(?<![A-Za-z0-9])(?:[A-Za-z0-9-]{1,63}\.)*xn--[A-Za-z0-9.-]{1,250}", re.IGNORECASE),
        _from_punycode,
        "-",
        holds("xn--", "XN--"),
    ),
    Code(
        re.compile(
            rf"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{20,}}+={{0,2}}(?:{_LINE_END}[A-Za-z0-9+/]{{4,}}+={{0,2}})+"
        ),
        _from_set_base64,
        "\n",
        run_of(_BASE64, 20),
    ),
    Code(
        re.compile(
            r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{4}(?:[ \t][A-Za-z0-9+/]{4}){4,}(?:[ \t][A-Za-z0-9+/]{2,3}={1,2})?"
        ),
        _from_set_base64,
        sign=in_kinds(_IN_BASE64, "bbbbsbbbbsbbbbsbbbbsbbbb"),
    ),
    Code(
        re.compile(r"(?<![A-Za-z0-9])(?=[a-z]{0,40}[2-7])[a-z2-7]{16,}+={0,6}(?![A-Za-z0-9])"),
        _from_small_base32,
        DIGIT,
        both(run_of(ascii_lowercase + "234567", 16), matches(re.compile("[2-7](?:(?<=[a-z].)|(?=[a-z]))"))),
    ),
    Code(
        re.compile(r"^(?:M[ -`]{60}(?:\r?\n|$))+(?:[ -`]{2,61}$)?", re.MULTILINE),
        _from_uuencoded_lines,
        sign=both(_begins_line("M"), matches(re.compile(r"^M[ -`]{60}$", re.MULTILINE))),
    ),
    Code(
        re.compile(r"(?<![^\s\"'(])[.-]{1,5}(?:[ /][.-]{1,5}){3,}(?![^\s\"').,])"),
        _from_morse,
        sign=in_kinds({".-": "d", " /": "s"}, *(f"ds{'d' * length}sd" for length in range(1, 6))),
    ),
    Code(
        re.compile(rf"(?<![\w{_TURNED}]){_TURNED_WORD}(?: {_TURNED_WORD})*(?!\w)"),
        _upside_down,
        NOT_ASCII,
        matches(re.compile(f"[{_TURNED_ONLY}]")),
    ),
    Code(
        re.compile(rf"{_SPELLING_WORD}(?:[\s,.;/-]{{1,4}}{_SPELLING_WORD}){{3,}}", re.IGNORECASE),
        _from_spelling_alphabet,
        sign=_holds_in_any_case("alfa", "alpha", "echo", "india", "oscar", "uniform", "yankee"),
    ),
    Code(
        re.compile(rf"{_SAID_LETTER}(?:[\s,.;/-]{{1,4}}(?:and )?{_SAID_LETTER}){{3,}}", re.IGNORECASE),
        _from_said_letters,
        sign=matches(
            re.compile(
                r" (?:for|as in|like) \w{1,20}[\s,.;/-]{1,4}(?:and )?\w (?:for|as in|like) ", re.IGNORECASE
            )
        ),
    ),
)
