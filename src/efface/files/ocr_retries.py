"""Reads a picture more than once where the first look leaves something that may be writing.

A line of low confidence, or a row of marks that was not read, is looked at with its contrast stretched, mirrored,
and squeezed. What remains after that was not read, and the result says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efface.files import ocr
from efface.files.picture_blocks import Block
from efface.files.picture_rows import Row, is_covered, rows

if TYPE_CHECKING:
    from PIL.Image import Image

_SURE = 0.9  # the confidence from which the engine is believed; mirrored and stretched words stay below
_GUESS = 0.4  # below this a line is nothing unless its marks look like writing
_LETTERS = 3  # letters and digits of a line that can be a word
_AROUND = 6  # pixels around what is looked at again
_MOST = 12  # places of a picture that are looked at again
_SQUEEZE = 4  # how many times lower or narrower a part is made for another reading
_APART = 4  # single letters one after the other that are one word set apart


@dataclass(frozen=True, slots=True)
class PictureReading:
    """The lines of a picture, and whether something that looks like writing is not among them."""

    lines: tuple[ocr.OcrLine, ...]
    unread: bool


@dataclass(frozen=True, slots=True)
class _Way:
    """How a part of a picture is looked at: mirrored, and by how much narrower and lower."""

    mirrored: bool = False
    narrower: int = 1
    lower: int = 1


_WAYS = (_Way(mirrored=True), _Way(lower=_SQUEEZE), _Way(narrower=_SQUEEZE))


def read(picture: Image) -> PictureReading:
    """Everything that can be read in a picture."""
    lines = [_closed_up(line) for line in ocr.lines(picture)]
    unread = _set_apart(lines)
    doubts = [*_doubtful(lines, picture), *rows(picture, map(box, lines))]
    if len(doubts) > _MOST:
        unread = unread or any(doubt.certain for doubt in doubts[_MOST:])
        doubts = doubts[:_MOST]
    for doubt in doubts:
        better = _again(doubt, picture)
        unread = unread or (doubt.certain and not better)
        lines = _replaced(lines, better)
    return PictureReading(tuple(lines), unread)


def _replaced(lines: Sequence[ocr.OcrLine], better: Sequence[ocr.OcrLine]) -> list[ocr.OcrLine]:
    """The lines with those of the second look, which take the place of unsure ones."""
    places = [box(line) for line in better]
    kept = [line for line in lines if line.score >= _SURE or not is_covered(box(line), places)]
    return kept + [line for line in better if line not in kept]


def box(line: ocr.OcrLine) -> Block:
    """The pixels around a line."""
    xs, ys = zip(*line.corners, strict=True)
    return Block(int(min(xs)) - 1, int(min(ys)) - 1, int(max(xs)) + 2, int(max(ys)) + 2)


def _doubtful(lines: Sequence[ocr.OcrLine], picture: Image) -> Iterator[Row]:
    """Lines that were read without confidence, as far as they look like writing."""
    unsure = [line for line in lines if line.score < _SURE and _count(line.text) >= _LETTERS]
    guesses = [line for line in unsure if line.score < _GUESS]
    written = _writing_besides(guesses, lines, picture) if guesses else []
    for line in unsure:
        # A mere guess may be a texture or a line of the drawing. It counts only where the pixels look like writing.
        if line not in guesses or is_covered(box(line), written):
            yield Row(box(line), picture)


def _writing_besides(
    guesses: Sequence[ocr.OcrLine], lines: Sequence[ocr.OcrLine], picture: Image
) -> list[Block]:
    """Where the picture looks like writing, besides the lines that are no guesses."""
    others = [box(line) for line in lines if line not in guesses]
    return [row.place for row in rows(picture, others)]


def _again(doubt: Row, picture: Image) -> list[ocr.OcrLine]:
    """What the first way says that reads the place with confidence."""
    # A few words between what was blacked out are read by themselves; the other ways go first, since a mirrored word
    # must not pass for another one.
    ways = (*_WAYS, _Way()) if doubt.shown is picture else (_Way(), *_WAYS)
    left, top, right, bottom = doubt.place
    whole = Block(0, 0, *picture.size)
    part = Block(
        max(0, left - _AROUND),
        max(0, top - _AROUND),
        min(whole.right, right + _AROUND),
        min(whole.bottom, bottom + _AROUND),
    )
    for way in ways:
        found = [_closed_up(line) for line in _lines_seen(doubt.shown, part, way)]
        sure = [line for line in found if line.score >= _SURE and _count(line.text) > 1]
        if is_covered(doubt.place, map(box, sure)):
            return sure
    return []


def _lines_seen(picture: Image, part: Block, way: _Way) -> Iterator[ocr.OcrLine]:
    """The lines of a part of a picture that is looked at in a way, in the picture's pixels."""
    from PIL.Image import Resampling, Transpose

    crop = picture.crop(part).convert("RGB")
    size = max(1, crop.width // way.narrower), max(1, crop.height // way.lower)
    if min(size) < ocr.LOWEST:
        return
    seen = crop.resize(size, Resampling.LANCZOS) if size != crop.size else crop
    if way.mirrored:
        seen = seen.transpose(Transpose.FLIP_LEFT_RIGHT)
    wide, tall = crop.width / size[0], crop.height / size[1]
    for line in ocr.lines(seen):
        a, b, c, d = (
            (part.left + (size[0] - x if way.mirrored else x) * wide, part.top + y * tall)
            for x, y in line.corners
        )
        yield replace(line, corners=(a, b, c, d))


def _closed_up(line: ocr.OcrLine) -> ocr.OcrLine:
    """The line with spaced letters joined into words."""
    words: list[ocr.OcrWord] = []
    run: list[ocr.OcrWord] = []
    for word in (*line.words, None):
        if word is not None and len(word.text) == 1 and word.text.isalnum():
            run.append(word)
            continue
        words += _joined_words(run)
        run = []
        if word is not None:
            words += [_glued(word)]
    return replace(line, words=tuple(words), text=" ".join(word.text for word in words))


def _joined_words(run: Sequence[ocr.OcrWord]) -> list[ocr.OcrWord]:
    if len(run) < _APART:
        return list(run)
    return [ocr.OcrWord("".join(word.text for word in run), run[0].start, run[-1].end)]


def _glued(word: ocr.OcrWord) -> ocr.OcrWord:
    """Joins spaced letters inside a word that contains blanks. The engine returns a line that it cannot split as such
    a word."""
    pieces = word.text.split()
    if len(pieces) < 2:
        return word
    texts = [ocr.OcrWord(piece, 0.0, 1.0) for piece in pieces]
    whole = _closed_up(ocr.OcrLine(word.text, 1.0, ((0, 0),) * 4, tuple(texts)))
    return replace(word, text=whole.text)


def _set_apart(lines: Sequence[ocr.OcrLine]) -> bool:
    """Whether letters in a row are so far apart that each was read as a line of its own."""
    single = [box(line) for line in lines if _count(line.text) == 1 and line.text[:1].isalpha()]
    for one in single:
        middle = (one.top + one.bottom) / 2
        if sum(other.top <= middle <= other.bottom for other in single) >= _APART:
            return True
    return False


def _count(text: str) -> int:
    return sum(map(str.isalnum, text))
