"""The rest looks as before: pictures of the pages differ only on the lines of the removals."""

from __future__ import annotations

import io

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL import Image

from efface.core import Edit
from efface.formats import notes
from efface.formats.pdf import PDF, flatten
from tests.formats.pdf import build
from tests.formats.pdf.build import annotate, coded, composite_font, form, image, line, new_pdf, save

SCALE = 2.0


def rows(low: float, high: float) -> set[int]:
    """The pixel rows between two heights of a page."""
    return set(range(int(SCALE * (build.HEIGHT - high)), int(SCALE * (build.HEIGHT - low)) + 1))


def redact(data: bytes, *terms: str) -> bytes:
    document = PDF().read(data, "x.pdf")
    edits = build.deny(document, *terms)
    assert edits
    return PDF().write(document, edits)


PAGES = {
    "plain": b"0.9 g 0 0 400 300 re f 0 g"
    + line("Top line")
    + line("Here is Ann at last", 200)
    + line("Last", 150),
    "many lines in one object": b"BT /F1 12 Tf 16 TL 40 250 Td (one) Tj T* (two with Ann in it) Tj T* (three) Tj ET",
    "state set in the object": b"BT /F1 12 Tf 40 250 Td (x) Tj 0 -50 TD (Ann and) Tj /F2 9 Tf 2 Tc 1 0 0 rg T* (red) Tj ET"
    b"BT /F1 12 Tf 40 100 Td (below) Tj T* (again) Tj ET",
    "quotes": b"BT /F1 12 Tf 20 TL 40 270 Td (a) Tj (Ann b) ' 3 1 (c d) \" T* (e f) Tj ET",
    "inline image": b"q 40 0 0 40 300 40 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x00\x80\xff\x40 EI Q "
    + line("Ann was", 200),
    "clip by text": b"q BT /F1 40 Tf 7 Tr 40 100 Td (MMM) Tj ET 0 0 1 rg 0 0 400 300 re f Q "
    + line("Ann was", 200),
    "marked content": b"/P <</MCID 0>> BDC BT /F1 12 Tf 40 200 Td (Ann ) Tj /S BMC (was) Tj EMC (here) Tj ET EMC"
    + line("z", 100),
}
LINES = {"many lines in one object": (228, 248), "state set in the object": (190, 215), "quotes": (240, 262)}


@pytest.mark.parametrize("name", PAGES)
def test_only_the_line_of_the_removal_changes(name: str) -> None:
    data = save(new_pdf(PAGES[name]))
    low, high = LINES.get(name, (190, 216))
    released = redact(data, "Ann")
    changed = build.changed_rows(build.pixels(data), build.pixels(released))
    assert changed
    assert set(changed) <= rows(low, high)


@pytest.mark.parametrize("name", PAGES)
def test_nothing_changes_without_edits(name: str) -> None:
    data = save(new_pdf(PAGES[name]))
    document = PDF().read(data, "x.pdf")
    assert not build.changed_rows(build.pixels(data), build.pixels(PDF().write(document, [])), 0)


def test_an_emptied_clip_lets_nothing_through() -> None:
    data = save(new_pdf(b"q BT /F1 40 Tf 7 Tr 40 100 Td (Ann) Tj ET 0 0 1 rg 0 0 400 300 re f Q"))
    picture = build.pixels(redact(data, "Ann"))
    assert picture.getpixel((700, 20)) == 255


def test_a_hidden_layer_stays_hidden() -> None:
    pdf = new_pdf(
        b"/OC /L1 BDC "
        + line("Ann hides", 200)
        + b"EMC BT /OC /L1 BDC /F1 12 Tf 40 100 Td (Ann too) Tj EMC ET"
    )
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("l")))
    pdf.Root["/OCProperties"] = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    pdf.pages[0].obj["/Resources"]["/Properties"] = Dictionary(L1=layer)
    data = save(pdf)
    assert not build.changed_rows(build.pixels(data), build.pixels(redact(data, "Ann")), 0)


def test_invisible_text_gets_no_box_where_nothing_was() -> None:
    data = save(new_pdf(b"BT /F1 12 Tf 3 Tr 40 200 Td (Ann was) Tj ET"))
    released = redact(data, "Ann")
    assert not build.changed_rows(build.pixels(data), build.pixels(released), 0)
    assert PDF().read(released, "x.pdf").text == "[X] was"


def test_a_form_is_cloned_where_edits_differ() -> None:
    pdf = new_pdf(b"/Fm Do", b"/Fm Do")
    shared = form(pdf, line("Ann came", 200))
    for page in pdf.pages:
        page.obj["/Resources"] = Dictionary(XObject=Dictionary(Fm=shared))
    data = save(pdf)
    document = PDF().read(data, "x.pdf")
    assert document.text == "Ann came\nAnn came"
    released = PDF().write(document, [Edit(9, 12, "X", "ann", "test", "[X]")])
    assert PDF().read(released, "x.pdf").text == "Ann came\n[X] came"
    assert not build.changed_rows(build.pixels(data), build.pixels(released), 0)
    assert build.changed_rows(build.pixels(data, 1), build.pixels(released, 1))


def test_a_form_drawn_alike_stays_one_form() -> None:
    pdf = new_pdf(b"/Fm Do", b"/Fm Do")
    shared = form(pdf, line("Ann came", 200))
    for page in pdf.pages:
        page.obj["/Resources"] = Dictionary(XObject=Dictionary(Fm=shared))
    with pikepdf.open(io.BytesIO(redact(save(pdf), "Ann"))) as released:
        drawn = {
            form.objgen for page in released.pages for form in page.obj["/Resources"]["/XObject"].values()
        }
        assert len(drawn) == 1


def test_links_keep_working_and_fit_the_box() -> None:
    pdf = new_pdf(line("See Ann Lee for more", 200), line("Second"))
    place = Array([pdf.pages[1].obj, Name.Fit])
    pdf.Root["/Names"] = Dictionary(Dests=Dictionary(Names=Array([String("Ann"), place])))
    annotate(pdf, Subtype=Name.Link, Dest=String("Ann"))
    pdf.pages[0].obj["/Annots"][0]["/Rect"] = Array([66, 196, 108, 212])
    with pikepdf.open(io.BytesIO(redact(save(pdf), "Ann Lee"))) as released:
        link = released.pages[0].obj["/Annots"][0]
        assert link["/Dest"][0].objgen == released.pages[1].obj.objgen
        assert round(float(link["/Rect"][2]) - float(link["/Rect"][0]), 2) == 48.0


def scan(kind: str) -> tuple[bytes, str]:
    """A page that is a picture of grey, with invisible text over it."""
    text = "Words of Ann Lee from a scanned letter"
    syntax = b"q 400 0 0 300 0 0 cm /Im Do Q BT /F1 12 Tf 3 Tr 40 200 Td (" + text.encode() + b") Tj ET"
    pdf = new_pdf(syntax)
    width, height = 200, 150
    if kind == "jpeg":
        buffer = io.BytesIO()
        Image.new("L", (width, height), 180).save(buffer, "JPEG")
        picture = image(pdf, width, height, b"")
        picture.write(buffer.getvalue(), filter=Name.DCTDecode)
    elif kind == "bilevel":
        picture = image(pdf, width, height, b"\xff" * (width // 8 * height), BitsPerComponent=1)
    elif kind == "palette":
        palette = Array([Name.Indexed, Name.DeviceRGB, 1, String(b"\x00\x00\x00\xb4\xb4\xb4")])
        picture = image(pdf, width, height, b"\x01" * width * height, ColorSpace=palette)
    elif kind == "masked":
        mask = image(pdf, width, height, b"\xff" * width * height)
        picture = image(pdf, width, height, b"\xb4" * width * height, SMask=mask)
    elif kind == "stencil":
        picture = image(
            pdf, width, height, b"\x00" * (width // 8 * height), BitsPerComponent=1, ImageMask=True
        )
        del picture["/ColorSpace"]
    else:
        picture = image(pdf, width, height, b"\xb4" * width * height)
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=picture)
    return save(pdf), text


@pytest.mark.parametrize("kind", ["grey", "jpeg", "bilevel", "palette", "masked", "stencil"])
def test_pixels_under_a_removal_are_cleared(kind: str) -> None:
    data, text = scan(kind)
    released = redact(data, "Ann Lee")
    document = pypdfium2.PdfDocument(released)
    pictures = [obj for obj in document[0].get_objects() if isinstance(obj, pypdfium2.PdfImage)]
    assert len(pictures) == 1
    pixels = pictures[0].get_bitmap(render=True).to_pil().convert("RGBA")
    background = Image.new("RGBA", pixels.size, "white")
    seen = Image.alpha_composite(background, pixels).convert("L").resize((200, 150))
    document.close()
    inside = seen.tobytes()[47 * 200 + 53]  # in the middle of the name: 106, 206 on the page
    outside = seen.tobytes()[120 * 200 + 120]
    assert inside > 200 if kind == "stencil" else inside < 30
    assert outside < 30 if kind == "stencil" else outside > 150
    changed = build.changed_rows(build.pixels(data), build.pixels(released))
    assert set(changed) <= rows(192, 216)
    assert PDF().read(released, "x.pdf").text == text.replace("Ann Lee", "[X]")


def test_an_inline_image_under_a_removal_is_cleared() -> None:
    syntax = b"q 200 0 0 30 30 190 cm BI /W 2 /H 1 /BPC 8 /CS /G ID \xb4\xb4 EI Q " + line(
        "Ann was here", 200
    )
    released = redact(save(new_pdf(syntax)), "Ann")
    with pikepdf.open(io.BytesIO(released)) as pdf:
        assert b"BI" not in pdf.pages[0].obj["/Contents"].read_bytes()
        assert len(pdf.pages[0].obj["/Resources"]["/XObject"].keys()) == 1


def test_a_background_of_one_pixel_stays_a_background() -> None:
    pdf = new_pdf(b"q 400 0 0 300 0 0 cm /Im Do Q " + line("Ann was here today", 200))
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=image(pdf, 1, 1, b"\xb4"))
    data = save(pdf)
    assert set(build.changed_rows(build.pixels(data), build.pixels(redact(data, "Ann")))) <= rows(192, 216)


def test_a_shared_image_is_cleared_on_one_page_only() -> None:
    pdf = new_pdf(
        *[
            b"q 400 0 0 300 0 0 cm /Im Do Q " + line(text, 200)
            for text in ("Ann was here today", "Bob was here today")
        ]
    )
    picture = image(pdf, 40, 30, b"\xb4" * 1200)
    for page in pdf.pages:
        page.obj["/Resources"]["/XObject"] = Dictionary(Im=picture)
    data = save(pdf)
    assert not build.changed_rows(build.pixels(data, 1), build.pixels(redact(data, "Ann"), 1), 0)


def _subset_text(released: bytes) -> tuple[bytes, bytes]:
    with pikepdf.open(io.BytesIO(released)) as pdf:
        font = pdf.pages[0].obj["/Resources"]["/Font"]["/C1"]
        program = font["/DescendantFonts"][0]["/FontDescriptor"]["/FontFile2"].read_bytes()
        return font["/ToUnicode"].read_bytes(), program


@pytest.mark.parametrize("is_direct", [False, True])
def test_fonts_forget_the_letters_of_removed_text(is_direct: bool) -> None:
    from fontTools.ttLib import TTFont

    pdf = new_pdf(b"")
    font, codes = composite_font(pdf)
    # A font may stand within its page's resources instead of in an object of its own.
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = Dictionary(dict(font.items())) if is_direct else font
    syntax = f"BT /C1 12 Tf 40 200 Td <{coded('Here was Zoe, so', codes)}> Tj ET"
    pdf.pages[0].obj["/Contents"] = pdf.make_indirect(Stream(pdf, syntax.encode()))
    data = save(pdf)
    cmap, program = _subset_text(redact(data, "Zoe"))
    assert f"<{codes['Z']:04x}>".encode() not in cmap
    assert f"<{codes['o']:04x}>".encode() in cmap
    cut = TTFont(io.BytesIO(program))
    order, glyphs = cut.getGlyphOrder(), cut["glyf"]
    assert glyphs[order[codes["Z"]]].numberOfContours == 0
    assert glyphs[order[codes["o"]]].numberOfContours > 0
    assert set(build.changed_rows(build.pixels(data), build.pixels(redact(data, "Zoe")))) <= rows(190, 216)


def test_a_whole_font_keeps_its_outlines() -> None:
    from fontTools.ttLib import TTFont

    pdf = new_pdf(b"")
    font, codes = composite_font(pdf, name="Vera")
    pdf.pages[0].obj["/Resources"]["/Font"]["/C1"] = font
    syntax = f"BT /C1 12 Tf 40 200 Td <{coded('Here was Zoe', codes)}> Tj ET"
    pdf.pages[0].obj["/Contents"] = pdf.make_indirect(Stream(pdf, syntax.encode()))
    _, program = _subset_text(redact(save(pdf), "Zoe"))
    assert TTFont(io.BytesIO(program))["glyf"]["Z"].numberOfContours > 0


def test_reportlab_subset_fonts_are_cut_and_look_the_same() -> None:
    from reportlab.pdfbase import pdfmetrics, ttfonts
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(ttfonts.TTFont("Vera", "Vera.ttf"))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(400, 300), invariant=1)
    canvas.setFont("Vera", 12)
    canvas.drawString(40, 200, "Quiz for Zoe")
    canvas.drawString(40, 100, "Quiz for others, é")
    canvas.save()
    data = buffer.getvalue()
    released = redact(data, "Zoe")
    assert set(build.changed_rows(build.pixels(data), build.pixels(released))) <= rows(190, 216)
    with pikepdf.open(io.BytesIO(released)) as pdf:
        font = next(f for f in pdf.pages[0].obj["/Resources"]["/Font"].values() if "/ToUnicode" in f)
        assert b"005a" not in font["/ToUnicode"].read_bytes().lower()


def test_flatten_leaves_pixels_only() -> None:
    pdf = new_pdf(line("Ann was here", 200), line("Second page", 200))
    pdf.trailer["/Info"] = Dictionary(Title=String("Ann"))
    data = save(pdf)
    flat = flatten(data, 144)
    document = pypdfium2.PdfDocument(flat)
    assert len(document) == 2
    assert all(not document[number].get_textpage().get_text_range() for number in range(2))
    document.close()
    assert b"Ann" not in flat
    assert not build.changed_rows(build.pixels(data), build.pixels(flat), 90)


def test_flatten_draws_form_fields() -> None:
    pdf = new_pdf(b"")
    field = annotate(
        pdf,
        Subtype=Name.Widget,
        FT=Name.Tx,
        T=String("t"),
        V=String("x"),
        AP=Dictionary(N=form(pdf, b"0 g 0 0 400 300 re f")),
    )
    pdf.Root["/AcroForm"] = Dictionary(Fields=Array([field]))
    assert build.pixels(flatten(save(pdf))).getpixel((200, 2 * (300 - 50))) < 60


def test_threads_take_turns_with_pdfium() -> None:
    from concurrent.futures import ThreadPoolExecutor

    data = save(new_pdf(*[line("Ann was here", 200)] * 5))
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: redact(data, "Ann"), range(12)))) == 1


def test_notes_say_what_is_dropped() -> None:
    pdf = new_pdf(line("Ann"))
    pdf.Root["/OpenAction"] = Dictionary(S=Name.JavaScript, JS=String("x"))
    pdf.Root["/AcroForm"] = Dictionary(Fields=Array([]), XFA=String("x"))
    document = PDF().read(save(pdf), "x.pdf")
    assert any("JavaScript" in note for note in notes(document))
    assert any("XFA" in note for note in notes(document))
    assert notes(PDF().read(save(new_pdf(line("Ann"))), "x.pdf")) == ()
