"""What would go if a term might tell more or fewer bits: the curve of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from efface.core import Finding, Term
from efface.guarantees.abilities import Level
from efface.text.spans import Place


def levels_by_limit(findings: Sequence[Finding]) -> Iterator[Level]:
    """What goes, if terms may only be removed, so that nothing says more than so many bits.

    The terms that disclose most come first; of a group the term that is rarest in the text.
    """
    gone: set[Place] = set()
    known: list[Finding] = []
    for finding in findings:
        if finding.amount < float("inf"):
            known.append(finding)
        else:  # no limit lets it stay
            gone.update(*map(_mention_places, finding.terms))
    for finding in sorted(known, key=lambda one: -one.amount):
        yield finding.amount, set(gone)
        places = list(map(_mention_places, finding.terms))
        if places and not any(term <= gone for term in places):
            gone |= min(places, key=len)
    if known:
        yield min(finding.limit for finding in known), set(gone)


def _mention_places(term: Term) -> set[Place]:
    return {(mention.start, mention.end) for mention in term.mentions}
