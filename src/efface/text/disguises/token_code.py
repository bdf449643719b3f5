"""What an encoding of tokens is, and the text that decoded bytes hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from efface.text.disguises.compressed_data import unpacked
from efface.text.search.search_prefilter import Sign, always

Decode = Callable[[str], Iterator[str]]
ENCODINGS = ("utf-8", "cp1252")
_READABLE = re.compile(rb"[ -~\x80-\xff]{4}")  # shorter strings are not looked for in what was decoded


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """An encoding: the pattern of its tokens, its decoder, and the signs that a text must contain to hold a token."""

    pattern: re.Pattern[str]
    decode: Decode
    marks: str = ""
    sign: Sign = always


def texts(data: bytes) -> Iterator[str]:
    """What decoded bytes say."""
    data = unpacked(data) or data
    if b"\0" not in data and _READABLE.search(data) is None:
        return
    for encoding in ENCODINGS:
        yield data.decode(encoding, "replace")
    if b"\0" in data:
        yield data.replace(b"\0", b"").decode("utf-8", "replace")
