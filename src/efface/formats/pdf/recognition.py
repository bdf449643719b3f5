"""Pages whose text cannot be trusted are read as pictures.

What OCR reads on a page is put over it as invisible text, word by word; from then on the page is like any
scan with a text layer, and removing a word clears its pixels. A page whose own text is unreadable or says
something else than it shows becomes a picture first.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pikepdf
from pikepdf import Array, ContentStreamInlineImage, Dictionary, Name, Stream

from efface import ocr
from efface.core import Document
from efface.errors import Refused
from efface.formats.pdf.content import Instruction, Piece, page_bytes, parse, serialise
from efface.formats.pdf.doubts import REASONS, Doubt
from efface.formats.pdf.fonts import LAYER_FONT, Fonts
from efface.formats.pdf.honesty import lying
from efface.formats.pdf.interpreter import Interpreter
from efface.formats.pdf.layout import ASCENT, DESCENT, geometry
from efface.formats.pdf.matrix import Matrix, apply, numbers
from efface.formats.pdf.opening import open_pdf
from efface.formats.pdf.reader import Origin, Reader, Root, View, draw, look
from efface.formats.pdf.walk import copied, members, name_of
from efface.formats.pdf.witness import Witness

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 180
_UNSURE = 0.6  # below this the engine guesses
_ADVANCE = 0.5  # em of every character of the layer
_NAME = "/EffaceOCR"


def read(data: bytes, name: str) -> Document:
    """The document; of pages that hold no text to be trusted, what OCR reads on them."""
    reader = Reader(data)
    document = reader.document(name)
    doubts = reader.doubts | dict.fromkeys(lying(reader.samples, data), Doubt.LYING)
    if not doubts:
        return document
    if not ocr.available():
        return _without(document, doubts)
    data, unsure = _Recogniser(data).run(doubts)
    return _noted(Reader(data).document(name), _notes(doubts, unsure))


def _without(document: Document, doubts: Mapping[int, Doubt]) -> Document:
    """Without the engine: refused, or told what was not searched."""
    for page, doubt in sorted(doubts.items()):
        if doubt is not Doubt.PICTURE:
            raise Refused(f"The PDF's page {page + 1} {REASONS[doubt]}, so it cannot be searched.", _INSTALL)
    return _noted(
        document,
        [f"Words in the pictures of {_pages(doubts)} were not searched: that takes the `ocr` extra."],
    )


_INSTALL = "Install the `ocr` extra (pip install 'efface[ocr]'), or recognise its text with another program."


def _notes(doubts: Mapping[int, Doubt], unsure: Iterable[int]) -> list[str]:
    drawn = [page for page, doubt in doubts.items() if doubt in (Doubt.LYING, Doubt.UNREADABLE)]
    notes = [f"OCR read {_pages(doubts)}; what it misreads is not found, so look at the result."]
    if drawn:
        notes.append(f"Turned into a picture, because the text is not what is shown: {_pages(drawn)}.")
    if low := sorted(set(unsure)):
        notes.append(f"Some writing on {_pages(low)} could not be read with confidence.")
    return notes


def _pages(numbers: Iterable[int]) -> str:
    listed = [str(number + 1) for number in sorted(numbers)]
    shown = ", ".join(listed[:10]) + (f" and {len(listed) - 10} more" if len(listed) > 10 else "")
    return f"page {shown}" if len(listed) == 1 else f"pages {shown}"


def _noted(document: Document, notes: Sequence[str]) -> Document:
    origin = document.origin
    assert isinstance(origin, Origin)
    return replace(document, origin=replace(origin, notes=(*origin.notes, *notes)))


class _Recogniser:
    """One file, page by page."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pdf = open_pdf(data)
        self._interpreter = Interpreter(self._pdf, Fonts())
        self._font = _LayerFont(self._pdf)
        self._unsure: list[int] = []

    def run(self, doubts: Mapping[int, Doubt]) -> tuple[bytes, list[int]]:
        """The file with its layer, and the pages on which something could not be read well."""
        with Witness(self._data, otherwise=self._save) as witness:
            for page, doubt in sorted(doubts.items()):
                picture, to_page = witness.picture(page, _DPI, ocr.LONGEST)
                self._recognise(page, doubt, picture, to_page)
        self._font.finish()
        return self._save(), self._unsure

    def _recognise(self, number: int, doubt: Doubt, picture: Image, to_page: Matrix) -> None:
        page = self._pdf.pages[number]
        lines = ocr.lines(picture)
        if any(line.score < _UNSURE for line in lines):
            self._unsure.append(number)
        said: Callable[[str, Sequence[tuple[float, float]]], bool]
        if doubt in (Doubt.LYING, Doubt.UNREADABLE):
            _become_picture(self._pdf, page, picture, to_page)
            said = _says_nothing
        else:
            said = _Said(look(draw(self._interpreter, Root("page", number, (0, 0), (0, 0)))))
        syntax = [syntax for line in lines for syntax in self._line(line, to_page, said)]
        if syntax:
            self._put_over(page, b"q BT 3 Tr\n" + b"\n".join(syntax) + b"\nET Q\n")

    def _line(self, line: ocr.Line, to_page: Matrix, said: Callable[[str, Any], bool]) -> Iterable[bytes]:
        above, ahead, _, below = (apply(to_page, x, y) for x, y in line.corners)
        run = (ahead[0] - above[0], ahead[1] - above[1])
        up = (above[0] - below[0], above[1] - below[1])
        for word in line.words:
            start = (below[0] + run[0] * word.start, below[1] + run[1] * word.start)
            part = word.end - word.start
            along = (run[0] * part, run[1] * part)
            corners = [
                (start[0] + x * along[0] + y * up[0], start[1] + x * along[1] + y * up[1])
                for x in (0.0, 1.0)
                for y in (0.0, 1.0)
            ]
            if not said(word.text, corners):
                yield self._font.show(word.text + " ", start, along, up)

    def _put_over(self, page: pikepdf.Page, syntax: bytes) -> None:
        resources = copied(page.obj.get("/Resources", Dictionary()))
        fonts = copied(resources.get("/Font", Dictionary()))
        name = _NAME
        while name in fonts:
            name += "n"
        fonts[name] = self._font.font
        resources["/Font"] = fonts
        page.obj["/Resources"] = resources
        own = serialise([b"q", *_balanced(parse(self._pdf, page_bytes(page))), b"Q"])
        content = own + syntax.replace(b"%FONT%", name.encode())
        page.obj["/Contents"] = self._pdf.make_indirect(Stream(self._pdf, content))

    def _save(self) -> bytes:
        buffer = io.BytesIO()
        self._pdf.save(buffer, encryption=False, deterministic_id=True)
        return buffer.getvalue()


class _LayerFont:
    """A font without glyphs: each character that is used has a code, and all are as wide."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._codes: dict[str, int] = {}
        child = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=Name(LAYER_FONT),
            CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
            DW=round(1000 * _ADVANCE),
            CIDToGIDMap=Name.Identity,
            FontDescriptor=pdf.make_indirect(
                Dictionary(
                    Type=Name.FontDescriptor,
                    FontName=Name(LAYER_FONT),
                    Flags=5,
                    FontBBox=Array([0, -220, 500, 800]),
                    ItalicAngle=0,
                    Ascent=800,
                    Descent=-220,
                    CapHeight=700,
                    StemV=80,
                )
            ),
        )
        self.font = pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=Name(LAYER_FONT),
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([pdf.make_indirect(child)]),
            )
        )

    def show(
        self, text: str, start: tuple[float, float], along: tuple[float, float], up: tuple[float, float]
    ) -> bytes:
        """Text that fills the place from its lower left corner."""
        codes = "".join(f"{self._codes.setdefault(char, len(self._codes) + 1):04x}" for char in text[:500])
        length, tall = _ADVANCE * len(codes) / 4, ASCENT + DESCENT
        base = (start[0] + up[0] * DESCENT / tall, start[1] + up[1] * DESCENT / tall)
        matrix = (along[0] / length, along[1] / length, up[0] / tall, up[1] / tall, *base)
        return f"%FONT% 1 Tf {numbers(*matrix)} Tm <{codes}> Tj".encode()

    def finish(self) -> None:
        entries = [f"<{code:04x}> <{char.encode('utf-16-be').hex()}>" for char, code in self._codes.items()]
        blocks = [entries[at : at + 100] for at in range(0, len(entries), 100)]
        body = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
        cmap = (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def "
            f"/CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange\n{body}\n"
            "endcmap CMapName currentdict /CMap defineresource pop end end"
        )
        self.font["/ToUnicode"] = self._pdf.make_indirect(Stream(self._pdf, cmap.encode("ascii")))


class _Said:
    """Whether a page's own text already says a word in its place."""

    def __init__(self, view: View) -> None:
        import numpy

        places: list[tuple[float, float]] = []
        self._letters: list[str] = []
        for show in view.layout.shows:
            place = geometry(show)
            x, y = place.key
            for run in range(len(show.runs)):
                for text, start, end in show.run_glyphs(run):
                    if show.label:  # in the middle of its box
                        start, end = show.runs[run][2:4]
                    u, v = (place.along(start) + place.along(end)) / 2, place.v + 0.3 * place.tall
                    places.append((u * x - v * y, u * y + v * x))
                    self._letters.append(text)
        self._places = numpy.array(places).reshape(-1, 2)

    def __call__(self, word: str, corners: Sequence[tuple[float, float]]) -> bool:
        import numpy

        if not self._letters:
            return False
        low = [min(point[axis] for point in corners) for axis in (0, 1)]
        high = [max(point[axis] for point in corners) for axis in (0, 1)]
        inside = numpy.flatnonzero(((self._places >= low) & (self._places <= high)).all(axis=1))
        return _bare(word) in _bare("".join(self._letters[at] for at in inside))


def _balanced(instructions: Iterable[Instruction]) -> list[Piece]:
    """Content that leaves the graphics state as it found it."""
    kept: list[Piece] = []
    depth = 0
    for instruction in instructions:
        operator = "" if isinstance(instruction, ContentStreamInlineImage) else name_of(instruction.operator)
        if operator == "Q" and not depth:
            continue
        depth += (operator == "q") - (operator == "Q")
        kept.append(instruction)
    return [*kept, *[b"Q"] * depth]


def _says_nothing(_word: str, _corners: object) -> bool:
    return False


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _become_picture(pdf: pikepdf.Pdf, page: pikepdf.Page, picture: Image, to_page: Matrix) -> None:
    """A page that shows its picture and nothing else; annotations stay."""
    buffer = io.BytesIO()
    picture.convert("RGB").save(buffer, "JPEG", quality=90)
    image = Stream(pdf, buffer.getvalue())
    image["/Type"], image["/Subtype"], image["/Filter"] = Name.XObject, Name.Image, Name.DCTDecode
    image["/Width"], image["/Height"] = picture.size
    image["/BitsPerComponent"], image["/ColorSpace"] = 8, Name.DeviceRGB
    a, b, c, d, _, _ = to_page
    width, height = picture.size
    origin = apply(to_page, 0.0, float(height))
    matrix = numbers(a * width, b * width, -c * height, -d * height, *origin)
    for key, _value in members(page.obj):
        if key in ("/StructParents", "/Group"):
            del page.obj[str(key)]
    page.obj["/Resources"] = Dictionary(XObject=Dictionary({"/Page": pdf.make_indirect(image)}))
    page.obj["/Contents"] = pdf.make_indirect(Stream(pdf, f"q {matrix} cm /Page Do Q\n".encode()))
