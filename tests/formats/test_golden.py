"""Files under tests/golden: what goes in, which terms are replaced, and the bytes that must come out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.helpers import an_edit, edits_of, read, write

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
CASES = sorted(path.parent for path in GOLDEN.glob("*/*/edits.json"))


@pytest.mark.parametrize("case", CASES, ids=[f"{case.parent.name}-{case.name}" for case in CASES])
def test_the_bytes_are_the_expected_ones(case: Path) -> None:
    source = next(case.glob("input.*"))
    document = read(source.name, source.read_bytes())
    assert document.format == case.parent.name
    edits = []
    taken: set[int] = set()
    for term, replacement in json.loads((case / "edits.json").read_text("utf-8")):
        found = [edit for edit in edits_of(document.text, term, replacement) if edit.start not in taken]
        assert found, term
        for edit in found:
            taken.update(range(edit.start, edit.end))
            edits.append(an_edit(edit.start, edit.end, replacement))
    released = write(document, sorted(edits, key=lambda edit: edit.start))
    assert released == (case / f"expected{source.suffix}").read_bytes()
    assert write(document, ()) == source.read_bytes()


def test_every_format_has_golden_files() -> None:
    assert {case.parent.name for case in CASES} >= {"text", "csv", "json", "jsonl", "html", "eml"}
