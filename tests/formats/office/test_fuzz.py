"""Mutated samples: a reader may refuse, never crash, and what it does write can be read again."""

from __future__ import annotations

import io
import zipfile
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from efface.attacks.readers.office import extract
from efface.errors import EffaceError
from tests.attacks.leaks.docx_vectors import DOCX_VECTORS
from tests.attacks.leaks.odf_vectors import ODS_VECTORS, ODT_VECTORS
from tests.attacks.leaks.office_packages import zipped
from tests.attacks.leaks.office_redaction import FORMATS, edits_of
from tests.attacks.leaks.pptx_vectors import PPTX_VECTORS
from tests.attacks.leaks.xlsx_vectors import XLSX_VECTORS

SAMPLES = {
    "docx": [DOCX_VECTORS[name] for name in ("text box, both branches", "tracked move", "chart workbook", "comment", "OLE object")],
    "xlsx": [XLSX_VECTORS[name] for name in ("table header", "pivot number", "sheet name with formulas", "comment box", "date")],
    "pptx": [PPTX_VECTORS[name] for name in ("OLE object", "modern comment", "video", "chart workbook")],
    "odt": [ODT_VECTORS[name] for name in ("embedded chart", "tracked deletion", "comment", "metafile")],
    "ods": [ODS_VECTORS[name] for name in ("number", "formula", "validation")],
}  # fmt: skip
CASES = [(kind, index) for kind, samples in SAMPLES.items() for index in range(len(samples))]
_SNIPPETS = st.sampled_from(
    [b"", b"<", b">", b"/>", b'"', b"'", b"&", b"&#0;", b"\0", b"<w:p>", b"</w:p>", b"rId1", b"rId99", b"../", b"#", b"1e999",
     b"-1", b"999999999999", b"\xff\xfe", b"xmlns:w='x'", b"<!--", b"]]>", b"%", b"_x0041_", b"A1:XFD1048576", b" t='s'"]
)  # fmt: skip


@cache
def _parts(kind: str, index: int) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(SAMPLES[kind][index])) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _try(kind: str, data: bytes) -> None:
    try:
        document = FORMATS[kind].read(data, f"x.{kind}")
        released = FORMATS[kind].write(
            document, edits_of(document, ("Zanzibarquokka", "5550137421", "1980-05-17"))
        )
    except EffaceError as error:
        assert "anzibar" not in f"{error} {error.hint}"
        return
    again = FORMATS[kind].read(released, f"x.{kind}")
    assert "zanzibarquokka" not in again.text.lower()
    assert not any("zanzibarquokka" in text.lower() for _, text in extract(released))


@settings(max_examples=75)
@given(st.sampled_from(CASES), st.data())
def test_mutated_bytes(case: tuple[str, int], data: st.DataObject) -> None:
    broken = bytearray(SAMPLES[case[0]][case[1]])
    for _ in range(data.draw(st.integers(1, 5))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    _try(case[0], bytes(broken[: data.draw(st.integers(len(broken) // 2, len(broken)))]))


@settings(max_examples=200)
@given(st.sampled_from(CASES), st.data())
def test_mutated_parts(case: tuple[str, int], data: st.DataObject) -> None:
    parts = dict(_parts(*case))
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(parts)))
        content = parts[name]
        start = data.draw(st.integers(0, len(content)))
        end = min(len(content), start + data.draw(st.integers(0, 12)))
        parts[name] = content[:start] + data.draw(_SNIPPETS) + content[end:]
    if data.draw(st.booleans()):
        del parts[data.draw(st.sampled_from(sorted(parts)))]
    _try(case[0], zipped(parts, stored=("mimetype",)))
