"""Whole redaction of Word documents against python-docx merely extracting their text, in one run.

    python -m benchmarks.office [FOLDER]

Redaction is read, find, write, read again, and the independent search of the released bytes. The goal of the
project is at most six times the plain extraction. Times are processor time, best of several rounds.
"""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from efface.attacks.leaks import Removed, search
from efface.attacks.readers.office import extract
from efface.core import Document, Edit, apply_edits
from efface.formats.office import DOCX

ROUNDS = 5
_WORD = re.compile(r"[^\W_]+")
FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "documents" / "docx"


def plain_extraction(data: bytes) -> int:
    """The text that python-docx gives by its public interface: body, tables, headers and footers."""
    import docx

    document = docx.Document(io.BytesIO(data))
    holders: list[Any] = [document]
    for section in document.sections:
        holders += [part for part in (section.header, section.footer) if not part.is_linked_to_previous]
    return sum(len(text) for holder in holders for text in _texts(holder))


def _texts(holder: Any) -> Iterator[str]:
    from docx.table import Table

    for block in holder.iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _texts(cell)
        else:
            yield block.text


def redaction(data: bytes, denied: frozenset[str]) -> None:
    document = DOCX.read(data, "in.docx")
    edits = [
        Edit(match.start(), match.end(), "WORD", match[0].lower(), "deny", "[WORD]")
        for match in _WORD.finditer(document.text)
        if match[0].lower() in denied
    ]
    released = DOCX.write(document, edits)
    DOCX.read(released, "out.docx")
    planned = Document("out.docx", "docx", apply_edits(document.text, edits))
    removed = {document.text[edit.start : edit.end] for edit in edits}
    leaks = search([Removed(word, "WORD") for word in removed], extract(released), planned)
    if leaks:
        raise SystemExit("a removed word was left")


def words_of(data: bytes) -> frozenset[str]:
    """Ten words of a document, from all over its text."""
    words = sorted({word.lower() for word in _WORD.findall(DOCX.read(data, "in.docx").text) if len(word) > 4})
    return frozenset(words[:: max(1, len(words) // 10)][:10])


def best(action: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    total_plain = total_ours = 0.0
    print(f"{'file':58} {'KB':>5} {'python-docx':>12} {'efface':>9} {'ratio':>6}")
    for path in sorted(folder.glob("*.docx")):
        data = path.read_bytes()
        denied = words_of(data)
        plain, ours = best(lambda: plain_extraction(data)), best(lambda: redaction(data, denied))  # noqa: B023
        total_plain += plain
        total_ours += ours
        print(
            f"{path.name[:58]:58} {len(data) >> 10:5} {plain * 1e3:9.1f} ms {ours * 1e3:6.1f} ms {ours / plain:6.1f}"
        )
    print(
        f"{'all':58} {'':5} {total_plain * 1e3:9.1f} ms {total_ours * 1e3:6.1f} ms {total_ours / total_plain:6.1f}"
    )


if __name__ == "__main__":
    main()
