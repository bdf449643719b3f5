"""Glyphs of a page that cannot be seen, and why: under a box, white on white, off the page, clipped, too small.

A glyph counts as covered when the middle of it lies under something opaque. The invisible text of a scan is no
hidden text, because the picture under it shows the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efface.formats.pdf.reader.covers import Box, Colour, Cover, bounds, is_white, square
from efface.formats.pdf.reader.drawing import Drawing, Show
from efface.formats.pdf.reader.layout import INVISIBLE, Geometry, Ref, geometry
from efface.formats.pdf.reader.matrix import Point

if TYPE_CHECKING:
    from efface.formats.pdf.reader.document import PageTexts

_MIDDLE = 0.3  # of the height of a line: the middle of small letters
_SMALLEST = 1.0  # points of a line that can be read
_TRANSPARENT = 0.02  # of full opacity: less cannot be seen on a page
_SCAN = 0.4  # of the page: text under such a picture is the layer of a scan
_ALIKE = 0.04  # of a colour's range: less difference cannot be seen
_EDGE = 1.0  # points that a glyph may reach over an edge


@dataclass(frozen=True, slots=True)
class HiddenRun:
    """A stretch of a page's text that cannot be seen."""

    start: int
    end: int
    reason: str


def hidden_runs(view: PageTexts, page: Box, over: Sequence[Cover]) -> list[HiddenRun]:
    """The hidden stretches of a page. `over` are covers that annotations lay over everything."""
    sight = _Sight(view.drawing, page, over)
    found: list[HiddenRun] = []
    for start, text, refs in _glyphs(view):
        copies = [copy for ref in refs for copy in view.layout.copies.get(ref, ())]
        reasons = [sight.reason(ref) for ref in (*refs, *copies)]
        if not all(reasons) or not reasons:
            continue
        last = found[-1] if found else None
        if last and last.reason == reasons[0] and not view.text.string[last.end : start].strip():
            found[-1] = HiddenRun(last.start, start + len(text), last.reason)
        else:
            found.append(HiddenRun(start, start + len(text), reasons[0]))
    return [run for run in found if _says_something(view.text.string, run)]


def _says_something(text: str, run: HiddenRun) -> bool:
    """Whether a run has letters. A lone letter inside a word is the shadow of its neighbour."""
    count = sum(map(str.isalnum, text[run.start : run.end]))
    inside = text[run.start - 1 : run.start].isalnum() or text[run.end : run.end + 1].isalnum()
    return count > 1 or (count == 1 and not inside)


def _glyphs(view: PageTexts) -> Iterator[tuple[int, str, list[Ref]]]:
    """The characters of the text with their glyphs; blanks are left out."""
    for start, (text, show, run, glyph) in zip(view.text.starts, view.text.entries, strict=True):
        if show < 0 or not text.strip():
            continue
        if glyph >= 0:
            yield start, text, [(show, run, glyph)]
        elif (show, run) in view.overrides or glyph != -1:
            count = len(view.layout.shows[show].run_glyphs(run))
            yield start, text, [(show, run, index) for index in range(count)]
        else:
            at = start
            for index, piece in enumerate(view.layout.shows[show].run_texts(run)):
                if piece.strip():
                    yield at, piece, [(show, run, index)]
                at += len(piece)


class _Sight:
    """Whether glyphs of one drawing can be seen; places of a show are worked out once."""

    def __init__(self, drawing: Drawing, page: Box, over: Sequence[Cover]) -> None:
        self._drawing = drawing
        self._page = page
        self._over = over
        self._places: dict[int, tuple[Geometry, list[Cover], list[Cover], str]] = {}
        self._pictures = [bounds(square(picture.ctm)) for picture in drawing.pictures]
        self._scans = {at for at in drawing.images if _area(drawing.covers[at].box, page) >= _SCAN}

    def reason(self, ref: Ref) -> str:
        """Why a glyph cannot be seen; nothing when it can."""
        number, run, glyph = ref
        show = self._drawing.shows[number]
        if show.label:
            return ""
        place, above, ground, general = self._place(number, show)
        if general:
            return general
        _, start, end = show.run_glyphs(run)[glyph]
        x, y = _point(place, (start + end) / 2)
        left, bottom, right, top = self._page
        if not (left - _EDGE <= x <= right + _EDGE and bottom - _EDGE <= y <= top + _EDGE):
            return "off the page"
        if show.clip is not None and not _inside(show.clip, x, y):
            return "outside what its clip shows"
        quarters = [_point(place, start + (end - start) * part) for part in (0.25, 0.5, 0.75)]
        if show.mode in INVISIBLE:
            if not any(_inside(box, x, y) for box in self._pictures):
                return "invisible"
            return "under a box" if self._boxed(quarters) else ""
        if any(all(cover.holds(*point) for point in quarters) for cover in above):
            return "under a box"
        if show.mode in (0, 4) and show.fill is not None and self._is_lost(show.fill, ground, x, y):
            return "white on white" if is_white(show.fill) else "in the colour of its ground"
        return ""

    def _place(self, number: int, show: Show) -> tuple[Geometry, list[Cover], list[Cover], str]:
        """Where a show is, what was painted over it and under it, and why all of it is hidden."""
        if number not in self._places:
            place = geometry(show)
            above, ground = self._painted_around(number, _extent(show, place))
            self._places[number] = (place, above, ground, _hidden_as_a_whole(show, place))
        return self._places[number]

    def _painted_around(self, number: int, box: Box) -> tuple[list[Cover], list[Cover]]:
        """The covers that were painted over this place after a show, and those that lay there before."""
        above: list[Cover] = []
        ground: list[Cover] = []
        for at, cover in enumerate(self._drawing.covers):
            if not _overlap(cover.box, box):
                continue
            if cover.after <= number:
                ground.append(cover)
            elif at not in self._scans:
                above.append(cover)
        above += [cover for cover in self._over if _overlap(cover.box, box)]
        return above, ground

    def _boxed(self, points: Sequence[Point]) -> bool:
        """Whether a picture shows something here and a box was painted over the picture."""
        over_picture = False
        for at, cover in enumerate(self._drawing.covers):
            if all(cover.holds(*point) for point in points):
                over_picture = at in self._drawing.images or over_picture
                boxed = at not in self._drawing.images and over_picture
            else:
                continue
            if boxed:
                return True
        return False

    def _is_lost(self, fill: Colour, ground: Sequence[Cover], x: float, y: float) -> bool:
        """Whether a glyph has the colour of what lies under it; a bare page is white."""
        if not ground and not is_white(fill):
            return False
        if any(_inside(box, x, y) for box in self._pictures):
            return False
        below = [cover for cover in ground if cover.holds(x, y)]
        colour = below[-1].colour if below else (1.0, 1.0, 1.0)
        return colour is not None and max(abs(a - b) for a, b in zip(fill, colour, strict=True)) <= _ALIKE


def _point(place: Geometry, offset: float) -> Point:
    u, v = place.along(offset), place.v + _MIDDLE * place.tall
    x, y = place.key
    return u * x - v * y, u * y + v * x


def _inside(box: Box, x: float, y: float) -> bool:
    return box[0] - _EDGE <= x <= box[2] + _EDGE and box[1] - _EDGE <= y <= box[3] + _EDGE


def _extent(show: Show, place: Geometry) -> Box:
    """The box of all that a show writes."""
    ends = [show.runs[0][2], *(run[3] for run in show.runs)] if show.runs else [0.0]
    return bounds([_point(place, offset) for offset in (min(ends), max(ends))])


def _hidden_as_a_whole(show: Show, place: Geometry) -> str:
    """Why a show is invisible as a whole, wherever it is on the page; empty if it is not."""
    if show.alpha <= _TRANSPARENT:
        return "fully transparent"
    # A layer over a picture is as high as the picture is drawn, and the picture may be read closely.
    if place.tall < _SMALLEST and not show.font.layer:
        return "too small to be read"
    return ""


def _overlap(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _area(box: Box, page: Box) -> float:
    width = min(box[2], page[2]) - max(box[0], page[0])
    height = min(box[3], page[3]) - max(box[1], page[1])
    whole = max(1e-6, (page[2] - page[0]) * (page[3] - page[1]))
    return max(0.0, width) * max(0.0, height) / whole
