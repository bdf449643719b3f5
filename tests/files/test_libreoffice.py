"""Office files drawn as pages, where LibreOffice is installed."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import docx
import pypdfium2
import pytest

from efface.errors import InputError
from efface.files import libreoffice
from efface.files.libreoffice import as_pdf, office_program

needed = pytest.mark.skipif(
    office_program() is None, reason="LibreOffice, or a namespace to lock it in, is not there"
)


def letter(words: str) -> bytes:
    document = docx.Document()
    document.add_paragraph(words)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@needed
def test_a_letter_becomes_a_page() -> None:
    drawn = pypdfium2.PdfDocument(as_pdf(letter("Dear Ann"), "docx", seconds=60, memory=2048))
    assert drawn[0].get_textpage().get_text_range().strip() == "Dear Ann"


@needed
def test_a_file_that_is_none_is_said_to_be_none() -> None:
    with pytest.raises(InputError, match="could not draw"):
        as_pdf(b"PK no archive", "docx", seconds=60, memory=2048)


@needed
def test_what_is_locked_in_reaches_no_other_host(tmp_path: Path) -> None:
    """Not even a server on this machine."""
    ask = "import socket, sys; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", ask], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        port = other.stdout.readline().strip()
        reach = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
        outside = subprocess.run([sys.executable, "-c", reach], check=False, capture_output=True)
        inside = subprocess.run(
            [*libreoffice._ALONE, sys.executable, "-c", reach], check=False, capture_output=True
        )
        other.communicate("\n")
    assert outside.returncode == 0 and inside.returncode != 0


def test_other_formats_are_not_drawn() -> None:
    with pytest.raises(InputError, match="cannot be drawn"):
        as_pdf(b"%PDF-1.7", "pdf", seconds=1, memory=512)


def test_without_the_program_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert office_program.__wrapped__() is None
