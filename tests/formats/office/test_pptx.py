"""Presentations, read again by python-pptx."""

from __future__ import annotations

import io

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from efface import Sanitizer
from efface.core import Verdict, apply_edits
from efface.formats.office import PPTX
from tests.attacks.leaks.office_packages import complaints
from tests.attacks.leaks.office_redaction import edits_of, redact, sightings
from tests.attacks.leaks.pptx_vectors import _ole, _video


def _deck() -> bytes:
    deck = Presentation()
    for title in ("First John", "Second"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.notes_slide.notes_text_frame.text = f"note of {title}"
    box = deck.slides[1].shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    for text, bold in (("Jo", True), ("hn Smith", False)):
        run = box.text_frame.paragraphs[0].add_run()
        run.text = text
        run.font.bold = bold
        run.font.size = Pt(20)
    data = CategoryChartData()
    data.categories = ["John", "Ann"]
    data.add_series("Sales of John", (1, 2))
    deck.slides[0].shapes.add_chart(XL_CHART_TYPE.PIE, Inches(1), Inches(2), Inches(3), Inches(3), data)
    buffer = io.BytesIO()
    deck.save(buffer)
    return buffer.getvalue()


def test_slides_in_order_then_notes() -> None:
    document = PPTX.read(_deck(), "x.pptx")
    parts = {part.name: document.text[part.start : part.end] for part in document.parts}
    assert parts["slide 1"].startswith("First John\n")
    assert "John Smith\n" in parts["slide 2"]
    assert parts["notes 1"].startswith("note of First John")
    assert "John\nAnn\n" in parts["chart"]


def test_a_deck_with_a_chart_and_its_workbook() -> None:
    released = redact("pptx", _deck(), "John")
    assert sightings(released, "John") == []
    assert complaints(released) == []
    deck = Presentation(io.BytesIO(released))
    assert [slide.shapes.title.text for slide in deck.slides] == ["First [X]", "Second"]
    runs = deck.slides[1].shapes[-1].text_frame.paragraphs[0].runs
    assert [(run.text, run.font.bold) for run in runs] == [("[X]", True), (" Smith", False)]
    chart = next(shape for shape in deck.slides[0].shapes if shape.has_chart).chart
    assert list(chart.plots[0].categories) == ["[X]", "Ann"]
    workbook = chart.part.chart_workbook.xlsx_part
    assert workbook is not None
    assert workbook.blob.startswith(b"PK")


def test_reading_again_gives_the_edited_text() -> None:
    document = PPTX.read(_deck(), "x.pptx")
    edits = [edit for edit in edits_of(document, ("John",)) if edit.end < document.parts[3].end]
    again = PPTX.read(PPTX.write(document, edits), "x.pptx")
    end = document.parts[3].end
    expected = apply_edits(document.text[:end], edits)
    assert again.text.startswith(expected)


@pytest.mark.parametrize(
    "boxes",
    [
        [("barov", 3, 1), ("Zanzi", 1, 1)],
        [("Zanzi", 1, 1), ("other words", 1, 3), ("barov", 2, 1)],
        [("barov", 1, 2), ("between", 5, 5), ("Zanzi", 1, 1)],
        [(letter, 10 - at, 1) for at, letter in enumerate(reversed("Zanzibarov"))],
    ],
)
def test_a_word_over_boxes_is_read_by_their_places(boxes: list[tuple[str, int, int]]) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for text, x, y in boxes:
        box = slide.shapes.add_textbox(Inches(x), Inches(y), Inches(1), Inches(1))
        box.text_frame.text = text
    data = io.BytesIO()
    deck.save(data)
    policy = "efface: 1\nfind: {deny: [Zanzibarov], names: none, patterns: none}\n"
    report = Sanitizer.from_text(policy).sanitize(data.getvalue(), name="a.pptx")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    shown = "".join(PPTX.read(report.released, "a.pptx").text.split())
    assert "[DENIED_1]" in shown
    assert "zanzi" not in shown.lower() and "barov" not in shown.lower() and "vorab" not in shown.lower()


def test_labels_of_a_diagram_are_read_once() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for text, x in (("Output", 3), ("Input", 1)):
        box = slide.shapes.add_textbox(Inches(x), Inches(1), Inches(1), Inches(1))
        box.text_frame.text = text
    data = io.BytesIO()
    deck.save(data)
    assert PPTX.read(data.getvalue(), "a.pptx").text.count("Output") == 1


def test_an_object_becomes_its_picture() -> None:
    released = redact("pptx", _ole(b"\xd0\xcf\x11\xe0 secret", "oleObject1.bin", "oleObject"))
    assert complaints(released) == []
    content = _slide(released)
    assert b"<p:pic>" in content
    assert b"graphicFrame" not in content


def test_a_video_leaves_its_picture_and_no_timing() -> None:
    content = _slide(redact("pptx", _video()))
    assert b"<p:pic>" in content
    assert b"videoFile" not in content
    assert b"p14:media" not in content
    assert b"timing" not in content


def _slide(data: bytes) -> bytes:
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read("ppt/slides/slide1.xml")
