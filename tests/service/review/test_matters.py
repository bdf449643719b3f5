"""Matters: documents that are reviewed, decided and handed over together."""

from __future__ import annotations

import io
import json
import time
import zipfile
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import pytest
import sqlalchemy as sa

from efface.service.auth.identity import Identity
from efface.service.jobs.processes import Call, ClientDisconnected, Processes, RequestContext
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.problems import Problem
from efface.service.review import routes_matters
from efface.service.review.archives import begun_exports
from efface.service.review.archives.begun_exports import BegunExports
from efface.service.review.review_standing import ReviewStanding
from efface.service.review.review_store import ReviewStore
from tests.service.hospital import House
from tests.service.review.test_review import MAIL, add, decide, export, view


def put(house: House, ids: list[str], **values: Any) -> Any:
    return house.client.patch("/v1/reviews", headers=house.as_("reviewer"), json={"ids": ids, **values})


def matter(house: House, *texts: bytes) -> list[str]:
    ids = [add(house, text, f"letter{number}.txt") for number, text in enumerate(texts)]
    assert put(house, ids, matter="Falcon", assignee="reviewer", due=1.9e9).json() == {"documents": len(ids)}
    for id in ids:
        view(house, id)
    return ids


def test_the_queue_tells_matter_assignee_due_date_risk_and_who_approved(house: House) -> None:
    one, two = matter(house, MAIL, b"Nothing at all.")
    rows = {row["id"]: row for row in house.get("reviewer", "/v1/reviews").json()["reviews"]}
    assert (rows[one]["matter"], rows[one]["assignee"], rows[one]["due"]) == ("Falcon", "reviewer", 1.9e9)
    assert rows[one]["risk"] >= rows[two]["risk"]
    assert decide(house, one, {"kind": "approve"}).status_code == 200
    rows = {row["id"]: row for row in house.get("reviewer", "/v1/reviews").json()["reviews"]}
    assert rows[one]["approved"] == ["reviewer"] and rows[two]["approved"] == []
    assert put(house, [one], due=0).json() == {"documents": 1}
    assert put(house, [one]).status_code == 422
    found = house.get("reviewer", "/v1/matters").json()["matters"]
    assert found == [{"name": "Falcon", "documents": 2, "states": {"held": 2}, "due": 1.9e9}]


def test_the_same_decision_in_the_other_documents_that_have_the_word(house: House) -> None:
    one, two, three = matter(house, b"The grey cat.", b"A GREY dog.", b"A white dog.")
    decide(house, one, {"kind": "redact", "term": "grey"})
    asked = {"kind": "redact", "term": "grey", "type": "PERSON", "but": one}
    assert house.post("reviewer", "/v1/matters/Falcon/decisions", json=asked).json()["documents"] == 1
    assert b"[PERSON_1] dog" in export(house, two).content
    assert export(house, three).content == b"A white dog."
    assert house.post("reviewer", "/v1/matters/None/decisions", json=asked).status_code == 404


def test_a_decision_in_the_matter_is_taken_back_in_all_of_it(house: House) -> None:
    """Only what was decided for the matter: what one decided in one of its documents stays."""
    one, two, three = matter(house, b"The grey cat.", b"A GREY dog.", b"A grey owl.")
    decide(house, three, {"kind": "redact", "term": "grey"})
    asked = {"kind": "redact", "term": "grey", "but": one}
    path = "/v1/matters/Falcon/decisions"
    assert house.post("reviewer", path, json=asked).json()["documents"] == 2
    back = {"kind": "undo", "term": "Grey", "but": one}
    assert house.post("admin", path, json=back).json()["documents"] == 0
    assert house.post("reviewer", path, json=back).json()["documents"] == 2
    assert house.post("reviewer", path, json=back).json()["documents"] == 0
    assert [len(view(house, id)["edits"]) for id in (two, three)] == [0, 1]
    again = {"kind": "redo", "term": "grey", "but": one}
    assert house.post("reviewer", path, json=again).json()["documents"] == 2
    assert b"REY" not in export(house, two).content


def test_words_that_were_marked_in_one_place_are_offered_too(house: House) -> None:
    """What is kept in one place is no word for the keep list."""
    (one,) = matter(house, b"The grey cat. Write to ann@example.org.")
    decide(house, one, {"kind": "redact", "term": "grey", "start": 4, "end": 8})
    decide(house, one, {"kind": "keep", "term": "ann@example.org", "start": 23, "end": 38})
    found = house.get("reviewer", "/v1/matters/Falcon/learning").json()
    assert found["deny"] == ["grey"] and found["keep"] == []
    assert found["changes"] == {"EMAIL_ADDRESS": [1, 1], "missed": [1, 1]}


def test_what_somebody_else_decided_stays(house: House) -> None:
    one, two = matter(house, b"The grey cat.", b"A grey dog.")
    decide(house, two, {"kind": "keep", "term": "grey"}, who="admin")
    asked = {"kind": "redact", "term": "grey", "but": one}
    assert house.post("reviewer", "/v1/matters/Falcon/decisions", json=asked).json()["documents"] == 0
    assert export(house, two).content == b"A grey dog."
    decide(house, two, {"kind": "undo", "of": 1}, who="admin")
    decide(house, two, {"kind": "keep", "term": "grey", "start": 2, "end": 6}, who="admin")
    assert house.post("reviewer", "/v1/matters/Falcon/decisions", json=asked).json()["documents"] == 0


def test_what_somebody_else_took_back_is_in_nobodys_way(house: House) -> None:
    one, two = matter(house, b"The grey cat.", b"A grey dog.")
    decide(house, two, {"kind": "keep", "term": "grey"}, who="admin")
    asked = {"kind": "redact", "term": "grey", "but": one}
    assert house.post("reviewer", "/v1/matters/Falcon/decisions", json=asked).json()["documents"] == 0
    decide(house, two, {"kind": "undo", "of": 1}, who="admin")
    assert house.post("reviewer", "/v1/matters/Falcon/decisions", json=asked).json()["documents"] == 1


def test_a_matter_leaves_as_one_archive_with_certificates(house: House) -> None:
    one, two = matter(house, MAIL, b"The grey cat.")
    answer = house.post("reviewer", "/v1/matters/Falcon/export", json={})
    assert answer.status_code == 200, answer.text
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert sorted(archive.namelist()) == [
        "001/certificate.json", "001/letter0.txt", "002/certificate.json", "002/letter1.txt",
        "index.csv", "index.docx",
    ]  # fmt: skip
    assert b"ann@example.org" not in b"".join(archive.read(name) for name in archive.namelist())
    assert json.loads(archive.read("001/certificate.json"))["verdict"] == "held"
    states = {row["id"]: row["state"] for row in house.get("reviewer", "/v1/reviews").json()["reviews"]}
    assert states == {one: "exported", two: "exported"}
    trail = [json.loads(line) for line in house.get("admin", "/v1/audit").text.splitlines()]
    assert [row["object"] for row in trail if row["action"] == "release"] == [one, two]


@pytest.mark.parametrize("name", ["..", "...", "a/..", "..\\..", ". ."])
def test_a_name_of_dots_leads_out_of_no_folder(house: House, name: str) -> None:
    id = add(house, b"The grey cat.", name)
    put(house, [id], matter="Falcon")
    answer = house.post("reviewer", "/v1/matters/Falcon/export", json={})
    assert "001/document" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    folder = house.post("reviewer", "/v1/folders/wards/documents", files={"file": (name, b"A grey cat.")})
    assert house.service.repository.stored([folder.json()["id"]]).popitem()[1].name == "document"


def test_what_may_not_leave_is_not_in_the_archive(house: House) -> None:
    hidden = add(house, b"Brandt of Oslo came. Okonkwo of Oslo came along.", "note.txt", "wards")
    hard = [term["text"] for term in view(house, hidden)["terms"] if term["hard"]]
    decide(house, hidden, *({"kind": "keep", "term": term} for term in hard))
    fine = add(house, b"The grey cat.", "cat.txt")
    put(house, [hidden, fine], matter="Mixed")
    refused = house.post("reviewer", "/v1/matters/Mixed/export", json={})
    assert refused.status_code == 409 and "1 of 2" in refused.json()["detail"]
    answer = house.post("reviewer", "/v1/matters/Mixed/export", json={"partial": True})
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert "001/cat.txt" in archive.namelist() and "note.txt" in archive.read("left-out.txt").decode()
    assert b"Brandt" not in b"".join(archive.read(name) for name in archive.namelist())


def test_nobody_without_the_scope_changes_anything(house: House) -> None:
    one = add(house)
    reader = house.client.patch("/v1/reviews", headers=house.as_("low"), json={"ids": [one], "matter": "x"})
    assert reader.status_code == 403
    assert house.get("low", "/v1/matters").status_code == 403
    assert house.post("low", "/v1/matters/x/export", json={}).status_code == 403


@pytest.mark.parametrize(
    "name",
    [
        "ann@example.org.txt",
        "letter to Ann.txt",
        "ANN_letter.txt",
        "call bob@example.org.txt",
        "annexampleorg2.txt",
    ],
)
def test_a_name_that_tells_what_was_removed_does_not_leave(house: House, name: str) -> None:
    """A removed word, a part of it, or something that the policy finds in the name alone."""
    one = add(house, b"Write to ann@example.org about it.", name)
    assert put(house, [one], matter="Names").status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(house.post("reviewer", "/v1/matters/Names/export", json={}).content))
    assert "001/document.txt" in archive.namelist()
    told = " ".join(archive.namelist()) + archive.read("index.csv").decode("utf-8-sig")
    assert "ann" not in told.lower() and "bob" not in told
    assert export(house, one).headers["content-disposition"].endswith("''document.txt")


def test_a_name_in_which_the_policy_finds_something_is_not_among_those_left_out(house: House) -> None:
    (house.service.settings.policies / "eyes.yaml").write_text(
        "efface: 1\nfind: {patterns: default, names: none}\nreview: {four_eyes: true}\n", "utf-8"
    )
    ids = [
        add(house, b"The grey cat.", "cat.txt"),
        add(house, b"Nothing.", "bob@example.org.txt", "eyes"),
        add(house, b"Nothing.", "dog.txt", "eyes"),
    ]
    put(house, ids, matter="Left")
    answer = house.post("reviewer", "/v1/matters/Left/export", json={"partial": True})
    left = zipfile.ZipFile(io.BytesIO(answer.content)).read("left-out.txt").decode().splitlines()
    assert left[1:] == ["document.txt", "dog.txt"]


def test_a_document_called_as_its_certificate_does_not_take_its_place(house: House) -> None:
    put(house, [add(house, b'{"a": "grey"}', "Certificate.json")], matter="Same")
    answer = house.post("reviewer", "/v1/matters/Same/export", json={})
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.namelist()[:2] == ["001/document.json", "001/certificate.json"]
    assert archive.read("001/document.json") == b'{"a": "grey"}'


@pytest.mark.parametrize("name", ["a/b", "50%", "a?b#c", "ünï"])
def test_a_matter_may_have_any_name(house: House, name: str) -> None:
    put(house, [add(house, b"The grey cat.", "cat.txt")], matter=f" {name} ")
    answer = house.post("reviewer", f"/v1/matters/{quote(name, safe='')}/export", json={})
    assert answer.status_code == 200, answer.text


def test_requests_that_make_no_sense_are_refused(house: House) -> None:
    (one,) = matter(house, b"The grey cat.")
    assert put(house, [one], matter=None).status_code == 422
    assert put(house, [one], assignee=None).status_code == 422
    for made in (
        {"kind": "redact", "term": "grey", "type": "WIZARD"},
        {"kind": "keep", "term": "grey", "type": "PERSON"},
        {"kind": "redact", "term": "  "},
    ):
        assert house.post("reviewer", "/v1/matters/Falcon/decisions", json=made).status_code == 422


def test_what_nobody_approved_is_not_worked_on_to_be_left_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    (house.service.settings.policies / "pairs.yaml").write_text(
        "efface: 1\nfind: {names: none}\nreview: {four_eyes: true}\n", "utf-8"
    )
    ready, waiting = add(house), add(house, b"Another.", "b.txt", "pairs")
    put(house, [ready, waiting], matter="Falcon")
    for id in (ready, waiting):
        view(house, id)  # the first look is over
    worked: list[str] = []
    result = ReviewStore.result

    def noted(store: ReviewStore, id: str, *given: Any, **named: Any) -> Any:
        worked.append(id)
        return result(store, id, *given, **named)

    monkeypatch.setattr(ReviewStore, "result", noted)
    answer = house.post("reviewer", "/v1/matters/Falcon/export", json={"partial": True})
    assert answer.status_code == 200 and worked == [ready]


def test_an_archive_leaves_whole_or_not_at_all(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full after the first of two records: both documents were told to have left, and none had."""
    matter(house, MAIL, b"Nothing at all.")
    written = house.service.trail._insert

    def full(connection: Any, events: Any) -> Any:
        monkeypatch.setattr(house.service.trail, "_insert", broken)
        return written(connection, events)

    def broken(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(house.service.trail, "_insert", full)
    assert house.post("reviewer", "/v1/matters/Falcon/export", json={}).status_code == 507
    monkeypatch.setattr(house.service.trail, "_insert", written)
    assert not [each for each in house.service.trail.records() if each.action == "release"]
    rows = house.get("reviewer", "/v1/reviews").json()["reviews"]
    assert {row["state"] for row in rows} == {"held"}
    assert house.post("reviewer", "/v1/matters/Falcon/export", json={}).status_code == 200
    rows = house.get("reviewer", "/v1/reviews").json()["reviews"]
    assert {row["state"] for row in rows} == {"exported"}


def test_an_export_whose_time_is_over_goes_on_when_it_is_asked_for_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A matter of two hundred documents takes longer than a request has. Each attempt would begin with the first one."""
    _one, two, three = matter(house, MAIL, b"Write to eve@example.org.", b"Nothing at all.")
    worked: list[str] = []
    run, record = Processes.run, ReviewStore.record
    over = [three]

    def noted(self: Processes, call: Call) -> MessageFrame:
        worked.append(call.task)
        return run(self, call)

    def cut_off(
        self: ReviewStore, now: ReviewStanding, what: str, asker: RequestContext
    ) -> tuple[str, bytes]:
        if over and now.file.name == "letter2.txt":
            over.clear()
            raise ClientDisconnected
        return record(self, now, what, asker)

    monkeypatch.setattr(Processes, "run", noted)
    monkeypatch.setattr(ReviewStore, "record", cut_off)
    who = Identity("reviewer", "reviewer", "reviewer", frozenset({"review"}), "token", None, None)
    with pytest.raises(ClientDisconnected):
        routes_matters._archive(house.service, who, "Falcon", False, RequestContext("reviewer"))
    assert worked.count("review_outcome") == 3
    decide(house, two, {"kind": "redact", "term": "Write"})
    worked.clear()
    answer = house.post("reviewer", "/v1/matters/Falcon/export", json={})
    assert answer.status_code == 200, answer.text
    assert worked.count("review_outcome") == 1, "only what was decided on meanwhile is worked out again"
    assert worked.count("review_record") == 2
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        texts = [archive.read(name) for name in sorted(archive.namelist()) if name.endswith(".txt")]
    assert b"Write" not in texts[1] and b"eve@" not in texts[1]
    worked.clear()
    assert house.post("reviewer", "/v1/matters/Falcon/export", json={}).status_code == 200
    assert worked.count("review_outcome") == 3, "another export reads the policy and its data anew"


def test_only_an_export_that_was_just_cut_off_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    exports = BegunExports()
    began: list[float] = []

    def attempt(error: type[Exception] | None) -> None:
        time.sleep(0.05)  # longer than a step of a coarse clock
        with suppress(ClientDisconnected, Problem), exports.going_on("ann", "Falcon") as since:
            began.append(since)
            if error is not None:
                raise error("conflict")

    for error in (ClientDisconnected, ClientDisconnected, Problem, None, None):
        attempt(error)
    assert began[0] == began[1] == began[2] < began[3] < began[4], "one that was refused is over"
    attempt(ClientDisconnected)
    monkeypatch.setattr(begun_exports, "_GAP", 0.0)
    attempt(None)
    assert began[-1] > began[-2]


@pytest.mark.parametrize("name", ["..", ".", "a/..", "./b", "a\\..\\b", "a\0b", "a\x01b"])
def test_a_matter_that_no_address_reaches_is_refused_when_it_is_set(shared_house: House, name: str) -> None:
    answer = put(shared_house, ["0" * 24], matter=name)
    assert answer.status_code == 422 and "A matter's name" in answer.text


def test_a_matters_name_is_one_line(house: House) -> None:
    """An address with a line break leads nowhere. Names are copied from texts, with other spaces than one types."""
    put(house, [add(house, b"The grey cat.", "cat.txt")], matter=" Case\n12\u00a0b ")
    assert house.post("reviewer", "/v1/matters/Case%2012%20b/export", json={}).status_code == 200


def test_nobody_is_an_assignee_who_cannot_open_the_documents(house: House) -> None:
    (one,) = matter(house, b"The grey cat.")
    house.service.people.put("lawyer", "", teams={"law": "reviewer"})
    for name in ("ghost", "low", "lawyer"):
        assert put(house, [one], assignee=name).status_code == 422, name
    assert put(house, [one], assignee=" admin ").status_code == 200
    assert house.get("reviewer", "/v1/reviews").json()["reviews"][0]["assignee"] == "admin"
    assert put(house, [one], assignee="").status_code == 200


def test_a_company_account_is_an_assignee_before_it_signs_in(house: House) -> None:
    (one,) = matter(house, b"The grey cat.")
    settings = house.service.settings.model_copy(update={"oidc": object()})
    vars(house.service)["settings"] = settings
    assert put(house, [one], assignee="ann@example.org").status_code == 200
    assert put(house, [one], assignee="low").status_code == 422, "known here, and no reviewer"


def test_a_file_that_cannot_be_read_keeps_a_decision_from_no_other(house: House) -> None:
    one, two, three = matter(house, b"The grey cat.", b"A grey dog.", b"A grey owl.")
    house.service.blobs.delete(house.service.review_store.get(two).file)
    asked = {"kind": "redact", "term": "grey", "but": one}
    answer = house.post("reviewer", "/v1/matters/Falcon/decisions", json=asked)
    assert answer.json() == {"documents": 1, "left_out": 1}
    assert b"grey" not in export(house, three).content
    found = house.get("reviewer", "/v1/matters/Falcon/learning").json()
    assert found["deny"] == ["grey"] and found["left_out"] == 1


def test_a_busy_service_is_no_fault_of_a_document(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the word would stay in all that were met meanwhile."""
    one, _two = matter(house, b"The grey cat.", b"A grey dog.")

    def busy(*_given: object) -> bool:
        raise Problem("busy")

    monkeypatch.setattr(ReviewStore, "holds", busy)
    asked = {"kind": "redact", "term": "grey", "but": one}
    assert house.post("reviewer", "/v1/matters/Falcon/decisions", json=asked).status_code == 503
