"""Redacting, assessing and jobs over HTTP; limits, headers and errors."""

from __future__ import annotations

import base64
import io
import json
import logging
import os
import time
import zipfile
from types import SimpleNamespace
from typing import Any

import pytest

from efface.service.jobs.processes import Processes
from efface.service.jobs.queue import Jobs
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.store import jobs as table
from tests.service.hospital import NOTE, House, Open

MAIL = b"Write to ann@example.org today."


def test_redact_gives_the_file_and_on_request_the_report(house: House) -> None:
    sent = {"file": ("note.txt", MAIL)}
    plain = house.post("reviewer", "/v1/redact", files=sent)
    assert plain.status_code == 200 and plain.text == "Write to [EMAIL_ADDRESS_1] today."
    assert plain.headers["efface-verdict"] == "held"
    both = house.post("reviewer", "/v1/redact", files=sent, headers={"Accept": "application/json"}).json()
    assert base64.b64decode(both["file"]["base64"]) == plain.content
    assert both["report"]["edits"][0]["original"] == "ann@example.org"


def test_redact_with_a_policy_of_the_service_and_of_the_request(house: House) -> None:
    def redact(**data: str) -> Any:
        return house.post("reviewer", "/v1/redact", files={"file": ("n.txt", NOTE)}, data=data)

    assert "Brandt" not in redact(policy="wards").text, "the reviewer is no viewer that the database knows"
    assert redact(policy_text="find: {patterns: none, names: none, deny: [Oslo]}").text.count("Oslo") == 0
    assert redact(policy="nothing").status_code == 404
    assert redact(policy="wards", policy_text="efface: 1").status_code == 422
    assert redact(policy_text="[").status_code == 422


def test_a_policy_in_a_request_is_read_by_a_worker_process(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading 64 KiB of YAML takes seconds, in which the service's own process would answer nobody."""

    def read_here(*_given: object) -> None:
        raise AssertionError("the service itself read a policy that somebody sent")

    monkeypatch.setattr("efface.service.repository.policies.parse", read_here)
    sent = {"policy_text": "find: {patterns: none, names: none, deny: [Oslo]}"}
    for path in ("/v1/redact", "/v1/assess"):
        answer = house.post("reviewer", path, files={"file": ("n.txt", NOTE)}, data=sent)
        assert answer.status_code == 200, answer.text


REACHING = [
    "knowledge: {a: {database: 'postgresql://10.0.0.1/x', entities: t, identifying: [n]}}",
    "knowledge: {a: {database: 'sqlite:////etc/passwd', entities: t, identifying: [n]}}",
    "knowledge: {a: {entities: /etc}}",
    "find: {deny_file: /etc/passwd}",
    "find: {names: {model: /etc}}",
    "find: {names: {spacy: /tmp/evil}}",
    "find: {names: {presidio: en}}",
    "find: {names: {gliner: someone/model}}",
    "guarantees: [{semantic: {hide: [HIV], web: {url: 'http://169.254.169.254/', count: n, documents: 9}}}]",
    "guarantees: [{identifiers: {model: /etc/passwd}}]",
    "key: env:HOME",
    "key: file:/etc/passwd",
    "guarantees: [{k-confusability: {model: /etc/passwd}}]",
    "guarantees: [{semantic: {hide: [HIV], corpora: [/etc/passwd]}}]",
    "guarantees: [{semantic: {hide: [HIV], taxonomies: ['http://169.254.169.254/']}}]",
]


@pytest.mark.parametrize("text", REACHING)
def test_a_policy_in_a_request_reaches_for_nothing(shared_house: House, text: str) -> None:
    for path in ("/v1/redact", "/v1/assess"):
        answer = shared_house.post(
            "reviewer", path, files={"file": ("n.txt", NOTE)}, data={"policy_text": text}
        )
        assert answer.status_code == 422 and answer.json()["type"] == "/problems/policy"


@pytest.mark.parametrize(
    "name", ["../wards", "..%2Fwards", "/etc/passwd", "wards.yaml", "wards\0", "a/b", ".", ""]
)
def test_names_are_no_paths(shared_house: House, name: str) -> None:
    answer = shared_house.post(
        "reviewer", "/v1/redact", files={"file": ("n.txt", NOTE)}, data={"policy": name}
    )
    assert answer.status_code == (200 if name == "" else 404)
    name = name.replace("\0", "%00")
    for path in (
        f"/v1/documents/{name}",
        f"/v1/jobs/{name}/file",
        f"/dav/{name}",
        f"/v1/folders/{name}/documents",
    ):
        assert b"root:" not in shared_house.get("reviewer", path).content


def test_uploaded_names_are_no_paths(house: House) -> None:
    id = house.add("../../evil.txt", b"hello")
    assert house.service.repository.stored([id])[id].name == "evil.txt"
    tree = list(house.service.settings.home.parent.rglob("*evil*"))
    assert not tree


def test_assess_tells_where_and_what_but_quotes_nothing(house: House) -> None:
    found = house.post("reviewer", "/v1/assess", files={"file": ("n.txt", MAIL)}).json()
    assert found["verdict"] == "broken" and found["findings"][0]["start"] == 9
    assert "ann@" not in json.dumps(found)


def test_headers_are_not_injected(house: House) -> None:
    name = 'a\r\nSet-Cookie: x=1; "; filename=evil.html'
    answer = house.post("reviewer", "/v1/redact", files={"file": (name, MAIL)})
    assert "set-cookie" not in answer.headers
    assert answer.status_code == 422 or "\r" not in answer.headers["content-disposition"]


def test_every_answer_has_the_safe_headers(house: House) -> None:
    for answer in (
        house.client.get("/health"),
        house.client.get("/nowhere"),
        house.get("low", "/v1/documents"),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


def test_errors_are_problem_documents(house: House) -> None:
    answers = {
        401: house.client.get("/v1/me"),
        403: house.get("low", "/v1/users"),
        404: house.get("low", "/nowhere"),
        405: house.client.put("/health"),
        422: house.get("low", "/v1/documents?limit=none"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status and answer.json()["type"].startswith("/problems/")


def test_a_bug_tells_nobody_anything(house: House, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("Brandt of Oslo")

    monkeypatch.setattr("efface.service.jobs.processes.Processes.run", broken)
    with caplog.at_level(logging.INFO):
        answer = house.post("reviewer", "/v1/redact", files={"file": ("n.txt", NOTE)})
    assert answer.status_code == 500 and "Brandt" not in answer.text
    assert "RuntimeError" in caplog.text and "Brandt" not in caplog.text


def test_logs_hold_no_words_and_no_secrets(house: House, caplog: Any) -> None:
    with caplog.at_level(logging.DEBUG):
        id = house.add("brandt.txt", NOTE)
        house.get("low", f"/v1/documents/{id}")
        house.get("low", "/v1/documents?q=Okonkwo")
        house.post("reviewer", "/v1/redact", files={"file": ("brandt.txt", NOTE)})
        house.client.get("/v1/me", headers={"Authorization": "Bearer efface_secret"})
    ours = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith(("efface", "uvicorn"))
    )
    assert "/v1/documents/{id}" in ours
    for word in ("Brandt", "brandt", "Okonkwo", "efface_", "Bearer"):
        assert word not in ours


def test_an_oversized_upload_is_refused_by_its_length_and_by_its_bytes(open_house: Open) -> None:
    house = open_house(max_upload=1)
    big = b"x" * (2 << 20)
    answer = house.post("reviewer", "/v1/redact", files={"file": ("n.txt", big)})
    assert answer.status_code == 413

    def pieces() -> Any:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="n.txt"\r\n\r\n'
        for _ in range(64):
            yield b"x" * (1 << 16)
        yield b"\r\n--b--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    answer = house.post("reviewer", "/v1/redact", content=pieces(), headers=headers)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_zip_bomb_is_refused(house: House) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr("word/document.xml", b"<w>" + b"a" * (70 << 20) + b"</w>")
    started = time.monotonic()
    answer = house.post("reviewer", "/v1/redact", files={"file": ("bomb.docx", buffer.getvalue())})
    assert answer.status_code == 422 and time.monotonic() - started < 60


def test_a_busy_service_says_so(open_house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    house = open_house()
    monkeypatch.setattr(house.service.workers._free, "acquire", lambda blocking: False)
    answer = house.post("reviewer", "/v1/redact", files={"file": ("n.txt", MAIL)})
    assert answer.status_code == 503 and answer.headers["retry-after"]


def finished(house: House, id: str, who: str = "reviewer") -> dict[str, Any]:
    for _ in range(6000):
        row: dict[str, Any] = house.get(who, f"/v1/jobs/{id}").json()
        if row["state"] not in ("queued", "running"):
            return row
        time.sleep(0.05)
    raise AssertionError("the job never ended")


def submitted(house: House, data: bytes = MAIL, **form: str) -> str:
    answer = house.post("reviewer", "/v1/jobs", files={"file": ("note.txt", data)}, data=form)
    assert answer.status_code == 202
    id: str = answer.json()["id"]
    assert answer.headers["location"] == f"/v1/jobs/{id}"
    return id


def test_a_job_is_done_and_its_files_fetched(house: House) -> None:
    id = submitted(house)
    row = finished(house, id)
    assert (row["state"], row["verdict"], row["progress"]) == ("done", "held", 1.0)
    assert house.get("reviewer", f"/v1/jobs/{id}/file").text == "Write to [EMAIL_ADDRESS_1] today."
    assert house.get("reviewer", f"/v1/jobs/{id}/report").json()["edits"][0]["original"] == "ann@example.org"
    assert "ann@" not in house.get("reviewer", f"/v1/jobs/{id}/certificate").text
    assert any(record.action == "release" for record in house.service.trail.records())
    assert house.client.delete(f"/v1/jobs/{id}", headers=house.as_("reviewer")).status_code == 204
    assert house.get("reviewer", f"/v1/jobs/{id}").status_code == 404
    assert not [path for path in (house.service.settings.home / "files").rglob("*") if path.is_file()]


def test_a_job_is_on_record_with_whoever_made_the_token(house: House) -> None:
    made = house.post("admin", "/v1/tokens", json={"user": "reviewer"}).json()["token"]
    headers = {"Authorization": f"Bearer {made}"}
    sent = house.client.post("/v1/jobs", files={"file": ("n.txt", NOTE)}, headers=headers).json()
    finished(house, sent["id"])
    (record,) = [each for each in house.service.trail.records() if each.action == "redact"]
    assert record.actor == "reviewer (token made by admin)"


def test_other_peoples_jobs_are_not_there(house: House) -> None:
    id = submitted(house)
    finished(house, id)
    house.service.people.put("eve", "reviewer")
    header = {"Authorization": f"Bearer {house.service.people.issue('eve')[1]}"}
    for path in ("", "/file", "/report", "/certificate"):
        assert house.client.get(f"/v1/jobs/{id}{path}", headers=header).status_code == 404
    assert house.client.delete(f"/v1/jobs/{id}", headers=header).status_code == 404
    assert house.client.get("/v1/jobs", headers=header).json() == {"jobs": []}
    assert house.get("admin", f"/v1/jobs/{id}").status_code == 200


def test_assess_as_a_job(house: House) -> None:
    id = submitted(house, kind="assess")
    assert finished(house, id)["verdict"] == "broken"
    assert house.get("reviewer", f"/v1/jobs/{id}/report").json()["findings"]
    assert house.get("reviewer", f"/v1/jobs/{id}/file").status_code == 404


def test_a_job_that_cannot_be_done_says_why(house: House) -> None:
    id = submitted(house, b"\xff\xfe\x00\x00" + b"{" * 10, policy="wards")
    house.sql("DELETE FROM patient WHERE id > 1")
    refused = submitted(house, NOTE, policy="wards")
    assert finished(house, refused)["state"] == "refused"
    assert "Brandt" not in json.dumps(finished(house, refused))
    finished(house, id)


def test_a_job_whose_worker_died_is_done_by_another(house: House) -> None:
    """As after kill -9: the row says running, and nobody renews its lease."""
    service = house.service
    file = service.blobs.put(MAIL)
    row: dict[str, Any] = {
        "id": "0" * 32,
        "owner": "reviewer",
        "viewer": "reviewer",
        "kind": "redact",
        "policy": "",
        "name": "n.txt",
    }
    row |= {"file": file, "state": "running", "stage": "writing", "worker": "dead", "attempts": 1}
    with service.store.write() as connection:
        connection.execute(table.insert().values(**row, lease=time.time() - 1, created=time.time()))
    assert finished(house, "0" * 32)["state"] == "done"


def test_a_document_that_kills_its_workers_is_given_up(house: House) -> None:
    service = house.service
    row: dict[str, Any] = {
        "id": "1" * 32,
        "owner": "reviewer",
        "viewer": "reviewer",
        "kind": "redact",
        "policy": "",
        "name": "n.txt",
    }
    row |= {
        "file": service.blobs.put(MAIL),
        "state": "running",
        "stage": "reading",
        "worker": "dead",
        "attempts": 3,
    }
    with service.store.write() as connection:
        connection.execute(table.insert().values(**row, lease=time.time() - 1, created=time.time()))
    assert finished(house, "1" * 32)["state"] == "failed"


def test_old_jobs_are_forgotten_with_their_files(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    id = submitted(house)
    finished(house, id)
    later = time.time() + 25 * 3600
    monkeypatch.setattr(time, "time", lambda: later)
    Jobs._sweep(house.service.jobs)
    assert not [path for path in (house.service.settings.home / "files").rglob("*") if path.is_file()]


def test_what_a_killed_process_left_behind_is_swept(house: House) -> None:
    """A file without a row, and one that was never finished; not those that a row names, nor new ones."""
    files = house.service.settings.home / "files"
    id = house.add("note.txt", NOTE)
    orphan = house.service.blobs.put(b"nobody's")
    half = files / orphan[:2] / ".efface-half"
    half.write_bytes(b"ha")
    house.service.jobs._sweep()
    assert half.exists() and house.service.blobs.get(orphan)
    for path in files.glob("*/*"):
        os.utime(path, (0, 0))
    house.service.jobs._sweep()
    assert [path.name for path in files.glob("*/*")] == [house.service.repository.stored([id])[id].file]


def test_metrics_count_requests_by_route(house: House) -> None:
    house.get("low", "/v1/documents?q=Brandt")
    text = house.client.get("/metrics").text
    assert 'efface_requests_total{method="GET",route="/v1/documents",status="200"} 1.0' in text
    assert "Brandt" not in text


def test_health_speaks_json_too(house: House) -> None:
    assert house.client.get("/health", headers={"Accept": "application/json"}).json()["status"] == "ok"


def test_a_readers_folder_is_not_emptied_by_accident(house: House) -> None:
    id = house.add("note.txt", NOTE)
    admin = house.as_("admin")
    assert house.client.delete("/v1/folders/wards", headers=admin).status_code == 409
    assert house.client.delete(f"/v1/documents/{id}", headers=admin).status_code == 204
    assert house.get("low", f"/v1/documents/{id}").status_code == 404
    assert house.client.delete("/v1/folders/wards", headers=admin).status_code == 204
    assert not [path for path in (house.service.settings.home / "files").rglob("*") if path.is_file()]


def test_reports_go_out_as_their_worker_wrote_them(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report of a large file takes seconds to parse and to write again, in which nobody else would be answered."""
    report = b'{"verdict": "held",\n "text": "\\udc80"}\n'  # a lone surrogate, as hostile files hold them
    told = {"verdict": "held", "format": "text", "released": True}
    frames = {
        "assess": MessageFrame(told, (report,)),
        "redact": MessageFrame(told, (b"released", report, b"{}")),
    }
    monkeypatch.setattr(Processes, "run", lambda _, call: frames[call.task])
    files = {"file": ("n.txt", b"Nothing.")}
    assert house.post("reviewer", "/v1/assess", files=files).content == report
    asked = {"Accept": "application/json"}
    answer = house.post("reviewer", "/v1/redact", files=files, headers=asked)
    assert report in answer.content and answer.json()["report"] == json.loads(report)
    assert base64.b64decode(answer.json()["file"]["base64"]) == b"released"


def test_a_job_that_finishes_while_it_is_cancelled_is_deleted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever deleted it was told that it is gone, and its result stayed for a day."""
    id = submitted(house)
    finished(house, id)
    before = Jobs.get

    def just_before(self: Jobs, id: str, owner: Any) -> Any:
        return SimpleNamespace(**{**before(self, id, owner)._mapping, "state": "running"})

    with monkeypatch.context() as patched:
        patched.setattr(Jobs, "get", just_before)
        assert house.client.delete(f"/v1/jobs/{id}", headers=house.as_("reviewer")).status_code == 204
    assert house.get("reviewer", f"/v1/jobs/{id}").status_code == 404
