"""Rare codes hide no denied word, from the search that cuts and from the one that attacks; what no finder reads is told."""

from __future__ import annotations

import base64
import binascii
import zlib

import pytest

from efface.attacks.disguises import disguises
from efface.text.disguises.encoded_files import framed_files
from efface.text.disguises.encoded_tokens import encoded_tokens
from efface.text.disguises.unread_words import unread_words
from tests.growth import assert_linear

NAME = "Zanzibarov"
SENTENCE = f"The patient {NAME} was seen in the clinic today."
DATA = SENTENCE.encode()
CODE = base64.b64encode(DATA).decode()


def struck(word: str) -> str:
    return "".join(f"{letter}\b{letter}" for letter in word)


def rows(data: bytes, length: int) -> list[bytes]:
    return [data[at : at + length] for at in range(0, len(data), length)]


def dump(width: int, *, turned: bool = False) -> str:
    """The sentence as hexadecimal, sixteen bytes a line, with offsets and the letters at the end."""
    lines = []
    for number, row in enumerate(rows(DATA, 16)):
        groups = (group[::-1] if turned else group for group in rows(row, width))
        lines.append(f"{number * 16:08x}: {' '.join(group.hex() for group in groups)}  {row.decode()}")
    return "\n".join(lines)


def octal_dump() -> str:
    lines = enumerate(rows(DATA, 16))
    return "\n".join(f"{number * 16:07o} {' '.join(f'{byte:03o}' for byte in row)}" for number, row in lines)


HIDDEN = {
    "bold": struck(NAME),
    "underlined": "".join(f"_\b{letter}" for letter in NAME),
    "lines struck later": "".join(f"{letter}\b_" for letter in NAME),
    "Adobe": base64.a85encode(DATA, adobe=True).decode(),
    "Ascii85": base64.a85encode(DATA, wrapcol=40).decode(),
    "base85": base64.b85encode(DATA).decode(),
    "RTF": "{\\rtf1 " + "".join(f"\\'{ord(letter):02x}" for letter in NAME) + "}",
    "RTF numbers": "".join(f"\\u{ord(letter)}?" for letter in NAME),
    "RTF groups": r"{\b Zanzi}{\i barov}",
    "TeX": r"Zanzi\textbf{barov}",
    "troff": r"Zanzi\fBbarov\fR",
    "punycode": "xn--" + f"{NAME}é".encode("punycode").decode(),
    "Morse": "--.. .- -. --.. .. -... .- .-. --- ...-",
    "upside down": "ʌoɹɐqᴉzuɐz",
    "upside down, in a sentence": "uǝǝs sɐʍ ʌoɹɐqᴉzuɐz ǝɥ┴",
    "spelling alphabet": "Zulu Alfa November Zulu India Bravo Alfa Romeo Oscar Victor",
    "letters said": ", ".join(f"{letter} for word" for letter in NAME),
    "seven bits": " ".join(f"{ord(letter):07b}" for letter in NAME),
    "numbers with dashes": "-".join(str(ord(letter)) for letter in NAME),
    "octal numbers": " ".join(f"{ord(letter):o}" for letter in NAME),
    "octal in braces": "".join(f"\\o{{{ord(letter):o}}}" for letter in NAME),
    "octal escape": "\\132anzibarov",
    "hexadecimal in braces": "\\x{5A}anzibarov",
    "named code point": "\\N{U+005A}anzibarov",
    "link of Markdown": "Zan[zib](https://example.org)arov",
    "link of Markdown by number": "[Zanzi][1]barov",
    "deflated without a header": base64.b64encode(zlib.compress(DATA)[2:-4]).decode(),
    "base85 above a whole line": base64.b85encode(DATA).decode() + "\n17\nnext",
    "deflated in base85": base64.b85encode(zlib.compress(DATA)[2:-4]).decode(),
    "pairs": dump(1),
    "words": dump(2),
    "words turned": dump(2, turned=True),
    "octal": octal_dump(),
}
CUT_ONLY = {
    "quoted": "\n".join(f"> {CODE[at : at + 24]}" for at in range(0, len(CODE), 24)),
    "strings": "\n".join(f'"{CODE[at : at + 24]}" +' for at in range(0, len(CODE), 24)),
    "groups": " ".join(CODE[at : at + 4] for at in range(0, len(CODE), 4)),
    "base32": base64.b32encode(DATA).decode().lower(),
    "uuencoded": binascii.b2a_uu(DATA[:45]).decode(),
}


@pytest.mark.parametrize("code", HIDDEN | CUT_ONLY)
def test_a_word_is_read_where_it_is_cut(code: str) -> None:
    text = f"This came today:\n\n{(HIDDEN | CUT_ONLY)[code]}\n\nand no more."
    readings = [token.reading.casefold() for token in encoded_tokens(text)]
    assert any(NAME.casefold() in reading for reading in readings)


@pytest.mark.parametrize("code", HIDDEN)
def test_a_word_is_read_where_the_release_is_searched(code: str) -> None:
    text = f"This came today:\n\n{HIDDEN[code]}\n\nand no more."
    readings = [reading.casefold() for name, reading in disguises(text, ()) if name != "plain"]
    assert any(NAME.casefold() in reading for reading in readings)


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        DATA.hex(),
        struck(NAME),
        "".join(f"={ord(letter):02X}" for letter in NAME),
        ", ".join(str(ord(letter)) for letter in NAME),
        base64.b85encode(DATA).decode(),
        "W h i t c o m b e",
        "".join(chr(0x24D0 + ord(letter) - ord("a")) for letter in NAME.lower()),
        HIDDEN["upside down"],
        HIDDEN["spelling alphabet"],
    ],
)
def test_words_that_no_finder_reads_are_told(text: str) -> None:
    assert unread_words(f"This came today: {text} and no more.") == 1


@pytest.mark.parametrize(
    "text",
    [
        "Gr=C3=BC=C3=9Fe, Soci\\u00e9t\\u00e9, &Eacute;cole and snake_case_names",
        "C O N F I D E N T I A L, https://example.org/a/long/Path?with=signs&more=of#them",
        "72 110 118 120 115 98 and 67, 72, 81, 90; 0123 4567 8901 2345; table . . . . . 7",
        "Alpha, Bravo, Charlie, Delta and Echo teams; [https://example.org/Path](https://example.org/Path)",
        "Get-ElementsByTagName, REP-2024-0319-AB, 2002Strategy, TurazJomiatul",
        base64.b64encode(bytes(range(120))).decode(),
    ],
)
def test_other_texts_have_none(text: str) -> None:
    assert unread_words(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        "=ybegin line=128 size=4 name=a.txt\nxxxx\n=yend size=4",
        "  begin 644 note.txt\n  #0V%T\n  `\n  end",
        "begin-base64 644 note.txt\nQ2F0\n====",
        "GIT binary patch\nliteral 4\nLc",
        "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----",
    ],
)
def test_files_in_a_frame_are_told(text: str) -> None:
    assert framed_files(f"Hello,\n{text}\n") == 1
    assert framed_files("We begin 100 new flats. To begin with, begin 644!") == 0


@pytest.mark.parametrize(
    "piece",
    [
        *("<~", "a", "#!", "xn--a", '"#a!', "a\b", ".- ", "ab "),
        *("[a](", "[a](b)", "a[a][b]", "zulu echo ", "ɐ", "ɐ ", "a for b, ", "\\o{1", "1010101 ", "90-"),
    ],
)
def test_the_time_of_hostile_texts_grows_with_their_length(piece: str) -> None:
    assert_linear(lambda text: list(encoded_tokens(text)), piece, 32_000, before="code\n")
    assert_linear(lambda text: list(disguises(text, ())), piece, 32_000, before="code\n")
