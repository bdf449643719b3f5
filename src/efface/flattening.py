"""PDF pages as pictures: what leaves is pixels and nothing else.

The document is sanitized as ever, on its text, and then drawn. A file that cannot be searched that way is drawn
first and read by OCR, when the extra is there.
"""

from __future__ import annotations

from dataclasses import replace

from efface import ocr
from efface.attacks.extract import extract
from efface.attacks.leaks import Removed, search
from efface.core import Document, Report
from efface.errors import InputError, Leak, Refused
from efface.formats import detect
from efface.pipeline import Bound, Watch, overall, sanitize

NOTE = "Every page is a picture now: nothing of the original but its looks is in the file."


def sanitize_flat(data: bytes, name: str, bound: Bound, watch: Watch = lambda _stage: None) -> Report:
    """The document as it may leave, its pages drawn."""
    from efface.formats.pdf import flatten

    if detect(name, data) != "pdf":
        raise InputError("Only the pages of a PDF can be flattened.", "Leave --flatten out.")
    try:
        report = sanitize(data, name, bound, watch)
    except Refused as error:
        if type(error) not in (Refused, Leak) or not ocr.available():
            raise
        watch("flattening")
        report = sanitize(flatten(data), name, bound, watch)
    if report.released is None or report.leaks:
        return report
    watch("flattening")
    released = flatten(report.released)
    leaks = search(_removed(report, bound), extract(released, "pdf"), Document(name, "pdf", ""))
    verdict = overall(report.outcomes, leaks)
    return replace(report, released=released, leaks=leaks, verdict=verdict, notes=(*report.notes, NOTE))


def _removed(report: Report, bound: Bound) -> list[Removed]:
    text = report.document.text
    gone = [Removed(text[edit.start : edit.end], edit.type) for edit in report.edits]
    return gone + [Removed(term, "DENIED") for term in bound.denied]
