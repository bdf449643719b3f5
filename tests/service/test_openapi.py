"""The description of the API, and Schemathesis sending what it describes and what it does not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

from efface.service.auth.identity import SCOPES
from efface.service.settings import Oidc, ServiceSettings, SignIn
from tests.service.hospital import House
from tests.service.processes import Running, running

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
GenerationMode = schemathesis.GenerationMode

EXAMPLES = int(os.environ.get("EFFACE_EXAMPLES", "4"))  # for each route; more by hand
OURS = {"work", "documents", "people", "audit", "presidio", "operation"}  # the review page has its own
DOCS = Path(__file__).resolve().parents[2] / "docs" / "service.md"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One process for all the examples."""
    with running(tmp_path_factory.mktemp("described"), failures=1_000_000) as found:
        yield found


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_route_answers_as_described(server: Running, mode: Any) -> None:
    """No error of ours, and every answer of a described status, media type and shape: to what is described, and to what
    is not (other types, missing and further fields, values out of bounds, other media types)."""
    api = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    operations = [found.ok() for found in api.get_all_operations()]
    assert len(operations) > 30
    tried = [_try(operation, server, mode) for operation in operations]
    assert sum(tried) > 30


def _try(operation: Any, server: Running, mode: Any) -> bool:
    """Whether there was something to send."""
    # The tester stays who they are, and is still there at the end.
    suicidal = operation.path in ("/v1/users/{name}", "/v1/session") and operation.method.upper() in (
        "PUT",
        "DELETE",
    )
    token = "none" if suicidal else server.tokens["admin"]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
        answer = case.call(timeout=120)
        where = f"{operation.method} {operation.path}: {answer.status_code}"
        assert answer.status_code < 500, where
        if answer.status_code >= 400:
            assert answer.headers["content-type"][0] == "application/problem+json", where
            problem = json.loads(answer.content)
            assert problem["status"] == answer.status_code and problem["title"], where
        else:
            case.operation.validate_response(answer)

    try:
        check()
    except Unsatisfiable:  # a route without parameters and body has nothing that is not described
        return False
    return True


def test_every_route_is_described(house: House) -> None:
    described = house.client.get("/openapi.json").json()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation.get("description"), f"{method} {path}"
            assert "default" in operation["responses"], f"{method} {path}: problems"
            needs_somebody = path.startswith("/v1/") and not path.startswith(("/v1/sign-in", "/v1/keys"))
            assert needs_somebody == ("security" in operation), path
    assert {"/analyze", "/anonymize", "/deanonymize", "/supportedentities", "/recognizers", "/health"} <= set(
        described["paths"]
    )


def test_the_documentation_names_everything(house: House) -> None:
    """Every setting, scope, command and route."""
    text = DOCS.read_text("utf-8")
    for name in (*ServiceSettings.model_fields, *(f"oidc.{name}" for name in Oidc.model_fields),
                 *(f"oidc.sign_in.{name}" for name in SignIn.model_fields)):  # fmt: skip
        assert f"`{name}`" in text, name
    for scope in SCOPES:
        assert f"`{scope}`" in text, scope
    for path, operations in house.client.get("/openapi.json").json()["paths"].items():
        tags = {tag for operation in operations.values() for tag in operation["tags"]}
        assert path in text or not tags & OURS, path
    for command in ("efface serve", "efface token issue", "efface token revoke", "efface token list",
                    "efface audit verify", "efface audit export"):  # fmt: skip
        assert command in text, command


def test_the_description_is_of_the_json_schema_that_it_names(house: House) -> None:
    """OpenAPI 3.1 is of JSON Schema 2020-12, where the items of a list have one schema."""
    pages: list[Any] = [house.client.get("/openapi.json").json()]
    assert pages[0]["openapi"].startswith("3.1")
    while pages:
        page = pages.pop()
        if isinstance(page, dict):
            assert not isinstance(page.get("items"), list), page
        pages += page.values() if isinstance(page, dict) else page if isinstance(page, list) else ()


@pytest.mark.parametrize("path", ["/v1/redact", "/v1/reviews/{id}/export", "/v1/documents/{id}"])
def test_a_file_is_described_as_what_it_comes_as(house: House, path: str) -> None:
    operations = house.client.get("/openapi.json").json()["paths"][path]
    (operation,) = [each for each in operations.values() if "200" in each["responses"]]
    assert "*/*" in operation["responses"]["200"]["content"]
