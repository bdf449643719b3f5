"""Absence: nothing that the finders mark as identifying is left in what is released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from efface.core import NOTHING, Claim, Finder, Finding, Plan, Reading, SpanSet, traits_of
from efface.guarantees.plain_words import reason_in_words, type_in_words
from efface.guarantees.removal import all_gone, left_of
from efface.text.entity_types import HIDDEN_SOURCE


@dataclass(frozen=True, slots=True)
class Absence:
    """Every term from `sources` goes, except types in `exempt` (their operator is `keep`).

    `threshold` does not apply to sources in `unscored`, which keep to thresholds of their own.
    No replacement may bring back a term of the sources in `listed`.
    """

    sources: frozenset[str]
    exempt: frozenset[str] = frozenset()
    threshold: float = 0.0
    unscored: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, finders: Mapping[str, Finder], exempt: frozenset[str], threshold: float) -> Absence:
        """The guarantee for all that these finders find."""
        traits = {source: traits_of(finder) for source, finder in finders.items()}
        unscored = frozenset(source for source, one in traits.items() if one.has_own_threshold)
        listed = frozenset(source for source, one in traits.items() if one.is_list)
        return cls(frozenset((*finders, HIDDEN_SOURCE)), exempt, threshold, unscored, listed)

    @property
    def is_overrulable(self) -> bool:
        return True

    @property
    def fingerprint(self) -> str:
        """Nothing beyond the policy itself decides."""
        return ""

    @property
    def claim(self) -> Claim:
        return _claim(self.threshold)

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        if not reading.terms:  # as in every last look
            return ()
        inserted = SpanSet(reading.inserted)
        findings = []
        for term in reading.terms:
            if term.source not in self.sources or term.type in self.exempt:
                continue
            threshold = 0.0 if term.source in self.unscored else self.threshold
            ours = NOTHING if term.source in self.listed else inserted
            left = left_of(term, ours, threshold)
            if left is not None:
                because, count = left.mentions[0].because, float(len(left.mentions))
                findings.append(Finding("absence", term.type, (left,), count, 0.0, because))
        return tuple(findings)

    def explain(self, finding: Finding) -> str:
        kind, reason = type_in_words(finding.secret), reason_in_words(finding.because)
        return f"It looks like something that identifies a person or thing ({kind}): {reason}."

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return all_gone(findings)


@lru_cache(maxsize=64)  # every document is told the same
def _claim(threshold: float) -> Claim:
    return Claim(
        name="absence",
        sentence="No identifier that the finders mark is left in the released file.",
        unit="mentions left",
        parameters={"threshold": threshold},
        legend="looks like an identifier",
        title="Identifiers",
    )
