"""`efface check` on a tree: what it tells, what it leaves out, and that no value is ever shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from efface.check.outputs import WRITERS
from efface.check.scan import SourceFinding, baseline_of, beyond, load_baseline, scan
from efface.check.tree import files
from efface.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
CARD, MAIL = "4111 1111 1111 1111", "greta.sol@mailhost.io"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for folder in (".git", "src", "build", "src/deep"):
        (tmp_path / folder).mkdir()
    (tmp_path / ".gitignore").write_text("build/\n*.log\n!keep.log\n", "utf-8")
    (tmp_path / "src" / ".gitignore").write_text("local.py\n", "utf-8")
    (tmp_path / "src" / "a.py").write_text(f"x = 1\ncard = '{CARD}'\n# {MAIL}\n", "utf-8")
    for name in ("build/b.py", "src/local.py", "src/x.log", "keep.log", "src/deep/c.py"):
        (tmp_path / name).write_text(f"m = '{MAIL}'\n", "utf-8")
    (tmp_path / "src" / "binary.bin").write_bytes(b"\0" + MAIL.encode())
    (tmp_path / "src" / "link.py").symlink_to(tmp_path / "src" / "a.py")
    return tmp_path


def test_files_are_those_that_git_would_take(tree: Path) -> None:
    names = [path.as_posix() for path in files([Path()])]
    assert names == [
        ".gitignore",
        "keep.log",
        "src/.gitignore",
        "src/a.py",
        "src/binary.bin",
        "src/deep/c.py",
    ]
    below = [path.as_posix() for path in files([Path("src")])]
    assert below == ["src/.gitignore", "src/a.py", "src/binary.bin", "src/deep/c.py"]


def test_as_git_itself_lists_them(tree: Path) -> None:
    import shutil

    if shutil.which("git") is None:
        pytest.skip("needs git, which is not on this machine")
    shutil.rmtree(tree / ".git")
    subprocess.run(["git", "init", "-q"], check=True)
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True
    )
    assert sorted(p.as_posix() for p in files([Path()])) == sorted(set(done.stdout.split()) - {"src/link.py"})


def test_findings_name_line_and_type_and_no_value(tree: Path) -> None:
    found = list(scan(files([Path("src")])))
    assert [(one.path, one.line, one.column, one.type) for one in found] == [
        ("src/a.py", 2, 9, "CREDIT_CARD"),
        ("src/a.py", 3, 3, "EMAIL_ADDRESS"),
        ("src/deep/c.py", 1, 6, "EMAIL_ADDRESS"),
    ]
    for write in WRITERS.values():
        said = write(found)
        assert "src/a.py" in said and CARD not in said and MAIL not in said


def test_addresses_for_examples_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Mail ann@example.org or bob@host.example.\n", "utf-8")
    assert list(scan([tmp_path / "a.md"])) == []


def test_baseline_hides_what_is_known_and_nothing_more(tree: Path) -> None:
    found = list(scan(files([Path("src")])))
    (tree / "known.json").write_text(baseline_of(found), "utf-8")
    known = load_baseline(tree / "known.json")
    assert list(beyond(found, known)) == []
    more = SourceFinding("src/a.py", 9, 1, "CREDIT_CARD", "x")
    assert list(beyond([*found, more], known)) == [more]
    assert MAIL not in (tree / "known.json").read_text("utf-8")
    (tree / "known.json").write_text("[]", "utf-8")
    with pytest.raises(InputError):
        load_baseline(tree / "known.json")


def test_sarif_has_the_shape_that_code_scanning_reads(tree: Path) -> None:
    sarif = json.loads(WRITERS["sarif"](list(scan(files([Path("src")])))))
    run = sarif["runs"][0]
    assert sarif["version"] == "2.1.0"
    assert {result["ruleId"] for result in run["results"]} == {
        rule["id"] for rule in run["tool"]["driver"]["rules"]
    }
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/a.py" and place["region"]["startLine"] == 2


def test_command_and_hooks(tree: Path) -> None:
    command = [sys.executable, "-c", "from efface.cli.main import main; main()", "check"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    codes = []
    for arguments in (
        ["src"],
        ["src", "--write-baseline", "b.json"],
        ["src", "--baseline", "b.json"],
        ["nowhere"],
    ):
        done = subprocess.run(
            [*command, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        assert MAIL not in done.stdout + done.stderr
        codes.append(done.returncode)
    assert codes == [3, 0, 0, 2]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hooks[0]["entry"] == "efface check"
    assert (
        "efface check" in yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"][2]["run"]
    )
