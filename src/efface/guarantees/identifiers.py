"""GreedySanitize: whatever the trained classifiers find goes, until an attacker of their family gains little.

The promise speaks of a whole release. On one document only its first half can be checked: none of the
classifiers finds anything in what leaves. The second half is `efface attack release`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from efface.core import Claim, Edit, Finding, Plan, Reading, Scope, SpanSet, Term

NAME = "identifiers"


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Every term of the finder `source` goes, except types in `exempt` (their operator is `keep`)."""

    source: str
    loss_ratio: float
    learner: str
    rounds: int
    exempt: frozenset[str] = frozenset()

    @property
    def claim(self) -> Claim:
        return Claim(
            name=NAME,
            sentence="An attacker of the same family of classifiers, retrained on the release, finds at most "
            f"1/{self.loss_ratio:g} as many identifiers as it raises false alarms; shown by attacking the release.",
            unit="stretches of words",
            scope=Scope.RELEASE,
            parameters={"loss_ratio": self.loss_ratio, "learner": self.learner, "classifiers": self.rounds},
        )

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        ours = SpanSet(reading.inserted)
        findings = []
        for term in reading.terms:
            if term.source != self.source or term.type in self.exempt:
                continue
            left = tuple(m for m in term.mentions if not ours.covers(m.start, m.end))
            if left:
                found = Term(term.key, term.type, left, term.source)
                findings.append(Finding(NAME, term.type, (found,), float(len(left)), 0.0, left[0].because))
        return tuple(findings)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        edits = tuple(
            Edit(mention.start, mention.end, mention.type, mention.key, mention.because)
            for finding in findings
            for term in finding.terms
            for mention in term.mentions
        )
        return Plan(edits, cost=float(len(edits)), lower_bound=float(len(edits)))
