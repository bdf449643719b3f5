"""Words whose letters stand apart: "W h i t c o m b e", "W.h.i.t.c.o.m.b.e", "Whit combe", a letter to a table cell.

A text is read with nothing between its letters. What is found there counts where it begins and ends with a piece of
the text, and where the pieces are no ordinary words by chance ("good man" is not Goodman).
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from efface.text.folding import Folded, is_unspaced
from efface.text.ordinary_words import is_ordinary

Look = Callable[[str], Iterable[tuple[int, int, int]]]  # (which string, start, end), inside of words too

_BETWEEN = re.compile(r"[\W_]+")
_PIECE = re.compile(r"[^\W_]+")
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())
_BLOCK = 64  # characters whose letters are counted together
_COPIED = 1 << 18  # characters of a text that are copied at a time
_GAP = 8  # characters between two letters of one word
_LEAST = 4  # letters of a word that is known with its letters apart
_LEAST_UNSPACED = 2  # letters: Chinese and Japanese names may have no more
_LEAST_DIGITS = 6  # digits of a number that is known with its digits in groups
_MORE_BEFORE, _MORE_AFTER = re.compile(r"\d[-.,/]"), re.compile(r"[-.,/]\d")
# A digit or a bar by itself beside a letter by itself: both may be of a word that is spelled.
_LETTER, _DIGIT = r"(?<![^\W_])[^\W\d_]", r"(?<![^\W_])[01|]"
_TWIN = re.compile(rf"(?:{_LETTER}[\W_]{{1,8}}{_DIGIT}|{_DIGIT}[\W_]{{1,8}}{_LETTER})(?![^\W_])")
_LONE = re.compile(r"[01|](?<![^\W_].)(?![^\W_])")  # what every twin has, and is fast to look for
_TWINS = (str.maketrans("1|0", "iio"), str.maketrans("1|0", "llo"))
_GROUPS = frozenset(" \u00a0\u202f-.,/'’")
_PIECES = 3  # pieces of a word that is broken; more of them spell it
_LEAST_BROKEN = 6  # letters of a word that may be broken in many pieces
_LINE_ENDS = ("\n", "\r", "\r\n", "\v", "\x85", "\u2028")
# Also a line that is folded, as mails, cards and calendars have it: with a blank before or after its end.
_BREAKS = frozenset(" \u00a0-\u2010\u2011_*./·").union(*((end, f" {end}", f"{end} ") for end in _LINE_ENDS))


def joined(key: str) -> str:
    """A key with nothing between its letters, or "" if it is too short to be known so."""
    letters = without_gaps(key)
    if not any(map(str.isalpha, letters)):
        return letters if len(letters) >= _LEAST_DIGITS else ""
    least = _LEAST_UNSPACED if is_unspaced(letters) else _LEAST
    return letters if len(letters) >= least else ""


def reversed_word(key: str) -> str:
    """A word from its last letter to its first, or "" if that is a word as well or too short to be known so."""
    backwards = key[::-1]
    is_known = len(key) > _LEAST and key.isalpha() and backwards != key and not is_ordinary(backwards)
    return backwards if is_known else ""


def without_gaps(text: str) -> str:
    """The letters and digits of a text alone."""
    if len(text) > _COPIED:  # a large one in pieces: three copies of it would be made on the way
        pieces = (without_gaps(text[at : at + _COPIED]) for at in range(0, len(text), _COPIED))
        return "".join(pieces)
    if text.isascii():
        return text.encode("ascii").translate(None, _NO_LETTERS).decode("ascii")
    return _BETWEEN.sub("", text)


def find_spaced_letters(
    text: str, folded: Folded, look: Look, keys: Sequence[str] = ()
) -> Iterator[tuple[int, int, int]]:
    """(which string, start, end) in the folded text, for joined strings that stand there with something between.

    `folded` is the text, folded; `look` finds the joined strings; `keys` are these before they were joined. A key of
    one word may be broken by anything but letters and digits, as over two cells. The words of a longer key may stand in
    two cells for themselves, so it is broken only by what breaks a word.
    """
    hits = list(look(without_gaps(folded.text)))
    if not hits:
        return
    gaps = _Gaps(folded.text)
    for which, start, end in hits:
        places = gaps.pieces(start, end)
        one_word = bool(keys) and keys[which].isalpha()
        if len(places) > 1 and _is_meant(text, folded, places, one_word=one_word):
            yield which, places[0][0], places[-1][1]


def _is_meant(text: str, folded: Folded, places: Sequence[tuple[int, int]], *, one_word: bool) -> bool:
    """Whether pieces of the folded text are one string that was split. Separate words that happen to meet are not."""
    pieces = [folded.span(*place) for place in places]
    between = [text[a.end : b.start] for a, b in pairwise(pieces)]
    # Flags and letters in brackets are no letters before they are folded.
    letters = [folded.text[low:high] for low, high in places]
    if all(map(str.isdigit, letters)):  # a number in groups
        is_grouped = all(map(_GROUPS.__contains__, between))
        return is_grouped and not _goes_on(text, pieces[0].start, pieces[-1].end)
    surfaces = [text[piece.start : piece.end] for piece in pieces]
    return _is_spelled(letters, between) or _is_broken(surfaces, between, one_word=one_word)


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether more digits belong to a number: "1,234,567" in "1,234,567,890"."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return _MORE_BEFORE.fullmatch(before) is not None or _MORE_AFTER.fullmatch(after) is not None


def twin_readings(text: str) -> Iterator[str]:
    """The text, and with letters for the digits and bars that look like them, as scans have them: "r 0 v"."""
    yield text
    if _LONE.search(text) and _TWIN.search(text):
        for twins in _TWINS:
            yield text.translate(twins)


def _letters_by_block(text: str) -> Iterator[int]:
    """How many letters and digits each block of the text has."""
    for start in range(0, len(text), _COPIED):
        stretch = text[start : start + _COPIED]
        if stretch.isascii():
            raw = stretch.encode("ascii")
            for at in range(0, len(raw), _BLOCK):
                yield len(raw[at : at + _BLOCK].translate(None, _NO_LETTERS))
        else:
            for at in range(0, len(stretch), _BLOCK):
                yield len(without_gaps(stretch[at : at + _BLOCK]))


class _Gaps:
    """Maps places in a text without its gaps back to the original text.

    Letters are counted per block. A lookup scans one block, and a text of any length needs little memory.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._before = array("q", accumulate(_letters_by_block(text), initial=0))  # letters before each block

    def pieces(self, start: int, end: int) -> Sequence[tuple[int, int]]:
        """The pieces of a stretch of the joined text, where it begins and ends with whole ones; else nothing."""
        at = self._letter_place(start)
        if at and self._text[at - 1].isalnum():
            return ()
        places: list[tuple[int, int]] = []
        left = end - start
        while left:
            piece = _PIECE.search(self._text, at)
            if piece is None or piece.end() - piece.start() > left:
                return ()
            places.append(piece.span())
            at = piece.end()
            left -= at - piece.start()
        return places

    def _letter_place(self, number: int) -> int:
        """Where the letter of this number stands in the text."""
        block = bisect_right(self._before, number) - 1
        skipped = number - self._before[block]
        for piece in _PIECE.finditer(self._text, block * _BLOCK, (block + 1) * _BLOCK):
            if skipped < piece.end() - piece.start():
                return piece.start() + skipped
            skipped -= piece.end() - piece.start()
        return len(self._text)


def _is_spelled(pieces: Sequence[str], between: Sequence[str]) -> bool:
    """Whether a word is written letter by letter. Digits that look like letters may be among them, and some letters
    may have stayed together: "Ha m s ho"."""
    letters = sum(map(str.isalpha, pieces))
    if 2 * letters <= len(pieces) or not all(len(gap) <= _GAP or gap.isspace() for gap in between):
        return False
    lengths = list(map(len, pieces))
    if max(lengths) == 1:
        return True
    # Some letters stayed together: at most two, and no more often than letters stand alone.
    return len(pieces) > _PIECES and max(lengths) == 2 and 2 * lengths.count(1) >= len(pieces)


def _is_broken(pieces: Sequence[str], between: Sequence[str], *, one_word: bool) -> bool:
    """Whether a word is broken in two or three pieces: "Whit combe", "W hitcombe"; not "Robert A".

    More pieces count, too, if most of the letters are in pieces that are no words: "Whi tco mbe", "Wh it co mbe".
    """
    for gap in between:
        if gap not in _BREAKS and not (one_word and len(gap) <= _GAP):
            return False
    if not all(map(str.isalpha, pieces)):
        return False
    if len(pieces[-1]) == 1:  # an initial after a name
        return False
    ordinary = [piece for piece in pieces if is_ordinary(piece.lower())]
    if _are_most(len(pieces) - len(ordinary), len("".join(pieces)), len("".join(ordinary))):
        return True
    is_in_prose = any(map(str.islower, ordinary))
    return len(pieces) <= _PIECES and len(ordinary) < len(pieces) and not is_in_prose


def _are_most(others: int, letters: int, of_words: int) -> bool:
    """Whether pieces that are no words hold most of the letters. So many are not side by side by chance."""
    return others > 1 and letters >= _LEAST_BROKEN and 2 * of_words < letters
