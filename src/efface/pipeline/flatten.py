"""PDF pages as pictures: what leaves is pixels and nothing else.

The document is sanitized as ever, on its text, and then drawn. A file that cannot be searched that way is drawn
first and read by OCR, when the extra is there.
"""

from __future__ import annotations

from dataclasses import replace

from efface.attacks.leaks import Removed, search
from efface.attacks.readers.extract import extract
from efface.core import Document, Report, worst
from efface.errors import InputError, Leak, Refused
from efface.files import ocr
from efface.formats import detect
from efface.pipeline.bound import BoundPolicy, StageListener, unwatched
from efface.pipeline.judge import overall
from efface.pipeline.sanitize import attempt, withheld

NOTE = "Every page is a picture now: nothing of the original but its looks is in the file."
_SHOWN = ("page", "content")  # parts of a PDF that a reader sees


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
    return any(leak.part.startswith(_SHOWN) for leak in report.leaks)


def flattened(report: Report, bound: BoundPolicy, watch: StageListener = unwatched) -> Report:
    """The release with its pages drawn: what hid beside them is gone."""
    from efface.formats.pdf import flatten

    if report.released is None:
        return report
    watch("flattening")
    released = flatten(report.released)
    nothing = Document("", "pdf", "")
    leaks = search(_removed(report), extract(released, "pdf"), nothing, standing=bound.denied)
    verdict = worst((overall(report.outcomes, leaks), report.coverage.verdict))
    return replace(report, released=released, leaks=leaks, verdict=verdict, notes=(*report.notes, NOTE))


def _removed(report: Report) -> list[Removed]:
    text = report.document.text
    return [Removed(text[edit.start + edit.lead : edit.end], edit.type) for edit in report.edits]
