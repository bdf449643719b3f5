"""The graphics state as far as text needs it, and operands turned into it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pikepdf import Array, Dictionary, String

from efface.formats.pdf.fonts.font_decoding import Font
from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.covers import Box, Colour
from efface.formats.pdf.reader.drawing import ShownRun
from efface.formats.pdf.reader.matrix import IDENTITY, Matrix, sane
from efface.formats.pdf.reader.object_walk import Step, members
from efface.formats.pdf.reader.strings import decode


@dataclass(slots=True)
class GraphicsState:
    ctm: Matrix
    font: Font
    size: float = 1.0
    char_space: float = 0.0
    word_space: float = 0.0
    scale: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0
    label: bool = False
    fill: Colour | None = (0.0, 0.0, 0.0)
    stroke: Colour | None = (0.0, 0.0, 0.0)
    alpha: float = 1.0
    masked: bool = False
    blended: bool = False
    line_width: float = 1.0
    clip: Box | None = None

    def copy(self) -> GraphicsState:
        return GraphicsState(
            self.ctm,
            self.font,
            self.size,
            self.char_space,
            self.word_space,
            self.scale,
            self.leading,
            self.rise,
            self.mode,
            self.label,
            self.fill,
            self.stroke,
            self.alpha,
            self.masked,
            self.blended,
            self.line_width,
            self.clip,
        )


@dataclass(slots=True)
class StreamFrame:
    """What belongs to one drawing of one stream while it runs."""

    use: int
    resources: Dictionary
    state: GraphicsState  # as it is now
    op: int = 0  # the operator that runs
    states: list[GraphicsState] = field(default_factory=list)
    overflow: int = 0
    text: Matrix = IDENTITY
    line: Matrix = IDENTITY
    block: int = -1
    block_ctm: Matrix = IDENTITY
    marks: list[tuple[int, bool, int]] = field(default_factory=list)  # operator, optional content, mark
    fonts: dict[str, Font] = field(default_factory=dict)


def advance(elements: Iterable[Any], state: GraphicsState) -> tuple[list[ShownRun], float]:
    """The strings of a show operator with their places, and where the text position ends."""
    font, size = state.font, state.size
    scale = 1.0 if font.vertical else state.scale
    runs: list[ShownRun] = []
    offset = 0.0
    for element, item in enumerate(elements):
        if not isinstance(item, String):
            offset -= real(item) * 0.001 * size * scale
            continue
        data = bytes(item)
        if not data:
            continue
        width, count, text = font.measure(data)
        spaces = data.count(b" ") if state.word_space and not font.composite else 0
        after = offset + (width * size + count * state.char_space + spaces * state.word_space) * scale
        # Spacing that pulls glyphs together, undone by the numbers between, does not make them smaller.
        seen = after - min(0.0, state.char_space) * scale if not font.vertical else after
        runs.append((element, data, offset, seen, text))
        offset = after
    return runs, offset


def texts(properties: Dictionary) -> dict[tuple[Step, ...], str]:
    found: dict[tuple[Step, ...], str] = {}
    stack: list[tuple[Any, tuple[Step, ...]]] = [(properties, ())]
    while stack:
        value, path = stack.pop()
        if isinstance(value, String):
            found[path] = decode(value)
        elif isinstance(value, (Dictionary, Array)):
            stack.extend((child, (*path, step)) for step, child in members(value))
    return found


def dictionary(value: object) -> Dictionary:
    return value if isinstance(value, Dictionary) else Dictionary()


def six(operands: Any) -> Matrix:
    a, b, c, d, e, f = (real(value) for value in operands)
    return (a, b, c, d, e, f)


def matrix(value: object) -> Matrix:
    if isinstance(value, Array) and len(value) == 6:
        matrix = six(value)
        return matrix if sane(matrix) else IDENTITY
    return IDENTITY
