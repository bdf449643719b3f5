"""The command as a user runs it. Where the process itself is not what is tested, it runs in this one."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pdfplumber
import pytest
import typer

import efface as efface_package
from efface.cli import main as cli
from efface.evaluate.gold import READERS
from efface.learners.selection import NAMES as LEARNERS
from efface.solvers.ksafety.solve import METHODS
from tests.cli.in_process import TERMINAL, efface

EFFACE = Path(sys.executable).parent / "efface"
NOTE = "Write to jane.doe@example.org, Project Falcon. IBAN GB82 WEST 1234 5698 7654 32.\n"


def installed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command of the installation, in a process of its own."""
    environment = {**os.environ, **TERMINAL}
    return subprocess.run(
        [EFFACE, *arguments], capture_output=True, text=True, timeout=600, env=environment, check=False
    )


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(NOTE)
    return path


def test_redact_writes_the_twin_the_report_and_the_certificate(note: Path, tmp_path: Path) -> None:
    out, report, certificate = tmp_path / "out.txt", tmp_path / "r.json", tmp_path / "c.json"
    done = installed(
        "redact",
        note,
        "-o",
        out,
        "--deny",
        "Project Falcon",
        "--report",
        report,
        "--certificate",
        certificate,
    )
    assert done.returncode == 0, done.stderr
    assert out.read_text() == "Write to [EMAIL_ADDRESS_1], [DENIED_1]. IBAN [IBAN_CODE_1].\n"
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    review = json.loads(report.read_text())
    assert review["verdict"] == "held"
    assert [(e["type"], NOTE[e["start"] : e["end"]]) for e in review["edits"]] == [
        ("EMAIL_ADDRESS", "jane.doe@example.org"),
        ("DENIED", "Project Falcon"),
        ("IBAN_CODE", "GB82 WEST 1234 5698 7654 32"),
    ]
    published = certificate.read_text()
    for secret in ("jane", "Falcon", "GB82", "note.txt", "EMAIL"):
        assert secret not in published
    assert json.loads(published)["guarantees"][0]["name"] == "absence"


def test_html_reports_hold_no_script_and_the_certificate_no_original(note: Path, tmp_path: Path) -> None:
    note.write_text(NOTE + "<script>alert(1)</script>")
    report, certificate = tmp_path / "r.html", tmp_path / "c.html"
    out = tmp_path / "o.txt"
    done = efface(
        "redact", note, "-o", out, "--deny", "alert", "--report", report, "--certificate", certificate
    )
    assert done.returncode == 0, done.stderr
    assert "<script" not in report.read_text() and "jane.doe" in report.read_text()
    assert "jane" not in certificate.read_text() and "<script" not in certificate.read_text()


def test_assess_prints_one_object_a_file(note: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean.txt"
    clean.write_text("Nothing here.")
    done = efface("assess", note, clean, "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 3
    assert (first["verdict"], second["verdict"]) == ("broken", "held")
    assert {"type", "start", "end", "score", "secret", "because"} <= first["findings"][0].keys()
    span = first["findings"][0]
    assert efface("text", note).stdout[span["start"] : span["end"]] == "jane.doe@example.org"


def test_verify_holds_on_what_redact_wrote_and_not_on_the_original(note: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert efface("redact", note, "-o", out).returncode == 0
    assert efface("verify", out).returncode == 0
    assert installed("verify", note).returncode == 3


@pytest.mark.parametrize(
    "name", ["in.txt", "in.csv", "in.json", "in.jsonl", "in.html", "in.eml", "in.md", "in.tsv"]
)
def test_redacting_twice_changes_nothing(tmp_path: Path, name: str) -> None:
    contents = {
        "json": '{"mail": "jane.doe@example.org", "n": 1.50, "none": null}',
        "jsonl": '{"mail": "jane.doe@example.org"}\n{"ok": true}\n',
        "html": "<p>Write to <b>jane.doe</b>@example.org</p><img alt='jane.doe@example.org'>",
        "eml": "From: Jane <jane.doe@example.org>\nSubject: hi\n\nCall me.\n",
        "csv": 'name,mail\n"Doe, J.",jane.doe@example.org\n',
        "tsv": "name\tmail\nDoe\tjane.doe@example.org\n",
    }
    source = tmp_path / name
    source.write_text(contents.get(name.rpartition(".")[2], NOTE))
    once, twice = tmp_path / f"once.{name}", tmp_path / f"twice.{name}"
    first = efface("redact", source, "-o", once)
    assert first.returncode == 0, first.stderr + first.stdout
    assert "jane.doe" not in once.read_text()
    assert efface("redact", once, "-o", twice).returncode == 0
    assert twice.read_bytes() == once.read_bytes()


BAD = [
    ("empty.txt", b"", 0),
    ("junk.txt", bytes(range(256)) * 40, 2),
    ("cut.txt", b"\xff\xfeJ\x00a\x00n", 2),
    ("deep.json", b"[" * 200_000 + b"]" * 200_000, None),
    ("broken.json", b'{"mail": "jane.doe@example.org"', 2),
    ("broken.eml", b'Content-Type: multipart/mixed; boundary="x"\n\n--y\njane.doe@example.org', None),
]


@pytest.mark.parametrize(("name", "data", "code"), BAD)
def test_bad_input_gets_one_clear_sentence_and_leaves_nothing(
    tmp_path: Path, name: str, data: bytes, code: int | None
) -> None:
    source, out = tmp_path / name, tmp_path / f"out.{name}"
    source.write_bytes(data)
    done = efface("redact", source, "-o", out)
    assert done.returncode in ((0, 2, 3) if code is None else (code,)), done.stderr
    assert (
        "Traceback" not in done.stderr and "jane" not in done.stderr and "Internal error" not in done.stderr
    )
    assert out.exists() == (done.returncode == 0)
    if done.returncode:
        assert done.stderr.startswith("error: ")


def test_paths_that_cannot_be_used(note: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(note)
    (tmp_path / "old.txt").write_text("old")
    for source, out, why in [
        (tmp_path / "none.txt", tmp_path / "o.txt", "does not exist"),
        (tmp_path, tmp_path / "o.txt", "folder"),
        (note, note, "different files"),
        (note, tmp_path / "old.txt", "exists already"),
        (note, link, "symbolic link"),
        (note, tmp_path / "no" / "o.txt", "does not exist"),
        (note, Path("-"), "pipe"),
    ]:
        done = efface("redact", source, "-o", out)
        assert done.returncode == 2
        assert why in done.stderr
    assert note.read_text() == NOTE
    big = efface("redact", note, "-o", tmp_path / "o.txt", "--max-size", "0")
    assert big.returncode == 2


def test_outputs_must_be_different_files(note: Path, tmp_path: Path) -> None:
    for arguments in (
        ["-o", "s.json", "--report", "s.json"],
        ["-o", "o.txt", "--report", "note.txt", "--force"],
    ):
        done = efface("redact", note, *arguments, cwd=tmp_path)
        assert done.returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["note.txt"]
    assert note.read_text() == NOTE


def test_the_output_is_of_the_same_kind(note: Path, tmp_path: Path) -> None:
    done = efface("redact", note, "-o", tmp_path / "note.pdf")
    assert done.returncode == 2
    assert "another kind" in done.stderr
    assert not (tmp_path / "note.pdf").exists()


def test_the_limit_on_size_is_a_sentence(tmp_path: Path) -> None:
    big = tmp_path / "big.html"
    with big.open("wb") as file:
        file.truncate(200 * 2**20)
    done = efface("redact", big, "-o", tmp_path / "o.html", "--max-size", "100")
    assert done.returncode == 2
    assert "200 MiB; the limit is 100 MiB" in done.stderr


BUSY = """
import time
from pathlib import Path


class Busy:
    types = ("TICKET",)

    def find(self, text):
        Path("begun").touch()
        time.sleep(3600)
        return iter(())
"""


def test_ctrl_c_leaves_nothing(note: Path, tmp_path: Path) -> None:
    (tmp_path / "busy.py").write_text(BUSY)
    (tmp_path / "policy.yaml").write_text('find: {names: none, custom: "busy:Busy"}\n')
    work = tmp_path / "work"
    work.mkdir()
    # Whoever runs the tests in the background has them ignore the signal, and children inherit that.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{listening}; from efface.cli.main import main; main()"
    words: list[str | Path] = ["redact", note, "-o", tmp_path / "out.txt", "-p", tmp_path / "policy.yaml"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], cwd=work, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        while not (work / "begun").exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=600)
    finally:
        process.kill()
        process.wait()
    assert process.returncode != 0
    assert "Traceback" not in error and "jane" not in error
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {
        "busy.py", "note.txt", "policy.yaml", "work",
    }  # fmt: skip


def test_encrypt_and_restore(note: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("key: env:SOME_KEY\noperators: {default: encrypt}\n")
    out, back = tmp_path / "out.txt", tmp_path / "back.txt"
    key = efface("policy", "key").stdout.strip()
    assert efface("redact", note, "-o", out, "-p", policy, SOME_KEY=key).returncode == 0
    assert "jane" not in out.read_text()
    assert efface("restore", out, "-o", back, "-p", policy, SOME_KEY=key).returncode == 0
    assert back.read_text() == NOTE
    wrong = efface("restore", out, "-o", tmp_path / "x", "-p", policy, SOME_KEY="w" * 43)
    assert wrong.returncode == 2 and not (tmp_path / "x").exists()


def test_a_key_is_needed_where_it_must_last(note: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text("operators: {default: hash}\n")
    done = efface("redact", note, "-o", tmp_path / "o.txt", "-p", policy)
    assert done.returncode == 2
    assert "key" in done.stderr


def test_policy_commands(tmp_path: Path) -> None:
    example = tmp_path / "policy.yaml"
    example.write_text(efface("policy", "example").stdout)
    assert efface("policy", "check", example).returncode == 0
    example.write_text("find:\n  paterns: none\n")
    wrong = efface("policy", "check", example)
    assert wrong.returncode == 2
    assert "line 2" in wrong.stderr and "patterns" in wrong.stderr
    assert "IBAN_CODE" in efface("policy", "types").stdout
    for mistake, near in [
        ("operators: {DATE_TYME: shift}", "DATE_TIME"),
        ("operators: {default: hassh}", "hash"),
        ("find: {patterns: [EMAIL_ADRESS], names: none}", "EMAIL_ADDRESS"),
        ("operators: {default: hash}", "key"),
    ]:
        example.write_text(mistake)
        wrong = efface("policy", "check", example)
        assert wrong.returncode == 2 and near in wrong.stderr, mistake


def test_the_demo_needs_no_extra_and_shows_every_guarantee(tmp_path: Path) -> None:
    """As in a base install: what only extras bring cannot be imported."""
    absent = dict.fromkeys(("sklearn", "scipy", "pycrfsuite", "fastapi", "pandas"))
    blocked = f"import sys; sys.modules.update({absent})"
    code = f"{blocked}; from efface.cli.main import main; sys.argv = ['efface', 'demo']; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "efface-demo"
    for guarantee in ("views and k-safety", "k-confusability", "semantic", "identifiers"):
        assert f"{guarantee}: " in done.stdout
    listed = re.findall(r"href='([^']+)'", (folder / "index.html").read_text())
    assert sorted(listed) == sorted(str(page.relative_to(folder)) for page in folder.rglob("*.report.html"))
    assert "researcher/note.txt.report.html" in listed
    for scene in ("a Word file: ", "a PDF: ", "coverage: ", "who could this be: "):
        assert scene in done.stdout
    assert "unproven" in done.stdout and not (folder / "officer" / "released.letter.txt").exists()
    with zipfile.ZipFile(folder / "officer" / "released.referral.docx") as package:
        everything = b"".join(package.read(name) for name in package.namelist()).lower()
    assert b"seen by" in everything and b"tanaka" not in everything and b"marchetti" not in everything
    words = {}
    for name in ("covered.pdf", "released.covered.pdf"):
        with pdfplumber.open(folder / "officer" / name) as pdf:
            words[name] = pdf.pages[0].extract_text()
    assert "Brandvold" in words["covered.pdf"] and "Diagnosis" in words["released.covered.pdf"]
    assert "Brandvold" not in words["released.covered.pdf"]
    researcher = (folder / "researcher" / "note.txt").read_text()
    assert "Mireille" not in researcher and "dolutegravir" in researcher
    administrator = (folder / "administrator" / "note.txt").read_text()
    assert "Mireille" in administrator and "dolutegravir" not in administrator


def test_ksafety_solve_and_check(tmp_path: Path) -> None:
    instance = tmp_path / "i.json"
    instance.write_text(
        json.dumps(
            {
                "entities": {"p": ["a", "b"], "x": ["a"], "y": ["b"], "z": ["a"], "w": ["b"]},
                "protected": ["p"],
                "document": ["a", "b", "c"],
                "weights": {"a": 5},
            }
        )
    )
    for method in ("auto", "exact", "btop", "btop-naive", "bsize", "bfreq", "best-first", "levelwise"):
        done = efface("ksafety", "solve", instance, "--k", "3", "--method", method, "--json")
        answer = json.loads(done.stdout)
        assert answer["removed"] == ["b"] and answer["kept"] == ["a", "c"], method
        wanted = {"schema", "kept", "removed", "optimality", "lower_bound", "seconds", "method"}
        assert answer.keys() == wanted
    assert efface("ksafety", "check", instance, "--k", "3", "--kept", "a").returncode == 0
    broken = efface("ksafety", "check", instance, "--k", "3", "--json")
    assert broken.returncode == 3 and json.loads(broken.stdout) == {
        "schema": "efface.ksafety.check/1",
        "verdict": "broken",
        "k": 3,
        "crowds": {"p": 1},
    }
    refused = efface("ksafety", "solve", instance, "--k", "9")
    assert refused.returncode == 3 and "fewer than k entities" in refused.stderr
    instance.write_text("[1]")
    assert efface("ksafety", "solve", instance, "--k", "2").returncode == 2
    for weights in (
        '{"a": "b"}',
        '{"a": null}',
        '{"a": 1' + "0" * 400 + "}",
        '{"a": -1}',
        '{"a": 1, "a": 2}',
    ):
        rest = '"entities": {"e": ["a"]}, "protected": [], "document": ["a"]'
        instance.write_text(f'{{{rest}, "weights": {weights}}}')
        refused = efface("ksafety", "solve", instance, "--k", "1")
        assert (refused.returncode, "is not a k-safety instance" in refused.stderr) == (2, True)


def test_index_build_info_and_damage(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"id": "1", "terms": ["fever", "rash"]}\n')
    policy = tmp_path / "p.yaml"
    policy.write_text("knowledge: {things: {entities: d.jsonl}}\n")
    assert efface("index", "build", "-p", policy).returncode == 0
    index = tmp_path / "things.index"
    assert json.loads(efface("index", "info", index, "--json").stdout)["entities"] == 1
    segment = next(index.glob("segment-*"))
    segment.write_bytes(segment.read_bytes()[:-1])
    damaged = efface("index", "info", index)
    assert damaged.returncode == 2 and "Traceback" not in damaged.stderr


def test_train_redact_and_attack_classes(tmp_path: Path) -> None:
    words = {"Ash": "ember oak", "Birch": "paper bark", "Cedar": "scent resin", "Doum": "palm nut"}
    rows = [
        {"text": f"{w} {w} wood", "client": name}
        for name, w in words.items()
        for _ in range(2 if name == "Ash" else 5)
    ]
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    model = tmp_path / "m.model"
    assert (
        efface("train", "classes", tmp_path / "c.jsonl", "--sensitive", "client", "-o", model).returncode == 0
    )
    (tmp_path / "p.yaml").write_text(
        "find: {patterns: none, names: none}\nguarantees: [{k-confusability: {model: m.model, k: 3, truth: Ash}}]\n"
    )
    (tmp_path / "memo.txt").write_text("Ash wants ember and oak wood.")
    out = tmp_path / "out.txt"
    done = efface("redact", tmp_path / "memo.txt", "-o", out, "-p", tmp_path / "p.yaml")
    assert done.returncode == 0, done.stderr
    assert "Ash" not in out.read_text() and "wood" in out.read_text()
    attack = efface("attack", "classes", tmp_path / "c.jsonl", "-m", model, "--sensitive", "client", "--json")
    assert json.loads(attack.stdout)["attackers"][0]["after"] == 1.0


def test_hide_generalises_what_tells_too_much(tmp_path: Path) -> None:
    letter, out = tmp_path / "letter.txt", tmp_path / "out.txt"
    letter.write_text("The patient is HIV positive and takes antiretroviral drugs. She plays the cello.")
    done = efface("redact", letter, "-o", out, "--hide", "HIV:virus")
    assert done.returncode == 0, done.stderr
    left = out.read_text()
    assert "HIV" not in left and "antiretroviral" not in left and "cello" in left
    wrong = efface("redact", letter, "-o", tmp_path / "o2.txt", "--hide", "HIV:HIV")
    assert wrong.returncode == 2 and "its own generalisation" in wrong.stderr


def test_a_corpus_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"text": "a red fox"}\n{"text": "a red hen"}\n')
    done = efface("corpus", "build", tmp_path / "d.jsonl", "-o", tmp_path / "own.idx")
    assert done.returncode == 0 and "2 documents" in done.stdout


def test_presets_are_valid_policies() -> None:
    from importlib.resources import files

    for preset in files("efface.policy.presets").iterdir():
        if preset.name.endswith(".yaml"):
            from efface.policy.model import parse

            assert parse(preset.read_text("utf-8")).efface == 1


def test_help_reads_like_documentation() -> None:
    done = installed("--help")
    for command in ("redact", "assess", "verify", "demo", "policy", "restore", "text"):
        assert command in done.stdout
    assert "Exit codes" in done.stdout


def test_heavy_modules_are_imported_only_when_needed(note: Path, tmp_path: Path) -> None:
    heavy = {"numpy", "scipy", "faker", "cryptography", "sqlalchemy", "pandas", "sklearn", "pikepdf", "lxml"}
    script = (
        "import sys\nfrom efface.cli.main import app\n"
        "try:\n    app(sys.argv[1:], standalone_mode=False)\nexcept SystemExit:\n    pass\n"
        "print('MODULES', *sorted(sys.modules), file=sys.stderr)"
    )
    shapes = tmp_path / "shapes.yaml"
    shapes.write_text("find: {names: none}\n")
    redact = ["redact", str(note), "-o", str(tmp_path / "o.txt"), "--force"]
    for arguments, most, needed in [
        (["--help"], 360, set()),
        ([*redact, "--policy", str(shapes)], 420, set()),
        (redact, 470, {"numpy"}),  # names are looked for by a network
    ]:
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        modules = set(done.stderr.rpartition("MODULES")[2].split())
        assert modules & heavy == needed
        others = {name for name in modules if not name.startswith("efface.")}  # efface's own are small
        assert len(others) < most, len(others)


def _commands() -> dict[str, Any]:
    """Every command by its whole name, as Typer builds it."""

    def walk(group: Any, path: str) -> Iterator[tuple[str, Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from walk(command, f"{path} {name}")
            else:
                yield f"{path} {name}", command

    return dict(walk(typer.main.get_command(cli.app), "efface"))


@pytest.mark.parametrize("path", _commands())
def test_every_command_has_an_example_that_it_understands(path: str) -> None:
    command = _commands()[path]
    _, _, example = command.help.partition("Example: ")
    assert example.startswith(path)
    command.make_context(path, shlex.split(" ".join(example.split()).removeprefix(path)))


@pytest.mark.parametrize("path", _commands())
def test_every_option_says_what_it_does_and_arguments_are_named_in_capitals(path: str) -> None:
    for parameter in _commands()[path].params:
        if parameter.name != "help":
            assert parameter.help and parameter.help[-1] in ".", parameter.name
        if parameter.param_type_name == "argument":
            assert parameter.metavar and parameter.metavar.isupper(), parameter.name


def test_choices_on_the_command_line_are_those_that_there_are() -> None:
    def choices(path: str, name: str) -> set[str]:
        option = next(one for one in _commands()[path].params if one.name == name)
        return set(get_args(option.type_descriptor.annotation))

    assert choices("efface ksafety solve", "method") == {"auto", *METHODS}
    assert choices("efface evaluate", "form") == set(READERS)
    assert choices("efface train identifiers", "learner") == set(LEARNERS)


SAID = {
    "EffaceError",
    "UsageError",
    "InputError",
    "OutputError",
    "PolicyError",
    "Refused",
    "Leak",
    "fail",
} | {
    "Infeasible",
    "NotSettled",
}


_SAYS = re.compile(rf"\b(?:{'|'.join(sorted(SAID))})\(")


def _sentences(code: str) -> Iterator[tuple[int, str]]:
    """Messages and next steps that stand in the code as text; what is filled in is an X."""
    for node in ast.walk(ast.parse(code)) if _SAYS.search(code) else ():
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAID:
            for argument in node.args[:2]:
                if isinstance(argument, ast.JoinedStr):
                    parts = (v.value if isinstance(v, ast.Constant) else "X" for v in argument.values)
                    yield node.lineno, "".join(map(str, parts))
                elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield node.lineno, argument.value


def test_errors_are_whole_sentences() -> None:
    source = Path(efface_package.__file__).parent
    jarring = [
        f"{path.relative_to(source)}:{line} {text}"
        for path in sorted(source.rglob("*.py"))
        for line, text in _sentences(path.read_text("utf-8"))
        if text
        and not text.startswith(("pip install", "efface does", "efface reads"))
        and not (re.match(r"[A-Z`-]", text) and re.search(r"[.?]$|\.[`']$|X$", text))
    ]
    assert jarring == []


SCHEMA = re.compile(r"""efface\.[a-z.]+/1(?=")|(?<=show_json\(")[a-z.]+|(?<=json_of\(")[a-z.]+""")


def test_every_schema_of_json_is_documented() -> None:
    """One style: the first key of every answer for machines names what it is, with a version."""
    source = Path(efface_package.__file__).parent
    used = {name for path in source.rglob("*.py") for name in SCHEMA.findall(path.read_text("utf-8"))}
    schemas = {name if name.startswith("efface.") else f"efface.{name}/1" for name in used}
    page = (source.parents[1] / "docs" / "report.md").read_text("utf-8")
    assert schemas == set(re.findall(r"`(efface\.[a-z.]+/1)`", page))


def test_a_viewer_whom_the_policy_never_asks_about_is_a_mistake(note: Path, tmp_path: Path) -> None:
    done = efface("redact", note, "-o", tmp_path / "out.txt", "--viewer", "bob")
    assert done.returncode == 2 and "asks about no viewer" in done.stderr
    assert not (tmp_path / "out.txt").exists()


def test_among_several_files_an_error_names_its_own(note: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"no office file")
    done = efface("assess", note, broken)
    assert done.returncode == 3 and f"error: {broken}: " in done.stderr


def test_nothing_to_index_is_said(tmp_path: Path) -> None:
    policy = tmp_path / "p.yaml"
    policy.write_text("find: {names: none}\n")
    for command in ("build", "follow"):
        done = efface("index", command, "--policy", policy)
        assert done.returncode == 2 and "`knowledge`" in done.stderr, command


def test_the_service_answers_machines_and_a_mistyped_folder_is_noticed(tmp_path: Path) -> None:
    home = ("--home", tmp_path / "home")
    missing = efface("token", "list", *home)
    assert missing.returncode == 2 and "There is no service" in missing.stderr
    nobody = efface("token", "issue", "rao", *home)
    assert nobody.returncode == 2 and "--role" in nobody.stderr
    assert efface("token", "issue", "rao", "--role", "reader", "--label", "ward", *home).returncode == 0
    [token] = json.loads(efface("token", "list", "--json", *home).stdout)["tokens"]
    assert (token["user"], token["label"]) == ("rao", "ward")
    trail = tmp_path / "trail.jsonl"
    assert efface("audit", "export", "-o", trail, *home).returncode == 0
    held = efface("audit", "verify", trail, "--json", *home)
    assert held.returncode == 0 and json.loads(held.stdout)["verdict"] == "held"
    trail.write_text(trail.read_text().replace('"rao"', '"roa"'))
    broken = efface("audit", "verify", trail, "--json", *home)
    assert broken.returncode == 3 and json.loads(broken.stdout)["trouble"]
