"""A finder that stops at a text which names a file, for as long as that file is there."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from efface.core import Mention
from tests.batch.helpers import POLICY

GATED = POLICY.replace("names: none", "names: none, custom: 'tests.batch.gate:GateFinder'")


def gated(gate: Path) -> str:
    """A text that takes until the file is gone. A test opens the gate, so that no machine is too fast or too slow."""
    gate.touch()
    return f"wait for {gate} and go on\n"


def reached(gate: Path) -> Path:
    """Is there as soon as somebody stands before the gate."""
    return gate.with_name(f"{gate.name}-reached")


@dataclass(frozen=True)
class GateFinder:
    """Finds nothing."""

    types: tuple[str, ...] = ("GATE",)

    def find(self, text: str) -> Iterator[Mention]:
        for match in re.finditer(r"wait for (\S+) and", text):
            reached(Path(match[1])).touch()
            while Path(match[1]).exists():
                time.sleep(0.01)
        return iter(())
