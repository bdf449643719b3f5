"""Areas and pages that a person takes out of a PDF are nowhere in the bytes."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen import canvas

from efface.api.sanitizer import Sanitizer
from efface.attacks.readers.extract import extract
from efface.core import Edit, Report, Verdict
from efface.errors import Refused
from efface.formats.pdf.page_areas import take_out
from efface.pipeline import page_areas
from efface.pipeline.page_areas import without_areas

UPPER_HALF = (0.0, 0.0, 1.0, 0.5)


def three_pages() -> bytes:
    """A word in the upper and in the lower half of every page, an outline, and a link from one to the other."""
    out = io.BytesIO()
    paper = canvas.Canvas(out, pagesize=(400, 400), pageCompression=1)
    for number in range(3):
        paper.bookmarkPage(f"page{number}")
        paper.addOutlineEntry(f"outline{number}", f"page{number}")
        paper.drawString(50, 350, f"upper{number}")
        paper.drawString(50, 50, f"lower{number}")
        paper.linkAbsolute("", "page2", (50, 40, 120, 60))
        paper.line(50, 300, 200, 390)
        paper.showPage()
    paper.save()
    return out.getvalue()


def released() -> Report:
    policy = "efface: 1\nfind: {patterns: default, names: none}\n"
    report = Sanitizer(policy).sanitize(io.BytesIO(three_pages()), name="three.pdf")
    assert report.verdict is Verdict.HELD
    return report


def words_in(data: bytes) -> str:
    return "\n".join(text for _, text in extract(data, "pdf"))


@pytest.mark.parametrize("asleep", ["_unknown_lines", "_leaks_of_words"])
def test_a_word_that_was_not_taken_out_is_found_in_two_ways(
    asleep: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file comes back as it was: each of two looks suffices to withhold it."""
    report = released()
    start = report.document.text.index("upper1")
    gone = Edit(start, start + 6, "REDACTED", "upper1", "the reviewer redacted it", "[REDACTED_1]")
    placeholder = without_areas(report, {1: [UPPER_HALF]}, ()).released
    checked = replace(report, edits=(gone,), released=placeholder)
    assert without_areas(checked, {0: [(0.0, 0.9, 1.0, 1.0)]}, (), {"upper1"}).verdict is Verdict.HELD
    monkeypatch.setattr(page_areas, "take_out", lambda *_: three_pages())
    monkeypatch.setattr(page_areas, asleep, lambda *_: ())
    found = without_areas(checked, {1: [UPPER_HALF]}, (), {"upper1"})
    assert found.verdict is Verdict.BROKEN and found.released is None and found.leaks


def test_an_area_leaves_neither_words_nor_pixels() -> None:
    report = without_areas(released(), {1: [UPPER_HALF]}, ())
    assert report.verdict is Verdict.HELD and report.released is not None
    text = words_in(report.released)
    assert "upper0" in text and "upper2" in text
    assert "upper1" not in text and "outline1" not in text and b"upper1" not in report.released
    page = pypdfium2.PdfDocument(report.released)[1].render(scale=1).to_pil().convert("L")
    assert page.crop((0, 0, 400, 195)).getextrema() == (0, 0), "the upper half is black"
    assert page.crop((0, 210, 400, 400)).getextrema()[1] == 255, "the lower half is not"


def test_a_page_that_is_taken_out_is_gone_with_what_led_to_it() -> None:
    report = without_areas(released(), {}, {2})
    assert report.released is not None
    with pikepdf.open(io.BytesIO(report.released)) as pdf:
        assert len(pdf.pages) == 2 and "/Outlines" not in pdf.Root
    text = words_in(report.released)
    assert "lower1" in text and "upper2" not in text and "outline2" not in text


def test_layers_that_are_switched_off_do_not_appear_on_copied_pages() -> None:
    """A copied page would forget which layers are hidden: such documents become pictures as a whole."""
    with pikepdf.open(io.BytesIO(three_pages())) as pdf:
        group = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="secret"))
        pdf.Root.OCProperties = pikepdf.Dictionary(
            OCGs=pikepdf.Array([group]), D=pikepdf.Dictionary(OFF=pikepdf.Array([group]))
        )
        out = io.BytesIO()
        pdf.save(out)
    text = words_in(take_out(out.getvalue(), {}, {0}))
    assert not any(word in text for word in ("upper", "lower", "outline", "secret"))


def test_one_page_must_stay() -> None:
    with pytest.raises(Refused, match="Every page"):
        without_areas(released(), {}, {0, 1, 2})


DRAWN = "q 200 0 0 100 0 0 cm /P Do Q"
CONTENT_OF_PAGE_1 = {
    "clipped": f"q 100 0 100 100 re W n {DRAWN} Q",
    "painted over": f"{DRAWN} 1 g 0 0 100 100 re f",
    "covered by a picture": f"{DRAWN} q 100 0 0 100 0 0 cm /White Do Q",
    "transparent": f"q /Clear gs {DRAWN} Q",
    "listed only": "0 0 10 10 re f",
    "inherited": "0 0 10 10 re f",
}


def picture_of(pdf: pikepdf.Pdf, data: bytes, width: int, height: int) -> pikepdf.Object:
    picture = pikepdf.Stream(pdf, data, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image)
    picture.stream_dict.update({"/Width": width, "/Height": height, "/BitsPerComponent": 8})
    picture["/ColorSpace"] = pikepdf.Name.DeviceRGB
    return pdf.make_indirect(picture)


def a_spread(how: str) -> bytes:
    """Two pages that draw one picture of two halves. Each shows its half, or both show all of it."""
    row = b"\xff\x00\x00" * 50 + b"\x00\x00\xff" * 50
    with pikepdf.new() as pdf:
        pictures = {
            "/P": picture_of(pdf, row * 40, 100, 40),
            "/White": picture_of(pdf, b"\xff\xff\xff", 1, 1),
        }
        held = pikepdf.Dictionary(XObject=pikepdf.Dictionary(pictures))
        held.ExtGState = pikepdf.Dictionary(Clear=pikepdf.Dictionary(ca=0))
        held.Font = pikepdf.Dictionary(
            F=pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
            )
        )
        for number in range(2):
            page = pdf.add_blank_page(page_size=(200, 100)).obj
            page.Resources = held
            content = CONTENT_OF_PAGE_1.get(how, DRAWN) if number else DRAWN
            if how == "cropped":
                page.CropBox = pikepdf.Array([100 * number, 0, 100 * number + 100, 100])
            elif how == "form":
                page.Resources, content = form_of(pdf, held, 100 * number), "/A Do"
            elif how == "annotation" and number:
                page.Annots = pikepdf.Array([patch(pdf)])
            elif how == "inherited":
                del page.Resources
            page.Contents = pikepdf.Stream(pdf, content.encode())
        if how == "inherited":
            pdf.Root.Pages.Resources = held
        elif how == "same content":
            pdf.pages[0].obj.Contents = pdf.pages[1].obj.Contents = pdf.make_indirect(
                pikepdf.Stream(pdf, b"1 0 0 rg 0 0 100 100 re f")
            )
            pdf.pages[1].obj.CropBox = pikepdf.Array([100, 0, 200, 100])
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


def form_of(pdf: pikepdf.Pdf, held: pikepdf.Dictionary, left: int) -> pikepdf.Dictionary:
    """Resources with a form that shows a half of the picture."""
    form = pikepdf.Stream(pdf, DRAWN.encode(), Subtype=pikepdf.Name.Form, Resources=held)
    form["/BBox"] = pikepdf.Array([left, 0, left + 100, 100])
    return pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/A": pdf.make_indirect(form)}))


def patch(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """A white square over the left half, as an annotation."""
    look = pikepdf.Stream(pdf, b"1 g 0 0 100 100 re f", Subtype=pikepdf.Name.Form)
    look["/BBox"] = pikepdf.Array([0, 0, 100, 100])
    rectangle = pikepdf.Array([0, 0, 100, 100])
    found = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Square, Rect=rectangle, F=4, AP={"/N": look}
    )
    return pdf.make_indirect(found)


def has_red(data: bytes) -> bool:
    """Whether any picture in the file, seen or not, has the colour of the left half."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pictures = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and "/Width" in each]
        seen: list[Any] = [
            pikepdf.PdfImage(each).as_pil_image().convert("RGB").getcolors(1 << 20) for each in pictures
        ]
    return any(red > 150 > 2 * blue for colours in seen for _, (red, _, blue) in colours or ())


HIDING = ["cropped", "form", "annotation", *CONTENT_OF_PAGE_1]


@pytest.mark.parametrize("how", HIDING)
def test_what_a_kept_page_hides_of_a_shared_picture_goes_with_the_page_that_showed_it(how: str) -> None:
    assert not has_red(take_out(a_spread(how), {}, {0}))


@pytest.mark.parametrize("how", ["cropped", "clipped", "form"])
def test_the_other_half_of_a_picture_goes_with_the_page_that_showed_it(how: str) -> None:
    policy = "efface: 1\nfind: {patterns: default, names: none}\n"
    report = Sanitizer(policy).sanitize(io.BytesIO(a_spread(how)), name="spread.pdf")
    assert report.released is not None and has_red(report.released)
    for areas, pages in (({}, {0}), ({0: [(0.0, 0.0, 1.0, 1.0)]}, set[int]())):
        left = without_areas(report, areas, pages)
        assert left.verdict is Verdict.HELD and left.released is not None
        assert not has_red(left.released)


@pytest.mark.parametrize(
    "content", ["q 2 0 0 1 0 0 cm /P Do Q", f"{DRAWN} BT /F 200 Tf 1 g 0 0 Td (XXXX) Tj ET"]
)
def test_a_picture_that_is_tiny_or_written_over_leaves_as_it_is_shown(
    monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setitem(CONTENT_OF_PAGE_1, "this", content)
    with pikepdf.open(io.BytesIO(take_out(a_spread("this"), {}, {0}))) as pdf:
        widths = [each.Width for each in pdf.objects if isinstance(each, pikepdf.Stream) and "/Width" in each]
    assert widths and 100 not in widths


def test_content_that_two_pages_share_does_not_stay_where_it_is_out_of_sight() -> None:
    with pikepdf.open(io.BytesIO(take_out(a_spread("same content"), {}, {0}))) as pdf:
        assert b"1 0 0 rg" not in b"".join(
            each.read_bytes()
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and "/Width" not in each
        )


def test_a_picture_that_the_other_page_shows_whole_stays_there() -> None:
    assert has_red(take_out(a_spread("whole"), {}, {0}))


def test_no_key_of_a_copied_page_leads_back_to_the_one_that_was_taken_out() -> None:
    with pikepdf.open(io.BytesIO(three_pages())) as pdf:
        one, two = pdf.pages[0].obj, pdf.pages[1].obj
        one.SeparationInfo = pikepdf.Dictionary(Pages=pikepdf.Array([one, two]))
        one.DPart = pdf.make_indirect(pikepdf.Dictionary(Start=two))
        one.Annots[0].FS = pikepdf.Dictionary(F="upper1.txt")
        out = io.BytesIO()
        pdf.save(out)
    text = words_in(take_out(out.getvalue(), {}, {1}))
    assert "upper0" in text and "upper1" not in text and "lower1" not in text


def test_a_page_that_is_not_there_is_refused_not_ignored() -> None:
    with pytest.raises(Refused, match="not there"):
        take_out(three_pages(), {}, {3})
