"""`efface verify --report`: a release with made-up names, judged together with the report of its redaction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from efface import Sanitizer
from efface.cli.shared.release_report import verified_with
from efface.core import Report, Verdict
from efface.errors import InputError, UsageError
from efface.report.data import review, to_json

POLICY = {"operators": {"PERSON": "surrogate", "LOCATION": "surrogate", "DATE_TIME": {"shift": {"days": 20}}}}
TEXT = b"Mr Jonathan Whitcombe of Trowbridge came on 12 March 2019. Whitcombe was ill.\n"


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer(POLICY)


@pytest.fixture(scope="module")
def released(sanitizer: Sanitizer) -> Report:
    return sanitizer.sanitize(TEXT, name="note.txt")


def _report(folder: Path, report: Report) -> Path:
    path = folder / "r.json"
    path.write_bytes(to_json(review(report)))
    return path


def test_made_up_words_are_known_by_the_report(
    sanitizer: Sanitizer, released: Report, tmp_path: Path
) -> None:
    assert released.verdict is Verdict.HELD and released.released is not None
    assert sanitizer.verify(released.released, name="note.txt").verdict is Verdict.BROKEN
    stage = verified_with(_report(tmp_path, released))
    assert stage(released.released, "note.txt", sanitizer.bind()).verdict is Verdict.HELD


def test_a_report_of_another_file_is_refused(sanitizer: Sanitizer, released: Report, tmp_path: Path) -> None:
    assert released.released is not None
    stage = verified_with(_report(tmp_path, released))
    with pytest.raises(InputError, match="another file"):
        stage(released.released + b"Mr Jonathan Whitcombe", "note.txt", sanitizer.bind())


def test_what_the_report_did_not_make_up_is_found(
    sanitizer: Sanitizer, released: Report, tmp_path: Path
) -> None:
    assert released.released is not None
    path = _report(tmp_path, released)
    known = json.loads(path.read_text())
    known["edits"] = [edit for edit in known["edits"] if edit["type"] != "PERSON"]
    path.write_text(json.dumps(known))
    assert verified_with(path)(released.released, "note.txt", sanitizer.bind()).verdict is Verdict.BROKEN


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": "efface.certificate/1"}'])
def test_no_report_is_said(content: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(UsageError):
        verified_with(tmp_path / "r.json")
