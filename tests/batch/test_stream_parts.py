"""What the parts of one file have in common: their numbers, their verdict, and rows that no part cuts in two."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import efface
from efface.batch import stream, table_parts, text_parts
from efface.cli.stream import NOTES
from efface.core import Claim, Finding, Gap, GapKind, Guarantee, Scope, Verdict
from efface.errors import InputError, OutputError, Refused
from efface.guarantees.abilities import Level
from efface.operators.placeholders import GivenNumbers, Numbering
from tests.api.plugged.tickets import NoExclamation
from tests.cli.in_process import efface as efface_command

FALCON = efface.Sanitizer({"find": {"names": "none", "deny": ["Project Falcon"]}})


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PART", 200)
    monkeypatch.setattr(text_parts, "AROUND", 100)


def parts(data: bytes, format: str, sanitizer: efface.Sanitizer = FALCON, **more: Any) -> tuple[Any, bytes]:
    sink = io.BytesIO()
    done = stream.redact_parts(io.BytesIO(data), sink, format, sanitizer, **more)
    return done, sink.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("first", ['5" pipe', 'a"b"c"', '"a ""b"" \n c"', "plain", '"x" y"'])
def test_no_row_of_a_table_is_cut_in_two(delimiter: str, first: str) -> None:
    """A quote inside of a cell once made the end of every cell its middle: a denied term over two lines stayed."""
    rows = [f"id{delimiter}note", f"1{delimiter}{first}"]
    rows += [f'{number}{delimiter}"ends Project\nFalcon here"' for number in range(2, 60)]
    data = ("\n".join(rows) + "\n").encode()
    done, made = parts(data, "csv")
    assert done.parts > 3
    assert made == FALCON.sanitize(data, name="a.csv").released
    assert b"Falcon" not in made


def test_what_goes_over_two_rows_is_not_cut() -> None:
    data = b"note,id\n" + b"of Project\nFalcon,1\nnothing,2\n" * 60
    done, made = parts(data, "csv")
    assert done.parts > 3 and b"Falcon" not in made


def test_a_table_that_can_be_cut_nowhere_is_refused() -> None:
    sanitizer = efface.Sanitizer({"find": {"names": "none", "patterns": "none", "deny": ["a a"]}})
    with pytest.raises(Refused, match="no place"):
        parts(b"a\n" * 900, "csv", sanitizer)


def test_a_quote_that_is_never_closed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_parts, "LONGEST", 3000)
    with pytest.raises(InputError, match="record"):
        parts(b'a,b\n1,"open\n' + b"2,x\n" * 2000, "csv")


@pytest.mark.parametrize("format", stream.FORMATS)
def test_one_placeholder_stands_for_one_thing_in_the_whole_file(format: str) -> None:
    mails = [f"user{number % 40}@example.org" for number in range(120)]
    lines = {"jsonl": '{{"a": "{}"}}', "csv": "x,{}", "text": "Write to {} soon.\n"}[format]
    data = "".join(f"{lines.format(mail)}\n" for mail in mails).encode()
    done, made = parts(data, format)
    assert done.parts > 3
    wanted = [f"[EMAIL_ADDRESS_{number % 40 + 1}]" for number in range(120)]
    assert [line for line in made.decode().split("\n") if "[" in line] == [
        lines.format(one).strip() for one in wanted
    ]


def test_a_ledger_forgets_the_first_terms_and_gives_no_number_twice() -> None:
    ledger = GivenNumbers()
    made = []
    for number in range(50):
        made.append(Numbering("", ledger).write("[{type}_{number}]", "PERSON", f"p{number}"))
        ledger.forget(5)
        assert len(ledger.given) <= 5
    assert len(set(made)) == 50
    assert Numbering("", ledger).write("[{type}_{number}]", "PERSON", "p49") == made[49]
    Numbering("[PERSON_900001]", ledger).write("[{type}_{number}]", "PERSON", "new")
    ledger.forget(5)
    again = Numbering("", ledger)
    assert again.write("[{type}_{number}]", "PERSON", "p49") == "[PERSON_1]"
    assert again.write("[{type}_{number}]", "PERSON", "new") == "[PERSON_2]"


def test_parts_that_are_unproven_make_the_file_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    unsure = replace(FALCON.bind(), unasked=(Gap(GapKind.LANGUAGE, "text", "unread"),))
    monkeypatch.setattr(FALCON, "bind", lambda _viewer=None: unsure)
    lines = b'{"a": "x"}\n' * 3
    with pytest.raises(Refused):
        parts(lines, "jsonl")
    assert parts(lines, "jsonl", allow_unproven=True)[0].verdict is Verdict.UNPROVEN
    done = stream.redact_lines(io.BytesIO(lines), io.BytesIO(), FALCON, allow_unproven=True)
    assert done.verdict is Verdict.UNPROVEN and done.refused == 0


class WholeFile(NoExclamation):
    """A promise about all that is released."""

    @property
    def claim(self) -> Claim:
        return replace(super().claim, scope=Scope.RELEASE)


class Measured(NoExclamation):
    """A promise that adds up what a document tells."""

    def levels_of(self, _findings: Sequence[Finding]) -> Iterator[Level]:
        return iter(())


class Linked(NoExclamation):
    """A promise about documents that a reader can link."""

    over = "people"
    claim_together = Claim("together", "Nobody shouts with others.", "marks left")

    def is_safe_together(self, _terms: Collection[tuple[str, str]]) -> bool:
        return True


@pytest.mark.parametrize("promise", [WholeFile(), Measured(), Linked()])
def test_what_speaks_of_the_whole_file_is_not_proven_by_its_parts(promise: Guarantee) -> None:
    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, guarantees=[promise])
    with pytest.raises(Refused, match="whole file"):
        parts(b"a\n", "text", sanitizer)
    assert parts(b"a\n", "text", sanitizer, allow_unproven=True)[0].verdict is Verdict.UNPROVEN
    alone = efface.Sanitizer({"find": {"names": "none"}}, guarantees=[NoExclamation()])
    assert parts(b"a!\n", "text", alone)[0].verdict is Verdict.HELD


def test_exit_code_and_output_of_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PART", 1 << 19)
    (tmp_path / "p.yaml").write_text("find: {names: none}", "utf-8")
    line = '{"to": "ann@example.org", "about": "' + "the pump and the valve " * 50 + '"}\n'
    (tmp_path / "a.jsonl").write_text(line * 1_100, "utf-8")  # more than the limit of a mebibyte
    common: list[str | Path] = ["--policy", tmp_path / "p.yaml", "--max-size", "1"]
    assert efface_command("redact", tmp_path / "a.jsonl", "-o", tmp_path / "b.csv", *common).returncode == 2
    same = efface_command("redact", tmp_path / "a.jsonl", "-o", tmp_path / "a.jsonl", "--force", *common)
    assert same.returncode == 2 and "ann@example.org" in (tmp_path / "a.jsonl").read_text("utf-8")
    done = efface_command("redact", tmp_path / "a.jsonl", "-o", tmp_path / "b.jsonl", *common)
    assert done.returncode == 0 and done.stdout.startswith("held")
    assert "example.org" not in (tmp_path / "b.jsonl").read_text("utf-8")
    told = efface_command("redact", tmp_path / "a.jsonl", "-o", tmp_path / "c.jsonl", "--json", *common)
    assert json.loads(told.stdout) == {
        "schema": "efface.stream/1",
        "verdict": "held",
        "parts": 3,
        "edits": 1_100,
        "notes": list(NOTES),
    }


def test_a_full_disk_behind_a_pipe_is_told_as_such() -> None:
    class Full(io.BytesIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match="No space left"):
        stream.redact_lines(io.BytesIO(b'{"a": "x"}\n'), Full(), FALCON)
