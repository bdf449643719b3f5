"""What a finding of k-confusability means, in a sentence for a layman."""

from __future__ import annotations

from efface.core import Finding


def class_explanation(finding: Finding) -> str:
    if finding.limit <= 0:
        return "It names the hidden class itself."
    # Amount and limit are 1 / rank. A class at rank 3 has two others ahead of it.
    ahead, needed = round(1 / finding.amount) - 1, round(1 / finding.limit) - 1
    fit = "none does" if not ahead else f"only {ahead} {'does' if ahead == 1 else 'do'}"
    return f"It helps a trained reader to guess the hidden class: {needed} others must fit better, and {fit}."
