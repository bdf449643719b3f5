"""Finds rows that look like writing: marks of like height side by side, as they stand out from a flat ground.

It says where letters may be, not what they say, and costs a hundredth of reading. Ink of any colour counts, and
ink that differs by a few levels only is looked for apart from the rest, where nothing stronger is near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efface.files.picture_blocks import Block

if TYPE_CHECKING:
    from PIL.Image import Image

_GROUND = 0.1  # a colour that covers less than this part of the pixels is no ground
_GROUNDS = 3  # colours that may be the ground of a picture, the most frequent ones
_SLIGHT, _FAINT = 2, 24  # levels of the least ink, and of the most that counts as faint
_HALO = 3  # pixels around strong ink in which faint ink belongs to it
_RINGING = 17  # pixels around strong ink in which faint marks may be traces of a JPEG's blocks
_MARGIN = 0.2  # the height of the margin around letters, as a part of the row's; a texture goes on there
_BLANK = 0.4  # the largest part of a row's ink that may be in its margin
_LOWEST, _NARROWEST = 5, 2  # pixels of a mark
_THIN, _SOLID = 0.08, 0.95  # parts of its box that a letter covers
_MARKS = 5  # the least number of marks in a row
_SIZES = 3  # different sizes in a row; a dashed line has one or two
_ALIKE = 0.7  # the share of a row's marks that have about the middle height
_COVERED = 0.5  # a row is known if this part of it lies in what was read


@dataclass(frozen=True, slots=True)
class Row:
    """What looks like a line of writing, a picture in which it is black on white, and whether it can be little else."""

    place: Block
    shown: Image
    certain: bool = True


def rows(picture: Image, read: Iterable[Block]) -> list[Row]:
    """The rows of a picture that do not lie in the places that were read."""
    import numpy

    colour = numpy.asarray(picture.convert("RGB"))
    known = list(read)
    found: list[Row] = []
    for ground in _grounds(colour):
        difference = abs(colour.astype(numpy.int16) - ground).max(axis=2)
        for ink, near, most in _inks(difference):
            _forget(ink, known)
            places = [place for place in _rows_of_marks(ink) if _stands_alone(ink, place)]
            if places:
                shown = _as_picture(difference, most)
                found += [Row(place, shown, not near[_as_slices(place)].any()) for place in places]
                known += places
    return found


def is_covered(place: Block, read: Iterable[Block]) -> bool:
    """Whether the most of a place lies in others."""
    import numpy

    seen = numpy.zeros((place.bottom - place.top, place.right - place.left), dtype=bool)
    for left, top, right, bottom in read:
        seen[
            max(0, top - place.top) : max(0, bottom - place.top),
            max(0, left - place.left) : max(0, right - place.left),
        ] = True
    return bool(seen.mean() >= _COVERED) if seen.size else True


def _grounds(colour: Any) -> list[Any]:
    """The colours that cover much of a picture, the most frequent first."""
    import numpy

    levels = colour.astype(numpy.uint32)
    values, counts = numpy.unique(
        levels[:, :, 0] << 16 | levels[:, :, 1] << 8 | levels[:, :, 2], return_counts=True
    )
    order = numpy.argsort(counts)[::-1][:_GROUNDS]
    wide = [int(values[at]) for at in order if counts[at] >= _GROUND * counts.sum()]
    return [numpy.array((value >> 16, value >> 8 & 255, value & 255), dtype=numpy.int16) for value in wide]


def _inks(difference: Any) -> Iterator[tuple[Any, Any, int]]:
    """Yields strong and faint ink, each with the marks that may be traces of other ink and the difference from which
    it is black."""
    strong = difference > _FAINT
    yield strong.copy(), strong & False, 255
    faint = (difference >= _SLIGHT) & ~strong & ~_grown(strong, _HALO)
    yield faint, _grown(strong, _RINGING), _FAINT


def _grown(ink: Any, by: int) -> Any:
    import cv2
    import numpy

    return cv2.dilate(ink.astype(numpy.uint8), numpy.ones((2 * by + 1,) * 2, dtype=numpy.uint8)) > 0


def _as_slices(place: Block) -> tuple[slice, slice]:
    return slice(max(0, place.top), place.bottom), slice(max(0, place.left), place.right)


def _stands_alone(ink: Any, place: Block) -> bool:
    """Whether there is less ink around a row than in it, as around letters."""
    margin = max(2, round(_MARGIN * min(place.bottom - place.top, place.right - place.left)))
    outer = ink[
        _as_slices(
            Block(place.left - margin, place.top - margin, place.right + margin, place.bottom + margin)
        )
    ]
    inner = ink[_as_slices(place)]
    around = outer.size - inner.size
    return not around or (outer.sum() - inner.sum()) / around <= _BLANK * inner.mean()


def _forget(ink: Any, places: Iterable[Block]) -> None:
    for left, top, right, bottom in places:
        ink[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = False


def _as_picture(difference: Any, most: int) -> Image:
    import numpy
    from PIL import Image as PillowImage

    top = min(most, max(1, int(difference.max())))
    clipped = difference if most == 255 else numpy.where(difference > most, 0, difference)
    return PillowImage.fromarray((255 - clipped * 255 // top).astype(numpy.uint8)).convert("RGB")


def _rows_of_marks(ink: Any) -> Iterator[Block]:
    """The rows of marks, across and down."""
    if not ink.any():
        return
    marks = _marks(ink)
    across = list(_row_boxes(marks, ink.shape))
    yield from across
    height, width = ink.shape
    for top, left, bottom, right in _row_boxes(marks[:, [1, 0, 3, 2, 4]], (width, height)):
        down = Block(left, top, right, bottom)
        if not is_covered(down, across):
            yield down


def _marks(ink: Any) -> Any:
    """The boxes of connected ink that may be letters: left, top, width, height, pixels."""
    import cv2
    import numpy

    _, _, marks, _ = cv2.connectedComponentsWithStats(ink.astype(numpy.uint8), connectivity=8)
    marks = marks[1:]
    wide, tall, area = marks[:, 2], marks[:, 3], marks[:, 4]
    filled = area / (wide * tall)
    large = (numpy.maximum(wide, tall) >= _LOWEST) & (numpy.minimum(wide, tall) >= _NARROWEST)
    return marks[large & (filled >= _THIN) & (filled <= _SOLID)]


def _row_boxes(marks: Any, shape: tuple[int, int]) -> Iterator[Block]:
    """Groups of marks side by side that are as a line of letters is."""
    import cv2
    import numpy

    if len(marks) < _MARKS:
        return
    joined = numpy.zeros(shape, dtype=numpy.uint8)
    for left, top, wide, tall, _ in marks:
        reach = int(max(tall, wide // 2))
        joined[
            top + tall // 4 : top + tall - tall // 4, max(0, left - reach // 2) : left + wide + reach // 2
        ] = 1
    _, labels = cv2.connectedComponents(joined, connectivity=4)
    group = labels[marks[:, 1] + marks[:, 3] // 2, marks[:, 0] + marks[:, 2] // 2]
    for number in numpy.unique(group):
        letters = _letters(marks[group == number])
        if number and len(letters):
            left, top = letters[:, 0].min(), letters[:, 1].min()
            right, bottom = (letters[:, 0] + letters[:, 2]).max(), (letters[:, 1] + letters[:, 3]).max()
            yield Block(int(left), int(top), int(right), int(bottom))


def _letters(marks: Any) -> Any:
    """The marks of a row that have its typical height. Returns none if the row does not look like a line of letters."""
    import numpy

    tall = marks[:, 3]
    middle = float(numpy.median(tall))
    alike = (tall >= 0.6 * middle) & (tall <= 1.7 * middle)
    letters = marks[alike]
    sizes = {(int(wide), int(high)) for wide, high in letters[:, 2:4]}
    if len(letters) < _MARKS or len(sizes) < _SIZES or alike.mean() < _ALIKE:
        return letters[:0]
    whole = (letters[:, 1] + letters[:, 3]).max() - letters[:, 1].min()
    return letters if whole <= 2.5 * middle else letters[:0]
