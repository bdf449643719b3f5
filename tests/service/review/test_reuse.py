"""What a decision uses again of the decisions before it, and that this changes nothing."""

from __future__ import annotations

import io
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from efface.api.sanitizer import Sanitizer
from efface.finders.names.model import NamesModel
from efface.formats import get_format
from efface.service.jobs.processes import Call, ClientDisconnected, Processes, RequestContext
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.repository.policies import DEFAULT
from efface.service.review import review_work
from efface.service.review.decisions import EffectiveDecisions, LogEntry, Recorded, decided
from efface.service.review.review_work import OpenReview
from efface.service.review.run_with_decisions import ReviewInput, run
from tests.service.hospital import House

PEOPLE = [
    "Dr. Martha Whitcombe saw Tobias Ferreira in Oslo on 3 March 2021.",
    "",
    "Mr Ferreira wrote to martha.whitcombe@example.org and called +47 22 12 34 56.",
    "",
    "Irene Okonkwo of Bern came along. Her sister Adaeze Okonkwo stayed at home.",
]


def text() -> tuple[str, bytes]:
    return "note.txt", "\n".join(PEOPLE).encode()


def pdf() -> tuple[str, bytes]:
    canvas_module: Any = pytest.importorskip("reportlab.pdfgen.canvas")
    out = io.BytesIO()
    canvas = canvas_module.Canvas(out, pagesize=(595, 842), invariant=1)
    for _ in range(2):
        for row, line in enumerate(PEOPLE):
            canvas.drawString(50, 790 - 18 * row, line)
        canvas.showPage()
    canvas.save()
    return "letter.pdf", out.getvalue()


def workbook() -> tuple[str, bytes]:
    openpyxl: Any = pytest.importorskip("openpyxl")
    book, out = openpyxl.Workbook(), io.BytesIO()
    for line in PEOPLE:
        book.active.append(line.split(" ", 2))
    book.save(out)
    return "people.xlsx", out.getvalue()


FILES = [text, pdf, workbook]


def prepared(
    name: str, data: bytes, earlier: ReviewInput | None = None, policy: str = DEFAULT
) -> ReviewInput:
    return ReviewInput.of(data, name, Sanitizer(policy, key=b"k" * 32).bind("ann"), earlier)


def decisions(*made: dict[str, Any]) -> EffectiveDecisions:
    entries = [LogEntry(at, "ann", 0.0, Recorded(**each)) for at, each in enumerate(made, 1)]
    return decided(entries)


MADE: list[dict[str, Any]] = [
    {"kind": "keep", "term": "Oslo"},
    {"kind": "redact", "term": "sister"},
    {"kind": "keep", "term": "Tobias Ferreira"},
    {"kind": "undo", "of": 1},
]


@pytest.mark.parametrize("made", FILES)
def test_decisions_one_after_the_other_end_as_the_last_alone(made: Any) -> None:
    name, data = made()
    worked_on = prepared(name, data)
    for count in range(len(MADE) + 1):
        log = decisions(*MADE[:count])
        result, alone = run(worked_on, log), run(prepared(name, data), log)
        assert result.report is not None and alone.report is not None
        assert (result.verdict, result.report.edits) == (alone.verdict, alone.report.edits)
        assert result.report.released == alone.report.released


@pytest.mark.parametrize("made", FILES)
def test_a_decision_reads_no_bytes_a_second_time(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    name, data = made()
    worked_on = prepared(name, data)
    format: Any = type(get_format(worked_on.document.format))
    seen: list[bytes] = []
    plain = format.read

    def read(self: Any, given: bytes, name: str) -> Any:
        seen.append(given)
        return plain(self, given, name)

    monkeypatch.setattr(format, "read", read)
    run(worked_on, decisions())
    run(worked_on, decisions({"kind": "keep", "term": "Oslo"}))
    assert data not in seen and len(seen) == len(set(seen))


def test_the_model_reads_only_what_a_decision_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["Martha Whitcombe", "Tobias Ferreira", "Irene Lindqvist", "Samuel Achterberg"]
    lines = [f"Clerk {names[at % 4]} and somebody else met at the office, {at} times." for at in range(60)]
    worked_on = prepared("long.txt", "\n\n".join([*lines, "Clara Montague came late."]).encode())
    read: list[Any] = []
    plain = NamesModel.run

    def counting(self: NamesModel, row: Any) -> Any:
        read.append(row)
        return plain(self, row)

    monkeypatch.setattr(NamesModel, "run", counting)
    run(worked_on, decisions())
    first = len(read)
    run(worked_on, decisions({"kind": "keep", "term": "Clara Montague"}))
    assert 0 < len(read) - first < first / 3


def test_a_policy_that_is_read_again_finds_nothing_anew_in_the_same_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, data = text()
    earlier = prepared(name, data)
    first = run(earlier, decisions())
    monkeypatch.setattr(NamesModel, "run", lambda *_given: pytest.fail("the model read it again"))
    later = prepared(name, data, earlier)
    assert later.document is earlier.document
    again = run(later, decisions())
    assert first.report is not None and again.report is not None
    assert again.report.released == first.report.released


def test_a_policy_that_changed_finds_by_its_own_lists() -> None:
    name, data = text()
    earlier = prepared(name, data)
    run(earlier, decisions())
    changed = prepared(name, data, earlier, "find: {names: none, patterns: none, deny: [sister]}\n")
    result = run(changed, decisions())
    assert result.report is not None and result.report.released is not None
    assert b"Martha Whitcombe" in result.report.released and b"sister" not in result.report.released


def test_a_document_is_read_once_whoever_opens_it_first(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scan takes a minute to read. Whoever opens it during the first look does not let another worker read it too."""
    tasks: list[str] = []
    run = Processes.run

    def noted(self: Processes, call: Call) -> MessageFrame:
        tasks.append(call.task)
        return run(self, call)

    monkeypatch.setattr(Processes, "run", noted)
    sent = {"files": {"file": ("n.txt", b"Write to ann@example.org.")}, "data": {"policy": "patterns"}}
    id = house.post("reviewer", "/v1/reviews", **sent).json()["id"]
    with ThreadPoolExecutor(3) as pool:
        paths = [f"/v1/reviews/{id}", f"/v1/reviews/{id}", f"/v1/reviews/{id}/view"]
        answers = list(pool.map(lambda path: house.get("reviewer", path), paths))
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert answers[0].json()["text"] == answers[1].json()["text"]
    assert tasks.count("review_document") == 1 and tasks.count("review_outcome") == 1
    assert tasks.index("review_document") < tasks.index("review_outcome")


def test_nobody_waits_for_a_reading_that_has_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first look in the background may wait long for its turn."""
    monkeypatch.setattr(review_work, "_PATIENCE", 0.2)
    hand = OpenReview()
    with hand.reading:
        began = time.monotonic()
        with hand.reading_turn(RequestContext("somebody")):
            assert time.monotonic() - began >= 0.2
        left = RequestContext("somebody who leaves")
        left.gone.set()
        with pytest.raises(ClientDisconnected), hand.reading_turn(left):
            pass
