"""Letters that stand apart, and tokens that say something else when decoded."""

from __future__ import annotations

import base64
import binascii

import pytest

from efface.text.disguises.encoded_tokens import encoded_tokens
from efface.text.disguises.spaced_letters import find_spaced_letters, joined
from efface.text.folding import fold
from efface.text.search.string_search import occurrences


def _found(text: str, *strings: str) -> list[str]:
    folded = fold(text)
    keys = [joined(string) for string in strings]
    spans = [
        folded.span(low, high) for _, low, high in find_spaced_letters(text, folded, occurrences(keys, 100))
    ]
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    "hidden",
    [
        "W h i t c o m b e",
        "W  h  i  t  c  o  m  b  e",
        "W\u00a0H\u00a0I\u00a0T\u00a0C\u00a0O\u00a0M\u00a0B\u00a0E",
        "W.h.i.t.c.o.m.b.e",
        "W_h_i_t_c_o_m_b_e",
        "W | h | i | t | c | o | m | b | e",
        "W\nh\ni\nt\nc\no\nm\nb\ne",
        "Wh i t co m b e",
        "Whit combe",
        "WHIT COMBE",
        "W hitcombe",
        "Whit-combe",
        "Whit\u2011combe",
        "Whit\ncombe",
        "Whit \r\ncombe",
        "Whit\r\n combe",
        "Whit\rcombe",
        "Whit\u2028combe",
        "W      h      i      t      c      o      m      b      e",
        "W\n          h\n            i\n              t\n              c\n             o\n             m\n             b\n            e",
        "🇼 🇭 🇮 🇹 🇨 🇴 🇲 🇧 🇪",
        "⒲⒣⒤⒯⒞⒪⒨⒝⒠",
    ],
)
def test_letters_apart_are_one_word(hidden: str) -> None:
    assert _found(f"This is {hidden} here.", "whitcombe") == [hidden]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("He was a good man.", "goodman"),
        ("A Good Man", "goodman"),
        ("We met Robert a week ago.", "roberta"),
        ("Robert A. came.", "roberta"),
        ("Whitcombe stands as it is written.", "whitcombe"),
        ("a twit combed his hair", "whitcombe"),
        ("I a n", "ian"),
    ],
)
def test_ordinary_words_side_by_side_are_none(text: str, name: str) -> None:
    assert [found for found in _found(text, name) if joined(name)] == []


def test_a_long_run_without_a_gap_is_read_once() -> None:
    assert _found("x" * 200_000 + " W h i t c o m b e", "whitcombe") == ["W h i t c o m b e"]


@pytest.mark.parametrize(
    "token",
    [
        "&#87;hitcombe",
        "%57hitcombe",
        r"\u0057hitcombe",
        r"\x57hitcombe",
        "=57hitcombe",
        "**Whit**combe",
        "Wh_it_combe",
        base64.b64encode(b"Dr Whitcombe").decode(),
        b"Whitcombe".hex(),
        "begin 644 a.txt\n" + binascii.b2a_uu(b"Dr Whitcombe").decode() + "`\nend",
        " ".join(str(ord(letter)) for letter in "Whitcombe"),
        ", ".join(str(ord(letter)) for letter in "Whitcombe"),
        "&#87hitcombe",
        "%2557hitcombe",
        "&amp;#87;hitcombe",
        base64.b64encode(b"see %57hitcombe").decode(),
        base64.b64encode(base64.b64encode(b"see Dr Whitcombe")).decode(),
        r"\U00000057hitcombe",
        r"\u{57}hitcombe",
        r"\127hitcombe",
        r"\57 hitcombe",
        r"Whit\-combe",
        "Whit<b>combe",
        "Whit<wbr>combe",
        "Whit<!-- x -->combe",
        "Whit[b]combe",
        'Whit" + "combe',
        " ".join(f"{ord(letter):02x}" for letter in "Whitcombe"),
        ":".join(f"{ord(letter):02X}" for letter in "Whitcombe"),
        ", ".join(f"0x{ord(letter):02x}" for letter in "Whitcombe"),
        " ".join(f"U+{ord(letter):04X}" for letter in "Whitcombe"),
        "+".join(f"CHAR({ord(letter)})" for letter in "Whitcombe"),
        " ".join(f"{ord(letter):08b}" for letter in "Whitcombe"),
        base64.b32encode(b"Dr Whitcombe").decode(),
        "+AFc-hitcombe",
        "\u202eebmoctihW\u202c",
        "".join(chr(0xE0000 + ord(letter)) for letter in "Whitcombe"),
    ],
)
def test_a_token_is_read_as_it_is_decoded(token: str) -> None:
    text = f"seen by {token} today"
    found = [found for found in encoded_tokens(text) if "Whitcombe" in found.reading]
    assert token in {text[one.start : one.end] for one in found}


def test_cells_side_by_side_are_not_one_token() -> None:
    assert not any("Goodman" in token.reading for token in encoded_tokens("<td>Good</td><td>man</td>"))


def test_prose_has_no_encoded_tokens() -> None:
    assert list(encoded_tokens("The committee's recommendations, in 2019, were extraordinary & new.")) == []
