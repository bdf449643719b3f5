"""A PDF as one text: each page in reading order, then what is drawn elsewhere, then the strings around it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Stream

from efface.core import Document, Gap, HiddenText, Part
from efface.errors import Refused
from efface.formats.pdf.fonts.font_check import Samples
from efface.formats.pdf.fonts.font_decoding import UNKNOWN, Fonts, GlyphCode
from efface.formats.pdf.object_values import integer, real
from efface.formats.pdf.ocr.doubts import Doubt
from efface.formats.pdf.reader.annotation_covers import annotation_covers
from efface.formats.pdf.reader.covers import Box
from efface.formats.pdf.reader.drawing import Drawing, MarkedContent, Owner, Picture
from efface.formats.pdf.reader.hidden import hidden_runs
from efface.formats.pdf.reader.inline_images import from_inline
from efface.formats.pdf.reader.interpreter import Interpreter
from efface.formats.pdf.reader.layout import Layout, lay_out
from efface.formats.pdf.reader.matrix import Matrix, apply
from efface.formats.pdf.reader.object_walk import ObjGen, Step
from efface.formats.pdf.reader.opening import open_pdf
from efface.formats.pdf.reader.strings import StringSlot, is_language, survey
from efface.formats.pdf.reader.text import PdfText, compose
from efface.formats.pdf.scrub.document import scrub
from efface.formats.pdf.writer.resources import UsedNames, prune
from efface.text.progress import tell

_UNREADABLE = re.compile(f"{UNKNOWN}(?:[ \n]?{UNKNOWN}){{3}}")
_SHORT = 4  # an ActualText up to this long is one unit with its glyphs
_SCAN_AREA = 0.4  # a picture over this part of the page is a scan
_SCAN_TEXT = 12  # characters; fewer, over a large image, are a stamp on a scan
_LEGIBLE = 10_000  # pixels; fewer, beside text, are a background

RunKey = tuple[int, int]  # a show of a drawing, and a run of the show


@dataclass(frozen=True, slots=True)
class Root:
    """Something that is drawn on its own: a page, an appearance, a pattern's cell, a glyph, a soft mask."""

    kind: str
    page: int
    objgen: ObjGen
    resources_of: ObjGen

    @property
    def name(self) -> str:
        return f"page {self.page + 1}" if self.kind == "page" else self.kind


@dataclass(frozen=True, slots=True)
class TextBlock:
    """The stretch of the text that a root's lines make."""

    root: Root
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MarkText:
    """The stretch that a marked-content property makes."""

    root: Root
    mark: int
    path: tuple[Step, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SlotText:
    """The stretch that a string outside the content makes."""

    slot: StringSlot
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """One drawing of an image by a root."""

    root: Root
    image: Stream
    ctm: Matrix


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word whose letters are drawn as outlines: its letters and digits, and its place on the page."""

    letters: str
    box: Box


@dataclass(frozen=True, slots=True)
class PdfOrigin:
    """The way back: the bytes, and what made each stretch of the text."""

    data: bytes
    blocks: tuple[TextBlock, ...]
    marks: tuple[MarkText, ...]
    slots: tuple[SlotText, ...]
    usage: UsedNames
    codes: dict[ObjGen, Counter[GlyphCode]]
    commented: frozenset[Owner]
    notes: tuple[str, ...]
    gaps: tuple[Gap, ...] = ()
    drawn: Mapping[int, Sequence[DrawnWord]] = field(default_factory=dict)  # by page
    recognised: frozenset[int] = (
        frozenset()
    )  # pages whose words OCR read, since they hold no text to be trusted

    @property
    def readable_pdf(self) -> bytes:
        return self.data


@dataclass(slots=True)
class PageTexts:
    """A root drawn, laid out and composed; `units` are runs that one ActualText replaces, `spoken` those of a
    longer one that stays apart from its glyphs."""

    drawing: Drawing
    layout: Layout
    overrides: dict[RunKey, str]
    units: dict[RunKey, int]
    spoken: dict[RunKey, int]
    asides: list[tuple[int, tuple[Step, ...], str]]  # mark, path, text
    text: PdfText


def look(drawing: Drawing) -> PageTexts:
    """The reading of one root; the writer repeats it, so it depends on nothing else."""
    overrides: dict[RunKey, str] = {}
    units: dict[RunKey, int] = {}
    spoken: dict[RunKey, int] = {}
    speech: dict[RunKey, str] = {}
    asides: list[tuple[int, tuple[Step, ...], str]] = []
    for number, mark in enumerate(drawing.marks):
        runs = _enclosed(drawing, mark)
        for path, text in _asides(drawing, mark, runs):
            asides.append((number, path, text))
        actual = mark.actual
        if not actual or not runs or _agrees(drawing, runs, actual):
            continue
        # The first run says the whole ActualText, and the others say nothing.
        texts = dict.fromkeys(runs, "") | {runs[0]: actual}
        if len(actual) <= _SHORT:
            overrides.update(texts)
            units.update(dict.fromkeys(runs, number))
        else:
            speech.update(texts)
            spoken.update(dict.fromkeys(runs, number))
    layout = lay_out(drawing.shows)
    return PageTexts(drawing, layout, overrides, units, spoken, asides, compose(layout, overrides, speech))


def _asides(
    drawing: Drawing, mark: MarkedContent, runs: list[RunKey]
) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The strings of a mark that the text of its glyphs does not say."""
    for path, text in mark.strings.items():
        is_unit = bool(runs) and len(text) <= _SHORT
        if path == ("/ActualText",) and (is_unit or _agrees(drawing, runs, text)):
            continue
        if path[-1:] == ("/Lang",) and is_language(text):
            continue
        if text.strip():
            yield path, text


def _enclosed(drawing: Drawing, mark: MarkedContent) -> list[RunKey]:
    """The runs that a mark encloses. A mark that is never closed encloses none."""
    shows = range(mark.first, mark.last if mark.last >= 0 else mark.first)
    return [(show, run) for show in shows for run in range(len(drawing.shows[show].runs))]


def _agrees(drawing: Drawing, runs: list[RunKey], actual: str) -> bool:
    """Whether the glyphs of these runs say the same as an ActualText."""
    shown = "".join(drawing.shows[show].runs[run][4] for show, run in runs)
    return bool(actual) and _comparable_letters(shown) == _comparable_letters(actual)


def _comparable_letters(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).replace("\u00ad", "").casefold()


@dataclass(slots=True)
class _Assembly:
    """The text as it grows, with its parts."""

    pieces: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    length: int = 0

    def add(self, name: str, text: str) -> tuple[int, int]:
        if self.pieces:
            self.pieces.append("\n")
            self.length += 1
        start, end = self.length, self.length + len(text)
        self.pieces.append(text)
        self.parts.append(Part(name, start, end))
        self.length = end
        return start, end


class PdfDocumentReader:
    """One reading of one file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.pdf = open_pdf(data)
        self._fonts = Fonts()
        self._interpreter = Interpreter(self.pdf, self._fonts)
        self._usage: UsedNames = {}
        self._commented: set[Owner] = set()
        self._assembly = _Assembly()
        self._blocks: list[TextBlock] = []
        self._marks: list[MarkText] = []
        self.doubts: dict[int, Doubt] = {}  # by page
        self.pictures: list[DrawnPicture] = []
        self.drawn: dict[int, list[Box]] = {}  # by page, places in which outlines may be letters
        self._hidden: list[HiddenText] = []
        self.samples = Samples()

    def document(self, name: str) -> Document:
        scrubbed = scrub(self.pdf)
        pages = len(self.pdf.pages)
        for number, root in enumerate(self._roots(scrubbed.appearances)):
            tell(min(number, pages), pages)
            self._read(root)
        prune(self.pdf, self._usage)
        surveyed = survey(self.pdf)
        for objgen in surveyed.forms:
            if objgen not in self._interpreter.drawn:
                self._read(Root("form", -1, objgen, objgen))
        slots = [SlotText(slot, *self._assembly.add(slot.name, text)) for slot, text in surveyed.slots]
        origin = PdfOrigin(
            data=self._data,
            blocks=tuple(self._blocks),
            marks=tuple(self._marks),
            slots=tuple(slots),
            usage=self._usage,
            codes=self._fonts.in_use(),
            commented=frozenset(self._commented),
            notes=scrubbed.notes,
        )
        text = "".join(self._assembly.pieces)
        parts = tuple(self._assembly.parts)
        return Document(name, "pdf", text, parts, origin, tuple(self._hidden))

    def _roots(self, appearances: tuple[ObjGen, ...]) -> Iterator[Root]:
        for number in range(len(self.pdf.pages)):
            yield Root("page", number, (0, 0), (0, 0))
        for objgen in appearances:
            yield Root("appearance", -1, objgen, objgen)
        done: set[ObjGen] = set()
        while waiting := [objgen for objgen in self._interpreter.found if objgen not in done]:
            for objgen in waiting:
                done.add(objgen)
                kind, resources_of = self._interpreter.found[objgen]
                yield Root(kind, -1, objgen, resources_of)

    def _read(self, root: Root) -> None:
        """Reads what a page, a form or a glyph draws: its text, its pictures and the resources that it uses."""
        drawing = draw(self._interpreter, root)
        if root.kind == "glyph":  # with resources of its own it leaves the font's to others
            self._usage.setdefault(("stream", *root.resources_of), set())
        for use in drawing.uses:
            self._usage.setdefault(use.owner, set()).update(use.names)
            if use.commented:
                self._commented.add(("page", root.page, 0) if use.objgen is None else ("stream", *use.objgen))
        self._collect_pictures(root, drawing)
        view = look(drawing)
        text = view.text.string
        if root.kind == "page":
            self._examine(root.page, view)
            if places := drawing.shapes.rows():
                self.drawn[root.page] = places
        elif _UNREADABLE.search(text):
            raise Refused(
                f"The PDF's {root.name} does not say which characters it shows, so it cannot be searched.",
                "Recognise the text with OCR first, or print the document to a new PDF.",
            )
        if text:
            self._blocks.append(TextBlock(root, *self._assembly.add(root.name, text)))
            if root.kind == "page":
                self._look_for_hidden(root.page, view, self._blocks[-1].start)
        for mark, path, aside in view.asides:
            place = self._assembly.add(f"{root.name} {str(path[-1]).lstrip('/')}", aside)
            self._marks.append(MarkText(root, mark, path, *place))

    def _collect_pictures(self, root: Root, drawing: Drawing) -> None:
        for picture in drawing.pictures:
            image = image_of(self.pdf, drawing, picture)
            if image is not None:
                self.pictures.append(DrawnPicture(root, image, picture.ctm))

    def _look_for_hidden(self, number: int, view: PageTexts, start: int) -> None:
        """Notes the words of a page that cannot be seen."""
        page = self.pdf.pages[number]
        for run in hidden_runs(view, page_box(page), annotation_covers(self._interpreter, page)):
            self._hidden.append(HiddenText(start + run.start, start + run.end, run.reason))

    def _examine(self, page: int, view: PageTexts) -> None:
        """Notes why the page's text may not be what it shows."""
        text = view.text.string
        scan = sum(not char.isspace() for char in text) < _SCAN_TEXT
        share = _covered(self.pdf, view.drawing, self.pdf.pages[page], 0 if scan else _LEGIBLE)
        if _UNREADABLE.search(text):
            self.doubts[page] = Doubt.UNREADABLE
        elif share >= _SCAN_AREA:
            self.doubts[page] = Doubt.SCAN if scan else Doubt.PICTURE
        self.samples.add(page, view.layout)


def image_of(pdf: pikepdf.Pdf, drawing: Drawing, picture: Picture) -> Stream | None:
    """The image that is drawn; an inline one becomes an image of its own."""
    if picture.objgen is not None:
        image = pdf.get_object(picture.objgen)
        return image if isinstance(image, Stream) else None
    use = drawing.uses[picture.use]
    instruction: Any = use.instructions[picture.op]
    return from_inline(pdf, instruction.iimage, use.resources)


def draw(interpreter: Interpreter, root: Root) -> Drawing:
    if root.kind == "page":
        return interpreter.page(root.page)
    return interpreter.stream(root.objgen, root.resources_of)


def _covered(pdf: pikepdf.Pdf, drawing: Drawing, page: pikepdf.Page, least: int) -> float:
    """How much of a page its pictures cover, those with fewer pixels than `least` left aside."""
    left, bottom, right, top = page_box(page)
    area = max(1e-6, (right - left) * (top - bottom))
    covered = 0.0
    for picture in drawing.pictures:
        corners = [apply(picture.ctm, x, y) for x in (0.0, 1.0) for y in (0.0, 1.0)]
        across, upwards = zip(*corners, strict=True)
        width = min(right, max(across)) - max(left, min(across))
        height = min(top, max(upwards)) - max(bottom, min(upwards))
        if width > 0 and height > 0 and _pixels(pdf, picture) >= least:
            covered += width * height
    return covered / area


def _pixels(pdf: pikepdf.Pdf, picture: Picture) -> int:
    image = pdf.get_object(picture.objgen) if picture.objgen is not None else None
    if not isinstance(image, Stream):
        return _LEGIBLE  # an inline image
    return integer(image.get("/Width")) * integer(image.get("/Height"))


def page_box(page: pikepdf.Page) -> tuple[float, float, float, float]:
    box = page.obj.get("/CropBox") or page.obj.get("/MediaBox")
    if isinstance(box, Array) and len(box) == 4:
        x0, y0, x1, y1 = (real(value) for value in box)
        if x0 != x1 and y0 != y1:
            return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    return 0.0, 0.0, 612.0, 792.0
