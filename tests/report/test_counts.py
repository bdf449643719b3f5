"""The console, the report and the data count the same things."""

from __future__ import annotations

import json
import re
from pathlib import Path

from typer.testing import CliRunner

from efface.cli.main import app

TEXT = "Tel 943 476 5919, NHS number 943 476 5919.\nMail jo@example.org or www.example.org/jo@example.org\n"


def _printed(shown: str) -> dict[str, int]:
    return {kind: int(count) for count, kind in re.findall(r"^ +(\d+)  ([A-Z_]+)", shown, re.MULTILINE)}


def test_one_place_counts_once_everywhere(tmp_path: Path) -> None:
    source = tmp_path / "n.txt"
    source.write_text(TEXT)
    report, page = tmp_path / "n.json", tmp_path / "n.html"
    command = [
        "redact",
        str(source),
        "--policy",
        "patterns",
        "--force",
        "-o",
        str(tmp_path / "out.txt"),
        "--report",
    ]
    told = CliRunner().invoke(app, [*command, str(report)])
    assert told.exit_code == 0, told.output
    data = json.loads(report.read_text())
    printed = _printed(told.output)
    assert printed == data["places"]
    assert sum(printed.values()) == len(data["edits"])
    CliRunner().invoke(app, [*command, str(page)])
    bars = re.findall(r"<div><span>([A-Z_]+)</span>.*?<span>(\d+) → 0</span>", page.read_text(), re.DOTALL)
    assert {kind: int(count) for kind, count in bars if int(count)} == printed


def test_assess_counts_a_place_once(tmp_path: Path) -> None:
    source = tmp_path / "n.txt"
    source.write_text(TEXT)
    shown = CliRunner().invoke(app, ["assess", str(source), "--policy", "patterns"])
    data = json.loads(
        CliRunner().invoke(app, ["assess", str(source), "--policy", "patterns", "--json"]).output
    )
    assert _printed(shown.output) == data["places"]
    assert len({(row["start"], row["end"]) for row in data["findings"]}) >= sum(data["places"].values())
