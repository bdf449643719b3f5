"""What efface logs, on standard error: plain lines or JSON. No record holds what a document says."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

LogFormatName = Literal["text", "json"]
LogFormat = Annotated[
    LogFormatName | None,
    typer.Option("--log-format", help="Log on standard error: plain lines, or one JSON object each."),
]


class JsonLines(logging.Formatter):
    """One JSON object a record. Only the kind of an error is logged: its text and its frames could quote a
    document."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0] is not None:
            said["error"] = record.exc_info[0].__name__
        return json.dumps({**said, **getattr(record, "efface", {})}, ensure_ascii=True)


class PlainLines(logging.Formatter):
    """One line a record, for people to read."""

    def format(self, record: logging.LogRecord) -> str:
        fields = getattr(record, "efface", {})
        told = " ".join(f"{name}={json.dumps(value)}" for name, value in fields.items() if value != "")
        return f"{record.levelname.lower()} {record.name}: {record.getMessage()} {told}".rstrip()


def set_up(chosen: LogFormatName | None, level: int = logging.DEBUG) -> None:
    """Log what is under `efface` to standard error. Without a choice nothing is set up."""
    if chosen is None:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if chosen == "json" else PlainLines())
    logger = logging.getLogger("efface")
    logger.handlers = [handler]
    logger.setLevel(level)
    logger.propagate = False
