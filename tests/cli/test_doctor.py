"""`efface doctor`: sound where all is sound, and plain about what is not."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.cli import doctor as cli_doctor
from efface.cli.main import app
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def _checks(*arguments: str, code: int) -> dict[str, str]:
    result = CliRunner().invoke(app, ["doctor", "--json", *arguments])
    assert result.exit_code == code, result.output
    report = json.loads(result.output)
    assert report["well"] is (code == 0)
    return {check["what"]: check["state"] for check in report["checks"]}


def test_every_extra_for_users_is_explained() -> None:
    builders = {"dev", "docs", "experiments", "train"}
    assert set(cli_doctor.EXTRAS) == set(PROJECT["optional-dependencies"]) - builders


def test_what_comes_in_the_package_is_sound() -> None:
    checks = _checks(code=0)
    assert [checks[part] for part in ("names model", "counts of Wikipedia", "WordNet's nouns")] == ["ok"] * 3


def test_a_damaged_index_is_named(tmp_path: Path) -> None:
    index = tmp_path / "people"
    build([Entity("a", (("name", "Ann Lee"),))], index)
    assert _checks(str(index), code=0)[str(index)] == "ok"
    segment = next(index.glob("segment-*"))
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.write_bytes(data)
    assert _checks(str(index), code=2)[str(index)] == "broken"


def test_a_missing_extra_says_what_it_would_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli_doctor.EXTRAS, "ocr", (("no_such_module",), "scanned pages"))
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 0
    assert "scanned pages: pip install 'efface[ocr]'" in result.output
