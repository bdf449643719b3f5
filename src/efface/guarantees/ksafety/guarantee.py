"""k-safety: every protected entity stays one of at least k that fit the text (ERASE, Section 3).

k counts the protected entity too. `k=None` is ZoRRo's unbounded k: no crowd is large enough, so every
matched term of a protected entity goes.

This file says what the guarantee claims, and how a look at a document goes. `crowd_counting` counts who fits and asks
who is protected; `removal_choice` chooses what goes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from efface.core import (
    Claim,
    Document,
    Finding,
    Gap,
    Mention,
    Optimality,
    Plan,
    Reading,
    Scope,
    SpanSet,
    Term,
)
from efface.errors import Infeasible
from efface.guarantees.abilities import Denied, EarlierCopies, Level, Remembered, strengths, wanted_places
from efface.guarantees.ksafety.crowd_counting import CrowdCounter
from efface.guarantees.ksafety.document_look import PARTS, KSafetyLook
from efface.guarantees.ksafety.partial_values import fits_anybody, small_crowds
from efface.guarantees.ksafety.plain_values import Finds, Flags, plain_values
from efface.guarantees.ksafety.plans import everywhere, joined
from efface.guarantees.ksafety.removal_choice import KNOWS_METHOD, RemovalChoice
from efface.guarantees.ksafety.removal_cost import cost_of, place_of, stroke
from efface.guarantees.ksafety.scopes import merged, scopes_of
from efface.guarantees.ksafety.together import Joint, joint
from efface.guarantees.left_parts import PARTIAL, USUAL, LeftParts
from efface.knowledge.entities.build_records import IDENTIFYING, SENSITIVE
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.segment import Attribute
from efface.knowledge.entities.signatures import Selection, in_column

_LEVEL_SECONDS = 1.0  # seconds for each step of a slider
_SCOPES = 256  # asked about together
_TEXT = "text"


@dataclass(frozen=True, slots=True)
class KSafety:
    """The guarantee over one index. `protect` is a selection of entities, or asks who is denied.

    `columns` gives the type of each column: a value then counts in its own column only. Without it the terms of an
    entity are one set. `masked` are types that go anyway, because their columns are denied. `weights` are of
    terms, columns or types. `reader` and `colluding` say against whom: see the guarantee's page; `finds` is the finder
    of the entities, which a reader who knows the method has too. `remembered` is what
    the service remembers for it; `earlier` and `others` are what it remembered.
    """

    index: EntityIndex = field(repr=False)
    over: str
    k: int | None
    protect: Selection | Denied = field(repr=False)
    scope: str = "document"
    method: str = "auto"
    time_limit: float = 10.0
    remove_infeasible: bool = False
    columns: Mapping[str, str] | None = None
    with_sensitive: bool = False
    asks_values: bool = False
    masked: frozenset[str] = frozenset()
    weights: Mapping[str, float] = field(default_factory=dict)
    reader: str = _TEXT
    finds: Finds | None = field(default=None, repr=False, compare=False)
    colluding: bool = False
    parts: LeftParts = USUAL
    remembered: Remembered | None = None
    is_remembered: bool = False
    earlier: tuple[EarlierCopies, ...] = ()
    others: EarlierCopies | None = field(default=None, repr=False)  # everybody's, of an earlier knowledge
    look: KSafetyLook | None = field(default=None, repr=False, compare=False)

    def at_look(self) -> KSafety:
        """The guarantee for one look at one document."""
        return replace(self, look=KSafetyLook())

    @property
    def claim(self) -> Claim:
        crowd = "all" if self.k is None else self.k
        return Claim(
            name="k-safety",
            sentence=f"Every protected entity stays one of at least {crowd} that fit the {self._unit}."
            if self.k is not None
            else "No term that belongs to a protected entity is left.",
            unit="entities that fit",
            parameters={"k": crowd, "scope": self.scope, **self._readers()},
            legend="points to somebody protected",
            title="Who it could be (k-safety)",
        )

    def _readers(self) -> dict[str, str]:
        """The readers that the claim names beyond one who has the text and the entities."""
        named = {}
        if self.reader != _TEXT:
            named["reader"] = self.reader
        if self.colluding:
            named["collusion"] = "safe"
        if self.remembered is not None and self.is_remembered:
            what = "all that the viewer opened" if self.remembered.by_viewer else "earlier copies"
            named["together"] = f"{what} in {self.remembered.days} days"
        return named

    @property
    def is_proven(self) -> bool:
        return self.reader == _TEXT or self.look is None or not self.look.doubts

    def gaps(self, _document: Document) -> Iterator[Gap]:
        """Why it is not proved that k candidates lead to the release."""
        if not self.is_proven and self.look is not None:
            yield from self.look.gaps(self.over)

    @property
    def strength(self) -> int | None:
        return self.k

    def with_strength(self, strength: int) -> KSafety:
        return replace(self, k=strength, look=None)

    def levels(self, reading: Reading) -> Iterator[Level]:
        """The places that are removed at each k. Each search is short, because a slider waits for it."""
        for k in strengths(self.k or 2):
            yield k, wanted_places(reading, replace(self, k=k, time_limit=_LEVEL_SECONDS, look=None))

    @property
    def fingerprint(self) -> str:
        return f"{self.over} {self.index.fingerprint}"

    @property
    def asks_rights(self) -> bool:
        return callable(self.protect)

    def denied(self, ids: Sequence[str]) -> Collection[str]:
        assert callable(self.protect)
        return self.protect(ids)

    def with_rights(self, denied: Denied) -> KSafety:
        return replace(self, protect=denied, look=None)

    @property
    def claim_together(self) -> Claim | None:
        """The claim over documents that a reader can link. Only whole documents can be linked."""
        if self.scope != "document":
            return None
        alone = self.claim
        sentence = alone.sentence
        if self.k is not None:
            sentence = (
                f"Every protected entity stays one of at least {self.k} that fit the documents which a reader "
                "can link."
            )
        parameters = {**alone.parameters, "linked by": "subject, surrogate or stated key"}
        return Claim("k-safety of the release", sentence, alone.unit, Scope.RELEASE, parameters)

    def is_safe_together(self, terms: Collection[tuple[str, str]]) -> bool:
        """Whether the terms of linked documents, each with its knowledge, are safe in one hand."""
        made = tuple(Term(key, "", (Mention(0, 0, "", key, 1.0, ""),), over) for over, key in sorted(terms))
        return not self.assess(Reading(Document("release", "text", ""), made))

    @property
    def _unit(self) -> str:
        return "window" if self.scope.startswith("window") else self.scope

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        self._require_a_crowd()
        look = self.look or KSafetyLook()
        counter = self._counter(look)
        found: dict[str, Finding] = {}
        all_terms = self._terms(reading.terms)
        if self.reader == KNOWS_METHOD:
            look.read(reading, (term for term in all_terms if term.type not in self.masked))
            if fits_anybody(self.index, self._roles, self.parts.left_over(reading, self.over), self.parts):
                look.doubt(PARTS)
        scopes = scopes_of(reading, all_terms, self.scope)
        # Scopes are counted some at a time: a long text has very many windows.
        while some := list(islice(scopes, _SCOPES)):
            exposures = counter.exposures(some)
            if self.scope == "document":
                look.assessed[:] = [(reading, exposures[0])]
            for exposure in exposures:
                for finding in exposure.findings(self.over):
                    found.setdefault(finding.secret, finding)
        for finding in self._partial_findings(reading, all_terms, counter):
            found.setdefault(finding.secret, finding)
        for together in self._joints(all_terms, counter):
            for finding in together.findings(all_terms, self.over, self.k or 0):
                found.setdefault(finding.secret, finding)
        return tuple(found.values())

    def readable(self, reading: Reading, struck: SpanSet) -> frozenset[str]:
        """The terms, with their columns, that a reader sees where these places are struck."""
        seen = []
        for term in reading.terms:
            left = tuple(m for m in term.mentions if not struck.touches(m.start, m.end))
            if left:
                seen.append(replace(term, mentions=left))
        return frozenset(term.key for term in self._terms(seen))

    def with_earlier(self, own: EarlierCopies | None, others: EarlierCopies | None) -> KSafety:
        """This guarantee, judged together with the viewer's own earlier copies and with those of all viewers."""
        given = tuple(copies for copies in (own, others) if copies is not None)
        return replace(self, earlier=given, others=others, is_remembered=True, look=None)

    def _joints(self, terms: Sequence[Term], counter: CrowdCounter) -> Iterator[Joint]:
        """What the release discloses of protected entities together with earlier copies."""
        kept = frozenset(term.key for term in terms if term.type not in self.masked)
        for earlier in self.earlier if self.k is not None else ():
            found = joint(self.index, self._roles, kept, earlier, self.k or 0)
            if found is not None and found.crowds:
                yield found.only(counter.protected(found.ids))

    def _plans_together(self, terms: Sequence[Term], counter: CrowdCounter) -> Iterator[Plan]:
        """Edits that remove what adds too much to earlier copies."""
        prices = {term.key: stroke(term, self.weights) for term in terms}
        struck: set[str] = set()
        for found in self._joints(terms, counter):
            struck |= found.struck(self.k or 0, prices)
        reason = f"points to a protected entity of {self.over}, with what was released before"
        edits = tuple(m.edit(reason) for term in terms if term.key in struck for m in term.mentions)
        if edits:
            cost = cost_of(terms, struck, self.weights)
            yield Plan(edits, cost, Optimality.HEURISTIC, note="with what was released before")

    def _partial_findings(
        self, reading: Reading, terms: Sequence[Term], counter: CrowdCounter
    ) -> Iterator[Finding]:
        """Parts of values that operators left or that came masked, where too few entities have a value that gives them."""
        left = list(self.parts.left_over(reading, self.over))
        if not left:
            return
        everyone = len(self.index) + 1  # no crowd is large enough
        ours = SpanSet(reading.inserted)
        by_fate: dict[bool, list[Term]] = {False: [], True: []}
        for term in left:
            by_fate[self._is_told_elsewhere(term, ours)].append(term)
        is_apart = self.columns is not None
        for must_go, some in by_fate.items():
            k = everyone if must_go else self.k or everyone
            found = small_crowds(self.index, self._roles, terms, some, k, self.parts, is_apart=is_apart)
            for term, ids, crowd in found:
                for secret in counter.protected(ids):
                    because = f"a part of a value, with the text, fits {crowd} of {self.over}"
                    yield Finding("k-safety", secret, (term,), float(crowd), float(k), because)

    def _is_told_elsewhere(self, part: Term, ours: SpanSet) -> bool:
        """Whether other copies may show what this part must not stand with.

        What an operator leaves depends on what goes for this viewer. What the text itself tells is judged with all that
        the text says, for each copy alike. Parts are not remembered, so another document may show the rest.
        """
        is_ours = any(ours.touches(m.start, m.end) for m in part.mentions)
        if self.remembered is not None:
            return is_ours or self.remembered.by_viewer
        return is_ours and self.colluding

    def _counter(self, look: KSafetyLook) -> CrowdCounter:
        return CrowdCounter(self.index, self.k, self.protect, self._roles, self.asks_values, look)

    def explain(self, finding: Finding) -> str:
        return (
            f"Together with the other marked words it fits only {finding.amount:.3g} in the records; "
            f"the policy asks for a crowd of {finding.limit:.3g}."
        )

    def risk(self, finding: Finding) -> float:
        """The smaller the crowd, the more a finding tells."""
        if finding.limit <= 0 or not math.isfinite(finding.limit):
            return 1.0
        return max(0.0, min(1.0, 1 - (finding.amount - 1) / finding.limit))

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        """Solves each scope separately. A term that is removed in one window is removed in the whole document."""
        look = self.look or KSafetyLook()
        counter = self._counter(look)
        removal = RemovalChoice(self, counter, reading.document.text)
        is_window = self.scope.startswith("window")
        all_terms = self._terms(reading.terms)
        plans: list[Plan] = []
        gone: set[str] = set()
        for part in scopes_of(reading, all_terms, self.scope):
            terms = tuple(term for term in part if term.key not in gone)
            known = next((exposure for seen, exposure in look.assessed if seen is reading), None)
            exposure = known or counter.exposures([terms])[0]
            if exposure.unsafe or exposure.values:
                plan, removed = removal.plan(exposure)
                plans.append(everywhere(plan, all_terms, removed) if is_window else plan)
                gone |= removed if is_window else set()
        plans += self._without_parts(findings)
        if not plans:
            plans += self._plans_together(all_terms, counter)
        return joined(plans, shared=is_window)

    def _without_parts(self, findings: Sequence[Finding]) -> Iterator[Plan]:
        """A part of a value goes: the pipeline puts a placeholder in its place."""
        terms = {term for finding in findings for term in finding.terms if term.type == PARTIAL}
        edits = tuple(
            mention.edit(f"a part of a value points to a protected entity of {self.over}")
            for term in sorted(terms, key=place_of)
            for mention in term.mentions
        )
        if edits:
            note = "placeholders in place of parts of values"
            yield Plan(edits, float(len(edits)), Optimality.HEURISTIC, note=note)

    def _terms(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """The terms of this knowledge: one a key, or one for each column in which the key is a value."""
        mine = [term for term in terms if term.source == self.over]
        if self.columns is None:
            return tuple(merged(mine, self.over))
        known = self._attributes({term.key for term in mine})
        by_column = []
        for term in mine:
            for attribute in known.get(term.key, ()):
                is_of_type = not term.type or self.columns.get(attribute.name, term.type) == term.type
                if is_of_type and attribute.role in self._roles:
                    key = in_column(attribute.name, term.key)
                    by_column.append(Term(key, term.type, term.mentions, term.source))
        return tuple(merged(by_column, self.over))

    def _attributes(self, keys: Collection[str]) -> Mapping[str, Sequence[Attribute]]:
        """The columns that have these values, looked up once for each during a look."""
        known = self.look.attributes if self.look is not None else {}
        new = [key for key in keys if key not in known]
        if new:
            found = self.index.attributes_of(new)
            known.update((key, found.get(key, ())) for key in new)
        return known

    def plain_values(self, column: str) -> Flags:
        """Which values of a column, by their codes, a text cannot have without having this one term only."""
        return plain_values(self.index, column, self._roles, self.columns or {}, self.finds)

    @property
    def _roles(self) -> frozenset[str]:
        return frozenset({IDENTIFYING, SENSITIVE} if self.with_sensitive else {IDENTIFYING})

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
