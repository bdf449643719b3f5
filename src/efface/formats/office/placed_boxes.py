"""Text boxes of a slide by their places: a word may be broken over boxes that stand in another order in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from efface.formats.office.namespaces import tags
from efface.formats.office.xmltext import Composer, Element, XmlPiece, XmlPlace
from efface.text.ordinary_words import is_ordinary

_SHAPES, _OFFSETS, _TEXTS = tags("p:sp"), tags("a:off"), tags("a:t")
_LEVEL = 180_000  # units of PowerPoint, half a centimetre: boxes that are so far apart at most are in one row or column
_STREAM = "boxes by place"


class _PlacedBox(NamedTuple):
    """A box with a single word: which it is in the file, its place, and its strings."""

    number: int
    x: int
    y: int
    texts: tuple[Element, ...]

    @property
    def word(self) -> str:
        return "".join(text.text or "" for text in self.texts).strip()


def compose_boxes(composer: Composer, part: str, slide: Element) -> None:
    """Show the rows and the columns of boxes that the file has in another order."""
    boxes = list(_boxes(slide))
    out = composer.stream(_STREAM) if len(boxes) > 1 else []
    for line in (
        *_lines(boxes, lambda box: box.y, lambda box: box.x),
        *_lines(boxes, lambda box: box.x, lambda box: box.y),
    ):
        if _is_out_of_order(line) and not all(is_ordinary(box.word.lower()) for box in line):
            out += _pieces(part, line)


def _boxes(slide: Element) -> Iterator[_PlacedBox]:
    for number, shape in enumerate(slide.iter(*_SHAPES)):
        offset = next(shape.iter(*_OFFSETS), None)
        texts = tuple(text for text in shape.iter(*_TEXTS) if text.text)
        if offset is None or len("".join(text.text or "" for text in texts).split()) != 1:
            continue
        x, y = offset.get("x", ""), offset.get("y", "")
        if x.lstrip("-").isdecimal() and y.lstrip("-").isdecimal():
            yield _PlacedBox(number, int(x), int(y), texts)


def _lines(
    boxes: Sequence[_PlacedBox], across: Callable[[_PlacedBox], int], along: Callable[[_PlacedBox], int]
) -> Iterator[list[_PlacedBox]]:
    """The boxes that stand on one line, each line in its order."""
    line: list[_PlacedBox] = []
    for box in sorted(boxes, key=across):
        if line and across(box) - across(line[0]) > _LEVEL:
            yield sorted(line, key=along)
            line = []
        line.append(box)
    yield sorted(line, key=along)


def _is_out_of_order(line: Sequence[_PlacedBox]) -> bool:
    return any(after.number != before.number + 1 for before, after in pairwise(line))


def _pieces(part: str, line: Sequence[_PlacedBox]) -> Iterator[XmlPiece]:
    for box in line:
        yield from ((text.text or "", (XmlPlace(part, text),)) for text in box.texts)
        yield "\n", ()
