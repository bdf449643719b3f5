"""Content streams written again without the removed glyphs.

A text object that loses a glyph is written in one form: every show gets its place by its own matrix, so that
no relative move keeps the width of what went. A form that changes is a new form; whoever draws the old one
unchanged keeps it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Stream, String

from efface.formats.pdf.boxes import FONT_NAME, draw_box
from efface.formats.pdf.content import Piece, serialise
from efface.formats.pdf.drawing import Drawing, Show
from efface.formats.pdf.fonts import real
from efface.formats.pdf.layout import geometry
from efface.formats.pdf.matrix import Matrix, numbers, translate
from efface.formats.pdf.reader import Root
from efface.formats.pdf.removal import Box, Changes
from efface.formats.pdf.resources import Names, trimmed
from efface.formats.pdf.walk import ObjGen, Step, name_of

_MOVES = frozenset(["Td", "TD", "T*", "Tm"])
_SHOWS = frozenset(["Tj", "TJ", "'", '"'])
_NAMED = {  # the operators that name a resource: its category, and which operand is the name
    "Tf": ("/Font", 0),
    "Do": ("/XObject", 0),
    "gs": ("/ExtGState", 0),
    "scn": ("/Pattern", -1),
    "SCN": ("/Pattern", -1),
    "BDC": ("/Properties", 1),
    "DP": ("/Properties", 1),
}


@dataclass(slots=True)
class Rewriting:
    """What one root's streams become."""

    changes: Changes
    strings: dict[tuple[int, tuple[Step, ...]], str] = field(default_factory=dict)  # of marks
    images: dict[tuple[int, int], pikepdf.Object] = field(default_factory=dict)  # by use and operator


class Rewriter:
    """Writes roots back; forms that come out alike are one form."""

    def __init__(self, pdf: pikepdf.Pdf, label_font: pikepdf.Object) -> None:
        self._pdf = pdf
        self._label_font = label_font
        self._forms: dict[tuple[ObjGen, bytes, tuple[ObjGen, ...]], pikepdf.Object] = {}
        self._names = 0

    def write(self, root: Root, drawing: Drawing, rewriting: Rewriting) -> None:
        """Puts the new content in place, with the resources that it uses."""
        job = _Job(drawing, rewriting)
        replaced: dict[tuple[int, int], pikepdf.Object] = dict(rewriting.images)
        inherited: dict[int, Names] = {}
        for number in range(len(drawing.uses) - 1, -1, -1):
            use = drawing.uses[number]
            new = {op: obj for (parent, op), obj in replaced.items() if parent == number}
            own = inherited.get(number, set())
            if new or job.touches(number):
                self._replace(root, job, number, new, own, replaced)
            elif number and drawing.uses[use.parent].owner == use.owner:
                inherited.setdefault(use.parent, set()).update(use.names | own)

    def _replace(
        self,
        root: Root,
        job: _Job,
        number: int,
        new: Mapping[int, pikepdf.Object],
        inherited: Names,
        replaced: dict[tuple[int, int], pikepdf.Object],
    ) -> None:
        use = job.drawing.uses[number]
        names: dict[int, str] = {}
        for op in new:
            self._names += 1
            names[op] = f"/Efface{self._names}"
        content, used = job.content(number, names)
        resources = self._resources(
            use.resources, used | inherited, {names[op]: obj for op, obj in new.items()}
        )
        data = serialise(content)
        if number:
            stream = self._form(
                use.objgen or (0, 0), data, resources, tuple(obj.objgen for obj in new.values())
            )
            replaced[use.parent, use.op] = stream
        elif root.kind == "page":
            page = self._pdf.pages[root.page]
            page.obj["/Contents"] = self._pdf.make_indirect(Stream(self._pdf, data))
            page.obj["/Resources"] = resources
        else:
            target = self._pdf.get_object(root.objgen)
            target.write(data)
            target["/Resources"] = resources

    def _form(
        self, objgen: ObjGen, data: bytes, resources: Dictionary, children: tuple[ObjGen, ...]
    ) -> pikepdf.Object:
        key = (objgen, data, children)
        if key not in self._forms:
            old = self._pdf.get_object(objgen)
            form = Stream(self._pdf, data)
            for name, value in old.items():
                if name not in ("/Length", "/Filter", "/DecodeParms", "/Resources"):
                    form[name] = value
            form["/Resources"] = resources
            self._forms[key] = self._pdf.make_indirect(form)
        return self._forms[key]

    def _resources(self, old: Dictionary, used: Names, new: Mapping[str, pikepdf.Object]) -> Dictionary:
        """The resources that the new content uses; nothing else is carried along."""
        resources = trimmed(old, used) or Dictionary(dict(old.items()))
        if ("/Font", FONT_NAME) in used:
            fonts = resources.get("/Font")
            resources["/Font"] = Dictionary(
                {
                    **(dict(fonts.items()) if isinstance(fonts, Dictionary) else {}),
                    FONT_NAME: self._label_font,
                }
            )
        if new:
            objects = resources.get("/XObject")
            resources["/XObject"] = Dictionary(
                {**(dict(objects.items()) if isinstance(objects, Dictionary) else {}), **new}
            )
        return resources


class _Job:
    """One root's drawings with what happens to them."""

    def __init__(self, drawing: Drawing, rewriting: Rewriting) -> None:
        self.drawing = drawing
        self._changes = rewriting.changes
        self._strings = rewriting.strings
        self._shows = {(show.use, show.op): number for number, show in enumerate(drawing.shows)}
        self._gone = _by_show(self._changes.removed)
        self._moved = _by_show(self._changes.shifts)
        self._blocks = {
            (drawing.shows[number].use, drawing.shows[number].block) for number in {*self._gone, *self._moved}
        }
        self._marks = self._changed_marks()
        self._boxes: dict[tuple[int, int], list[Box]] = {}  # before an operator
        self._inner: dict[int, dict[tuple[int, int], Box]] = {}  # in the middle of a show
        for box in self._changes.boxes:
            show = drawing.shows[box.show]
            if show.block >= 0 and show.anchor == show.op and show.mode < 4:
                self._inner.setdefault(box.show, {})[box.ref[1:]] = box
            else:
                anchor = show.anchor if show.mode < 4 or show.block < 0 else show.block
                self._boxes.setdefault((show.use, anchor), []).append(box)
        self._spacing = {drawing.shows[number].use for number in self._changes.respaced}
        self._touched = {use for use, _ in [*self._blocks, *self._marks, *self._boxes]}

    def touches(self, use: int) -> bool:
        return use in self._touched

    def _changed_marks(self) -> dict[tuple[int, int], dict[tuple[Step, ...], str | None]]:
        """By operator: the strings that change; an ActualText over removed glyphs goes."""
        changed: dict[tuple[int, int], dict[tuple[Step, ...], str | None]] = {}
        for number, mark in enumerate(self.drawing.marks):
            if mark.actual is not None and any(mark.first <= show < mark.last for show in self._gone):
                changed.setdefault((mark.use, mark.op), {})["/ActualText",] = None
            for (other, path), text in self._strings.items():
                if other == number:
                    changed.setdefault((mark.use, mark.op), {}).setdefault(path, text)
        return changed

    def content(self, number: int, names: Mapping[int, str]) -> tuple[list[Piece], Names]:
        """The new operators of one drawing, and the resources they use."""
        pieces: list[Piece] = []
        used: Names = set()
        block = -1
        spacing = _WordSpacing() if number in self._spacing else None
        for op, instruction in enumerate(self.drawing.uses[number].instructions):
            operator = name_of(instruction.operator)
            if spacing is not None:
                pieces += spacing.before(operator, instruction, self._word_space(number, op))
                if operator == "Tw":
                    continue
            explicit = block >= 0 and (number, block) in self._blocks
            self._emit_boxes(pieces, used, number, op, inside=explicit and operator != "BT")
            if operator == "BT":
                block = op
            if op in names:
                pieces.append(f"{names[op]} Do".encode())
                used.add(("/XObject", names[op]))
            elif (number, op) in self._marks:
                pieces.append(_new_mark(instruction, self._marks[number, op]))
            elif operator in _SHOWS and (explicit or self._loose(number, op)):
                self._emit_show(pieces, used, number, op, instruction, explicit=explicit)
            elif not (explicit and operator in _MOVES) and (number, op) not in self.drawing.cycles:
                pieces.append(instruction)
                _note(used, operator, instruction)
            elif operator == "TD":
                pieces.append(f"{numbers(-real(instruction.operands[1]))} TL".encode())
            if operator == "ET":
                pieces += self._emptied_clip(number, block)
                block = -1
        return pieces, used

    def _word_space(self, number: int, op: int) -> float | None:
        show = self._shows.get((number, op))
        if show is None:
            return None
        return 0.0 if show in self._changes.respaced else self.drawing.shows[show].spacing[1]

    def _loose(self, number: int, op: int) -> bool:
        """A changed show that stands outside any text object."""
        show = self._shows.get((number, op))
        return (
            show is not None
            and self.drawing.shows[show].block < 0
            and (show in self._gone or show in self._moved)
        )

    def _emit_boxes(self, pieces: list[Piece], used: Names, number: int, op: int, *, inside: bool) -> None:
        drawn = [line for box in self._boxes.get((number, op), []) for line in self._box(number, box, used)]
        pieces.extend([b"ET", *drawn, b"BT"] if drawn and inside else drawn)

    def _box(self, number: int, box: Box, used: Names) -> list[bytes]:
        show = self.drawing.shows[box.show]
        syntax = draw_box(box, show)
        if not syntax:
            return []
        used.add(("/Font", FONT_NAME))
        return self._layered(number, show, syntax, used)

    def _layered(self, number: int, show: Show, syntax: bytes, used: Names) -> list[bytes]:
        """A box belongs to the optional content that its text belonged to."""
        instructions = self.drawing.uses[number].instructions
        opened = [pikepdf.unparse_content_stream([instructions[op]]) for op in show.layers]
        for op in show.layers:
            _note(used, "BDC", instructions[op])
        return [*opened, syntax, *([b"EMC"] * len(opened))]

    def _emit_show(
        self, pieces: list[Piece], used: Names, number: int, op: int, instruction: Any, *, explicit: bool
    ) -> None:
        operator, operands = str(instruction.operator), instruction.operands
        if operator == '"':
            pieces.append(f"{numbers(real(operands[1]))} Tc".encode())
            if number not in self._spacing:
                pieces.append(f"{numbers(real(operands[0]))} Tw".encode())
        index = self._shows.get((number, op))
        if index is None:
            return
        elements = list(operands[0]) if operator == "TJ" else [operands[2 if operator == '"' else 0]]
        boxes = {key: self._box(number, box, used) for key, box in self._inner.get(index, {}).items()}
        syntax = _show(
            self.drawing.shows[index], elements, self._gone.get(index, set()), self._moved_by(index), boxes
        )
        if syntax and not explicit:
            syntax = [b"BT", *syntax, b"ET"]
        pieces.extend(syntax)

    def _moved_by(self, index: int) -> dict[tuple[int, int], float]:
        return {key: self._changes.shifts[(index, *key)] for key in self._moved.get(index, set())}

    def _emptied_clip(self, number: int, block: int) -> list[bytes]:
        """A clip of nothing, where text that clipped has no glyph left: else all would show through."""
        if block < 0 or (number, block) not in self._blocks:
            return []
        clips = False
        for index, show in enumerate(self.drawing.shows):
            if (show.use, show.block) == (number, block) and show.mode >= 4:
                left = sum(len(show.run_glyphs(run)) for run in range(len(show.runs)))
                if left > len(self._gone.get(index, ())):
                    return []
                clips = True
        return [b"0 0 0 0 re W n"] if clips else []


class _WordSpacing:
    """Word spacing set where it is needed only: that of a justified line would tell how long the line was."""

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


def _by_show(refs: Any) -> dict[int, set[tuple[int, int]]]:
    found: dict[int, set[tuple[int, int]]] = {}
    for show, run, glyph in refs:
        found.setdefault(show, set()).add((run, glyph))
    return found


def _show(
    show: Show,
    elements: list[Any],
    gone: set[tuple[int, int]],
    moved: dict[tuple[int, int], float],
    boxes: Mapping[tuple[int, int], list[bytes]],
) -> list[bytes]:
    """A show operator as pieces that each stand in their own place, with the boxes between them."""
    if not gone and not moved:
        return _whole(show, elements)
    unit = geometry(show).unit
    runs = {element: number for number, (element, *_) in enumerate(show.runs)}
    syntax: list[bytes] = []
    group = _Group()
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


def _whole(show: Show, elements: list[Any]) -> list[bytes]:
    """A show that stays as it is, in its own place."""
    array = " ".join(f"<{bytes(item).hex()}>" if isinstance(item, String) else str(item) for item in elements)
    return [f"{numbers(*show.matrix)} Tm [{array}] TJ".encode()] if show.runs else []


class _Group:
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


def _new_mark(instruction: Any, strings: dict[tuple[Step, ...], str | None]) -> bytes:
    tag, properties = instruction.operands[0], Dictionary(dict(instruction.operands[1].items()))
    for path, text in strings.items():
        holder: Any = properties
        for step in path[:-1]:
            holder = holder[step]
        if text is None:
            del holder[path[-1]]
        else:
            holder[path[-1]] = String(text)
    return pikepdf.unparse_content_stream([([tag, properties], instruction.operator)])


def _note(used: Names, operator: str, instruction: Any) -> None:
    """Which resource an operator names."""
    category, at = _NAMED.get(operator, ("", 0))
    if not category or len(instruction.operands) <= max(at, 0):
        return
    name = instruction.operands[at]
    if isinstance(name, Name):
        used.add((category, str(name)))
