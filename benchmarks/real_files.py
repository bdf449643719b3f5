"""Real Word and PDF files, redacted under the default policy, each release then verified.

    python -m benchmarks.real_files [--documents N] [--quick] [--seconds S] [--csv FILE] [FOLDER ...]

For every file: the verdict of `redact`, what `verify` says of the copy that left, and the kinds of what was not
looked at. A file that takes more than `--seconds` of processor time counts as such: by the clock a busy machine would
decide.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import select
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from efface.api.sanitizer import Sanitizer
from efface.errors import EffaceError

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "documents"
FOLDERS = tuple(DATA / name for name in ("docx", "pdf", "covered"))
POLICY = "efface: 1\n"


@dataclass(frozen=True)
class FileResult:
    """How one file fared. `gaps` are the kinds of what was not looked at."""

    file: str
    kib: int
    redact: str
    verify: str
    gaps: str
    leaks: int
    cuts: int
    seconds: float


def judged(path: Path, sanitizer: Sanitizer) -> FileResult:
    """One file, redacted and verified."""
    started = time.process_time()
    redact, verify, gaps, leaks, cuts = "", "", "", 0, 0
    try:
        report = sanitizer.sanitize(path.read_bytes(), name=path.name, allow_unproven=True)
        redact, leaks, cuts = report.verdict.value, len(report.leaks), len(report.edits)
        gaps = " ".join(sorted({gap.kind for gap in report.coverage.unseen}))
        if report.released is not None:
            verify = sanitizer.verify(report.released, name=path.name).verdict.value
    except EffaceError as error:
        redact = redact or f"refused: {type(error).__name__}"
    kib = path.stat().st_size >> 10
    return FileResult(
        path.name, kib, redact, verify, gaps, leaks, cuts, round(time.process_time() - started, 1)
    )


class Worker:
    """A process that judges one file after the other. It is ended, and begun anew, when a file takes too long."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._process = self._begun()

    def _begun(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "benchmarks.real_files", "--worker"]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def judged(self, path: Path) -> FileResult:
        """The result of one file."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        begun = _processor_seconds(process.pid)
        ready: Sequence[object] = ()
        while not ready and _processor_seconds(process.pid) - begun < self._seconds:
            ready, _, _ = select.select([process.stdout], [], [], 1)
        line = process.stdout.readline() if ready else ""
        if line:
            return FileResult(**json.loads(line))
        self.end()
        self._process = self._begun()
        return FileResult(
            path.name, path.stat().st_size >> 10, "too long", "", "", 0, 0, float(self._seconds)
        )

    def end(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()


def _processor_seconds(pid: int) -> float:
    """What a process has taken so far; where nothing tells it, the time of the clock."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def serve() -> None:
    """Judges the files whose paths come on standard input."""
    sanitizer = Sanitizer.from_text(POLICY)
    for line in sys.stdin:
        print(json.dumps(asdict(judged(Path(line.rstrip("\n")), sanitizer))), flush=True)


def main() -> int:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        serve()
        return 0
    paths = [path for folder in asked.folders for path in _files(folder)]
    if not paths:
        print("The documents are not here (../shared/data): nothing to measure.")
        return 0
    worker, results = Worker(asked.seconds), []
    for path in paths[:: max(1, len(paths) // 5)] if asked.quick else paths[: asked.documents]:
        results.append(worker.judged(path))
        print(*asdict(results[-1]).values(), sep="\t", file=sys.stderr, flush=True)
    worker.end()
    if asked.csv:
        with asked.csv.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(field.name for field in fields(FileResult))
            rows.writerows(asdict(result).values() for result in results)
    _table(results)
    return 0


def _files(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder]
    return sorted(path for kind in ("docx", "pdf") for path in folder.glob(f"*.{kind}"))


def _table(results: list[FileResult]) -> None:
    released = [result for result in results if result.verify]
    print(f"\n{len(results)} files, {sum(result.cuts for result in results):,} cuts")
    print(f"redact: {dict(Counter(result.redact for result in results))}")
    print(f"verify, of the {len(released)} that left: {dict(Counter(r.verify for r in released))}")
    print(f"not looked at: {dict(Counter(kind for r in results for kind in r.gaps.split()))}")
    print(f"releases whose verification disagrees: {sum(r.verify != r.redact for r in released)}")


if __name__ == "__main__":
    sys.exit(main())
