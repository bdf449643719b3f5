"""What a client may know of an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

from efface.errors import EffaceError, InputError, PolicyError, UsageError
from efface.files.local import read_input
from efface.service.app import create
from efface.service.problems import problem_of
from efface.service.settings import ServiceSettings
from tests.service.hospital import House, furnish

NUL = "a\0b"
WITH_NUL: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", "/v1/tokens", {"json": {"label": NUL}}),
    ("PUT", "/v1/users/zed", {"json": {"role": "reader", "viewer": NUL}}),
    ("PATCH", "/v1/reviews", {"json": {"ids": ["a" * 24], "matter": NUL}}),
    ("PATCH", "/v1/reviews", {"json": {"ids": ["a" * 24], "assignee": NUL}}),
    ("POST", "/v1/matters/%00/export", {"json": {}}),
)


def test_what_a_database_cannot_store_is_the_requests_mistake(
    postgres_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service, tokens = furnish(ServiceSettings(home=tmp_path, store=postgres_url))
    with TestClient(create(service), raise_server_exceptions=False) as client:
        house = House(service, client, tokens)
        for method, path, given in WITH_NUL:
            answer = client.request(method, path, headers=house.as_("admin"), **given)
            assert answer.status_code == 422, (method, path, answer.text)
    assert "DataError" not in caplog.text


def test_a_client_that_left_is_no_error_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    assert problem_of(ClientDisconnect()).status == 400 and not caplog.records


def test_an_error_does_not_tell_where_the_service_keeps_its_files(tmp_path: Path) -> None:
    """A policy's model that is missing, for example."""
    missing = tmp_path / "a folder" / "clients.model"
    with pytest.raises(InputError) as raised:
        read_input(missing)
    assert str(missing) in raised.value.message, "the command line tells it"
    assert problem_of(raised.value).detail == "clients.model does not exist. Check the path."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PolicyError("`find.deny_file`: `/srv/lists/names.txt` is empty."), "`find.deny_file`: `names.txt` is empty."),
        (InputError("/srv/a.b/c is a folder.", "Give /srv/a.b/d instead."), "c is a folder. Give d instead."),
        (UsageError("Give 1/2, not 3 / 4."), "Give 1/2, not 3 / 4."),
        (InputError("It is no table.", "See docs/formats.md for the forms."), "It is no table. See docs/formats.md for the forms."),
    ],
)  # fmt: skip
def test_only_folders_are_left_out(error: EffaceError, told: str) -> None:
    assert problem_of(error).detail == told
