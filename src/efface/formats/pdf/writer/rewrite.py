"""Content streams written again without the removed glyphs.

A text object that loses a glyph is written in one form: every show gets its place by its own matrix, so that
no relative move keeps the width of what went. A form that changes is written as a new form; pages that draw the old
one unchanged keep it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name, Stream, String

from efface.formats.pdf.object_values import real
from efface.formats.pdf.reader.content import ContentPiece, serialise
from efface.formats.pdf.reader.document import Root
from efface.formats.pdf.reader.drawing import Drawing, Owner, Show
from efface.formats.pdf.reader.matrix import numbers
from efface.formats.pdf.reader.object_walk import ObjGen, Step, copied, members, name_of
from efface.formats.pdf.writer.boxes import FONT_NAME, draw_box
from efface.formats.pdf.writer.removal import DrawnBox, GlyphChanges
from efface.formats.pdf.writer.resources import Names, trimmed
from efface.formats.pdf.writer.showing import WordSpacing, show_syntax

# The old form, whose resources it uses, its content, and what it draws.
_FormKey = tuple[ObjGen, Owner, bytes, tuple[ObjGen, ...]]

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

    changes: GlyphChanges
    strings: dict[tuple[int, tuple[Step, ...]], str] = field(default_factory=dict)  # of marks
    images: dict[tuple[int, int], pikepdf.Object] = field(default_factory=dict)  # by use and operator


class Rewriter:
    """Writes roots back; forms that come out alike are one form."""

    def __init__(self, pdf: pikepdf.Pdf, label_font: pikepdf.Object) -> None:
        self._pdf = pdf
        self._label_font = label_font
        self._forms: dict[_FormKey, pikepdf.Object] = {}

    def write(self, root: Root, drawing: Drawing, rewriting: Rewriting) -> None:
        """Puts the new content in place, with the resources that it uses."""
        job = _RootRewrite(drawing, rewriting)
        replaced: dict[int, dict[int, pikepdf.Object]] = {}  # by use and operator: what is drawn instead
        for (use, op), image in rewriting.images.items():
            replaced.setdefault(use, {})[op] = image
        inherited: dict[int, Names] = {}
        for number in range(len(drawing.uses) - 1, -1, -1):
            current = drawing.uses[number]
            own = inherited.get(number, set())
            if number in replaced or job.touches(number):
                new = self._replace(root, job, number, replaced.get(number, {}), own)
                if new is not None:
                    replaced.setdefault(current.parent, {})[current.op] = new
            elif number and drawing.uses[current.parent].owner == current.owner:
                inherited.setdefault(current.parent, set()).update(current.names | own)

    def _replace(
        self, root: Root, job: _RootRewrite, number: int, new: Mapping[int, pikepdf.Object], inherited: Names
    ) -> pikepdf.Object | None:
        """Writes one drawing's new content; of a form, the new form."""
        use = job.drawing.uses[number]
        names = _fresh_names(use.resources, new)
        content, used = job.content(number, names)
        targets = {names[op]: target for op, target in new.items()}
        resources = self._resources(use.resources, used | inherited, targets)
        data = serialise(content)
        if number:
            key = (use.objgen or (0, 0), use.owner, data, tuple(obj.objgen for obj in new.values()))
            return self._form(key, resources)
        if root.kind == "page":
            page = self._pdf.pages[root.page]
            page.obj["/Contents"] = self._pdf.make_indirect(Stream(self._pdf, data))
            page.obj["/Resources"] = resources
        else:
            target = self._pdf.get_object(root.objgen)
            target.write(data)
            target["/Resources"] = resources
        return None

    def _form(self, key: _FormKey, resources: Dictionary) -> pikepdf.Object:
        if key not in self._forms:
            objgen, _, data, _ = key
            old = self._pdf.get_object(objgen)
            form = Stream(self._pdf, data)
            for name, value in members(old):
                if isinstance(name, str) and name not in ("/Length", "/Filter", "/DecodeParms", "/Resources"):
                    form[name] = value
            form["/Resources"] = resources
            self._forms[key] = self._pdf.make_indirect(form)
        return self._forms[key]

    def _resources(self, old: Dictionary, used: Names, new: Mapping[str, pikepdf.Object]) -> Dictionary:
        """The resources that the new content uses; nothing else is carried along."""
        resources = trimmed(old, used) or copied(old)
        labels = {FONT_NAME: self._label_font} if ("/Font", FONT_NAME) in used else {}
        for category, entries in (("/Font", labels), ("/XObject", new)):
            if entries:
                fresh = copied(resources.get(category, Dictionary()))
                for name, target in entries.items():
                    fresh[name] = target
                resources[category] = fresh
        return resources


def _fresh_names(resources: Dictionary, new: Mapping[int, pikepdf.Object]) -> dict[int, str]:
    """Names for new resources that none of the old has; alike for what is alike."""
    taken = {str(key) for key, _ in members(resources.get("/XObject", Dictionary()))}
    names = {}
    for op, target in new.items():
        name = f"/Efface{target.objgen[0]}"
        while name in taken:
            name += "n"
        names[op] = name
    return names


@dataclass(slots=True)
class _NewContent:
    """The operators of one drawing as they are written again, and the resources that they use."""

    pieces: list[ContentPiece] = field(default_factory=list)
    used: Names = field(default_factory=set)


class _RootRewrite:
    """One root's drawings with what happens to them."""

    def __init__(self, drawing: Drawing, rewriting: Rewriting) -> None:
        self.drawing = drawing
        self._changes = rewriting.changes
        self._strings = rewriting.strings
        self._shows = {(show.use, show.op): number for number, show in enumerate(drawing.shows)}
        self._removed_glyphs = _by_show(self._changes.removed)
        self._moved = _by_show(self._changes.shifts)
        self._blocks = {
            (drawing.shows[number].use, drawing.shows[number].block)
            for number in {*self._removed_glyphs, *self._moved}
        }
        self._marks = self._changed_marks()
        self._boxes: dict[tuple[int, int], list[DrawnBox]] = {}  # before an operator
        self._inner: dict[int, dict[tuple[int, int], DrawnBox]] = {}  # in the middle of a show
        for box in self._changes.boxes:
            self._place(box)
        self._spacing = {drawing.shows[number].use for number in self._changes.respaced}
        self._touched = {use for use, _ in [*self._blocks, *self._marks, *self._boxes]}

    def _place(self, box: DrawnBox) -> None:
        """Notes where a box is drawn. Text that clips, or that lies in marked content, is not interrupted."""
        show = self.drawing.shows[box.show]
        clips = show.mode >= 4
        if show.block >= 0 and show.anchor == show.op and not clips:
            self._inner.setdefault(box.show, {})[box.ref[1:]] = box
        else:
            anchor = show.block if clips and show.block >= 0 else show.anchor
            self._boxes.setdefault((show.use, anchor), []).append(box)

    def touches(self, use: int) -> bool:
        return use in self._touched

    def _changed_marks(self) -> dict[tuple[int, int], dict[tuple[Step, ...], str | None]]:
        """By operator: the strings that change; an ActualText over removed glyphs goes."""
        changed: dict[tuple[int, int], dict[tuple[Step, ...], str | None]] = {}
        for number, mark in enumerate(self.drawing.marks):
            if mark.actual is not None and any(
                mark.first <= show < mark.last for show in self._removed_glyphs
            ):
                changed.setdefault((mark.use, mark.op), {})["/ActualText",] = None
            for (other, path), text in self._strings.items():
                if other == number:
                    changed.setdefault((mark.use, mark.op), {}).setdefault(path, text)
        return changed

    def content(self, number: int, names: Mapping[int, str]) -> tuple[list[ContentPiece], Names]:
        """The new operators of one drawing, and the resources they use. `names` are what is drawn instead, by operator."""
        new = _NewContent()
        block = -1  # the BT of the text object that is open
        spacing = WordSpacing() if number in self._spacing else None
        for op, instruction in enumerate(self.drawing.uses[number].instructions):
            operator = name_of(instruction.operator)
            if spacing is not None:
                new.pieces += spacing.before(operator, instruction, self._word_space(number, op))
                if operator == "Tw":  # `spacing` writes it where it is needed
                    continue
            # In a text object that loses a glyph, every show has a matrix of its own.
            explicit = block >= 0 and (number, block) in self._blocks
            self._emit_boxes(new, number, op, inside=explicit and operator != "BT")
            if operator == "BT":
                block = op
            if op in names:
                new.pieces.append(f"{names[op]} Do".encode())
                new.used.add(("/XObject", names[op]))
            else:
                self._emit(new, number, op, instruction, explicit=explicit)
            if operator == "ET":
                new.pieces += self._emptied_clip(number, block)
                block = -1
        return new.pieces, new.used

    def _emit(self, new: _NewContent, number: int, op: int, instruction: Any, *, explicit: bool) -> None:
        """Writes an operator: as it becomes, not at all, or as it was."""
        operator = name_of(instruction.operator)
        if (number, op) in self._marks:
            new.pieces.append(_new_mark(instruction, self._marks[number, op]))
        elif operator in _SHOWS and (explicit or self._loose(number, op)):
            self._emit_show(new, number, op, instruction, explicit=explicit)
        elif explicit and operator in _MOVES:
            if operator == "TD":  # it moves, and it sets the leading too
                new.pieces.append(f"{numbers(-real(instruction.operands[1]))} TL".encode())
        elif (number, op) not in self.drawing.cycles:  # a form that would draw itself is not drawn
            new.pieces.append(instruction)
            _note(new.used, operator, instruction)

    def _word_space(self, number: int, op: int) -> float | None:
        show = self._shows.get((number, op))
        if show is None:
            return None
        return 0.0 if show in self._changes.respaced else self.drawing.shows[show].spacing[1]

    def _loose(self, number: int, op: int) -> bool:
        """A changed show that is outside any text object."""
        show = self._shows.get((number, op))
        return (
            show is not None
            and self.drawing.shows[show].block < 0
            and (show in self._removed_glyphs or show in self._moved)
        )

    def _emit_boxes(self, new: _NewContent, number: int, op: int, *, inside: bool) -> None:
        drawn: list[bytes] = []
        for box in self._boxes.get((number, op), []):
            drawn += self._box(number, box, new.used)
        new.pieces.extend([b"ET", *drawn, b"BT"] if drawn and inside else drawn)

    def _box(self, number: int, box: DrawnBox, used: Names) -> list[bytes]:
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

    def _emit_show(self, new: _NewContent, number: int, op: int, instruction: Any, *, explicit: bool) -> None:
        operator, operands = str(instruction.operator), instruction.operands
        if operator == '"':  # it sets word and character spacing, and shows its third operand
            new.pieces.append(f"{numbers(real(operands[1]))} Tc".encode())
            if number not in self._spacing:
                new.pieces.append(f"{numbers(real(operands[0]))} Tw".encode())
        index = self._shows.get((number, op))
        if index is None:
            return
        elements = list(operands[0]) if operator == "TJ" else [operands[2 if operator == '"' else 0]]
        boxes = {key: self._box(number, box, new.used) for key, box in self._inner.get(index, {}).items()}
        syntax = show_syntax(
            self.drawing.shows[index],
            elements,
            self._removed_glyphs.get(index, set()),
            self._moved_by(index),
            boxes,
        )
        if syntax and not explicit:
            syntax = [b"BT", *syntax, b"ET"]
        new.pieces.extend(syntax)

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
                if left > len(self._removed_glyphs.get(index, ())):
                    return []
                clips = True
        return [b"0 0 0 0 re W n"] if clips else []


def _by_show(refs: Any) -> dict[int, set[tuple[int, int]]]:
    found: dict[int, set[tuple[int, int]]] = {}
    for show, run, glyph in refs:
        found.setdefault(show, set()).add((run, glyph))
    return found


def _new_mark(instruction: Any, strings: dict[tuple[Step, ...], str | None]) -> bytes:
    tag, properties = instruction.operands[0], copied(instruction.operands[1])
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
