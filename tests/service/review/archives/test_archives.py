"""A zip of documents: each is reviewed by itself, and what is not taken is named."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from efface.errors import InputError
from efface.pipeline.bound import unwatched
from efface.service.app import Service
from efface.service.review.archives import archive_members
from tests.service.browser import enter, expect, needed
from tests.service.hospital import House
from tests.service.processes import Running

MAIL = b"Write to ann@example.org."


def zip_of(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def send(house: House, data: bytes, who: str = "reviewer", **form: str) -> Any:
    given = {"policy": "patterns", **form}
    return house.post(who, "/v1/archives", files={"file": ("Case 7.zip", data)}, data=given)


def test_every_document_of_a_zip_is_reviewed_as_one_matter(house: House) -> None:
    data = zip_of(
        ("a/letter.txt", MAIL),
        ("b/letter.txt", b"Write to bob@example.org."),
        ("note.txt", b"Nothing."),
        ("inner.zip", zip_of(("x.txt", b"x"))),
        ("__MACOSX/._note.txt", b"\0"),
        (".DS_Store", b"\0"),
    )
    answer = send(house, data)
    assert answer.status_code == 201, answer.text
    found = answer.json()
    assert [row["name"] for row in found["reviews"]] == ["a_letter.txt", "b_letter.txt", "note.txt"]
    assert {row["matter"] for row in found["reviews"]} == {"Case 7"}
    assert [row["name"] for row in found["left_out"]] == ["inner.zip"]
    shown = house.get("reviewer", f"/v1/reviews/{found['reviews'][0]['id']}/view").json()
    assert shown["verdict"] == "held" and shown["edits"]


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "..\\..\\boot.ini", "..", "a/..", "x\0.txt", "<b>.txt"]
)
def test_no_name_in_a_zip_is_a_path(house: House, name: str) -> None:
    found = send(house, zip_of((name, MAIL), ("b.txt", MAIL))).json()
    for row in found["reviews"]:
        assert "/" not in row["name"] and "\\" not in row["name"] and row["name"].strip(". ")


@pytest.mark.parametrize(
    "data",
    [
        b"PK",
        b"no zip at all",
        zip_of(("a.txt", MAIL * 100))[:-30],
        zip_of(*((f"{n}.txt", b"x") for n in range(archive_members.MOST_DOCUMENTS + 1))),
    ],
    ids=["header", "text", "cut short", "too many"],
)
def test_a_zip_that_cannot_be_read_whole_puts_nothing_into_the_queue(house: House, data: bytes) -> None:
    """Whoever sends a case must not take a part of it for all of it."""
    assert send(house, data).status_code == 422
    assert house.get("reviewer", "/v1/reviews").json()["reviews"] == []


def test_a_bomb_is_left_out_and_the_others_are_taken(house: House) -> None:
    bomb = b"\0" * ((house.service.settings.max_upload << 20) + 1)
    found = send(house, zip_of(("bomb.txt", bomb), ("a.txt", MAIL))).json()
    assert [row["name"] for row in found["reviews"]] == ["a.txt"]
    assert [row["name"] for row in found["left_out"]] == ["bomb.txt"]


def test_an_encrypted_or_damaged_member_is_left_out(house: House) -> None:
    data = bytearray(zip_of(("a.txt", MAIL), ("b.txt", MAIL)))
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the first entry of the directory: encrypted
    found = send(house, bytes(data)).json()
    assert [row["name"] for row in found["reviews"]] == ["b.txt"]
    data = bytearray(zip_of(("a.txt", MAIL), ("b.txt", MAIL)))
    data[45] ^= 0xFF  # within the first member's bytes
    found = send(house, bytes(data)).json()
    assert [row["name"] for row in found["reviews"]] == ["b.txt"]


def _in_the_directory(at: int, new: bytes) -> bytes:
    """A zip of one document, of which bytes of the entry in the directory are others."""
    data = bytearray(zip_of(("a.txt", MAIL)))
    entry = data.index(b"PK\x01\x02")
    data[entry + at : entry + at + len(new)] = new
    if at == _NAME:
        data[entry + 9] |= 0x08  # the name says that it is UTF-8
    return bytes(data)


_NAME = 46  # where the name stands in an entry of the directory
DAMAGED = {"version": _in_the_directory(6, b"\x63"), "name": _in_the_directory(_NAME, b"\xff\xfe")}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_directory_that_is_damaged_in_any_way_is_the_files_fault(data: bytes) -> None:
    with pytest.raises(InputError, match="The archive is damaged"):
        archive_members.archive_members((data,), unwatched, most=1 << 20)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_a_member_that_is_damaged_in_any_compression_is_left_out(method: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("a.txt", MAIL * 100)
    data = bytearray(out.getvalue())
    start = data.index(b"a.txt") + len(b"a.txt")
    data[start : start + 9] = b"\xff" * 9
    values, documents = archive_members.archive_members((bytes(data),), unwatched, most=1 << 20)
    assert values["left_out"] == [("a.txt", "It is damaged.")] and documents == ()


@pytest.mark.parametrize("name", ["..zip", "...zip", ". .zip"])
def test_a_matter_is_not_named_after_an_archive_of_dots(house: House, name: str) -> None:
    files = {"file": (name, zip_of(("a.txt", MAIL)))}
    answer = house.post("reviewer", "/v1/archives", files=files, data={"policy": "patterns"})
    assert [row["matter"] for row in answer.json()["reviews"]] == ["document"]


def test_readers_send_no_archive_and_nobody_sends_one_under_another_teams_policy(house: House) -> None:
    assert send(house, zip_of(("a.txt", MAIL)), who="low").status_code == 403
    assert send(house, zip_of(("a.txt", MAIL)), policy="law.secret").status_code == 404


@needed
def test_a_zip_is_dropped_and_documents_are_removed_again(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    page.get_by_label("Policy").select_option("patterns")
    data = zip_of(("from-zip-one.txt", MAIL), ("from-zip-two.txt", MAIL), ("more.tar", b"x"))
    page.locator("#files").set_input_files(
        {"name": "Dropped.zip", "mimeType": "application/zip", "buffer": data}
    )
    expect(page.get_by_role("alert")).to_contain_text("1 file was not taken")
    expect(page.get_by_role("alert")).to_contain_text("more.tar")
    page.get_by_label("Matter", exact=True).last.select_option("Dropped")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(page.locator("tbody .state.held")).to_have_count(2)
    page.get_by_label("Choose from-zip-one.txt").check()
    page.get_by_role("button", name="Remove…").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(rows).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("1 of 1 removed.")
    assert page.troubles == []


@needed
def test_whoever_is_in_several_teams_says_whose_queue_it_is(browser: Any, server: Running) -> None:
    """Under the default policy, which is every team's, the service asks for it."""
    service = Service.open(server.settings)
    service.people.put("both", "reviewer", teams={"law": "reviewer"})
    server.tokens["both"] = service.people.issue("both")[1]
    service.store.close()
    page = enter(browser, server, "both")
    page.get_by_label("Policy").select_option("")
    page.get_by_label("Team").select_option("law")
    page.locator("#files").set_input_files({"name": "mail.txt", "mimeType": "text/plain", "buffer": MAIL})
    page.locator(".verdict strong", has_text="held").wait_for()
    expect(enter(browser, server).get_by_label("Team")).to_have_count(0)
