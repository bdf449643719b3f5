"""The page's files by name: names that no file can have, and addresses with one slash too many or too few."""

from __future__ import annotations

import pytest

from tests.service.hospital import House

ELSEWHERE = {"Host": "elsewhere.example"}


@pytest.mark.parametrize("folder", ["", "review/", "word/"])
@pytest.mark.parametrize("name", ["a" * 300 + ".js", "a" * 5000 + ".html", "%00.html", "%FF.html"])
def test_a_name_that_no_file_can_have_is_not_found(
    shared_house: House, caplog: pytest.LogCaptureFixture, folder: str, name: str
) -> None:
    assert shared_house.client.get(f"/app/{folder}{name}").status_code == 404
    assert not [record for record in caplog.records if record.levelname == "ERROR"], "strangers fill no log"


@pytest.mark.parametrize("path", ["/v1/me/", "/v1/documents/", "/health/", "/v1/folders/x/documents/"])
def test_no_answer_sends_a_client_to_the_host_that_a_request_names(shared_house: House, path: str) -> None:
    headers = {**shared_house.as_("high"), **ELSEWHERE}
    answer = shared_house.client.get(path, headers=headers, follow_redirects=False)
    assert answer.status_code == 404 and "location" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/app"])
def test_people_who_leave_out_the_rest_are_sent_to_the_page(shared_house: House, path: str) -> None:
    answer = shared_house.client.get(path, headers=ELSEWHERE, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, "/app/")


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PROPFIND"])
def test_file_managers_find_the_folder_without_its_slash(shared_house: House, method: str) -> None:
    headers = {**shared_house.as_("high"), **ELSEWHERE}
    answer = shared_house.client.request(method, "/dav", headers=headers, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (307, "/dav/")
    assert shared_house.client.request("PUT", "/dav", headers=headers).status_code == 405
