"""Glyphs of a page that cannot be seen, and why: under a box, white on white, off the page, clipped, too small.

A glyph counts as covered when the middle of it lies under something opaque. The invisible text of a scan is no
hidden text, because the picture under it shows the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from efface.formats.pdf.reader.covers import Box, Colour, Cover, bounds, is_white, square
from efface.formats.pdf.reader.drawing import Drawing, Show
from efface.formats.pdf.reader.layout import INVISIBLE, Geometry, Ref, geometry
from efface.formats.pdf.reader.matrix import Point

if TYPE_CHECKING:
    from efface.formats.pdf.reader.document import PageTexts

_MIDDLE = 0.3  # the middle of small letters, as a part of the line's height
_SMALLEST = 1.0  # points of a line that can be read
_TRANSPARENT = 0.02  # less opacity cannot be seen on a page
_SCAN = 0.4  # text under a picture of this part of the page is the layer of a scan
_ALIKE = 0.04  # a smaller part of a colour's range makes no difference that can be seen
_EDGE = 1.0  # points that a glyph may reach over an edge
# Parts of a glyph's width: a cover hides the glyph when it lies over all three.
_QUARTERS = (0.25, 0.5, 0.75)
_FILLS_ONLY = (0, 4)  # ways of showing text that fill letters and draw no outline


@dataclass(frozen=True, slots=True)
class HiddenRun:
    """A stretch of a page's text that cannot be seen."""

    start: int
    end: int
    reason: str


def hidden_runs(view: PageTexts, page: Box, over: Sequence[Cover]) -> list[HiddenRun]:
    """The hidden stretches of a page. `over` are covers that annotations lay over everything."""
    visibility = _Visibility(view.drawing, page, over)
    text = view.text.string
    found: list[HiddenRun] = []
    for start, letters, refs in _glyphs(view, visibility):
        reason = _reason_of_all(view, visibility, refs)
        if not reason:
            continue
        last = found[-1] if found else None
        if last and last.reason == reason and not text[last.end : start].strip():
            found[-1] = HiddenRun(last.start, start + len(letters), last.reason)
        else:
            found.append(HiddenRun(start, start + len(letters), reason))
    return [run for run in found if _says_something(text, run)]


def _reason_of_all(view: PageTexts, visibility: _Visibility, refs: Sequence[Ref]) -> str:
    """Why none of these glyphs can be seen. What was drawn twice is hidden only if both copies are."""
    copies = chain.from_iterable(view.layout.copies.get(ref, ()) for ref in refs)
    reasons = [visibility.reason(ref) for ref in (*refs, *copies)]
    return reasons[0] if reasons and all(reasons) else ""


def _says_something(text: str, run: HiddenRun) -> bool:
    """Whether a run has letters. A lone letter inside a word is the shadow of its neighbour."""
    count = sum(map(str.isalnum, text[run.start : run.end]))
    inside = text[run.start - 1 : run.start].isalnum() or text[run.end : run.end + 1].isalnum()
    return count > 1 or (count == 1 and not inside)


def _glyphs(view: PageTexts, visibility: _Visibility) -> Iterator[tuple[int, str, list[Ref]]]:
    """The characters of the text with their glyphs; blanks, and what is seen without a closer look, are left out."""
    for start, (text, show, run, glyph) in zip(view.text.starts, view.text.entries, strict=True):
        if show < 0 or not text.strip() or visibility.is_seen(show):
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


@dataclass(frozen=True, slots=True)
class _ShowSurroundings:
    """Where a show is, what was painted over it and under it, and why all of it is hidden, if it is."""

    place: Geometry
    above: list[Cover]
    ground: list[Cover]
    hidden: str
    seen: bool  # all of it, without a look at its glyphs


class _Visibility:
    """Whether glyphs of one drawing can be seen. The surroundings of a show are worked out once."""

    def __init__(self, drawing: Drawing, page: Box, over: Sequence[Cover]) -> None:
        self._drawing = drawing
        self._page = page
        self._over = over
        self._surroundings: dict[int, _ShowSurroundings] = {}
        self._pictures = [bounds(square(picture.ctm)) for picture in drawing.pictures]
        self._outlines: list[Box] | None = None
        self._scans = {at for at in drawing.images if _area(drawing.covers[at].box, page) >= _SCAN}

    def is_seen(self, number: int) -> bool:
        """Whether all glyphs of a show can be seen, as those of nearly all shows can. They are not looked at one by one."""
        show = self._drawing.shows[number]
        return show.label or self._surroundings_of(number, show).seen

    def reason(self, ref: Ref) -> str:
        """Why a glyph cannot be seen; nothing when it can."""
        number, run, glyph = ref
        show = self._drawing.shows[number]
        if show.label:  # efface wrote it
            return ""
        around = self._surroundings_of(number, show)
        if around.seen or around.hidden:
            return around.hidden
        _, start, end = show.run_glyphs(run)[glyph]
        middle = _point(around.place, (start + end) / 2)
        if not _is_in_box(self._page, *middle):
            return "off the page"
        if show.clip is not None and not _is_in_box(show.clip, *middle):
            return "outside what its clip shows"
        quarters = [_point(around.place, start + (end - start) * part) for part in _QUARTERS]
        if show.mode in INVISIBLE:
            if show.font.layer and self._is_drawn(middle):
                return ""  # OCR put it there: outlines show the same word
            return self._reason_of_unpainted(middle, quarters)
        return self._reason_of_painted(show, around, middle, quarters)

    def _is_drawn(self, point: Point) -> bool:
        """Whether outlines stand in a row here, as letters do."""
        if self._outlines is None:
            self._outlines = self._drawing.shapes.rows()
        return any(_is_in_box(box, *point) for box in self._outlines)

    def _reason_of_unpainted(self, middle: Point, quarters: Sequence[Point]) -> str:
        """Text that paints nothing is seen only where a picture shows the same words, as in a scan."""
        if not any(_is_in_box(box, *middle) for box in self._pictures):
            return "invisible"
        return "under a box" if self._boxed(quarters) else ""

    def _reason_of_painted(
        self, show: Show, around: _ShowSurroundings, middle: Point, quarters: Sequence[Point]
    ) -> str:
        for cover in around.above:
            if all(cover.holds(*point) for point in quarters):
                return "under a box"
        fill = show.fill if show.mode in _FILLS_ONLY else None  # an outline shows letters in any colour
        if fill is not None and self._is_lost(fill, around.ground, *middle):
            return "white on white" if is_white(fill) else "in the colour of its ground"
        return ""

    def _surroundings_of(self, number: int, show: Show) -> _ShowSurroundings:
        if number not in self._surroundings:
            place = geometry(show)
            box = _extent(show, place)
            above, ground = self._painted_around(number, box)
            hidden = _hidden_as_a_whole(show, place)
            seen = not (hidden or above or ground) and self._is_plain(show, box)
            self._surroundings[number] = _ShowSurroundings(place, above, ground, hidden, seen)
        return self._surroundings[number]

    def _is_plain(self, show: Show, box: Box) -> bool:
        """Whether a show is painted on the bare page in another colour, wholly on it and within its clip, as nearly all
        are."""
        if show.mode in INVISIBLE or not _box_holds(self._page, box):
            return False
        if show.clip is not None and not _box_holds(show.clip, box):
            return False
        return show.mode not in _FILLS_ONLY or show.fill is None or not is_white(show.fill)

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
        for at, cover in enumerate(self._drawing.covers):  # in the order of painting
            if not all(cover.holds(*point) for point in points):
                continue
            if at in self._drawing.images:
                over_picture = True
            elif over_picture:
                return True
        return False

    def _is_lost(self, fill: Colour, ground: Sequence[Cover], x: float, y: float) -> bool:
        """Whether a glyph has the colour of what lies under it; a bare page is white."""
        if not ground and not is_white(fill):
            return False
        if any(_is_in_box(box, x, y) for box in self._pictures):
            return False
        below = [cover for cover in ground if cover.holds(x, y)]
        colour = below[-1].colour if below else (1.0, 1.0, 1.0)
        if colour is None:  # a pattern, whose looks nobody knows
            return False
        return max(abs(one - other) for one, other in zip(fill, colour, strict=True)) <= _ALIKE


def _box_holds(outer: Box, inner: Box) -> bool:
    return _is_in_box(outer, inner[0], inner[1]) and _is_in_box(outer, inner[2], inner[3])


def _point(place: Geometry, offset: float) -> Point:
    u, v = place.along(offset), place.v + _MIDDLE * place.tall
    x, y = place.key
    return u * x - v * y, u * y + v * x


def _is_in_box(box: Box, x: float, y: float) -> bool:
    return box[0] - _EDGE <= x <= box[2] + _EDGE and box[1] - _EDGE <= y <= box[3] + _EDGE


def _extent(show: Show, place: Geometry) -> Box:
    """The box of all that a show writes."""
    ends = [edge for run in show.runs for edge in (run[2], run[3])] or [0.0]
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
