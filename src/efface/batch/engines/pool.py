"""Worker processes and what happens when one dies: bounded work ahead, limits kept, no document lost.

pebble would do this with pickle between the processes. A worker reads hostile files, so it answers in JSON (`wire`).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from efface.batch.engines.one_document import Spec, done_of
from efface.batch.engines.wire import INLINE, Frames, frame
from efface.batch.items import Item, ItemResult, State
from efface.errors import OutputError, UsageError

_AHEAD = 128  # items sent to a worker before it answers, and
_AHEAD_BYTES = 2 << 20  # of documents that wait in a worker's pipe
_PLENTY = _AHEAD // 4  # with so many items left no worker is idle, and
# Seconds that the parent sleeps so that outcomes gather: on busy cores each wake-up interrupts a worker.
_NAP = 0.01
_STARTS = 3  # starts in a row without a worker that comes up
_PIPE = 1 << 20  # bytes: as much as Linux lets everybody have
_LIMITED = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "MALLOC_ARENA_MAX",
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How many workers, and what one document may take."""

    workers: int
    seconds: float = 300.0
    memory: int = 2048  # MiB


@dataclass(slots=True)
class _PoolWorker:
    process: subprocess.Popen[bytes]
    frames: Frames = field(default_factory=Frames)
    sent: deque[Item] = field(default_factory=deque)
    since: float = 0.0  # when the first of `sent` was begun
    ready: bool = False
    alone: bool = False  # has one suspect and gets nothing else
    reason: str = ""  # why the parent ended it
    weight: int = 0  # bytes that wait at it
    outbox: bytearray = field(default_factory=bytearray)  # to be sent in one go

    @property
    def is_open(self) -> bool:
        """Whether it may be given more."""
        return self.ready and not self.alone and len(self.sent) < _AHEAD and self.weight < _AHEAD_BYTES


class Pool:
    """Runs items through worker processes. A worker that dies costs its document a second try, alone."""

    def __init__(self, spec: Spec, limits: Limits, temporary: Path) -> None:
        self._spec = spec
        self._limits = limits
        self._temporary = temporary
        self._workers: list[_PoolWorker] = []
        self._selector = selectors.DefaultSelector()
        self._again: deque[Item] = deque()  # given back by a worker that died
        self._suspects: deque[Item] = deque()
        self._deaths: set[tuple[bytes, int]] = set()
        self._failed_starts = 0
        self._spools = 0

    def run(self, items: Iterable[Item]) -> Iterator[ItemResult]:
        """Outcomes in the order in which they come. Items are drawn only as fast as they are done."""
        waiting = iter(items)
        first = next(waiting, None)
        if first is None:
            return
        self._again.append(first)
        try:
            for _ in range(self._limits.workers):
                self._start()
            exhausted = False
            while True:
                exhausted = self._fill(waiting, exhausted)
                if exhausted and not self._busy():
                    return
                yield from self._collect()
        finally:
            self._close()

    def _busy(self) -> bool:
        return bool(self._again or self._suspects or any(worker.sent for worker in self._workers))

    def _start(self) -> None:
        quick = {"PYDANTIC_DISABLE_PLUGINS": "__all__"}  # looking for them takes a tenth of the start
        environment = {**os.environ, **dict.fromkeys(_LIMITED, "1"), **quick}
        process = subprocess.Popen(
            [sys.executable, "-m", "efface.batch.engines.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a traceback could quote a document
            env=environment,
        )
        assert process.stdin is not None and process.stdout is not None
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError, AttributeError):
                fcntl.fcntl(stream, fcntl.F_SETPIPE_SZ, _PIPE)
        os.set_blocking(process.stdout.fileno(), False)
        worker = _PoolWorker(process, since=time.monotonic())
        self._workers.append(worker)
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        spec = {
            "spec": self._spec.to_json(),
            "memory": self._limits.memory,
            "temporary": str(self._temporary),
        }
        worker.outbox += frame(spec)
        self._deliver()

    def _deliver(self) -> None:
        for worker in self._workers:
            if worker.outbox:
                assert worker.process.stdin is not None
                with contextlib.suppress(
                    BrokenPipeError
                ):  # it is dead, which is noticed when it does not answer
                    worker.process.stdin.write(worker.outbox)
                    worker.process.stdin.flush()
                worker.outbox.clear()

    def _fill(self, waiting: Iterator[Item], exhausted: bool) -> bool:
        """Gives every idle worker its next item. A suspect is given to a worker that has nothing else."""
        for worker in self._workers:
            if worker.ready and not worker.sent:
                worker.alone = False
                if self._suspects:
                    worker.alone = True
                    self._send(worker, self._suspects.popleft())
        while not (exhausted and not self._again):
            open_ = [worker for worker in self._workers if worker.is_open]
            if not open_:
                break
            item = self._again.popleft() if self._again else next(waiting, None)
            if item is None:
                exhausted = True
            else:
                self._send(min(open_, key=lambda w: (len(w.sent), w.weight)), item)
        self._deliver()
        return exhausted

    def _send(self, worker: _PoolWorker, item: Item) -> None:
        header, data = task_of(item), item.data
        if data is not None and len(data) > INLINE:
            self._spools += 1
            path = self._temporary / f"in-{self._spools}"
            path.write_bytes(data)
            header["spool"], data = str(path), None
        if not worker.sent:
            worker.since = time.monotonic()
        worker.sent.append(item)
        worker.weight += item.weight
        worker.outbox += frame(header, data)

    def _collect(self) -> Iterator[ItemResult]:
        """Results of the workers that sent something. Those that are silent for too long are ended."""
        if all(len(worker.sent) > _PLENTY for worker in self._workers):
            time.sleep(_NAP)
        events = self._selector.select(timeout=0.25)
        now = time.monotonic()  # before what is heard is dealt with, which may take a while
        heard = {id(key.data) for key, _ in events}
        silent = [worker for worker in self._workers if id(worker) not in heard]
        for key, _ in events:
            worker: _PoolWorker = key.data
            assert worker.process.stdout is not None
            try:
                piece = os.read(worker.process.stdout.fileno(), _PIPE)
            except BlockingIOError:
                continue
            if not piece:
                yield from self._buried(worker)
                continue
            for header, data in worker.frames.feed(piece):
                yield from self._handle_message(worker, header, data)
        self._end_overdue(silent, now)

    def _handle_message(
        self, worker: _PoolWorker, header: dict[str, Any], data: bytes
    ) -> Iterator[ItemResult]:
        """Takes what a worker sent: that it is ready, why it stops, or a finished item."""
        if "stop" in header:
            if worker.ready:
                raise OutputError(header["stop"], header["hint"] or "Run again when there is room.")
            raise UsageError(header["stop"], header["hint"])
        if "ready" in header:
            worker.ready, self._failed_starts = True, 0
            return
        if "memory" in header:
            worker.reason = f"It needs more than {self._limits.memory} MiB of memory."
            return
        if "error" in header:
            worker.reason = f"{header['error']}."
            return
        item = worker.sent.popleft()
        worker.weight -= item.weight
        worker.since = time.monotonic()
        yield finished(item, header, data)

    def _end_overdue(self, silent: Iterable[_PoolWorker], now: float) -> None:
        for worker in silent:
            if (
                worker.sent
                and worker.ready
                and now - worker.since > self._limits.seconds
                and not worker.reason
            ):
                worker.reason = f"It took more than {self._limits.seconds:g} seconds."
                worker.process.kill()

    def _buried(self, worker: _PoolWorker) -> Iterator[ItemResult]:
        """A worker is gone: its document is tried once more alone, or given up; the others are given back."""
        assert worker.process.stdout is not None and worker.process.stdin is not None
        self._selector.unregister(worker.process.stdout)
        worker.process.wait()
        worker.process.stdout.close()
        with contextlib.suppress(OSError):
            worker.process.stdin.close()
        self._workers.remove(worker)
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= _STARTS:
                raise UsageError("The worker processes do not start.", "Is there enough memory?")
        if worker.sent:
            suspect = worker.sent.popleft()
            mark = (suspect.path, suspect.part)
            self._again.extendleft(reversed(worker.sent))
            if worker.reason or mark in self._deaths:
                self._deaths.discard(mark)
                yield ItemResult(
                    suspect, State.QUARANTINED, worker.reason or "It ended its worker process twice."
                )
            else:
                self._deaths.add(mark)
                self._suspects.append(suspect)
        self._start()

    def _close(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            assert worker.process.stdout is not None and worker.process.stdin is not None
            worker.process.wait()
            worker.process.stdout.close()
            with contextlib.suppress(OSError):
                worker.process.stdin.close()
        self._workers.clear()
        self._selector.close()


def task_of(item: Item) -> dict[str, Any]:
    """An item without its bytes, as a worker is told it."""
    told = ("part", "name", "file", "subject", "links", "truth", "problem", "known", "is_cell")
    return {**{name: getattr(item, name) for name in told}, "held": item.data is not None}


def finished(item: Item, header: dict[str, Any], data: bytes) -> ItemResult:
    """The result that a worker sent. What a member of an archive became may wait in a file."""
    spool = header["spool"]
    if spool and item.part >= 0:
        data = Path(spool).read_bytes()
        Path(spool).unlink()
        header["spool"] = ""
    return done_of(item, header, data if item.part >= 0 else None)
