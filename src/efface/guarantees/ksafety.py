"""k-safety: every protected entity stays one of at least k that fit the text (ERASE, Section 3).

k counts the protected entity too. `k=None` is ZoRRo's unbounded k: no crowd is large enough, so every
matched term of a protected entity goes.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt

from efface.core import Claim, Finding, Measure, Optimality, Plan, Reading, Span, Term
from efface.errors import Infeasible
from efface.knowledge.index import EntityIndex
from efface.knowledge.signatures import Selection, Signatures
from efface.solvers.crowd import holders
from efface.solvers.ksafety import Instance, Solution, solve

Denied = Callable[[Sequence[str]], Collection[str]]
Crowds = npt.NDArray[np.int64]

_NAMED = 1000  # findings that name their entity; the plan covers all
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_WORD = re.compile(r"\S+")
_SCOPES = 256  # asked about together


class _Answers(threading.local):
    """Who is denied, as far as one document's rounds asked: a thread has one document at a time."""

    def __init__(self) -> None:
        self.of: dict[str, bool] = {}


@dataclass(frozen=True, slots=True)
class KSafety:
    """The guarantee over one index. `protect` is a selection of entities, or asks who is denied."""

    index: EntityIndex = field(repr=False)
    over: str
    k: int | None
    protect: Selection | Denied = field(repr=False)
    scope: str = "document"
    method: str = "auto"
    time_limit: float = 10.0
    remove_infeasible: bool = False
    _assessed: list[tuple[Reading, _Exposure]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    _counted: list[_Crowded] = field(default_factory=list, init=False, repr=False, compare=False)
    _answers: _Answers = field(default_factory=_Answers, init=False, repr=False, compare=False)

    @property
    def claim(self) -> Claim:
        crowd = "all" if self.k is None else self.k
        return Claim(
            name="k-safety",
            sentence=f"Every protected entity stays one of at least {crowd} that fit the {self._unit}."
            if self.k is not None
            else "No term that belongs to a protected entity is left.",
            unit="entities that fit",
            parameters={"k": crowd, "scope": self.scope},
        )

    @property
    def _unit(self) -> str:
        return "window" if self.scope.startswith("window") else self.scope

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        self._require_a_crowd()
        if not reading.inserted:  # the first look at a document: what was answered before was for another
            self._answers.of.clear()
        found: dict[str, Finding] = {}
        scopes = self._scopes(reading)
        while some := list(islice(scopes, _SCOPES)):
            exposures = self._exposures(some)
            if self.scope == "document":
                self._assessed[:] = [(reading, exposures[0])]
            for exposure in exposures:
                for finding in exposure.findings(self.over):
                    found.setdefault(finding.secret, finding)
        return tuple(found.values())

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        """Solve each scope by itself; a term that goes from a window goes from the whole document."""
        plans: list[Plan] = []
        gone: set[str] = set()
        for part in self._scopes(reading):
            terms = tuple(term for term in part if term.key not in gone)
            exposure = self._known(reading) or self._exposures([terms])[0]
            if exposure.unsafe:
                plan = self._plan(exposure)
                plans.append(plan)
                if self.scope.startswith("window"):
                    gone.update(edit.key for edit in plan.edits)
        if self.scope.startswith("window"):
            plans = [_everywhere(plan, reading, self.over) for plan in plans]
        return _together(plans, shared=self.scope.startswith("window"))

    def _known(self, reading: Reading) -> _Exposure | None:
        """What was assessed last, if it is this very reading: the plan answers the same facts, asked for once."""
        return next((exposure for known, exposure in self._assessed if known is reading), None)

    def _require_a_crowd(self) -> None:
        """Where fewer than k entities exist, even an empty text leaves a protected one in too small a crowd."""
        if self.k is None or self.remove_infeasible or len(self.index) >= self.k:
            return
        ids = list(self.index.ids(self.index.everyone()))
        protected = self.protect(ids) if callable(self.protect) else self.protect
        if len(protected):
            raise Infeasible(
                f"Fewer than k entities are known in {self.over}: no choice of terms can hide one among k.",
                "Lower k, add entities, or set `infeasible: remove` in the policy.",
            )

    def _plan(self, exposure: _Exposure) -> Plan:
        try:
            solution = self._solve(exposure)
        except Infeasible:
            if not self.remove_infeasible:
                raise
            solution = _everything(exposure.instance)
        removed = {term[1:] for term in solution.removed}  # without the mark of `instance`
        terms = [term for term in exposure.terms if term.key in removed]
        edits = tuple(
            m.edit(f"points to a protected entity of {self.over}") for term in terms for m in term.mentions
        )
        return Plan(
            edits,
            float(len(removed)),
            solution.optimality,
            float(solution.lower_bound),
            exposure.measures({term[1:] for term in solution.kept}),
            f"{solution.method}: {solution.note}" if solution.note else solution.method,
        )

    def _solve(self, exposure: _Exposure) -> Solution:
        if self.k is None:
            return _everything(exposure.instance)
        return solve(exposure.instance, self.k, method=self.method, time_limit=self.time_limit)

    def _exposures(self, scopes: Sequence[tuple[Term, ...]]) -> list[_Exposure]:
        """How well the terms of each scope tell protected entities. Only entities whose crowd is too small are
        asked about, all of them, in one question for all scopes (ZoRRo, Theorem 1)."""
        if not callable(self.protect):
            return [self._selected(terms, self.protect) for terms in scopes]
        crowded = [self._crowded(terms) for terms in scopes]
        answers = self._answers.of
        unknown = {id for found in crowded for _, id in found.small if id not in answers}
        if unknown:
            denied = frozenset(self.protect(sorted(unknown)))
            answers.update((id, id in denied) for id in unknown)
        return [found.exposure(terms, answers, self.k) for terms, found in zip(scopes, crowded, strict=True)]

    def _selected(self, terms: tuple[Term, ...], selection: Selection) -> _Exposure:
        signatures = self.index.signatures([term.key for term in terms], selection)
        return _Exposure(terms, signatures, _crowds(signatures), signatures.selected, selection, self.k)

    def _crowded(self, terms: tuple[Term, ...]) -> _Crowded:
        """What holds for every viewer; kept for the next one as long as the data are what they are."""
        keys = tuple(term.key for term in terms)
        found = self.index.kept.get((self.k, keys), lambda: self._count(keys), _Crowded.size)
        self._counted[:] = [found]
        return found

    def _count(self, keys: Sequence[str]) -> _Crowded:
        """Counted in the index, or in what was counted last when no term is new: something was removed."""
        for known in self._counted:
            if known.signatures.terms and set(keys) <= set(known.signatures.terms):
                return known.only(keys, self.k)
        signatures = self.index.signatures(keys)
        crowds = _crowds(signatures)
        small = np.flatnonzero(crowds < self.k) if self.k is not None else np.arange(len(crowds))
        return _Crowded(signatures.without_members(), crowds, tuple(signatures.members(small.tolist())))

    def _scopes(self, reading: Reading) -> Iterator[tuple[Term, ...]]:
        """The terms that a reader sees together: of the document, of a paragraph, or of n words in a row."""
        mine = tuple(term for term in _merged(reading.terms, self.over))
        if self.scope == "document":
            yield mine
            return
        seen: set[tuple[tuple[str, tuple[Span, ...]], ...]] = set()
        for start, end in self._stretches(reading.document.text):
            inside = tuple(_within(mine, start, end))
            mark = tuple((term.key, tuple(m.span for m in term.mentions)) for term in inside)
            if inside and mark not in seen:
                seen.add(mark)
                yield inside

    def _stretches(self, text: str) -> Iterator[tuple[int, int]]:
        if self.scope == "paragraph":
            position = 0
            for match in _PARAGRAPH.finditer(text):
                yield position, match.start()
                position = match.end()
            yield position, len(text)
            return
        size = int(self.scope.removeprefix("window(").removesuffix(")"))
        words = [match.span() for match in _WORD.finditer(text)]
        for first in range(max(len(words) - size + 1, min(len(words), 1))):
            yield words[first][0], words[min(first + size, len(words)) - 1][1]


@dataclass(frozen=True, slots=True)
class _Crowded:
    """How terms tell entities apart, whoever reads: groups, their crowds, and who is in too small a crowd."""

    signatures: Signatures
    crowds: Crowds
    small: tuple[tuple[int, str], ...] = field(repr=False)  # (group, id)

    def size(self) -> int:
        return self.signatures.groups.size + len(self.small)

    def only(self, keys: Sequence[str], k: int | None) -> _Crowded:
        """The same for some of the terms. A crowd never shrinks with fewer terms, so whoever is in too small
        a crowd then is in one now."""
        signatures, places = self.signatures.only(keys)
        crowds = _crowds(signatures)
        is_small = crowds < k if k is not None else np.ones(len(crowds), np.bool_)
        moved = ((int(places[group]), id) for group, id in self.small)
        return _Crowded(
            signatures, crowds, tuple((group, id) for group, id in moved if group >= 0 and is_small[group])
        )

    def exposure(self, terms: tuple[Term, ...], denied: Mapping[str, bool], k: int | None) -> _Exposure:
        hidden: dict[int, list[str]] = {}
        for group, id in self.small:
            if denied[id]:
                hidden.setdefault(group, []).append(id)
        protected = np.zeros(len(self.crowds), np.int64)
        protected[list(hidden)] = [len(ids) for ids in hidden.values()]
        return _Exposure(terms, self.signatures, self.crowds, protected, hidden, k)


@dataclass(frozen=True, slots=True)
class _Exposure:
    """The terms of one scope, and how well they tell each group of entities from the others."""

    terms: tuple[Term, ...]
    signatures: Signatures
    crowds: Crowds
    protected: Crowds  # how many of each group
    hidden: Selection | Mapping[int, Sequence[str]]  # who they are, or those of each group
    k: int | None

    @property
    def unsafe(self) -> list[int]:
        """The groups that hold a protected entity in too small a crowd, the smallest crowd first."""
        held = np.flatnonzero(self.protected)
        small = held if self.k is None else held[self.crowds[held] < self.k]
        return [int(group) for group in small[np.argsort(self.crowds[small], kind="stable")]]

    @property
    def instance(self) -> Instance:
        """Every term has a mark before it: solvers break ties by string order, and of plans that remove equally
        many the better one keeps what tells entities that need no protection (ZoRRo's Table 4)."""
        signatures = self.signatures
        open_groups = np.flatnonzero(self.protected < signatures.counts)
        if self.k is not None:
            open_groups = open_groups[self.crowds[open_groups] < self.k]
        told = np.bitwise_or.reduce(signatures.groups[open_groups], axis=0)
        marks = ["0" if int(told[at // 64]) >> (at % 64) & 1 else "1" for at in range(len(signatures.terms))]
        return Instance.from_signatures(
            [mark + term for mark, term in zip(marks, signatures.terms, strict=True)],
            signatures.groups,
            signatures.counts,
            self.protected,
            signatures.empty,
        )

    def _named(self) -> Iterator[tuple[int, str]]:
        """(group, id) of the protected entities in too small a crowd, as many as are named."""
        groups = self.unsafe[:_NAMED]
        if isinstance(self.hidden, Selection):
            found: dict[int, list[str]] = {group: [] for group in groups}
            for group, id in self.signatures.members(groups, self.hidden):
                found[group].append(id)
            members: Mapping[int, Sequence[str]] = found
        else:
            members = self.hidden
        pairs = ((group, id) for group in groups for id in sorted(members[group]))
        yield from islice(pairs, _NAMED)

    def findings(self, over: str) -> Iterator[Finding]:
        by_key = {term.key: term for term in self.terms}
        limit = float("inf") if self.k is None else float(self.k)
        for group, id in self._named():
            terms = tuple(by_key[key] for key in self._keys(group))
            crowd = int(self.crowds[group])
            because = f"its {len(terms)} terms in the text fit {crowd} of {over}"
            yield Finding("k-safety", id, terms, float(crowd), limit, because)

    def measures(self, kept: set[str]) -> tuple[Measure, ...]:
        """The crowd of every protected entity touched, before and after."""
        keep = self.signatures.mask([at for at, key in enumerate(self.signatures.terms) if key in kept])
        limit = float("inf") if self.k is None else float(self.k)
        after = {
            group: self.signatures.crowd(self.signatures.groups[group] & keep)
            for group in self.unsafe[:_NAMED]
        }
        return tuple(
            Measure(id, float(self.crowds[group]), float(after[group]), limit) for group, id in self._named()
        )

    def _keys(self, group: int) -> Iterator[str]:
        row = self.signatures.groups[group]
        for at, key in enumerate(self.signatures.terms):
            if int(row[at // 64]) >> (at % 64) & 1:
                yield key


def _everything(instance: Instance) -> Solution:
    """Every term of a protected context goes, as when no crowd is large enough."""
    return solve(instance, instance.entities + 1, everything=True)


def _crowds(signatures: Signatures) -> Crowds:
    """For every group, how many entities hold at least its terms."""
    return holders(signatures.groups, signatures.groups, signatures.counts)


def _merged(terms: Sequence[Term], source: str) -> Iterator[Term]:
    """One term a key: what is known under several attributes is one word to a reader."""
    by_key: dict[str, list[Term]] = {}
    for term in terms:
        if term.source == source:
            by_key.setdefault(term.key, []).append(term)
    for key, same in sorted(by_key.items()):
        spans = {mention.span: mention for term in same for mention in term.mentions}
        yield Term(key, same[0].type, tuple(spans[span] for span in sorted(spans)), source)


def _within(terms: Sequence[Term], start: int, end: int) -> Iterator[Term]:
    for term in terms:
        inside = tuple(m for m in term.mentions if m.start < end and start < m.end)
        if inside:
            yield Term(term.key, term.type, inside, term.source)


def _everywhere(plan: Plan, reading: Reading, source: str) -> Plan:
    """The plan with every mention of its terms."""
    reasons = {edit.key: edit.reason for edit in plan.edits}
    edits = tuple(
        m.edit(reasons[term.key])
        for term in _merged(reading.terms, source)
        if term.key in reasons
        for m in term.mentions
    )
    return Plan(edits, plan.cost, plan.optimality, plan.lower_bound, plan.measures, plan.note)


def _together(plans: Sequence[Plan], *, shared: bool) -> Plan:
    """Scopes that share no mention are optimal together when each is; overlapping windows are not."""
    if len(plans) == 1:
        return plans[0]
    worst = max((plan.optimality for plan in plans), key=list(Optimality).index, default=Optimality.PROVED)
    if shared:
        worst = Optimality.HEURISTIC
    bounds = [plan.lower_bound for plan in plans]
    return Plan(
        tuple(edit for plan in plans for edit in plan.edits),
        sum(plan.cost for plan in plans),
        worst,
        max(bounds, default=0.0) if shared else sum(bounds),
        tuple(measure for plan in plans for measure in plan.measures),
        "; ".join(dict.fromkeys(plan.note for plan in plans)),
    )
