"""PDF pages as pictures: what leaves is pixels and nothing else.

The document is sanitized as ever, on its text, and then drawn. A file that cannot be searched that way is drawn
first and read by OCR, when the extra is there.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from efface.attacks.leaks import Removed, is_short, search
from efface.attacks.readers.extract import extract
from efface.core import Document, Finding, Gap, Leakage, Pictures, Report, Verdict, worst
from efface.errors import InputError, Leak, Refused
from efface.files import ocr
from efface.formats import OriginReadByOcr, detect, picture_gaps
from efface.pipeline.bound import BoundPolicy, StageListener, unwatched
from efface.pipeline.coverage import coverage_of
from efface.pipeline.judge import overall, verdict_of
from efface.pipeline.reread import assess_again
from efface.pipeline.sanitize import attempt, withheld
from efface.text.entity_types import HIDDEN_SOURCE
from efface.text.folding import fold_term

CLEARED = "What OCR read only in the drawn pages was cleared, too."
NOTE = "Every page is a picture now: nothing of the original but its looks is in the file."
_SHOWN = ("page", "content")  # parts of a PDF that a reader sees
_PROPERTIES = "content properties"  # what marks in the content say of it, which no page shows


def sanitize_flat(data: bytes, name: str, bound: BoundPolicy, watch: StageListener = unwatched) -> Report:
    """The document as it may leave, its pages drawn."""
    if detect(name, data) != "pdf":
        raise InputError("Only the pages of a PDF can be flattened.", "Leave --flatten out.")
    try:
        report = attempt(data, name, bound, watch)
        refused = shows_leaks(report)
    except Refused as error:
        if type(error) not in (Refused, Leak) or not ocr.available():
            raise
        refused = True
    if refused and ocr.available():
        from efface.formats.pdf import flatten

        watch("flattening")
        report = attempt(flatten(data), name, bound, watch)
    if shows_leaks(report):
        return withheld(report)
    return withheld(flattened(report, bound, watch))


def shows_leaks(report: Report) -> bool:
    """Whether a page itself may show what should be gone: a picture of it would show the same."""
    parts = (leak.part for leak in report.leaks)
    return any(part.startswith(_SHOWN) and part != _PROPERTIES for part in parts)


def without_hiding_places(report: Report, bound: BoundPolicy, watch: StageListener = unwatched) -> Report:
    """A broken release of a PDF with its pages drawn, if that mends it; else as it is.

    It helps in two cases. Words may be left in places that no page shows. Or a scan has a text layer: OCR reads such
    a page differently each time, and a picture without a text layer cannot contradict itself.
    """
    if only_hides(report):
        return flattened(report, bound, watch)
    origin = report.document.origin
    if not (isinstance(origin, OriginReadByOcr) and origin.recognised and ocr.available()):
        return report
    from efface.formats.pdf import flatten

    watch("flattening")
    drawn = attempt(flatten(origin.readable_pdf), report.document.name, bound, watch)
    mended = flattened(drawn, bound, watch) if only_hides(drawn) else drawn
    return report if mended.verdict is Verdict.BROKEN else mended


def only_hides(report: Report) -> bool:
    """Whether all that stands against a release is in places that no page shows."""
    left = (finding for outcome in report.outcomes for finding in outcome.after)
    return not shows_leaks(report) and all(map(_is_hidden, left))


def _is_hidden(finding: Finding) -> bool:
    """Whether a finding is about words that are there and cannot be seen: under a box, white on white."""
    return all(term.source == HIDDEN_SOURCE for term in finding.terms)


def flattened(report: Report, bound: BoundPolicy, watch: StageListener = unwatched) -> Report:
    """The release with its pages drawn: what hid beside them is gone. The pictures are read again, as `verify` will.

    What only OCR sees in them is cleared and the pages are drawn once more.
    """
    if report.released is None:
        return report
    drawn = _drawn(report, report.released, bound, watch)
    if drawn.verdict is Verdict.BROKEN and drawn.released is not None and ocr.available():
        cleared = attempt(drawn.released, report.document.name, bound, watch)
        if cleared.verdict is not Verdict.BROKEN and cleared.released is not None:
            noted = replace(report, notes=(*report.notes, CLEARED))
            return _drawn(noted, cleared.released, bound, watch)
    return drawn


def _drawn(report: Report, released: bytes, bound: BoundPolicy, watch: StageListener) -> Report:
    """The report on these bytes with their pages drawn, as a reader of the pictures judges them."""
    from efface.formats.pdf import PDF, flatten

    watch("flattening")
    released = flatten(released)
    watch("reading again")
    is_read = ocr.available() and bound.pictures is not Pictures.KEEP
    again = PDF().read(released, report.document.name) if is_read else Document("", "pdf", "")
    looking = bound.at(again)
    outcomes = []
    for guarantee, outcome, after in zip(
        looking.guarantees, report.outcomes, assess_again(again, report.edits, looking), strict=True
    ):
        shown = tuple(finding for finding in outcome.after if not _is_hidden(finding))
        left = (*shown, *after)
        outcomes.append(replace(outcome, after=left, verdict=verdict_of(guarantee, left)))
    leaks = _leaks(report, released, again, bound)
    unread = () if is_read else _unread_pages(bound)
    gaps = (*report.coverage.gaps, *coverage_of(again, looking).gaps, *unread)
    coverage = replace(report.coverage, gaps=tuple(dict.fromkeys(gaps)))
    return replace(
        report,
        released=released,
        leaks=leaks,
        outcomes=tuple(outcomes),
        coverage=coverage,
        verdict=worst((overall(outcomes, leaks), coverage.verdict)),
        notes=(*report.notes, NOTE),
    )


def _leaks(report: Report, released: bytes, again: Document, bound: BoundPolicy) -> tuple[Leakage, ...]:
    """What of the removed and denied strings the bytes hold, or the pictures show beyond what stays on purpose."""
    removed = _removed(report)
    in_bytes = search(removed, extract(released, "pdf"), Document("", "pdf", ""), standing=bound.denied)
    stays = {fold_term(one.word) for one in report.coverage.exemptions}
    asked = (one for one in removed if not is_short(one.text) and fold_term(one.text) not in stays)
    ours = [edit.replacement for edit in report.edits if edit.replacement]
    shown = search(asked, [("page", again.text)], partial(_planned, report), ours, bound.denied)
    return (*in_bytes, *shown)


def _planned(report: Report) -> Document:
    """The document with the edits made in its text."""
    text = report.document.text
    pieces: list[str] = []
    position = 0
    for edit in sorted(report.edits, key=lambda edit: edit.start):
        pieces += (text[position : edit.start], edit.replacement or "")
        position = edit.end
    return Document("", "pdf", "".join([*pieces, text[position:]]))


def _unread_pages(bound: BoundPolicy) -> tuple[Gap, ...]:
    """The gap that nobody has read the drawn pages: the policy says so, or nothing here can read them."""
    gaps = picture_gaps.kept(1) if bound.pictures is Pictures.KEEP else picture_gaps.unread(1)
    return tuple(replace(gap, where="the drawn pages") for gap in gaps)


def _removed(report: Report) -> list[Removed]:
    text = report.document.text
    return [Removed(text[edit.start + edit.lead : edit.end], edit.type) for edit in report.edits]
