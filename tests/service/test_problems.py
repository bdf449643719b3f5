"""What a client may know of an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

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
