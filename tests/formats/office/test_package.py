"""Hostile and broken packages: one clear sentence, nothing else, in bounded time and memory."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import pytest

from efface.core import Format, Pictures
from efface.errors import InputError
from efface.formats.office import DOCX, ODS, ODT, PPTX, XLSX
from efface.formats.office.zip_package import MAX_ENTRIES, Budget, pack, unpack
from tests.attacks.leaks.office_packages import (
    DECLARATIONS,
    docx,
    inflated,
    odt,
    paragraph,
    pptx,
    xlsx,
    zipped,
)

_BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + index)} '{f'&{chr(97 + index)};' * 10}'>" for index in range(8)
) + "]>"  # fmt: skip
_EXTERNAL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


def _document(prolog: str, text: str = "&a;") -> bytes:
    return f"<?xml version='1.0'?>{prolog}<w:document {DECLARATIONS}><w:body>{paragraph(text)}</w:body></w:document>".encode()


def _encrypted_entry() -> bytes:
    data = bytearray(docx())
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        position = data.find(signature)
        while position >= 0:
            flags = struct.unpack_from("<H", data, position + offset)[0]
            struct.pack_into("<H", data, position + offset, flags | 1)
            position = data.find(signature, position + 4)
    return bytes(data)


def _twice() -> bytes:
    buffer = io.BytesIO(docx())
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("WORD/document.xml", b"<x/>")
    return buffer.getvalue()


def _nested(levels: int) -> bytes:
    return docx("<w:sdt><w:sdtContent>" * levels + paragraph("x") + "</w:sdtContent></w:sdt>" * levels)


HOSTILE: dict[str, tuple[Format, bytes, str]] = {
    "empty": (DOCX, b"", "empty"),
    "no archive": (DOCX, b"hello", "damaged"),
    "a PDF": (DOCX, b"%PDF-1.7", "PDF"),
    "rich text": (DOCX, b"{\\rtf1 x}", "rich text"),
    "flat XML": (DOCX, b"<?xml version='1.0'?><pkg/>", "plain XML"),
    "old binary format": (DOCX, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "old binary"),
    "password": (
        DOCX,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99) + "EncryptedPackage".encode("utf-16-le"),
        "password",
    ),
    "encrypted entries": (DOCX, _encrypted_entry(), "password"),
    "cut short": (DOCX, docx()[:60], "damaged"),
    "a zip of something": (DOCX, zipped({"a.txt": b"x"}), "not an office document"),
    "no main part": (DOCX, zipped({"[Content_Types].xml": b"<x/>", "_rels/.rels": b"<x/>"}), "main document"),
    "sheet named docx": (DOCX, xlsx(), "Excel workbook"),
    "slides named xlsx": (XLSX, pptx(), "PowerPoint"),
    "document named pptx": (PPTX, docx(), "Word document"),
    "document named odt": (ODT, docx(), "not an OpenDocument"),
    "text named ods": (ODS, odt(), "another kind"),
    "odt named docx": (DOCX, odt(), "not an office document"),
    "macros": (DOCX, docx(main="application/vnd.ms-word.document.macroEnabled.main+xml"), "macros"),
    "entity bomb": (DOCX, docx(document=_document(_BOMB, "&i;")), "entities"),
    "external entity": (DOCX, docx(document=_document(_EXTERNAL)), "entities"),
    "entities in UTF-16": (
        DOCX,
        docx(document=_document(_BOMB, "&i;").decode().replace("1.0'?", "1.0' encoding='utf-16'?").encode("utf-16")),
        "entities",
    ),
    "entity bomb in ODF": (ODT, odt(parts={"meta.xml": f"{_BOMB}<x>&i;</x>"}), "entities"),
    "not well-formed": (DOCX, docx(document=b"<w:document><w:body>"), "not an office document"),
    "path traversal": (DOCX, docx(parts={"../../evil.xml": "<x/>"}), "unsafe"),
    "absolute path": (DOCX, docx(parts={"/etc/passwd": "x"}), "unsafe"),
    "backslashes": (DOCX, docx(parts={"word\\..\\x.xml": "x"}), "unsafe"),
    "repeated part": (DOCX, _twice(), "repeated"),
    "too many parts": (DOCX, docx(parts={f"x{index}.xml": "" for index in range(MAX_ENTRIES)}), "too many parts"),
    "ten thousand levels": (DOCX, _nested(10_000), "nested too deeply"),
    "zip bomb": (DOCX, docx(parts={"word/big.xml": b"0" * (16 << 20)}), "far more"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_clear_refusal(name: str) -> None:
    reader, data, expected = HOSTILE[name]
    with pytest.raises(InputError, match=expected) as caught:
        reader.read(data, "file")
    assert caught.value.hint.endswith(".")
    assert "evil" not in str(caught.value)


def test_a_bomb_is_never_unpacked_whole() -> None:
    bomb = zipped({f"x{index}.xml": b"0" * (30 << 20) for index in range(2)})
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="far more"):
            unpack(bomb, Budget())
        assert tracemalloc.get_traced_memory()[1] < 25 << 20
    finally:
        tracemalloc.stop()


def test_embedded_packages_draw_on_the_same_budget() -> None:
    inner = docx(parts={"word/big.xml": bytes(range(256)) * 4096})
    budget = Budget(total=3 << 20)
    outer = docx(
        parts={f"word/embeddings/Microsoft_Word_Document{number}.docx": inner for number in range(1, 6)},
        relations=[
            ("word/document.xml", "package", f"embeddings/Microsoft_Word_Document{number}.docx")
            for number in range(1, 6)
        ],
    )
    from efface.formats.office.ooxml import _load

    with pytest.raises(InputError, match="far more"):
        _load(outer, budget, Pictures.READ)


def test_a_package_in_itself_ends() -> None:
    data = docx(paragraph("x"))
    for _ in range(12):
        data = docx(
            paragraph("x"),
            parts={"word/embeddings/Microsoft_Word_Document1.docx": data},
            relations=[("word/document.xml", "package", "embeddings/Microsoft_Word_Document1.docx")],
        )
    released = DOCX.write(DOCX.read(data, "x.docx"), [])
    assert len(inflated(released, depth=20)) < 80


def test_relationships_in_a_circle() -> None:
    data = docx(
        parts={"word/header1.xml": f"<w:hdr {DECLARATIONS}>{paragraph('h')}</w:hdr>"},
        relations=[
            ("word/document.xml", "header", "header1.xml"),
            ("word/header1.xml", "header", "header1.xml"),
            ("word/header1.xml", "officeDocument", "document.xml"),
        ],
    )
    assert "h\n" in DOCX.read(data, "x.docx").text


def test_a_package_depends_on_nothing_but_its_parts() -> None:
    parts = {"[Content_Types].xml": b"<x/>", "a/b.xml": b"y" * 100}
    first = pack(parts)
    assert first == pack(dict(parts))
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == list(parts)
    assert all(entry.date_time == (1980, 1, 1, 0, 0, 0) and not entry.flag_bits & 8 for entry in entries)
    assert unpack(first, Budget()) == parts


def test_names_of_parts_do_not_differ_by_case() -> None:
    data = docx(
        parts={"word/Header1.xml": f"<w:hdr {DECLARATIONS}>{paragraph('shown')}</w:hdr>"},
        relations=[("word/document.xml", "header", "header1.XML")],
    )
    document = DOCX.read(data, "x.docx")
    assert "shown" in document.text
    assert "shown" in DOCX.read(DOCX.write(document, []), "x.docx").text
