"""Words that a page holds and does not show: told, and removed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from efface.core import Document, Verdict
from efface.formats.pdf import PDF
from efface.pipeline.sanitize import assess, sanitize, verify
from efface.policy.bind import bind
from efface.policy.model import parse
from tests.formats.pdf.build import annotate, form, image, line, new_pdf, save

SECRET = "Zanzibarov"
SHOWN = "A letter about the weather in the north."
NOTHING = "efface: 1\nfind: {patterns: none, names: none, deny: [Rumpelstilzchen]}\n"
PLAIN = line(SHOWN) + line(SECRET, y=100)
BOX = b"0 g 36 94 80 20 re f\n"


def _page(content: bytes) -> bytes:
    return save(new_pdf(content))


def box_after_text() -> bytes:
    return _page(PLAIN + BOX)


def white_box_after_text() -> bytes:
    return _page(PLAIN + b"1 g 36 94 80 20 re f\n")


def polygon() -> bytes:
    return _page(PLAIN + b"0 0 0 rg 36 94 m 120 94 l 120 114 l 36 114 l h f*\n")


def thick_line() -> bytes:
    return _page(PLAIN + b"0 G 16 w 36 104 m 120 104 l S\n")


def form_box() -> bytes:
    pdf = new_pdf(PLAIN + b"/Fm Do\n")
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=form(pdf, BOX))
    return save(pdf)


def picture_over_text() -> bytes:
    pdf = new_pdf(PLAIN + b"q 90 0 0 22 34 92 cm /Im Do Q\n")
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=image(pdf, 2, 2, bytes(4)))
    return save(pdf)


def inline_picture_over_text() -> bytes:
    return _page(PLAIN + b"q 90 0 0 22 34 92 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \0 EI Q\n")


def white_text() -> bytes:
    return _page(line(SHOWN) + b"1 1 1 rg\n" + line(SECRET, y=100))


def white_text_on_a_white_box() -> bytes:
    return _page(line(SHOWN) + b"1 g 36 94 80 20 re f\n" + line(SECRET, y=100))


def tiny_text() -> bytes:
    return _page(line(SHOWN) + line(SECRET, y=100, size=0.5))


def invisible_text() -> bytes:
    return _page(line(SHOWN) + line(SECRET, y=100, extra="3 Tr"))


def transparent_text() -> bytes:
    pdf = new_pdf(line(SHOWN) + b"q /G0 gs\n" + line(SECRET, y=100) + b"Q\n")
    pdf.pages[0].obj["/Resources"]["/ExtGState"] = Dictionary(G0=Dictionary(ca=0))
    return save(pdf)


def clipped_text() -> bytes:
    return _page(line(SHOWN) + b"q 300 10 20 20 re W n\n" + line(SECRET, y=100) + b"Q\n")


def off_the_page() -> bytes:
    return _page(line(SHOWN) + line(SECRET, y=100, x=500))


def outside_the_crop() -> bytes:
    pdf = new_pdf(line(SHOWN) + line(SECRET, y=20))
    pdf.pages[0].obj["/CropBox"] = Array([0, 60, 400, 300])
    return save(pdf)


def on_a_turned_page() -> bytes:
    pdf = new_pdf(PLAIN + BOX)
    pdf.pages[0].obj["/Rotate"] = 90
    return save(pdf)


def turned_text() -> bytes:
    turned = f"BT /F1 12 Tf 0 1 -1 0 200 40 Tm ({SECRET}) Tj ET\n".encode()
    return _page(line(SHOWN) + turned + b"0 g 186 36 20 90 re f\n")


def _annotated(**entries: Any) -> bytes:
    pdf = new_pdf(PLAIN)
    annotate(pdf, **entries)
    target = pdf.pages[0].obj["/Annots"][0]
    target["/Rect"] = Array([36, 94, 120, 114])
    return save(pdf)


_QUADS = [36, 114, 120, 114, 36, 94, 120, 94]


def square_annotation() -> bytes:
    return _annotated(Subtype=Name.Square, IC=Array([0, 0, 0]))


def square_with_an_appearance() -> bytes:
    pdf = new_pdf(PLAIN)
    looks = form(pdf, b"0 g 0 0 84 20 re f\n", BBox=Array([0, 0, 84, 20]))
    annotate(pdf, Subtype=Name.Square, AP=Dictionary(N=looks))
    pdf.pages[0].obj["/Annots"][0]["/Rect"] = Array([36, 94, 120, 114])
    return save(pdf)


def redact_annotation() -> bytes:
    return _annotated(Subtype=Name.Redact, QuadPoints=Array(_QUADS))


def strikeout() -> bytes:
    return _annotated(Subtype=Name.StrikeOut, QuadPoints=Array(_QUADS), C=Array([1, 0, 0]))


def black_highlight() -> bytes:
    return _annotated(Subtype=Name.Highlight, QuadPoints=Array(_QUADS), C=Array([0, 0, 0]))


def ink() -> bytes:
    return _annotated(
        Subtype=Name.Ink, InkList=Array([Array([36, 104, 120, 104])]), BS=Dictionary(W=16), C=Array([0, 0, 0])
    )


HIDING: dict[str, Callable[[], bytes]] = {
    make.__name__: make
    for make in (
        box_after_text,
        white_box_after_text,
        polygon,
        thick_line,
        form_box,
        picture_over_text,
        inline_picture_over_text,
        white_text,
        white_text_on_a_white_box,
        tiny_text,
        invisible_text,
        transparent_text,
        clipped_text,
        off_the_page,
        outside_the_crop,
        on_a_turned_page,
        turned_text,
        square_annotation,
        square_with_an_appearance,
        redact_annotation,
        strikeout,
        black_highlight,
        ink,
    )
}


def words(document: Document) -> list[str]:
    return [document.text[one.start : one.end] for one in document.hidden]


@pytest.mark.parametrize("name", HIDING)
def test_hidden_words_are_told_and_removed(name: str) -> None:
    data = HIDING[name]()
    assert words(PDF().read(data, "x.pdf")) == [SECRET]
    bound = bind(parse(NOTHING))
    told = assess(data, "x.pdf", bound)
    assert told.verdict is Verdict.BROKEN
    assert [finding.secret for outcome in told.outcomes for finding in outcome.before] == ["HIDDEN_TEXT"]
    report = sanitize(data, "x.pdf", bound)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    again = PDF().read(report.released, "x.pdf")
    assert SECRET not in again.text
    assert SHOWN in again.text
    assert verify(report.released, "x.pdf", bound).verdict is Verdict.HELD


def _highlighted() -> bytes:
    return _annotated(Subtype=Name.Highlight, QuadPoints=Array(_QUADS), C=Array([1, 1, 0]))


def _multiplied() -> bytes:
    pdf = new_pdf(PLAIN + b"q /G0 gs 1 1 0 rg 36 94 80 20 re f Q\n")
    pdf.pages[0].obj["/Resources"]["/ExtGState"] = Dictionary(G0=Dictionary(BM=Name.Multiply))
    return save(pdf)


SHOWING = {
    "a table's shade is painted first": _page(BOX.replace(b"0 g", b"0.8 g") + b"0 g\n" + PLAIN),
    "white on a dark box": _page(line(SHOWN) + BOX + b"1 g\n" + line(SECRET, y=100)),
    "a box beside": _page(PLAIN + b"0 g 200 94 80 20 re f\n"),
    "a box over a part of the height": _page(PLAIN + b"0 g 36 94 80 6.5 re f\n"),
    "an outline": _page(PLAIN + b"0 G 1 w 36 94 80 20 re S\n"),
    "a thin line": _page(PLAIN + b"0 G 1 w 36 104 m 120 104 l S\n"),
    "a yellow highlight": _highlighted(),
    "a yellow box that is multiplied": _multiplied(),
    "a clip that holds it": _page(line(SHOWN) + b"q 30 90 200 30 re W n\n" + line(SECRET, y=100) + b"Q\n"),
}


@pytest.mark.parametrize("name", SHOWING)
def test_what_can_be_seen_stays(name: str) -> None:
    document = PDF().read(SHOWING[name], "x.pdf")
    assert SECRET in document.text
    assert words(document) == []


def test_the_policy_may_keep_hidden_words() -> None:
    bound = bind(parse(NOTHING + "operators: {HIDDEN_TEXT: keep}\n"))
    report = sanitize(box_after_text(), "x.pdf", bound)
    assert report.verdict is Verdict.HELD
    assert report.edits == ()


def test_real_files_with_boxes(shared_data: Path) -> None:
    """Court filings: those with words under boxes, and those that only look so."""
    folder = shared_data / "documents" / "covered"
    for name, answer in json.loads((folder / "expected.json").read_text()).items():
        document = PDF().read((folder / name).read_bytes(), name)
        found = [" ".join(text.split()) for text in words(document)]
        assert bool(found) == answer["covered"], (name, found)
        for expected in answer.get("words", []):
            assert expected.rstrip(",.") in " ".join(found), (name, found)


def test_a_released_file_has_no_hidden_words(shared_data: Path) -> None:
    folder = shared_data / "documents" / "covered"
    bound = bind(parse(NOTHING))
    for name, answer in json.loads((folder / "expected.json").read_text()).items():
        if answer["covered"]:
            report = sanitize((folder / name).read_bytes(), name, bound)
            assert report.released is not None
            with pikepdf.open(io.BytesIO(report.released)) as pdf:
                assert len(pdf.pages)
            assert words(PDF().read(report.released, name)) == []
