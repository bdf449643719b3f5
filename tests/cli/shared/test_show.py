"""Words on the terminal, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.cli.main import app

TEXT = "Write to ann@example.com soon.\nHalden Bay is quiet.\n"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("command", [["assess", "--show"], ["explain"]])
def test_words_go_to_no_file_and_no_pipe(note: Path, command: list[str]) -> None:
    arguments = [command[0], str(note), *command[1:], *(["Halden"] if command[0] == "explain" else [])]
    done = CliRunner().invoke(app, [*arguments, "--policy", "patterns"])
    assert done.exit_code == 2
    assert "ann@example.com" not in done.output


def test_what_goes_is_shown_in_its_line(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("efface.cli.shared.show.require_terminal", lambda _option: None)
    done = CliRunner().invoke(app, ["assess", str(note), "--show", "--policy", "patterns"])
    assert "ann@example.com → [EMAIL_ADDRESS_1]" in done.output
    assert "1 place would go: 1 EMAIL_ADDRESS." in done.output


def test_a_word_that_goes_and_one_that_stays_are_explained(
    note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("efface.cli.explain.require_terminal", lambda _option: None)
    stays = CliRunner().invoke(app, ["explain", str(note), "halden", "--policy", "patterns"])
    assert "line 2: stays, because no finder" in " ".join(stays.output.split())
    goes = CliRunner().invoke(
        app, ["explain", str(note), "halden", "--policy", "patterns", "--deny", "Halden Bay"]
    )
    assert "line 2: goes." in goes.output
