"""Office files as pages: what the service tells, and what the page makes of it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from threading import Lock
from typing import Any

import docx
import pytest

from efface.errors import InputError
from efface.files.libreoffice import office_program
from efface.pipeline.bound import unwatched
from efface.service.jobs import tasks
from efface.service.jobs.processes import ClientDisconnected, RequestContext
from efface.service.problems import Problem
from efface.service.review.review_work import ReviewWork
from tests.service.browser import bring, enter, expect, hold_back
from tests.service.browser import needed as browser_needed
from tests.service.hospital import House
from tests.service.processes import Running
from tests.service.review.test_review import add

WORDS = "Write to ann@example.org today."
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8ffff3f0005fe02fea735815d0000000049454e44ae426082"
)


def letter(words: str = WORDS) -> bytes:
    document = docx.Document()
    document.add_paragraph(words)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_without_libreoffice_a_letter_is_shown_as_text(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("efface.service.review.document_pages.renditions.office_program", lambda: None)
    id = add(house, letter(), "letter.docx")
    shown = house.get("reviewer", f"/v1/reviews/{id}/pages").json()
    assert shown["pages"] is None and shown["drawable"] is False
    for path in ("rendered", "pages/0/image"):
        assert house.get("reviewer", f"/v1/reviews/{id}/{path}").status_code == 404


@pytest.mark.skipif(office_program() is None, reason="LibreOffice, or a namespace for it, is not there")
def test_a_letter_is_drawn_once_and_each_look_is_recorded(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = add(house, letter(), "letter.docx")
    drawn = house.get("reviewer", f"/v1/reviews/{id}/rendered").json()
    text = house.get("reviewer", f"/v1/reviews/{id}").json()["text"]
    assert len(drawn["pages"]) == 1
    assert [text[start:end] for _, start, end, *_ in drawn["words"]] == WORDS.split()
    monkeypatch.setattr(type(house.service.renditions), "_drawn", None)  # it is kept
    image = house.get("reviewer", f"/v1/reviews/{id}/pages/0/image")
    assert image.status_code == 200 and image.content.startswith(b"\x89PNG")
    looks = [json.loads(row.detail).get("what") for row in house.service.trail.records()]
    assert "rendered pages" in looks and "page 1" in looks


def test_a_package_that_unpacks_to_too_much_is_not_given_to_libreoffice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It worked on one for a minute, and again at each look."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/document.xml", bytes(70 << 20))
    monkeypatch.setattr(tasks, "as_pdf", lambda *_, **__: pytest.fail("it was drawn"))
    with pytest.raises(InputError, match="unpacks to far more"):
        tasks.office_pdf((out.getvalue(),), unwatched, format="docx", seconds=1, memory=64)


def test_what_libreoffice_could_not_draw_is_not_begun_again_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def once(_work: ReviewWork, task: str, *_: object, **__: object) -> None:
        tried.append(task)
        raise Problem("unreadable", "LibreOffice could not draw the file.")

    monkeypatch.setattr(ReviewWork, "once", once)
    for _ in range(3):
        with pytest.raises(Problem, match="unreadable"):
            house.service.renditions.pdf(RequestContext("reviewer"), "docx", b"PK")
    assert tried == ["office_pdf"]


def test_who_waits_for_a_drawing_and_leaves_holds_no_thread(house: House) -> None:
    key = hashlib.sha256(b"PK").hexdigest()
    house.service.renditions._drawing[key] = Lock()
    house.service.renditions._drawing[key].acquire()  # somebody else draws it
    asker = RequestContext("reviewer")
    asker.gone.set()
    with pytest.raises(ClientDisconnected):
        house.service.renditions.pdf(asker, "docx", b"PK")


@browser_needed
def test_pages_that_take_long_do_not_keep_the_text_back(browser: Any, server: Running) -> None:
    page = enter(browser, server)
    page.clock.install()
    page.route("**/pages", lambda route: _changed(route, drawable=True))
    drawing = hold_back(page, "**/rendered")
    page.get_by_label("Policy").select_option("patterns")
    with page.expect_request("**/rendered"):
        page.locator("#files").set_input_files(
            {"name": "slow.txt", "mimeType": "text/plain", "buffer": WORDS.encode()}
        )
    page.clock.fast_forward(16_000)
    expect(page.locator(".paper mark.gone")).to_have_text(["ann@example.org"])
    assert len(drawing) == 1 and page.troubles == []


@browser_needed
def test_marks_stand_on_drawn_pages_and_the_rest_is_told(browser: Any, server: Running) -> None:
    """The service's answers stand in for LibreOffice."""
    page = enter(browser, server)
    text = "Write to ann@example.org today. And to bob@example.org."
    words = [[1, 9, 24, 50, 60, 150, 70]]  # bob is on no page
    page.route("**/pages", lambda route: _changed(route, drawable=True))
    page.route("**/rendered", lambda route: route.fulfill(json={"pages": [[200, 300]] * 2, "words": words}))
    page.route("**/image*", lambda route: route.fulfill(body=PIXEL, content_type="image/png"))
    bring(page, "drawn.txt", text.encode())
    expect(page.locator(".legend")).to_contain_text("1 marked place is on no page")
    page.keyboard.press("n")
    expect(page.locator(".sheet[data-page='1'] .word.gone.current")).to_have_text("ann@example.org")
    expect(page.locator(".thumbnails button").nth(1)).to_contain_text("1 go")
    expect(page.get_by_role("button", name="Draw area")).to_have_count(0)
    page.keyboard.press("P")
    expect(page.locator(".paper mark.gone")).to_have_text(["ann@example.org", "bob@example.org"])
    page.keyboard.press("P")
    expect(page.locator(".sheet")).to_have_count(2)
    assert page.troubles == []


def _changed(route: Any, **values: object) -> None:
    answer = route.fetch()
    route.fulfill(json={**answer.json(), **values})
