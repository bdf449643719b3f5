"""`efface check` on a tree: what it tells, what it leaves out, and that no value is ever shown."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
import yaml

from efface.check.outputs import WRITERS
from efface.check.scan import SourceFinding, baseline_of, beyond, load_baseline, scan
from efface.check.tree import LARGEST, UnreadReason, files
from efface.errors import InputError
from tests.cli.in_process import efface

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


def _listed(path: Path) -> list[str]:
    return [one.as_posix() for one in files([path]) if isinstance(one, Path)]


def test_files_are_those_that_git_would_take(tree: Path) -> None:
    names = _listed(Path())
    assert names == [
        ".gitignore",
        "keep.log",
        "src/.gitignore",
        "src/a.py",
        "src/binary.bin",
        "src/deep/c.py",
    ]
    below = _listed(Path("src"))
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
    assert sorted(_listed(Path())) == sorted(set(done.stdout.split()) - {"src/link.py"})


def test_lines_that_are_no_patterns_are_passed_over_as_in_git(tree: Path) -> None:
    lines = ["\ufeffbuild/", "!", "\\", "a.py\t", "src/**/", "*.log\r", "x\u2028keep.log"]
    (tree / ".gitignore").write_text("\n".join(lines), "utf-8")
    (tree / "src" / "line\tend.txt").write_text("x", "utf-8")
    names = [name for name in _listed(Path()) if not name.endswith(".gitignore")]
    assert names == ["src/a.py", "src/binary.bin", "src/line\tend.txt"]


def test_findings_name_line_and_type_and_no_value(tree: Path) -> None:
    found = list(scan(files([Path("src")])).found)
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
    assert list(scan([tmp_path / "a.md"]).found) == []


def test_baseline_hides_what_is_known_and_nothing_more(tree: Path) -> None:
    found = list(scan(files([Path("src")])).found)
    (tree / "known.json").write_text(baseline_of(found, Path()), "utf-8")
    known = load_baseline(tree / "known.json")
    assert list(beyond(found, known, Path())) == []
    more = SourceFinding("src/a.py", 9, 1, "CREDIT_CARD", "x")
    assert list(beyond([*found, more], known, Path())) == [more]
    assert MAIL not in (tree / "known.json").read_text("utf-8")
    (tree / "known.json").write_text("[]", "utf-8")
    with pytest.raises(InputError):
        load_baseline(tree / "known.json")


def test_baseline_knows_its_files_from_wherever_the_command_is_started(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "known.json").write_text(baseline_of(scan(files([Path()])).found, Path()), "utf-8")
    known = load_baseline(tree / "known.json")
    absolute = scan(files([tree])).found
    assert absolute and list(beyond(absolute, known, Path())) == []
    monkeypatch.chdir(tree / "src")
    for path in (Path(), Path(".."), Path("a.py")):
        below = scan(files([path])).found
        assert below and list(beyond(below, known, Path(".."))) == []


def test_what_is_not_read_is_told(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    (tree / "large.txt").write_bytes(b"x" * (LARGEST + 1))
    (tree / "wide.txt").write_text(f"Mail {MAIL}\n", "utf-16")
    looked = scan(files([Path(), Path("pipe")]))
    assert ("wide.txt", 1) in [(one.path, one.line) for one in looked.found]
    assert [(one.path.as_posix(), one.reason) for one in looked.skipped] == [
        ("large.txt", UnreadReason.LARGE),
        ("src/binary.bin", UnreadReason.BINARY),
        ("pipe", UnreadReason.CLOSED),
    ]
    told = efface("check", ".").stderr
    assert "large.txt (larger than 4 MiB)" in told and "1 binary file" in told


def test_paths_in_sarif_are_addresses() -> None:
    found = [SourceFinding("a b/50%.py", 1, 1, "US_SSN", "x"), SourceFinding("/t/a.py", 1, 1, "US_SSN", "x")]
    results = json.loads(WRITERS["sarif"](found))["runs"][0]["results"]
    places = [result["locations"][0]["physicalLocation"] for result in results]
    assert [place["artifactLocation"]["uri"] for place in places] == ["a%20b/50%25.py", "file:///t/a.py"]


def test_sarif_has_the_shape_that_code_scanning_reads(tree: Path) -> None:
    sarif = json.loads(WRITERS["sarif"](list(scan(files([Path("src")])).found)))
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


def test_action_runs_the_command_as_a_workflow_would(tree: Path) -> None:
    """The step's own script, in the shell that GitHub starts for it."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    script = next(step["run"] for step in action["runs"]["steps"] if "efface check" in step.get("run", ""))
    (tree / "bin").mkdir()
    command = tree / "bin" / "efface"
    command.write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'from efface.cli.main import main; main()' \"$@\"\n", "utf-8"
    )
    command.chmod(0o755)
    (tree / "other.py").write_text(f"m = '{MAIL}'\n", "utf-8")
    outcomes = []
    for baseline in ("", "known.json"):
        (tree / "known.json").write_text(baseline_of(scan(files([Path("src")])).found, Path()), "utf-8")
        environment = {
            **os.environ,
            "PATH": f"{tree / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "PATHS": "src\nother.py keep.log\n",
            "BASELINE": baseline,
        }
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        done = subprocess.run(shell, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 3, done.stderr
        outcomes.append([line.split(",")[0] for line in done.stdout.splitlines()])
    assert outcomes[0] == ["::error file=src/a.py"] * 2 + [
        "::error file=src/deep/c.py",
        "::error file=other.py",
        "::error file=keep.log",
    ]
    assert outcomes[1] == ["::error file=other.py", "::error file=keep.log"]


def test_byte_order_mark_is_no_column(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfmail: tom@acme-corp.com\n")
    assert [(one.line, one.column) for one in scan([tmp_path / "a.txt"]).found] == [(1, 7)]


def test_baseline_with_something_else_than_counts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_text('{"form": "efface.check/1", "known": {"a": {"US_SSN": "1"}}}', "utf-8")
    with pytest.raises(InputError):
        load_baseline(path)


def test_an_address_that_only_ends_like_an_example_is_found(tmp_path: Path) -> None:
    lines = "anna@counterexample.com\nbob@mail.example.com\nCAROL@EXAMPLE.ORG\neve@contest.de\nx@a.test\n"
    (tmp_path / "a.py").write_text(lines, "utf-8")
    assert [one.line for one in scan([tmp_path / "a.py"]).found] == [1, 4]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_editors_end_them(tmp_path: Path, end: str) -> None:
    (tmp_path / "a.py").write_bytes(f"a{end}b{end}  m = anna@firm.de{end}".encode())
    (found,) = scan([tmp_path / "a.py"]).found
    assert (found.line, found.column) == (3, 7)


@pytest.mark.parametrize(
    "name", [b"bad\xff.py", b"a\r::error ::b.py", b"a\n::error ::b.py", "\u2028.py".encode()]
)
@pytest.mark.parametrize("format", sorted(WRITERS))
def test_a_name_of_any_bytes_is_one_line(name: bytes, format: str) -> None:
    path = os.fsdecode(name)
    found = [SourceFinding(path, 3, 7, "EMAIL_ADDRESS", "shape"), SourceFinding("b.py", 1, 1, "X", "shape")]
    written = WRITERS[format](found)
    if format in ("text", "github"):
        assert len(re.split(r"[\r\n]", written)) == 2
        return
    told = json.loads(written)
    if format == "sarif":
        place = told["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert unquote_to_bytes(place) == name


def test_a_tree_deeper_than_calls_may_be_is_read_to_its_end(tmp_path: Path) -> None:
    deepest = tmp_path
    for _ in range(120):
        deepest /= "d"
    deepest.mkdir(parents=True)
    (deepest / "a.py").touch()
    limit, frames = sys.getrecursionlimit(), len(inspect.stack(0))
    sys.setrecursionlimit(frames + 80)
    try:
        found = list(files([tmp_path]))
    finally:
        sys.setrecursionlimit(limit)
    assert found == [deepest / "a.py"]


def test_a_baseline_nested_too_deep_is_refused(tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text('{"form": ' + "[" * 100_000)
    with pytest.raises(InputError, match="cannot be read"):
        load_baseline(tmp_path / "known.json")


def test_a_name_commands_no_terminal(tmp_path: Path) -> None:
    """What is not read is told by name, and a name may hold the commands of a terminal."""
    with (tmp_path / "a\x1b[31m\nb.py").open("wb") as stream:
        stream.truncate(LARGEST + 1)
    told = efface("check", str(tmp_path)).stderr
    assert "\\x1b" in told and "\x1b" not in told and told.count("\n") == 1
