from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from efface.errors import UsageError
from efface.frames import redact
from efface.sanitizer import Sanitizer
from tests.batch.helpers import POLICY, letter

ROWS: list[dict[str, Any]] = [{"id": n, "body": letter(n), "note": "to ann@example.org"} for n in range(30)]
ROWS.append({"id": 30, "body": None, "note": None})


def _made(kind: str) -> Any:
    module = pytest.importorskip(kind, reason=f"needs {kind}")
    if kind == "pyarrow":
        return module.Table.from_pylist(ROWS)
    return module.DataFrame(ROWS)


def _rows(frame: Any) -> list[dict[str, Any]]:
    if hasattr(frame, "to_pylist"):
        return list(frame.to_pylist())
    if hasattr(frame, "to_dicts"):
        return list(frame.to_dicts())
    import pandas as pd

    rows = frame.to_dict("records")
    return [{name: None if pd.isna(value) else value for name, value in row.items()} for row in rows]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_column_is_what_its_values_are_one_by_one(kind: str) -> None:
    sanitizer = Sanitizer.from_text(POLICY)
    frame = _made(kind)
    result = redact(frame, text="body", policy=sanitizer)
    assert type(result.frame) is type(frame)
    for before, after in zip(ROWS, _rows(result.frame), strict=True):
        assert after["id"] == before["id"] and after["note"] == before["note"]
        if before["body"] is None:
            assert after["body"] is None
        else:
            released = sanitizer.sanitize(before["body"].encode(), name="row.txt").released
            assert released is not None and after["body"] == released.decode()
        assert after["efface_verdict"] == "held" and after["efface_reason"] is None
    assert _rows(frame) == ROWS  # the one given is as it was


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_several_columns(kind: str) -> None:
    result = redact(_made(kind), text=["body", "note"], policy=Sanitizer.from_text(POLICY))
    assert {row["note"] for row in _rows(result.frame)} == {"to [EMAIL_ADDRESS_2]", None}


def test_highlights_in_a_notebook() -> None:
    page = redact(_made("pyarrow"), text="note", policy=Sanitizer.from_text(POLICY))._repr_html_()
    assert "<mark class='gone'>ann@example.org</mark>" in page
    assert "<mark class='new'>[EMAIL_ADDRESS_1]</mark>" in page
    assert "11 more rows" in page


def test_markup_in_a_cell_is_text() -> None:
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    table = pa.table({"body": ["<script>alert(1)</script> ann@example.org"]})
    assert "<script>" not in redact(table, policy=Sanitizer.from_text(POLICY))._repr_html_()


def test_a_row_that_may_not_leave_has_no_text(tmp_path: Path) -> None:
    """More people than exist are asked for, so nothing about one of them can leave."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    (tmp_path / "people.csv").write_text("id,name\n1,Ann Lee\n2,Bob Ray\n")
    (tmp_path / "policy.yaml").write_text(
        "knowledge: {people: {entities: people.csv, identifying: [name]}}\n"
        "guarantees: [{k-safety: {over: people, k: 5}}]\n"
    )
    result = redact(pa.table({"body": ["Ann Lee came."]}), policy=tmp_path / "policy.yaml")
    assert result.frame.column("body").to_pylist() == [None]
    assert result.verdicts == ("refused",) and "Fewer than k" in result.reasons[0]


def test_what_is_no_table_or_no_column() -> None:
    with pytest.raises(UsageError):
        redact([1, 2], policy=Sanitizer.from_text(POLICY))
    with pytest.raises(UsageError):
        redact(_made("pyarrow"), text="nothing", policy=Sanitizer.from_text(POLICY))
