"""The text as the patterns see it: plain digits, plain blanks, nothing invisible, and the way back.

Full-width and other decimal digits, accents, look-alike letters and exotic blanks become their ASCII
twins, one for one; invisible characters and accents of their own are left out; a line break takes the
blanks and carriage return around it with it; a colour of a terminal is nothing. So a blank in a pattern is `\\s` and also means one line
break. A tab becomes the unit separator: it divides cells, and no pattern reaches over it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from efface.text.folding import fold

CELL = "\x1f"  # stands for a tab
FOOTNOTE = "^"  # stands for a raised or lowered digit, which is not part of the number before it
_COLOUR = r"[0-9;:?]*+[ -/]*+[@-~]"  # the rest of a command to a terminal, as logs hold colours
# Begins with one class, so that the search skips visible ASCII fast; then what the first character was.
_IRREGULAR = re.compile(
    r"[^!-~](?:(?<=[ \t\r\n\f\v])[ \t\r\n\f\v]++|(?<=[\t\r\f\v])"
    rf"|(?<=\x1b)(?:\[{_COLOUR}|[()][0-9A-Z])|(?<=\x9b){_COLOUR}"
    r"|(?<=[^\x00-\x7f])[^\x00-\x7f\x9b]{0,63}+|(?<=[\x00-\x08\x0e-\x1b\x7f]))"
)
_WIDE_BREAKS = ("\n\n", " \n", "\n ")
_CONTROLS = str.maketrans({"\t": CELL, "\r": "\n", "\f": "\n", "\v": "\n"})


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """A stretch of a text, made plain. From each mark on, original offset = position + shift."""

    text: str
    marks: list[int] = field(repr=False)
    shifts: list[int] = field(repr=False)

    def origin(self, position: int) -> int:
        """The position in the original text of the character at `position`."""
        return position + self.shifts[bisect_right(self.marks, position) - 1]

    def position(self, origin: int) -> int:
        """The first position whose character is at `origin` or later in the original text."""
        if len(self.marks) == 1:
            return min(max(origin - self.shifts[0], 0), len(self.text))
        return bisect_left(range(len(self.text)), origin, key=self.origin)


def view(text: str, start: int, end: int) -> NormalizedText:
    """The plain view of `text[start:end]`."""
    raw = text[start:end]
    if _is_plain(raw):
        return NormalizedText(raw, [0], [start])
    pieces: list[str] = []
    marks, shifts = [0], [start]
    copied = length = 0
    for match in _IRREGULAR.finditer(raw):
        run = match.group()
        piece, kept = _plain_blanks(run) if run[0] in " \t\r\n\f\v" else _plain_run(run)
        length += match.start() - copied
        pieces += (raw[copied : match.start()], piece)
        copied = match.end()
        if kept is not None:
            _note_positions(marks, shifts, length, start + match.start(), kept)
        length += len(piece)
        shift = start + copied - length
        if shifts[-1] != shift:
            marks.append(length)
            shifts.append(shift)
    pieces.append(raw[copied:])
    return NormalizedText("".join(pieces), marks, shifts)


def _is_plain(raw: str) -> bool:
    """Whether the view is the text itself: visible ASCII, blanks, and line breaks without blanks around them."""
    if not raw.isascii():
        return False
    if "\n" not in raw:
        return raw.isprintable()
    return not any(map(raw.__contains__, _WIDE_BREAKS)) and raw.replace("\n", "").isprintable()


def _note_positions(
    marks: list[int], shifts: list[int], length: int, origin: int, kept: tuple[int, ...]
) -> None:
    """Note the original positions of the characters that were kept of a run."""
    for at, offset in enumerate(kept, length):
        shift = origin + offset - at
        if shifts[-1] != shift:
            marks.append(at)
            shifts.append(shift)


def _plain_blanks(run: str) -> tuple[str, tuple[int, ...] | None]:
    """A run of blanks: as it is when it stays in a line, else one line break, or two for a gap."""
    breaks = run.count("\n") or run.count("\r")
    if not breaks:
        return run.translate(_CONTROLS), None
    return ("\n", (0,)) if breaks == 1 else ("\n\n", (0, 1))


@lru_cache(maxsize=4096)
def _plain_run(run: str) -> tuple[str, tuple[int, ...] | None]:
    """The plain form of a run, and which of its characters are left when some are not."""
    if run[0] in "\x1b\x9b" and run[1:].isascii() and len(run) > 1:  # a command to a terminal
        return "", ()
    chars = [_plain_char(char) for char in run]
    if all(chars):
        return "".join(chars), None
    return "".join(chars), tuple(offset for offset, char in enumerate(chars) if char)


@lru_cache(maxsize=65536)
def _plain_char(char: str) -> str:
    """The ASCII twin of a character, nothing for an invisible one, else the character itself."""
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    folded = fold(char).text
    if folded.isdigit() and unicodedata.decomposition(char).startswith(("<super>", "<sub>")):
        return FOOTNOTE
    if not folded or (len(folded) == 1 and folded.isascii()):
        return folded.upper() if char.isupper() else folded
    return char
