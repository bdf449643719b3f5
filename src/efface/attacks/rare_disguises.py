"""Decodings that few texts are worth: overstrikes, commands of RTF and TeX, base85, dumps, punycode, Morse, octal escapes,
bits, letters upside down, letters that are said as words.

They are written for themselves, so that no mistake of the search that cuts is repeated here.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Iterator
from itertools import chain

from efface.text.disguises.compressed_data import unpacked

COMMAND = re.compile(r"\\['A-Za-z]")
_CONTROL = re.compile(r"\\(?:f[BIPR]|[a-z]{1,30}-?[0-9]{0,6} ?)|[{}]", re.IGNORECASE)
_RTF = re.compile(r"\\'([0-9a-f]{2})|\\u(-?[0-9]{2,5}) ?\??", re.IGNORECASE)
SIGNS = "#$%&*+;<=>?@`{|}~!^"  # a code of base85 has some of these
TWO_SIGNS = re.compile(f"[{SIGNS}][!-~]{{0,200}}?[{SIGNS}]")
_GRAPHIC = re.compile(r"[!-~]{13,}(?:\r?\n[!-~]+)*")
_Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_B85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_OFFSET = re.compile(r"^[ \t]*[0-9a-f]{4,8}:?[ \t]+", re.IGNORECASE)
_OCTAL_BYTE = re.compile("[0-3][0-7]{2}")
_NUMBERS = re.compile(
    r"[0-9a-f]{2,4}(?:[ \t-]{1,2}[0-9a-f]{2,4}){2,}(?![0-9a-z])", re.IGNORECASE
)  # a digit is among them
_LABEL = re.compile(r"xn--([a-z0-9-]{1,63})", re.IGNORECASE)
_MORSE = re.compile(r"[.-]{1,5}(?:[ /][.-]{1,5}){3,}")
OCTAL = re.compile(r"\\(?:([0-3][0-7]{2})|o\{([0-7]{2,6})\})")
BITS = re.compile(r"(?<![0-9])[01]{7}(?: [01]{7}){4,}(?![0-9])")
TURNED = re.compile("[ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ]")
_UPRIGHT = dict(zip("ɐqɔpǝɟƃɥᴉıɾʞɯuodbɹʇnʌʍʎ", "abcdefghiijkmnopqrtuvwy", strict=True))
_TO_UPRIGHT = str.maketrans(_UPRIGHT)
# Words that people say for letters on the telephone; the names of teams are said in the order of the alphabet.
_RADIO = (
    "al(?:f|ph)a|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|"
    "romeo|sierra|tango|uniform|victor|whiske?y|x-?ray|yankee|zulu"
)
SPOKEN = re.compile(rf"\b(?:{_RADIO})(?:\W{{1,4}}(?:{_RADIO})){{4,}}\b", re.IGNORECASE)
_VOWELS = frozenset("aeiouy")
_SPOKEN_LETTER = re.compile(_RADIO, re.IGNORECASE)
TOLD = re.compile(r" (?:for|as in|like) \w{1,20}\W{1,4}(?:and )?\w (?:for|as in|like) ")
_TOLD_LETTER = re.compile(r"\b([^\W\d_]) (?:for|as in|like) \w{1,20}\W{0,4}")
_LETTERS = " etianmsurwdkgohvf l pjbxcyzq"  # by the number that dots and dashes make, behind a 1


def struck_over(text: str, _: Collection[str]) -> Iterator[str]:
    """The text with what the last stroke shows, and without underlines."""
    yield re.sub("[^\n]\b", "", text)
    yield re.sub("_\b|\b_", "", text)


def without_commands(text: str, _: Collection[str]) -> Iterator[str]:
    """The text as a program for RTF or TeX shows it."""
    if COMMAND.search(text):
        yield _CONTROL.sub("", _RTF.sub(_character, text))


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else chr(int(found[2]) % 0x10000)


def from_base85(text: str, _: Collection[str]) -> Iterator[str]:
    """What runs of signs say as base85, in the alphabets of Adobe, Python and ZeroMQ."""
    said: list[str] = []
    for written in chain(_GRAPHIC.findall(text), _framed(text)):
        if TWO_SIGNS.search(written) is None:
            continue
        run = "".join(written.split())
        lines = written.split() if written != run else ()  # those below a code may be others
        for code in {
            run,
            run.removeprefix("<~").removesuffix("~>"),
            run.strip("\"',;"),
            *run.split('"'),
            *lines,
        }:
            said += _decoded(code)
    if said:
        yield "\n".join(said)


def _framed(text: str) -> Iterator[str]:
    """The text between the signs that open and close a code. No part of the text is read twice."""
    at = 0
    while (end := text.find("~>", at)) >= 0:
        start = text.find("<~", at, end)
        if start >= 0:
            yield text[start : end + 2]
        at = end + 2


def _decoded(code: str) -> Iterator[str]:
    zeromq = code.translate(str.maketrans(_Z85, _B85))
    for decode, written in ((base64.a85decode, code), (base64.b85decode, code), (base64.b85decode, zeromq)):
        try:
            data = decode(written)
            said = (unpacked(data) or data).decode("utf-8")
        except (ValueError, binascii.Error):
            continue
        if said.isprintable() or all(char.isprintable() or char.isspace() for char in said):
            yield said


def from_dumps(text: str, _: Collection[str]) -> Iterator[str]:
    """What the numbers of dumps say, line behind line, each word in both orders of its bytes."""
    groups = list(chain.from_iterable(map(_numbers_of, text.splitlines())))
    if not groups:
        return
    pairs = [bytes.fromhex(group) for group in groups if len(group) in (2, 4)]
    turned = (pair[::-1] for pair in pairs)
    octal = (int(group, 8) for group in groups if _OCTAL_BYTE.fullmatch(group))
    said = (b"".join(pairs), b"".join(turned), bytes(octal))
    yield "\n".join(data.decode("utf-8", "replace") for data in said)


def _numbers_of(line: str) -> list[str]:
    """The numbers of a line of a dump, behind its offset."""
    numbers = _NUMBERS.match(_OFFSET.sub("", line))
    if numbers is None or not any(map(str.isdigit, numbers.group())):
        return []
    return numbers.group().replace("-", " ").split()


def from_punycode(text: str, _: Collection[str]) -> Iterator[str]:
    """What labels of the internet's names say."""
    said = []
    for label in _LABEL.findall(text):
        try:
            said.append(label.encode("ascii").decode("punycode"))
        except UnicodeError:
            continue
    if said:
        yield "\n".join(said)


def from_morse(text: str, _: Collection[str]) -> Iterator[str]:
    """What dots and dashes say."""
    if runs := _MORSE.findall(text):
        yield "\n".join("".join(map(_letter, run.replace("/", " ").split())) for run in runs)


def _letter(signs: str) -> str:
    at = int("1" + "".join("0" if sign == "." else "1" for sign in signs), 2) - 1
    return _LETTERS[at] if at < len(_LETTERS) else "?"


def from_octal(text: str, _: Collection[str]) -> Iterator[str]:
    """The text with letters for octal escapes."""
    if OCTAL.search(text):
        yield OCTAL.sub(lambda found: chr(int(found[1] or found[2], 8)), text)


def from_bits(text: str, _: Collection[str]) -> Iterator[str]:
    """What groups of seven bits say."""
    if runs := BITS.findall(text):
        yield "\n".join(map(_from_run_of_bits, runs))


def _from_run_of_bits(run: str) -> str:
    return "".join(chr(int(bits, 2)) for bits in run.split())


def turned(text: str, _: Collection[str]) -> Iterator[str]:
    """Lines of upside-down letters as one reads them after turning the page."""
    if lines := [line for line in text.splitlines() if TURNED.search(line)]:
        yield "\n".join(line[::-1].translate(_TO_UPRIGHT) for line in lines)


def spoken(text: str, _: Collection[str]) -> Iterator[str]:
    """The letters for which words are said: "Zulu Alfa November"."""
    runs = list(map(_spoken_letters, SPOKEN.findall(text)))
    if said := ["".join(run) for run in runs if run != sorted(run) and not _VOWELS.isdisjoint(run)]:
        yield "\n".join(said)


def _spoken_letters(run: str) -> list[str]:
    return [word[0].lower() for word in _SPOKEN_LETTER.findall(run)]


def told(text: str, _: Collection[str]) -> Iterator[str]:
    """The letters of "Z for Zulu, A for Alfa"."""
    if TOLD.search(text):
        yield _TOLD_LETTER.sub(r"\1", text)
