"""Labelled data in its formats, well formed and not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from efface.errors import InputError
from efface.knowledge.identifiers.corpus import LabelledSpan, read_labelled, token_labels, type_name
from efface.learners.tokens import tokenize

TEXT = "Anna met Bruno in Rome"
SPANS = [(0, 4, "PERSON"), (9, 14, "PERSON"), (18, 22, "LOCATION")]


def labelled_words(path: Path, type_: str) -> list[str]:
    found = []
    for document in read_labelled(path):
        tokens = tokenize(document.text)
        flags = token_labels(tokens, document.spans, type_)
        found += [word for word, hidden in zip(tokens.words, flags, strict=True) if hidden]
    return found


def write(path: Path, *records: object) -> Path:
    path.write_text("\n".join(json.dumps(record) for record in records))
    return path


JSON = {
    "objects": {"text": TEXT, "spans": [{"start": a, "end": b, "type": t} for a, b, t in SPANS]},
    "labels": {"text": TEXT, "entities": [{"start": a, "end": b, "label": t} for a, b, t in SPANS]},
    "lists": {"text": TEXT, "entities": [list(span) for span in SPANS]},
    "tags": {"tokens": TEXT.split(), "tags": ["B-PER", "O", "B-PER", "O", "B-LOC"]},
}


@pytest.mark.parametrize("form", JSON)
def test_json_lines(form: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", JSON[form])
    assert labelled_words(path, "PERSON") == ["Anna", "Bruno"]
    assert labelled_words(path, "LOCATION") == ["Rome"]


def test_sentences_of_one_document_stay_together(tmp_path: Path) -> None:
    tagged = [
        {"doc": "a", "tokens": ["Anna"], "tags": ["B-PER"]},
        {"doc": "b", "tokens": ["x"], "tags": ["O"]},
    ]
    path = write(tmp_path / "a.jsonl", *tagged, tagged[0])
    assert [(d.name, len(d.spans)) for d in read_labelled(path)] == [("a", 2), ("b", 0)]


def test_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(JSON["objects"]).encode()))
    assert labelled_words(path, "PERSON") == ["Anna", "Bruno"]


@pytest.mark.parametrize("cut", [slice(0, 40), slice(0, 12)], ids=["cut short", "only its head"])
def test_a_damaged_archive_is_said(cut: slice, tmp_path: Path) -> None:
    packed = gzip.compress(json.dumps(JSON["objects"]).encode())
    for data in (packed[cut], packed[:14] + b"\xff\xff\xff\xff" + packed[18:]):
        (tmp_path / "a.jsonl.gz").write_bytes(data)
        with pytest.raises(InputError, match="damaged archive"):
            read_labelled(tmp_path / "a.jsonl.gz")


def test_an_archive_that_expands_beyond_all_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b" " * 1_000_000))
    monkeypatch.setattr("efface.knowledge.identifiers.corpus._LONGEST", 100_000)
    with pytest.raises(InputError, match="too large"):
        read_labelled(tmp_path / "a.jsonl.gz")


def test_conll(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(
        "-DOCSTART- -X- O\n\nAnna NNP B-PER\nKeller NNP I-PER\nmet VBD O\n\nBruno NNP B-PER\n\n"
        "-DOCSTART- -X- O\n\nRome NNP B-LOC\n"
    )
    first, second = read_labelled(path)
    assert labelled_words(path, "PERSON") == ["Anna", "Keller", "Bruno"]
    assert [first.text[s.start : s.end] for s in first.spans] == ["Anna Keller", "Bruno"]
    assert [s.type for s in second.spans] == ["LOCATION"]


def test_brat(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "a.ann").write_text(
        "T1\tPerson 0 4\tAnna\nT2\tPerson 9 11;12 14\tBr no\nR1\tKnows Arg1:T1 Arg2:T2\n#1\tNote T1\tx\n"
    )
    assert labelled_words(tmp_path, "PERSON") == ["Anna", "Bruno"]


def test_a_token_touched_by_a_label_is_labelled_whole() -> None:
    tokens = tokenize("Annabel met Bruno-Felix")
    spans = [
        LabelledSpan(0, 4, "A"),
        LabelledSpan(14, 19, "A"),
        LabelledSpan(3, 5, "A"),
        LabelledSpan(7, 8, "A"),
    ]
    assert token_labels(tokens, spans, "A").tolist() == [True, False, True, True, True]


def test_overlapping_and_empty_spans() -> None:
    tokens = tokenize("one two three")
    spans = [
        LabelledSpan(0, 7, "A"),
        LabelledSpan(4, 13, "B"),
        LabelledSpan(2, 2, "A"),
        LabelledSpan(4, 7, "A"),
    ]
    assert token_labels(tokens, spans, "A").tolist() == [True, True, False]
    assert token_labels(tokens, spans, "B").tolist() == [False, True, True]


BAD = {
    "not JSON": b"{",
    "no spans": b'{"text": "secret"}',
    "outside the text": b'{"text": "secret", "spans": [[0, 99, "A"]]}',
    "backwards": b'{"text": "secret", "spans": [[4, 2, "A"]]}',
    "tags too few": b'{"tokens": ["secret", "b"], "tags": ["O"]}',
    "not UTF-8": b'{"text": "secret\xe9", "spans": [[0, 6, "A"]]}',
    "a label that is none": b'{"text": "secret", "spans": [[0, 6, "!"]]}',
    "no labels at all": b'{"text": "secret", "spans": []}',
    "a list": b"[1]",
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_bad_data_is_named_and_never_quoted(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_labelled(tmp_path / "a.jsonl")
    assert "secret" not in f"{caught.value.message} {caught.value.hint}"


def test_utf_16_with_its_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(json.dumps(JSON["objects"]).encode("utf-16"))
    assert labelled_words(tmp_path / "a.jsonl", "LOCATION") == ["Rome"]


@pytest.mark.parametrize("text", ["Anna", "Anna X-PER", "Anna PER"])
def test_bad_conll(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(text)
    with pytest.raises(InputError, match="line 1"):
        read_labelled(tmp_path / "a.conll")


def test_labels_outside_a_brat_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna")
    (tmp_path / "a.ann").write_text("T1\tPerson 0 40\tAnna\n")
    with pytest.raises(InputError, match="outside"):
        read_labelled(tmp_path)


@pytest.mark.parametrize(
    ("label", "name"), [("PER", "PERSON"), ("org", "ORGANIZATION"), ("Blood type", "BLOOD_TYPE")]
)
def test_type_names(label: str, name: str) -> None:
    assert type_name(label) == name
