"""No file of the data that tests and experiments read may be in the project: their licences do not allow it."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_no_file_of_the_data_is_tracked(shared_data: Path) -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    tracked = [ROOT / name for name in listed.decode().split("\0") if name]
    sizes = {path.stat().st_size for path in shared_data.rglob("*") if path.is_file()}
    suspects = [path for path in tracked if path.is_file() and path.stat().st_size in sizes - {0}]
    borrowed = {_digest(path) for path in shared_data.rglob("*") if path.is_file()}
    assert [path for path in suspects if _digest(path) in borrowed] == []


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
