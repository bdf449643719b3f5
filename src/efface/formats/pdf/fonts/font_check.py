"""Whether fonts show what their text says.

A ToUnicode map is only a claim. Where the font's own encoding or program says the same, it is believed. Where
nothing confirms it, some lines in that font are read from the rendered page when the OCR engine is there.
Where it is contradicted and no OCR is installed, the page is not trusted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from efface.files import ocr
from efface.formats.pdf.fonts.font_decoding import UNKNOWN, Font, GlyphCode
from efface.formats.pdf.reader.drawing import Show
from efface.formats.pdf.reader.layout import INVISIBLE, Layout, Piece, Quad, TextLine, across
from efface.formats.pdf.reader.matrix import Matrix, apply, invert
from efface.formats.pdf.reader.pdfium_text import PdfiumPages

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 150  # at which letters are large enough for OCR
_LINES = 3  # lines that are read for each font
_SHORTEST, _LONGEST = 6, 120  # letters of a line worth reading
_CONTRADICTIONS = 4  # contradictions that are more than a slip
_SURE = 0.9  # the engine's confidence from which it is believed against the file
_ALIKE = 0.8  # mean similarity below which two readings are not of one text


class Trust(Enum):
    CONFIRMED = "the font's own encoding or program agrees"
    UNCONFIRMED = "nothing says whether it is so"
    CONTRADICTED = "the font's own encoding or program says otherwise"


@dataclass(frozen=True, slots=True)
class Sample:
    """A stretch of a line in one font: what it says, and where the page shows it."""

    page: int
    text: str
    corners: Quad

    @property
    def worth(self) -> int:
        return len(set(self.text))


@dataclass(slots=True)
class _Watched:
    """A font with the pages it is used on, and the lines in it that are best to check."""

    font: Font
    pages: set[int] = field(default_factory=set)
    samples: list[Sample] = field(default_factory=list)
    trust: Trust = Trust.UNCONFIRMED
    judged_at: int = -1  # how many codes were in use

    def judge(self) -> Trust:
        if self.judged_at != len(self.font.used):
            self.trust, self.judged_at = trust(self.font), len(self.font.used)
        return self.trust


class Samples:
    """Collects, page by page, lines in fonts that nothing confirms."""

    def __init__(self) -> None:
        self._fonts: dict[int, _Watched] = {}

    def add(self, page: int, layout: Layout) -> None:
        fonts = {id(show.font): show.font for show in layout.shows if show.mode not in INVISIBLE}
        doubted = set()
        for key, font in fonts.items():
            watched = self._fonts.setdefault(key, _Watched(font))
            watched.pages.add(page)
            if watched.judge() is not Trust.CONFIRMED:
                doubted.add(key)
        if doubted:
            for line in layout.lines:
                for key, sample in _stretches(page, layout.shows, line, doubted):
                    kept = self._fonts[key].samples
                    kept.append(sample)
                    kept.sort(key=lambda one: -one.worth)
                    del kept[_LINES:]

    def doubted(self) -> list[_Watched]:
        return [
            watched
            for watched in self._fonts.values()
            if watched.samples and watched.judge() is not Trust.CONFIRMED
        ]


def trust(font: Font) -> Trust:
    """What the font itself says about its text."""
    if font.told is None:
        return Trust.UNCONFIRMED
    agreed = contradicted = silent = 0
    for code in font.used:
        text, told = _text_of_code(font, code), font.told(code)
        if not text.strip() or text == UNKNOWN:
            continue
        if not told:
            silent += 1
        elif _reads_alike(text, told):
            agreed += 1
        else:
            contradicted += 1
    if contradicted >= _CONTRADICTIONS and contradicted > agreed:
        return Trust.CONTRADICTED
    return Trust.CONFIRMED if agreed >= silent else Trust.UNCONFIRMED


def _text_of_code(font: Font, code: GlyphCode) -> str:
    if isinstance(code, int):
        return font.texts[code]
    return font.known[code][0] if code in font.known else ""


def _reads_alike(one: str, other: str) -> bool:
    return _comparable(one) == _comparable(other)


def _comparable(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _stretches(
    page: int, shows: list[Show], line: TextLine, doubted: set[int]
) -> Iterator[tuple[int, Sample]]:
    """The parts of a line that are in one doubted font, where they can be read."""
    for key, pieces in _by_font(shows, line):
        if key not in doubted or pieces[0].place.em < 4:
            continue
        text = "".join(_text_of_piece(shows, piece) for piece in pieces)
        if len(bare(text)) >= _SHORTEST and len(text) <= _LONGEST and not _right_to_left(text):
            place, start, end = pieces[0].place, pieces[0].start, pieces[-1].end
            yield key, Sample(page, text, across(place, start, end - start))


def _by_font(shows: list[Show], line: TextLine) -> Iterator[tuple[int, list[Piece]]]:
    pieces: list[Piece] = []
    for piece in line.pieces:
        if shows[piece.show].mode in INVISIBLE:
            continue
        if pieces and shows[pieces[-1].show].font is not shows[piece.show].font:
            yield id(shows[pieces[0].show].font), pieces
            pieces = []
        pieces.append(piece)
    if pieces:
        yield id(shows[pieces[0].show].font), pieces


def _text_of_piece(shows: list[Show], piece: Piece) -> str:
    return "".join(shows[piece.show].runs[run][4] for run in range(piece.first, piece.last))


def _right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def lying(samples: Samples, data: bytes) -> set[int]:
    """The pages that show other words than their text says."""
    doubted = samples.doubted()
    if not doubted:
        return set()
    if not ocr.available():
        return {page for one in doubted if one.trust is Trust.CONTRADICTED for page in one.pages}
    with PdfiumPages(data) as witness:
        eyes = _Eyes(witness)
        return {page for one in doubted if not eyes.agree(one) for page in one.pages}


class _Eyes:
    """Reads samples off the rendered pages."""

    def __init__(self, witness: PdfiumPages) -> None:
        self._witness = witness
        self._page = -1
        self._rendered: tuple[Image, Matrix] | None = None

    def agree(self, watched: _Watched) -> bool:
        """Whether OCR of the sample lines agrees with their text.

        Where OCR reads no sample, the font passes unless it was contradicted before.
        """
        likeness = [
            _likeness(sample.text, seen)
            for sample in sorted(watched.samples, key=lambda one: one.page)
            if (seen := self._read(sample))
        ]
        if not likeness:
            return watched.trust is not Trust.CONTRADICTED
        return sum(likeness) / len(likeness) >= _ALIKE

    def _read(self, sample: Sample) -> str:
        """What the page shows there, if the engine is sure of it."""
        if sample.page != self._page or self._rendered is None:
            self._page, self._rendered = sample.page, self._witness.picture(sample.page, _DPI, ocr.LONGEST)
        picture, to_page = self._rendered
        a, b, c, d = sample.corners  # from below to above
        back = invert(to_page)
        if back is None:
            return ""
        crop = ocr.upright(picture, (apply(back, *d), apply(back, *c), apply(back, *b), apply(back, *a)))
        if crop is None:
            return ""
        text, score = ocr.read_line(crop)
        return text if score >= _SURE and len(bare(text)) >= _SHORTEST - 1 else ""


def _likeness(one: str, other: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(bare(one), bare(other)) / 100


def bare(text: str) -> str:
    """Letters and digits only."""
    return "".join(filter(str.isalnum, _comparable(text)))
