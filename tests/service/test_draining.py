"""A service that is told to stop says so before its port closes."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from efface.service.draining import Draining, closing_seconds, graceful_seconds
from efface.service.jobs.processes import Call, WorkerLimits, _JobWorker
from efface.service.settings import ServiceSettings
from tests.service.hospital import NOTE, House, furnish
from tests.service.processes import start


def test_a_service_that_stops_is_not_ready_and_still_answers(house: House) -> None:
    assert house.client.get("/ready").status_code == 200
    assert "connection" not in house.client.get("/health").headers
    house.service.draining.begin()
    told = house.client.get("/ready")
    assert told.status_code == 503 and "stopping" in told.json()["detail"]
    for answer in (told, house.client.get("/health"), house.get("reviewer", "/v1/folders")):
        assert answer.headers["connection"] == "close", "it is not used again when the port closes"
    id = house.add("note.txt", NOTE)
    assert house.get("high", f"/v1/documents/{id}").content == NOTE


@pytest.mark.parametrize("drain", [0, 1, 2.5, 3, 4, 5])
def test_it_stops_within_ten_seconds_however_long_it_drains(drain: float) -> None:
    graceful, closing = graceful_seconds(drain), closing_seconds(drain)
    assert graceful >= 2 and closing >= 2
    assert drain + graceful + closing <= 9


def test_whoever_is_alone_on_the_machine_does_not_wait(tmp_path: Path) -> None:
    def seconds(**given: object) -> float:
        return ServiceSettings.model_validate({"home": tmp_path, **given}).seconds_to_drain

    assert (seconds(), seconds(drain_seconds=1)) == (0, 1)
    assert seconds(host="0.0.0.0") == seconds(proxies=["127.0.0.1/32"]) == 3


def test_no_upload_is_lost_by_a_proxy_that_looks_at_ready(tmp_path: Path) -> None:
    """The proxy sends nothing twice, keeps its connection, and goes on until `/ready` says 503."""
    settings = ServiceSettings(home=tmp_path / "home", drain_seconds=1.5)
    service, tokens = furnish(settings)
    service.store.close()
    server = start(settings, tokens)
    try:
        codes: list[int] = []
        told = 0.0
        with server.client("reviewer") as client:
            while client.get("/ready").status_code == 200:
                if not told and len(codes) == 3:
                    server.process.send_signal(signal.SIGTERM)
                    told = time.monotonic()
                answer = client.post("/v1/folders/wards/documents", files={"file": ("n.txt", NOTE)})
                codes.append(answer.status_code)
            # Other clients are served until the time is over, and then the port is closed.
            late = client.post("/v1/folders/wards/documents", files={"file": ("n.txt", NOTE)})
        assert set(codes) == {201} and late.status_code == 201
        assert late.headers["connection"] == "close"
        server.process.wait(60)
        assert 1.5 <= time.monotonic() - told < 10
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{server.url}/health", trust_env=False)
    finally:
        server.stop()


def test_a_worker_process_ends_when_the_service_says_so() -> None:
    """A system that stops a service may send SIGTERM to all of its processes, while requests are still answered."""
    worker = _JobWorker(WorkerLimits())
    try:
        given = {"name": "n.txt", "term": "grey"}
        call = Call("holds", "kim", 60, given, (b"A grey cat.",))
        assert worker.run(call).values["result"] == {"holds": True}
        os.kill(worker._process.pid, signal.SIGTERM)
        assert worker.run(call).values["result"] == {"holds": True}
    finally:
        worker.end()


class _Loop:
    """Notes what is to be done later."""

    def __init__(self) -> None:
        self.later: list[tuple[Any, ...]] = []

    def call_soon_threadsafe(self, act: Callable[..., None], *given: Any) -> None:
        act(*given)

    def call_later(self, *given: Any) -> None:
        self.later.append(given)


def test_a_second_sigterm_does_not_cut_the_time_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The supervisor of several processes passes it on to those who got it already."""
    stopped: list[int] = []
    draining, loop = Draining(3), _Loop()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    before = signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    try:
        draining.delay_sigterm()
        for _ in range(2):
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert draining.has_begun and not stopped
    ((seconds, act, *given),) = loop.later
    act(*given)
    assert (seconds, stopped) == (3, [signal.SIGTERM])
