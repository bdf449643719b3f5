"""What the interpreter hands on: the drawings of streams, the text they show, marks and images."""

from __future__ import annotations

from dataclasses import dataclass, field

from pikepdf import Dictionary

from efface.formats.pdf.fonts.font_decoding import Font
from efface.formats.pdf.ocr.drawn_letters import DrawnShapes
from efface.formats.pdf.reader.content import Instruction
from efface.formats.pdf.reader.covers import Box, Colour, Cover
from efface.formats.pdf.reader.matrix import Matrix
from efface.formats.pdf.reader.object_walk import ObjGen, Step

LABEL_FONT = "/EffaceHelvetica"  # the resource name under which efface's labels are drawn

Owner = tuple[str, int, int]  # whose resources: ("page", number, 0) or ("stream", object, generation)
# The number of the element in its operand, its bytes, its start and end along the line, and its text.
ShownRun = tuple[int, bytes, float, float, str]


@dataclass(slots=True)
class Show:
    """One text-showing operator: its glyphs and their places."""

    use: int
    op: int
    block: int  # the BT it belongs to, or -1
    anchor: int  # the operator before which something may be drawn without tearing marked content apart
    layers: tuple[int, ...]  # optional-content marks that were opened inside the block
    mark: int  # the innermost mark with an ActualText, or -1
    font: Font
    size: float
    scale: float
    rise: float
    mode: int
    spacing: tuple[float, float]  # Tc and Tw, as `"` sets them
    matrix: Matrix
    ctm: Matrix
    block_ctm: Matrix
    runs: list[ShownRun]
    label: bool  # drawn by efface, to mark a removal
    fill: Colour | None = (0.0, 0.0, 0.0)  # None: a pattern
    alpha: float = 1.0
    clip: Box | None = None

    def run_texts(self, run: int) -> list[str]:
        """A run's glyphs as text."""
        return [glyph[2] for glyph in self.font.decode(self.runs[run][1])]

    def run_glyphs(self, run: int) -> list[tuple[str, float, float]]:
        """A run's glyphs one by one: text, start and end offset."""
        _, data, offset, _, _ = self.runs[run]
        char_space, word_space = self.spacing
        scale = 1.0 if self.font.vertical else self.scale
        found = []
        for start, end, text, width in self.font.decode(data):
            space = char_space + (word_space if end - start == 1 and data[start] == 32 else 0.0)
            after = offset + (width * self.size + space) * scale
            found.append((text, offset, after))
            offset = after
        return found


@dataclass(slots=True)
class MarkedContent:
    """A marked-content operator with strings in its own property list."""

    use: int
    op: int
    strings: dict[tuple[Step, ...], str]
    first: int  # the shows it encloses
    last: int = -1

    @property
    def actual(self) -> str | None:
        return self.strings.get(("/ActualText",))


@dataclass(slots=True)
class Picture:
    """One drawing of an image: where its unit square lands."""

    use: int
    op: int
    objgen: ObjGen | None  # None for an inline image
    ctm: Matrix


@dataclass(slots=True)
class StreamInvocation:
    """One drawing of a content stream. The page is a drawing too."""

    parent: int
    op: int
    objgen: ObjGen | None
    instructions: list[Instruction]
    resources: Dictionary
    owner: Owner
    names: set[tuple[str, str]] = field(default_factory=set)
    commented: bool = False


@dataclass(slots=True)
class Drawing:
    """All that one root draws, in painting order."""

    uses: list[StreamInvocation] = field(default_factory=list)
    shows: list[Show] = field(default_factory=list)
    marks: list[MarkedContent] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    covers: list[Cover] = field(default_factory=list)  # opaque areas
    images: set[int] = field(default_factory=set)  # those among them that are images
    shapes: DrawnShapes = field(default_factory=DrawnShapes)  # what may be letters
    cycles: set[tuple[int, int]] = field(default_factory=set)  # use and operator that would draw itself
