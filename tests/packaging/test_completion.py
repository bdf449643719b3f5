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
@pytest.mark.parametrize(
    ("words", "offered"),
    [(["re"], "redact restore"), (["ksafety", "so"], "solve"), (["redact", "--allow"], "--allow-unproven")],
)
def test_bash(words: list[str], offered: str) -> None:
    script = (
        'eval "$(_EFFACE_COMPLETE=source_bash efface)"; COMP_WORDS=(efface "$@"); COMP_CWORD=$#; '
        '_efface_completion efface; echo "${COMPREPLY[@]}"'
    )
    command = ["bash", "-c", script, "bash", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True, timeout=600)
    assert done.stdout.split() == offered.split()


def test_zsh() -> None:
    asked = {"_EFFACE_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "efface ksafety so"}
    done = subprocess.run(
        [BIN / "efface"], capture_output=True, text=True, env=ENVIRONMENT | asked, check=True, timeout=600
    )
    assert '"solve":' in done.stdout
