"""Addresses of object stores, told from paths. Nothing is imported here that a command on a local file does not need."""

from __future__ import annotations

import os
import re

_ADDRESS = re.compile(r"(s3a?|gs|gcs|az|abfss?|adl|hdfs|webhdfs|memory)://?(?=[^/])")


def address_of(given: str | os.PathLike[str]) -> str | None:
    """The address of something in a store; None for a path. A `Path` has lost one of the two strokes."""
    found = _ADDRESS.match(str(given))
    return f"{found[1]}://{str(given)[found.end() :]}" if found else None
