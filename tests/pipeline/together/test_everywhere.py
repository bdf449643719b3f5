"""One policy with every guarantee, for a viewer: in the pipeline, in batch and in the service, to a fixed point."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.api.sanitizer import Sanitizer
from efface.attacks.readers.extract import extract
from efface.cli.main import app
from efface.core import Report, Verdict
from efface.knowledge.classes import RecordFields, TrainingSettings, read_corpus, save, train
from tests.formats.pdf.build import line, new_pdf
from tests.formats.pdf.build import save as save_pdf

# With a key of its own the ranks that words must be hidden to are the same in every run.
POLICY = """
efface: 1
key: file:secret.key
find: {patterns: default, names: none, deny: [Project Falcon]}
knowledge:
  patients:
    database: sqlite:///hospital.db
    entities: patient
    key: mrn
    identifying: [mrn, name, given, family, born, city, employer, occupation, phone, email, kin, doctor]
    sensitive: [diagnosis, medication, insurer, policy_number, card, iban]
    types: {name: PERSON, given: PERSON, family: PERSON, kin: PERSON, doctor: PERSON, born: DATE_TIME}
    access:
      labels:
        compartments: [care, clinical, billing]
        rows: label
        columns: {insurer: billing, policy_number: billing, card: billing, iban: billing}
        users: {researcher: clinical, doctor: "care, clinical"}
guarantees:
  - k-safety: {over: patients, k: 3, protect: denied}
  - semantic: {hide: {HIV: virus}}
  - k-confusability: {model: clients.model, k: 3, hide: client, truth: Barclow}
operators: {PERSON: surrogate, EMAIL_ADDRESS: mask, WORD: generalise}
"""
LINES = (
    "Patient: Mireille Tanaka-Boyd, MRN 4471902, born 14 March 1971, of Halden Bay.",
    "Her HIV infection is treated with dolutegravir; insured by Harbour Mutual, HM-20931-77.",
    "Write to m.tanakaboyd@example.org or call (555) 010-4477 about Project Falcon.",
    "Barclow will replace the ledger before the tram season pass is launched.",
    "The branch managers book the fishermen's loans by hand; the interest margin is thin.",
)
SECRETS = (
    "Tanaka",
    "4471902",
    "HIV",
    "Harbour Mutual",
    "20931",
    "tanakaboyd@",
    "010-4477",
    "Falcon",
    "Barclow",
)
BROADER = ("virus", "infection", "disease", "illness", "condition")
HELD = {"absence", "columns", "k-safety", "semantic", "k-confusability"}


def as_docx(lines: tuple[str, ...]) -> bytes:
    from docx import Document as Word

    document, out = Word(), io.BytesIO()
    for text in lines:
        document.add_paragraph(text)
    document.save(out)
    return out.getvalue()


def as_pdf(lines: tuple[str, ...]) -> bytes:
    content = b"".join(line(text, y=270 - 20 * at, x=10, size=8) for at, text in enumerate(lines))
    return save_pdf(new_pdf(content))


FORMATS: dict[str, Callable[[tuple[str, ...]], bytes]] = {
    "note.txt": lambda lines: "\n".join(lines).encode(),
    "note.docx": as_docx,
    "note.pdf": as_pdf,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hospital's database, the consultants' model, and the policy that needs both."""
    folder = tmp_path_factory.mktemp("together")
    demo = files("efface.demo")
    connection = sqlite3.connect(folder / "hospital.db")
    connection.executescript(demo.joinpath("hospital", "hospital.sql").read_text("utf-8"))
    connection.close()
    (folder / "memos.jsonl").write_text(demo.joinpath("consulting", "memos.jsonl").read_text("utf-8"))
    fields = RecordFields("client", ("industry",))
    model = train(
        read_corpus(folder / "memos.jsonl", fields),
        TrainingSettings(sensitive="client", utility=("industry",)),
    )
    save(model, folder / "clients.model")
    (folder / "secret.key").write_text("0123456789abcdef" * 4)
    (folder / "policy.yaml").write_text(POLICY)
    return folder


def shown(data: bytes, name: str) -> str:
    """What the released file says, by the attackers' reader."""
    format_name = {"txt": "text"}.get(name.rpartition(".")[2], name.rpartition(".")[2])
    return "\n".join(text for _, text in extract(data, format_name))


def check(data: bytes, name: str) -> None:
    text = shown(data, name)
    assert [secret for secret in SECRETS if secret in text] == []
    assert "is thin" in text


@pytest.mark.parametrize("name", FORMATS)
def test_in_the_pipeline_to_a_fixed_point(folder: Path, name: str) -> None:
    sanitizer = Sanitizer.from_policy(folder / "policy.yaml")

    def sanitized(data: bytes) -> tuple[Report, bytes]:
        report = sanitizer.sanitize(data, name=name, viewer="researcher")
        assert report.released is not None
        assert report.verdict is Verdict.HELD, (
            report.leaks,
            [o.claim.name for o in report.outcomes if o.after],
        )
        return report, report.released

    report, released = sanitized(FORMATS[name](LINES))
    assert {outcome.claim.name for outcome in report.outcomes} == HELD
    check(released, name)
    again, _ = sanitized(released)
    assert [edit.reason for edit in again.edits] == []


def test_with_a_guarantee_of_the_whole_release(folder: Path) -> None:
    """One document proves nothing about a release, but every other guarantee holds on it."""
    from efface.knowledge.identifiers.corpus import read_labelled
    from efface.knowledge.identifiers.files import save as save_greedy
    from efface.knowledge.identifiers.model import IdentifierSettings as Greedy
    from efface.knowledge.identifiers.training import train as learn

    (folder / "mails.jsonl").write_text(
        files("efface.demo").joinpath("mails", "labelled.jsonl").read_text("utf-8")
    )
    labelled = read_labelled(folder / "mails.jsonl")
    save_greedy(learn(labelled, Greedy(learner="crf", min_remaining=100)), folder / "names.greedy")
    (folder / "release.yaml").write_text(
        POLICY.replace("operators:", "  - identifiers: {model: names.greedy}\noperators:")
    )
    lines = (*LINES, "Hello Dagny, can somebody call the daughter of Aldo Haugsrud?")
    report = Sanitizer.from_policy(folder / "release.yaml").sanitize(
        FORMATS["note.docx"](lines), name="note.docx", viewer="researcher", allow_unproven=True
    )
    verdicts = {outcome.claim.name: outcome.verdict for outcome in report.outcomes}
    assert verdicts.pop("identifiers") is Verdict.UNPROVEN is report.verdict
    assert verdicts == dict.fromkeys(HELD, Verdict.HELD)
    assert report.released is not None and "Haugsrud" not in shown(report.released, "note.docx")
    check(report.released, "note.docx")


@pytest.mark.parametrize(("viewer", "left"), [("doctor", True), ("clerk", False)])
def test_a_broader_word_is_no_way_around_a_denied_column(tmp_path: Path, viewer: str, left: bool) -> None:
    with closing(sqlite3.connect(tmp_path / "ward.db")) as database, database:
        database.execute("CREATE TABLE patient (id INTEGER PRIMARY KEY, name, diagnosis, label)")
        rows = [(f"Person {value}", value, "LOW") for value in BROADER]
        database.executemany("INSERT INTO patient (name, diagnosis, label) VALUES (?, ?, ?)", rows)
    database.close()
    (tmp_path / "policy.yaml").write_text("""
find: {patterns: none, names: none}
knowledge:
  patients:
    database: sqlite:///ward.db
    entities: patient
    key: id
    identifying: [name]
    sensitive: [diagnosis]
    access:
      labels:
        levels: [LOW, HIGH]
        rows: label
        columns: {diagnosis: HIGH}
        users: {clerk: LOW, doctor: HIGH}
guarantees:
  - semantic: {hide: {HIV: infection}, max_group: 1}
""")
    report = Sanitizer.from_policy(tmp_path / "policy.yaml").sanitize(
        b"She has HIV, and a cat.", name="note.txt", viewer=viewer
    )
    assert report.verdict is Verdict.HELD and report.released is not None
    assert b"HIV" not in report.released
    assert any(value.encode() in report.released for value in BROADER) is left


def test_in_batch(folder: Path, tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name, make in FORMATS.items():
        (source / name).write_bytes(make(LINES))
    arguments = ["batch", source, output, "-p", folder / "policy.yaml", "--viewer", "researcher", "--json"]
    done = CliRunner().invoke(app, [*map(str, arguments), "--workers", "1"])
    assert done.exit_code == 0, done.output
    rows = [json.loads(row) for row in done.output.splitlines() if row.startswith("{")]
    assert rows[-1]["verdict"] == "held" and rows[-1]["counts"] == {"done": len(FORMATS)}
    for name in FORMATS:
        check((output / name).read_bytes(), name)


def test_in_the_service_as_a_viewer(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("fastapi", reason="the extra `service` is not installed")
    from starlette.testclient import TestClient

    from efface.service.app import Service, create
    from efface.service.settings import ServiceSettings

    service = Service.open(ServiceSettings(home=tmp_path / "home"))
    for name in ("hospital.db", "clients.model", "secret.key"):
        shutil.copyfile(folder / name, service.settings.policies / name)
    (service.settings.policies / "wards.yaml").write_text(POLICY)
    service.repository.put_folder("wards", "wards")
    tokens = {}
    for user, role in (("reviewer", "reviewer"), ("researcher", "reader")):
        service.people.put(user, role)
        tokens[user] = {"Authorization": f"Bearer {service.people.issue(user)[1]}"}
    with TestClient(create(service)) as client:
        for name, make in FORMATS.items():
            sent = {"file": (name, make(LINES))}
            answer = client.post(
                "/v1/redact", files=sent, data={"policy": "wards"}, headers=tokens["reviewer"]
            )
            assert (answer.status_code, answer.headers["efface-verdict"]) == (200, "held"), answer.text
            check(answer.content, name)
            added = client.post("/v1/folders/wards/documents", files=sent, headers=tokens["reviewer"])
            opened = client.get(f"/v1/documents/{added.json()['id']}", headers=tokens["researcher"])
            assert opened.status_code == 200, opened.text
            check(opened.content, name)
