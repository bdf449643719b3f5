"""Words in the pictures of a PDF, whatever their size and wherever they are drawn from."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream
from PIL import Image, ImageDraw, ImageFont, ImageOps

from efface.core import GapKind, Verdict
from efface.files import ocr
from efface.formats.pdf import PDF
from efface.formats.pdf.writer import images
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.sanitize import sanitize, verify
from efface.policy.bind import bind
from efface.policy.model import parse
from tests.formats.pdf.build import annotate, deny, form, image, line, new_pdf, pixels, save

WORDS = "A letter about rain."  # short: each look at the page reads it
DENY = "efface: 1\nfind: {patterns: none, names: none, deny: [Zanzibarov]}\n"


def drawn(text: str = "Patient: Zanzibarov") -> Image.Image:
    picture = Image.new("L", (180, 26), 255)
    ImageDraw.Draw(picture).text((6, 5), text, fill=0, font=ImageFont.load_default(14))
    return picture


def letter(content: bytes) -> pikepdf.Pdf:
    return new_pdf(line(WORDS, size=8) + content)


def _xobject(pdf: pikepdf.Pdf, picture: Image.Image, **entries: Any) -> None:
    made = image(pdf, picture.width, picture.height, picture.tobytes(), **entries)
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=made)


def small() -> bytes:
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    _xobject(pdf, drawn())
    return save(pdf)


def turned() -> bytes:
    pdf = letter(b"q 0 90 -13 0 100 100 cm /Im Do Q\n")
    _xobject(pdf, drawn())
    return save(pdf)


def stored_sideways() -> bytes:
    pdf = letter(b"q 0 -13 90 0 40 120 cm /Im Do Q\n")
    _xobject(pdf, drawn().rotate(90, expand=True))
    return save(pdf)


def mirrored() -> bytes:
    pdf = letter(b"q 90 0 0 -13 40 113 cm /Im Do Q\n")
    _xobject(pdf, drawn().transpose(Image.Transpose.FLIP_TOP_BOTTOM))
    return save(pdf)


def mirrored_in_its_pixels() -> bytes:
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    _xobject(pdf, drawn().transpose(Image.Transpose.FLIP_LEFT_RIGHT))
    return save(pdf)


def stencil() -> bytes:
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    mask = drawn().convert("1")
    _xobject(pdf, mask)
    made = pdf.pages[0].obj["/Resources"]["/XObject"]["/Im"]
    del made["/ColorSpace"]
    made["/BitsPerComponent"], made["/ImageMask"] = 1, True
    return save(pdf)


def inline() -> bytes:
    picture = drawn()
    head = f"q 90 0 0 13 40 100 cm BI /W {picture.width} /H {picture.height} /BPC 8 /CS /G /F /AHx ID "
    return save(letter(head.encode() + picture.tobytes().hex().encode() + b"> EI Q\n"))


def in_a_form() -> bytes:
    pdf = letter(b"/Fm Do\n")
    picture = drawn()
    made = form(pdf, b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    made["/Resources"]["/XObject"] = Dictionary(
        Im=image(pdf, picture.width, picture.height, picture.tobytes())
    )
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=made)
    return save(pdf)


def stamped() -> bytes:
    pdf = letter(b"")
    picture = drawn()
    made = form(pdf, b"q 90 0 0 13 40 40 cm /Im Do Q\n", BBox=Array([40, 40, 130, 53]))
    made["/Resources"] = Dictionary(
        XObject=Dictionary(Im=image(pdf, picture.width, picture.height, picture.tobytes()))
    )
    annotate(pdf, Subtype=Name.Stamp, AP=Dictionary(N=made))
    return save(pdf)


def under_a_box() -> bytes:
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q 0 g 38 98 94 17 re f\n")
    _xobject(pdf, drawn())
    return save(pdf)


def cut_into_strips() -> bytes:
    picture = drawn()
    strips = [picture.crop((0, top, picture.width, top + 13)) for top in (0, 13)]
    pdf = letter(b"q 90 0 0 6.5 40 106.5 cm /I0 Do Q q 90 0 0 6.5 40 100 cm /I1 Do Q\n")
    made = {
        f"/I{at}": image(pdf, strip.width, strip.height, strip.tobytes()) for at, strip in enumerate(strips)
    }
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(made)
    return save(pdf)


def _pair(content: bytes) -> bytes:
    """The picture, and another one that the content may set beside it."""
    pdf = letter(content)
    _xobject(pdf, drawn())
    other = image(pdf, 90, 13, bytes(range(90)) * 13)
    pdf.pages[0].obj["/Resources"]["/XObject"]["/Other"] = other
    return save(pdf)


def beside_another_under_a_box() -> bytes:
    return _pair(b"q 90 0 0 13 40 100 cm /Im Do Q q 90 0 0 13 40 113 cm /Other Do Q 0 g 40 100 90 13 re f\n")


def a_scan_under_a_box() -> bytes:
    return _pair(b"q 390 0 0 130 5 100 cm /Im Do Q 0 g 5 100 390 130 re f\n")


def in_the_mask_of_a_dot() -> bytes:
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    picture = ImageOps.invert(drawn())
    _xobject(pdf, Image.new("L", (1, 1)))
    mask = image(pdf, picture.width, picture.height, picture.tobytes())
    pdf.pages[0].obj["/Resources"]["/XObject"]["/Im"]["/SMask"] = mask
    return save(pdf)


def in_a_glyph() -> bytes:
    pdf = letter(b"BT /T3 90 Tf 40 100 Td (a) Tj ET\n")
    picture = drawn()
    procedure = Stream(pdf, b"1000 0 d0 q 1000 0 0 150 0 0 cm /Im Do Q")
    pdf.pages[0].obj["/Resources"]["/Font"]["/T3"] = pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=[0, 0, 1000, 150],
            FontMatrix=[0.001, 0, 0, 0.001, 0, 0],
            CharProcs=Dictionary(a=pdf.make_indirect(procedure)),
            Encoding=Dictionary(Differences=Array([97, Name("/a")])),
            FirstChar=97,
            LastChar=97,
            Widths=[1000],
            Resources=Dictionary(
                XObject=Dictionary(Im=image(pdf, picture.width, picture.height, picture.tobytes()))
            ),
        )
    )
    return save(pdf)


FILES = {
    make.__name__: make
    for make in (
        small,
        turned,
        stored_sideways,
        mirrored,
        mirrored_in_its_pixels,
        stencil,
        inline,
        in_a_form,
        stamped,
        under_a_box,
        cut_into_strips,
        beside_another_under_a_box,
        a_scan_under_a_box,
        in_the_mask_of_a_dot,
        in_a_glyph,
    )
}


def _painted_alike(**entries: Any) -> bytes:
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    _xobject(pdf, drawn(), **entries)
    return save(pdf)


def _behind_a_jpeg() -> bytes:
    files = []
    for picture in (Image.new("L", (40, 40), 128), drawn()):
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG")
        files.append(buffer.getvalue())
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    made = image(pdf, 40, 40, b"".join(files), Filter=Name.DCTDecode)
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Im=made)
    return save(pdf)


_EVERY_TINT = Dictionary(FunctionType=2, Domain=[0, 1], C0=[1], C1=[1], N=1)
UNSEEN = {
    "colours of the palette are equal": lambda: _painted_alike(
        ColorSpace=Array([Name.Indexed, Name.DeviceGray, 255, b"\xff" * 256])
    ),
    "every sample has one colour": lambda: _painted_alike(Decode=Array([1, 1])),
    "every tint is white": lambda: _painted_alike(
        ColorSpace=Array([Name.Separation, Name("/Spot"), Name.DeviceGray, _EVERY_TINT])
    ),
    "every colour is a key": lambda: _painted_alike(Mask=Array([0, 255])),
    "rows below the last": lambda: _painted_alike(Height=1),
    "behind the end of a JPEG": _behind_a_jpeg,
}


@pytest.mark.parametrize("name", UNSEEN)
def test_samples_that_no_page_shows_do_not_leave(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)  # nothing is left to be read
    data = UNSEEN[name]()
    report = sanitize(data, "x.pdf", bind(parse(DENY)))
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert _pixels_of(data) - _pixels_of(report.released) == _pixels_of(data)


def _pixels_of(data: bytes) -> set[bytes]:
    """The samples of every image, as they are stored."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        found = [obj for obj in pdf.objects if isinstance(obj, Stream) and obj.get("/Subtype") == "/Image"]
        jpegs = {obj.read_raw_bytes() for obj in found if obj.get("/Filter") == "/DCTDecode"}
        drawn_inline = {
            one.iimage.read_bytes()
            for one in pikepdf.parse_content_stream(pdf.pages[0])
            if isinstance(one, pikepdf.ContentStreamInlineImage)
        }
        stored = {obj.read_bytes() for obj in found if obj.get("/Filter") != "/DCTDecode"}
        return jpegs | stored | drawn_inline


def said(data: bytes) -> str:
    """What the page shows and what every image of the file says, whichever way it is turned: one look at a sheet."""
    tiles = [pixels(data, 0, 2.5)]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for obj in pdf.objects:
            if isinstance(obj, Stream) and obj.get("/Subtype") == "/Image":
                picture = images.render(obj, images.size(obj)).convert("RGB")
                picture = picture.resize((2 * picture.width, 2 * picture.height))
                tiles += [picture, *map(picture.transpose, TURNS)]
    sheet = Image.new(
        "RGB", (max(tile.width for tile in tiles), sum(tile.height + 20 for tile in tiles)), "white"
    )
    top = 0
    for tile in tiles:
        sheet.paste(tile, (0, top))
        top += tile.height + 20
    return "\n".join(found.text for found in ocr.lines(sheet))


TURNS = (
    Image.Transpose.ROTATE_90,
    Image.Transpose.ROTATE_270,
    Image.Transpose.FLIP_TOP_BOTTOM,
    Image.Transpose.FLIP_LEFT_RIGHT,
)


@pytest.fixture(scope="module")
def denying() -> BoundPolicy:
    return bind(parse(DENY))


@pytest.mark.parametrize("name", FILES)
def test_a_denied_name_in_a_picture_does_not_leave(engine: None, denying: BoundPolicy, name: str) -> None:
    data = FILES[name]()
    report = sanitize(data, "x.pdf", denying)
    assert report.verdict is Verdict.HELD
    assert [edit.type for edit in report.edits]
    assert report.released is not None
    assert "anzi" not in said(report.released)
    assert verify(report.released, "x.pdf", denying).verdict is Verdict.HELD
    assert verify(data, "x.pdf", denying).verdict is Verdict.BROKEN


def test_the_sheet_is_read(engine: None) -> None:
    """What finds nothing in a release finds the name in the file before."""
    assert "anzi" in said(turned())
    assert "anzi" in said(mirrored_in_its_pixels())


def test_other_words_of_the_picture_stay(engine: None) -> None:
    document = PDF().read(small(), "x.pdf")
    released = PDF().write(document, deny(document, "Zanzibarov"))
    assert "Patient" in said(released)


def test_without_the_engine_the_verdict_is_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    report = sanitize(small(), "x.pdf", bind(parse(DENY)))
    assert report.verdict is Verdict.UNPROVEN
    (gap,) = [gap for gap in report.coverage.gaps if gap.kind is GapKind.PICTURE]
    assert "ocr" in gap.next_step


@pytest.mark.parametrize("name", FILES)
def test_pictures_may_be_removed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    data = FILES[name]()
    report = sanitize(data, "x.pdf", bind(parse(DENY + "pictures: remove\n")))
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert any("removed, as the policy says" in note for note in report.notes)
    assert _pixels_of(data)
    assert not _pixels_of(data) & _pixels_of(report.released)


def test_pictures_may_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    report = sanitize(small(), "x.pdf", bind(parse(DENY + "pictures: keep\n")))
    assert report.verdict is Verdict.HELD
    (gap,) = [gap for gap in report.coverage.gaps if gap.kind is GapKind.PICTURE]
    assert gap.allowed


def test_a_picture_without_words_needs_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    pdf = letter(b"q 90 0 0 13 40 100 cm /Im Do Q\n")
    _xobject(pdf, drawn(""))
    report = sanitize(save(pdf), "x.pdf", bind(parse(DENY)))
    assert report.verdict is Verdict.HELD
