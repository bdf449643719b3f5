"""Rounds: plan, apply and look again, until every guarantee holds on the text as it would leave.

Removing words for one guarantee can break another, so one pass is not enough. After a bounded number of rounds
the pipeline refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from efface.core import Document, Edit, Finding, Plan, Reading, SpanSet
from efface.errors import NotSettled
from efface.guarantees.abilities import JudgesFinds
from efface.operators import PLAIN
from efface.pipeline.bound import Bound, Watch
from efface.pipeline.find import find
from efface.pipeline.judge import assess_all, unknown_terms
from efface.pipeline.overlaps import cuts_whole
from efface.pipeline.propagation.spread import Stay, spread
from efface.text.alignment import Alignment


@dataclass(frozen=True)
class Settled:
    """Where the rounds ended: edits of the original text under which every guarantee holds."""

    edits: tuple[Edit, ...]
    before: tuple[tuple[Finding, ...], ...]
    after: tuple[tuple[Finding, ...], ...]
    plans: tuple[Plan | None, ...]
    unknown: tuple[tuple[str, ...], ...]
    rounds: int
    stays: tuple[Stay, ...] = ()
    cuts: tuple[Edit, ...] = ()  # before those that overlap became one


def settle(document: Document, bound: Bound, watch: Watch) -> Settled:
    """Edits under which all guarantees hold, or an error.

    There are two coordinate systems. `wanted`, `placed`, `edits`, `cuts`, `stays`, `kept` and `borders` have positions
    in the original text. `reading`, `findings` and what `_asked` returns have positions in the text as edited so far;
    `_in_original` maps them back.
    """
    wanted: list[Edit] = []  # as the guarantees asked, in the original's coordinates
    placed: set[Edit] = set()  # those of guarantees that remove places, not words
    edits: tuple[Edit, ...] = ()
    cuts: tuple[Edit, ...] = ()
    stays: tuple[Stay, ...] = ()
    kept = SpanSet(m.span for m in bound.keep.find(document.text)) if bound.keep else SpanSet(())
    borders = {border for part in document.parts for border in (part.start, part.end)}
    before: tuple[tuple[Finding, ...], ...] | None = None
    plans: list[Plan | None] = [None] * len(bound.guarantees)
    for number in range(bound.rounds + 1):
        watch("finding" if not number else f"checking, round {number}")
        alignment = Alignment(edits)
        reading = find(alignment.planned(document), bound, alignment.inserted)
        findings = assess_all(reading, bound.guarantees)
        before = before if before is not None else findings
        if not any(findings):
            unknown = tuple(unknown_terms(guarantee, reading) for guarantee in bound.guarantees)
            return Settled(edits, before, findings, tuple(plans), unknown, number, stays, cuts)
        by_word, by_place = _asked(reading, findings, bound, plans)
        new = _in_original(alignment, by_place)
        placed.update(new)
        wanted = _merge(wanted, [*_in_original(alignment, by_word), *new])
        spread_out = spread(document.text, bound.operators.effective(wanted), kept, borders, placed)
        cuts, stays = spread_out.edits, spread_out.stays
        refilled = bound.operators.fill(cuts_whole(document.text, cuts), document.text)
        if refilled == edits:  # nothing more can be done: another round would see the same
            break
        edits = refilled
    open_claims = [
        guarantee.claim.name for guarantee, found in zip(bound.guarantees, findings, strict=True) if found
    ]
    raise NotSettled(
        f"The guarantees do not all hold whatever is removed; left open: {', '.join(dict.fromkeys(open_claims))}.",
        "Loosen this guarantee, or raise `rounds` in the policy.",
    )


def _asked(
    reading: Reading, findings: Sequence[tuple[Finding, ...]], bound: Bound, plans: list[Plan | None]
) -> tuple[list[Edit], list[Edit]]:
    """The edits that the guarantees ask for in this round: of words, which go everywhere, and of places.

    `plans` keeps the first plan of each.
    """
    by_word: list[Edit] = []
    by_place: list[Edit] = []
    for index, (guarantee, found) in enumerate(zip(bound.guarantees, findings, strict=True)):
        if found:
            plan = guarantee.plan(reading, found)
            plans[index] = plans[index] or replace(plan, edits=())  # the report says once what is edited
            (by_word if isinstance(guarantee, JudgesFinds) else by_place).extend(plan.edits)
    return by_word, by_place


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
    fresh = SpanSet(edit.span for edit in new)
    left = [edit for edit in old if edit.replacement is None or not fresh.covers(edit.start, edit.end)]
    return list(dict.fromkeys([*left, *new]))
