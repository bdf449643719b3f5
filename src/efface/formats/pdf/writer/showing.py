"""Text-showing operators written again, each piece in a place of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pikepdf import String

from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.drawing import Show
from efface.formats.pdf.reader.layout import geometry
from efface.formats.pdf.reader.matrix import Matrix, numbers, translate

GlyphKey = tuple[int, int]  # a run of a show, and a glyph of the run

_SAME_SHIFT = 1e-9  # glyphs whose offsets differ by less keep their distances


def show_syntax(
    show: Show,
    elements: list[Any],
    gone: set[GlyphKey],
    moved: dict[GlyphKey, float],
    boxes: Mapping[GlyphKey, list[bytes]],
) -> list[bytes]:
    """A show operator as pieces with a place each, and the boxes between them."""
    if not gone and not moved:
        return _unchanged(show, elements)
    runs = {element: number for number, (element, *_) in enumerate(show.runs)}
    changed = _ChangedShow(show, gone, moved, boxes, geometry(show).unit)
    for element, item in enumerate(elements):
        if not isinstance(item, String):
            changed.group.kern(item)
        elif element in runs:
            changed.write_run(runs[element])
    return changed.finish()


def _unchanged(show: Show, elements: list[Any]) -> list[bytes]:
    """A show that stays as it is, in its own place."""
    array = " ".join(f"<{bytes(item).hex()}>" if isinstance(item, String) else str(item) for item in elements)
    return [f"{numbers(*show.matrix)} Tm [{array}] TJ".encode()] if show.runs else []


class _GlyphGroup:
    """Glyphs that keep their distances to each other."""

    def __init__(self) -> None:
        self.strings: list[bytes | str] = []
        self.shift = 0.0
        self._offset = 0.0
        self._fresh = True

    def kern(self, item: Any) -> None:
        if self.strings:
            self.strings.append(str(item))
            self._fresh = True

    def split(self) -> None:
        self._fresh = True

    def add(self, code: bytes, offset: float, shift: float) -> None:
        if not self.strings:
            self._offset, self.shift = offset, shift
        if self._fresh or not isinstance(self.strings[-1], bytes):
            self.strings.append(code)
            self._fresh = False
        else:
            self.strings[-1] += code

    def close(self, show: Show) -> list[bytes]:
        strings, self.strings, self._fresh = self.strings, [], True
        while strings and isinstance(strings[-1], str):
            strings.pop()
        if not strings:
            return []
        matrix = _moved_matrix(show, self._offset + self.shift)
        array = " ".join(f"<{item.hex()}>" if isinstance(item, bytes) else item for item in strings)
        return [f"{numbers(*matrix)} Tm [{array}] TJ".encode()]


@dataclass(slots=True)
class _ChangedShow:
    """A show that loses or moves glyphs, as it is written again: groups of glyphs, and boxes between them."""

    show: Show
    gone: set[GlyphKey]
    moved: dict[GlyphKey, float]
    boxes: Mapping[GlyphKey, list[bytes]]
    unit: float  # page units to one unit of offset
    group: _GlyphGroup = field(default_factory=_GlyphGroup)
    _syntax: list[bytes] = field(default_factory=list)

    def write_run(self, run: int) -> None:
        data = self.show.runs[run][1]
        decoded = zip(self.show.font.decode(data), self.show.run_glyphs(run), strict=True)
        for index, ((start, end, _, _), (_, offset, _)) in enumerate(decoded):
            if (run, index) in self.gone:
                self._leave_out((run, index))
            else:
                self._write_glyph((run, index), data[start:end], offset)
        self.group.split()

    def finish(self) -> list[bytes]:
        return self._syntax + self.group.close(self.show)

    def _leave_out(self, glyph: GlyphKey) -> None:
        self._syntax += self.group.close(self.show)
        if box := self.boxes.get(glyph):  # a box cannot be drawn within a text object
            self._syntax += [b"ET", *box, b"BT"]

    def _write_glyph(self, glyph: GlyphKey, code: bytes, offset: float) -> None:
        shift = self.moved.get(glyph, 0.0) / self.unit if self.unit else 0.0
        if self.group.strings and abs(shift - self.group.shift) > _SAME_SHIFT:
            self._syntax += self.group.close(self.show)
        self.group.add(code, offset, shift)


def _moved_matrix(show: Show, offset: float) -> Matrix:
    if show.font.vertical:
        return translate(0.0, offset, show.matrix)
    return translate(offset, 0.0, show.matrix)


class WordSpacing:
    """Word spacing, only where it is needed: that of a justified line would reveal how long the line was."""

    def __init__(self) -> None:
        self._written: float | None = None  # unknown at first: a form inherits it
        self._meant: float | None = None
        self._stack: list[tuple[float | None, float | None]] = []

    def before(self, operator: str, instruction: Any, wanted: float | None) -> list[bytes]:
        """What to write before an operator; `wanted` is the spacing that a show needs."""
        if operator == "q":
            self._stack.append((self._written, self._meant))
        elif operator == "Q" and self._stack:
            self._written, self._meant = self._stack.pop()
        elif operator in ("Tw", '"') and len(instruction.operands):
            self._meant = real(instruction.operands[0])
        elif operator == "Do":
            wanted = self._meant
        if wanted is None or wanted == self._written:
            return []
        self._written = wanted
        return [f"{numbers(wanted)} Tw".encode()]
