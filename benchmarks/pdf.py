"""Whole redaction of PDF files against pdfplumber merely extracting their text, in one run.

    python -m benchmarks.pdf [--quick] [--pages N]

Redaction is read, write, read again, and the independent search of the released bytes. The goal of the project
is at most six times the plain extraction. Times are processor time, best of several rounds, the two sides
taking turns; memory is the most that a process of its own held while redacting a long document. The goal is
about the base install: reading pages by OCR is the extra's business, and what it costs is printed beside.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from efface.attacks.leaks import Removed, search
from efface.attacks.readers.pdf import extract
from efface.core import Edit
from efface.errors import EffaceError
from efface.files import ocr
from efface.formats import notes
from efface.formats.pdf import PDF
from efface.text.alignment import Alignment

REAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "documents" / "pdf"
NAME = "Quentin Zanzibarov"
_WORDS = (
    "the of and to in is that for it was on are as with his they be at one have this from or had by some we can "
    "out other were all there when up use your how said an each she which do their time if will way about many"
).split()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pdf")
    parser.add_argument("--quick", action="store_true", help="one round, a shorter document")
    parser.add_argument("--pages", type=int, default=500, help="pages of the long document (default: 500)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    installed, ocr.available = ocr.available(), lambda: False
    if options.child:
        return child(options.pages)
    rounds = 1 if options.quick else 3
    worst = max(report("made up, 20 pages", [made_up(20)], rounds), real(rounds))
    print(f"  at most {worst:.2f} times plain extraction (the goal: 6)")
    memory(60 if options.quick else options.pages)
    if installed:
        ocr.available = lambda: True
        with_ocr()
    return int(worst > 6)


def made_up(pages: int) -> bytes:
    """Pages of running text with the name on every one."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

    chance = random.Random(5)
    style = getSampleStyleSheet()["BodyText"]
    story = []
    for _ in range(pages):
        for paragraph in range(8):
            words = [chance.choice(_WORDS) for _ in range(60)]
            if paragraph % 4 == 1:
                words.insert(20, NAME)
            story.append(Paragraph(" ".join(words), style))
        story.append(PageBreak())
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4, invariant=1).build(story)
    return buffer.getvalue()


def real(rounds: int) -> float:
    from pdfplumber.utils.exceptions import PdfminerException

    files: list[bytes] = []
    recognised: list[bytes] = []
    for path in sorted(REAL.glob("*.pdf")):
        data = path.read_bytes()
        try:
            document = PDF().read(data, path.name)
            plumb(data)
        except (EffaceError, PdfminerException):  # what either side cannot read is compared on neither
            continue
        (recognised if any(note.startswith("OCR") for note in notes(document)) else files).append(data)
    if not files:
        print("  real files: not beside the project, skipped")
        return 0.0
    if recognised:
        report(f"{len(recognised)} real files with pages read by OCR", recognised, 1)
    return report(f"{len(files)} real files without OCR", files, rounds)


def report(title: str, files: list[bytes], rounds: int) -> float:
    jobs = [(data, words(data)) for data in files]
    pages = sum(page_count(data) for data in files)
    plain, whole = turns(
        lambda: [plumb(data) for data in files], lambda: [redact(data, terms) for data, terms in jobs], rounds
    )
    print(
        f"  {title}: {pages} pages; extraction {1000 * plain / pages:.1f} ms a page, "
        f"redaction with verification {1000 * whole / pages:.1f} ms a page: {whole / plain:.2f} times"
    )
    return whole / plain


def turns(one: Callable[[], object], other: Callable[[], object], rounds: int) -> tuple[float, float]:
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for side, work in enumerate((one, other)):
            start = time.process_time()
            work()
            best[side] = min(best[side], time.process_time() - start)
    return best[0], best[1]


def words(data: bytes) -> list[str]:
    """What to remove: the name, or six words of the text."""
    text = PDF().read(data, "x.pdf").text
    if NAME in text:
        return [NAME]
    found = sorted(set(re.findall(r"[^\W\d_]{4,}", text)))
    random.Random(1).shuffle(found)
    return found[:6]


def plumb(data: bytes) -> list[str]:
    import pdfplumber

    with pdfplumber.open(io.BytesIO(data)) as document:
        return [page.extract_text() for page in document.pages]


def redact(data: bytes, terms: list[str]) -> bytes:
    document = PDF().read(data, "x.pdf")
    pattern = re.compile("|".join(rf"\b{re.escape(term)}\b" for term in terms) or r"(?!)")
    edits = [Edit(*match.span(), "X", "", "", "[X]") for match in pattern.finditer(document.text)]
    released = PDF().write(document, edits)
    PDF().read(released, "x.pdf")
    removed = [Removed(document.text[edit.start : edit.end], "X") for edit in edits]
    search(removed, extract(released), Alignment(tuple(edits)).planned(document))
    return released


def page_count(data: bytes) -> int:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        return len(document)
    finally:
        document.close()


def with_ocr() -> None:
    """What the extra adds: a page that is a picture."""
    from efface.formats.pdf import flatten

    data = flatten(made_up(1), 200)
    start = time.process_time()
    document = PDF().read(data, "x.pdf")
    print(
        f"  a scanned page of {len(document.text.split())} words: {time.process_time() - start:.1f} s to read by OCR"
    )


def memory(pages: int) -> None:
    command = [sys.executable, "-m", "benchmarks.pdf", "--child", "--pages", str(pages)]
    print("  " + subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())


def child(pages: int) -> int:
    data = made_up(pages)
    start = time.process_time()
    redact(data, [NAME])
    taken = 1000 * (time.process_time() - start) / pages
    status = Path("/proc/self/status").read_text()  # of this program alone; getrusage counts its parent's
    held = int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024
    print(f"{page_count(data)} pages: {taken:.1f} ms a page, {held:.0f} MB at most (the goal: under 1,000)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
