"""Files that could not be done within the limits: they are not begun again for a while.

One that never ends would otherwise cost every request for it, and every search, the whole time limit.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from efface.service.problems import Problem

_AGAIN = 600.0  # seconds after which such a file is tried again
_KEPT = 10_000  # files remembered
_LASTING = frozenset({"timeout", "too-large"})


@dataclass(frozen=True)
class _Failure:
    kind: str
    detail: str
    seconds: float  # that it was given
    until: float


@dataclass(frozen=True)
class FailedFiles:
    """The failures of one process, by whatever names a file and what was done with it. `lasting` are the kinds of
    problems that the same work would meet again."""

    lasting: frozenset[str] = _LASTING
    _known: OrderedDict[tuple[str, ...], _Failure] = field(default_factory=OrderedDict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    @contextmanager
    def noting(self, key: tuple[str, ...], seconds: float) -> Iterator[None]:
        """Refuse what had as much time before and did not end; note what does not end now."""
        with self._lock:
            known = self._known.get(key)
        if known is not None and known.until > time.monotonic() and known.seconds >= seconds:
            raise Problem(known.kind, known.detail)
        try:
            yield
        except Problem as problem:
            if problem.kind in self.lasting:
                self._note(key, _Failure(problem.kind, problem.detail, seconds, time.monotonic() + _AGAIN))
            raise

    def _note(self, key: tuple[str, ...], failure: _Failure) -> None:
        with self._lock:
            self._known[key] = failure
            self._known.move_to_end(key)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
