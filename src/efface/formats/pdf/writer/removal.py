"""What taking glyphs away means for a line: which go, what moves up or down the line, where a box marks it.

The width of a box says nothing beyond whole ems: the removed advance is rounded, the kerns beside it are
absorbed, and what follows on the line moves along, however it was positioned. In a justified line the word
gaps take up the difference; a centred or right-aligned line moves as a whole, so that its edges reveal
nothing either. Text over a scan cannot move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from math import ceil, floor

from efface.formats.pdf.reader.document import PageTexts
from efface.formats.pdf.reader.layout import INVISIBLE, SPACE, Layout, Quad, Ref, TextLine, across, glyphs_of
from efface.formats.pdf.reader.line_edges import Edges, LineAlignment
from efface.formats.pdf.reader.text import WHOLE_MARK

PlacedRemoval = tuple[float, float, Ref, bool]  # start, end, glyph, blank

_NARROWEST, _LOOSEN = 0.19, 0.35  # em: the least that stays of a word gap, and the most it may gain
_GIVES_WAY = {LineAlignment.RIGHT: 1.0, LineAlignment.CENTRE: 0.5}  # how much of a growth goes to the start


class Rounding(Enum):
    """How a box's width follows from what it replaces."""

    UP = "up"
    NEAREST = "nearest"  # in a justified line, whose word gaps must take up the difference
    FIXED = "fixed"  # over a scan, where nothing can move


@dataclass(frozen=True, slots=True)
class GlyphCut:
    """Glyphs to remove as one, and what replaces them."""

    refs: frozenset[Ref]
    label: str
    first: Ref | None  # where the label goes


@dataclass(slots=True)
class DrawnBox:
    """The mark of a removal: the glyph it begins with, where it starts in the offsets of that glyph's show,
    how many em wide it is, and what it says."""

    ref: Ref
    offset: float
    width: float
    label: str
    visible: bool = True

    @property
    def show(self) -> int:
        return self.ref[0]


@dataclass(slots=True)
class GlyphChanges:
    """Everything that happens to one root's glyphs."""

    removed: set[Ref] = field(default_factory=set)
    shifts: dict[Ref, float] = field(default_factory=dict)  # page units along the line
    boxes: list[DrawnBox] = field(default_factory=list)
    regions: list[Quad] = field(default_factory=list)  # what was under the removed glyphs
    respaced: set[int] = field(default_factory=set)  # shows whose word gaps changed


def cuts_of(view: PageTexts, edits: Sequence[tuple[int, int, str]]) -> list[GlyphCut]:
    """Edits of a root's own text as glyphs."""
    cuts = []
    for start, end, label in edits:
        touched = view.text.refs(view.layout.shows, view.overrides, start, end)
        show, run, glyph = touched[0] if touched else (-1, -1, -1)
        cuts.append(
            GlyphCut(
                frozenset(_with_actual_text(view, touched)),
                label,
                (show, run, max(glyph, 0)) if touched else None,
            )
        )
    return cuts


def _with_actual_text(view: PageTexts, refs: Sequence[Ref]) -> set[Ref]:
    """An ActualText and its glyphs go together."""
    found = {ref for ref in refs if ref[2] != WHOLE_MARK}
    touched = {view.units[show, run] for show, run, _ in found if (show, run) in view.units}
    heard = {view.spoken[show, run] for show, run, glyph in refs if glyph == WHOLE_MARK}
    return found.union(_glyphs_of(view, view.units, touched), _glyphs_of(view, view.spoken, heard))


def _glyphs_of(view: PageTexts, runs: Mapping[tuple[int, int], int], marks: Set[int]) -> Iterator[Ref]:
    """Every glyph of the runs that belong to one of these marks."""
    if not marks:
        return
    for (show, run), mark in runs.items():
        if mark in marks:
            for glyph in range(len(view.layout.shows[show].run_glyphs(run))):
                yield show, run, glyph


def plan(layout: Layout, cuts: Sequence[GlyphCut], centre: float | None = None) -> GlyphChanges:
    """The changes that the cuts make; `centre` is the middle of the page."""
    owners = {ref: number for number, cut in enumerate(cuts) for ref in cut.refs}
    changes = GlyphChanges()
    touched = {(show, run) for show, run, _ in owners}
    edges = Edges(layout, centre) if owners else None
    for line in layout.lines:
        runs = ((piece.show, run) for piece in line.pieces for run in range(piece.first, piece.last))
        if not touched.isdisjoint(runs):
            stretches = _stretches(line, _glyphs_of_line(layout, line), owners)
            alignment = edges.alignment(line) if edges else LineAlignment.LEFT
            _Planner(layout, line, stretches, cuts, changes).run(alignment)
    changes.removed.update(owners)
    _change_copies(layout, changes)
    return changes


def _change_copies(layout: Layout, changes: GlyphChanges) -> None:
    """What was drawn twice goes twice, and moves as the first of the two does."""
    for original, copies in layout.copies.items():
        for copy in copies:
            if original in changes.removed:
                changes.removed.add(copy)
            if original in changes.shifts:
                changes.shifts[copy] = changes.shifts[original]


def _glyphs_of_line(layout: Layout, line: TextLine) -> list[PlacedRemoval]:
    glyphs = [
        (start, end, ref, not text.strip())
        for piece in line.pieces
        for text, start, end, ref in glyphs_of(layout.shows, piece)
    ]
    return sorted(glyphs)


@dataclass(slots=True)
class _GlyphStretch:
    """A word of a line, or what is removed of it: glyphs that move together."""

    glyphs: list[PlacedRemoval]
    cut: int  # -1 when it stays
    gaps: int  # word gaps before it on the line


def _stretches(line: TextLine, placed: list[PlacedRemoval], owners: dict[Ref, int]) -> list[_GlyphStretch]:
    """The glyphs of a line in stretches that stay or go together, with the number of gaps before each."""
    found: list[_GlyphStretch] = []
    for glyph in placed:
        cut = owners.get(glyph[2], -1)
        last = found[-1] if found else None
        if last is None:
            found.append(_GlyphStretch([glyph], cut, 0))
            continue
        parted = last.glyphs[-1][3] or glyph[0] - last.glyphs[-1][1] > SPACE * line.em
        new_word = parted and not glyph[3] and not (cut >= 0 and cut == last.cut)
        if new_word or cut != last.cut:
            found.append(_GlyphStretch([glyph], cut, last.gaps + new_word))
        else:
            last.glyphs.append(glyph)
    return found


class _Planner:
    """One line's new arrangement."""

    def __init__(
        self,
        layout: Layout,
        line: TextLine,
        stretches: list[_GlyphStretch],
        cuts: Sequence[GlyphCut],
        changes: GlyphChanges,
    ) -> None:
        self._places = {piece.show: piece.place for piece in line.pieces}
        self._shows = layout.shows
        self._stretches = stretches
        self._cuts = cuts
        self._changes = changes
        self._fixed = any(
            layout.shows[glyph[2][0]].mode in INVISIBLE for stretch in stretches for glyph in stretch.glyphs
        )

    def run(self, alignment: LineAlignment) -> None:
        """Places words and boxes from the line's start to its end, then all of them by the line's alignment."""
        moved, shift = self._along(nearest=alignment is LineAlignment.JUSTIFIED)
        base = slack = 0.0
        if alignment is LineAlignment.JUSTIFIED and not self._fixed:
            slack = self._slack(shift)
        elif alignment in _GIVES_WAY and not self._fixed:
            base = -shift * _GIVES_WAY[alignment]
        for stretch, value, width in moved:
            first, place = stretch.glyphs[0], self._places[stretch.glyphs[0][2][0]]
            value += base - slack * stretch.gaps
            if stretch.cut >= 0:
                self._mark(stretch, value if self._fixed else _snap(value, place.em), width)
            elif abs(value) > 1e-9 or slack:
                value = _snap(first[0] + value, place.em) - first[0]
                self._changes.shifts.update({glyph[2]: value for glyph in stretch.glyphs})
        if slack:
            self._changes.respaced.update(self._places)

    def _along(self, *, nearest: bool) -> tuple[list[tuple[_GlyphStretch, float, float]], float]:
        """Each stretch with its shift, or a box's start and width; and how far the line's end moves."""
        moved: list[tuple[_GlyphStretch, float, float]] = []
        shift = 0.0
        box_end: float | None = None
        for at, stretch in enumerate(self._stretches):
            if stretch.cut < 0:
                moved.append((stretch, shift, 0.0))
                box_end = None
                continue
            before = self._stretches[at - 1].glyphs[-1] if at else None
            after = self._stretches[at + 1].glyphs[0] if at + 1 < len(self._stretches) else None
            em = self._places[stretch.glyphs[0][2][0]].em
            rounding = Rounding.FIXED if self._fixed else Rounding.NEAREST if nearest else Rounding.UP
            start, width, following = _box_and_shift(stretch.glyphs, before, after, em, shift, rounding)
            if box_end is not None and not self._fixed:  # two boxes side by side: nothing of the gap stays
                following += box_end - start
                start = box_end
            moved.append((stretch, start, width))
            last = max(glyph[1] for glyph in stretch.glyphs)
            shift = 0.0 if self._fixed else following - (after[0] if after else last)
            box_end = following
        return moved, shift

    def _slack(self, shift: float) -> float:
        """What each word gap gives so that the line ends where it did; nothing if words would then touch."""
        gaps = self._stretches[-1].gaps
        em = self._places[self._stretches[0].glyphs[0][2][0]].em
        spare = min(self._word_gaps(), default=0.0) - _NARROWEST * em
        return shift / gaps if gaps and -_LOOSEN * em <= shift / gaps <= spare else 0.0

    def _word_gaps(self) -> Iterator[float]:
        for one, other in pairwise(self._stretches):
            if other.gaps > one.gaps:
                end = next((glyph[1] for glyph in reversed(one.glyphs) if not glyph[3]), None)
                if end is not None:
                    yield other.glyphs[0][0] - end

    def _mark(self, stretch: _GlyphStretch, start: float, width: float) -> None:
        cut, first = self._cuts[stretch.cut], stretch.glyphs[0][2]
        place = self._places[first[0]]
        label = cut.label if any(glyph[2] == cut.first for glyph in stretch.glyphs) else ""
        offset = (start - place.u) / place.unit if place.unit else 0.0
        self._changes.boxes.append(DrawnBox(first, offset, width / place.em, label))
        low, high = self._extent(stretch)
        covered = (
            max(width, high - low) if self._fixed else ceil(max(1.0, (high - low) / place.em)) * place.em
        )
        self._changes.regions.append(across(place, low, covered))

    def _extent(self, stretch: _GlyphStretch) -> tuple[float, float]:
        """What the glyphs cover. Where OCR put them, the places of letters are guessed: then the whole word."""
        ends = [end for glyph in stretch.glyphs for end in glyph[:2]]
        for number in {glyph[2][0] for glyph in stretch.glyphs}:
            show, place = self._shows[number], self._places[number]
            if show.font.layer:
                ends += [place.along(show.runs[0][2]), place.along(show.runs[-1][3])]
        return min(ends), max(ends)


def _box_and_shift(
    gone: list[PlacedRemoval],
    before: PlacedRemoval | None,
    after: PlacedRemoval | None,
    em: float,
    shift: float,
    rounding: Rounding,
) -> tuple[float, float, float]:
    """Where the box starts, how wide it is, and where the next glyph goes."""
    first = min(glyph[0] for glyph in gone)
    last = max(glyph[1] for glyph in gone)
    removed = last - first
    ems = removed / em
    if rounding is Rounding.FIXED:
        rounded = ceil(max(ems, 1.0)) * em
        limit = after[0] if after else first + rounded
        return first, max(removed, min(rounded, limit - first)), 0.0
    if rounding is Rounding.NEAREST:
        whole = round(ems)
    elif shift < 0.5 * em:
        whole = ceil(ems - 1e-6)
    else:  # the line has grown enough: rounding down keeps it from running out of its column
        whole = floor(ems)
    width = max(1, whole) * em
    start = first
    if before:
        start = before[1] + shift + _gap(first - before[1], em)
    following = start + width
    if after:
        following += _gap(after[0] - last, em)
    return start, width, following


def _snap(place: float, em: float) -> float:
    """A place on a grid of hundredths of an em: finer digits would be those of the width that went."""
    return round(100 * place / em) * em / 100


def _gap(gap: float, em: float) -> float:
    """A gap that is no kern: nothing, or a space in quarters of an em."""
    return 0.0 if gap < SPACE * em else max(1, round(4 * gap / em)) * em / 4
