"""Files open after redaction in readers that have nothing to do with us, wherever they opened before."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable

import pytest

from efface.errors import EffaceError
from tests.attacks.leaks.office_redaction import redact
from tests.attacks.leaks.test_office_leaks import REFUSED, SECRETS, VECTORS


def _docx(data: bytes) -> int:
    import docx

    document = docx.Document(io.BytesIO(data))
    for section in document.sections:
        list(section.header.iter_inner_content())
    return len(list(document.iter_inner_content()))


def _xlsx(data: bytes) -> int:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data))
    return sum(len(list(sheet.iter_rows())) for sheet in book.worksheets)


def _pptx(data: bytes) -> int:
    import pptx

    return len([shape for slide in pptx.Presentation(io.BytesIO(data)).slides for shape in slide.shapes])


def _odf(data: bytes) -> int:
    from odf.opendocument import load

    return int(load(io.BytesIO(data)).body.hasChildNodes())


READERS: dict[str, Callable[[bytes], int]] = {
    "docx": _docx, "xlsx": _xlsx, "pptx": _pptx, "odt": _odf, "ods": _odf,
}  # fmt: skip


def _opened(kind: str, data: bytes) -> int | None:
    """What the reader counts, or None when it cannot open the file."""
    with warnings.catch_warnings(action="ignore"):
        try:
            return READERS[kind](data)
        except Exception:  # whatever the reader raises means that it does not open the file
            return None


@pytest.mark.parametrize("kind", READERS)
def test_what_opened_before_opens_after(kind: str, record_property: Callable[[str, object], None]) -> None:
    opened = 0
    for name, planted in VECTORS[kind].items():
        before = _opened(kind, planted)
        if (kind, name) in REFUSED or before is None:
            continue
        after = _opened(kind, redact(kind, planted, *SECRETS))
        assert after is not None, name
        opened += 1
    record_property("count", f"{kind}: {opened} of {len(VECTORS[kind])} planted files open in another reader")
    assert opened >= len(VECTORS[kind]) // 2


def test_the_readers_tell_broken_files() -> None:
    with pytest.raises(EffaceError):
        redact("docx", b"PK\x03\x04 broken", "x")
    assert all(_opened(kind, b"PK\x03\x04 broken") is None for kind in READERS)
