"""What a batch tells of itself: names, states and times, for machines and people, and nothing of any document."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from efface.batch.items import Item, ItemResult, State
from efface.batch.telemetry import Telemetry
from efface.cli.main import app
from efface.cli.shared.logs import JsonLines, PlainLines
from tests.batch.helpers import POLICY, fill


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    logger = logging.getLogger("efface")
    before = logger.handlers, logger.level, logger.propagate
    yield
    logger.handlers, logger.level, logger.propagate = before


@pytest.mark.processes
def test_batch_logs_json_writes_metrics_and_names_what_failed(tmp_path: Path) -> None:
    fill(tmp_path / "in", 5)
    (tmp_path / "in" / "bad.pdf").write_bytes(b"%PDF-1.4 Zanzibarov zan@example.org")
    (tmp_path / "policy.yaml").write_text(POLICY)
    metrics = tmp_path / "efface.prom"
    line = ["batch", str(tmp_path / "in"), str(tmp_path / "out"), "--policy", str(tmp_path / "policy.yaml")]
    line += ["--workers", "1", "--metrics", str(metrics), "--log-format", "json"]
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 3
    rows = [json.loads(row) for row in done.stderr.splitlines() if row.startswith("{")]
    assert {row["logger"] for row in rows} == {"efface.batch"}
    failed = [row for row in rows if row.get("state") == "failed"]
    assert [(row["file"], row["level"]) for row in failed] == [("bad.pdf", "warning")]
    assert sum(row.get("state") == "done" for row in rows) == 5
    assert rows[-1]["event"] == "batch ended" and rows[-1]["done"] == 5
    assert "bad.pdf" in done.stdout  # said to people too
    for told in (done.stderr, done.stdout, metrics.read_text()):
        assert "Zanzibarov" not in told and "example.org" not in told and "Falcon" not in told
    _check_metrics(metrics.read_text())


def _check_metrics(text: str) -> None:
    parser = pytest.importorskip("prometheus_client.parser", reason="prometheus_client is not installed")
    found = {family.name: family for family in parser.text_string_to_metric_families(text)}
    by_state = {s.labels["state"]: s.value for s in found["efface_batch_documents"].samples}
    assert by_state == {"done": 5, "failed": 1}
    count = [s.value for s in found["efface_batch_document_seconds"].samples if s.name.endswith("_count")]
    assert count == [6]
    assert found["efface_batch_edits"].samples[0].value == 15


def test_every_document_is_a_span_of_the_batch() -> None:
    trace = pytest.importorskip("opentelemetry.trace", reason="the API of OpenTelemetry is not installed")
    spans: list[dict[str, Any]] = []

    class Span(trace.NonRecordingSpan):  # type: ignore[name-defined,misc]
        def __init__(self, row: dict[str, Any]) -> None:
            super().__init__(trace.INVALID_SPAN_CONTEXT)
            self.row = row

        def set_attribute(self, name: str, value: object) -> None:
            self.row[name] = value

        def set_status(self, status: Any, description: str | None = None) -> None:
            self.row["status"] = (status, description)

        def end(self, end_time: int | None = None) -> None:
            spans.append({**self.row, "end": end_time})

    class Tracer:
        def start_span(self, name: str, context: Any = None, start_time: int | None = None) -> Span:
            parent = trace.get_current_span(context)
            return Span(
                {"name": name, "start": start_time, "in": parent.row["name"] if context else "", "status": ""}
            )

    telemetry = Telemetry(tracer=Tracer())
    item = Item(b"kept/name.txt", 0, "name.txt")
    telemetry.watch(ItemResult(item, State.DONE, verdict="held", seconds=0.5, edits=3))
    telemetry.watch(ItemResult(item, State.FAILED, "Why.", seconds=0.5))
    telemetry.close(True, "held")
    done, failed, batch = spans
    assert done["name"] == failed["name"] == "efface.document" and done["efface.verdict"] == "held"
    assert done["end"] - done["start"] == 500_000_000 and done["in"] == failed["in"] == "efface.batch"
    assert done["status"] == "" and failed["status"] == (trace.StatusCode.ERROR, "failed")
    assert batch["name"] == "efface.batch" and batch["efface.failed"] == 1 and batch["in"] == ""


def test_what_failed_is_named_by_every_run_and_nothing_is_logged_unasked(tmp_path: Path) -> None:
    fill(tmp_path / "in", 2)
    for number in range(25):
        (tmp_path / "in" / f"bad{number:02}.json").write_text('{"Zanzibarov')
    (tmp_path / "policy.yaml").write_text(POLICY)
    line = ["batch", str(tmp_path / "in"), str(tmp_path / "out"), "--policy", str(tmp_path / "policy.yaml")]
    command = [sys.executable, "-m", "efface", *line, "--workers", "1"]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 3 and process.stderr == ""
    again = CliRunner().invoke(app, line)  # finds all of it done before
    assert again.exit_code == 3
    for said in (process.stdout, again.stdout):
        assert said.count(".json: ") == 20 and "and 5 documents more" in said
        assert "Zanzibarov" not in said


@pytest.mark.parametrize("formatter", [JsonLines(), PlainLines()])
def test_no_traceback_is_logged(formatter: logging.Formatter) -> None:
    try:
        raise ValueError("Zanzibarov")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("efface.x", logging.ERROR, "", 0, "document failed", (), info)
    assert "Zanzibarov" not in formatter.format(record)
