"""What a batch reports while it runs: log records, a Prometheus text file, OpenTelemetry spans.

Names of files, states, verdicts, counts and times; nothing that a document says.
"""

from __future__ import annotations

import logging
import os
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from efface.batch.items import ItemResult, State
from efface.files.local import write_output

logging.getLogger("efface").addHandler(logging.NullHandler())  # who sets up no logging is shown nothing
_LOG = logging.getLogger("efface.batch")
_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)
_PAUSE = 15.0  # seconds between two writings of the file


def opentelemetry_tracer() -> Any:
    """OpenTelemetry's tracer, where its API package is installed; without an SDK its spans cost nothing."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer("efface")


@dataclass(slots=True)
class Telemetry:
    """Watches the documents of one batch. `metrics` is the Prometheus text file, if one is wanted."""

    metrics: Path | None = None
    _states: Counter[str] = field(default_factory=Counter)
    _verdicts: Counter[str] = field(default_factory=Counter)
    _seconds: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    _sums: Counter[str] = field(default_factory=Counter)
    _spent: float = 0.0
    _begun: float = field(default_factory=time.time)
    _written: float = 0.0
    _span: Any = None  # of the whole batch
    tracer: Any = field(default_factory=opentelemetry_tracer, repr=False)

    def watch(self, done: ItemResult) -> None:
        """One document more."""
        self._states[done.state.value] += 1
        if done.verdict:
            self._verdicts[done.verdict] += 1
        self._seconds[bisect_left(_BOUNDS, done.seconds)] += 1
        self._spent += done.seconds
        self._sums.update(edits=done.edits, read_bytes=done.size, released_bytes=done.released)
        self._log(done)
        self._trace(done)
        if self.metrics is not None and time.time() - self._written > _PAUSE:
            self.write()

    def close(self, published: bool, verdict: str) -> None:
        """The end of the batch."""
        fields = {"published": published, "verdict": verdict, **self._states}
        _LOG.info("batch ended", extra={"efface": fields})
        if self._span is not None:
            for name, value in fields.items():
                self._span.set_attribute(f"efface.{name}", value)
            self._span.end()
        self.write()

    def write(self) -> None:
        """Write the file in one step, so that a collector never reads half of it."""
        if self.metrics is not None:
            write_output(self.metrics, ("\n".join(self._lines()) + "\n").encode(), force=True)
            self._written = time.time()

    def _log(self, done: ItemResult) -> None:
        level = logging.DEBUG if done.state is State.DONE else logging.WARNING
        if not _LOG.isEnabledFor(level):
            return
        fields: dict[str, object] = {
            "file": _file(done),
            "state": done.state.value,
            "verdict": done.verdict,
            "format": done.format,
            "reason": done.reason,
            "edits": done.edits,
            "bytes": done.size,
            "seconds": done.seconds,
        }
        if done.item.part >= 0:
            fields["part"] = done.item.part
        _LOG.log(level, f"document {done.state.value}", extra={"efface": fields})

    def _trace(self, done: ItemResult) -> None:
        """A span for the time that the document took, wherever it was done, within the span of the batch."""
        if self.tracer is None:
            return
        from opentelemetry.trace import StatusCode, set_span_in_context

        if self._span is None:
            self._span = self.tracer.start_span("efface.batch", start_time=int(self._begun * 1e9))
        end = time.time_ns()
        within, start = set_span_in_context(self._span), end - int(done.seconds * 1e9)
        span = self.tracer.start_span("efface.document", context=within, start_time=start)
        if done.state is not State.DONE:
            span.set_status(StatusCode.ERROR, done.state.value)
        for name in ("verdict", "format", "edits", "size"):
            span.set_attribute(f"efface.{name}", getattr(done, name))
        span.set_attribute("efface.state", done.state.value)
        span.end(end_time=end)

    def _lines(self) -> Iterator[str]:
        yield from _counter("documents", "Documents by what became of them.", "state", self._states)
        yield from _counter("verdicts", "Verdicts on documents.", "verdict", self._verdicts)
        for name in ("edits", "read_bytes", "released_bytes"):
            yield f"# TYPE efface_batch_{name}_total counter"
            yield f"efface_batch_{name}_total {self._sums[name]}"
        yield "# HELP efface_batch_document_seconds Time that one document took."
        yield "# TYPE efface_batch_document_seconds histogram"
        count = 0
        for bound, number in zip((*map(str, _BOUNDS), "+Inf"), self._seconds, strict=True):
            count += number
            yield f'efface_batch_document_seconds_bucket{{le="{bound}"}} {count}'
        yield f"efface_batch_document_seconds_sum {self._spent:.6f}"
        yield f"efface_batch_document_seconds_count {count}"
        for name, value in (("begun", self._begun), ("updated", time.time())):
            yield f"# TYPE efface_batch_{name}_timestamp_seconds gauge"
            yield f"efface_batch_{name}_timestamp_seconds {value:.3f}"


def _counter(name: str, meaning: str, label: str, counts: Counter[str]) -> Iterator[str]:
    yield f"# HELP efface_batch_{name}_total {meaning}"
    yield f"# TYPE efface_batch_{name}_total counter"
    for value, count in sorted(counts.items()):
        yield f'efface_batch_{name}_total{{{label}="{value}"}} {count}'


def _file(done: ItemResult) -> str:
    return os.fsdecode(done.item.path)
