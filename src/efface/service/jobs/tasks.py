"""What worker processes do: everything that reads, plans or draws an uploaded file.

Each task takes files and values that JSON knows, and gives such values and files back.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from efface.api.sanitizer import Sanitizer
from efface.core import Report
from efface.files.libreoffice import as_pdf
from efface.formats.office.zip_package import Budget, unpack
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import StageListener
from efface.policy.model import parse
from efface.report.data import assessment, certificate, review, to_json
from efface.service.jobs.worker_messages import Files, TaskAnswer
from efface.service.repository.earlier_copies import EarlierContents
from efface.service.repository.policies import FingerprintedPolicy, inline
from efface.service.repository.view_cache import ViewerBinding, computed_view
from efface.service.review import review_tasks
from efface.service.review.document_pages import pdf_pages

_parsed = functools.lru_cache(maxsize=16)(parse)


def _sanitizer(policy: str, folder: str, document_key: str, is_sent: bool = False) -> Sanitizer:
    """Made anew for each call: one that is kept would not see that a file of the policy has changed. A policy that was
    sent with the request names nothing outside of it."""
    key = bytes.fromhex(document_key)
    return (
        Sanitizer(inline(policy), key=key) if is_sent else Sanitizer(_parsed(policy), Path(folder), key=key)
    )


def redact(
    files: Files,
    watch: StageListener,
    *,
    name: str,
    policy: str,
    folder: str,
    viewer: str,
    document_key: str,
    is_sent: bool = False,
) -> TaskAnswer:
    """The sanitized file, the reviewer's report and the certificate."""
    bound = _sanitizer(policy, folder, document_key, is_sent).bind(viewer)
    report = pipeline.sanitize(files[0], name, bound, watch)
    records = (to_json(review(report)), to_json(certificate(report)))
    return _report_data(report), (report.released or b"", *records)


def assess(
    files: Files,
    watch: StageListener,
    *,
    name: str,
    policy: str,
    folder: str,
    viewer: str,
    document_key: str,
    is_sent: bool = False,
) -> TaskAnswer:
    """What the file discloses."""
    bound = _sanitizer(policy, folder, document_key, is_sent).bind(viewer)
    report = pipeline.assess(files[0], name, bound, watch)
    return _report_data(report), (to_json(assessment(report)),)


def _report_data(report: Report) -> dict[str, Any]:
    return {
        "verdict": report.verdict.value,
        "format": report.document.format,
        "released": report.released is not None,
    }


def view(
    files: Files,
    _watch: StageListener,
    *,
    name: str,
    policy: str,
    folder: str,
    viewer: str,
    document_key: str,
    earlier: dict[str, Any] | None = None,
) -> TaskAnswer:
    """A document as a viewer may see it now, and the answers of the databases that led to it."""
    sanitizer = _sanitizer(policy, folder, document_key)
    named = FingerprintedPolicy("", sanitizer, None, policy.encode("utf-8", "surrogatepass"))
    together = EarlierContents.of_data(earlier) if earlier is not None else None
    made = computed_view(ViewerBinding.of(named, viewer), files[0], name, together)
    found = made.view
    values = {
        "released": found.released is not None,
        "name": found.name,
        "format": found.format,
        "verdict": found.verdict,
        "copy": found.copy.data() if found.copy is not None else None,
        "facts": made.facts,
        "steps": [[at, list(ids), sorted(denied)] for (at, ids), denied in made.steps],
    }
    text = found.text.encode("utf-8", "surrogatepass")
    return values, (found.released or b"", text, to_json(found.certificate), found.word_places)


def page_sizes(files: Files, _watch: StageListener) -> TaskAnswer:
    return {"pages": pdf_pages.page_sizes(files[0])}, ()


def page_image(files: Files, _watch: StageListener, *, number: int, across: int = 0) -> TaskAnswer:
    return {}, (pdf_pages.page_image(files[0], number, across),)


def office_pdf(
    files: Files, _watch: StageListener, *, format: str, seconds: float, memory: int
) -> TaskAnswer:
    """An office file as LibreOffice prints it. A package that unpacks to too much is refused before: LibreOffice would
    work on it until its time is over."""
    unpack(files[0], Budget())
    return {}, (as_pdf(files[0], format, seconds=seconds, memory=memory),)


def _late(module: str, name: str) -> Callable[..., TaskAnswer]:
    """A task that few services are asked for. Its module is loaded by the first call, not by each worker that starts."""

    def task(files: Files, watch: StageListener, **given: Any) -> TaskAnswer:
        answer: TaskAnswer = getattr(importlib.import_module(module), name)(files, watch, **given)
        return answer

    return task


_ARCHIVES = "efface.service.review.archives.archive_members"
_GAME, _PRESIDIO = "efface.service.game.game_tasks", "efface.service.presidio.presidio_tasks"
TASKS: dict[str, Callable[..., TaskAnswer]] = {
    "redact": redact,
    "assess": assess,
    "view": view,
    "page_sizes": page_sizes,
    "page_image": page_image,
    "office_pdf": office_pdf,
    "review_document": review_tasks.document,
    "review_text_digest": review_tasks.text_digest,
    "review_knowledge": review_tasks.knowledge,
    "review_outcome": review_tasks.outcome,
    "review_record": review_tasks.record,
    "review_waiting": review_tasks.waiting,
    "review_slider": review_tasks.slider,
    "review_kinds": review_tasks.kinds,
    "words_of_page": review_tasks.words_of_page,
    "review_words_on_pages": review_tasks.words_on_pages,
    "archive_members": _late(_ARCHIVES, "archive_members"),
    "game": _late(_GAME, "game"),
    "analyze": _late(_PRESIDIO, "analyzed"),
    "anonymize": _late(_PRESIDIO, "anonymized"),
    "deanonymize": _late(_PRESIDIO, "deanonymized"),
    "released_text": review_tasks.released_text,
    "page_texts": review_tasks.page_texts,
    "holds": review_tasks.holds,
}
