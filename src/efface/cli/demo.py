"""`efface demo`: every guarantee at work on invented data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")] = Path(
        "efface-demo"
    ),
) -> None:
    """Every guarantee at work on a fictional hospital and consultancy, with a page to open: nothing to configure.

    Example: efface demo
    """
    from efface.cli.demo_tour import run

    run(output)
