"""The shortest way through a format: find a secret in the text, replace it, write, and look for it."""

from __future__ import annotations

from efface.attacks.readers.office import extract
from efface.core import Document, Edit, Format
from efface.formats.office import DOCX, ODP, ODS, ODT, PPTX, XLSX
from efface.text.folding import fold, fold_term
from tests.attacks.leaks.office_packages import inflated

FORMATS: dict[str, Format] = {"docx": DOCX, "xlsx": XLSX, "pptx": PPTX, "odt": ODT, "ods": ODS, "odp": ODP}
PLACEHOLDER = "[X]"


def edits_of(document: Document, secrets: tuple[str, ...], placeholder: str = PLACEHOLDER) -> list[Edit]:
    """One edit for every place where a secret stands in the folded text."""
    folded = fold(document.text)
    spans = set()
    for secret in secrets:
        key = fold_term(secret)
        start = folded.text.find(key)
        while start >= 0:
            span = folded.span(start, start + len(key))
            spans.add((span.start, span.end))
            start = folded.text.find(key, start + len(key))
    edits: list[Edit] = []
    for start, end in sorted(spans):
        if not edits or start >= edits[-1].end:
            edits.append(Edit(start, end, "SECRET", "secret", "test", placeholder))
    return edits


def redact(kind: str, data: bytes, *secrets: str, placeholder: str = PLACEHOLDER) -> bytes:
    document = FORMATS[kind].read(data, f"file.{kind}")
    return FORMATS[kind].write(document, edits_of(document, secrets, placeholder))


def sightings(data: bytes, *secrets: str) -> list[str]:
    """Where a secret can still be read, by the independent reader or in the bytes of an inflated part."""
    keys = [fold_term(secret) for secret in secrets]
    found = [where for where, text in extract(data) if any(key in fold(text).text for key in keys)]
    for name, content in inflated(data).items():
        raw = content.lower()
        for secret in secrets:
            needle = secret.lower()
            if any(needle.encode(encoding) in raw for encoding in ("utf-8", "utf-16-le", "utf-16-be")):
                found.append(f"bytes of {name}")
            if needle in name.lower():
                found.append("name of a part")
    return found
