from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.core import Claim, Document, Edit, Finding, Part, Plan, Reading, Report, Verdict, apply_edits
from efface.errors import NotSettled
from efface.operators import Operators
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.reread import with_unseen_lines

POLICY = Sanitizer.from_text(
    "find: {names: none, deny: [Project Falcon, Acme, {term: He, case: true}], keep: [Acme Street]}"
)
BOUND = POLICY.bind()

fragments = st.sampled_from(
    [
        "Project Falcon",
        "project\nfalcon",
        "ACME",
        "Acme Street",
        "He",
        "he",
        "jane.doe@example.org",
        "192.0.2.7",
        "GB82 WEST 1234 5698 7654 32",
        "4111 1111 1111 1111",
        "[DENIED_1]",
        "[EMAIL_ADDRESS_3]",
        "14 March 1971",
        "(555) 010-4477",
        "plain words",
        "é ß 李伟 😀",
        '"quoted"',
        "a,b",
        "<b>x</b>",
        "&amp;",
    ]
)
prose = st.lists(
    st.one_of(fragments, st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=8)), max_size=8
).map(" ".join)


def as_csv(cells: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([["first", "second"], *([c, "x"] for c in cells)])
    return out.getvalue().encode()


def as_html(cells: list[str]) -> bytes:
    from html import escape

    body = "".join(f"<p title='{escape(c)}'>{escape(c)}</p>" for c in cells)
    return f"<html><body>{body}</body></html>".encode()


FILES = {
    "d.txt": lambda cells: "\n".join(cells).encode(),
    "d.csv": as_csv,
    "d.json": lambda cells: json.dumps({"cells": cells, "n": 1}).encode(),
    "d.html": as_html,
}


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60)
@given(cells=st.lists(prose, max_size=4))
def test_redact_then_verify_holds_and_redacting_twice_changes_nothing(name: str, cells: list[str]) -> None:
    report = pipeline.sanitize(FILES[name](cells), name, BOUND)
    assert report.verdict is Verdict.HELD, [report.leaks, report.outcomes]
    assert report.released is not None
    assert pipeline.verify(report.released, name, BOUND).verdict is Verdict.HELD
    again = pipeline.sanitize(report.released, name, BOUND)
    assert again.released == report.released


@settings(max_examples=100)
@given(cells=st.lists(prose, max_size=4))
def test_nothing_outside_the_edits_changes(cells: list[str]) -> None:
    data = "\n".join(cells).encode()
    report = pipeline.sanitize(data, "d.txt", BOUND)
    assert report.released == apply_edits(report.document.text, report.edits).encode()


def test_the_same_term_gets_the_same_number_and_what_is_kept_stays() -> None:
    text = b"Acme, acme, Acme Street, He said he saw He. a@b.example.org a@b.example.org"
    released = pipeline.sanitize(text, "d.txt", BOUND).released
    assert released == (
        b"[DENIED_1], [DENIED_1], Acme Street, [DENIED_2] said he saw [DENIED_2]. [EMAIL_ADDRESS_1] [EMAIL_ADDRESS_1]"
    )


@dataclass(frozen=True)
class Insatiable:
    """Finds fault with whatever is there: the flow must end in a refusal, not in a loop."""

    grows: bool

    @property
    def claim(self) -> Claim:
        return Claim("insatiable", "Never holds.", "faults")

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        return (Finding("insatiable", "s", (), 1.0, 0.0, "always"),)

    def plan(self, reading: Reading, findings: object) -> Plan:
        length = len(reading.document.text)
        return Plan(
            (Edit(0, min(1, length), "X", "x", "always", "y" * (length + 1) if self.grows else None),)
        )


@pytest.mark.parametrize("grows", [True, False])
def test_guarantees_that_never_hold_end_in_a_refusal(grows: bool) -> None:
    bound = BoundPolicy({}, (Insatiable(grows),), Operators(), rounds=5)
    with pytest.raises(NotSettled, match=r"left open: \S+"):
        pipeline.sanitize(b"some text", "d.txt", bound)


@dataclass(frozen=True)
class Misses:
    """A guarantee that plans to remove the first of two equal words only."""

    @property
    def claim(self) -> Claim:
        return Claim("misses", "One of two.", "words")

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        if reading.document.text.count("Zorro") < 2:
            return ()
        return (Finding("misses", "s", (), 1.0, 0.0, "twice"),)

    def plan(self, reading: Reading, findings: object) -> Plan:
        at = reading.document.text.index("Zorro")
        return Plan((Edit(at, at + 5, "X", "zorro", "twice"),))


def test_what_the_plan_keeps_on_purpose_is_no_leak_but_a_hidden_copy_is() -> None:
    bound = BoundPolicy({}, (Misses(),), Operators())
    kept = pipeline.sanitize(b"Zorro came and Zorro went", "d.txt", bound)
    assert kept.verdict is Verdict.HELD and kept.released == b"[X_1] came and Zorro went"


def test_the_report_offsets_are_of_the_text_command() -> None:
    report: Report = pipeline.assess(b"\xef\xbb\xbfHe \xf0\x9f\x98\x80 Acme", "d.txt", BOUND)
    (term,) = [f.terms[0] for o in report.outcomes for f in o.after if f.terms[0].key == "acme"]
    mention = term.mentions[0]
    assert report.document.text[mention.start : mention.end] == "Acme"


@pytest.mark.parametrize(
    ("name", "data", "released"),
    [
        ("d.txt", b"only UHJvamVjdCBGYWxjb24= here", b"only [DENIED_1] here"),
        ("d.txt", b"only Project%20Falcon here", b"only [DENIED_1] here"),
        ("d.csv", b"a,b\nx,UHJvamVjdCBGYWxjb24=\nnext,y\n", b"a,b\nx,[DENIED_1]\nnext,y\n"),
    ],
)
def test_a_denied_term_that_is_there_only_in_disguise_goes(name: str, data: bytes, released: bytes) -> None:
    report = pipeline.sanitize(data, name, BOUND)
    assert report.verdict is Verdict.HELD
    assert report.released == released
    assert pipeline.verify(data, name, BOUND).verdict is Verdict.BROKEN


def test_a_disguise_that_no_finder_undoes_refuses() -> None:
    data = b"only " + b"x" * 10_000 + b"-Project%20Falcon here"
    assert pipeline.sanitize(data, "d.txt", BOUND).verdict is Verdict.BROKEN
    assert pipeline.verify(data, "d.txt", BOUND).verdict is Verdict.BROKEN


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("d.json", b'{"n": ["Project", "Falcon"]}'),
        ("d.json", b'{"n": ["Project", "Falcon"], "note": "Project Falcon"}'),
        ("d.jsonl", b'["Project"]\n["Falcon"]\n'),
        ("d.csv", b"1,Project;Falcon\n2,Project Falcon\n"),
        ("d.json", b'{"a": "\\ud800 Acme"}'),
    ],
)
def test_texts_that_stand_apart_are_not_read_as_one(name: str, data: bytes) -> None:
    report = pipeline.sanitize(data, name, BOUND)
    assert report.verdict is Verdict.HELD and report.released is not None
    assert pipeline.verify(report.released, name, BOUND).verdict is Verdict.HELD


def test_the_attackers_reading_adds_the_lines_that_the_document_does_not_show() -> None:
    own = Document("d", "pdf", "We saw the child\nin Bergen.", (Part("page 1", 0, 27),))
    pieces = [("raw", "in  Bergen.\nthe CHILD\nRosa\nLind"), ("names", "Berg"), ("again", "the child")]
    both = with_unseen_lines(own, pieces)
    shown = [(part.name, both.text[part.start : part.end]) for part in both.parts]
    assert shown == [("page 1", own.text), ("raw", "Rosa\nLind"), ("names", "Berg")]


def test_a_row_of_numbers_is_settled_in_the_first_rounds() -> None:
    """Each number was seen only after the one before it was cut: ten in a row were refused."""
    numbers = " ".join(f"0101011{last}" for last in range(10))
    sanitizer = Sanitizer({"find": {"names": "none"}})
    assert sanitizer.redact(f"See {numbers} there.").verdict is Verdict.HELD
