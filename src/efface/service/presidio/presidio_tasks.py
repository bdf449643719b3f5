"""The work of Presidio's routes, in worker processes. A file is the body of a request, which was checked before."""

from __future__ import annotations

import json

from efface.pipeline.bound import StageListener
from efface.service.jobs.worker_messages import Files, TaskAnswer
from efface.service.presidio.analyze import analyze
from efface.service.presidio.anonymize import anonymize, deanonymize
from efface.service.presidio.forms import AnalyzeRequest, AnonymizeRequest, DeanonymizeRequest


def analyzed(files: Files, _watch: StageListener, *, names: bool) -> TaskAnswer:
    return _json_answer(analyze(AnalyzeRequest.model_validate_json(files[0]), names))


def anonymized(files: Files, _watch: StageListener) -> TaskAnswer:
    return _json_answer(anonymize(AnonymizeRequest.model_validate_json(files[0])))


def deanonymized(files: Files, _watch: StageListener) -> TaskAnswer:
    return _json_answer(deanonymize(DeanonymizeRequest.model_validate_json(files[0])))


def _json_answer(found: object) -> TaskAnswer:
    return {}, (json.dumps(found).encode(),)
