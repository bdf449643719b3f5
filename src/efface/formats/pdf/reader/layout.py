"""From painted glyphs and their places to lines in reading order.

Runs of glyphs on one baseline close to each other are a line, in whatever order they were painted;
lines follow each other as they were painted, which is how producers write columns. Text painted twice in
one place (a poor man's bold, a shadow) is one text with copies; other text over text is a line of its own.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import floor, hypot

from efface.formats.pdf.reader.drawing import Show
from efface.formats.pdf.reader.matrix import Point, apply, multiply

Ref = tuple[int, int, int]  # show, run, glyph of the run
# A glyph's text, where it starts and ends along the line, and which it is.
PlacedGlyph = tuple[str, float, float, Ref]

COLUMN = 1.6  # em: a wider gap parts two lines
SPACE = 0.17  # em: a wider gap is a space
_OVERLAP = 0.4  # em that neighbours may overlap
_BACK = 0.6  # em that the pen may go back within a line
_LATEST = 24  # lines near a baseline that are tried
_SAME = 0.3  # em within which a glyph painted again is the same glyph

_NO_LENGTH = 1e-9  # page units: text drawn smaller is drawn as a point
_TINY = 1e-6  # page units: no em is smaller, so that others may be divided by it
_FAR = 1e9  # page units: where there is no neighbour
_BUCKET = 12.0  # page units, about a line: baselines are kept by how many of these they lie across the page
_MOST_BUCKETS = 4  # buckets that are looked through on each side: large letters reach further than a line

# An index is smaller or larger than its line and stands up to so far above or below it, as a part of the larger height.
_SMALLEST_INDEX, _LARGEST_INDEX = 0.36, 2.8
_INDEX_OFF = 0.45  # of the letters' height: an index stands so far above or below its line
_SAME_SIZE = (0.9, 1.1)  # text of about the same height is no index
LEVEL = 0.2  # baselines closer than this part of the smaller height are one

_INITIAL = 2  # characters of a large first letter, a quotation mark before it included
_LARGER = 1.5  # times the text that goes on beside it
_INITIAL_BACK = 0.3  # em of a large letter by which the text beside it may reach into it
_INITIAL_GAP = 0.35  # em of a large letter that may be between it and the text beside it
_INITIAL_BELOW = 0.25  # heights of the text that it may stand below the foot of the large letter
_MOST_INITIALS = 100  # large first letters of a page that are tried

INVISIBLE = (3, 7)  # ways of showing text that paint nothing
ASCENT, DESCENT = 0.8, 0.22  # em of a line above and below its baseline

Quad = tuple[Point, Point, Point, Point]


@dataclass(slots=True)
class Geometry:
    """A show operator on the page: where its offsets lie along the direction of reading."""

    key: tuple[float, float]  # the direction, as a unit vector
    u: float  # where offset 0 lies along it
    v: float  # how far the baseline lies across it
    unit: float  # page units to one unit of offset, negative when offsets run backwards
    em: float  # the font's em along the line, in page units
    tall: float  # and across it

    def along(self, offset: float) -> float:
        return self.u + offset * self.unit


def geometry(show: Show) -> Geometry:
    """The geometry of a show operator, in coordinates of the page that are turned into its direction of reading.

    On the page, (a, b) is the x axis of text space and (c, d) its y axis. Horizontal text runs along (a, b), reversed
    when the font size or the scale is negative. Vertical text runs along -(c, d), and its offsets count downwards, so
    `unit` is negative. A matrix that maps text to a point gives a tiny geometry instead of a division by zero.
    """
    matrix = multiply(show.matrix, show.ctm)
    a, b, c, d, _, _ = matrix
    x_length, y_length = hypot(a, b), hypot(c, d)  # of one unit of text space, in page units
    size, height = abs(show.size), show.font.height
    if show.font.vertical:
        length, unit = y_length, -y_length
        dx, dy = -c, -d
        em, tall = y_length * size * height, x_length * size
    else:
        sign = 1.0 if show.size * show.scale >= 0 else -1.0
        length, unit = x_length, sign * x_length
        dx, dy = a * sign, b * sign
        em, tall = x_length * abs(show.size * show.scale) * height, y_length * size * height
    x, y = apply(matrix, 0.0, show.rise)
    if length < _NO_LENGTH:
        return Geometry((1.0, 0.0), x, y, 0.0, _TINY, _TINY)
    # Directions that differ by less than a line shows are one direction. `+ 0.0` makes 0.0 of -0.0.
    key = (round(dx / length, 3) + 0.0, round(dy / length, 3) + 0.0)
    u, v = x * key[0] + y * key[1], y * key[0] - x * key[1]
    return Geometry(key, u, v, unit, max(em, _TINY), max(tall, _TINY))


@dataclass(slots=True)
class Piece:
    """Runs of one show that follow each other without a jump."""

    show: int
    first: int
    last: int
    start: float
    end: float
    place: Geometry
    blank: bool

    def __lt__(self, other: Piece) -> bool:
        return self.start < other.start


@dataclass(slots=True)
class TextLine:
    """Pieces on one baseline, sorted along it."""

    pieces: list[Piece]
    em: float
    v: float


@dataclass(slots=True)
class Layout:
    """A root's lines in reading order, and which glyphs are only copies of others."""

    shows: list[Show]
    lines: list[TextLine] = field(default_factory=list)
    copies: dict[Ref, list[Ref]] = field(default_factory=dict)


def lay_out(shows: list[Show]) -> Layout:
    return _Builder(shows).build()


class _Builder:
    def __init__(self, shows: list[Show]) -> None:
        self._layout = Layout(shows)
        self._buckets: dict[tuple[float, float, int], list[TextLine]] = {}

    def build(self) -> Layout:
        current: TextLine | None = None
        for piece in self._pieces():
            current = self._line_for(piece, current)
        self._merge()
        return self._layout

    def _pieces(self) -> Iterator[Piece]:
        for number, show in enumerate(self._layout.shows):
            if not show.runs:
                continue
            place = geometry(show)
            first = 0
            for at in range(1, len(show.runs)):
                gap = (show.runs[at][2] - show.runs[at - 1][3]) * place.unit
                if not -_BACK * place.em <= gap <= COLUMN * place.em:
                    yield _piece(number, show, first, at, place)
                    first = at
            yield _piece(number, show, first, len(show.runs), place)

    def _line_for(self, piece: Piece, current: TextLine | None) -> TextLine | None:
        if current is not None and self._join(current, piece):
            return current
        for line in self._lines_near(piece):
            if line is not current and self._join(line, piece):
                return line
        if piece.blank:
            return current
        line = TextLine([piece], piece.place.em, piece.place.v)
        self._layout.lines.append(line)
        self._buckets.setdefault((*piece.place.key, floor(line.v / _BUCKET)), []).append(line)
        return line

    def _merge(self) -> None:
        """Lines that grew towards each other become one, in the place of the earlier."""
        gone: set[int] = set()
        for lines in self._buckets.values():
            lines.sort(key=lambda line: line.pieces[0].start)
            for one, other in pairwise(lines):
                left, right = one.pieces[-1], other.pieces[0]
                gap = right.start - left.end
                # A line may begin with a small label: the letters at the gap say how wide it is as well.
                em = max(one.em, other.em, left.place.em, right.place.em)
                if -_OVERLAP * em <= gap <= COLUMN * em and _level(one.pieces[0].place, one, right):
                    other.pieces[:0] = one.pieces
                    gone.add(id(one))
        kept = [line for line in self._layout.lines if id(line) not in gone]
        self._layout.lines = sorted(kept, key=self._order)

    def _order(self, line: TextLine) -> int:
        """When the line was painted; a label may be painted ahead of its line."""
        shows = self._layout.shows
        text = [piece.show for piece in line.pieces if not piece.blank and not shows[piece.show].label]
        return min(text, default=line.pieces[0].show)

    def _lines_near(self, piece: Piece) -> Iterator[TextLine]:
        """Lines whose baseline may be this piece's; the latest first."""
        reach = max(1, min(_MOST_BUCKETS, floor(0.5 * piece.place.tall / _BUCKET) + 1))
        bucket = floor(piece.place.v / _BUCKET)
        for near in range(bucket - reach, bucket + reach + 1):
            yield from reversed(self._buckets.get((*piece.place.key, near), [])[-_LATEST:])

    def _join(self, line: TextLine, piece: Piece) -> bool:
        """Puts the piece into the line when it belongs there, as text or as a copy of text."""
        if not _level(line.pieces[0].place, line, piece):
            return False
        em = max(line.em, piece.place.em)
        at = bisect_left(line.pieces, piece)
        before = line.pieces[at - 1] if at else None
        after = line.pieces[at] if at < len(line.pieces) else None
        left = piece.start - before.end if before else _FAR
        right = after.start - piece.end if after else _FAR
        if left < -_OVERLAP * em or right < -_OVERLAP * em:
            return self._copy(line, piece, em)
        if min(left, right) > COLUMN * em:
            return False
        insort(line.pieces, piece)
        return True

    def _copy(self, line: TextLine, piece: Piece, em: float) -> bool:
        """Whether the piece only repeats what the line has in that place."""
        if piece.blank:
            return True
        shows = self._layout.shows
        under = [
            other for other in line.pieces if other.start < piece.end + em and piece.start < other.end + em
        ]
        if _letters(shows, [piece]) not in _letters(shows, under):
            return False
        originals: list[PlacedGlyph] = []
        for other in under:
            originals += glyphs_of(shows, other)
        pairs: list[tuple[Ref, Ref]] = []
        for text, start, _, ref in glyphs_of(shows, piece):
            original = _same_glyph(originals, text, start, _SAME * em)
            if original is not None:
                pairs.append((original, ref))
            elif text.strip():
                return False
        for original, copy in pairs:
            self._layout.copies.setdefault(original, []).append(copy)
        return True


def initials(layout: Layout) -> Iterator[tuple[Piece, TextLine]]:
    """Large letters that begin a line, each with the line that goes on beside it: the uppermost it reaches."""
    tried = 0
    for line in layout.lines:
        piece = line.pieces[0]
        letters = _letters(layout.shows, [piece])
        if not (len(letters) <= _INITIAL and letters[-1:].isalpha()) or tried >= _MOST_INITIALS:
            continue
        tried += 1
        beside = [
            other for other in layout.lines if other is not line and _follows_initial(piece, other.pieces[0])
        ]
        if beside:
            yield piece, max(beside, key=lambda other: other.v)


def _follows_initial(initial: Piece, piece: Piece) -> bool:
    """Whether a piece begins where a larger letter ends, no lower than its foot and no higher than its head."""
    large, small = initial.place, piece.place
    if large.key != small.key or large.tall < _LARGER * small.tall:
        return False
    gap = piece.start - initial.end
    if not -_INITIAL_BACK * large.em <= gap <= max(small.em, _INITIAL_GAP * large.em):
        return False
    return large.v - _INITIAL_BELOW * small.tall <= small.v <= large.v + large.tall


def _letters(shows: list[Show], pieces: list[Piece]) -> str:
    texts = [shows[piece.show].runs[run][4] for piece in pieces for run in range(piece.first, piece.last)]
    return "".join("".join(texts).split())


def part_of(layout: Layout, piece: Piece, first: int, last: int) -> Piece:
    """Some of the runs of a piece."""
    return _piece(piece.show, layout.shows[piece.show], first, last, piece.place)


def _piece(number: int, show: Show, first: int, last: int, place: Geometry) -> Piece:
    ends = place.along(show.runs[first][2]), place.along(show.runs[last - 1][3])
    blank = not any(run[4].strip() for run in show.runs[first:last])
    return Piece(number, first, last, min(ends), max(ends), place, blank)


def _level(place: Geometry, line: TextLine, piece: Piece) -> bool:
    """Whether a piece is on the line, or just above or below it as an index is."""
    if piece.place.key != place.key:
        return False
    ratio = piece.place.tall / place.tall
    if not _SMALLEST_INDEX < ratio < _LARGEST_INDEX:
        return False
    off = abs(piece.place.v - line.v)
    if off <= LEVEL * min(piece.place.tall, place.tall):
        return True
    is_same_size = _SAME_SIZE[0] < ratio < _SAME_SIZE[1]
    return off <= _INDEX_OFF * max(piece.place.tall, place.tall) and not is_same_size


def _same_glyph(glyphs: list[PlacedGlyph], text: str, start: float, within: float) -> Ref | None:
    """The first of these glyphs that says the same in the same place."""
    for known, place, _, ref in glyphs:
        if known == text and abs(place - start) <= within:
            return ref
    return None


def glyphs_of(shows: list[Show], piece: Piece) -> list[PlacedGlyph]:
    """The piece's glyphs: text, start and end along the line, and which they are."""
    show, place = shows[piece.show], piece.place
    found = []
    for run in range(piece.first, piece.last):
        for index, (text, start, end) in enumerate(show.run_glyphs(run)):
            low, high = place.along(start), place.along(end)
            found.append((text, min(low, high), max(low, high), (piece.show, run, index)))
    return found


def across(place: Geometry, start: float, width: float) -> Quad:
    """A stretch of a line as high as its letters, in the page's coordinates."""
    low, high = place.v - DESCENT * place.tall, place.v + ASCENT * place.tall
    return (
        _point(place, start, low),
        _point(place, start + width, low),
        _point(place, start + width, high),
        _point(place, start, high),
    )


def _point(place: Geometry, u: float, v: float) -> Point:
    """The page's coordinates of a place along and across a line."""
    x, y = place.key
    norm = x * x + y * y or 1.0
    return ((u * x - v * y) / norm, (u * y + v * x) / norm)
