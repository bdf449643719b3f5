"""The text of a layout, and which glyph each of its characters is."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, chain, groupby, pairwise, starmap
from statistics import median

from efface.formats.pdf.reader.drawing import Show
from efface.formats.pdf.reader.layout import SPACE, Layout, Piece, Ref, TextLine, initials
from efface.formats.pdf.tables.continuations import continuations
from efface.formats.pdf.tables.rows import with_tables

TextEntry = tuple[str, int, int, int]  # text, show, run, glyph of the run; -1 for all of the run or for none
PlacedRun = tuple[float, float, int, int]  # gap, start, show, run
Overrides = Mapping[tuple[int, int], str]  # what a run says by its ActualText

WHOLE_MARK = -2  # the glyph of an entry that is an ActualText: all that its mark encloses
_BREAK: TextEntry = ("\n", -1, -1, -1)
_TAB: TextEntry = ("\t", -1, -1, -1)
_SPACE: TextEntry = (" ", -1, -1, -1)
_SEAM_WORDS = 3  # words on each side of the end of a line that are read together
_INITIAL_WORDS = 4  # how much of a line is read together with a large first letter
_LETTERS = 5  # runs of one letter each that make a spaced word
_SKIPPED = 1.4  # pitches: a wider step leaves a place of the grid empty, even between letters that are not quite in place
_SPACED_OUT = 1.5  # smallest gaps: so far the usual gap goes where all letters are spaced alike
_RIGHT_TO_LEFT = ("R", "AL")
_DIRECTIONLESS = ("WS", "ON", "CS", "ES", "NSM", "BN", "ET")
_LEFT_TO_RIGHT_RUN = ("L", "EN", "AN")


@dataclass(frozen=True, slots=True)
class PdfText:
    """Lines joined by line feeds."""

    entries: list[TextEntry]
    starts: list[int]

    @property
    def string(self) -> str:
        return "".join([entry[0] for entry in self.entries])

    def refs(self, shows: list[Show], overrides: Overrides, start: int, end: int) -> list[Ref]:
        """The glyphs of a stretch of the text; inferred spaces and line feeds have none."""
        found: list[Ref] = []
        at = bisect_right(self.starts, start) - 1
        while at < len(self.entries) and self.starts[at] < end:
            text, show, run, glyph = self.entries[at]
            low, high = start - self.starts[at], end - self.starts[at]
            if show >= 0 and text:
                if glyph >= 0 or glyph == WHOLE_MARK:
                    found.append((show, run, glyph))
                elif (show, run) in overrides:
                    found.append((show, run, 0))
                else:
                    found.extend((show, run, index) for index in _glyphs_between(shows[show], run, low, high))
            at += 1
        return found


def _glyphs_between(show: Show, run: int, low: int, high: int) -> list[int]:
    """The glyphs of a run that characters `low` to `high` of its text belong to."""
    pieces = show.run_texts(run)
    if len(pieces) == len(show.runs[run][4]):
        return list(range(max(low, 0), min(high, len(pieces))))
    found, length = [], 0
    for index, piece in enumerate(pieces):
        if length < high and length + len(piece) > low and piece:
            found.append(index)
        length += len(piece)
    return found


def compose(layout: Layout, overrides: Overrides, spoken: Overrides) -> PdfText:
    """Returns the lines, and then other readings of them: a large first letter joined to its word, what goes on in
    another line than the next, and words whose ActualText (`spoken`) differs from their glyphs."""
    entries: list[TextEntry] = []
    readings = _lines(layout, overrides)
    others = _initials(layout, overrides), _continued(layout, overrides), _spoken(layout, overrides, spoken)
    for composed in chain(readings, *others):
        if not any(entry[0].strip() for entry in composed):
            continue
        if entries:
            entries.append(_BREAK)
        entries.extend(composed)
    return PdfText(entries, list(accumulate((len(entry[0]) for entry in entries), initial=0))[:-1])


def _lines(layout: Layout, overrides: Overrides) -> Iterator[list[TextEntry]]:
    """The lines in order. The cells of a row are one line, with tabs between them."""

    def read(line: TextLine) -> str:
        return "".join(entry[0] for entry in _line(layout.shows, line, overrides)).strip()

    for line in with_tables(layout, read):
        if isinstance(line, TextLine):
            yield _line(layout.shows, line, overrides)
            continue
        entries: list[TextEntry] = []
        for number, cell in enumerate(line.cells):
            entries += [_TAB] if number else []
            for wrapped, part in enumerate(cell):
                entries += [_SPACE] if wrapped else []
                entries += _line(layout.shows, part, overrides)
        yield entries


def _initials(layout: Layout, overrides: Overrides) -> Iterator[list[TextEntry]]:
    shows = layout.shows
    for initial, line in initials(layout):
        words = _units(shows, _line(shows, line, overrides), overrides)
        yield [*_runs_of(shows, initial), *_first_words(words)]


def _continued(layout: Layout, overrides: Overrides) -> Iterator[list[TextEntry]]:
    """The words around the end of each line that goes on in another than the next."""
    shows = layout.shows
    known: dict[int, list[list[TextEntry]]] = {}

    def words(line: TextLine) -> list[list[TextEntry]]:
        if id(line) not in known:
            known[id(line)] = list(_words(_units(shows, _line(shows, line, overrides), overrides)))
        return known[id(line)]

    for first, *others in continuations(layout, lambda line: list(map(_written, words(line)))):
        entries = _spaced(words(first)[-_SEAM_WORDS:])
        for other in others:
            entries += [_BREAK, *_spaced(words(other)[:_SEAM_WORDS])]
        yield entries


def _words(units: Iterable[TextEntry]) -> Iterator[list[TextEntry]]:
    for is_word, word in groupby(units, _shows):
        if is_word:
            yield list(word)


def _written(word: Iterable[TextEntry]) -> str:
    return "".join(entry[0] for entry in word)


def _spaced(words: Iterable[list[TextEntry]]) -> list[TextEntry]:
    """The words with a space before each but the first."""
    return [entry for word in words for entry in (_SPACE, *word)][1:]


def _shows(entry: TextEntry) -> bool:
    return not entry[0].isspace()


def _runs_of(shows: list[Show], piece: Piece) -> Iterator[TextEntry]:
    for run in range(piece.first, piece.last):
        if text := shows[piece.show].runs[run][4].strip():
            yield text, piece.show, run, -1


def _first_words(units: Iterable[TextEntry]) -> Iterator[TextEntry]:
    left = _INITIAL_WORDS
    for unit in units:
        left -= unit[0].isspace()
        if not left:
            return
        yield unit


def _spoken(layout: Layout, overrides: Overrides, spoken: Overrides) -> Iterator[list[TextEntry]]:
    """The lines in which an ActualText joins letters of its neighbours, with what it says in place of its glyphs."""
    if not spoken:
        return
    for line in layout.lines:
        runs = {(piece.show, run) for piece in line.pieces for run in range(piece.first, piece.last)}
        if runs.isdisjoint(spoken):
            continue
        entries: list[TextEntry] = []
        for text, show, run, glyph in _line(layout.shows, line, {**overrides, **spoken}):
            if text:
                entries.append((text, show, run, WHOLE_MARK if (show, run) in spoken else glyph))
        if any(starmap(_joins_letters, pairwise(entries))):
            yield entries


def _joins_letters(one: TextEntry, other: TextEntry) -> bool:
    """Whether one of two neighbours is spoken, and no sign or space parts them."""
    return WHOLE_MARK in (one[3], other[3]) and one[0][-1].isalnum() and other[0][0].isalnum()


def _line(shows: list[Show], line: TextLine, overrides: Overrides) -> list[TextEntry]:
    runs = _runs(shows, line)
    parted = _spaces_before_runs(shows, runs)
    entries: list[TextEntry] = []
    ends_blank = True
    for (_, _, show, run), apart in zip(runs, parted, strict=True):
        text = overrides.get((show, run))
        if text is None:
            text = shows[show].runs[run][4]
        if apart and not ends_blank and not text[:1].isspace():
            entries.append(_SPACE)
        entries.append((text, show, run, -1))
        ends_blank = text[-1:].isspace() if text else ends_blank
    return _logical(shows, entries, overrides)


def _runs(shows: list[Show], line: TextLine) -> list[PlacedRun]:
    """The line's runs in order: the gap before each and its start, in em."""
    found: list[PlacedRun] = []
    end: float | None = None
    for piece in line.pieces:
        runs, place = shows[piece.show].runs, piece.place
        em = min(line.em, place.em)
        order = range(piece.first, piece.last)
        for run in order if place.unit >= 0 else reversed(order):
            low, high = place.along(runs[run][2]), place.along(runs[run][3])
            gap = 0.0 if end is None else (min(low, high) - end) / em
            end = max(low, high)
            found.append((gap, min(low, high) / em, piece.show, run))
    return found


def _spaces_before_runs(shows: list[Show], runs: list[PlacedRun]) -> list[bool]:
    """Whether a space stands before each run. A gap is one, unless the letters of the line are drawn one by one."""
    by_gap = [gap > SPACE for gap, *_ in runs]
    if not _is_letter_by_letter(shows, runs):
        return by_gap
    pitch = _grid_pitch(shows, runs)
    if pitch is not None:
        # Letters stand on a grid: a skipped place parts words, a wide letter does not.
        skipped = [False, *(step > _SKIPPED * pitch for step in _steps(runs))]
        return [is_skipped and is_gap for is_skipped, is_gap in zip(skipped, by_gap, strict=True)]
    gaps = [gap for gap, *_ in runs[1:]]
    usual, closest = median(gaps), min(gaps)
    if closest > SPACE and usual < _SPACED_OUT * closest:
        # Letters are spaced out: only a wider gap parts words.
        return [gap > usual + SPACE for gap, *_ in runs]
    return by_gap


def _grid_pitch(shows: list[Show], runs: list[PlacedRun]) -> float | None:
    """The usual distance from one letter to the next; None if the letters are not on a grid."""
    # A row of spaces stands on a grid of its own, and says nothing about the letters.
    is_blank = ["".join(shows[show].runs[run][4]).isspace() for _, _, show, run in runs]
    steps = [step for step, pair in zip(_steps(runs), pairwise(is_blank), strict=True) if not any(pair)]
    pitch = median(steps) if len(steps) >= _LETTERS - 1 else 0.0
    return pitch if _is_even(steps, pitch) else None


def _steps(runs: list[PlacedRun]) -> list[float]:
    """The distances from the start of each run to the start of the next."""
    return [after[1] - before[1] for before, after in pairwise(runs)]


def _is_letter_by_letter(shows: list[Show], runs: list[PlacedRun]) -> bool:
    """Whether nearly every run shows a single letter, and there are enough of them to judge by."""
    if len(runs) < _LETTERS:
        return False
    letters = sum(len(shows[show].runs[run][4]) for _, _, show, run in runs)
    return letters <= 1.3 * len(runs)


def _is_even(pitches: list[float], pitch: float) -> bool:
    """Whether most letters begin at the same distance from the one before."""
    if not 0.2 < pitch < 2.0:
        return False
    near = sum(abs(one - pitch) < 0.06 * pitch for one in pitches)
    return near >= 0.6 * len(pitches)


def _logical(shows: list[Show], entries: list[TextEntry], overrides: Overrides) -> list[TextEntry]:
    """Right-to-left writing in the order in which it is read."""
    if not any(not entry[0].isascii() and _has_right_to_left(entry[0]) for entry in entries):
        return entries
    units = list(_units(shows, entries, overrides))
    kinds = [_direction(unit[0]) for unit in units]
    rightward = sum(kind in _RIGHT_TO_LEFT for kind in kinds)
    leftward = sum(kind == "L" for kind in kinds)
    if rightward >= leftward:
        units.reverse()
        kinds.reverse()
        return _reverse_directions(units, kinds, _LEFT_TO_RIGHT_RUN)
    return _reverse_directions(units, kinds, _RIGHT_TO_LEFT)


def _has_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text)


def _direction(text: str) -> str:
    return unicodedata.bidirectional(text[0]) if text else "BN"


def _units(shows: list[Show], entries: list[TextEntry], overrides: Overrides) -> Iterator[TextEntry]:
    for text, show, run, glyph in entries:
        if show < 0 or glyph >= 0 or (show, run) in overrides:
            yield text, show, run, glyph
            continue
        for index, (piece, _, _) in enumerate(shows[show].run_glyphs(run)):
            yield piece, show, run, index


def _reverse_directions(units: list[TextEntry], kinds: list[str], wanted: tuple[str, ...]) -> list[TextEntry]:
    """Reverses the stretches of the wanted directions, with the directionless characters inside them."""
    turned: list[TextEntry] = []
    at = 0
    while at < len(units):
        if kinds[at] not in wanted:
            turned.append(units[at])
            at += 1
            continue
        end = scan = at + 1
        while scan < len(units) and (kinds[scan] in wanted or kinds[scan] in _DIRECTIONLESS):
            scan += 1
            if kinds[scan - 1] in wanted:
                end = scan
        turned.extend(reversed(units[at:end]))
        at = end
    return turned
