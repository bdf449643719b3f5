"""One secret planted in every hiding place of an office file: after redaction it is nowhere, or the file is refused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from efface.attacks.leaks import Removed, search
from efface.attacks.readers.office import extract
from efface.core import Document
from efface.errors import EffaceError, InputError, Refused
from efface.formats.office import DOCX
from tests.attacks.leaks.docx_vectors import DOCX_VECTORS
from tests.attacks.leaks.docx_vectors import S as SECRET
from tests.attacks.leaks.odf_vectors import ODS_VECTORS, ODT_VECTORS
from tests.attacks.leaks.office_packages import complaints
from tests.attacks.leaks.office_redaction import redact, sightings
from tests.attacks.leaks.pptx_vectors import PPTX_VECTORS
from tests.attacks.leaks.xlsx_vectors import XLSX_VECTORS

NUMBER = "5550137421"
DATE = "1980-05-17"
SECRETS = (SECRET, NUMBER, "555-013-7421", DATE)
VECTORS: dict[str, dict[str, bytes]] = {
    "docx": DOCX_VECTORS,
    "xlsx": XLSX_VECTORS,
    "pptx": PPTX_VECTORS,
    "odt": ODT_VECTORS,
    "ods": ODS_VECTORS,
}
# What is refused whole rather than cleaned, and why.
REFUSED = {
    ("docx", "imported page"): "imports another file",
    ("docx", "macros"): "macros",
    ("docx", "unknown binary part"): "binary part",
    ("docx", "before the archive"): "damaged",
    ("docx", "TIFF data"): "picture",
    ("odt", "password"): "password-protected",
    ("docx", "UTF-7 part"): "encoding",
    ("docx", "entity in UTF-7"): "encoding",
}
# What the writer leaves and the search of the release sees: the pipeline then refuses.
STOPPED = {
    ("docx", "name of an element"),
    ("docx", "name of an attribute"),
    ("docx", "prefix of a namespace"),
    ("docx", "namespace"),
    ("docx", "namespace like a published one"),
    ("docx", "type of a relationship"),
    ("docx", "embedded font"),
    ("docx", "PNG palette"),
    ("docx", "PNG frame"),
    ("docx", "JPEG tables"),
    ("docx", "GIF palette"),
    ("docx", "small letters in an address like Microsoft's"),
    ("docx", "type of content"),
    ("docx", "term that goes on in the fallback branch"),
    ("docx", "from right to left"),
    ("docx", "from right to left by an element"),
    ("docx", "letters that no font shows"),
    ("xlsx", "number format, letter by letter"),
}
CASES = [(kind, name) for kind, vectors in VECTORS.items() for name in vectors]


@pytest.mark.parametrize(("kind", "name"), CASES, ids=lambda value: str(value).replace(" ", "-"))
def test_the_secret_is_gone_or_the_file_refused(kind: str, name: str) -> None:
    planted = VECTORS[kind][name]
    if (kind, name) in REFUSED:
        with pytest.raises((InputError, Refused), match=REFUSED[kind, name]) as caught:
            redact(kind, planted, *SECRETS)
        assert SECRET.lower() not in f"{caught.value} {caught.value.hint}".lower()
        return
    released = redact(kind, planted, *SECRETS)
    if (kind, name) in STOPPED:
        removed = [Removed(SECRET, "X")]
        assert search(removed, extract(released), Document("", kind, "")), "nothing stops the release"
        return
    assert planted_is_seen(planted), "the hiding place hides nothing"
    assert sightings(released, *SECRETS) == []
    assert complaints(released) == []


def planted_is_seen(planted: bytes) -> bool:
    return bool(sightings(planted, *SECRETS))


def test_count_of_vectors(record_property: Callable[[str, object], None]) -> None:
    counts = Counter(kind for kind, _ in CASES)
    listed = ", ".join(f"{kind} {count}" for kind, count in counts.items())
    record_property(
        "count",
        f"office: {len(CASES)} vectors ({listed}), {len(REFUSED) + len(STOPPED)} refused, the rest clean",
    )
    assert all(case in CASES for case in (*REFUSED, *STOPPED))


def _some_words(data: bytes, pattern: re.Pattern[str]) -> list[str]:
    """A few words of a document, from all over its text."""
    text = DOCX.read(data, "x.docx").text
    words = sorted(set(pattern.findall(text)))
    return words[:: max(1, len(words) // 8)][:9]


def _real_files(shared_data: Path) -> Iterator[Path]:
    yield from sorted((shared_data / "documents" / "docx").glob("*.docx"))


def test_real_documents(shared_data: Path, record_property: Callable[[str, object], None]) -> None:
    clean, refused, words_removed = 0, [], 0
    for path in _real_files(shared_data):
        data = path.read_bytes()
        try:
            words = _some_words(data, re.compile(r"[^\W\d_]{4,}"))
            released = redact("docx", data, *words)
        except EffaceError as error:
            refused.append((path.name, error.message))
            continue
        left = [
            where for where, text in extract(released) if any(word.lower() in text.lower() for word in words)
        ]
        assert left == [], f"{path.name}: {left}"
        assert released != data
        assert complaints(released) == [], path.name
        clean += 1
        words_removed += len(words)
    record_property(
        "count", f"office: {clean} real files clean, {len(refused)} refused, {words_removed} words removed"
    )
    assert clean + len(refused) == 33
