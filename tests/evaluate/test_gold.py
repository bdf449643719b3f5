"""Gold standards in all their formats, and what is said of damaged ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from efface.errors import InputError
from efface.evaluate.gold import Gold, canonical, read_gold

TEXT = "Ann Lee lives in Oslo."
SPANS = (Gold(0, 7, "PERSON"), Gold(17, 21, "LOCATION"))


def _written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, "utf-8")
    return path


def test_jsonl(tmp_path: Path) -> None:
    row = {
        "text": TEXT,
        "spans": [{"start": 0, "end": 7, "type": "PER"}, {"start": 17, "end": 21, "label": "GPE"}],
    }
    (case,) = read_gold(_written(tmp_path, "g.jsonl", json.dumps(row) + "\n"), "jsonl")
    assert (case.text, case.annotations) == (TEXT, (SPANS,))


def test_jsonl_in_tokens_compressed_and_split(tmp_path: Path) -> None:
    rows = [
        {"tokens": ["Ann", "Lee", "lives"], "tags": ["B-PER", "I-PER", "O"], "split": "dev"},
        {"tokens": ["no"], "tags": ["O"], "split": "train"},
    ]
    path = tmp_path / "g.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    (case,) = read_gold(path, "jsonl", "dev")
    assert (case.text, case.annotations) == ("Ann Lee lives", ((Gold(0, 7, "PERSON"),),))


def test_presidio(tmp_path: Path) -> None:
    spans = [
        {"entity_type": "PERSON", "start_position": 0, "end_position": 7},
        {"entity_type": "TITLE", "start_position": 8, "end_position": 13},
    ]
    (case,) = read_gold(
        _written(tmp_path, "g.json", json.dumps([{"full_text": TEXT, "spans": spans}])), "presidio"
    )
    assert case.annotations == ((Gold(0, 7, "PERSON"),),)
    assert case.unjudged == ((8, 13),)


def test_tab_as_published_and_by_the_line(tmp_path: Path) -> None:
    mention = {
        "entity_type": "PERSON",
        "start_offset": 0,
        "end_offset": 7,
        "entity_id": "e1",
        "identifier_type": "DIRECT",
    }
    whole = [
        {
            "doc_id": "1",
            "text": TEXT,
            "dataset_type": "dev",
            "annotations": {"a1": {"entity_mentions": [mention]}, "a2": {"entity_mentions": []}},
        }
    ]
    line = {
        "doc_id": "1",
        "text": TEXT,
        "split": "dev",
        "mentions": [{"type": "PERSON", "start": 0, "end": 7, "entity": "e1", "identifier": "DIRECT"}],
    }
    (published,) = read_gold(_written(tmp_path, "g.json", json.dumps(whole)), "tab", "dev")
    (ours,) = read_gold(_written(tmp_path, "g.jsonl", json.dumps(line)), "tab", "dev")
    gold = Gold(0, 7, "PERSON", "e1", "DIRECT")
    assert published.annotations == ((gold,), ())
    assert ours.annotations == ((gold,),)


def test_conll(tmp_path: Path) -> None:
    text = "-DOCSTART- -X- O\n\nAnn NNP B-PER\nLee NNP I-PER\nOslo NNP I-LOC\n\r\nno X O\n"
    first, second = read_gold(_written(tmp_path, "g.conll", text), "conll")
    assert first.text == "Ann Lee Oslo"
    assert first.annotations == ((Gold(0, 7, "PERSON"), Gold(8, 12, "LOCATION")),)
    assert second.annotations == ((),)


def test_brat(tmp_path: Path) -> None:
    _written(tmp_path, "a.txt", TEXT)
    _written(tmp_path, "a.ann", "T1\tPER 0 3;4 7\tAnn Lee\nR1\tlives Arg1:T1\nT2\tGPE 17 21\tOslo\n")
    (case,) = read_gold(tmp_path, "brat")
    assert [(g.start, g.end, g.type) for g in case.annotations[0]] == [
        (0, 3, "PERSON"),
        (4, 7, "PERSON"),
        (17, 21, "LOCATION"),
    ]
    assert read_gold(tmp_path / "a.txt", "brat") == (case,)


@pytest.mark.parametrize(
    ("form", "content"),
    [
        ("jsonl", "{"),
        ("jsonl", "[1]"),
        ("jsonl", '{"text": "a", "spans": [{"start": 0}]}'),
        ("jsonl", '{"text": "a", "spans": [{"start": 0, "end": 9, "type": "PER"}]}'),
        ("jsonl", '{"tokens": ["a"], "tags": ["B-PER", "O"]}'),
        ("presidio", '{"full_text": "a"}'),
        ("tab", '[{"doc_id": 1}]'),
        ("conll", "Ann Q-PER\n"),
        ("conll", ""),
        ("jsonl", ""),
        ("other", ""),
    ],
)
def test_damaged_gold_standards_are_refused_in_a_sentence(tmp_path: Path, form: str, content: str) -> None:
    with pytest.raises(InputError) as refused:
        read_gold(_written(tmp_path, "g", content), form)
    assert refused.value.hint


def test_not_text_is_refused(tmp_path: Path) -> None:
    for data in (b"\xff\xfe\xff", b"\x1f\x8b broken"):
        (tmp_path / "g").write_bytes(data)
        with pytest.raises(InputError):
            read_gold(tmp_path / "g", "jsonl")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("per", "PERSON"),
        ("GPE", "LOCATION"),
        ("DATETIME", "DATE_TIME"),
        ("DEM", "NRP"),
        ("US_SSN", "CODE"),
        ("CASE_NUMBER", "CODE"),
    ],
)
def test_types_have_one_name(kind: str, expected: str) -> None:
    assert canonical(kind) == expected
