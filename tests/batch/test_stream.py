"""Streams of records: the same as each record alone, whole or not at all, in flat memory."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efface
from efface.batch import stream, table_parts, text_parts
from efface.cli.stream import redact_standard_input
from efface.core import Mention
from efface.errors import InputError, Refused

ROOT = Path(__file__).resolve().parents[2]
QUICK = efface.Sanitizer({"find": {"names": "none", "deny": ["Falcon"]}})
CLI = [sys.executable, "-c", "from efface.cli.main import main; main()", "redact"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
cells = st.text('ab",;\n \u00e9', max_size=6) | st.sampled_from(["Falcon", "ann@example.org"])


def parts(data: bytes, format: str) -> bytes:
    sink = io.BytesIO()
    stream.redact_parts(io.BytesIO(data), sink, format, QUICK)
    return sink.getvalue()


@pytest.mark.parametrize("format", stream.FORMATS)
def test_small_stream_is_the_document(format: str) -> None:
    data = b'{"a": "Falcon"}\n{"a": "x"}\n' if format == "jsonl" else b"a,b\nFalcon,x\n\nmore,y\n"
    name = {"jsonl": "a.jsonl", "csv": "a.csv", "text": "a.txt"}[format]
    assert parts(data, format) == QUICK.sanitize(data, name=name).released


def test_the_caller_is_told_how_far_a_stream_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PART", 20)
    data = b'{"a": "Falcon"}\n{"a": "x"}\n' * 3
    told: list[int] = []
    stream.redact_parts(io.BytesIO(data), io.BytesIO(), "jsonl", QUICK, watch=told.append)
    assert told == sorted(set(told)) and told[-1] == len(data) and len(told) > 1


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_table_in_many_parts_keeps_its_rows(rows: list[tuple[str, str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([("first", "second"), *rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "PART", 20)
        patch.setattr(text_parts, "AROUND", 20)
        made = parts(out.getvalue().encode(), "csv").decode()
    found = list(csv.reader(io.StringIO(made, newline="")))
    wanted = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert len(found) == len(wanted)
    assert "Falcon" not in made and "example.org" not in made
    for mine, theirs in zip(found, wanted, strict=True):
        for cell, original in zip(mine, theirs, strict=True):
            assert cell == original or cell.startswith("[")


def test_lines_answer_one_for_one_and_a_poisoned_one_says_so() -> None:
    lines = [b'{"a": "Falcon"}\n', b"\n", b"{broken\n", b'{"a": "x"}']
    sink = io.BytesIO()
    done = stream.redact_lines(io.BytesIO(b"".join(lines)), sink, QUICK)
    made = sink.getvalue().split(b"\n")
    assert json.loads(made[0]) == {"a": "[DENIED_1]"}
    assert made[1] == b"" and made[3] == b'{"a": "x"}'
    assert done.parts == 4


def test_line_on_which_a_plug_in_fails_does_not_end_the_pipe() -> None:
    class Fails:
        types = ("TICKET",)

        def find(self, text: str) -> Iterator[Mention]:
            if "ticket" in text:
                raise RuntimeError(text)
            yield from ()

    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, finders={"tickets": Fails()})
    sink = io.BytesIO()
    done = stream.redact_lines(io.BytesIO(b'{"a": "ticket 55"}\n{"a": "x"}\n'), sink, sanitizer)
    first, second = sink.getvalue().splitlines()
    assert json.loads(first)["efface_verdict"] == "refused" and b"55" not in first
    assert second == b'{"a": "x"}' and done.refused == 1


def test_wide_encodings_and_endless_records_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError):
        parts("a\nb".encode("utf-16"), "text")
    monkeypatch.setattr(stream, "LONGEST", 100)
    monkeypatch.setattr(table_parts, "LONGEST", 100)
    with pytest.raises(InputError):
        parts(b'a,"' + b"x\n" * 200, "csv")
    with pytest.raises(InputError):
        parts(b"x" * 200, "jsonl")


_FILLER = b"the pump was checked and the valve was closed again\n"


@pytest.mark.parametrize("gap", [b"\n", b"\r\n", b" \n  "])
@pytest.mark.parametrize("lines_before", range(6))
def test_what_is_written_over_two_lines_is_not_cut_in_two(
    monkeypatch: pytest.MonkeyPatch, gap: bytes, lines_before: int
) -> None:
    """A denied term, or a label and its number, at every place at which a part may end."""
    sanitizer = efface.Sanitizer({"find": {"names": "none", "deny": ["Project Falcon"]}})
    monkeypatch.setattr(stream, "PART", 2 * len(_FILLER))
    monkeypatch.setattr(text_parts, "AROUND", len(_FILLER))
    told = b"on Project" + gap + b"Falcon\npassport number" + gap + b"533380006\n"
    data = _FILLER * lines_before + told + _FILLER * 12
    sink = io.BytesIO()
    done = stream.redact_parts(io.BytesIO(data), sink, "text", sanitizer)
    assert done.parts > 1
    assert sink.getvalue() == sanitizer.sanitize(data, name="a.txt").released
    assert b"Falcon" not in sink.getvalue() and b"533380006" not in sink.getvalue()


def test_text_that_can_be_cut_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sanitizer = efface.Sanitizer({"find": {"names": "none", "patterns": "none", "deny": ["a a"]}})
    monkeypatch.setattr(stream, "PART", 20)
    monkeypatch.setattr(text_parts, "AROUND", 20)
    with pytest.raises(Refused):
        stream.redact_parts(io.BytesIO(b"a\n" * 500), io.BytesIO(), "text", sanitizer)


def test_parts_of_a_text_end_at_empty_lines_and_are_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_parts, "AROUND", 8)
    lines = [b"one\n", b"tw\xc3\xb6\n", b"\n", b"three\n", b"x" * 90 + b"\n", b"\xff\n", b"four"] * 5
    made = list(text_parts.text_parts(lines, 8, QUICK.bind()))
    assert b"".join(made) == b"".join(lines)
    assert len(made) > 4
    assert made[0].endswith(b"\n\n")


def test_refused_part_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from efface.cli.stream import redact_file

    real = stream._released

    def refusing(data: bytes, *rest: Any) -> Any:
        if b"poison" in data:
            raise Refused("no")
        return real(data, *rest)

    monkeypatch.setattr(stream, "_released", refusing)
    monkeypatch.setattr(stream, "PART", 20)
    (tmp_path / "a.jsonl").write_bytes(b'{"a": "Falcon flies"}\n' * 10 + b'{"a": "poison"}\n')
    with pytest.raises(Refused):
        redact_file(
            tmp_path / "a.jsonl",
            tmp_path / "out.jsonl",
            None,
            QUICK,
            None,
            allow_unproven=False,
            force=False,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_pipe_answers_before_the_next_line_comes(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("find: {names: none, deny: [Falcon]}", "utf-8")
    command = [*CLI, "-", "--format", "jsonl", "--policy", str(tmp_path / "p.yaml")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdin is not None and process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "body": "Falcon"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {"id": number, "body": "[DENIED_1]"}
        process.stdin.close()
        assert process.wait(600) == 0


@pytest.mark.slow
def test_file_above_the_limit_is_streamed_in_flat_memory(tmp_path: Path) -> None:
    """Four times the file takes about the same memory."""
    (tmp_path / "p.yaml").write_text("find: {names: none, patterns: [EMAIL_ADDRESS]}", "utf-8")
    body = "Mail ann@example.org " + "about nothing in particular, as ever and ever. " * 20
    line = json.dumps({"body": body}) + "\n"
    peaks = []
    for size in (2, 8):
        (tmp_path / f"{size}.jsonl").write_text(line * (size * 800), "utf-8")
        command = [*CLI, f"{size}.jsonl", "-o", f"out{size}.jsonl", "--policy", "p.yaml", "--max-size", "1"]
        process = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        peaks.append(used.ru_maxrss)
        made = (tmp_path / f"out{size}.jsonl").read_text("utf-8")
        assert "example.org" not in made and made.count("\n") == size * 800
    assert peaks[1] < 1.3 * peaks[0]


@pytest.mark.parametrize("option", ["-o", "--report", "--certificate"])
def test_files_beside_a_pipe_are_refused_rather_than_forgotten(tmp_path: Path, option: str) -> None:
    command = [*CLI, "-", "--format", "jsonl", option, str(tmp_path / "out.json")]
    done = subprocess.run(command, input=b'{"a": "x"}\n', capture_output=True, check=False, env=ENVIRONMENT)
    assert done.returncode == 2 and not done.stdout and b"next:" in done.stderr


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_a_closed_end_of_the_pipe_is_told(
    closed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}\n")))
    monkeypatch.setattr(sys, closed, None)  # as Python has it when the shell closed it
    with pytest.raises(SystemExit) as ended:
        redact_standard_input("jsonl", QUICK, None, allow_unproven=False)
    assert ended.value.code == 2 and "is closed" in capsys.readouterr().err


def test_lines_in_a_wide_encoding_without_its_mark_are_refused() -> None:
    with pytest.raises(InputError):
        stream.redact_lines(io.BytesIO('{"a": "Falcon"}\n'.encode("utf-16-le")), io.BytesIO(), QUICK)
