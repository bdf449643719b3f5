"""Matches what PDFium saw, by place, with our own glyphs."""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import Span
from efface.formats.pdf.reader.document import PageTexts
from efface.formats.pdf.reader.layout import Ref, geometry
from efface.formats.pdf.reader.pdfium_text import PdfiumBox


def missed(
    view: PageTexts, sightings: Sequence[Sequence[PdfiumBox]], known: Sequence[Span]
) -> list[frozenset[Ref]]:
    """The glyphs of each sighting that is not among the known occurrences in our text."""
    explained = [
        set(view.text.refs(view.layout.shows, view.overrides, span.start, span.end)) for span in known
    ]
    glyphs = _glyphs(view)
    found = []
    for boxes in sightings:
        hit = {ref for box in boxes for ref in _glyphs_in_box(glyphs, box)}
        if hit and not any(2 * len(hit & own) >= min(len(hit), len(own)) for own in explained if own):
            found.append(frozenset(hit))
    return found


GlyphMiddle = tuple[float, float, float, Ref]  # middle of the glyph, its em, which it is


def _glyphs(view: PageTexts) -> list[GlyphMiddle]:
    found: list[GlyphMiddle] = []
    for number, show in enumerate(view.layout.shows):
        place = geometry(show)
        x, y = place.key
        for run in range(len(show.runs)):
            for index, (text, start, end) in enumerate(show.run_glyphs(run)):
                if text.strip():
                    u = (place.along(start) + place.along(end)) / 2
                    v = place.v + 0.3 * place.tall
                    found.append((u * x - v * y, u * y + v * x, place.tall, (number, run, index)))
    return found


def _glyphs_in_box(glyphs: Sequence[GlyphMiddle], box: PdfiumBox) -> list[Ref]:
    """The glyphs whose middle lies in a character's box, give or take what fonts disagree about."""
    left, right, bottom, top = box
    return [
        ref
        for x, y, em, ref in glyphs
        if left - 0.1 * em <= x <= right + 0.1 * em and bottom - 0.35 * em <= y <= top + 0.35 * em
    ]
