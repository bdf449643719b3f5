"""The library's front door: a policy once, then documents."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from efface import pipeline
from efface.binding import bind
from efface.core import Report
from efface.files import MAX_BYTES, read_input
from efface.pipeline import Bound
from efface.policy import Policy, load, parse

Source = str | os.PathLike[str] | bytes


@dataclass(frozen=True)
class Sanitizer:
    """A policy, ready to be bound to a viewer for each document."""

    policy: Policy
    folder: Path = Path()
    max_bytes: int = MAX_BYTES

    @classmethod
    def from_policy(cls, path: str | os.PathLike[str]) -> Sanitizer:
        """The policy in a YAML file; its relative paths are relative to that file."""
        return cls(load(Path(path)), Path(path).parent)

    @classmethod
    def from_text(cls, text: str) -> Sanitizer:
        """The policy in a YAML text."""
        return cls(parse(text))

    def bind(self, viewer: str | None = None) -> Bound:
        """The policy bound to its knowledge and to a viewer."""
        return bind(self.policy, self.folder, viewer)

    def sanitize(self, source: Source, *, name: str | None = None, viewer: str | None = None) -> Report:
        """The sanitized document and its report. `source` is a path, or bytes together with `name`."""
        return self._run(pipeline.sanitize, source, name, viewer)

    def assess(self, source: Source, *, name: str | None = None, viewer: str | None = None) -> Report:
        """What the document discloses as it stands."""
        return self._run(pipeline.assess, source, name, viewer)

    def verify(self, source: Source, *, name: str | None = None, viewer: str | None = None) -> Report:
        """Whether a released file holds the policy's guarantees."""
        return self._run(pipeline.verify, source, name, viewer)

    def _run(
        self,
        stage: Callable[[bytes, str, Bound], Report],
        source: Source,
        name: str | None,
        viewer: str | None,
    ) -> Report:
        if isinstance(source, bytes):
            return stage(source, name or "document.txt", self.bind(viewer))
        path = Path(source)
        return stage(read_input(path, self.max_bytes), name or path.name, self.bind(viewer))
