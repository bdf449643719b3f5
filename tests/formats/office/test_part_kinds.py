"""The format says what is prose, what is a label and what is code: a font is nobody's name."""

from __future__ import annotations

import io
from pathlib import Path

import docx
import pytest

from efface.core import Document, Mention, PartKind
from efface.files import ocr
from efface.formats import get_format
from efface.pipeline.mention_filters.labels import filter_labels


def letter(text: str, font: str) -> Document:
    document = docx.Document()
    run = document.add_paragraph().add_run(text)
    run.font.name = font
    buffer = io.BytesIO()
    document.save(buffer)
    return get_format("docx").read(buffer.getvalue(), "letter.docx")


def named(document: Document, name: str) -> list[PartKind]:
    """The kinds of the parts in which a finder that is sure of a name would be believed."""
    starts = [at for at in range(len(document.text)) if document.text.startswith(name, at)]
    sure = [Mention(at, at + len(name), "PERSON", name, 0.99, "test") for at in starts]
    kinds = []
    for mention in set(filter_labels(document.text, sure, document.parts)):
        kinds += [part.kind for part in document.parts if part.start <= mention.start < part.end]
    return sorted(kinds)


@pytest.mark.parametrize("name", ["Hans", "Perpetua"])
def test_fonts_and_scripts_are_no_names(name: str) -> None:
    document = letter("Nothing is said of anybody.", "Perpetua")
    assert name in document.text
    assert named(document, name) == []


def test_a_font_goes_with_the_name_in_the_text() -> None:
    assert named(letter("Perpetua wrote it.", "Perpetua"), "Perpetua") == [PartKind.CODE, PartKind.PROSE]


def test_no_theme_names_anybody(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)  # no theme is in a picture
    for path in sorted((shared_data / "documents" / "docx").glob("*.docx")):
        try:
            document = get_format("docx").read(path.read_bytes(), path.name)
        except Exception:  # files that are refused have tests of their own
            continue
        for part in document.parts:
            if "Hans\n" in document.text[part.start : part.end]:
                assert part.kind is PartKind.CODE
