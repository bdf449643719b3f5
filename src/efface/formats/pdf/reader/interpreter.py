"""Runs content streams as far as text and images are concerned.

Every glyph keeps the way back to its bytes: which drawing of which stream, which operator, which element of
its array, which bytes of the string. Colours, filled paths and clips are followed to know what can be seen;
hidden, clipped and off-page text is text all the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from efface.errors import Refused
from efface.formats.pdf.fonts.font_decoding import Font, Fonts, fallback
from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.content import Instruction, page_bytes, parse, stream_bytes
from efface.formats.pdf.reader.drawing import (
    LABEL_FONT,
    Drawing,
    MarkedContent,
    Owner,
    Picture,
    StreamInvocation,
)
from efface.formats.pdf.reader.matrix import IDENTITY, Matrix, multiply, sane
from efface.formats.pdf.reader.object_walk import ObjGen, name_of
from efface.formats.pdf.reader.painting import Painter
from efface.formats.pdf.reader.state import (
    GraphicsState,
    StreamFrame,
    dictionary,
    matrix,
    six,
    texts,
)
from efface.formats.pdf.reader.text_operators import TextOperators

MAX_OPERATORS = 12_000_000  # operators of a whole file; those of a form count each time it is drawn
_MAX_FORMS = 28  # forms within forms
_MAX_STATES = 1_000  # q without Q
_MAX_NESTING = 20_000  # saves of a state beyond those that are kept: more are hostile
_MAX_DRAWINGS = 20_000  # forms drawn on one page
_MAX_MARKS = 500  # marked content within marked content; viewers take quadratic time over it
_CACHED = 40  # parsed forms: headers and stamps that pages share


class Interpreter:
    """Draws roots one after another; `found` collects the streams that only indirection leads to."""

    def __init__(self, pdf: pikepdf.Pdf, fonts: Fonts) -> None:
        self._pdf = pdf
        self._fonts = fonts
        self._missing = fallback()
        self._operators = 0
        self._parsed: OrderedDict[ObjGen, tuple[list[Instruction], bool]] = OrderedDict()
        self.found: dict[ObjGen, tuple[str, ObjGen]] = {}
        self.drawn: set[ObjGen] = set()

    def page(self, number: int) -> Drawing:
        page = self._pdf.pages[number]
        data = page_bytes(page)
        drawing = Drawing()
        resources = dictionary(page.obj.get("/Resources"))
        use = StreamInvocation(
            -1, -1, None, parse(self._pdf, data), resources, ("page", number, 0), commented=b"%" in data
        )
        return self._root(drawing, use, IDENTITY)

    def stream(self, objgen: ObjGen, resources_of: ObjGen) -> Drawing:
        """An appearance, a pattern's cell, a glyph's procedure, a soft mask: each a root of its own."""
        stream = self._pdf.get_object(objgen)
        holder = self._pdf.get_object(resources_of)
        drawing = Drawing()
        if not isinstance(stream, Stream):
            return drawing
        resources = dictionary(stream.get("/Resources"))
        owner: Owner = ("stream", *objgen)
        if "/Resources" not in stream and isinstance(holder, (Dictionary, Stream)):
            resources, owner = dictionary(holder.get("/Resources")), ("stream", *resources_of)
        instructions, commented = self._instructions(stream)
        use = StreamInvocation(-1, -1, objgen, instructions, resources, owner, commented=commented)
        self.drawn.add(objgen)
        return self._root(drawing, use, matrix(stream.get("/Matrix")))

    def _root(self, drawing: Drawing, use: StreamInvocation, ctm: Matrix) -> Drawing:
        drawing.uses.append(use)
        self._run(drawing, 0, GraphicsState(ctm, self._missing), [])
        return drawing

    def _instructions(self, stream: Stream) -> tuple[list[Instruction], bool]:
        known = self._parsed.get(stream.objgen)
        if known is None:
            data = stream_bytes(stream)
            known = parse(self._pdf, data), b"%" in data
            self._parsed[stream.objgen] = known
            if len(self._parsed) > _CACHED:
                self._parsed.popitem(last=False)
        return known

    def _run(self, drawing: Drawing, use: int, state: GraphicsState, active: list[ObjGen]) -> None:
        current = drawing.uses[use]
        self._operators += len(current.instructions)
        if self._operators > MAX_OPERATORS:
            raise Refused(
                "The PDF draws too much to be checked.",
                "Redact it with `efface redact --flatten`, which makes pictures of its pages.",
            )
        frame = StreamFrame(use, current.resources, state)
        machine = _Machine(self, drawing, frame, active)
        table = machine.table
        for op, instruction in enumerate(current.instructions):
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                drawing.pictures.append(Picture(use, op, None, frame.state.ctm))
                machine.painter.image(instruction.iimage.obj)
                continue
            perform = table.get(name_of(instruction.operator))
            if perform is not None:
                frame.op = op
                try:
                    perform(instruction.operands)
                except (IndexError, KeyError, TypeError, AttributeError, ValueError):
                    continue  # an operator without its operands: viewers skip it too

    def draw_form(
        self,
        drawing: Drawing,
        stream: Stream,
        frame: StreamFrame,
        op: int,
        state: GraphicsState,
        active: list[ObjGen],
    ) -> None:
        objgen = stream.objgen
        if objgen in active:
            drawing.cycles.add((frame.use, op))
            return
        _limit(len(active), _MAX_FORMS)
        _limit(len(drawing.uses), _MAX_DRAWINGS)
        self.drawn.add(objgen)
        parent = drawing.uses[frame.use]
        resources, owner = dictionary(stream.get("/Resources")), ("stream", *objgen)
        if "/Resources" not in stream:
            resources, owner = parent.resources, parent.owner
        instructions, commented = self._instructions(stream)
        drawing.uses.append(
            StreamInvocation(frame.use, op, objgen, instructions, resources, owner, commented=commented)
        )
        inner = state.copy()
        inner.ctm = multiply(matrix(stream.get("/Matrix")), state.ctm)
        self._run(drawing, len(drawing.uses) - 1, inner, [*active, objgen])

    def font(self, spec: object) -> Font:
        font = self._fonts.get(spec)
        for procedure in font.procedures:
            self.found.setdefault(procedure, ("glyph", font.objgen))
        return font

    def find(self, kind: str, stream: object) -> None:
        if isinstance(stream, Stream):
            self.found.setdefault(stream.objgen, (kind, stream.objgen))


def _limit(depth: int, most: int) -> None:
    if depth > most:
        raise Refused(
            "The PDF nests its content too deeply or too often to be checked.",
            "Redact it with `efface redact --flatten`, which makes pictures of its pages.",
        )


class _Machine:
    """The operators that matter, one method each, while one stream is drawn. Those of text and of painting are apart."""

    def __init__(
        self,
        interpreter: Interpreter,
        drawing: Drawing,
        frame: StreamFrame,
        active: list[ObjGen],
    ) -> None:
        self._interpreter = interpreter
        self._drawing = drawing
        self._frame = frame
        self._active = active
        self.painter = Painter(drawing, frame)
        self.table: dict[str, Callable[[Any], None]] = {
            "q": self._save,
            "Q": self._restore,
            "cm": self._concatenate,
            "Tf": self._font,
            "Do": self._draw,
            "gs": self._graphics_state,
            "scn": self._fill_pattern,
            "SCN": self._pattern,
            "BDC": self._mark,
            "BMC": self._mark,
            "EMC": self._unmark,
            "DP": self._point,
            **self.painter.table,
            **TextOperators(drawing, frame).table,
        }

    def _save(self, _operands: Any) -> None:
        if len(self._frame.states) < _MAX_STATES:
            self._frame.states.append(self._frame.state.copy())
        else:
            self._frame.overflow += 1
            _limit(self._frame.overflow, _MAX_NESTING)

    def _restore(self, _operands: Any) -> None:
        if self._frame.overflow:
            self._frame.overflow -= 1
        elif self._frame.states:
            self._frame.state = self._frame.states.pop()

    def _concatenate(self, operands: Any) -> None:
        ctm = multiply(six(operands), self._frame.state.ctm)
        if sane(ctm):
            self._frame.state.ctm = ctm

    def _font(self, operands: Any) -> None:
        name = str(operands[0])
        self._note_resource_use("/Font", name)
        font = self._frame.fonts.get(name)
        if font is None:
            font = self._interpreter.font(self._resource("/Font", name))
            self._frame.fonts[name] = font
        self._frame.state.font = font
        self._frame.state.size = real(operands[1], 1.0)
        self._frame.state.label = name == LABEL_FONT

    def _draw(self, operands: Any) -> None:
        name = str(operands[0])
        self._note_resource_use("/XObject", name)
        target = self._resource("/XObject", name)
        if not isinstance(target, Stream):
            return
        kind = target.get("/Subtype")
        if kind == "/Image":
            self._interpreter.drawn.add(target.objgen)
            self._drawing.pictures.append(
                Picture(self._frame.use, self._frame.op, target.objgen, self._frame.state.ctm)
            )
            self.painter.image(target)
        elif kind == "/Form":
            self._interpreter.draw_form(
                self._drawing, target, self._frame, self._frame.op, self._frame.state, self._active
            )

    def _graphics_state(self, operands: Any) -> None:
        name = str(operands[0])
        self._note_resource_use("/ExtGState", name)
        parameters = self._resource("/ExtGState", name)
        if not isinstance(parameters, Dictionary):
            return
        self.painter.set_state(parameters)
        font = parameters.get("/Font")
        if isinstance(font, Array) and len(font) == 2:
            self._frame.state.font, self._frame.state.size = (
                self._interpreter.font(font[0]),
                real(font[1], 1.0),
            )
        mask = parameters.get("/SMask")
        if isinstance(mask, Dictionary):
            self._interpreter.find("soft mask", mask.get("/G"))

    def _fill_pattern(self, operands: Any) -> None:
        self.painter.set_colour(operands)
        self._pattern(operands)

    def _pattern(self, operands: Any) -> None:
        if len(operands) and isinstance(operands[-1], Name):
            name = str(operands[-1])
            self._note_resource_use("/Pattern", name)
            self._interpreter.find("pattern", self._resource("/Pattern", name))

    def _mark(self, operands: Any) -> None:
        _limit(len(self._frame.marks), _MAX_MARKS)
        layer = len(operands) > 0 and operands[0] == "/OC"
        self._frame.marks.append((self._frame.op, layer, self._note_marked_strings(operands)))

    def _unmark(self, _operands: Any) -> None:
        if self._frame.marks:
            _, _, mark = self._frame.marks.pop()
            if mark >= 0:
                self._drawing.marks[mark].last = len(self._drawing.shows)

    def _point(self, operands: Any) -> None:
        self._note_marked_strings(operands)

    def _note_marked_strings(self, operands: Any) -> int:
        """Notes the strings of a property list; the mark's number when it has an ActualText, else -1."""
        properties = operands[1] if len(operands) > 1 else None
        if isinstance(properties, Name):
            self._note_resource_use("/Properties", str(properties))
        if not isinstance(properties, Dictionary):
            return -1
        strings = texts(properties)
        if not strings:
            return -1
        self._drawing.marks.append(
            MarkedContent(self._frame.use, self._frame.op, strings, len(self._drawing.shows))
        )
        return len(self._drawing.marks) - 1 if ("/ActualText",) in strings else -1

    def _note_resource_use(self, category: str, name: str) -> None:
        self._drawing.uses[self._frame.use].names.add((category, name))

    def _resource(self, category: str, name: str) -> Any:
        return dictionary(self._frame.resources.get(category)).get(name)
