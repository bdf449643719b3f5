"""Corpora from files and folders."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

from efface.errors import InputError
from efface.formats.file_text import text_of
from efface.knowledge.classes import LabelledDocument, RecordFields, read_corpus

RECORDS: list[dict[str, object]] = [
    {
        "text": 'Steel, "rolled"\nand cold',
        "client": "Acme",
        "industry": ["metal", "transport"],
        "region": "EU",
    },
    {"text": "Loans", "client": "Bolt", "industry": "finance", "region": None},
]
FIELDS = RecordFields("client", ("industry", "region"))
EXPECTED = [
    LabelledDocument('Steel, "rolled"\nand cold', "Acme", ("metal", "transport", "EU")),
    LabelledDocument("Loans", "Bolt", ("finance",)),
]


def test_json_lines(tmp_path: Path) -> None:
    lines = "\n\n".join(json.dumps(record) for record in RECORDS)
    (tmp_path / "c.jsonl").write_text(lines)
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    for name in ("c.jsonl", "c.jsonl.gz"):
        seen: list[tuple[int, int]] = []
        path = tmp_path / name
        assert list(read_corpus(path, FIELDS, lambda done, total: seen.append((done, total)))) == EXPECTED  # noqa: B023
        assert seen[-1] == (path.stat().st_size, path.stat().st_size)


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, ["text", "client", "industry", "region"])
        writer.writeheader()
        writer.writerow(RECORDS[0] | {"industry": "metal"})
        writer.writerow({"text": "long " * 50_000, "client": "Bolt", "industry": "finance", "region": ""})
    limit = csv.field_size_limit()
    found = list(read_corpus(path, FIELDS))
    assert [d.sensitive for d in found] == ["Acme", "Bolt"]
    assert found[0].utility == ("metal", "EU")
    assert found[1] == LabelledDocument("long " * 50_000, "Bolt", ("finance",))
    assert csv.field_size_limit() == limit


def test_folders(tmp_path: Path) -> None:
    for name, text in (
        ("metal/Acme/a.txt", "Steel"),
        ("metal/Acme/deep/b.txt", "Iron"),
        ("bank/Bolt/c", "Loan"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "metal" / "Empty").mkdir()
    found = set(read_corpus(tmp_path, RecordFields(utility=("industry",)), read=text_of))
    assert found == {
        LabelledDocument("Steel", "Acme", ("metal",)),
        LabelledDocument("Iron", "Acme", ("metal",)),
        LabelledDocument("Loan", "Bolt", ("bank",)),
    }
    (tmp_path / "metal" / "page.html").write_text("<p>Co&#112;per</p>")
    assert {(d.sensitive, d.text.strip()) for d in read_corpus(tmp_path, RecordFields(), read=text_of)} == {
        ("metal", "Steel"),
        ("metal", "Iron"),
        ("metal", "Copper"),
        ("bank", "Loan"),
    }


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.jsonl", b"not json"),
        ("c.jsonl", b'["a list"]'),
        ("c.jsonl", b'{"text": "secret words"}'),
        ("c.jsonl", b'{"text": 7, "client": "Acme"}'),
        ("c.jsonl", b'{"text": "secret words", "client": ["Acme", "Bolt"]}'),
        ("c.jsonl", b'{"text": ' + b"[" * 100_000),
        ("c.jsonl.gz", b"not gzip"),
        ("c.csv", b"text,client\nsecret words"),
        ("c.csv", b"text,client\n\xff\xfe,Acme"),
        ("c.txt", b"what is this"),
    ],
)
def test_what_cannot_be_read_is_said_without_its_content(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(read_corpus(tmp_path / name, RecordFields("client")))
    assert "secret" not in str(caught.value)


def test_missing_files_and_files_outside_the_classes(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_corpus(tmp_path / "none.jsonl", FIELDS)
    (tmp_path / "stray.txt").write_text("secret")
    with pytest.raises(InputError):
        list(read_corpus(tmp_path, RecordFields()))
