"""The lines between the parts of a message."""

from __future__ import annotations

import re
from typing import NamedTuple

EOL = rb"(?:\r\n?+|\n)"


class Delimiter(NamedTuple):
    """A line between parts: from the line break before it to the one after it, and its boundary's place."""

    start: int
    end: int
    boundary: int
    closes: bool


def delimiters(data: bytes, start: int, end: int, boundary: bytes) -> list[Delimiter]:
    """The delimiters up to the closing one; what looks like them after it is text."""
    pattern = re.compile(
        rb"(?:" + EOL + rb"|(?<=[\r\n])|\A)--(?P<boundary>" + re.escape(boundary) + rb")(?P<close>--)?+"
        rb"[ \t]*+(?:(?=(?P<eol>" + EOL + rb"))|\Z)"
    )
    found: list[Delimiter] = []
    for match in pattern.finditer(data, start, end):
        line_end = match.end() + len(match["eol"] or b"")
        found.append(Delimiter(match.start(), line_end, match.start("boundary"), match["close"] is not None))
        if found[-1].closes:
            break
    return found
