"""What a user gets: `python -m tools.packaging [EXTRA…]`.

Builds the wheel and the source archive, installs the wheel alone in a new environment, measures it, runs the demo in
it and writes its bill of materials (CycloneDX). Each extra named is then installed in an environment of its own.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
DIST = BUILD / "dist"
SBOM = BUILD / "efface.cdx.json"


@dataclass(frozen=True, slots=True)
class Installed:
    """A new environment with efface in it, and what it took."""

    folder: Path
    packages: int
    megabytes: float
    seconds: float

    @property
    def efface(self) -> Path:
        return self.folder / "bin" / "efface"


def build() -> Path:
    """The wheel, beside the source archive that it was built from."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run([sys.executable, "-m", "build", "--outdir", DIST, ROOT])
    return next(DIST.glob("*.whl"))


def install(wheel: Path, extra: str = "") -> Installed:
    """The wheel, from our folder and not from an index, with the versions that the tests ran with."""
    folder = BUILD / f"alone-{extra}" if extra else BUILD / "alone"
    venv.create(folder, clear=True, with_pip=False, symlinks=True)  # no pip: it is no part of efface
    before, started = _size(folder), time.monotonic()
    version = wheel.name.split("-")[1]
    wanted = f"efface[{extra}]=={version}" if extra else f"efface=={version}"
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
    pinned = ["--disable-pip-version-check", "-c", str(ROOT / "constraints.txt")]
    _run([*pip, *pinned, "--find-links", str(DIST), wanted])
    seconds = time.monotonic() - started
    packages = len(list(folder.glob("lib/python*/site-packages/*.dist-info")))
    return Installed(folder, packages, (_size(folder) - before) / 1e6, seconds)


def bill(installed: Installed) -> None:
    """Every component with its version and licence, as CycloneDX."""
    tool = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    _run([*tool, "--output-file", SBOM, installed.folder / "bin" / "python"])


def demo(installed: Installed) -> float:
    """The demo with nothing but the wheel; seconds."""
    started = time.monotonic()
    _run([installed.efface, "demo", "--output", BUILD / "demo-alone"])
    return time.monotonic() - started


def main(extras: Sequence[str]) -> None:
    """Build, install, measure, run; a line each."""
    wheel = build()
    _say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    base = install(wheel)
    _say(_line("base", base))
    _say(f"demo: {demo(base):.1f} s")
    bill(base)
    _say(f"bill of materials: {SBOM.relative_to(ROOT)}")
    for extra in extras:
        _say(_line(extra, install(wheel, extra)))


def _line(name: str, installed: Installed) -> str:
    return f"{name}: {installed.packages} packages, {installed.megabytes:.0f} MB, {installed.seconds:.0f} s"


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{Path(command[0]).name} failed:\n{done.stderr}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help="an extra to install and measure too")
    main(parser.parse_args().extras)
