"""Reports as plain data: the reviewer's (holds originals) and the certificate (may be published)."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

from efface import __version__
from efface.core import Claim, Coverage, Edit, Finding, Ladder, Leakage, Measure, Outcome, Plan, Report
from efface.report.counts import place_counts

REVIEW_SCHEMA = "efface.review/1"
CERTIFICATE_SCHEMA = "efface.certificate/1"
ASSESSMENT_SCHEMA = "efface.assessment/1"


def is_schema(found: object, schema: str) -> bool:
    """Whether a file names this schema, in this version or in another."""
    return isinstance(found, str) and found.rpartition("/")[0] == schema.rpartition("/")[0]


def assessment(report: Report) -> dict[str, Any]:
    """What `efface assess --json` prints for a file."""
    return {
        "schema": ASSESSMENT_SCHEMA,
        "file": report.document.name,
        "verdict": report.verdict.value,
        "findings": [row for outcome in report.outcomes for row in finding_rows(outcome.after)],
        "places": _places_by_type(report),
        "coverage": _reviewed_coverage(report.coverage),
        "notes": list(report.notes),
    }


def _places_by_type(report: Report) -> dict[str, int]:
    """At how many places something of each type was cut or, where nothing was cut, found."""
    return {count.type: count.places for count in place_counts(report)}


def finding_rows(findings: tuple[Finding, ...]) -> Iterator[dict[str, Any]]:
    """One row for each mention of each term of each finding."""
    for finding in findings:
        for term in finding.terms:
            for mention in term.mentions:
                yield {
                    "guarantee": finding.guarantee,
                    "type": mention.type,
                    "start": mention.start,
                    "end": mention.end,
                    "score": round(mention.score, 3),
                    "secret": finding.secret,
                    "because": finding.because,
                }


def review(report: Report) -> dict[str, Any]:
    """Everything a reviewer needs, originals included: treat the result as the document itself."""
    return {
        "schema": REVIEW_SCHEMA,
        "kind": "for the reviewer: holds original text",
        "efface": __version__,
        "file": report.document.name,
        "format": report.document.format,
        "verdict": report.verdict.value,
        "rounds": report.rounds,
        "guarantees": list(map(_reviewed, report.outcomes)),
        "places": _places_by_type(report),
        "edits": [_reviewed_edit(edit, report.document.text) for edit in report.edits],
        "leaks": list(map(_leak, report.leaks)),
        "coverage": _reviewed_coverage(report.coverage),
        "notes": list(report.notes),
        "released": _released(report),
    }


def _reviewed_edit(edit: Edit, text: str) -> dict[str, Any]:
    return {
        "start": edit.start,
        "end": edit.end,
        "type": edit.type,
        "original": text[edit.start : edit.end],
        "replacement": edit.replacement,
        "reason": edit.reason,
    }


def _leak(leak: Leakage) -> dict[str, Any]:
    return {"part": leak.part, "encoding": leak.encoding, "type": leak.type}


def _reviewed(outcome: Outcome) -> dict[str, Any]:
    return {
        **claim_data(outcome.claim),
        "verdict": outcome.verdict.value,
        "findings_before": list(_summaries(outcome.before)),
        "findings_after": list(_summaries(outcome.after)),
        "unknown": list(outcome.unknown),
        "plan": None if outcome.plan is None else _reviewed_plan(outcome.plan),
    }


def _reviewed_plan(plan: Plan) -> dict[str, Any]:
    return {
        "cost": plan.cost,
        "optimality": plan.optimality.value,
        "lower_bound": plan.lower_bound,
        "note": plan.note,
        "utility": plan.utility,
        "measures": list(map(_measure, plan.measures)),
        "ladders": list(map(_ladder, plan.ladders)),
    }


def _measure(measure: Measure) -> dict[str, Any]:
    return {
        "secret": measure.secret,
        "before": _finite(measure.before),
        "after": _finite(measure.after),
        "limit": _finite(measure.limit),
    }


def _ladder(ladder: Ladder) -> dict[str, Any]:
    """What may replace a term; the step that was taken is marked."""
    steps = [
        {
            "words": step.words or None,
            "bits": round(step.bits, 2),
            "safe": step.safe,
            "taken": number == ladder.taken,
        }
        for number, step in enumerate(ladder.steps)
    ]
    return {"term": ladder.key, "steps": steps}


def _summaries(findings: tuple[Finding, ...]) -> Iterator[dict[str, Any]]:
    for finding in findings:
        yield {
            "secret": finding.secret,
            "amount": _finite(finding.amount),
            "limit": _finite(finding.limit),
            "because": finding.because,
            "mentions": [[m.start, m.end] for term in finding.terms for m in term.mentions],
        }


def _finite(value: float) -> float | None:
    """JSON has no infinity: a limit that nothing can reach is null."""
    return value if math.isfinite(value) else None


def certificate(report: Report) -> dict[str, Any]:
    """What may be published: the claims and that they were checked. No name, no original, no secret.

    The input's hash and name are left out on purpose: both let a reader confirm a guess.
    """
    return {
        "schema": CERTIFICATE_SCHEMA,
        "kind": "for publication: holds nothing of the original",
        "efface": __version__,
        "verdict": report.verdict.value,
        "guarantees": [
            {**claim_data(outcome.claim), "verdict": outcome.verdict.value} for outcome in report.outcomes
        ],
        "checks": [
            "the released bytes were read again and every guarantee was assessed on them",
            "the released bytes were extracted by independent code and searched for every removed string",
        ],
        "coverage": coverage_data(report.coverage),
        "released": _released(report),
    }


def coverage_data(coverage: Coverage) -> dict[str, Any]:
    """The publishable coverage: what was looked at and what was not, without the words that stay on purpose."""
    looks = [
        {"finder": look.finder, "types": list(look.types), "languages": list(look.languages)}
        for look in coverage.looks
    ]
    gaps = [
        {"kind": gap.kind.value, "where": gap.where, "reason": gap.reason, "allowed": gap.allowed}
        for gap in coverage.gaps
    ]
    exemptions = sum(each.count for each in coverage.exemptions)
    return {"whole": coverage.is_whole, "looks": looks, "gaps": gaps, "exemptions": exemptions}


def _reviewed_coverage(coverage: Coverage) -> dict[str, Any]:
    """The coverage for the reviewer, with what to do next and with the words that stay on purpose."""
    kept = [
        {"word": one.word, "type": one.type, "reason": one.reason, "count": one.count}
        for one in coverage.exemptions
    ]
    steps = list(dict.fromkeys(gap.next_step for gap in coverage.gaps if gap.next_step and not gap.allowed))
    return {**coverage_data(coverage), "next_steps": steps, "kept": kept}


def claim_data(claim: Claim) -> dict[str, Any]:
    """The publishable form of a guarantee's claim."""
    return {
        "name": claim.name,
        "claim": claim.sentence,
        "unit": claim.unit,
        "scope": claim.scope.value,
        "parameters": dict(claim.parameters),
    }


def _released(report: Report) -> dict[str, Any] | None:
    if report.released is None:
        return None
    return {
        "format": report.document.format,
        "bytes": len(report.released),
        "sha256": hashlib.sha256(report.released).hexdigest(),
    }


def to_json(value: dict[str, Any]) -> bytes:
    """The same bytes for the same report."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")
