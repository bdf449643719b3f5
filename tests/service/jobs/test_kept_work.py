"""Which worker gets a call: one that has read the document before, and page pictures do not take it away."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from typing import Any

import pytest

from efface.service.jobs import processes
from efface.service.jobs.processes import Call, Processes, WorkerLimits, _JobWorker
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.problems import Problem

_MEMORY = itertools.count(5000)  # a list of idle workers for each test


class _Worker(_JobWorker):
    """No process: it answers once the call's `may_end` is set."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.served = 0
        self.kept = deque(maxlen=3)
        self.works_on = ""

    def run(self, call: Call) -> MessageFrame:
        call.given["begun"].set()
        assert call.given["may_end"].wait(60)
        return MessageFrame({"result": {"worker": self.number}})

    lives = property(lambda self: True)
    resident = property(lambda self: 0)

    def end(self) -> None:
        pass


class _Calls:
    """Calls to workers that are no processes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = itertools.count()
        monkeypatch.setattr(processes, "_started", lambda _limits: _Worker(next(numbers)))
        self.processes = Processes(8, WorkerLimits(memory=next(_MEMORY)), 8)

    def begin(self, keeps: str = "", patience: float = 0.0, ends: bool = False) -> _Begun:
        return _Begun(self.processes, keeps, patience, ends)

    def now(self, keeps: str = "", patience: float = 0.0) -> int:
        """The number of the worker that has answered."""
        return self.begin(keeps, patience, ends=True).worker()


class _Begun:
    def __init__(self, workers: Processes, keeps: str, patience: float, ends: bool) -> None:
        self.begun, self._may_end = threading.Event(), threading.Event()
        if ends:
            self._may_end.set()
        given: dict[str, Any] = {"begun": self.begun, "may_end": self._may_end}
        call = Call("task", "ann", 60, given, keeps=keeps, patience=patience)
        self._answers: list[MessageFrame] = []
        self._thread = threading.Thread(target=lambda: self._answers.append(workers.run(call)))
        self._thread.start()

    def worker(self) -> int:
        self._may_end.set()
        self._thread.join(60)
        return int(self._answers[0].values["worker"])


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> _Calls:
    return _Calls(monkeypatch)


def test_a_document_goes_to_the_worker_that_has_read_it(calls: _Calls) -> None:
    busy = calls.begin("letter")
    busy.begun.wait(60)
    other = calls.now("memo")
    first = busy.worker()
    assert first != other
    assert [calls.now("memo") for _ in range(4)] == [other] * 4
    assert calls.now("letter") == first


def test_what_needs_nothing_leaves_the_readers_alone(calls: _Calls) -> None:
    picture = calls.begin()
    picture.begun.wait(60)
    reader = calls.now("letter")
    assert picture.worker() != reader
    assert calls.now() != reader and calls.now() != reader


@pytest.mark.parametrize("meanwhile", ["letter", ""])
def test_a_decision_waits_for_the_worker_that_has_found_everything(calls: _Calls, meanwhile: str) -> None:
    reader = calls.now("letter")
    busy = calls.begin(meanwhile)
    busy.begun.wait(60)
    decision = calls.begin("letter", patience=60, ends=True)
    assert not decision.begun.wait(1.0)  # longer than any worker is waited for
    assert busy.worker() == reader and decision.worker() == reader


def test_nobody_waits_for_a_worker_that_has_begun_another_document(calls: _Calls) -> None:
    reader = calls.now("letter")
    busy = calls.begin("a long one")
    busy.begun.wait(60)
    assert calls.now("letter", patience=60) != reader
    assert busy.worker() == reader


def test_a_worker_that_starts_slowly_is_no_fault_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a note of two lines "took longer than the limit", and was refused from then on."""
    workers = Processes(1, WorkerLimits(memory=next(_MEMORY)), 1)
    monkeypatch.setattr(processes, "_START_SECONDS", 0.0)
    with pytest.raises(Problem) as found:
        workers.run(Call("review_document", "ann", 60, {}))
    assert found.value.kind == "busy"
