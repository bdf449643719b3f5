"""The hospital of the service's tests: its database, its policy, its people, and a service that has them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra `service` is not installed")

from starlette.testclient import TestClient

from efface.service.app import Service
from efface.service.settings import ServiceSettings

LEVELS = ["LOW", "HIGH"]
POLICY = """
find: {patterns: none, names: none}
knowledge:
  patients:
    database: sqlite:///hospital.db
    entities: patient
    key: id
    identifying: [name, city]
    sensitive: [diagnosis]
    access:
      labels:
        levels: [LOW, HIGH]
        rows: label
        columns: {diagnosis: HIGH}
        users: {table: staff, name: login, label: clearance}
guarantees:
  - k-safety: {over: patients, k: 2, protect: denied}
"""
PATIENTS = [
    (1, "Brandt", "Oslo", "asthma", "HIGH"),
    (2, "Okonkwo", "Oslo", "migraine", "LOW"),
    (3, "Ferreira", "Bern", "asthma", "HIGH"),
    (4, "Sol", "Bern", "gout", "LOW"),
]
NOTE = b"Brandt of Oslo has asthma. Okonkwo of Oslo came along."


@dataclass(frozen=True)
class House:
    """A running service, its people's tokens, and the database that decides."""

    service: Service
    client: TestClient
    tokens: dict[str, str]

    def as_(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def get(self, name: str, path: str, **more: Any) -> Any:
        return self.client.get(path, headers=self.as_(name), **more)

    def post(self, name: str, path: str, **more: Any) -> Any:
        return self.client.post(path, headers={**self.as_(name), **more.pop("headers", {})}, **more)

    def add(self, name: str, data: bytes, folder: str = "wards") -> str:
        answer = self.post("reviewer", f"/v1/folders/{folder}/documents", files={"file": (name, data)})
        assert answer.status_code == 201, answer.text
        id: str = answer.json()["id"]
        return id

    def sql(self, statement: str, *values: object) -> None:
        connection = sqlite3.connect(self.service.settings.policies / "hospital.db")
        try:
            with connection:
                connection.execute(statement, values)
        finally:
            connection.close()


Open = Callable[..., House]


def furnish(settings: ServiceSettings) -> tuple[Service, dict[str, str]]:
    """The hospital's database and policy, a folder, and people: high sees all, low half, nobody nothing."""
    service = Service.open(settings)
    connection = sqlite3.connect(settings.policies / "hospital.db")
    with connection:
        connection.execute("CREATE TABLE patient (id INTEGER PRIMARY KEY, name, city, diagnosis, label)")
        connection.executemany("INSERT INTO patient VALUES (?, ?, ?, ?, ?)", PATIENTS)
        connection.execute("CREATE TABLE staff (login PRIMARY KEY, clearance)")
        connection.executemany("INSERT INTO staff VALUES (?, ?)", [("high", "HIGH"), ("low", "LOW")])
    connection.close()
    (settings.policies / "wards.yaml").write_text(POLICY)
    (settings.policies / "patterns.yaml").write_text("find: {names: none}\n")
    service.repository.put_folder("wards", "wards")
    tokens = {}
    roles = {"admin": "admin", "reviewer": "reviewer", "high": "reader", "low": "reader", "nobody": "reader"}
    for name, role in roles.items():
        service.people.put(name, role)
        tokens[name] = service.people.issue(name)[1]
    return service, tokens
