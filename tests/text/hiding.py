"""Random texts that hide words in every way that is looked for, to compare a short cut with the long way."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch
from urllib.parse import quote

from hypothesis import strategies as st

from efface.text.disguises import encoded_tokens
from efface.text.search.search_prefilter import Prefilter
from efface.text.search.term_prefilter import TermPrefilter

WORDS = (
    "Whitcombe",
    "Falcon",
    "4111 1111 1111 1111",
    "bob@example.com",
    "Kowalska",
    "ng",
    "Müller",
    "committee",
)


def _uuencoded(word: str) -> str:
    return f"begin 644 x\n{binascii.b2a_uu(word.encode()).decode()}`\nend\n"


def _every(step: str, word: str) -> str:
    return step.join(word)


HIDINGS = (
    str,
    str.upper,
    str.lower,
    lambda word: base64.b64encode(word.encode()).decode(),
    lambda word: base64.b64encode(word.encode() * 3).decode().replace("c", "c\n"),
    lambda word: base64.b32encode(word.encode()).decode(),
    lambda word: base64.b64encode(base64.b64encode(word.encode())).decode(),
    lambda word: word.encode().hex(),
    lambda word: word.encode().hex(" "),
    lambda word: word.encode().hex(":"),
    lambda word: " ".join(f"0x{code:02x}" for code in word.encode()),
    lambda word: ", ".join(str(code) for code in word.encode()),
    lambda word: " ".join(f"{code:08b}" for code in word.encode()),
    lambda word: "+".join(f"CHR({code})" for code in word.encode()),
    lambda word: "".join(f"%{code:02X}" for code in word.encode()),
    lambda word: quote(quote(f"{word}/%")),
    lambda word: "".join(f"&#{ord(char)};" for char in word),
    lambda word: "".join(f"\\u{ord(char):04x}" for char in word),
    lambda word: "".join(f"\\{ord(char):x} " for char in word),
    lambda word: f"{word[:3]}\\-{word[3:]}",
    lambda word: f"{word[:3]}' + '{word[3:]}",
    lambda word: f"{word[:3]}<b>{word[3:]}</b>",
    lambda word: f"{word[:3]}[b]{word[3:]}[/b]",
    lambda word: f"{word[:3]}**{word[3:]}**",
    lambda word: f"{word[:3]}=\n{word[3:]}=20",
    lambda word: f"x{word.encode('utf-7').decode()}+AFc-",
    lambda word: f"\u202e{word[::-1]}\u202c",
    lambda word: "".join(chr(0xE0000 + ord(char)) for char in word if char.isascii()),
    _uuencoded,
    lambda word: "".join(f"{letter}\b{letter}" for letter in word),
    lambda word: f"{{\\b {word[:3]}}}{{\\i {word[3:]}}}",
    lambda word: "".join(f"\\'{code:02x}" for code in word.encode("cp1252")),
    lambda word: base64.a85encode(word.encode() * 2).decode(),
    lambda word: base64.b85encode(word.encode() * 2).decode(),
    lambda word: base64.b32encode(word.encode() * 2).decode().lower(),
    lambda word: f"\n0000: {word.encode().hex(' ')}  {word}\n",
    lambda word: word.encode().hex(" ", 2),
    lambda word: f"> {base64.b64encode(word.encode() * 3).decode()}\n> V2hpdGNvbWJl",
    lambda word: base64.b64encode(word.encode() * 3).hex()[:40].upper(),
    lambda word: f"xn--{word.encode('punycode').decode()}",
    lambda _: ".-- .... .. - -.-. --- -- -... .",
    lambda word: _every(" ", word),
    lambda word: _every(".", word),
    lambda word: _every(" | ", word),
    lambda word: _every("\n", word),
    lambda word: f"{word[:4]} {word[4:]}",
    lambda word: f"{word[:4]}-\n> {word[4:]}",
    lambda word: word.replace("i", "1").replace("o", "0").replace("l", "|"),
    lambda word: word.replace("l", "I"),
    lambda word: word.replace("o", "о").replace("a", "\u0430\u0301"),
    lambda word: f"\x1b[1m{word[:2]}\x1b[0m{word[2:]}",
    lambda word: f'Project "{word}" ({word}): [{word}_1]',
)
GAPS = (" ", "", "\n", "  ", ", ", ": ", "_", "-", "|", '"', "(", "\r\n", "\u00a0", " The rest is plain. ")

_hidden = st.builds(lambda hide, word: hide(word), st.sampled_from(HIDINGS), st.sampled_from(WORDS))
_noise = st.one_of(st.text(max_size=12), st.text("0123456789abcdefABCDEF+/=_- ,;:%&\\\n", max_size=30))
_piece = st.one_of(_hidden, _hidden, st.sampled_from(WORDS), st.sampled_from(GAPS), _noise)
TEXTS = st.lists(_piece, min_size=1, max_size=8).map("".join) | st.lists(_piece, min_size=1, max_size=8).map(
    " ".join
)


@contextmanager
def every_search() -> Iterator[None]:
    """Whatever may be searched is searched, and nothing is remembered from before."""
    kept = encoded_tokens._kept_places, encoded_tokens._kept_readings
    tried = patch.object(Prefilter, "worth_trying", lambda self, _: list(self.searches))
    for one in kept:
        one.cache_clear()
    with tried, patch.object(TermPrefilter, "may_be_in", lambda *_: True):
        yield
    for one in kept:
        one.cache_clear()
