"""Prints the modules that a document passes, in order: `python -m tools.walk FILE [--policy POLICY]`.

Each line is a module of efface at the moment when the document first enters it, with the sentence that the module
says of itself. Imports do not count; only calls do.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import efface
from efface.api.sanitizer import Sanitizer

PACKAGE = Path(efface.__file__).parent
_WIDTH = 44  # columns for the module's name


def modules_passed(run: Callable[[], object]) -> list[str]:
    """The files of efface's modules whose functions `run` calls, in the order of the first call."""
    prefix = f"{PACKAGE}/"
    passed: dict[str, None] = {}

    def record(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(prefix):
            passed.setdefault(code.co_filename)

    sys.setprofile(record)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(passed)


def lines(files: list[str]) -> Iterator[str]:
    """One line for each module: its room, its name, and what it says of itself."""
    for file in files:
        says = ast.get_docstring(ast.parse(Path(file).read_text("utf-8"))) or ""
        name = Path(file).relative_to(PACKAGE).with_suffix("").as_posix()
        yield f"{name:<{_WIDTH}} {says.splitlines()[0] if says else ''}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.walk", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--policy", type=Path)
    arguments = parser.parse_args()
    sanitizer = (
        Sanitizer.from_policy(arguments.policy) if arguments.policy else Sanitizer.from_text("efface: 1")
    )
    for line in lines(modules_passed(lambda: sanitizer.sanitize(arguments.file))):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
