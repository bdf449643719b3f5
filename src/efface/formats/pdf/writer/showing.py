"""Text-showing operators written again, each piece in a place of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pikepdf import String

from efface.formats.pdf.fonts.fonts import real
from efface.formats.pdf.reader.drawing import Show
from efface.formats.pdf.reader.layout import geometry
from efface.formats.pdf.reader.matrix import Matrix, numbers, translate


def show_syntax(
    show: Show,
    elements: list[Any],
    gone: set[tuple[int, int]],
    moved: dict[tuple[int, int], float],
    boxes: Mapping[tuple[int, int], list[bytes]],
) -> list[bytes]:
    """A show operator as pieces with a place each, and the boxes between them."""
    if not gone and not moved:
        return _unchanged(show, elements)
    unit = geometry(show).unit
    runs = {element: number for number, (element, *_) in enumerate(show.runs)}
    syntax: list[bytes] = []
    group = _GlyphGroup()
    for element, item in enumerate(elements):
        if not isinstance(item, String):
            group.kern(item)
            continue
        if element not in runs:
            continue
        run = runs[element]
        data = show.runs[run][1]
        decoded = zip(show.font.decode(data), show.run_glyphs(run), strict=True)
        for index, ((start, end, _, _), (_, offset, _)) in enumerate(decoded):
            if (run, index) in gone:
                syntax += group.close(show)
                if box := boxes.get((run, index)):
                    syntax += [b"ET", *box, b"BT"]
                continue
            shift = moved.get((run, index), 0.0) / unit if unit else 0.0
            if group.strings and abs(shift - group.shift) > 1e-9:
                syntax += group.close(show)
            group.add(data[start:end], offset, shift)
        group.split()
    return syntax + group.close(show)


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
