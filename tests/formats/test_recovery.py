"""Damaged files that other readers open."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest

from efface.errors import InputError
from efface.formats import get_format, notes


def word() -> bytes:
    document = docx.Document()
    document.add_paragraph("A letter about Zanzibarov.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_a_word_file_without_its_directory() -> None:
    data = word()
    cut = data[: data.rindex(b"PK\x01\x02")]
    cut = cut[: cut.index(b"PK\x01\x02")]
    assert "Zanzibarov" in get_format("docx").read(cut, "letter.docx").text


def test_a_word_file_with_broken_markup() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word())) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(
                name, content.replace(b"</w:body>", b"") if name.endswith("/document.xml") else content
            )
    document = get_format("docx").read(buffer.getvalue(), "letter.docx")
    assert "Zanzibarov" in document.text
    assert any("damaged" in note for note in notes(document))


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x03\x04" + bytes(40), word()[:2000]])
def test_what_cannot_be_recovered_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        get_format("docx").read(data, "letter.docx")
