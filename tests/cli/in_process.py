"""The command line in this process: the same arguments, output and exit codes, without another start of Python."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from efface.cli.main import main

TERMINAL = {"NO_COLOR": "1", "COLUMNS": "120"}


def efface(
    *arguments: str | Path, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command as `subprocess.run` would. The test sees what a user sees: text, errors and the exit code."""
    words = ["efface", *map(str, arguments)]
    out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(error):
        # `main` sets the last of these; here it must not stay set for the tests that follow.
        for name, value in {**TERMINAL, **environment, "PYDANTIC_DISABLE_PLUGINS": "__all__"}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", words)
        if cwd is not None:
            patch.chdir(cwd)
        code = _exit_code()
    return subprocess.CompletedProcess(words, code, _text(out), _text(error))


def _exit_code() -> int:
    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _text(stream: io.TextIOWrapper) -> str:
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8")
