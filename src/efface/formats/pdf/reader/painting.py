"""The operators that paint areas, set colours and clip, as far as they decide what can be seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pikepdf import Array, Dictionary, Name, Object

from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.covers import Path, bounds, colour_of, cover, intersection, rectangle, square
from efface.formats.pdf.reader.drawing import Drawing
from efface.formats.pdf.reader.state import StreamFrame

_OPAQUE = 0.9  # the opacity from which paint covers what is below
_DARK = 0.25  # a darker colour hides text also where it is multiplied with it


class Painter:
    """Follows one drawing of one stream."""

    def __init__(self, drawing: Drawing, frame: StreamFrame) -> None:
        self._drawing = drawing
        self._frame = frame
        self._path = Path()
        self.table: dict[str, Callable[[Any], None]] = {
            **{name: self._adder(name) for name in ("m", "l", "c", "v", "y", "re")},
            **dict.fromkeys(("f", "F", "f*"), self._fill),
            **dict.fromkeys(("B", "B*", "b", "b*"), self._fill),
            **dict.fromkeys(("S", "s"), self._stroke),
            "n": self._finish,
            **dict.fromkeys(("W", "W*"), self._clip),
            **dict.fromkeys(("g", "rg", "k", "sc"), self._colour),
            **dict.fromkeys(("G", "RG", "K", "SC"), self._line_colour),
            "cs": self._space,
            "w": self._width,
            "sh": self._shade,
        }

    def _adder(self, name: str) -> Callable[[Any], None]:
        return lambda operands: self._path.add(name, operands)

    def _fill(self, _operands: Any) -> None:
        state = self._frame.state
        rings = self._path.outlines(state.ctm)
        self._cover(rings if self._path.is_whole else [], state.fill)
        self._drawing.shapes.fill(self._path, rings)
        self._finish(())

    def _stroke(self, _operands: Any) -> None:
        state = self._frame.state
        if state.line_width:
            for ring in self._path.strokes(state.ctm, state.line_width):
                self._cover([ring], state.stroke)
        self._drawing.shapes.stroke(self._path, self._path.outlines(state.ctm))
        self._finish(())

    def _cover(self, rings: Any, colour: Any) -> None:
        state = self._frame.state
        dark = colour is not None and max(colour) <= _DARK
        if state.alpha < _OPAQUE or state.masked or (state.blended and not dark):
            return
        made = cover(rings, len(self._drawing.shows), colour, state.clip) if rings else None
        if made is not None:
            self._drawing.covers.append(made)

    def _finish(self, _operands: Any) -> None:
        if self._path.clips:
            state = self._frame.state
            points = [point for ring in self._path.rings(state.ctm) for point in ring]
            if points:
                state.clip = intersection(bounds(points), state.clip)
        self._path = Path()

    def _clip(self, _operands: Any) -> None:
        self._path.clips = True

    def _colour(self, operands: Any) -> None:
        self._frame.state.fill = colour_of([real(value) for value in operands])

    def _line_colour(self, operands: Any) -> None:
        self._frame.state.stroke = colour_of([real(value) for value in operands])

    def _space(self, _operands: Any) -> None:
        self._frame.state.fill = (0.0, 0.0, 0.0)

    def _width(self, operands: Any) -> None:
        self._frame.state.line_width = real(operands[0], 1.0)

    def _shade(self, _operands: Any) -> None:
        clip = self._frame.state.clip
        if clip is not None:
            self._cover([rectangle(clip)], None)

    def set_colour(self, operands: Any) -> None:
        """`scn`: a colour, or a pattern of unknown looks."""
        pattern = len(operands) and isinstance(operands[-1], Name)
        self._frame.state.fill = None if pattern else colour_of([real(value) for value in operands])

    def set_state(self, parameters: Dictionary) -> None:
        """What a graphics state says of opacity."""
        state = self._frame.state
        if "/ca" in parameters:
            state.alpha = real(parameters["/ca"], 1.0)
        if "/SMask" in parameters:
            state.masked = isinstance(parameters["/SMask"], Dictionary)
        if "/LW" in parameters:
            state.line_width = real(parameters["/LW"], 1.0)
        mode = parameters.get("/BM")
        if mode is not None:
            first = mode[0] if isinstance(mode, Array) and len(mode) else mode
            state.blended = first not in ("/Normal", "/Compatible")

    def image(self, target: Object) -> None:
        """An image hides what lies under it, unless parts of it are clear."""
        clear = any(key in target for key in ("/SMask", "/Mask", "/ImageMask"))
        if not clear:
            self._cover([square(self._frame.state.ctm)], None)
            if self._drawing.covers and self._drawing.covers[-1].after == len(self._drawing.shows):
                self._drawing.images.add(len(self._drawing.covers) - 1)
