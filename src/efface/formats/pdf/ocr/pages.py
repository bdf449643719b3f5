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
from pikepdf import ContentStreamInlineImage, Dictionary, Stream

from efface.core import Document, Gap, Pictures
from efface.errors import Refused
from efface.files import ocr, picture_text
from efface.formats import picture_gaps
from efface.formats.pdf.fonts.font_check import lying
from efface.formats.pdf.fonts.font_decoding import Fonts
from efface.formats.pdf.ocr import pictures
from efface.formats.pdf.ocr.doubts import REASONS, Doubt
from efface.formats.pdf.ocr.drawn_pages import DPI, bare, become_picture, only_rows
from efface.formats.pdf.ocr.layer_font import LayerFont
from efface.formats.pdf.ocr.painted import painted_only
from efface.formats.pdf.ocr.shown_text import TextAlreadyShown, box_of
from efface.formats.pdf.reader.content import (
    ContentPiece,
    Instruction,
    page_bytes,
    parse,
    serialise,
    stream_bytes,
)
from efface.formats.pdf.reader.covers import Box
from efface.formats.pdf.reader.document import (
    DrawnWord,
    PdfDocumentReader,
    PdfOrigin,
    Root,
    draw,
    look,
)
from efface.formats.pdf.reader.interpreter import Interpreter
from efface.formats.pdf.reader.matrix import Matrix, Point, apply
from efface.formats.pdf.reader.object_walk import copied, name_of
from efface.formats.pdf.reader.opening import open_pdf
from efface.formats.pdf.reader.pdfium_text import PdfiumPages
from efface.formats.pdf.writer.picture_removal import without_pictures
from efface.text.progress import tell

if TYPE_CHECKING:
    from PIL.Image import Image

_CLEAR = 0.8  # below this a line of a single picture is left to the OCR of the whole page
_UNSURE = 0.6  # below this the engine guesses
_NAME = "/EffaceOCR"
_UNIT_SQUARE = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))


def read(data: bytes, name: str, policy: Pictures = Pictures.READ) -> Document:
    """The document; of pages that hold no text to be trusted, and of pictures, what OCR reads on them."""
    reader = PdfDocumentReader(data)
    document = reader.document(name)
    doubts = reader.doubts | dict.fromkeys(lying(reader.samples, data), Doubt.LYING)
    if not doubts and not reader.pictures and not reader.drawn:
        return document
    seen = pictures.survey(reader.pdf, reader.pictures)
    if seen.hiding:
        return read(painted_only(data, seen.hiding), name, policy)
    doubts = dict.fromkeys(seen.mosaics, Doubt.PICTURE) | doubts
    if policy is Pictures.REMOVE and (seen.count or _pictured(doubts)):
        return _removed(document, name, seen)
    if policy is Pictures.KEEP:
        doubts = {page: doubt for page, doubt in doubts.items() if doubt not in _OF_PICTURES}
        document = _with_gaps(document, picture_gaps.kept(seen.count))
        document = _with_gaps(document, picture_gaps.kept(len(reader.drawn), _OUTLINES))
    elif not ocr.available():
        document = _with_gaps(document, picture_gaps.unread(len(reader.drawn), _OUTLINES))
    if not doubts and (policy is Pictures.KEEP or not (seen.count or reader.drawn)):
        return document
    if not ocr.available():
        return _with_gaps(_without_ocr(document, doubts), picture_gaps.unread(seen.count))
    return _recognised(data, name, policy, doubts, seen, reader.drawn)


_REDRAWN = (Doubt.LYING, Doubt.UNREADABLE)
_OUTLINES = "what looks like letters drawn as outlines"


def _recognised(
    data: bytes,
    name: str,
    policy: Pictures,
    doubts: Mapping[int, Doubt],
    seen: pictures.PictureSurvey,
    drawn: Mapping[int, Sequence[Box]],
) -> Document:
    """The document with a layer of what OCR reads on doubtful pages and, where the policy says so, on pictures."""
    recogniser = _Recogniser(data, seen.mosaics)
    if policy is not Pictures.KEEP:
        redrawn = [page for page, doubt in doubts.items() if doubt in _REDRAWN]
        recogniser.read_outlines({page: places for page, places in drawn.items() if page not in redrawn})
    if policy is Pictures.READ:
        upright = [one for one in seen.upright if doubts.get(one.root.page) not in _REDRAWN]
        layered = recogniser.run(_read_whole(doubts, seen), upright)
        left = picture_gaps.unread(seen.unread)
    else:
        layered = recogniser.run(_read_whole(doubts, seen), [])
        left = picture_gaps.kept(seen.count)
    notes = _notes(doubts, recogniser.unsure) if doubts else []
    if recogniser.outlined:
        notes.append(f"Words drawn as outlines were read on {_pages(recogniser.outlined)}. {_BECOMES}")
    again = _noted(PdfDocumentReader(layered).document(name), notes)
    again = _with_drawn(again, recogniser.outlined, frozenset(doubts))
    return _with_gaps(again, (*left, *picture_gaps.doubtful(recogniser.doubtful)))


_BECOMES = "A page of which such a word is removed becomes a picture."


def _with_drawn(
    document: Document, drawn: Mapping[int, Sequence[DrawnWord]], recognised: frozenset[int]
) -> Document:
    origin = document.origin
    assert isinstance(origin, PdfOrigin)
    return replace(document, origin=replace(origin, drawn=drawn, recognised=recognised))


def _read_whole(doubts: Mapping[int, Doubt], seen: pictures.PictureSurvey) -> dict[int, Doubt]:
    """The pages that are read as they look. Pictures are read one by one, since something may lie over them; a
    page is read as well where a word may run over several pictures, or where none could be opened."""
    opened = {one.root.page for one in seen.upright}
    whole = {}
    for page, doubt in doubts.items():
        if doubt in _REDRAWN or page in seen.mosaics or page not in opened:
            whole[page] = doubt
    return whole


_OF_PICTURES = (Doubt.SCAN, Doubt.PICTURE)


def _pictured(doubts: Mapping[int, Doubt]) -> bool:
    return any(doubt in _OF_PICTURES for doubt in doubts.values())


def _removed(document: Document, name: str, seen: pictures.PictureSurvey) -> Document:
    """The document without its pictures, as the policy wants it."""
    origin = document.origin
    assert isinstance(origin, PdfOrigin)
    gone = picture_gaps.removed(seen.count)
    again = read(without_pictures(origin.data), name, Pictures.READ)
    return _noted(_with_gaps(again, gone), [picture_gaps.sentence(gap) for gap in gone])


def _with_gaps(document: Document, gaps: tuple[Gap, ...]) -> Document:
    origin = document.origin
    assert isinstance(origin, PdfOrigin)
    return replace(document, origin=replace(origin, gaps=(*origin.gaps, *gaps))) if gaps else document


def _without_ocr(document: Document, doubts: Mapping[int, Doubt]) -> Document:
    """The document without OCR: refused, or with a note of what was not searched."""
    for page, doubt in sorted(doubts.items()):
        if doubt is not Doubt.PICTURE:
            raise Refused(f"The PDF's page {page + 1} {REASONS[doubt]}, so it cannot be searched.", _INSTALL)
    if not doubts:
        return document
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
    assert isinstance(origin, PdfOrigin)
    return replace(document, origin=replace(origin, notes=(*origin.notes, *notes)))


class _Recogniser:
    """One file, page by page."""

    def __init__(self, data: bytes, mosaics: frozenset[int] = frozenset()) -> None:
        self._data = data
        self._mosaics = mosaics
        self._placed: dict[Root, list[tuple[str, float, float]]] = {}  # words of ours and their middles
        self._pdf = open_pdf(data)
        self._interpreter = Interpreter(self._pdf, Fonts())
        self._font = LayerFont(self._pdf)
        self.unsure: list[int] = []  # pages on which something could not be read well
        self.doubtful = 0  # pictures with what looks like writing that could not be read
        self.outlined: dict[int, list[DrawnWord]] = {}  # by page

    def run(self, doubts: Mapping[int, Doubt], upright: Sequence[pictures.UprightImage] = ()) -> bytes:
        """The file with its layer."""
        roots = list(pictures.by_root(upright))
        for number, (root, drawn) in enumerate(roots):
            tell(number, len(roots))
            self._recognise_pictures(root, drawn)
        with PdfiumPages(self._data, otherwise=self._save) as witness:
            for number, (page, doubt) in enumerate(sorted(doubts.items())):
                tell(number, len(doubts))
                picture, to_page = witness.picture(page, DPI, ocr.LONGEST)
                self._recognise(page, doubt, picture, to_page)
        self._font.finish()
        return self._save()

    def read_outlines(self, drawn: Mapping[int, Sequence[Box]]) -> None:
        """Puts over the pages what their outlines say, as far as their text does not say it."""
        if not drawn:
            return
        with PdfiumPages(self._data, otherwise=self._save) as witness:
            for number, (page, places) in enumerate(drawn.items()):
                tell(number, len(drawn))
                picture, to_page = witness.picture(page, DPI, ocr.LONGEST)
                self._read_outlines(page, only_rows(picture, places, to_page), to_page)

    def _read_outlines(self, number: int, rows: Image, to_page: Matrix) -> None:
        root = Root("page", number, (0, 0), (0, 0))
        if not picture_text.can_hold_words(rows):
            return
        shown = TextAlreadyShown(look(draw(self._interpreter, root)))
        words: list[DrawnWord] = []

        def said(word: str, corners: Sequence[Point]) -> bool:
            known = shown(word, corners)
            for letters in () if known else map(bare, word.split()):
                words.append(DrawnWord(letters, (*box_of(corners)[0], *box_of(corners)[1])))
            return known

        lines = [line for line in ocr.lines(rows) if line.score >= _CLEAR]
        syntax = [syntax for line in lines for syntax in self._line(line, to_page, root, said)]
        if words:
            self.outlined[number] = words
            self._put_over(root, b"q BT 3 Tr\n" + b"\n".join(syntax) + b"\nET Q\n")

    def _recognise_pictures(self, root: Root, drawn: Sequence[pictures.UprightImage]) -> None:
        """What each picture of a root says, over the root."""
        syntax: list[bytes] = []
        said: Callable[[str, Any], bool] | None = None
        whole = root.kind == "page" and root.page in self._mosaics
        for one in drawn:
            frame = picture_text.read(one.picture)
            self.doubtful += frame.unread and not whole
            for line in frame.lines:
                if whole and line.score < _CLEAR:
                    continue  # a part of a line, which the page shows whole
                said = said or TextAlreadyShown(look(draw(self._interpreter, root)))
                syntax += self._line(line, one.to_root, root, said)
        if syntax:
            self._put_over(root, b"q BT 3 Tr\n" + b"\n".join(syntax) + b"\nET Q\n")

    def _recognise(self, number: int, doubt: Doubt, picture: Image, to_page: Matrix) -> None:
        page, root = self._pdf.pages[number], Root("page", number, (0, 0), (0, 0))
        lines = self._page_lines(number, picture)
        if any(line.score < _UNSURE for line in lines):
            self.unsure.append(number)
        said: Callable[[str, Sequence[tuple[float, float]]], bool]
        if doubt in (Doubt.LYING, Doubt.UNREADABLE):
            become_picture(self._pdf, page, picture, to_page)
            said = _says_nothing
        else:
            said = TextAlreadyShown(look(draw(self._interpreter, root)))
        syntax = [syntax for line in lines for syntax in self._line(line, to_page, root, said)]
        if syntax:
            self._put_over(root, b"q BT 3 Tr\n" + b"\n".join(syntax) + b"\nET Q\n")

    def _page_lines(self, number: int, picture: Image) -> Sequence[ocr.OcrLine]:
        """The lines of a page. If its pictures lie side by side, the doubts are those of the pictures."""
        if number not in self._mosaics:
            return ocr.lines(picture)
        frame = picture_text.read(picture)
        self.doubtful += frame.unread
        return frame.lines

    def _line(
        self, line: ocr.OcrLine, to_page: Matrix, root: Root, said: Callable[[str, Any], bool]
    ) -> Iterable[bytes]:
        above, ahead, _, below = (apply(to_page, x, y) for x, y in line.corners)
        run = (ahead[0] - above[0], ahead[1] - above[1])
        up = (above[0] - below[0], above[1] - below[1])
        if run[0] * up[1] < run[1] * up[0]:  # mirrored; the layer's letters are not, and fill the same place
            below, up = above, (-up[0], -up[1])
        for word in line.words:
            start = (below[0] + run[0] * word.start, below[1] + run[1] * word.start)
            part = word.end - word.start
            along = (run[0] * part, run[1] * part)
            corners = [_corner(start, along, up, x, y) for x, y in _UNIT_SQUARE]
            if not said(word.text, corners) and self._is_new(root, word.text, corners):
                yield self._font.show(word.text + " ", start, along, up)

    def _is_new(self, root: Root, word: str, corners: Sequence[Point]) -> bool:
        """Whether another look has not put the word there yet."""
        placed = self._placed.setdefault(root, [])
        letters = bare(word)
        (left, bottom), (right, top) = box_of(corners)
        for known, x, y in placed:
            if known == letters and left <= x <= right and bottom <= y <= top:
                return False
        placed.append((letters, (left + right) / 2, (bottom + top) / 2))
        return True

    def _put_over(self, root: Root, syntax: bytes) -> None:
        """Draws over a page, a form or a glyph. A glyph may use what its font holds."""
        page = root.kind == "page"
        holder = self._pdf.pages[root.page].obj if page else self._pdf.get_object(root.objgen)
        lender = holder if page or "/Resources" in holder else self._pdf.get_object(root.resources_of)
        resources = copied(lender.get("/Resources", Dictionary()))
        fonts = copied(resources.get("/Font", Dictionary()))
        name = _NAME
        while name in fonts:
            name += "n"
        fonts[name] = self._font.font
        resources["/Font"] = fonts
        holder["/Resources"] = resources
        inner = stream_bytes(holder) if isinstance(holder, Stream) else page_bytes(pikepdf.Page(holder))
        own = serialise([b"q", *_balanced(parse(self._pdf, inner)), b"Q"])
        content = own + syntax.replace(b"%FONT%", name.encode())
        if isinstance(holder, Stream):
            holder.write(content)
        else:
            holder["/Contents"] = self._pdf.make_indirect(Stream(self._pdf, content))

    def _save(self) -> bytes:
        buffer = io.BytesIO()
        self._pdf.save(buffer, encryption=False, deterministic_id=True)
        return buffer.getvalue()


def _balanced(instructions: Iterable[Instruction]) -> list[ContentPiece]:
    """Content that leaves the graphics state as it found it."""
    kept: list[ContentPiece] = []
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


def _corner(start: Point, along: Point, up: Point, x: float, y: float) -> Point:
    """The point that lies `x` times along and `y` times up from the start."""
    return start[0] + x * along[0] + y * up[0], start[1] + x * along[1] + y * up[1]
