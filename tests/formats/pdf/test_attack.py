"""The attack's own reading of a file, by tables."""

from __future__ import annotations

import base64
import io
import zipfile
import zlib

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String

from efface.attacks.readers.pdf import extract
from efface.formats.pdf import PDF
from tests.formats.pdf.build import annotate, form, line, new_pdf, save


def seen(data: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for part, text in extract(data):
        found[part] = found.get(part, "") + text
    return found


CONTENT = {
    b"(Plain words) Tj": "Plain words",
    b"[(Ker) 20 (ned) -300 (words)] TJ": "Kerned words",
    b"<48656c6c6f> Tj": "Hello",
    b"(Oct\\141l \\(nested\\)) Tj": "Octal (nested)",
    b"(Line\\\nfeed) Tj": "Linefeed",
    b"(one) Tj T* (two) '": "one\ntwo",
}


@pytest.mark.parametrize("syntax", CONTENT)
def test_content_strings(syntax: bytes) -> None:
    pdf = new_pdf(b"BT /F1 12 Tf " + syntax + b" ET")
    assert CONTENT[syntax] in seen(save(pdf))["content"]


def test_words_shown_letter_by_letter() -> None:
    letters = b" ".join(b"(%c) Tj 9 0 Td" % char for char in b"Letters")
    assert "Letters" in seen(save(new_pdf(b"BT /F1 12 Tf " + letters + b" ET")))["content letters"]


def test_forms_that_nobody_draws() -> None:
    pdf = new_pdf(b"q Q")
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=form(pdf, line("unseen words")))
    assert "unseen words" in seen(save(pdf))["content"]


def test_strings_names_and_comments() -> None:
    pdf = new_pdf(b"BT ET % remark\n")
    pdf.trailer["/Info"] = Dictionary(Title=String("Überschrift"), Author=String("Plain"))
    pdf.Root["/Chosen_Name"] = Name("/Another#20one")
    found = seen(save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.disable))
    assert "Überschrift" in found["objects"]
    assert "Plain" in found["objects"]
    assert "Chosen_Name" in found["objects names"]
    assert "Pages" not in found["objects names"].split()
    assert "remark" in found["content comments"]


def test_object_streams() -> None:
    pdf = new_pdf(b"q Q")
    pdf.Root["/Lang"] = String("words in an object stream")
    found = seen(save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate))
    assert "words in an object stream" in found["object stream"]


@pytest.mark.parametrize("name", ["ASCIIHexDecode", "ASCII85Decode", "RunLengthDecode", "LZWDecode"])
def test_filters(name: str) -> None:
    packed = {
        "ASCIIHexDecode": b"(Packed words) Tj BT".hex().encode() + b">",
        "ASCII85Decode": base64.a85encode(b"(Packed words) Tj BT") + b"~>",
        "RunLengthDecode": bytes([19]) + b"(Packed words) Tj BT" + b"\x80",
        "LZWDecode": _lzw(b"(Packed words) Tj BT"),
    }[name]
    pdf = new_pdf(b"")
    stream = pdf.make_indirect(Stream(pdf, b""))
    stream.write(packed, filter=Name("/" + name))
    pdf.pages[0].obj["/Contents"] = stream
    assert "Packed words" in seen(save(pdf, stream_decode_level=pikepdf.StreamDecodeLevel.none))["content"]


def _lzw(data: bytes) -> bytes:
    """LZW that never learns: every byte a code of its own, nine bits wide."""
    bits = "".join(f"{code:09b}" for byte in data for code in (256, byte)) + f"{257:09b}"
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8)


def test_attachments() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("inner name.xml", "words in an archive")
    pdf = new_pdf(b"q Q")
    pdf.Root["/X"] = Array(
        [
            Stream(pdf, buffer.getvalue()),
            Stream(pdf, b"plain attached words"),
            Stream(pdf, save(new_pdf(line("inner document")))),
        ]
    )
    found = seen(save(pdf))
    assert "words in an archive" in found["attached file"]
    assert "inner name.xml" in found["attached name"]
    assert "plain attached words" in found["stream"]
    assert "inner document" in found["attached content"]


def test_noise_is_left_out() -> None:
    pdf = new_pdf(b"BT ET")
    pdf.Root["/X"] = Array([Stream(pdf, bytes(range(256)) * 40), Stream(pdf, b"\xff" * 5000)])
    assert "stream" not in seen(save(pdf))


def test_bounds() -> None:
    bomb = zlib.compress(b"0" * 90_000_000, 9)
    pdf = new_pdf(b"q Q")
    stream = pdf.make_indirect(Stream(pdf, b""))
    stream.write(bomb, filter=Name.FlateDecode)
    pdf.Root["/X"] = stream
    assert all(len(text) < 80_000_000 for _, text in extract(save(pdf)))
    assert list(extract(b"")) == [("objects", "")]
    assert list(extract(b"%PDF-" + b"(" * 200_000))
    assert list(extract(b"%PDF-1.7 stream\n" + b"x" * 100))


@pytest.mark.parametrize("words", [b"Adobe", b"Zanzibarov"])
def test_the_name_of_a_character_collection_is_no_text(words: bytes) -> None:
    pdf = new_pdf(b"BT ET")
    pdf.Root["/X"] = Dictionary(Registry=String(words), Ordering=String("Identity"))
    found = seen(save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.disable))["objects"]
    assert (words.decode() in found) is (words == b"Zanzibarov")
    assert "Identity" not in found


@pytest.mark.parametrize("text", [b"Cut at 5 cm, re: Zebulon, then 20 rg.", b"078 05 1120", b"Tj Zebulon"])
def test_a_text_with_words_of_content_is_read_as_text_too(text: bytes) -> None:
    pdf = new_pdf(b"BT ET")
    pdf.Root["/X"] = Stream(pdf, text)
    assert text.decode() in seen(save(pdf))["stream"]


def test_a_drawing_is_no_text() -> None:
    pdf = new_pdf(b"BT ET")
    pdf.Root["/X"] = Stream(pdf, b"0.5 w\n" + b"35.024410 433.294647 m 35.024410 434.144104 l S\n" * 50)
    assert "stream" not in seen(save(pdf))


def test_the_curve_of_a_colour_profile_is_no_word() -> None:
    curve = b"curv" + bytes(4) + (12).to_bytes(4) + b"#(-27;@EJOTY^chmrw|@name"
    text = b"text" + bytes(4) + b"Copyright Zebulon\0"
    tags = (2).to_bytes(4)
    for name, start, length in ((b"rTRC", 156, len(curve)), (b"cprt", 156 + len(curve), len(text))):
        tags += name + start.to_bytes(4) + length.to_bytes(4)
    profile = bytes(36) + b"acsp" + bytes(88) + tags + curve + text
    pdf = new_pdf(b"BT ET")
    pdf.Root["/X"] = Stream(pdf, profile)
    words = seen(save(pdf))["profile"]
    assert "Zebulon" in words and "@EJOTY" not in words


def test_authors_of_annotations_go_and_names_of_fields_stay() -> None:
    pdf = new_pdf(line("A letter."))
    annotate(pdf, Subtype=Name.Text, T=String("Jane Roe"), Contents=String("A remark."))
    annotate(pdf, Subtype=Name.Widget, FT=Name.Tx, T=String("Town"), V=String("Ulm"))
    text = PDF().read(save(pdf), "x.pdf").text
    assert "Jane Roe" not in text
    assert "A remark." in text
    assert "Town" in text
    released = PDF().write(PDF().read(save(pdf), "x.pdf"), [])
    assert b"Jane Roe" not in released


def test_marked_content_is_no_text() -> None:
    """Marks with their properties, as word processors write them: EMC is an operator there, and no firm."""
    marked = b" /P <</MCID 1/Lang (en-US)>> BDC BT\r\n/F1 12 Tf\r\n[(This is )-4(a )]TJ\r\nET\r\n EMC " * 3
    found = seen(save(new_pdf(marked)))
    assert "stream" not in found and "This is a" in found["content"]
