"""Findings as other tools read them: SARIF for code scanning, and GitHub's annotations."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from efface import __version__
from efface.check.scan import SourceFinding, as_json

_ESCAPED = re.compile(r"[%,:\r\n]")
_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029]"
)  # a line break in a name would begin a line of its own


def printable(path: str) -> str:
    """A path on one line, without commands to a terminal."""
    return _CONTROL.sub(lambda sign: f"\\x{ord(sign.group()):02x}", path)


def as_text(found: Sequence[SourceFinding]) -> str:
    lines = []
    for one in found:
        lines.append(f"{printable(one.path)}:{one.line}:{one.column}: {one.type} ({one.because})")
    return "\n".join(lines)


def as_github(found: Sequence[SourceFinding]) -> str:
    """Commands of a workflow that mark lines of a change."""
    lines = []
    for one in found:
        path = _ESCAPED.sub(lambda sign: f"%{ord(sign.group()):02X}", one.path)
        lines.append(
            f"::error file={path},line={one.line},col={one.column},title=efface::{one.type} in this line"
        )
    return "\n".join(lines)


def as_sarif(found: Sequence[SourceFinding]) -> str:
    """SARIF 2.1.0."""
    types = sorted({one.type for one in found})
    rules = [{"id": type_, "shortDescription": {"text": f"{type_} in source"}} for type_ in types]
    driver = {"name": "efface", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(one) for one in found],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=1)


def _sarif_result(one: SourceFinding) -> dict[str, Any]:
    region = {"startLine": one.line, "startColumn": one.column}
    absolute = "file://" if one.path.startswith("/") else ""
    artifact = {
        "uri": absolute + quote(os.fsencode(one.path))
    }  # a blank or a percent sign is none in an address
    location = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    return {"ruleId": one.type, "level": "error", "message": {"text": one.because}, "locations": [location]}


WRITERS = {"text": as_text, "json": as_json, "sarif": as_sarif, "github": as_github}
