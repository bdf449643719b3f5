"""Chooses what goes: the terms of one scope whose removal leaves every protected entity in a crowd of k."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import filterfalse
from typing import TYPE_CHECKING

from efface.core import Edit, Mention, Optimality, Plan, Term
from efface.errors import Infeasible
from efface.guarantees.ksafety import collusion, method_reader
from efface.guarantees.ksafety.crowd_counting import CrowdCounter
from efface.guarantees.ksafety.document_look import VALUES
from efface.guarantees.ksafety.exposure import Exposure
from efface.guarantees.ksafety.least_strokes import cheaper
from efface.guarantees.ksafety.plain_values import InPlace
from efface.guarantees.ksafety.removal_cost import (
    Neighbours,
    cost_of,
    gone_with,
    has_overlaps,
    is_tangled,
    weights_of,
)
from efface.solvers.ksafety.solve import Instance, Solution, solve

if TYPE_CHECKING:
    from efface.guarantees.ksafety.guarantee import KSafety

KNOWS_METHOD = "knows-method"
_ROUNDING = 1e-9  # costs, which are sums of weights, are equal if they differ by less


@dataclass(frozen=True, slots=True)
class _StruckTerms:
    """What is struck. No plan costs less than `bound`; `optimality` says how much is known about that."""

    keys: set[str]
    bound: float
    optimality: Optimality
    note: str  # how it was found


@dataclass(frozen=True, slots=True)
class RemovalChoice:
    """The choice for one guarantee during one look at a document."""

    guarantee: KSafety
    counter: CrowdCounter
    text: str = field(repr=False)  # of the document

    def plan(self, exposure: Exposure) -> tuple[Plan, set[str]]:
        """Returns the plan and the keys that it removes. Masked types are removed first and cost nothing."""
        asked, terms, forced = self.guarantee, exposure.terms, exposure.forced
        # A plan that is the same for every viewer cannot count on what goes for one of them only.
        free = set() if asked.colluding else gone_with(terms, forced, asked.masked)
        rest = exposure.without(free) if free else exposure
        anyway = [term for term in terms if free and (term.key in forced or term.type in asked.masked)]
        chosen = self._struck(rest, anyway)
        struck = chosen.keys | forced
        self.counter.look.doubt(VALUES if forced else "")
        bound = chosen.bound + cost_of(terms, forced, asked.weights)
        cost = cost_of(terms, struck, asked.weights)
        gone = gone_with(terms, struck)
        kept = {term.key for term in rest.terms if term.key not in gone}
        plan = Plan(
            self._edits(terms, struck),
            cost,
            _optimality(chosen.optimality, cost, bound),
            min(bound, cost),
            exposure.measures(kept),
            chosen.note,
        )
        return plan, gone

    def _edits(self, terms: Iterable[Term], struck: Collection[str]) -> tuple[Edit, ...]:
        """Edits of all mentions of the struck terms."""
        reason = f"points to a protected entity of {self.guarantee.over}"
        edits: list[Edit] = []
        for term in terms:
            if term.key in struck:
                edits += [mention.edit(reason) for mention in term.mentions]
        return tuple(edits)

    def _struck(self, exposure: Exposure, anyway: Sequence[Term]) -> _StruckTerms:
        asked = self.guarantee
        if not exposure.unsafe:
            return _StruckTerms(set(), 0.0, Optimality.PROVED, "what is masked is enough")
        if asked.k is not None and asked.reader == KNOWS_METHOD:
            return self._struck_for_method_reader(exposure, asked.k)
        if asked.k is not None and asked.colluding:
            struck = collusion.struck(exposure, asked.weights, asked.others)
            return _StruckTerms(struck, 0.0, Optimality.HEURISTIC, "one plan an entity, whoever reads")
        return self._fewest_struck(exposure, anyway)

    def _struck_for_method_reader(self, exposure: Exposure, k: int) -> _StruckTerms:
        """A reader who knows the method also knows who is protected of all entities, and whom their own rights
        leave out."""
        look = self.counter.look
        method = method_reader.Method(
            self.guarantee.index, k, self.counter.protected_of_all(), self.guarantee.plain_values
        )
        finds, types = self.guarantee.finds, self.guarantee.columns or {}
        exposure = replace(exposure, terms=tuple(map(_without_nested_mentions, exposure.terms)))
        in_place = InPlace.of(self.text, exposure.terms, types, finds) if finds is not None else None
        found = method_reader.cut(method, exposure, in_place)
        look.cut(found.struck)
        look.doubt(found.doubt)
        note = "a release that at least k candidates lead to"
        return _StruckTerms(set(found.struck), 0.0, Optimality.HEURISTIC, note)

    def _fewest_struck(self, exposure: Exposure, anyway: Sequence[Term]) -> _StruckTerms:
        """The terms that the solver removes, without those that another removal covers already."""
        solution = self._solve(exposure)
        struck = {term[1:] for term in solution.removed}  # without the mark of `instance`
        note = f"{solution.method}: {solution.note}" if solution.note else solution.method
        bound = float(solution.lower_bound)
        if is_tangled((*exposure.terms, *anyway)):
            weights = self.guarantee.weights
            struck = _needed(exposure, struck)
            # Where terms overlap, the solver's bound counts what may go with something else.
            bound = 0.0 if has_overlaps((*exposure.terms, *anyway)) else bound
            if self.guarantee.k is not None:  # otherwise there is nothing to choose
                least = cheaper(exposure, weights, cost_of(exposure.terms, struck, weights), anyway)
                struck = struck if least.keys is None else least.keys
                bound = max(bound, least.bound)
        return _StruckTerms(struck, bound, solution.optimality, note)

    def _solve(self, exposure: Exposure) -> Solution:
        asked = self.guarantee
        instance = exposure.instance(weights_of(exposure.terms, asked.weights))
        if asked.k is None:
            return _everything(instance)
        try:
            return solve(instance, asked.k, method=asked.method, time_limit=asked.time_limit)
        except Infeasible:
            if not asked.remove_infeasible:
                raise
            return _everything(instance)


def _without_nested_mentions(term: Term) -> Term:
    """The term with the innermost of its mentions: $61000 and the 61000 in it are one place, where a candidate's value
    can be put."""
    innermost = tuple(filterfalse(partial(_holds_another, term.mentions), term.mentions))
    return replace(term, mentions=innermost) if innermost else term


def _holds_another(mentions: Sequence[Mention], outer: Mention) -> bool:
    return any(_is_within(inner, outer) for inner in mentions)


def _is_within(inner: Mention, outer: Mention) -> bool:
    return inner.span != outer.span and outer.start <= inner.start and inner.end <= outer.end


def _needed(exposure: Exposure, removed: set[str]) -> set[str]:
    """Returns the places of a plan that are still needed once the others are struck."""
    struck = set(removed)
    neighbours = Neighbours.of(exposure.terms)
    all_keys = {term.key for term in exposure.terms}
    gone = gone_with(exposure.terms, struck)
    is_safe = exposure.safety()
    for place in sorted(place for place, here in neighbours.at_place.items() if not here.isdisjoint(removed)):
        fewer = struck - neighbours.at_place[place]
        left = gone - neighbours.shown_again(place, gone, fewer)
        if is_safe(all_keys - left):
            struck, gone = fewer, left
    return struck


def _everything(instance: Instance) -> Solution:
    """Every term of a protected context goes, as when no crowd is large enough."""
    return solve(instance, instance.entities + 1, everything=True)


def _optimality(found: Optimality, cost: float, bound: float) -> Optimality:
    """What is known about the cost, once the cost of the terms that are removed anyway was added."""
    if found is Optimality.HEURISTIC:
        return found
    is_least = bound >= cost - _ROUNDING * max(cost, 1.0)
    return Optimality.PROVED if is_least else Optimality.BOUNDED
