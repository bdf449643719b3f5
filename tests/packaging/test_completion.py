"""The shells' completion, asked as the shells ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash() -> None:
    offered = {"re": "redact restore", "ksafety so": "solve", "redact --allow": "--allow-unproven"}
    script = (
        'eval "$(_EFFACE_COMPLETE=source_bash efface)"; for words in "$@"; do COMP_WORDS=(efface $words); '
        'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _efface_completion efface; echo "${COMPREPLY[@]}"; done'
    )
    command = ["bash", "-c", script, "bash", *offered]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True, timeout=600)
    assert [line.split() for line in done.stdout.splitlines()] == list(map(str.split, offered.values()))


def test_zsh() -> None:
    asked = {"_EFFACE_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "efface ksafety so"}
    done = subprocess.run(
        [BIN / "efface"], capture_output=True, text=True, env=ENVIRONMENT | asked, check=True, timeout=600
    )
    assert '"solve":' in done.stdout
