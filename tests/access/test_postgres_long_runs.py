"""Rights that change while one caller sends text after text: each text is judged by the rights of its own moment."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from efface import Conversation
from efface.api.sanitizer import Sanitizer
from efface.batch.engines.one_document import Engine, Spec
from efface.batch.items import Item
from efface.batch.stream import redact_lines, redact_parts
from efface.core import Verdict
from efface.knowledge.databases.relation import engine
from tests.real_postgres import as_login, real_postgres, run

ROLES = "CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE doctor LOGIN; GRANT doctor TO app;"
SETUP = """
DROP TABLE IF EXISTS patient;
CREATE TABLE patient (id integer PRIMARY KEY, name text, diagnosis text);
INSERT INTO patient VALUES (1, 'Ngabc', 'flu'), (2, 'Roeabc', 'flu'), (3, 'Lundabc', 'gout');
GRANT SELECT ON patient TO app, doctor;
"""
TAKEN = "REVOKE SELECT ON patient FROM doctor; GRANT SELECT (id, name) ON patient TO doctor"
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients:
    database: "{url}"
    entities: patient
    identifying: [name]
    sensitive: [diagnosis]
    access: postgres
{guarantees}
"""
K_SAFETY = "guarantees: [{k-safety: {over: patients, k: 2, protect: denied}}]"
TEXT = "The patient has flu."  # which two have, so no row is asked about


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(ROLES) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    run(server, SETUP)
    yield server
    engine(as_login(server, "app")).dispose()


def sanitizer(url: str, folder: Path, guarantees: str = K_SAFETY) -> Sanitizer:
    (folder / "policy.yaml").write_text(POLICY.format(url=as_login(url, "app"), guarantees=guarantees))
    return Sanitizer.from_policy(folder / "policy.yaml")


class Lines(io.BytesIO):
    """Two lines, with something done between them."""

    def __init__(self, lines: bytes, between: Callable[[], None]) -> None:
        super().__init__(lines)
        self._between = [between]

    def readline(self, size: int | None = -1, /) -> bytes:
        if self.tell() and self._between:
            self._between.pop()()
        return super().readline(size)


def by_texts(made: Sanitizer, between: Callable[[], None]) -> list[str]:
    def texts() -> Iterator[str]:
        yield TEXT
        between()
        yield TEXT

    return [redaction.text or "" for redaction in made.redact_many(texts(), viewer="doctor")]


def by_turns(made: Sanitizer, between: Callable[[], None]) -> list[str]:
    talk = Conversation(made, viewer="doctor")
    first = talk.redact(TEXT).text or ""
    between()
    return [first, talk.redact(TEXT).text or ""]


def by_lines(made: Sanitizer, between: Callable[[], None]) -> list[str]:
    out = io.BytesIO()
    redact_lines(Lines(f"{json.dumps(TEXT)}\n".encode() * 2, between), out, made, "doctor")
    return out.getvalue().decode().splitlines()


def by_parts(made: Sanitizer, between: Callable[[], None]) -> list[str]:
    out = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("efface.batch.stream.PART", 1)
        lines = Lines(f"{json.dumps(TEXT)}\n".encode() * 2, between)
        redact_parts(lines, out, "jsonl", made, "doctor", allow_unproven=True)  # the whole is not judged
    return out.getvalue().decode().splitlines()


def by_batch(made: Sanitizer, between: Callable[[], None]) -> list[str]:
    worker = Engine(Spec.of(made.policy, made.folder, "doctor", b"k" * 32, 1 << 20))
    first = worker.do(Item(b"a", 0, "a.txt", data=TEXT.encode()))
    between()
    second = worker.do(Item(b"b", 0, "b.txt", data=TEXT.encode()))
    return [(first.data or b"").decode(), (second.data or b"").decode()]


@pytest.mark.parametrize("way", [by_texts, by_turns, by_lines, by_parts, by_batch])
def test_a_column_that_is_taken_between_two_texts_is_gone_from_the_second(
    way: Callable[[Sanitizer, Callable[[], None]], list[str]], url: str, tmp_path: Path
) -> None:
    first, second = way(sanitizer(url, tmp_path), lambda: run(url, TAKEN))
    assert "flu" in first
    assert "DIAGNOSIS_1" in second and "flu" not in second


def test_a_turn_keeps_the_placeholders_of_earlier_ones(url: str, tmp_path: Path) -> None:
    run(url, TAKEN)
    talk = Conversation(sanitizer(url, tmp_path), viewer="doctor")
    assert talk.redact("It is gout.").text == "It is [DIAGNOSIS_1]."
    assert talk.redact("Flu or gout?").text == "[DIAGNOSIS_2] or [DIAGNOSIS_1]?"


HIDDEN = (
    "ALTER TABLE patient ENABLE ROW LEVEL SECURITY; CREATE POLICY part ON patient USING (name = 'Ngabc');"
)


@pytest.mark.parametrize("protect", ["", "denied", "all", "[1]"])
def test_rows_that_the_server_denies_are_protected_whatever_else_the_policy_protects(
    protect: str, url: str, tmp_path: Path
) -> None:
    run(url, HIDDEN)
    said = f"guarantees: [{{k-safety: {{over: patients, k: 2, protect: {protect}}}}}]" if protect else ""
    report = sanitizer(url, tmp_path, said).sanitize(
        b"Lundabc came with Ngabc. Gout!", name="n.txt", viewer="doctor"
    )
    assert report.verdict is Verdict.HELD and report.released is not None
    assert b"Lundabc" not in report.released and b"Gout" not in report.released
    assert (b"Ngabc" in report.released) is (protect in ("", "denied"))
