"""The attacker's view: what a reader of the file would still learn, in words and numbers for a reviewer."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, repeat
from operator import itemgetter
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
    Verdict,
)
from efface.guarantees.abilities import ExplainsFindings, Ranks, WeighsFindings, judges_finds
from efface.policy.bind_decisions import LEGEND, NAME
from efface.report.coverage import lines as coverage_lines
from efface.report.data import claim_data
from efface.service.review.decisions import Decision, EffectiveDecisions
from efface.service.review.run_with_decisions import ReviewInput, ReviewResult
from efface.service.review.wrappers import list_finders
from efface.text.alignment import Alignment
from efface.text.folding import fold_term
from efface.text.spans import Place

_MOST_MEASURES = 200  # of a guarantee that the page shows
_MOST_CLASSES = 12  # guesses of a reader that the page shows; the true one is always among them
_MOST_LEFT = 20  # findings of a guarantee that are told
_MOST_WORDS = 5  # words of one of them
_MOST_REASONS = 5  # sentences that say why a term discloses
_LONGEST = 2000  # code points of a term that is listed
WORDS = {
    Verdict.HELD: "Every guarantee holds on the file as it would leave.",
    Verdict.BROKEN: "At least one guarantee does not hold: the file may not leave.",
    Verdict.UNPROVEN: "This document alone proves nothing: the guarantee speaks of a whole release.",
}
NOT_LOOKED_AT = "Something that the policy asks for was not looked at: the file may not leave."

NOT_JUDGED = (
    "Not looked for: what the words that stay tell together. No guarantee of the policy is about that."
)


def view(prepared: ReviewInput, decided: EffectiveDecisions, result: ReviewResult) -> dict[str, Any]:
    """All that the page shows beside the document, without the approvals."""
    report = result.report
    return {
        "verdict": result.verdict.value,
        "words": _verdict_sentence(result),
        "areas": [[made.page, made.box, made.code] for made in decided.areas],
        "problem": result.problem,
        "terms": _terms(prepared, decided, report).listed(report),
        "legend": _legend(prepared),
        "changed_by": decided.author,
        "strength": decided.strength,
        **(_of_report(prepared, report) if report else _WITHOUT_REPORT),
    }


# What the page shows of the report when no file could be made.
_WITHOUT_REPORT: Mapping[str, Any] = {
    "coverage": [],
    "unread": [],
    "edits": [],
    "guarantees": [],
    "leaks": [],
    "notes": [],
}


def _of_report(prepared: ReviewInput, report: Report) -> dict[str, Any]:
    """What the page shows of the report on the file as it would leave."""
    edits = [[edit.start, edit.end, edit.replacement or "", edit.type, edit.reason] for edit in report.edits]
    leaks = [
        {"part": leak.part, "encoding": leak.encoding, "type": leak.type, "word": leak.word}
        for leak in report.leaks
    ]
    return {
        "coverage": [*coverage_lines(report.coverage), *_not_judged(prepared)],
        "unread": _unread(report),
        "edits": edits,
        "guarantees": _guarantees(prepared, report),
        "leaks": leaks,
        "notes": list(report.notes),
    }


def _terms(prepared: ReviewInput, decided: EffectiveDecisions, report: Report | None) -> _DisclosingTerms:
    """The terms that disclose, in the original and in the release."""
    terms = _DisclosingTerms(prepared.document, decided, list_finders(prepared.bound.finders))
    if report is not None:
        for guarantee, finding in _all_findings(prepared, report):
            terms.add(guarantee, finding)
    if report is None or decided.changed:  # what a reviewer kept is not in the report, and stays listed
        for own in prepared.bound.guarantees:
            for finding in own.assess(prepared.reading):
                terms.add(own, finding)
    return terms


def _not_judged(prepared: ReviewInput) -> Iterator[str]:
    """A line where the policy has finders alone: nobody asked what a reader makes of the words that stay."""
    if all(judges_finds(guarantee) for guarantee in prepared.bound.guarantees):
        yield NOT_JUDGED


def _unread(report: Report) -> list[list[int]]:
    """The lines of the original with text that no finder could read, so that a reviewer reads it."""
    wanted = sorted({line for gap in report.coverage.gaps if not gap.allowed for line in gap.lines})
    if not wanted:
        return []
    alignment = Alignment(report.edits)
    lines = alignment.planned(report.document).text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found = []
    for number in wanted:
        start, end = starts[number - 1], starts[number] - 1
        place = alignment.back(Edit(start, end, "", "", ""))
        found.append([place.start, place.end])
    return found


def _legend(prepared: ReviewInput) -> dict[str, str]:
    """What the marks of each guarantee mean, by the name of its claim."""
    claims = [guarantee.claim for guarantee in prepared.bound.guarantees]
    words = {claim.name: claim.legend or claim.name for claim in claims}
    return {**words, NAME: LEGEND}


def _judges(prepared: ReviewInput, report: Report) -> Iterator[tuple[Guarantee | None, Outcome]]:
    """Each outcome with its guarantee. Behind those of the policy stands what the reviewer decided: None."""
    guarantees = chain(prepared.bound.guarantees, repeat(None))
    return zip(guarantees, report.outcomes, strict=False)


def _all_findings(prepared: ReviewInput, report: Report) -> Iterator[tuple[Guarantee | None, Finding]]:
    """What was found in the original, and what is left in the release: at its places in the original."""
    left: list[tuple[Guarantee | None, Finding]] = []
    for guarantee, outcome in _judges(prepared, report):
        for finding in outcome.before:
            yield guarantee, finding
        left += [(guarantee, finding) for finding in outcome.after]
    if not left or report.released is None:
        return
    alignment = Alignment(report.edits)
    released = prepared.format.read(report.released, report.document.name)
    if not alignment.gives(report.document, released.text):
        return  # nobody knows the place: it is told in words
    for guarantee, finding in left:
        yield guarantee, _in_original(finding, alignment)


def _in_original(finding: Finding, alignment: Alignment) -> Finding:
    terms = []
    for term in finding.terms:
        mentions = tuple(_mention_in_original(mention, alignment) for mention in term.mentions)
        terms.append(replace(term, mentions=mentions))
    return replace(finding, terms=tuple(terms))


def _mention_in_original(mention: Mention, alignment: Alignment) -> Mention:
    place = alignment.back(Edit(mention.start, mention.end, mention.type, mention.key, ""))
    return replace(mention, start=place.start, end=place.end)


def _verdict_sentence(result: ReviewResult) -> str:
    """The verdict, in a sentence for the reviewer."""
    if result.verdict is Verdict.UNPROVEN and result.report and not result.report.coverage.is_whole:
        return NOT_LOOKED_AT
    return WORDS[result.verdict]


def _guarantees(prepared: ReviewInput, report: Report) -> list[dict[str, Any]]:
    text = Alignment(report.edits).planned(report.document).text
    return [_guarantee(guarantee, outcome, text) for guarantee, outcome in _judges(prepared, report)]


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


def _guarantee(guarantee: Guarantee | None, outcome: Outcome, text: str) -> dict[str, Any]:
    measures = outcome.plan.measures[:_MOST_MEASURES] if outcome.plan else ()
    left = outcome.after[:_MOST_LEFT]
    words_left = [_words_left(finding) for finding in left]
    rows = [_measure(measure) for measure in measures]
    return {
        "ranking": _ranking(guarantee, text),
        **claim_data(outcome.claim),
        "title": outcome.claim.title or outcome.claim.name,
        "verdict": outcome.verdict.value,
        "before": len(outcome.before),
        "places": _count_of_places(outcome.before),
        "after": len(outcome.after),
        "left": [why(guarantee, finding) for finding in left],
        "left_words": words_left,
        "measures": rows,
    }


def _count_of_places(findings: Sequence[Finding]) -> int:
    """How many places are marked. Those that overlap are one, as they are on the page and to its slider."""
    count, last = 0, 0
    for mention in sorted(_mentions(findings), key=lambda mention: mention.start):
        count += mention.start >= last
        last = max(last, mention.end)
    return count


def _mentions(findings: Sequence[Finding]) -> Iterator[Mention]:
    for finding in findings:
        for term in finding.terms:
            yield from term.mentions


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

    def add(self, guarantee: Guarantee | None, finding: Finding) -> None:
        """Take in a finding of this guarantee. None: a reviewer decided it."""
        sentence = why(guarantee, finding)
        for term in finding.terms:
            is_hard = not _may_be_kept(guarantee) or term.source in self._lists
            for mention in term.mentions:
                row = self._row(finding, mention)
                if row is None:
                    continue
                row["places"].add((mention.start, mention.end))
                if guarantee is not None:  # a decision makes no find surer: the list keeps its order
                    row["risk"] = max(row["risk"] or 0.0, _risk(guarantee, finding, mention.score))
                row["hard"] = row["hard"] or is_hard
                if sentence not in row["why"] and len(row["why"]) < _MOST_REASONS:
                    row["why"].append(sentence)

    def _row(self, finding: Finding, mention: Mention) -> dict[str, Any] | None:
        """The row of what is mentioned. None: it is too long to be listed as a term."""
        surface = self._text[mention.start : mention.end]
        key = fold_term(surface)
        if not key or len(surface) > _LONGEST:
            return None
        new: dict[str, Any] = {
            "key": key,
            "text": " ".join(surface.split()),
            "type": mention.type,
            "places": set(),
            "why": [],
            "risk": None,
            "hard": False,
            "guarantee": finding.guarantee,
        }
        return self._rows.setdefault(key, new)

    def listed(self, report: Report | None) -> list[dict[str, Any]]:
        """The terms as the page shows them, the most telling first."""
        things: dict[Place, str] = {}
        for edit in report.edits if report else ():
            things[edit.start, edit.end] = edit.replacement or ""
        gone = sorted(things)
        for row in self._rows.values():
            # None means that only a reviewer marked the term.
            row["risk"] = 1.0 if row["risk"] is None else round(row["risk"], 3)
        rows = sorted(self._rows.values(), key=lambda row: (-row["risk"], -len(row["places"]), row["key"]))
        for row in rows:
            places = sorted(row["places"])
            covers = list(_covers(places, gone))
            row["gone"] = len(covers)
            row["thing"] = _replacement_of(places, covers, things)
            row["places"] = [list(place) for place in places]
            made = self._decided.terms.get(row["key"])
            row["decision"] = made.kind if made else ""
            row["code"] = made.code if made else ""
            row["type"] = self._said_type(made, places) or row["type"]
        return rows

    def _said_type(self, made: Decision | None, places: Sequence[Place]) -> str:
        """The type that the reviewer gave the term, or "" if they gave none."""
        said = [made, *(self._decided.places.get(place) for place in places)]
        return next((each.type for each in said if each is not None and each.type), "")


def _covers(places: list[Place], gone: list[Place]) -> Iterator[Place]:
    """For each place that goes, the edit that takes it out. Both lists are sorted."""
    for start, end in places:
        at = bisect_right(gone, start, key=itemgetter(1))  # edits do not overlap: their ends are sorted too
        if at < len(gone) and gone[at][0] < end:
            yield gone[at]


def _replacement_of(places: list[Place], covers: list[Place], things: dict[Place, str]) -> str:
    """What a term became. A part of a longer term, such as the hour of a date, became what the whole did."""
    whole = next((things[place] for place in places if place in things), "")
    return whole or next((things[place] for place in covers), "")


def _may_be_kept(guarantee: Guarantee | None) -> bool:
    """Whether a reviewer may keep what was found, and the guarantee still holds."""
    return guarantee is None or judges_finds(guarantee)


def _risk(guarantee: Guarantee, finding: Finding, score: float) -> float:
    """0 to 1, to sort by."""
    if judges_finds(guarantee):
        return min(score, 1.0)
    if isinstance(guarantee, WeighsFindings):
        return guarantee.risk(finding)
    total = finding.amount + finding.limit
    return finding.amount / total if total > 0 and math.isfinite(total) else 1.0


def why(guarantee: Guarantee | None, finding: Finding) -> str:
    """One sentence that a layman understands."""
    if guarantee is None:
        return "A reviewer redacted it."
    if isinstance(guarantee, ExplainsFindings):
        return guarantee.explain(finding)
    return f"The policy protects it ({finding.guarantee}): {finding.because}."
