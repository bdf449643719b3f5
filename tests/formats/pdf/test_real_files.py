"""Real files: words of their own text denied; each comes out clean or is refused with a reason."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import ImageChops

from efface.attacks.leaks import Removed, search
from efface.attacks.readers.pdf import extract
from efface.core import Document, apply_edits
from efface.errors import EffaceError
from efface.formats.pdf import PDF
from efface.text.alignment import Alignment
from tests.formats.pdf import build

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "documents" / "pdf"
FILES = sorted(FOLDER.glob("*.pdf"))
EXPECTED = 40
SCALE = 1.5

# What cannot be searched, by the word that tells why.
UNSEARCHABLE = {
    "ThuluthFeatures": "which characters",
    "bug1146106": "which characters",
    "issue13372": "scan",
    "poppler-395-0-fuzzed": "damaged",
}
UNREAD = {"issue4550"}  # its text is not text to PDFium
NOT_BY_LINE = {*UNREAD, "issue15372", "testPDFFileEmbInAnnotation"}  # or far larger than its line

pytestmark = pytest.mark.skipif(not FILES, reason="the shared documents are not beside the project")


def name_of(path: Path) -> str:
    return path.stem.split("__")[-1]


def chosen(text: str, count: int = 6) -> list[str]:
    words = sorted(set(re.findall(r"[^\W\d_]{4,}", text)))
    random.Random(1).shuffle(words)
    return words[:count]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_clean_or_refused(path: Path) -> None:
    """Clean to the attackers and to the reader, and elsewhere as it was. A file is read and written once for all of it."""
    data = path.read_bytes()
    if name_of(path) in UNSEARCHABLE:
        with pytest.raises(EffaceError, match=UNSEARCHABLE[name_of(path)]):
            PDF().read(data, path.name)
        return
    document = PDF().read(data, path.name)
    words = chosen(document.text)
    edits = build.deny(document, *words)
    assert edits
    released = PDF().write(document, edits)
    removed = [Removed(document.text[edit.start : edit.end], edit.type) for edit in edits]
    assert name_of(path) in UNREAD or search(removed, extract(data), Document("", "pdf", ""))
    assert search(removed, extract(released), Alignment(tuple(edits)).planned(document)) == ()
    again = PDF().read(released, path.name)
    assert "".join(again.text.split()) == "".join(apply_edits(document.text, edits).split())
    _assert_the_rest_looks_as_before(name_of(path), data, PDF().write(document, []), released, words)


def _masked_rows(data: bytes, page: int, words: list[str], height: float) -> set[int]:
    """The pixel rows of the lines on which PDFium sees one of the words."""
    document = pypdfium2.PdfDocument(data)
    reading = document[page].get_textpage()
    rows: set[int] = set()
    for word in words:
        searcher = reading.search(word, match_case=False)
        while found := searcher.get_next():
            for at in range(found[0], found[0] + found[1]):
                _, bottom, _, top = reading.get_charbox(at, loose=True)
                pad = 0.6 * (top - bottom) + 3
                rows |= set(
                    range(int((height - top - pad) * SCALE), int((height - bottom + pad) * SCALE) + 2)
                )
    document.close()
    return rows


def _rounded_rows(before: Any, after: Any) -> set[int]:
    """The rows that look as a neighbouring row did: a baseline half-way between two rows is drawn on either."""
    rows: set[int] = set()
    everywhere = set(range(before.height))
    for shift in (-1, 1):
        moved = ImageChops.offset(before, 0, shift)
        rows |= everywhere - set(build.changed_rows(moved, after))
    return rows


def _assert_the_rest_looks_as_before(
    name: str, data: bytes, unchanged: bytes, released: bytes, words: list[str]
) -> None:
    pages = len(pypdfium2.PdfDocument(data))
    for page in range(min(pages, 2)):
        before = build.pixels(data, page, SCALE)
        assert not build.changed_rows(before, build.pixels(unchanged, page, SCALE))
        after = build.pixels(released, page, SCALE)
        assert before.size == after.size
        if name in NOT_BY_LINE:
            continue
        height = pypdfium2.PdfDocument(data)[page].get_mediabox()[3]
        changed = set(build.changed_rows(before, after)) - _rounded_rows(before, after)
        assert changed <= _masked_rows(data, page, words, height)


def test_all_files_are_here() -> None:
    assert len(FILES) == EXPECTED
    assert {name_of(path) for path in FILES} >= {*UNSEARCHABLE, *UNREAD, *NOT_BY_LINE}
