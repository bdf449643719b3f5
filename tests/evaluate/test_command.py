"""`efface evaluate` from end to end, with predictions in place of a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.cli.main import app

RUNNER = CliRunner()
GOLD = [
    {
        "text": "Ann Lee lives in Oslo.",
        "spans": [{"start": 0, "end": 7, "type": "PERSON"}, {"start": 17, "end": 21, "type": "LOCATION"}],
    },
    {"text": "Mail bob@example.org", "spans": [{"start": 5, "end": 20, "type": "EMAIL_ADDRESS"}]},
]


def _lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return _lines(tmp_path / "gold.jsonl", [dict(row) for row in GOLD])


def test_predictions_are_judged_and_compared(gold: Path, tmp_path: Path) -> None:
    best = _lines(tmp_path / "best.jsonl", [dict(row) for row in GOLD])
    worst = _lines(tmp_path / "worst.jsonl", [{"spans": []}, {"spans": []}])
    report = tmp_path / "report.html"
    arguments = [
        "evaluate",
        str(gold),
        "-f",
        "jsonl",
        "--predictions",
        str(best),
        "--against",
        str(worst),
        "--json",
    ]
    result = RUNNER.invoke(app, [*arguments, "--report", str(report)])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["cases"] == 2
    assert data["scores"]["ALL"]["strict"]["F2"] == 1.0
    assert data["scores"]["PERSON"]["token"] == {
        "recall": 1.0,
        "precision": 1.0,
        "F1": 1.0,
        "F2": 1.0,
        "gold": 2,
        "said": 2,
    }
    assert [one["measure"] for one in data["comparison"]] == ["recall", "precision", "F1", "F2"]
    assert data["comparison"][0]["difference"] == 1.0
    page = report.read_text("utf-8")
    assert "<svg" in page
    assert "Ann" not in page


def test_a_policy_is_judged(gold: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("efface: 1\nfind: {patterns: [EMAIL_ADDRESS], names: none}\n")
    result = RUNNER.invoke(app, ["evaluate", str(gold), "-f", "jsonl", "-p", str(policy), "--json"])
    scores = json.loads(result.stdout)["scores"]
    assert scores["EMAIL_ADDRESS"]["strict"]["recall"] == 1.0
    assert scores["PERSON"]["strict"]["recall"] == 0.0


def test_types_can_be_chosen(gold: Path, tmp_path: Path) -> None:
    best = _lines(tmp_path / "best.jsonl", [dict(row) for row in GOLD])
    arguments = ["evaluate", str(gold), "-f", "jsonl", "--predictions", str(best)]
    result = RUNNER.invoke(app, [*arguments, "--type", "per", "--json"])
    assert set(json.loads(result.stdout)["scores"]) == {"ALL", "PERSON"}
    assert "recall" in RUNNER.invoke(app, arguments).output


@pytest.mark.parametrize(
    "extra",
    [
        ["--type", "DATE_TIME"],
        ["--report", "report.txt"],
        ["--against", "short.jsonl"],
        ["--policy", "p.yaml"],
    ],
)
def test_mistakes_have_an_exit_code_of_two(
    gold: Path, tmp_path: Path, extra: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    best = _lines(tmp_path / "best.jsonl", [dict(row) for row in GOLD])
    _lines(tmp_path / "short.jsonl", [{"spans": []}])
    result = RUNNER.invoke(app, ["evaluate", str(gold), "-f", "jsonl", "--predictions", str(best), *extra])
    assert result.exit_code != 0
