"""`efface verify FILE --report R.json`: a release judged together with the report of its redaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from efface.core import Report
from efface.errors import InputError, UsageError
from efface.files.local import MAX_BYTES, read_input
from efface.pipeline.bound import BoundPolicy, StageListener, unwatched
from efface.pipeline.sanitize import verify
from efface.report.data import REVIEW_SCHEMA, is_schema

Verified = Callable[..., Report]
_HINT = "Give the file that `efface redact --report R.json` wrote for this release."


def verified_with(path: Path) -> Verified:
    """The check of a release that knows the words which its redaction made up."""
    report = _read(path)
    expected = (report.get("released") or {}).get("sha256")
    made_up = frozenset(edit["replacement"] for edit in report.get("edits") or () if edit.get("replacement"))

    def stage(data: bytes, name: str, bound: BoundPolicy, watch: StageListener = unwatched) -> Report:
        if hashlib.sha256(data).hexdigest() != expected:
            raise InputError("The report speaks of another file.", _HINT)
        return verify(data, name, bound, watch, made_up)

    return stage


def _read(path: Path) -> dict[str, Any]:
    try:
        report = json.loads(read_input(path, MAX_BYTES))
    except ValueError:
        raise UsageError("This is no report of a redaction.", _HINT) from None
    if not isinstance(report, dict) or not is_schema(report.get("schema"), REVIEW_SCHEMA):
        raise UsageError("This is no report of a redaction.", _HINT)
    if report["schema"] != REVIEW_SCHEMA:
        raise UsageError("The report is of another version of efface.", "Redact the original again.")
    return report
