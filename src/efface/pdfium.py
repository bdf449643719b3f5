"""PDFium keeps its state in the process and knows no threads: whoever uses it holds this lock meanwhile."""

from __future__ import annotations

from threading import RLock

LOCK = RLock()
