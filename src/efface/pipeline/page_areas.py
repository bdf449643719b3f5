"""Areas and pages of a PDF that a person takes out of a release that was checked.

The words in them were redacted in the flow already, so every guarantee has judged the text without them. Here the
bytes follow. The attackers' reader then makes sure that nothing is in the new file that was not in the checked one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from efface.attacks.leaks import search
from efface.attacks.readers.extract import extract
from efface.core import Leakage, Report, Verdict
from efface.errors import InputError
from efface.formats.pdf.page_areas import AreaBox, empty_file, take_out
from efface.pipeline.reread import removed_strings
from efface.text.alignment import Alignment
from efface.text.folding import fold_term

NOTE = "Pages with an area that was taken out are pictures now; outlines, forms and attachments are left out."
_PART = "a page that was copied"


def without_areas(
    report: Report,
    areas: Mapping[int, Sequence[AreaBox]],
    pages: Collection[int],
    words: Collection[str] = (),
) -> Report:
    """The release without these areas and pages, searched again. `words` (folded) are those that only an area or a
    page takes out: they were not searched for before."""
    if not areas and not pages:
        return report
    if report.document.format != "pdf":
        raise InputError("Only a PDF has pages to take out.", "Select the text and redact it.")
    if report.released is None:
        return report
    released = take_out(report.released, areas, pages)
    if _unknown_lines(report.released, released):
        leak = Leakage(_PART, "plain", "AREA", "")
        return replace(report, released=None, verdict=Verdict.BROKEN, leaks=(*report.leaks, leak))
    leaks = _leaks_of_words(report, released, words)
    if leaks:
        return replace(report, released=None, verdict=Verdict.BROKEN, leaks=(*report.leaks, *leaks))
    return replace(report, released=released, notes=(*report.notes, NOTE))


def _leaks_of_words(report: Report, released: bytes, words: Collection[str]) -> tuple[Leakage, ...]:
    """Where the new file has one of the words beyond the places at which the plan keeps it.

    The page with the area is a picture by now. Before, what forms and notes draw on it stood between its words, so
    that a word which stays elsewhere ("Name") could not be told from the one that goes.
    """
    alignment = Alignment(report.edits)
    removed = [one for one in removed_strings(report.document, alignment) if fold_term(one.text) in words]
    return search(removed, extract(released, "pdf"), lambda: alignment.planned(report.document))


def _unknown_lines(checked: bytes, released: bytes) -> bool:
    """Whether the attackers' reader sees a line in the new file more often than in the one that was checked."""
    more = _lines(released)
    more.subtract(_lines(checked))
    more.subtract(_lines(empty_file()))
    return any(count > 0 for count in more.values())


def _lines(data: bytes) -> Counter[str]:
    found: Counter[str] = Counter()
    for _part, text in extract(data, "pdf"):
        found.update(line.strip() for line in text.splitlines() if line.strip())
    return found
