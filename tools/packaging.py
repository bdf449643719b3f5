"""What a user gets: `python -m tools.packaging [EXTRA…]`.

Builds the wheel and the source archive with their checksums, installs the wheel alone in a new environment, measures
it, runs the demo in it, writes its bill of materials (CycloneDX) and the figures that the pages quote. With `--sign KEY` (an Ed25519 private key, PEM) the
checksums are signed. Each extra named is then installed in an environment of its own.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import platform
import resource
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
DIST = BUILD / "dist"
SBOM = BUILD / "efface.cdx.json"
CHECKSUMS = "SHA256SUMS"
FIGURES = ROOT / "docs" / "results" / "packaging" / "base.csv"


@dataclass(frozen=True, slots=True)
class Installed:
    """A new environment with efface in it, and what it took."""

    folder: Path
    packages: int
    megabytes: float
    byte_code: float  # megabytes of it that pip compiled
    seconds: float

    @property
    def efface(self) -> Path:
        return self.folder / "bin" / "efface"


def build() -> Path:
    """The wheel, beside the source archive that it was built from."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run([sys.executable, "-m", "build", "--outdir", DIST, ROOT])
    return next(DIST.glob("*.whl"))


def write_checksums(folder: Path) -> Path:
    """A line for each archive, as `sha256sum --check` reads them."""
    archives = sorted(path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives]
    checksums = folder / CHECKSUMS
    checksums.write_text("".join(lines), "utf-8")
    return checksums


def sign(checksums: Path, key: Path) -> Path:
    """The signature beside the checksums; `openssl pkeyutl -verify -rawin` checks it with the public key."""
    private = load_pem_private_key(key.read_bytes(), password=None)
    if not isinstance(private, Ed25519PrivateKey):
        sys.exit("The key is not an Ed25519 key. Make one with `openssl genpkey -algorithm ed25519`.")
    signature = checksums.with_name(checksums.name + ".sig")
    signature.write_bytes(private.sign(checksums.read_bytes()))
    return signature


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
    byte_code = _size(folder, "*.pyc") / 1e6
    return Installed(folder, packages, (_size(folder) - before) / 1e6, byte_code, seconds)


def bill(installed: Installed) -> None:
    """Every component with its version and licence, as CycloneDX."""
    tool = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    _run([*tool, "--output-file", SBOM, installed.folder / "bin" / "python"])


def demo(installed: Installed) -> float:
    """The demo with nothing but the wheel; seconds of processor time, which a busy machine does not change."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run([installed.efface, "demo", "--output", BUILD / "demo-alone"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_figures(wheel: Path, base: Installed, seconds: float) -> None:
    """What the README and the page on installing say; a test compares them with this file."""
    rows = [
        ("what", "figure"),
        ("date", time.strftime("%Y-%m-%d")),
        ("python", platform.python_version()),
        ("wheel MB", f"{wheel.stat().st_size / 1e6:.1f}"),
        ("packages", base.packages),
        ("install MB", f"{base.megabytes:.0f}"),
        ("byte code MB", f"{base.byte_code:.0f}"),
        ("demo, seconds of processor time", f"{seconds:.1f}"),
        *((f"{folder.name} MB", f"{_size(folder) / 1e6:.0f}") for folder in _largest(base)),
    ]
    FIGURES.parent.mkdir(exist_ok=True)
    with FIGURES.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def _largest(installed: Installed) -> list[Path]:
    """The folders of the packages that weigh most."""
    folders = [path for path in installed.folder.glob("lib/python*/site-packages/*") if path.is_dir()]
    return sorted(folders, key=_size, reverse=True)[:6]


def main(extras: Sequence[str], key: Path | None = None) -> None:
    """Build, install, measure, run; a line each."""
    wheel = build()
    _say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    checksums = write_checksums(DIST)
    _say(f"checksums: {checksums.relative_to(ROOT)}{'' if key else ', not signed: give --sign KEY'}")
    if key is not None:
        _say(f"signature: {sign(checksums, key).relative_to(ROOT)}")
    base = install(wheel)
    _say(_line("base", base))
    seconds = demo(base)
    _say(f"demo: {seconds:.1f} s of processor time")
    write_figures(wheel, base, seconds)
    _say(f"figures: {FIGURES.relative_to(ROOT)}")
    bill(base)
    _say(f"bill of materials: {SBOM.relative_to(ROOT)}")
    for extra in extras:
        _say(_line(extra, install(wheel, extra)))


def _line(name: str, installed: Installed) -> str:
    return f"{name}: {installed.packages} packages, {installed.megabytes:.0f} MB, {installed.seconds:.0f} s"


def _size(folder: Path, pattern: str = "*") -> int:
    return sum(path.lstat().st_size for path in folder.rglob(pattern) if path.is_file())


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
    parser.add_argument("--sign", type=Path, metavar="KEY", help="an Ed25519 private key (PEM)")
    arguments = parser.parse_args()
    main(arguments.extras, arguments.sign)
