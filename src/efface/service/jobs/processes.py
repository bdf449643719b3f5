"""Worker processes that can be ended at any moment: for time, for memory, or because the client has disconnected.

A thread of the service hands a call to a worker and waits; the worker is killed when its time is over or when the
caller's `gone` is set, and another takes its place at the next call.
"""

from __future__ import annotations

import atexit
import math
import os
import select
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from efface.pipeline.bound import unwatched
from efface.service.jobs.worker_messages import MessageFrame, decode, encode
from efface.service.problems import Problem, log_bug

_POLL = 0.1  # seconds between two looks at whether the caller still waits
_PIECE = 1 << 20  # bytes that are passed to a worker at once
_MOST_ANSWER = 1 << 30  # bytes of the files in an answer
_CALLS = 5000  # after so many a worker makes way for a fresh one
_FAT = 4  # so does one that holds more than this part of the memory it may take
_START_SECONDS = 120.0  # that a new worker has to import what it needs; a busy machine takes a minute
_KEPT = 3  # names of what a worker keeps
_SOON = 0.5  # seconds in which a busy worker is waited for, before another is started: that takes longer


class ClientDisconnected(Exception):
    """The client that asked has disconnected."""


@dataclass(frozen=True)
class RequestContext:
    """Whose work it is, and an event that is set when they have disconnected. Nobody waits for work in the
    `background`."""

    user: str
    gone: threading.Event = field(default_factory=threading.Event, repr=False)
    background: bool = False


@dataclass(frozen=True)
class Call:
    """A task, for a user, with the time it may take. Documents that are opened (`view`) are counted apart from what else
    the user waits for, so that neither refuses the other; both take the user's workers. `keeps` names what a worker may use again; a worker that has it
    is preferred. While that one works on the same thing, or on something short, it is waited for up to `patience` seconds:
    another would begin with nothing. Nobody waits for a call in the `background`."""

    task: str
    user: str
    seconds: float
    given: dict[str, Any]
    files: tuple[bytes, ...] = field(default=(), repr=False)
    gone: threading.Event = field(default_factory=threading.Event, repr=False)
    watch: Callable[[str], None] = unwatched
    keeps: str = ""
    background: bool = False
    patience: float = 0.0


@dataclass(frozen=True)
class WorkerLimits:
    """What a worker may take for one file."""

    memory: int = 4096  # MiB
    pages: int = 2000  # of any PDF, also of one within a mail


class _JobWorker:
    """One process, at the other end of two pipes."""

    def __init__(self, limits: WorkerLimits) -> None:
        given = (limits.memory, limits.pages, os.getpid())
        command = [sys.executable, "-m", "efface.service.jobs.worker", *map(str, given)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        assert self._process.stdin is not None and self._process.stdout is not None
        self._calls, self._answers = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._calls, False)
        self.served = 0
        self.kept: deque[str] = deque(maxlen=_KEPT)  # what its last calls let it keep, each once
        self.works_on = ""  # what its present call lets it keep
        self._is_ready = False

    def run(self, call: Call) -> MessageFrame:
        """The answer, or an exception after which the worker is of no use. The time to start is not the call's."""
        if not self._is_ready:
            self._await_start(call)
        deadline = time.monotonic() + call.seconds
        self.served += 1
        self._send(encode(MessageFrame({"task": call.task, "given": call.given}, call.files)), call, deadline)
        while True:
            frame = decode(lambda size: self._read(size, call, deadline), _MOST_ANSWER)
            if "stage" not in frame.values:
                return frame
            call.watch(frame.values["stage"])

    def _await_start(self, call: Call) -> None:
        """Wait until it has imported what it needs. That this takes long says something of the machine, not of the file."""
        deadline = time.monotonic() + _START_SECONDS
        try:
            frame = decode(lambda size: self._read(size, call, deadline))
        except Problem:
            raise Problem(
                "busy", "No worker process has started yet.", headers={"Retry-After": "5"}
            ) from None
        self._is_ready = bool(frame.values["ready"])

    def _send(self, data: bytes, call: Call, deadline: float) -> None:
        view = memoryview(data)
        while view:
            if self._ready([], [self._calls], call, deadline):
                with suppress(BlockingIOError):
                    view = view[os.write(self._calls, view[:_PIECE]) :]

    def _read(self, size: int, call: Call, deadline: float) -> bytes:
        pieces = bytearray()
        while len(pieces) < size:
            if self._ready([self._answers], [], call, deadline):
                piece = os.read(self._answers, min(_PIECE, size - len(pieces)))
                if not piece:
                    raise EOFError
                pieces += piece
        return bytes(pieces)

    def _ready(self, reads: list[int], writes: list[int], call: Call, deadline: float) -> bool:
        if call.gone.is_set():
            raise ClientDisconnected
        left = deadline - time.monotonic()
        if left <= 0:
            raise Problem("timeout", "The file takes longer than the limit.")
        ready = select.select(reads, writes, [], min(left, _POLL))
        return bool(ready[0] or ready[1])

    def take_up(self, keeps: str) -> None:
        """Note what the next call lets it keep."""
        self.works_on = keeps
        if keeps in self.kept:
            self.kept.remove(keeps)
        if keeps:
            self.kept.append(keeps)

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    @property
    def resident(self) -> int:
        """MiB that it holds."""
        try:
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE") >> 20

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


# Idle workers by their limits, kept for whichever service of this process calls next.
_IDLE: dict[WorkerLimits, list[_JobWorker]] = {}


# The kernel ends a worker when the thread that started it ends, so all are started by one that stays.
_STARTER = ThreadPoolExecutor(1, thread_name_prefix="starter")


def _started(limits: WorkerLimits) -> _JobWorker:
    return _STARTER.submit(_JobWorker, limits).result()


@atexit.register
def _end_idle() -> None:
    for worker in [each for workers in _IDLE.values() for each in workers]:
        worker.end()


class _Slots:
    """Calls that may go on at a time. One person never has all of them, unless there is only one."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._most = max(1, count - 1)
        self._held: Counter[str] = Counter()
        self._changed = threading.Condition()

    def take(self, user: str, seconds: float) -> bool:
        """Whether there was one for this person within so many seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._free and self._held[user] < self._most, seconds):
                return False
            self._free -= 1
            self._held[user] += 1
            return True

    def give_back(self, user: str) -> None:
        with self._changed:
            self._free += 1
            self._held[user] -= 1
            self._held += Counter()  # drops people with none
            self._changed.notify_all()


class Processes:
    """The workers of one service: at most `count` at a time, and at most `per_user` calls of one person, which do not
    take all of the workers. As many calls again go on in the background: whatever they take, those who wait for an
    answer have their workers."""

    def __init__(self, count: int, limits: WorkerLimits, per_user: int) -> None:
        self._limits = limits
        self._per_user = per_user
        self._slots = {False: _Slots(count), True: _Slots(count)}  # by whether they are in the background
        self._lock = threading.Lock()
        self._freed = threading.Condition(self._lock)
        self._idle = _IDLE.setdefault(limits, [])
        self._busy: set[_JobWorker] = set()
        self._users: Counter[str] = Counter()
        self._closed = threading.Event()

    def run(self, call: Call) -> MessageFrame:
        """The answer of a worker; a problem that it reports is raised."""
        with self._user_slot(f"{call.user} opens" if call.task == "view" else call.user), self._slot(call):
            worker = self._acquire_worker(call)
            try:
                frame = worker.run(call)
            except BaseException as error:
                self._end_worker(worker)
                raise self._problem_of(error) from None
            self._release_worker(worker)
        return _result(frame)

    def warm(self) -> None:
        """Start a worker before the first file comes: importing takes a second or two."""
        with self._lock:
            if not self._idle and not self._closed.is_set():
                self._idle.append(_started(self._limits))

    def close(self) -> None:
        """End all busy workers at once and wake the callers that wait for one. Idle workers end with this process."""
        self._closed.set()
        with self._lock:
            self._freed.notify_all()
            workers = [*self._busy]
        for worker in workers:
            worker.end()

    @contextmanager
    def _user_slot(self, user: str) -> Iterator[None]:
        with self._lock:
            if self._users[user] >= self._per_user:
                raise Problem("too-many-requests", "Wait for your other files.", headers={"Retry-After": "2"})
            self._users[user] += 1
        try:
            yield
        finally:
            with self._lock:
                self._users[user] -= 1
                self._users += Counter()  # drops users with no call

    @contextmanager
    def _slot(self, call: Call) -> Iterator[None]:
        """Wait for a free worker as long as the caller wants the answer; in the background for as long as it takes."""
        deadline = math.inf if call.background else time.monotonic() + call.seconds
        slots = self._slots[call.background]
        while not slots.take(call.user, _POLL):
            if call.gone.is_set() or self._closed.is_set():
                raise ClientDisconnected
            if time.monotonic() > deadline:
                raise Problem("busy", headers={"Retry-After": "5"})
        try:
            yield
        finally:
            slots.give_back(call.user)

    def _acquire_worker(self, call: Call) -> _JobWorker:
        with self._lock:
            if call.patience:
                self._freed.wait_for(
                    lambda: self._closed.is_set() or not self._comes_back(call.keeps), call.patience
                )
            if not self._idle and self._busy:
                self._freed.wait_for(lambda: self._idle or self._closed.is_set(), _SOON)
            if self._closed.is_set():
                raise Problem("busy", "The service is stopping.")
            worker = self._idle_one(call.keeps) or _started(self._limits)
            worker.take_up(call.keeps)
            self._busy.add(worker)
        return worker

    def _comes_back(self, keeps: str) -> bool:
        """Whether no idle worker keeps it, and one does that is busy with the same or with something short."""
        if any(keeps in worker.kept for worker in self._idle):
            return False
        return any(keeps in worker.kept and worker.works_on in ("", keeps) for worker in self._busy)

    def _idle_one(self, keeps: str) -> _JobWorker | None:
        """The worker that keeps what the call needs; otherwise one that keeps little, of these the last one used. Other
        services of this process share the list, so it may be empty after all."""
        # Sorting is stable, so of equals the one that was used last stays last.
        ranked = sorted(self._idle, key=lambda each: (keeps in each.kept, -len(each.kept)))
        for worker in reversed(ranked):
            try:
                self._idle.remove(worker)
            except ValueError:
                continue
            if worker.lives:
                return worker
            worker.end()
        return None

    def _release_worker(self, worker: _JobWorker) -> None:
        is_used_up = worker.served >= _CALLS or worker.resident > self._limits.memory // _FAT
        if is_used_up or self._closed.is_set():
            self._end_worker(worker)
            return
        with self._lock:
            self._busy.discard(worker)
            self._idle.append(worker)
            self._freed.notify_all()  # one may wait for this worker, and another one for any

    def _end_worker(self, worker: _JobWorker) -> None:
        with self._lock:
            self._busy.discard(worker)
            self._freed.notify_all()
        worker.end()

    def _problem_of(self, error: BaseException) -> BaseException:
        """A worker that died was ended by the system: for memory, or because the file broke a library."""
        if not isinstance(error, EOFError | BrokenPipeError):
            return error
        if self._closed.is_set():
            return Problem("busy", "The service is stopping.")
        return Problem("too-large", "The file takes more memory than the limit, or cannot be read at all.")


def _result(frame: MessageFrame) -> MessageFrame:
    values = frame.values
    if "bug" in values:
        log_bug(values["bug"])
        raise Problem("internal")
    if "problem" in values:
        raise Problem(values["problem"], values["detail"], **values["more"])
    return MessageFrame(values["result"], frame.files)
