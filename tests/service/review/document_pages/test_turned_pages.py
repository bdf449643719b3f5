"""Words and areas on pages that the file shows turned."""

from __future__ import annotations

import io

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.service.review.decisions import EffectiveDecisions, Recorded
from efface.service.review.document_pages.pdf_pages import _same_words, page_words
from efface.service.review.run_with_decisions import ReviewInput, run

LINES = ("zebra of alpha", "okapi of beta", "tapir of gamma")


def turned(degrees: int) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 600))
    for at, line in enumerate(LINES):
        canvas.drawString(60, 500 - 200 * at, line)
    canvas.save()
    pdf = pikepdf.open(io.BytesIO(out.getvalue()))
    pdf.pages[0].Rotate = degrees
    saved = io.BytesIO()
    pdf.save(saved)
    return saved.getvalue()


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_every_word_of_a_turned_page_has_its_place(degrees: int) -> None:
    """PDFium reads the lines of such a page in another order, and two of three had no marks."""
    text = "\n".join(LINES)
    words = page_words(turned(degrees), 0, text, in_parts=True)
    assert [text[int(start) : int(end)] for start, end, *_ in words] == text.split()
    for line in range(3):  # the words of a line stand beside one another, as the page is seen
        boxes = [word[2:] for word in words[3 * line : 3 * line + 3]]
        side = 0 if degrees % 180 else 1
        assert max(box[side] for box in boxes) - min(box[side] for box in boxes) < 0.02


@pytest.mark.parametrize("degrees", [90, 270])
def test_what_an_area_covers_on_a_turned_page_is_taken_out_of_the_text_too(degrees: int) -> None:
    data = turned(degrees)
    prepared = ReviewInput.of(data, "turned.pdf", Sanitizer("efface: 1\nfind: {names: none}\n").bind("ann"))
    text = prepared.document.text
    okapi = text.index("okapi")
    word = next(each for each in page_words(data, 0, text, in_parts=True) if each[0] == okapi)
    box = (word[2], word[3], word[4], word[5])
    result = run(prepared, EffectiveDecisions(areas=(Recorded(kind="area", page=0, box=box),)))
    assert result.verdict is Verdict.HELD and result.report is not None
    assert [outcome.claim.name for outcome in result.report.outcomes][-1] == "decisions"
    assert result.report.released is not None and b"okapi" not in result.report.released


def test_a_word_that_could_be_any_of_several_has_no_place() -> None:
    ours, theirs = "of a b c of".split(), "c x of y of".split()
    found = _same_words(ours, theirs)
    assert len(set(found.values())) == len(found)
    assert all(ours[mine] == theirs[other] for mine, other in found.items())
