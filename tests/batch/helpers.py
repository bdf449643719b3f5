"""Documents, batches over them, and the slow obvious way to the same result."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from efface.api.sanitizer import Sanitizer
from efface.batch.containers.members import Options
from efface.batch.containers.sources import Inputs
from efface.batch.engines.pool import Limits
from efface.batch.items import ItemResult
from efface.batch.run import Batch, BatchOutcome, run
from efface.batch.work_folder import BatchFolders
from efface.pipeline import sanitize as pipeline

POLICY = "efface: 1\nfind: {patterns: [EMAIL_ADDRESS, IP_ADDRESS], names: none, deny: [Project Falcon]}\n"
_WORDS = "the patient was seen in clinic with stable weight and a letter was sent to the practice".split()


def letter(number: int) -> str:
    """A short text with something to remove."""
    chance = random.Random(number)
    words = " ".join(chance.choices(_WORDS, k=chance.randrange(10, 60)))
    return f"{words}. Write to user{number}@example.org about Project Falcon, or 192.0.2.{number % 250}.\n"


def long_letter(size: int) -> str:
    """A letter of so many bytes, with little to remove."""
    return letter(1) + "The weight was stable.\n" * (size // 23) + letter(2)


def fill(folder: Path, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        place = folder / f"ward {number % 7}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.txt").write_text(letter(number))


def tree(folder: Path) -> dict[str, bytes]:
    """Every file under the folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def one_by_one(folder: Path, policy: str = POLICY) -> dict[str, bytes]:
    """The reference: every file by itself, without any of the batch's code."""
    bound = Sanitizer.from_text(policy).bind()
    found = {}
    for name, data in tree(folder).items():
        released = pipeline.sanitize(data, Path(name).name, bound).released
        assert released is not None
        found[name] = released
    return found


def batch(source: Path | Sequence[Path], output: Path, policy: str = POLICY, **changes: object) -> Batch:
    sources = [source] if isinstance(source, Path) else source
    asked = Batch(
        Sanitizer.from_text(policy),
        Inputs.of([str(path) for path in sources]),
        BatchFolders(output, output.with_name(f"{output.name}.work")),
        limits=Limits(1),
    )
    return replace(asked, **changes)  # type: ignore[arg-type]


def go(
    source: Path | Sequence[Path],
    output: Path,
    policy: str = POLICY,
    options: Options | None = None,
    **changes: object,
) -> tuple[BatchOutcome, list[ItemResult]]:
    """Run a batch; what was done, beside its outcome."""
    seen: list[ItemResult] = []
    asked = batch(source, output, policy, options=options or Options(), **changes)
    return run(asked, seen.append), seen


def command(source: Path, output: Path, policy: Path, *more: str) -> subprocess.Popen[bytes]:
    """The batch as people start it."""
    code = "from efface.cli.main import main; main()"
    words = [sys.executable, "-c", code, "batch", str(source), str(output), "-p", str(policy), *more]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(entry.name))
    return sorted(found)


def strays(folder: Path) -> list[str]:
    """Half-written files."""
    names = (name for _, _, names in os.walk(folder) for name in names)
    return [name for name in names if name.startswith(".efface-")]
