"""Work on files runs in processes that can be ended: for time, memory and pages, and when nobody waits for it."""

from __future__ import annotations

import asyncio
import io
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from efface.service.app import create
from efface.service.jobs.first_look_leases import FirstLooks
from efface.service.jobs.processes import Call, ClientDisconnected, Processes, WorkerLimits
from efface.service.problems import Problem
from tests.service.hospital import House, Open
from tests.service.jobs.test_work import MAIL, finished, submitted
from tests.service.loops import run_alone
from tests.service.processes import running

SLOW = (
    b"Write to ann@example.org or to Dr. Ann Brandt of Oslo, who came along in May. " * 60_000
)  # takes minutes
PAGES = 2  # for all tests: workers of equal limits are shared


def pdf(pages: int) -> bytes:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="reportlab is not installed")
    data = io.BytesIO()
    made = canvas.Canvas(data, pagesize=(200, 200))
    for number in range(pages):
        made.drawString(20, 100, f"page {number}")
        made.showPage()
    made.save()
    return data.getvalue()


def until(holds: Callable[[], bool], seconds: float = 300) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


def call(task: str = "assess", data: bytes = MAIL, **more: Any) -> Call:
    given = {"name": "n.txt", "policy": "efface: 1", "folder": ".", "viewer": "x", "document_key": "00" * 16}
    return Call(task, "somebody", more.pop("seconds", 120.0), given, (data,), **more)


@pytest.fixture
def processes() -> Any:
    made = Processes(2, WorkerLimits(), 1)
    yield made
    made.close()


def test_a_worker_answers_and_is_used_again(processes: Processes) -> None:
    for _ in range(2):
        done = processes.run(call("redact"))
        assert done.values["verdict"] == "held" and done.files[0] == b"Write to [EMAIL_ADDRESS_1] today."
    assert len(processes._idle) == 1 and not processes._busy


def test_a_worker_outlives_the_thread_that_first_called_it(processes: Processes) -> None:
    """The kernel ties a child to the thread that started it, not to the process."""
    known, processes._idle = processes._idle, []  # those that are there stay for the next tests
    thread = threading.Thread(target=lambda: processes.run(call()))
    thread.start()
    thread.join()
    (worker,) = processes._idle
    time.sleep(0.2)
    assert worker.lives
    assert processes.run(call()).values["verdict"] == "broken"
    known.append(worker)


def test_a_bug_in_a_worker_is_told_without_a_word_of_the_file(processes: Processes, caplog: Any) -> None:
    with caplog.at_level(logging.INFO), pytest.raises(Problem) as told:
        processes.run(call("no such task", b"Brandt"))
    assert told.value.kind == "internal"
    assert "KeyError" in caplog.text and "Brandt" not in caplog.text


def test_an_answer_that_would_fill_the_memory_is_not_read(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("efface.service.jobs.processes._MOST_ANSWER", 10)
    with pytest.raises(Problem) as told:
        processes.run(call("redact"))
    assert told.value.kind == "too-large" and not processes._busy


def test_time_is_over(processes: Processes) -> None:
    with pytest.raises(Problem) as told:
        processes.run(call(data=SLOW, seconds=1.0))
    assert told.value.kind == "timeout" and not processes._busy


def test_memory_is_over() -> None:
    small = Processes(1, WorkerLimits(memory=512), 1)
    with pytest.raises(Problem) as told:
        small.run(call(data=b"x " * (150 << 20)))
    assert told.value.kind == "too-large"
    assert small.run(call()).values["verdict"] == "broken", "another worker takes its place"
    small.close()


def test_whoever_asks_for_too_much_at_a_time_waits(processes: Processes) -> None:
    gone, ended = threading.Event(), threading.Event()

    def first() -> None:
        with pytest.raises(ClientDisconnected):
            processes.run(call(data=SLOW, gone=gone))
        ended.set()

    thread = threading.Thread(target=first)
    thread.start()
    assert until(lambda: bool(processes._busy))
    with pytest.raises(Problem) as told:
        processes.run(call())
    assert told.value.kind == "too-many-requests"
    gone.set()
    assert ended.wait(300) and not processes._busy
    thread.join()
    assert processes.run(call()).values["verdict"] == "broken"


def test_nobody_has_all_workers() -> None:
    """With the limits of the defaults one person's files had every worker for as long as a request may take."""
    processes, gone = Processes(2, WorkerLimits(), 8), threading.Event()

    def endless() -> None:
        with pytest.raises(ClientDisconnected):
            processes.run(call(data=SLOW, gone=gone))

    threads = [threading.Thread(target=endless) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert until(lambda: processes._users["somebody"] == 4 and bool(processes._busy))
    another = replace(call(), user="another")
    assert processes.run(another).values["verdict"] == "broken"
    gone.set()
    for thread in threads:
        thread.join()
    processes.close()


def test_a_request_that_takes_too_long_is_given_up(open_house: Open) -> None:
    house = open_house(request_seconds=1.0)
    assert house.post("reviewer", "/v1/redact", files={"file": ("n.txt", SLOW)}).status_code == 504
    assert until(lambda: not house.service.processes._busy)


def asked_and_left(house: House, method: str, path: str, query: str = "", body: bytes = b"") -> None:
    """A request by hand: its body arrives, and once a worker is busy with it the connection is closed."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        while not house.service.processes._busy:
            await asyncio.sleep(0.05)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"multipart/form-data; boundary=b")] if body else []
    headers += [(b"host", b"x"), (b"content-length", b"%d" % len(body))]
    headers += [(b"authorization", house.as_("reviewer")["Authorization"].encode())]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
             "root_path": "", "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 1),
             "server": ("127.0.0.1", 80), "headers": headers}  # fmt: skip
    run_alone(create(house.service)(scope, receive, send))


def test_work_ends_when_whoever_asked_goes_away(house: House) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="n.txt"\r\n\r\n'
    asked_and_left(house, "POST", "/v1/redact", body=head + SLOW + b"\r\n--b--\r\n")
    assert until(lambda: not house.service.processes._busy)


def test_a_running_job_is_cancelled(house: House) -> None:
    id = submitted(house, SLOW)
    assert until(lambda: bool(house.service.processes._busy))
    assert until(lambda: house.get("reviewer", f"/v1/jobs/{id}").json()["stage"] != "queued")
    assert 0 < house.get("reviewer", f"/v1/jobs/{id}").json()["progress"] < 1
    assert house.client.delete(f"/v1/jobs/{id}", headers=house.as_("reviewer")).status_code == 204
    assert finished(house, id)["state"] == "cancelled"
    assert until(lambda: not house.service.processes._busy)
    assert house.get("reviewer", f"/v1/jobs/{id}/file").status_code == 404


def test_a_file_of_too_many_pages_is_neither_drawn_nor_looked_at(open_house: Open) -> None:
    house = open_house(pages=PAGES)
    good, bad = pdf(PAGES), pdf(PAGES + 1)
    ids = [
        house.post("reviewer", "/v1/reviews", files={"file": ("a.pdf", data)}).json()["id"]
        for data in (good, bad)
    ]
    for path in ("", "/pages", "/pages/0", "/pages/0/image", "/view"):
        codes = [house.get("reviewer", f"/v1/reviews/{id}{path}").status_code for id in ids]
        assert codes == [200, 422], path
    id = house.add("a.pdf", bad)
    assert house.get("high", f"/v1/documents/{id}").status_code == 404, "as any file that cannot be read"


def attached(data: bytes) -> bytes:
    """A mail that brings a PDF."""
    mail = EmailMessage()
    mail["Subject"] = "Papers"
    mail.set_content("See the file.")
    mail.add_attachment(data, maintype="application", subtype="pdf", filename="a.pdf")
    return mail.as_bytes()


@pytest.mark.parametrize("within_mail", [False, True])
def test_no_route_reads_a_file_of_too_many_pages(open_house: Open, within_mail: bool) -> None:
    """A PDF of 20,000 pages went through `redact` and jobs, and anywhere as an attachment of a mail."""
    house = open_house(pages=PAGES)
    name, data = ("a.eml", attached(pdf(PAGES + 1))) if within_mail else ("a.pdf", pdf(PAGES + 1))
    for path in ("/v1/redact", "/v1/assess"):
        answer = house.post("reviewer", path, files={"file": (name, data)})
        assert answer.status_code == 422 and "more than 2 pages" in answer.json()["detail"], path
    job = house.post("reviewer", "/v1/jobs", files={"file": (name, data)}).json()["id"]
    ended = finished(house, job)
    assert ended["state"] == "failed" and "more than 2 pages" in ended["problem"]["detail"]
    review = house.post("reviewer", "/v1/reviews", files={"file": (name, data)}).json()["id"]
    assert house.get("reviewer", f"/v1/reviews/{review}/view").status_code == 422
    document = house.add(name, data)
    assert house.get("high", f"/v1/documents/{document}").status_code == 404


def test_a_look_that_never_ends_is_not_begun_for_ever(house: House) -> None:
    """As after processes that died while they looked: each start begins the look again, but not a fourth time."""
    service = house.service
    who = service.people.identify(house.tokens["reviewer"])
    assert who is not None
    id = service.review_store.add(who, "patterns", "left.txt", MAIL)
    service.review_store._set(id, state="working", attempts=3)
    service.look_at_what_waits()
    assert until(lambda: service.review_store.get(id).state == "failed")
    assert service.review_store.unseen() == []


def test_a_look_that_ends_with_its_process_is_the_next_ones_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = house.service
    who = service.people.identify(house.tokens["reviewer"])
    assert who is not None
    id = service.review_store.add(who, "patterns", "left.txt", MAIL)

    def stopping(_processes: Processes, _call: Call) -> None:
        raise Problem("busy", "The service is stopping.")

    with monkeypatch.context() as patched:
        patched.setattr(Processes, "run", stopping)
        service.review_store.look(id)
        row = service.review_store.get(id)
        assert (row.state, row.attempts) == ("waiting", 0) and service.review_store.unseen() == [id]


def test_a_look_that_another_process_has_is_left_to_it_until_its_time_is_over(house: House) -> None:
    service = house.service
    who = service.people.identify(house.tokens["reviewer"])
    assert who is not None
    id = service.review_store.add(who, "patterns", "left.txt", MAIL)
    service.review_store._set(id, state="working", lease=time.time() + 600)
    assert service.review_store.unseen() == []
    service.review_store.look(id)
    assert service.review_store.get(id).state == "working", "it is not ours"
    service.review_store._set(id, lease=time.time() - 1)  # its process has died
    assert service.review_store.unseen() == [id]
    service.look_at_what_waits()
    assert until(lambda: service.review_store.get(id).state == "held")


def test_a_look_of_a_process_that_died_is_soon_another_ones(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a look may take: whoever works on one gives signs of life."""
    service = house.service
    who = service.people.identify(house.tokens["reviewer"])
    assert who is not None
    id = service.review_store.add(who, "patterns", "left.txt", MAIL)
    looks = FirstLooks(service.store)
    assert looks.claim(id) == 1 and looks.claim(id) is None
    first = service.review_store.get(id).lease
    assert first < time.time() + 60, "not the time that a whole look has"
    monkeypatch.setattr("efface.service.jobs.first_look_leases._RENEWED", 0.01)
    with looks.renewing(id):
        assert until(lambda: service.review_store.get(id).lease > first)


def test_a_first_look_that_comes_late_takes_nothing_back(house: House) -> None:
    """Another machine has looked at it meanwhile, and it has left: a look that waited here for longer than that machine
    would have had made it a document that waits, and after some of them one that failed."""
    service = house.service
    who = service.people.identify(house.tokens["reviewer"])
    assert who is not None
    id = service.review_store.add(who, "patterns", "left.txt", MAIL)
    service.review_store.look(id)
    for state in ("held", "exported"):
        service.review_store._set(id, state=state, lease=time.time() - 1)
        service.review_store.look(id)
        row = service.review_store.get(id)
        assert (row.state, row.attempts) == (state, 1)


def test_the_service_stops_soon_whatever_it_works_on(tmp_path: Path) -> None:
    """A PDF kept a process alive for 45 s after SIGTERM."""
    with running(tmp_path) as server:
        with server.client("reviewer") as client:
            ids = []
            for _ in range(4):
                answer = client.post("/v1/jobs", files={"file": ("n.txt", SLOW)})
                assert answer.status_code == 202
                ids.append(answer.json()["id"])
            client.post("/v1/reviews", files={"file": ("n.txt", SLOW)})
            assert until(lambda: client.get(f"/v1/jobs/{ids[0]}").json()["state"] == "running")
        server.process.terminate()
        assert server.process.wait(300) is not None
        again = server.again()
        try:
            with again.client("reviewer") as client:
                assert client.get(f"/v1/jobs/{ids[-1]}").json()["state"] in ("queued", "running"), (
                    "it is not lost"
                )
        finally:
            again.kill()
