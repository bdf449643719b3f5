"""GreedySanitize: whatever the trained classifiers find goes, until an attacker of their family gains little.

The guarantee is about a whole release. On one document only its first half can be checked: none of the
classifiers finds anything in what leaves. The second half is `efface attack release`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from efface.core import Claim, Finding, Plan, Reading, Scope, SpanSet
from efface.guarantees.abilities import ReleaseTest
from efface.guarantees.plain_words import type_in_words
from efface.guarantees.removal import all_gone, left_of

NAME = "identifiers"


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Every term of the finder `source` goes, except types in `exempt` (their operator is `keep`)."""

    source: str
    loss_ratio: float
    learner: str
    rounds: int
    exempt: frozenset[str] = frozenset()
    release_test: ReleaseTest | None = None

    @property
    def is_overrulable(self) -> bool:
        return True

    @property
    def claim(self) -> Claim:
        return Claim(
            name=NAME,
            sentence="An attacker of the same family of classifiers, retrained on the release, finds at most "
            f"1/{self.loss_ratio:g} as many identifiers as it raises false alarms; shown by attacking the release.",
            unit="stretches of words",
            scope=Scope.RELEASE,
            parameters={"loss_ratio": self.loss_ratio, "learner": self.learner, "classifiers": self.rounds},
            legend="a trained reader's find",
            title="A trained reader’s finds",
        )

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        ours = SpanSet(reading.inserted)
        findings = []
        for term in reading.terms:
            if term.source != self.source or term.type in self.exempt:
                continue
            left = left_of(term, ours)
            if left is not None:
                because, count = left.mentions[0].because, float(len(left.mentions))
                findings.append(Finding(NAME, term.type, (left,), count, 0.0, because))
        return tuple(findings)

    def explain(self, finding: Finding) -> str:
        kind = type_in_words(finding.secret)
        return f"A trained reader takes it for something that identifies ({kind})."

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return all_gone(findings)
