"""The attacker's view: what a reader of the file would still learn, in words and numbers for a reviewer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from efface.core import Document, Finding, Outcome, Report, Term, Verdict
from efface.folding import fold_term
from efface.report.data import claim_data
from efface.service.review.decisions import Decided
from efface.service.review.flow import Prepared, Result

_MOST_MEASURES = 200
WORDS = {
    Verdict.HELD: "Every guarantee holds on the file as it would leave.",
    Verdict.BROKEN: "At least one guarantee does not hold: the file may not leave.",
    Verdict.UNPROVEN: "This document alone proves nothing: the guarantee speaks of a whole release.",
}


def view(prepared: Prepared, decided: Decided, result: Result) -> dict[str, Any]:
    """All that the page shows beside the document."""
    report = result.report
    terms = _Terms(prepared.document, decided)
    for outcome in report.outcomes if report else ():
        for finding in (*outcome.before, *outcome.after):
            terms.add(finding)
    for guarantee in prepared.bound.guarantees if report is None else ():
        for finding in guarantee.assess(prepared.reading):
            terms.add(finding)
    edits = [
        [edit.start, edit.end, edit.replacement or "", edit.type, edit.reason]
        for edit in (report.edits if report else ())
    ]
    return {
        "version": result.version,
        "verdict": result.verdict.value,
        "words": WORDS[result.verdict],
        "problem": result.problem,
        "terms": terms.listed(report),
        "edits": edits,
        "guarantees": [_guarantee(outcome) for outcome in report.outcomes] if report else [],
        "leaks": [
            {"part": leak.part, "encoding": leak.encoding, "type": leak.type}
            for leak in (report.leaks if report else ())
        ],
        "notes": list(report.notes) if report else [],
        "approved": sorted(decided.approved),
        "strength": decided.strength,
    }


def _guarantee(outcome: Outcome) -> dict[str, Any]:
    measures = outcome.plan.measures if outcome.plan else ()
    return {
        **claim_data(outcome.claim),
        "verdict": outcome.verdict.value,
        "before": len(outcome.before),
        "after": len(outcome.after),
        "left": [why(finding) for finding in outcome.after[:20]],
        "measures": [
            {
                "secret": m.secret,
                "before": _number(m.before),
                "after": _number(m.after),
                "limit": _number(m.limit),
            }
            for m in measures[:_MOST_MEASURES]
        ],
    }


def _number(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None


class _Terms:
    """Terms that disclose, each once, with every place and reason."""

    def __init__(self, document: Document, decided: Decided) -> None:
        self._text = document.text
        self._decided = decided
        self._rows: dict[str, dict[str, Any]] = {}

    def add(self, finding: Finding) -> None:
        for term in finding.terms:
            self._add(finding, term)

    def _add(self, finding: Finding, term: Term) -> None:
        for mention in term.mentions:
            surface = self._text[mention.start : mention.end]
            key = fold_term(surface)
            if not key or len(surface) > 2000:
                continue
            row = self._rows.setdefault(
                key,
                {"key": key, "text": " ".join(surface.split()), "type": mention.type, "places": set(), "why": [], "risk": 0.0, "hard": False, "guarantee": finding.guarantee},
            )  # fmt: skip
            row["places"].add((mention.start, mention.end))
            row["risk"] = max(row["risk"], risk(finding, mention.score))
            row["hard"] = row["hard"] or is_hard(finding, term)
            sentence = why(finding)
            if sentence not in row["why"] and len(row["why"]) < 5:
                row["why"].append(sentence)

    def listed(self, report: Report | None) -> list[dict[str, Any]]:
        gone = sorted((edit.start, edit.end) for edit in (report.edits if report else ()))
        rows = sorted(self._rows.values(), key=lambda row: (-row["risk"], -len(row["places"]), row["key"]))
        for row in rows:
            places = sorted(row["places"])
            row["gone"] = sum(1 for _ in _covered(places, gone))
            row["places"] = [list(place) for place in places]
            row["risk"] = round(row["risk"], 3)
            made = self._decided.terms.get(row["key"])
            row["decision"] = made.kind if made else ""
        return rows


def _covered(places: list[tuple[int, int]], gone: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    at = 0
    for start, end in places:
        while at < len(gone) and gone[at][1] <= start:
            at += 1
        if at < len(gone) and gone[at][0] < end:
            yield start, end


def is_hard(finding: Finding, term: Term) -> bool:
    """Whether a reviewer's keeping it breaks the guarantee."""
    return finding.guarantee not in ("absence", "identifiers", "decisions") or term.source == "deny"


def risk(finding: Finding, score: float) -> float:
    """0 to 1, to sort by."""
    if finding.guarantee in ("absence", "identifiers", "decisions"):
        return min(score, 1.0)
    if finding.guarantee == "k-safety" and finding.limit > 0 and math.isfinite(finding.limit):
        return max(0.0, min(1.0, 1 - (finding.amount - 1) / finding.limit))
    total = finding.amount + finding.limit
    return finding.amount / total if total > 0 and math.isfinite(total) else 1.0


def why(finding: Finding) -> str:
    """One sentence that a layman understands."""
    amount, limit = f"{finding.amount:.3g}", f"{finding.limit:.3g}"
    kind = finding.secret.replace("_", " ").lower()
    sentences = {
        "absence": f"It looks like something that identifies a person or thing ({kind}): {finding.because}.",
        "identifiers": f"A trained reader takes it for something that identifies ({kind}).",
        "decisions": "A reviewer redacted it.",
        "k-safety": f"Together with the other marked words it fits only {amount} in the records; "
        f"the policy asks for a crowd of {limit}.",
        "k-confusability": f"It helps a trained reader to guess the hidden class: {finding.because}.",
        "semantic": f"It tells {amount} bits about a protected subject; at most {limit} may show.",
    }
    return sentences.get(
        finding.guarantee, f"The policy protects it ({finding.guarantee}): {finding.because}."
    )
