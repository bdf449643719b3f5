"""The operators that set text: its spacing, its place, and the strings themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.drawing import Drawing, Show
from efface.formats.pdf.reader.matrix import IDENTITY, Matrix, sane, translate
from efface.formats.pdf.reader.state import StreamFrame, advance, six


class TextOperators:
    """Follows one drawing of one stream; every string that it shows becomes a `Show` of the drawing."""

    def __init__(self, drawing: Drawing, frame: StreamFrame) -> None:
        self._drawing = drawing
        self._frame = frame
        self.table: dict[str, Callable[[Any], None]] = {
            "BT": self._begin,
            "ET": self._end,
            "Tc": self._char_space,
            "Tw": self._word_space,
            "Tz": self._scale,
            "TL": self._leading,
            "Ts": self._rise,
            "Tr": self._mode,
            "Td": self._move,
            "TD": self._move_leading,
            "Tm": self._set_matrix,
            "T*": self._next_line,
            "Tj": self._show_string,
            "TJ": self._show_array,
            "'": self._line_string,
            '"': self._spaced_string,
        }

    def _begin(self, _operands: Any) -> None:
        frame = self._frame
        frame.text = frame.line = IDENTITY
        frame.block, frame.block_ctm = self._frame.op, self._frame.state.ctm

    def _end(self, _operands: Any) -> None:
        self._frame.block = -1

    def _char_space(self, operands: Any) -> None:
        self._frame.state.char_space = real(operands[0])

    def _word_space(self, operands: Any) -> None:
        self._frame.state.word_space = real(operands[0])

    def _scale(self, operands: Any) -> None:
        self._frame.state.scale = real(operands[0], 100.0) / 100

    def _leading(self, operands: Any) -> None:
        self._frame.state.leading = real(operands[0])

    def _rise(self, operands: Any) -> None:
        self._frame.state.rise = real(operands[0])

    def _mode(self, operands: Any) -> None:
        self._frame.state.mode = int(real(operands[0]))

    def _move(self, operands: Any) -> None:
        self._to(translate(real(operands[0]), real(operands[1]), self._frame.line))

    def _move_leading(self, operands: Any) -> None:
        self._frame.state.leading = -real(operands[1])
        self._move(operands)

    def _set_matrix(self, operands: Any) -> None:
        self._to(six(operands))

    def _next_line(self, _operands: Any) -> None:
        self._to(translate(0.0, -self._frame.state.leading, self._frame.line))

    def _to(self, matrix: Matrix) -> None:
        if sane(matrix):
            self._frame.text = self._frame.line = matrix

    def _show_string(self, operands: Any) -> None:
        self._show([operands[0]])

    def _show_array(self, operands: Any) -> None:
        self._show(operands[0])

    def _line_string(self, operands: Any) -> None:
        self._next_line(operands)
        self._show([operands[0]])

    def _spaced_string(self, operands: Any) -> None:
        self._frame.state.word_space, self._frame.state.char_space = real(operands[0]), real(operands[1])
        self._next_line(operands)
        self._show([operands[2]])

    def _show(self, elements: Iterable[Any]) -> None:
        """Records what an operator shows, with the state in which it does."""
        frame = self._frame
        state = frame.state
        runs, offset = advance(elements, state)
        if state.label and len(runs) == 1:  # a label covers its whole box
            element, data, _, _, text = runs[0]
            runs = [(element, data, 0.0, offset, text)]
        inside = [(op, layer) for op, layer, _ in frame.marks if op > frame.block >= 0]
        layers = tuple(op for op, layer in inside if layer)
        innermost = next((mark for _, _, mark in reversed(frame.marks) if mark >= 0), -1)
        self._drawing.shows.append(
            Show(
                use=frame.use,
                op=frame.op,
                block=frame.block,
                anchor=inside[0][0] if inside else frame.op,
                layers=layers,
                mark=innermost,
                font=state.font,
                size=state.size,
                scale=state.scale,
                rise=state.rise,
                mode=state.mode,
                spacing=(state.char_space, state.word_space),
                matrix=frame.text,
                ctm=state.ctm,
                block_ctm=frame.block_ctm if frame.block >= 0 else state.ctm,
                runs=runs,
                label=state.label,
                fill=state.fill,
                alpha=state.alpha,
                clip=state.clip,
            )
        )
        along = (0.0, offset) if state.font.vertical else (offset, 0.0)
        moved = translate(*along, frame.text)
        if sane(moved):
            frame.text = moved
