"""Office files as pages: drawn by LibreOffice in a worker, and kept in memory for a while."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from efface.files.libreoffice import READERS, office_program
from efface.service.jobs.failed_files import FailedFiles
from efface.service.jobs.processes import ClientDisconnected, RequestContext
from efface.service.review.review_work import ReviewWork

_POLL = 0.1  # seconds between two looks at whether whoever waits for a drawing still does
_UNDRAWN = frozenset({"timeout", "too-large", "unreadable"})  # what LibreOffice would meet again
_MOST = 128 << 20  # bytes of drawn files that are kept


@dataclass(frozen=True)
class Renditions:
    """The PDFs that were drawn of office files, the latest ones."""

    work: ReviewWork
    _kept: OrderedDict[str, bytes] = field(default_factory=OrderedDict, repr=False)
    _drawing: dict[str, Lock] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)
    _failed: FailedFiles = field(default_factory=lambda: FailedFiles(_UNDRAWN), repr=False)

    def can_draw(self, format: str) -> bool:
        """Whether a file of this format can be shown as pages here."""
        return self.work.settings.office_pages and format in READERS and office_program() is not None

    def pdf(self, asker: RequestContext, format: str, data: bytes) -> bytes:
        """The file as a PDF: itself, or drawn once."""
        if format == "pdf":
            return data
        key = hashlib.sha256(data).hexdigest()
        with self._lock:
            turn = self._drawing.setdefault(key, Lock())
        while not turn.acquire(timeout=_POLL):
            if asker.gone.is_set():
                raise ClientDisconnected
        try:
            return self._cached(key) or self._drawn(key, asker, format, data)
        finally:
            turn.release()
            with self._lock:
                self._drawing.pop(key, None)

    def _cached(self, key: str) -> bytes | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def _drawn(self, key: str, asker: RequestContext, format: str, data: bytes) -> bytes:
        settings = self.work.settings
        limits: dict[str, Any] = {
            "seconds": settings.request_seconds / 2,
            "memory": min(settings.memory, 2048),
        }
        with self._failed.noting((key, format), limits["seconds"]):
            drawn = self.work.once("office_pdf", asker, (data,), format=format, **limits).files[0]
        with self._lock:
            self._kept[key] = drawn
            while len(self._kept) > 1 and sum(map(len, self._kept.values())) > _MOST:
                self._kept.popitem(last=False)
        return drawn
