"""Rounds: plan, apply and look again, until every guarantee holds on the text as it would leave.

Removing words for one guarantee can break another, so one pass is not enough. After a bounded number of rounds
the pipeline refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from efface.core import NOTHING, Document, Edit, Finding, Guarantee, Plan, Reading, SpanSet
from efface.errors import NotSettled
from efface.formats import cell_breaks
from efface.guarantees.abilities import judges_finds
from efface.operators import PLAIN
from efface.pipeline.bound import BoundPolicy, StageListener
from efface.pipeline.contracts import checked_edits
from efface.pipeline.find import find
from efface.pipeline.judge import assess_all, unknown_terms
from efface.pipeline.overlaps import cuts_whole
from efface.pipeline.propagation.spread import Stay, spread
from efface.text.alignment import Alignment


@dataclass(frozen=True)
class Settled:
    """Where the rounds ended: edits of the original text under which every guarantee holds."""

    alignment: Alignment
    before: tuple[tuple[Finding, ...], ...]
    after: tuple[tuple[Finding, ...], ...]
    plans: tuple[Plan | None, ...]
    unknown: tuple[tuple[str, ...], ...]
    rounds: int
    stays: tuple[Stay, ...] = ()
    cuts: tuple[Edit, ...] = ()  # before those that overlap became one

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.alignment.edits


def settle(document: Document, bound: BoundPolicy, watch: StageListener) -> Settled:
    """Edits under which all guarantees hold, or an error."""
    rounds = _Rounds.start(document, bound)
    for number in range(bound.rounds + 1):
        watch("finding" if not number else f"checking, round {number}")
        alignment = Alignment(rounds.edits)
        reading = find(alignment.planned(document), bound, alignment.inserted)
        findings = assess_all(reading, bound.guarantees)
        if not number:
            rounds.before = findings
        if not any(findings):
            return rounds.settled(reading, findings, alignment, number)
        asked = _requested_edits(reading, findings, bound, rounds.plans)
        if not rounds.take(asked, alignment):
            break  # nothing more can be done: another round would see the same
    raise _not_settled(bound.guarantees, findings)


@dataclass(frozen=True, slots=True)
class _AskedEdits:
    """What the guarantees ask for in one round, in the coordinates of the text as edited so far."""

    by_word: Sequence[Edit]  # a word goes wherever it is written
    by_place: Sequence[Edit]  # a place goes, and the same word may stay elsewhere


@dataclass(slots=True)
class _Rounds:
    """What one round leaves to the next. All positions here are positions in the original text."""

    document: Document
    bound: BoundPolicy
    kept: SpanSet  # what the policy's keep list names
    borders: set[int]  # of the document's parts
    plans: list[Plan | None]  # the first of each guarantee
    before: tuple[tuple[Finding, ...], ...] = ()  # what the first round found
    wanted: list[Edit] = field(default_factory=list)  # as the guarantees asked
    placed: set[Edit] = field(default_factory=set)  # those of guarantees that remove places, not words
    cuts: tuple[Edit, ...] = ()  # wanted, everywhere that they belong
    stays: tuple[Stay, ...] = ()
    edits: tuple[Edit, ...] = ()  # the cuts with their replacements

    @classmethod
    def start(cls, document: Document, bound: BoundPolicy) -> _Rounds:
        kept = SpanSet(m.span for m in bound.keep.find(document.text)) if bound.keep else NOTHING
        borders = {border for part in document.parts for border in (part.start, part.end)}
        return cls(document, bound, kept, borders, [None] * len(bound.guarantees))

    def take(self, asked: _AskedEdits, alignment: Alignment) -> bool:
        """Adds what was asked to the edits. False when they stay as they were."""
        places = _in_original(alignment, asked.by_place)
        self.placed.update(places)
        self.wanted = _merge(self.wanted, [*_in_original(alignment, asked.by_word), *places])
        text, operators = self.document.text, self.bound.operators
        breaks = cell_breaks(self.document.format)
        wanted = operators.effective(self.wanted)
        spread_out = spread(text, wanted, self.kept, self.borders, self.placed, breaks)
        self.cuts, self.stays = spread_out.edits, spread_out.stays
        previous = self.edits
        self.edits = operators.fill(cuts_whole(text, self.cuts), text)
        return self.edits != previous

    def settled(
        self, reading: Reading, findings: tuple[tuple[Finding, ...], ...], alignment: Alignment, number: int
    ) -> Settled:
        unknown = tuple(unknown_terms(guarantee, reading) for guarantee in self.bound.guarantees)
        return Settled(
            alignment, self.before, findings, tuple(self.plans), unknown, number, self.stays, self.cuts
        )


def _not_settled(guarantees: Sequence[Guarantee], findings: Sequence[tuple[Finding, ...]]) -> NotSettled:
    left_open = [guarantee.claim.name for guarantee, found in zip(guarantees, findings, strict=True) if found]
    return NotSettled(
        f"The guarantees do not all hold whatever is removed; left open: {', '.join(dict.fromkeys(left_open))}.",
        "Loosen this guarantee, or raise `rounds` in the policy.",
    )


def _requested_edits(
    reading: Reading, findings: Sequence[tuple[Finding, ...]], bound: BoundPolicy, plans: list[Plan | None]
) -> _AskedEdits:
    """The edits that the guarantees ask for in this round. `plans` keeps the first plan of each."""
    by_word: list[Edit] = []
    by_place: list[Edit] = []
    for index, (guarantee, found) in enumerate(zip(bound.guarantees, findings, strict=True)):
        if found:
            plan = guarantee.plan(reading, found)
            plans[index] = plans[index] or replace(plan, edits=())  # the report says once what is edited
            edits = checked_edits(guarantee.claim.name, plan.edits, len(reading.document.text))
            (by_word if judges_finds(guarantee) else by_place).extend(edits)
    return _AskedEdits(by_word, by_place)


def _in_original(alignment: Alignment, edits: Sequence[Edit]) -> list[Edit]:
    """The edits in the original's coordinates. One against a replacement of ours gets a plain placeholder."""
    ours = SpanSet(alignment.inserted)
    returned = []
    for edit in edits:
        original = alignment.back(edit)
        if edit.replacement is None and ours.covers(edit.start, edit.end):
            original = replace(original, replacement=PLAIN)
        returned.append(original)
    return returned


def _merge(old: list[Edit], new: list[Edit]) -> list[Edit]:
    """The edits of earlier rounds and the new ones. A new edit overrules an earlier replacement that it covers.

    An earlier cut without a replacement stays in the list: its string is still cut everywhere, even where a later edit
    covers its place.
    """
    fresh = SpanSet(new)
    left = [edit for edit in old if edit.replacement is None or not fresh.covers(edit.start, edit.end)]
    return list(dict.fromkeys([*left, *new]))
