"""How often what went, or would go: the same count on the console, in the report and in the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from efface.core import Edit, Finding, Report
from efface.operators.resolve import resolve


@dataclass(frozen=True, slots=True)
class PlaceCount:
    """At how many places something of one type stood, and the rules that saw it there, the most frequent first."""

    type: str
    places: int
    rules: tuple[str, ...]


def place_counts(report: Report) -> tuple[PlaceCount, ...]:
    """What was cut, by type; of a report that cut nothing, what finders found. A place found twice counts once."""
    if report.edits:
        return _counted(report.edits)
    found = [finding for outcome in report.outcomes for finding in outcome.after]
    return found_places([finding for finding in found if is_of_type(finding)])


def is_of_type(finding: Finding) -> bool:
    """Whether the secret is a type of identifiers, and not a person, a class or a word that a guarantee hides."""
    return all(term.type == finding.secret for term in finding.terms)


def found_places(findings: Sequence[Finding]) -> tuple[PlaceCount, ...]:
    """The places of the findings, by type. If two overlap, the one counts that would be cut."""
    wishes: list[Edit] = []
    for finding in findings:
        for term in finding.terms:
            wishes += [mention.edit(finding.because) for mention in term.mentions]
    return _counted(resolve(wishes))


def _counted(edits: Sequence[Edit]) -> tuple[PlaceCount, ...]:
    rules: dict[str, Counter[str]] = {}
    for edit in edits:
        rules.setdefault(edit.type, Counter())[edit.reason] += 1
    counted = []
    for kind in sorted(rules):
        named = tuple(rule for rule, _ in rules[kind].most_common())
        counted.append(PlaceCount(kind, rules[kind].total(), named))
    return tuple(counted)
