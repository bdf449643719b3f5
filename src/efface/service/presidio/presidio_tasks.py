"""The work of Presidio's routes, in worker processes. A file is the body of a request, which was checked before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from efface.pipeline.bound import Watch
from efface.service.presidio.analyze import analyze
from efface.service.presidio.anonymize import anonymize, deanonymize
from efface.service.presidio.forms import AnalyzeRequest, AnonymizeRequest, DeanonymizeRequest

Files = Sequence[bytes]
Answer = tuple[dict[str, Any], Files]


def analyzed(files: Files, _watch: Watch, *, names: bool) -> Answer:
    return _answer(analyze(AnalyzeRequest.model_validate_json(files[0]), names))


def anonymized(files: Files, _watch: Watch) -> Answer:
    return _answer(anonymize(AnonymizeRequest.model_validate_json(files[0])))


def deanonymized(files: Files, _watch: Watch) -> Answer:
    return _answer(deanonymize(DeanonymizeRequest.model_validate_json(files[0])))


def _answer(found: object) -> Answer:
    return {}, (json.dumps(found).encode(),)
