"""Words on the terminal, and only there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface import Sanitizer
from efface.cli.main import app
from efface.cli.redact import _show_result
from efface.cli.shared.console import show_verdict
from efface.cli.shared.show import show_finds, show_leaks
from efface.core import Leakage, Verdict

TEXT = "Write to ann@example.com soon.\nHalden Bay is quiet.\n"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("command", [["assess", "--show"], ["verify", "--show"], ["explain"]])
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


def test_what_a_verified_file_still_shows_is_in_its_line(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("efface.cli.shared.show.require_terminal", lambda _option: None)
    done = CliRunner().invoke(
        app, ["verify", str(note), "--show", "--policy", "patterns", "--deny", "Halden Bay"]
    )
    told = " ".join(done.output.split())
    assert done.exit_code == 3
    assert "EMAIL_ADDRESS Write to ann@example.com soon." in told
    assert "DENIED Halden Bay is quiet." in told
    assert "find.keep lets it stay: ann@example.com" in told


def test_what_only_other_readers_see_is_shown_without_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    verified = Sanitizer("patterns").verify(TEXT.encode(), name="note.txt")
    show_finds(replace(verified, document=replace(verified.document, text="Write")))
    assert "ann@example.com, which only other readers" in " ".join(capsys.readouterr().out.split())


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


def test_a_refusal_says_what_the_release_still_showed(capsys: pytest.CaptureFixture[str]) -> None:
    report = Sanitizer("patterns").sanitize(b"Mail anna@example.org today.", name="x.txt")
    outcomes = [replace(one, after=one.before, verdict=Verdict.BROKEN) for one in report.outcomes]
    refused = replace(report, verdict=Verdict.BROKEN, outcomes=tuple(outcomes), released=None)
    show_verdict(refused, None)
    told = capsys.readouterr().out
    assert "seen again" in told and "EMAIL_ADDRESS" in told and "anna" not in told
    show_leaks(refused)
    assert "anna@example.org" in capsys.readouterr().out
    _show_result(refused, None, as_json=False, show=False)
    assert "next:" in capsys.readouterr().out


def test_a_release_that_holds_shows_nothing_again(capsys: pytest.CaptureFixture[str]) -> None:
    show_verdict(Sanitizer("patterns").sanitize(b"Mail anna@example.org today.", name="x.txt"), None)
    assert "seen again" not in capsys.readouterr().out


def test_a_word_that_is_denied_already_gets_another_next_step(capsys: pytest.CaptureFixture[str]) -> None:
    """To deny it once more changes nothing: efface does not write the place where it stands."""
    report = Sanitizer("patterns").assess(b"Nothing here.", name="note.txt")
    leaks = (Leakage("styles", "plain", "DENIED", "Falcon"), Leakage("styles", "plain", "PERSON", "Halden"))
    show_leaks(replace(report, leaks=leaks))
    told = " ".join(capsys.readouterr().out.split())
    assert "take it out there by hand; find.keep lets it stay: Falcon" in told
    assert "find.deny, takes it out everywhere; find.keep lets it stay: Halden" in told
