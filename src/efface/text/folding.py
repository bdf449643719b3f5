"""One way to make two spellings of a term equal, with the way back to the original offsets.

Case, compatibility forms, accents, look-alike letters, invisible characters and runs of white space
do not distinguish terms; a word hyphenated over a line break may be read joined.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from efface.core import Span

# Letters of other scripts and the Latin letter each looks like, after case folding.
_LOOKALIKES = {
    pair[0]: pair[1]
    for pairs in (
        "аa вb еe іi кk ӏl мm нh оo рp сc тt уy хx һh ѕs јj ԁd ԛq ԝw үy ѵv гr пn",  # Cyrillic
        "αa βb γy εe ζz ηn ιi κk μm νv οo ρp τt υu χx ωw ϲc ϳj",  # Greek
        "օo սu հh ոn ցg զq ɑa ɡg ıi ɩi ʟl ɪi ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz",  # Armenian, phonetic
        "ʙb ꜰf ɢg ʜh ɴn ǫq ʀr ꜱs ʏy ьb ƒf ƀb ȼc ɇe ɨi ɉj ɍr ŧt ʉu ƶz",  # small capitals, barred letters
        "Ꭺa Ᏼb Ꮯc Ꭰd Ꭼe Ꮐg Ꮋh Ꭵi Ꭻj Ꮶk Ꮮl Ꮇm Ꮲp Ꭱr Ꮪs Ꭲt Ꮩv Ꮃw Ꮓz",  # Cherokee
        "ꓮa ꓐb ꓚc ꓓd ꓰe ꓝf ꓖg ꓧh ꓲi ꓙj ꓗk ꓡl ꓟm ꓠn ꓳo ꓑp ꓣr ꓢs ꓔt ꓴu ꓦv ꓪw ꓫx ꓬy ꓜz",  # Lisu
        "‐- ‑- ‒- –- —- ―- −- ’' ‘' ʼ' ′' “\" ”\" øo łl đd ħh",  # punctuation, barred letters
    )
    for pair in pairs.split()
}
# White letters on black discs and squares, which Unicode gives no plain form.
_LOOKALIKES |= {chr(first + at): chr(ord("a") + at) for first in (0x1F150, 0x1F170) for at in range(26)}
# Letters of flags, letters in the private area where symbol fonts repeat ASCII, and Braille.
_LOOKALIKES |= {chr(0x1F1E6 + at): chr(ord("a") + at) for at in range(26)}
_LOOKALIKES |= {chr(0xF000 + code): chr(code).lower() for code in range(0x21, 0x7F)}
_LOOKALIKES |= dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", "abcdefghijklmnopqrstuvwxyz", strict=True))
_SPACES = dict.fromkeys([*range(9, 14), *range(28, 32)], " ")
_FILLERS = "\u115f\u1160\u3164\uffa0\u2800"  # letters that show nothing
_INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_TERMINAL = r"(?:\x1b\[|\x9b)[0-9;:?]*[ -/]*[@-~]|\x1b[()][0-9A-Z]"  # colours and the like in logs
TERMINAL = re.compile(_TERMINAL)
INVISIBLE = "\u2060"  # shows nothing and parts no word
_LETTERS = r"(?P<letters>[^\W\d_\x00-\x7f]{2,})"  # other alphabets, taken by the word
_IRREGULAR = rf"{_TERMINAL}|[\s{_INVISIBLE}]{{2,}}|{_LETTERS}|[^\x00-\x7f]|[\x00-\x08\x0e-\x1b\x7f]"
_QUOTED = r"(?:(?:[>|#*;%]{1,3}|//)[ \t]*){0,4}"  # marks before each line of a reply or a comment
# A hyphen at the end of a line. It comes first in the pattern: it is looked for faster.
_JOINT = rf"[-\u2010\u00ad](?<=\w.)[ \t]*\r?\n[ \t]*{_QUOTED}(?=\w)"
_APART = re.compile(_IRREGULAR)
_ASCII = re.compile(rf"{_TERMINAL}|[\t-\r\x1c- ]{{2,}}|[\x00-\x08\x0e-\x1b\x7f]")  # the same, of plain text
_JOINED = re.compile(rf"(?P<joint>{_JOINT})|{_IRREGULAR}")
_HAS_JOINT = re.compile(_JOINT)

_SEPARATORS = re.compile(r"[\s./:-]+")
_WORTH_KEEPING, _KEPT = 64, 1 << 16  # characters of a text whose folding is kept

# Scripts written without spaces: a term there may stand directly beside other letters.
UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    r"\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
_UNSPACED = re.compile(f"[{UNSPACED}]")


_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(rf"{_UNSPACED.pattern}|(?:(?!{_UNSPACED.pattern}).)+")


def words(text: str) -> list[tuple[int, int]]:
    """The places where words of a folded text begin and end. In scripts without spaces every letter is a word.

    A term stands alone exactly when both its ends are at such a border, or at neither a letter nor a digit.
    """
    spans: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if match.group().isascii():
            spans.append((start, end))
        else:
            spans.extend(piece.span() for piece in _PIECE.finditer(text, start, end))
    return spans


def _fold_ascii(text: str) -> str:
    lower = text.lower()
    return lower if lower.isprintable() else lower.translate(_SPACES)


@lru_cache(maxsize=65536)
def _fold_char(char: str) -> str:
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(
        " " if c.isspace() else str(unicodedata.decimal(c, _LOOKALIKES.get(c, c)))
        for c in decomposed
        if c.isspace() or (unicodedata.category(c) not in ("Mn", "Me", "Cf", "Cc") and c not in _FILLERS)
    )


class _Folds(dict[int, str]):
    """Maps a character's code to its folded form. Entries are computed on first use."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = _fold_ascii(char) if char.isprintable() and code < 128 else _fold_char(char)
        return self[code]


class _FoldsInStep(dict[int, str]):
    """The same, with a sign for characters that become none or several."""

    def __missing__(self, code: int) -> str:
        folded = _FOLDS[code]
        self[code] = folded if len(folded) == 1 else _NO_STEP
        return self[code]


_NO_STEP = "\ue000"  # a private-use character: it folds to itself, so that nothing is lost by the long way
_FOLDS = _Folds()
_FOLDS_IN_STEP = _FoldsInStep()
_BLANKS = re.compile(" {2,}")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and its way back. From one mark to the next the two texts run in step, or one
    original stretch became one folded unit (`ends` then holds where it ended)."""

    text: str
    starts: list[int] = field(repr=False)  # where a mark begins in the folded text
    origins: list[int] = field(repr=False)  # the same place in the original
    ends: list[int] = field(repr=False)  # a unit's end in the original, or -1 when in step

    @property
    def is_in_step(self) -> bool:
        """Whether no two characters of the folded text come from one of the original."""
        return len(self.starts) == 1 and self.ends[0] < 0

    def span(self, start: int, end: int) -> Span:
        """The original stretch that folded to `[start, end)`; a character that folded to many is whole."""
        return Span(*self.bounds(start, end))

    def bounds(self, start: int, end: int) -> tuple[int, int]:
        """The start and the end of that stretch."""
        if self.is_in_step:
            return start + self.origins[0], end + self.origins[0]
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        origin = self.origins[first] if self.ends[first] >= 0 else self._in_step(first, start)
        limit = self.ends[last] if self.ends[last] >= 0 else self._in_step(last, end - 1) + 1
        return origin, limit

    def all_bounds(self, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The same of spans in the order of the text, all at once."""
        if self.is_in_step:
            shift = self.origins[0]
            return [(start + shift, end + shift) for start, end in spans] if shift else list(spans)
        found = []
        mark, following = 0, [*self.starts[1:], len(self.text) + 1]
        for start, end in spans:
            while start >= following[mark]:
                mark += 1
            if end <= following[mark] and self.ends[mark] < 0:
                shift = self.origins[mark] - self.starts[mark]
                found.append((start + shift, end + shift))
            else:
                found.append(self.bounds(start, end))
        return found

    def _in_step(self, mark: int, at: int) -> int:
        return self.origins[mark] + at - self.starts[mark]

    def stands_alone(self, start: int, end: int) -> bool:
        """Whether `[start, end)` is bounded by something other than letters and digits."""
        text = self.text
        before = start == 0 or not continues(text[start - 1], text[start])
        return before and (end == len(text) or not continues(text[end - 1], text[end]))


def continues(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word or number."""
    if not (left.isalnum() and right.isalnum()):
        return False
    return not (_UNSPACED.match(left) or _UNSPACED.match(right))


def is_unspaced(text: str) -> bool:
    """Whether the text has a character of a script that is written without spaces."""
    return _UNSPACED.search(text) is not None


def fold(text: str, *, join_lines: bool = False) -> Folded:
    """The folded text. With `join_lines` a word hyphenated over a line break becomes one word."""
    if _WORTH_KEEPING <= len(text) <= _KEPT:
        return _kept_folding(text, join_lines)
    return _fold_anew(text, join_lines)


def _fold_anew(text: str, join_lines: bool) -> Folded:
    if text and not join_lines:
        folded = _fold_ascii(text) if is_plain(text) else _fold_in_step(text)
        if folded is not None:
            return Folded(folded, [0], [0], [-1])
    return _folded(text, _JOINED if join_lines else _ASCII if text.isascii() else _APART)


def _fold_in_step(text: str) -> str | None:
    """A short text folded character by character, if each becomes exactly one. Most accents and other letters do."""
    if len(text) > _WORTH_KEEPING or text.isascii():
        return None
    folded = text.translate(_FOLDS_IN_STEP)
    return None if _NO_STEP in folded or "  " in folded else folded


def fold_text(text: str, *, join_lines: bool = False) -> str:
    """The folded text alone, where no way back is needed."""
    if join_lines or "\x1b" in text or "\x9b" in text:
        return fold(text, join_lines=join_lines).text
    return _fold_ascii(text) if is_plain(text) else _BLANKS.sub(" ", text.translate(_FOLDS))


# Finders, the spreading of cuts and the search for leaks fold the same few texts one after another.
_kept_folding = lru_cache(maxsize=8)(_fold_anew)


def is_plain(text: str) -> bool:
    """Whether folding changes nothing but the case, and each white space to a blank."""
    if not text.isascii():
        return False
    return (text.isprintable() and "  " not in text) or _ASCII.search(text) is None


def _folded(text: str, irregular: re.Pattern[str]) -> Folded:
    """The folded text with its way back. Stretches that fold letter by letter are kept as one."""
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    ends: list[int] = []
    length = 0
    for start, end, piece, in_step in _folded_stretches(text, irregular):
        if piece[:1] == " " and pieces and pieces[-1][-1] == " ":  # only something invisible stood between
            _extend(starts, origins, ends, length - 1, start + 1 if in_step else end)
            piece, start = piece[1:], start + 1 if in_step else end
        elif not piece and length:  # an accent or invisible character belongs to the one before it
            _extend(starts, origins, ends, length - 1, end)
        if not piece:
            continue
        runs_on = in_step and bool(starts) and ends[-1] < 0 and origins[-1] + length - starts[-1] == start
        if not runs_on:
            starts.append(length)
            origins.append(start)
            ends.append(-1 if in_step else end)
        pieces.append(piece)
        length += len(piece)
    return Folded("".join(pieces), starts, origins, ends)


def _extend(starts: list[int], origins: list[int], ends: list[int], last: int, end: int) -> None:
    """Make the last folded character a unit that reaches to `end` in the original."""
    if starts[-1] == last:
        ends[-1] = end
        return
    origins.append(origins[-1] + last - starts[-1] if ends[-1] < 0 else origins[-1])
    starts.append(last)
    ends.append(end)


def _folded_stretches(text: str, irregular: re.Pattern[str]) -> Iterator[tuple[int, int, str, bool]]:
    """Original stretch, its folded form, and whether the two run in step; in order, covering all."""
    position = 0
    for match in irregular.finditer(text):
        start, end = match.span()
        if start > position:
            yield position, start, _fold_ascii(text[position:start]), True
        chunk = match.group()
        if match.lastgroup == "joint":
            position = end
            continue
        if match.lastgroup == "letters":
            yield from _letters(chunk, start)
            position = end
            continue
        if len(chunk) > 1:
            piece = " " if any(c.isspace() for c in chunk) else ""
        else:
            piece = _fold_char(chunk)
        yield start, end, piece, len(piece) == end - start == 1
        position = end
    if position < len(text):
        yield position, len(text), _fold_ascii(text[position:]), True


def _letters(chunk: str, start: int) -> Iterator[tuple[int, int, str, bool]]:
    """Letters in a row: one piece when each folds to one character, as nearly all do."""
    folded = [_fold_char(char) for char in chunk]
    whole = "".join(folded)
    if all(len(piece) == 1 for piece in folded) and " " not in whole:
        yield start, start + len(chunk), whole, True
        return
    for at, piece in enumerate(folded, start):
        yield at, at + 1, piece, len(piece) == 1


def foldings(text: str) -> Iterator[Folded]:
    """The folded readings in which a term is looked for: the text itself, and the text with hyphenated lines joined."""
    yield fold(text)
    if has_joint(text):
        yield fold(text, join_lines=True)


def has_joint(text: str) -> bool:
    """Whether a word may be hyphenated over a line break. Such a text has two readings."""
    return _HAS_JOINT.search(text) is not None


def fold_term(term: str) -> str:
    """The normal key of a term."""
    return (_fold_ascii(term) if is_plain(term) else fold(term).text).strip()


def without_separators(key: str) -> str:
    """A key without what a value may be written with or without: 4000 1111, 4000-1111."""
    return _SEPARATORS.sub("", key)
