"""A worker process: takes calls from the service at its standard input, one at a time, and answers at its output.

It is started by `processes.py`, which ends it when a call takes too long or the client has disconnected.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

from efface.service.jobs.worker_messages import MessageFrame, decode, encode
from efface.service.problems import problem_of, where_of

WorkerTask = Callable[..., tuple[dict[str, Any], Sequence[bytes]]]

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def main() -> None:
    """`python -m efface.service.jobs.worker MEMORY_MIB PAGES PARENT_PID`."""
    memory, pages, parent = (int(given) for given in sys.argv[1:4])
    for number in (signal.SIGINT, signal.SIGTERM):  # the service decides when a worker ends
        signal.signal(number, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_DATA, (memory << 20, memory << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold documents
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        return
    gc.disable()  # what is loaded here stays: looking through it again and again is a tenth of the start
    from efface.formats.pdf.reader.opening import LIMITS
    from efface.service.jobs import tasks  # before the first call comes: this takes a second or two

    gc.freeze()
    gc.enable()
    LIMITS.pages = pages

    calls, answers = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints goes to the log, not between the answers
    _send(answers, MessageFrame({"ready": True}))
    while True:
        try:
            call = decode(lambda size: _exactly(calls, size))
        except EOFError:
            return
        _send(answers, _run_task(call, answers, tasks.TASKS))


def _run_task(call: MessageFrame, answers: BinaryIO, tasks: Mapping[str, WorkerTask]) -> MessageFrame:
    def watch(stage: str) -> None:
        _send(answers, MessageFrame({"stage": stage}))

    try:
        values, files = tasks[call.values["task"]](call.files, watch, **call.values["given"])
        return MessageFrame({"result": values}, tuple(files))
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> MessageFrame:
    """What the service may know of an error: a problem, or where a bug is."""
    from efface.errors import EffaceError
    from efface.service.problems import Problem

    if not isinstance(error, EffaceError | Problem | MemoryError):
        return MessageFrame({"bug": where_of(error)})
    problem = problem_of(error)
    return MessageFrame({"problem": problem.kind, "detail": problem.detail, "more": problem.more})


def _exactly(source: BinaryIO, size: int) -> bytes:
    found = source.read(size)
    if len(found) < size:
        raise EOFError
    return found


def _send(answers: BinaryIO, frame: MessageFrame) -> None:
    answers.write(encode(frame))
    answers.flush()


if __name__ == "__main__":
    main()
