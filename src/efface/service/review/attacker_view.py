"""The attacker's view: what a reader of the file would still learn, in words and numbers for a reviewer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from efface.core import (
    Document,
    Edit,
    Finding,
    Guarantee,
    Measure,
    Mention,
    Outcome,
    Report,
    Term,
    Verdict,
)
from efface.formats import get_format
from efface.guarantees.abilities import Place, Ranks, judges_finds
from efface.report.coverage import lines as coverage_lines
from efface.report.data import claim_data
from efface.service.review.applied_decisions import NAME as DECISIONS
from efface.service.review.applied_decisions import list_finders
from efface.service.review.decisions import Decision, EffectiveDecisions
from efface.service.review.run_with_decisions import ReviewInput, ReviewResult
from efface.text.alignment import Alignment
from efface.text.folding import fold_term

_MOST_MEASURES = 200
_MOST_CLASSES = 12
_MOST_LEFT = 20  # findings of a guarantee that are told
_MOST_WORDS = 5  # words of one of them
WORDS = {
    Verdict.HELD: "Every guarantee holds on the file as it would leave.",
    Verdict.BROKEN: "At least one guarantee does not hold: the file may not leave.",
    Verdict.UNPROVEN: "This document alone proves nothing: the guarantee speaks of a whole release.",
}
_KINDS = {"DATE_TIME": "date or time", "ID_NUMBER": "number", "MISC": "other name", "NRP": "group of people"}
NOT_LOOKED_AT = "Something that the policy asks for was not looked at: the file may not leave."

NOT_JUDGED = (
    "Not looked for: what the words that stay tell together. No guarantee of the policy is about that."
)


def view(prepared: ReviewInput, decided: EffectiveDecisions, result: ReviewResult) -> dict[str, Any]:
    """All that the page shows beside the document, but for who approved it."""
    report = result.report
    terms = _DisclosingTerms(prepared.document, decided, list_finders(prepared.bound.finders))
    for finding in _found(report) if report else ():
        terms.add(finding)
    for guarantee in prepared.bound.guarantees:
        if report is None or decided.changed:  # what was kept stays listed
            for finding in guarantee.assess(prepared.reading):
                terms.add(finding)
    edits = [
        [edit.start, edit.end, edit.replacement or "", edit.type, edit.reason]
        for edit in (report.edits if report else ())
    ]
    leaks = [
        {"part": leak.part, "encoding": leak.encoding, "type": leak.type}
        for leak in (report.leaks if report else ())
    ]
    areas = [[made.page, made.box, made.code] for made in decided.areas]
    return {
        "verdict": result.verdict.value,
        "words": _words(result),
        "coverage": [*coverage_lines(report.coverage), *_not_judged(prepared)] if report else [],
        "areas": areas,
        "problem": result.problem,
        "terms": terms.listed(report),
        "edits": edits,
        "guarantees": _guarantees(prepared, report) if report else [],
        "leaks": leaks,
        "notes": list(report.notes) if report else [],
        "changed_by": decided.author,
        "strength": decided.strength,
    }


def _not_judged(prepared: ReviewInput) -> Iterator[str]:
    """A line where the policy has finders alone: nobody asked what a reader makes of the words that stay."""
    if all(judges_finds(guarantee) for guarantee in prepared.bound.guarantees):
        yield NOT_JUDGED


def _found(report: Report) -> Iterator[Finding]:
    """What was found in the original, and what is left in the release: at its places in the original."""
    for outcome in report.outcomes:
        yield from outcome.before
    left = [finding for outcome in report.outcomes for finding in outcome.after]
    if not left or report.released is None:
        return
    alignment = Alignment(report.edits)
    released = get_format(report.document.format).read(report.released, report.document.name)
    if alignment.gives(
        report.document, released.text
    ):  # otherwise nobody knows the place: it is told in words
        yield from (_in_original(finding, alignment) for finding in left)


def _in_original(finding: Finding, alignment: Alignment) -> Finding:
    terms = []
    for term in finding.terms:
        mentions = tuple(_mention_in_original(mention, alignment) for mention in term.mentions)
        terms.append(replace(term, mentions=mentions))
    return replace(finding, terms=tuple(terms))


def _mention_in_original(mention: Mention, alignment: Alignment) -> Mention:
    place = alignment.back(Edit(mention.start, mention.end, mention.type, mention.key, ""))
    return replace(mention, start=place.start, end=place.end)


def _words(result: ReviewResult) -> str:
    """The verdict in a sentence."""
    if result.verdict is Verdict.UNPROVEN and result.report and not result.report.coverage.is_whole:
        return NOT_LOOKED_AT
    return WORDS[result.verdict]


def _guarantees(prepared: ReviewInput, report: Report) -> list[dict[str, Any]]:
    text = Alignment(report.edits).planned(report.document).text
    bound = [*prepared.bound.guarantees, *[None] * len(report.outcomes)]
    return [
        _guarantee(outcome, _ranking(g, text)) for outcome, g in zip(report.outcomes, bound, strict=False)
    ]


def _ranking(guarantee: Guarantee | None, text: str) -> dict[str, Any] | None:
    """Which classes a trained reader of the text would guess, the likeliest first, and the true one's place."""
    if guarantee is None or not isinstance(guarantee, Ranks):
        return None
    found = guarantee.ranking(text)
    if found is None:
        return None
    rows = [[name, place, name == found.truth] for place, name in enumerate(found.order, 1)]
    shown = rows[:_MOST_CLASSES] + [row for row in rows[_MOST_CLASSES:] if row[2]]
    readers = [[name, place] for name, place in found.readers.items()]
    return {"classes": shown, "rank": found.rank, "total": len(rows), "k": found.k, "readers": readers}


def _guarantee(outcome: Outcome, ranking: dict[str, Any] | None) -> dict[str, Any]:
    measures = outcome.plan.measures[:_MOST_MEASURES] if outcome.plan else ()
    left = outcome.after[:_MOST_LEFT]
    words_left = [_words_left(finding) for finding in left]
    rows = [_measure(measure) for measure in measures]
    return {
        "ranking": ranking,
        **claim_data(outcome.claim),
        "verdict": outcome.verdict.value,
        "before": len(outcome.before),
        "after": len(outcome.after),
        "left": [why(finding) for finding in left],
        "left_words": words_left,
        "measures": rows,
    }


def _measure(measure: Measure) -> dict[str, Any]:
    return {
        "secret": measure.secret,
        "before": _number(measure.before),
        "after": _number(measure.after),
        "limit": _number(measure.limit),
    }


def _words_left(finding: Finding) -> list[str]:
    """The words that are left, for a reviewer to look for: they may stand at no place of the original that is known."""
    return [term.key for term in finding.terms[:_MOST_WORDS]]


def _number(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None


class _DisclosingTerms:
    """Terms that disclose, each once, with every place and reason."""

    def __init__(self, document: Document, decided: EffectiveDecisions, lists: frozenset[str]) -> None:
        self._text = document.text
        self._lists = lists
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
                {"key": key, "text": " ".join(surface.split()), "type": mention.type, "places": set(), "why": [], "risk": None, "hard": False, "guarantee": finding.guarantee},
            )  # fmt: skip
            row["places"].add((mention.start, mention.end))
            if finding.guarantee != DECISIONS:  # a decision makes no find surer: the list keeps its order
                row["risk"] = max(row["risk"] or 0.0, risk(finding, mention.score))
            row["hard"] = row["hard"] or is_hard(finding, term, self._lists)
            sentence = why(finding)
            if sentence not in row["why"] and len(row["why"]) < 5:
                row["why"].append(sentence)

    def listed(self, report: Report | None) -> list[dict[str, Any]]:
        """The terms as the page shows them, the most telling first."""
        things: dict[Place, str] = {}
        for edit in report.edits if report else ():
            things[edit.start, edit.end] = edit.replacement or ""
        gone = sorted(things)
        for row in self._rows.values():
            row["risk"] = (
                1.0 if row["risk"] is None else round(row["risk"], 3)
            )  # None: only a reviewer marked it
        rows = sorted(self._rows.values(), key=lambda row: (-row["risk"], -len(row["places"]), row["key"]))
        for row in rows:
            places = sorted(row["places"])
            covers = list(_covers(places, gone))
            row["gone"] = len(covers)
            row["thing"] = _thing(places, covers, things)
            row["places"] = [list(place) for place in places]
            made = self._decided.terms.get(row["key"])
            row["decision"] = made.kind if made else ""
            row["code"] = made.code if made else ""
            row["type"] = self._said_type(made, places) or row["type"]
        return rows

    def _said_type(self, made: Decision | None, places: Sequence[Place]) -> str:
        """What the reviewer said that the term is; "" if they said nothing."""
        said = [made, *(self._decided.places.get(place) for place in places)]
        return next((each.type for each in said if each is not None and each.type), "")


def _covers(places: list[Place], gone: list[Place]) -> Iterator[Place]:
    """For each place that goes, the edit that takes it out. Both lists are sorted."""
    at = 0
    for start, end in places:
        while at < len(gone) and gone[at][1] <= start:
            at += 1
        if at < len(gone) and gone[at][0] < end:
            yield gone[at]


def _thing(places: list[Place], covers: list[Place], things: dict[Place, str]) -> str:
    """What a term became. A part of a longer term, such as the hour of a date, became what the whole did."""
    whole = next((things[place] for place in places if place in things), "")
    return whole or next((things[place] for place in covers), "")


def is_hard(finding: Finding, term: Term, lists: frozenset[str]) -> bool:
    """Whether a reviewer's keeping it breaks the guarantee."""
    return finding.guarantee not in ("absence", "identifiers", "decisions") or term.source in lists


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
    kind = _KINDS.get(finding.secret, finding.secret.replace("_", " ").lower())
    sentences = {
        "absence": f"It looks like something that identifies a person or thing ({kind}): {_how(finding.because)}.",
        "identifiers": f"A trained reader takes it for something that identifies ({kind}).",
        "decisions": "A reviewer redacted it.",
        "columns": "It is a value in the records that the viewer of this copy may not see.",
        "k-safety": f"Together with the other marked words it fits only {amount} in the records; "
        f"the policy asks for a crowd of {limit}.",
        "k-confusability": _class(finding),
        "semantic": f"It says more about a protected subject than may show ({amount} bits, at most {limit}), "
        f"{finding.because}.",
    }
    return sentences.get(
        finding.guarantee, f"The policy protects it ({finding.guarantee}): {finding.because}."
    )


def _how(because: str) -> str:
    """A finder's own words for people; what it is has been said."""
    source, _, reasons = because.partition(": ")
    if source == "names model":
        return "the language model reads it as one"
    if not source.startswith("pattern "):
        return f"it is {because}"
    words = {"shape": "it has the shape of one", "check holds": "it passes the checks for one", "check fails": "it does not pass the checks for one, but the words around it tell", "context word near": "a word beside it says so"}  # fmt: skip
    return ", ".join(words.get(reason, reason) for reason in reasons.split(", "))


def _class(finding: Finding) -> str:
    if finding.limit <= 0:
        return "It names the hidden class itself."
    ahead, needed = round(1 / finding.amount) - 1, round(1 / finding.limit) - 1
    fit = "none does" if not ahead else f"only {ahead} {'does' if ahead == 1 else 'do'}"
    return f"It helps a trained reader to guess the hidden class: {needed} others must fit better, and {fit}."
