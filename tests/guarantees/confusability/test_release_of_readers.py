"""From the policy to the bytes: what leaves is held for every reader, and nothing for others tells class, rank or key."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import docx
import numpy as np
import pytest
from typer.testing import CliRunner

from efface.api.sanitizer import Sanitizer
from efface.batch.containers.members import Options
from efface.batch.run import run
from efface.cli.main import app
from efface.core import Verdict
from efface.errors import PolicyError
from efface.formats.file_text import text_of
from efface.guarantees.confusability.rounds import ADAPTIVE
from efface.knowledge.classes import ClassModel, LabelledDocument, TrainingSettings, load, save, train
from efface.knowledge.people.build import build_people
from efface.knowledge.people.index import PeopleIndex
from efface.report.data import certificate, to_json
from efface.report.page import certificate_page
from tests.batch.helpers import batch
from tests.guarantees.confusability.test_readers import confused, corpus, mixed_corpus

DOCUMENT = mixed_corpus()[5]
K = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    save(train(mixed_corpus(), TrainingSettings(min_count=1)), folder / "m.model")
    for key in "ab":
        (folder / f"key-{key}").write_text(f"{key}: a key of 16 bytes and more")
        (folder / f"{key}.yaml").write_text(
            f"find: {{patterns: none, names: none}}\nkey: file:key-{key}\n"
            f"guarantees: [{{k-confusability: {{model: m.model, k: {K}, truth: {DOCUMENT.sensitive}}}}}]\n"
        )
    return folder


@pytest.fixture(scope="module")
def model(folder: Path) -> ClassModel:
    return load(folder / "m.model")


def _html(text: str) -> bytes:
    words = text.split()
    inner = " ".join(f"<b>{word[:2]}</b>{word[2:]}" for word in words)
    return f"<html><head><title>{words[0]}</title></head><body><p>{inner}</p></body></html>".encode()


def _docx(text: str) -> bytes:
    made = docx.Document()
    paragraph = made.add_paragraph()
    for word in text.split():
        paragraph.add_run(word[:3])
        paragraph.add_run(word[3:] + " ")
    made.core_properties.title = DOCUMENT.sensitive
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("plain.txt", DOCUMENT.text.encode()),
        ("upper.txt", DOCUMENT.text.upper().encode()),
        ("marks.txt", DOCUMENT.text.replace(" ", "... ").encode()),
        ("joined.txt", DOCUMENT.text.replace(" ", "_").encode()),
        ("twice.txt", f"{DOCUMENT.text}\n{DOCUMENT.text.title()}".encode()),
        ("wide.txt", "".join(chr(ord(c) + 0xFEE0) if c.isalnum() else c for c in DOCUMENT.text).encode()),
        ("page.html", _html(DOCUMENT.text)),
        ("memo.docx", _docx(DOCUMENT.text)),
    ],
)
def test_every_reader_of_the_released_bytes_is_confused(
    folder: Path, model: ClassModel, tmp_path: Path, name: str, data: bytes
) -> None:
    (tmp_path / name).write_bytes(data)
    report = Sanitizer.from_policy(folder / "a.yaml").sanitize(tmp_path / name)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    (tmp_path / f"out-{name}").write_bytes(report.released)
    left = text_of(tmp_path / f"out-{name}")
    assert confused(model, left, DOCUMENT.sensitive, K)
    assert DOCUMENT.sensitive.casefold() not in left.casefold()


def test_nothing_for_others_depends_on_the_key(folder: Path) -> None:
    """Ranks follow from the key, so what is the same for all keys tells no rank."""
    published, left = [], []
    for key in "ab":
        report = Sanitizer.from_policy(folder / f"{key}.yaml").sanitize(
            DOCUMENT.text.encode(), name="memo.txt"
        )
        assert report.released is not None
        left.append(report.released)
        data = json.loads(to_json(certificate(report)))
        data.pop("released", None)  # the digest of the released bytes
        data["coverage"].pop("exemptions")  # how many words stay: whoever has the file counts them
        published.append(data)
        for page in (json.dumps(data), certificate_page(report)):
            assert DOCUMENT.sensitive not in page
            assert "key-" not in page
    assert left[0] != left[1], "the keys of this test draw different ranks"
    assert published[0] == published[1]


def test_the_command_trains_in_rounds(folder: Path, tmp_path: Path) -> None:
    lines = [json.dumps({"sensitive": one.sensitive, "text": one.text}) for one in corpus(8)]
    (tmp_path / "memos.jsonl").write_text("\n".join(lines))
    arguments = ["train", "classes", tmp_path / "memos.jsonl", "-o", tmp_path / "m.model", "--rounds", 1]
    done = CliRunner().invoke(app, [*map(str, arguments), "-k", "2", "--min-count", "1"])
    assert done.exit_code == 0, done.output
    assert load(tmp_path / "m.model").readers[-3:] == tuple(f"{kind}/1" for kind in ADAPTIVE)
    done = CliRunner().invoke(app, [*map(str, arguments), "-k", "8", "--force"])
    assert isinstance(done.exception, PolicyError)


def test_readers_know_every_word() -> None:
    """There was a time when the 10,000 most informative words were all that counted."""
    words = [f"w{number:05d}" for number in range(12_000)]
    documents = [LabelledDocument(" ".join(words[at::2]), name) for at, name in ((0, "A"), (1, "B"))]
    model = train(documents, TrainingSettings(min_count=1, readers=("naive-bayes", "cosine")))
    assert len(model.words) == 12_000
    assert all(reader.knows(np.arange(12_000)).all() for reader in model.others)


def test_rows_of_a_table_hide_the_person_of_their_column(tmp_path: Path) -> None:
    chance = np.random.default_rng(2)
    words = [f"deed{number}" for number in range(40)]
    people = [f"Person{chr(65 + number)}" for number in range(20)]
    known = [LabelledDocument(" ".join(chance.choice(words, 30)), person) for person in people]
    build_people(known, tmp_path / "people.index")
    (tmp_path / "in").mkdir()
    with (tmp_path / "in" / "notes.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["person", "note"])
        for one in known[:3]:
            rows.writerow([one.sensitive, f"{one.sensitive} {one.text} {' '.join(words)}"])
    (tmp_path / "p.yaml").write_text(
        "find: {patterns: none, names: none}\n"
        "guarantees: [{k-confusability: {people: people.index, k: 3, truth: {column: person}}}]\n"
    )
    asked = replace(
        batch(tmp_path / "in", tmp_path / "out"),
        sanitizer=Sanitizer.from_policy(tmp_path / "p.yaml"),
        options=Options(text=("note",), truth="person"),
    )
    assert run(asked).judgement.verdict is Verdict.HELD
    written = (tmp_path / "out" / "notes.csv").read_text()
    notes = [row["note"] for row in csv.DictReader(io.StringIO(written))]
    index = PeopleIndex.open(tmp_path / "people.index")
    assert len(notes) == 3
    assert "Person" not in written
    for one, note in zip(known, notes, strict=False):
        model = index.model(note, one.sensitive)
        truth = model.sensitive.index(one.sensitive)
        for scores in model.all_scores(note).values():
            assert int((scores > scores[truth]).sum()) >= 2
