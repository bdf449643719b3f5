"""Plans of several scopes put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from efface.core import Edit, Measure, Optimality, Plan, Term


def everywhere(plan: Plan, terms: Sequence[Term], removed: set[str]) -> Plan:
    """The plan with every mention of its terms."""
    reason = plan.edits[0].reason if plan.edits else ""
    edits = tuple(mention.edit(reason) for term in terms if term.key in removed for mention in term.mentions)
    return replace(plan, edits=edits)


def joined(plans: Sequence[Plan], *, shared: bool) -> Plan:
    """Scopes that share no mention are optimal together when each is; overlapping windows are not."""
    if len(plans) == 1:
        return plans[0]
    edits: list[Edit] = []
    measures: list[Measure] = []
    worst = Optimality.HEURISTIC if shared else Optimality.PROVED
    for plan in plans:
        edits += plan.edits
        measures += plan.measures
        worst = max(worst, plan.optimality, key=list(Optimality).index)
    cost = sum(plan.cost for plan in plans)
    bounds = [plan.lower_bound for plan in plans]
    # A term that several scopes share may pay for all of them, so that their bounds do not add up.
    bound = max(bounds, default=0.0) if shared else sum(bounds)
    notes = dict.fromkeys(plan.note for plan in plans)
    return Plan(tuple(edits), cost, worst, bound, tuple(measures), "; ".join(notes))
