"""PostgreSQL in SQLite's place: one URL, several services, files and all."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from starlette.testclient import TestClient

from efface.service.app import Service, create
from efface.service.audit import Event
from efface.service.auth.tokens import first_run
from efface.service.settings import ServiceSettings
from tests.service.hospital import NOTE, House, furnish


def test_two_machines_share_nothing_but_the_server(postgres_url: str, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("k" * 40)
    shared = {"store": postgres_url, "secret": f"file:{key}"}
    first = Service.open(ServiceSettings(home=tmp_path / "first", **shared))
    assert first_run(first.people) is not None
    assert first_run(first.people) is None
    first.people.remove("admin")
    first.close()
    one, tokens = furnish(ServiceSettings(home=tmp_path / "one", **shared))
    two = Service.open(ServiceSettings(home=tmp_path / "two", **shared))
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
        for _ in range(6000):
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
