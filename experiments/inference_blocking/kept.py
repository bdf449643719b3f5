"""Rows of a run that was interrupted, kept beside the results, so that the next run goes on from there."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class ResultCache:
    """Finished rows of one data set by step, in a file that is there only while the run is not finished."""

    path: Path
    documents: int
    steps: dict[str, list[Row]] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, documents: int) -> ResultCache:
        """What an earlier run over as many documents left, or nothing."""
        if path.is_file():
            content = json.loads(path.read_text("utf-8"))
            if content["documents"] == documents:
                return cls(path, documents, content["steps"])
        return cls(path, documents)

    def rows(self, step: str, compute: Callable[[], list[Row]]) -> list[Row]:
        """The rows of a step, computed unless they were before."""
        if step not in self.steps:
            self.steps[step] = compute()
            beside = self.path.with_suffix(".new")
            beside.write_text(json.dumps({"documents": self.documents, "steps": self.steps}), "utf-8")
            beside.replace(self.path)
            print(f"{self.path.stem}: {step}", flush=True)
        return self.steps[step]

    def finished(self) -> None:
        self.path.unlink(missing_ok=True)
