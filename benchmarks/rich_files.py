"""Redaction with names, whole, of a Word file and a PDF full of prose, against merely extracting their text.

    python -m benchmarks.rich_files [--releases N]

Ten Treasury press releases become one Word file, and LibreOffice makes a PDF of it where it is installed. The other side
is python-docx for the one and pdfplumber for the other. Times are processor time, in one process. efface runs under its
default policy and its own checks: read, find, write, read again, search the released bytes.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from unittest.mock import patch

from benchmarks.office import plain_extraction
from benchmarks.releases import DATA, documents
from efface.api.sanitizer import Sanitizer
from efface.finders.names.model import Logits, NamesModel, WordPredictions
from efface.finders.names.tokens import WordPieces
from efface.pipeline import rounds, sanitize


def word_file(count: int) -> bytes:
    """The releases as a Word file, a paragraph a line."""
    import docx

    document = docx.Document()
    for _, text in documents(DATA, count):
        for line in filter(str.strip, text.split("\n")):
            document.add_paragraph(line)
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def as_pdf(word: bytes) -> bytes | None:
    """The Word file as LibreOffice prints it."""
    office = which("soffice")
    if office is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "rich.docx")
        source.write_bytes(word)
        command = [office, "--headless", "--convert-to", "pdf", "--outdir", folder, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        return source.with_suffix(".pdf").read_bytes()


def pdf_extraction(data: bytes) -> int:
    """The text that pdfplumber gives, page by page."""
    import pdfplumber

    with pdfplumber.open(io.BytesIO(data)) as pdf:
        return sum(len(page.extract_text()) for page in pdf.pages)


def seconds(run: Callable[[], object]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


@contextmanager
def network_time() -> Iterator[list[float]]:
    """The processor time of each reading by the network that finds names, while the block runs."""
    spent: list[float] = []
    judge = NamesModel.judge

    def timed(
        model: NamesModel, words: WordPieces, known: dict[bytes, Logits], whole: bool = False
    ) -> WordPredictions:
        started = time.process_time()
        judged = judge(model, words, known, whole)
        spent.append(time.process_time() - started)
        return judged

    with patch.object(NamesModel, "judge", timed):
        yield spent


@contextmanager
def stage_times() -> Iterator[dict[str, float]]:
    """The processor time of each stage of a redaction, while the block runs."""
    spent: dict[str, float] = {}
    with ExitStack() as patches:
        for stage, (module, name) in STAGES.items():
            patches.enter_context(patch.object(module, name, _timed(getattr(module, name), stage, spent)))
        yield spent


def _timed(run: Callable[..., object], stage: str, spent: dict[str, float]) -> Callable[..., object]:
    def timed(*given: object, **named: object) -> object:
        started = time.process_time()
        answer = run(*given, **named)
        spent[stage] = spent.get(stage, 0.0) + time.process_time() - started
        return answer

    return timed


# What each stage of `pipeline.sanitize` calls, under the name by which it calls it.
STAGES: dict[str, tuple[object, str]] = {
    "finders and filters": (rounds, "find"),
    "cut everywhere": (rounds, "spread"),
    "search for leaks": (sanitize, "_search"),
    "coverage": (sanitize, "coverage_of"),
}


def main() -> int:
    """One line a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--releases", type=int, default=10)
    asked = parser.parse_args()
    if not DATA.exists():
        print("The press releases are not here (../shared/data): nothing to measure.")
        return 0
    sanitizer = Sanitizer()
    sanitizer.sanitize(b"Dear Mr Smith,", name="warm.txt")
    word = word_file(asked.releases)
    pdf = as_pdf(word)
    _measure("python-docx", word, "rich.docx", plain_extraction, sanitizer)
    if pdf is not None:
        _measure("pdfplumber", pdf, "rich.pdf", pdf_extraction, sanitizer)
    return 0


def _measure(
    other: str, data: bytes, name: str, extract: Callable[[bytes], int], sanitizer: Sanitizer
) -> None:
    plain = min(seconds(lambda: extract(data)) for _ in range(3))
    report = sanitizer.sanitize(data, name=name)
    with network_time() as network, stage_times() as stages:
        ours = seconds(lambda: sanitizer.sanitize(data, name=name))
    print(
        f"{name}: {extract(data):,} characters, {len(report.edits):,} cuts, {report.verdict.value}; "
        f"{other} {plain:.3f} s, efface {ours:.1f} s: {ours / plain:.1f}x; "
        f"the network that finds names {sum(network):.1f} s of it, in {len(network)} readings"
    )
    stages["finders and filters"] -= sum(network)
    stages = {"network": sum(network), **stages}
    stages["reading, writing, reading again"] = ours - sum(stages.values())
    print("  " + ", ".join(f"{stage} {spent / ours:.0%}" for stage, spent in stages.items()))


if __name__ == "__main__":
    sys.exit(main())
