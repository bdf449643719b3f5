"""What the text of a page already says, so that OCR does not say it again."""

from __future__ import annotations

from collections.abc import Sequence

from efface.formats.pdf.ocr.drawn_pages import bare
from efface.formats.pdf.reader.document import PageTexts
from efface.formats.pdf.reader.layout import geometry
from efface.formats.pdf.reader.matrix import Point


class TextAlreadyShown:
    """Whether a page's own text already says a word in its place."""

    def __init__(self, view: PageTexts) -> None:
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

    def __call__(self, word: str, corners: Sequence[Point]) -> bool:
        import numpy

        if not self._letters:
            return False
        low, high = box_of(corners)
        inside = numpy.flatnonzero(((self._places >= low) & (self._places <= high)).all(axis=1))
        return bare(word) in bare("".join(self._letters[at] for at in inside))


def box_of(corners: Sequence[Point]) -> tuple[Point, Point]:
    """The lower left and the upper right corner of what lies around these points."""
    across = [x for x, _ in corners]
    upwards = [y for _, y in corners]
    return (min(across), min(upwards)), (max(across), max(upwards))
