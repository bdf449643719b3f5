"""Reviews in worker processes: there a document is read, planned, shown and named, never in the service itself.

A worker keeps the last documents that it read for a review, with the policy bound to them, so that a decision does
not find everything anew. The service names what may be used again: a `key` stands for one review and one moment at
which the policy and its data were read.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any

from efface.api.sanitizer import Sanitizer
from efface.core import PartKind, Report
from efface.formats import detect, get_format
from efface.pipeline.bound import StageListener, unwatched
from efface.policy.model import Policy, parse
from efface.report.data import certificate, review, to_json
from efface.report.page import review_page
from efface.report.strength import tradeoffs
from efface.service.jobs.worker_messages import Files, TaskAnswer
from efface.service.problems import Problem
from efface.service.review import attacker_view
from efface.service.review.approvals import knowledge_digest
from efface.service.review.decisions import EffectiveDecisions, decided, digest_of_text, entries_of_json
from efface.service.review.document_pages import pdf_pages, preview
from efface.service.review.document_pages.page_alignment import aligned
from efface.service.review.file_names import released_name, waiting_name
from efface.service.review.redaction_index import index_rows
from efface.service.review.review_progress import told
from efface.service.review.run_with_decisions import ReviewInput, ReviewResult, run
from efface.service.review.slider_curve import curve
from efface.text.folding import fold_term

_KEPT = 3  # documents that a worker keeps, and results of each


@dataclass
class _KeptReview:
    """A document with its policy, and what came out of the last decisions."""

    prepared: ReviewInput
    policy: Policy
    results: OrderedDict[bytes, ReviewResult] = field(default_factory=OrderedDict)  # by what was decided

    def result(self, made: EffectiveDecisions, watch: StageListener = unwatched) -> ReviewResult:
        """What would leave. Who takes a decision back gets the result from before it."""
        key = _content(made)
        found = self.results.pop(key, None) or run(self.prepared, made, self.policy.review.show_codes, watch)
        while len(self.results) >= _KEPT:
            self.results.popitem(last=False)
        self.results[key] = found
        return replace(found, version=made.version)


def _content(made: EffectiveDecisions) -> bytes:
    """All that the result depends on. Who decided, when, and in how many steps is not among it."""
    terms = [[key, each.model_dump(exclude_defaults=True)] for key, each in sorted(made.terms.items())]
    places = [[*place, each.model_dump(exclude_defaults=True)] for place, each in sorted(made.places.items())]
    areas = [each.model_dump(exclude_defaults=True) for each in made.areas]
    return _json([terms, places, areas, made.strength])


_KNOWN: OrderedDict[str, _KeptReview] = OrderedDict()


def _kept_review(data: bytes, given: dict[str, Any]) -> _KeptReview:
    """The document as this worker knows it, or read now."""
    key = given["key"]
    found = _KNOWN.pop(key, None) or _read_anew(data, given)
    while len(_KNOWN) >= _KEPT:
        _KNOWN.popitem(last=False)
    _KNOWN[key] = found
    return found


def _sanitizer(given: dict[str, Any]) -> Sanitizer:
    document_key = bytes.fromhex(given["document_key"])
    return Sanitizer(parse(given["policy"]), Path(given["folder"]), key=document_key)


def _read_anew(data: bytes, given: dict[str, Any]) -> _KeptReview:
    """The document under the policy as it is now. What was read of the same file before is used again."""
    sanitizer = _sanitizer(given)
    before = next((key for key, kept in _KNOWN.items() if kept.prepared.is_of(data, given["name"])), "")
    earlier = _KNOWN.pop(before).prepared if before else None
    bound = sanitizer.bind(given["viewer"])
    return _KeptReview(ReviewInput.of(data, given["name"], bound, earlier), sanitizer.policy)


def document(files: Files, watch: StageListener, **given: Any) -> TaskAnswer:
    """The original as the page draws it, as JSON. For a PDF it also returns the start and the text of each page. If
    words were read in its pictures, it returns the file with these words, too."""
    with told(watch, "reading"):
        document = _kept_review(files[0], given).prepared.document
    shown = preview.preview(document)
    known = {"text_digest": shown["text_digest"]}
    if shown["format"] != "pdf":
        return known, (_json(shown),)
    shown["pages"] = pdf_pages.page_sizes(files[0])
    texts = [pdf_pages.page_part(document, number) or (0, "") for number in range(len(shown["pages"]))]
    readable = pdf_pages.readable_pdf(document, files[0])
    return known, (_json(shown), _json(texts), b"" if readable == files[0] else readable)


def text_digest(files: Files, _watch: StageListener, **given: Any) -> TaskAnswer:
    """What distinguishes the text that was read from every other."""
    return {"text_digest": digest_of_text(_kept_review(files[0], given).prepared.document.text)}, ()


def knowledge(files: Files, _watch: StageListener, **given: Any) -> TaskAnswer:
    """Names the state of the knowledge that the policy is bound to now. The document is read only where a guarantee is
    bound to it too."""
    bound = _sanitizer(given).bind(given["viewer"])
    if bound.late:
        bound = _kept_review(files[0], given).prepared.bound
    return {"knowledge": knowledge_digest(bound)}, ()


def outcome(files: Files, watch: StageListener, **given: Any) -> TaskAnswer:
    """What would leave as decided so far, and the attacker's view of it. `files[1]` is the log of decisions."""
    made = decided(entries_of_json(files[1]))
    with told(watch, "reading") as stages:
        kept = _kept_review(files[0], given)
        result = kept.result(made, stages)
    report = result.report
    values = {
        "verdict": result.verdict.value,
        "problem": result.problem,
        "has_report": report is not None,
        "released": report is not None and report.released is not None,
        "format": kept.prepared.document.format,
        "findings": sum(len(outcome.after) for outcome in report.outcomes) if report else 0,
        "risk": risk_of(report) if report else 0.0,
        "knowledge": knowledge_digest(kept.prepared.bound),
    }
    view = attacker_view.view(kept.prepared, made, result)
    released = (report.released if report else None) or b""
    return values, (released, _json(view), to_json(certificate(report)) if report else b"{}")


def record(files: Files, _watch: StageListener, *, what: str, **given: Any) -> TaskAnswer:
    """The name under which the file may leave, and the report or the rows of the index of redactions."""
    kept = _kept_review(files[0], given)
    made = decided(entries_of_json(files[1]))
    report = kept.result(made).report
    if report is None or report.released is None:
        raise Problem("refused")
    name = released_name(given["name"], kept.prepared, made, report)
    return {"name": name}, (report.released, _recorded(kept, made, report, what, name))


def _recorded(kept: _KeptReview, made: EffectiveDecisions, report: Report, what: str, name: str) -> bytes:
    if what == "report.html":
        return review_page(report, tradeoffs(report, kept.prepared.bound)).encode("utf-8", "replace")
    if what == "report":
        return to_json(review(report))
    rows = index_rows(name, report, made, kept.policy.review.codes) if what == "index" else ()
    return _json([astuple(row) for row in rows])


def waiting(files: Files, _watch: StageListener, **given: Any) -> TaskAnswer:
    """The name under which a document that stays may be spoken of."""
    kept = _kept_review(files[0], given)
    return {"name": waiting_name(given["name"], kept.prepared, decided(entries_of_json(files[1])))}, ()


def slider(files: Files, _watch: StageListener, **given: Any) -> TaskAnswer:
    """The places that are removed at each strength, as JSON."""
    return {}, (_json(curve(_kept_review(files[0], given).prepared)),)


def kinds(files: Files, _watch: StageListener, **given: Any) -> TaskAnswer:
    """The folded terms that a guarantee marks in the document, with their types, as JSON."""
    prepared = _kept_review(files[0], given).prepared
    terms: dict[str, str] = {}
    for guarantee in prepared.bound.guarantees:
        for finding in guarantee.assess(prepared.reading):
            for term in finding.terms:
                for mention in term.mentions:
                    surface = prepared.document.text[mention.start : mention.end]
                    terms.setdefault(fold_term(surface), mention.type)
    return {}, (_json(terms),)


def words_of_page(files: Files, _watch: StageListener, *, number: int, start: int, text: str) -> TaskAnswer:
    """The words of a PDF's page and where they stand. `text` is the page's, and begins at `start`; a page that there is
    not has none."""
    found = pdf_pages.page_words(files[0], number, text) if text else []
    return {"words": [[word[0] + start, word[1] + start, *word[2:]] for word in found]}, ()


def words_on_pages(files: Files, _watch: StageListener, **given: Any) -> TaskAnswer:
    """The words of an office document on the pages that were drawn of it (`files[1]`): page, start, end and box."""
    found = _kept_review(files[0], given).prepared.document
    hidden = [(part.start, part.end) for part in found.parts if part.kind is not PartKind.PROSE]
    return {}, (_json(aligned(found.text, pdf_pages.all_words(files[1]), hidden)),)


def released_text(files: Files, _watch: StageListener, *, name: str, format: str) -> TaskAnswer:
    """The text of a released file as the page draws it, as JSON: with headings and tables, and markup folded away."""
    return {}, (_json(preview.preview(get_format(format).read(files[0], name))),)


def page_texts(files: Files, _watch: StageListener) -> TaskAnswer:
    """The text of each page of a PDF, as JSON: what a reader of the page would find there."""
    return {}, (_json(pdf_pages.page_texts(files[0])),)


def holds(files: Files, _watch: StageListener, *, name: str, term: str) -> TaskAnswer:
    """Whether the document has the folded term anywhere, as a reader would see it."""
    text = get_format(detect(name, files[0])).read(files[0], name).text
    return {"holds": term in fold_term(text)}, ()


def risk_of(report: Report) -> float:
    """How many mistakes a reviewer may expect: each thing that was found is one with what its score leaves open, and
    each part that was not looked at is one."""
    doubt = sum(1 - min(edit.score, 1.0) for edit in report.edits)
    return round(doubt + len(report.coverage.unseen) + len(report.leaks), 3)


def _json(value: Any) -> bytes:
    """Lone surrogates, which hostile files hold, become question marks one for one: an answer is UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
