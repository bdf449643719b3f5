"""Documents examined before a thread of the service takes them up.

A thread cannot be ended. So a worker process reads a document first, within its limits of time, memory and pages;
only what it came through is then read and planned in the service itself, where results are kept in memory.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from efface.service.jobs.failed_files import FailedFiles
from efface.service.jobs.processes import Call, Processes
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.repository.policies import Named
from efface.service.settings import ServiceSettings

_KEPT = 10_000  # documents remembered


@dataclass(frozen=True)
class Examiner:
    """Sends documents to worker processes, and remembers which came through."""

    processes: Processes
    settings: ServiceSettings
    _passed: OrderedDict[tuple[str, ...], None] = field(default_factory=OrderedDict, repr=False)
    _failed: FailedFiles = field(default_factory=FailedFiles, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def look(self, digest: str, name: str, data: bytes, policy: Named, viewer: str) -> None:
        """Read and plan it; raises what went wrong there. A short text too may take for ever to plan."""
        given = {"name": name, "viewer": viewer, "pages": self.settings.pages, **policy.given}
        self._once(("look", digest, policy.digest, viewer), "examine", given, data)

    def pages(self, task: str, user: str, files: tuple[bytes, ...], **given: Any) -> MessageFrame:
        """Sizes, pictures and words of pages: drawn in a worker, every time."""
        limited = {**given, "pages": self.settings.pages}
        return self.processes.run(Call(task, user, self.settings.request_seconds, limited, files))

    def _once(self, key: tuple[str, ...], task: str, given: dict[str, Any], data: bytes) -> None:
        with self._lock:
            if key in self._passed:
                self._passed.move_to_end(key)
                return
        seconds = self.settings.work_seconds
        with self._failed.noting(key, seconds):
            self.processes.run(Call(task, f"document {key[1]}", seconds, given, (data,)))
        with self._lock:
            self._passed[key] = None
            while len(self._passed) > _KEPT:
                self._passed.popitem(last=False)
