"""Cuts a picture into the blocks that carry ink.

The text detector overlooks a lone line on a large blank page, and spends its time on the blank. Blocks are
separated by blank bands, so no word is cut. A picture without blank bands, such as a photo, is one block.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

_BAND = 48  # pixels of a blank band that separates blocks: more than the space between two words or lines
_MARGIN = 12  # pixels of blank kept around a block: the detector misses text that touches the edge
_INK = 16  # levels of grey by which ink differs from the background
_TALLEST = 960  # pixels; the detector was trained on crops of about this size
_MOST = 150  # blocks; more are noise


class Block(NamedTuple):
    """A part of a picture, in its pixels."""

    left: int
    top: int
    right: int
    bottom: int


def blocks(picture: Image) -> list[Block]:
    """The blocks of a picture with what surrounds them closely; nothing when it has one colour."""
    ink = _ink(picture)
    whole = Block(0, 0, picture.width, picture.height)
    found = [part for block in _divided(ink, whole) for part in _lowered(ink, block)]
    if len(found) > _MOST:
        found = [whole]
    return [_with_margin(block, whole) for block in found]


def _ink(picture: Image) -> Any:
    """Which pixels differ from the most frequent colour."""
    import numpy

    grey = numpy.asarray(picture.convert("L"), dtype=numpy.int16)
    colours = numpy.bincount(grey.ravel(), minlength=256)
    background = int(colours.argmax())
    return abs(grey - background) > min(_INK, max(0, int(grey.max() - grey.min()) // 4))


def _divided(ink: Any, block: Block) -> Iterator[Block]:
    """The block without its blank edges, divided at its widest blank band until none is left."""
    stack = [block]
    while stack:
        left, top, right, bottom = stack.pop()
        part = ink[top:bottom, left:right]
        rows, columns = part.any(axis=1).nonzero()[0], part.any(axis=0).nonzero()[0]
        if not len(rows):
            continue
        inner = Block(
            left + int(columns[0]), top + int(rows[0]), left + int(columns[-1]) + 1, top + int(rows[-1]) + 1
        )
        row, tall = _widest_gap(rows)
        column, wide = _widest_gap(columns)
        if max(tall, wide) < _BAND:
            yield inner
        elif tall >= wide:
            stack += [inner._replace(top=top + row), inner._replace(bottom=top + row)]
        else:
            stack += [inner._replace(left=left + column), inner._replace(right=left + column)]


def _widest_gap(inked: Any) -> tuple[int, int]:
    """The middle of the widest gap between inked rows or columns, and its width."""
    if len(inked) < 2:
        return 0, 0
    gaps = inked[1:] - inked[:-1]
    at = int(gaps.argmax())
    return int(inked[at]) + int(gaps[at]) // 2, int(gaps[at]) - 1


def _lowered(ink: Any, block: Block) -> Iterator[Block]:
    """A tall block divided at its emptiest rows; where no row is empty it stays whole."""
    left, top, right, bottom = block
    while bottom - top > _TALLEST:
        rows = ink[top + _TALLEST // 2 : top + _TALLEST, left:right].any(axis=1)
        blank = (~rows).nonzero()[0]
        if not len(blank):
            break
        at = top + _TALLEST // 2 + int(blank[-1])
        yield Block(left, top, right, at)
        top = at
    yield Block(left, top, right, bottom)


def _with_margin(block: Block, whole: Block) -> Block:
    return Block(
        max(whole.left, block.left - _MARGIN),
        max(whole.top, block.top - _MARGIN),
        min(whole.right, block.right + _MARGIN),
        min(whole.bottom, block.bottom + _MARGIN),
    )
