"""PDFium keeps its state in the process and is not thread-safe: every use of it holds this lock."""

from __future__ import annotations

from threading import RLock

LOCK = RLock()
