from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.batch.engines.one_document import Spec, done_of, message_of
from efface.batch.engines.wire import Frames, frame
from efface.batch.items import Item, ItemResult, State
from efface.cli.main import app
from efface.policy.model import Policy, parse, preset
from tests.batch.helpers import POLICY, fill, one_by_one, tree
from tests.cli.in_process import efface

runner = CliRunner()


@pytest.fixture
def policy(tmp_path: Path) -> str:
    (tmp_path / "policy.yaml").write_text(POLICY)
    return str(tmp_path / "policy.yaml")


def test_the_command(tmp_path: Path, policy: str) -> None:
    fill(tmp_path / "in", 5)
    (tmp_path / "in" / "photo.xyz").write_bytes(b"?")
    words = ["batch", str(tmp_path / "in"), str(tmp_path / "out"), "-p", policy, "--workers", "1"]
    done = runner.invoke(app, [*words, "--json"])
    assert done.exit_code == 3  # one is missing
    *rows, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 6 and {row["state"] for row in rows} == {"done", "failed"}
    assert last["schema"] == "efface.batch/1" and last["counts"] == {"done": 5, "failed": 1}
    (tmp_path / "in" / "photo.xyz").unlink()
    done = runner.invoke(app, words)
    assert done.exit_code == 0 and "5 done" in done.stdout
    assert tree(tmp_path / "out") == one_by_one(tmp_path / "in")


def test_the_summary_says_why(tmp_path: Path, policy: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "<b>.xyz").write_bytes(b"?")
    words = ["batch", str(tmp_path / "in"), str(tmp_path / "out"), "-p", policy]
    assert runner.invoke(app, words).exit_code == 3
    page = (tmp_path / "out.work" / "summary.html").read_text()
    assert "efface does not know files with this ending." in page
    assert "&lt;b&gt;.xyz" in page and "<b>.xyz" not in page


def test_a_table_without_the_column_is_told_with_the_reason(tmp_path: Path, policy: str) -> None:
    (tmp_path / "t.csv").write_text("id,text\n1,Anna came\n")
    words = ["batch", str(tmp_path / "t.csv"), str(tmp_path / "out"), "-p", policy, "--text", "txt"]
    done = runner.invoke(app, words)
    assert done.exit_code == 3
    assert "nothing released" in done.stdout and "held" not in done.stdout
    assert "t.csv: It has no column of this name: txt." in " ".join(done.stdout.split())


@pytest.mark.parametrize("words", [["in"], ["in", "-o", "out"]])
def test_a_batch_without_an_output_is_told_where_it_goes(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "in").mkdir()
    done = efface("batch", *words, cwd=tmp_path)
    assert done.returncode == 2 and "efface batch [OPTIONS] IN... OUT" in " ".join(done.stderr.split())
    assert "argument 'IN'" not in done.stderr  # it is there, and is taken for the output


@pytest.mark.parametrize("text", ["efface: 1", POLICY, preset("hipaa-like"), preset("gdpr-special")])
def test_a_policy_travels_whole(text: str) -> None:
    policy = parse(text)
    spec = Spec.of(policy, Path(), "clerk", b"k" * 32, 1)
    assert Policy.model_validate_json(Spec.from_json(spec.to_json()).policy) == policy
    assert Spec.from_json(spec.to_json()) == spec and "6b6b" not in repr(spec)


def test_an_outcome_travels_whole() -> None:
    item = Item(b"a", 0, "a.txt")
    done = ItemResult(
        item, State.REFUSED, "why", terms=(("a", "b"),), tokens=("t",), outcomes=(("{}", "held"),), data=b"x"
    )
    message = json.loads(json.dumps(message_of(done)))
    assert done_of(item, message, b"x") == done


@pytest.mark.parametrize("cut", [1, 3, 7, 1000])
def test_frames_however_they_are_cut(cut: int) -> None:
    sent = [({"n": number, "s": "\udce9"}, bytes([number]) * number) for number in range(9)]
    stream = b"".join(frame(header, data) for header, data in sent)
    frames = Frames()
    heard = [found for at in range(0, len(stream), cut) for found in frames.feed(stream[at : at + cut])]
    assert heard == sent


def test_a_batch_of_failures_is_not_called_held(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.docx").write_bytes(b"\0\1 no Word file")
    words = ["batch", str(tmp_path / "in"), str(tmp_path / "out"), "-p", "patterns", "--workers", "1"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 3
    assert "nothing released  1 failed" in done.output
    assert "held" not in done.output
