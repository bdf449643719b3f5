"""The measures by their definitions, one character and one token at a time."""

from __future__ import annotations

import re

from efface.evaluate.gold import Gold, GoldCase, canonical
from efface.evaluate.scoring import Predicted, ScoreTally

Marked = Gold | Predicted


def characters(marked: list[Marked]) -> set[int]:
    return {at for one in marked for at in range(one.start, one.end)}


def tokens(text: str, marked: list[Marked]) -> set[tuple[int, int]]:
    found = set()
    for one in marked:
        for match in re.finditer(r"\w+", text[one.start : one.end]):
            found.add((one.start + match.start(), one.start + match.end()))
    return found


def is_covered(token: tuple[int, int], marked: list[Marked]) -> bool:
    covered = characters(marked)
    return all(at in covered for at in range(*token))


def half(one: Marked, others: list[Marked]) -> bool:
    covered = characters(others)
    return 2 * sum(at in covered for at in range(one.start, one.end)) >= one.end - one.start


def joined(text: str, marked: list[Marked]) -> list[set[int]]:
    """The characters of each span; those of one type that nothing but spaces and signs keeps apart are one."""
    found: list[set[int]] = []
    for kind in {canonical(one.type) for one in marked}:
        covered = characters([one for one in marked if canonical(one.type) == kind])
        spans = [[at] for at in sorted(covered)]
        while spans:
            span = spans.pop(0)
            while spans and not re.search(r"\w", text[span[-1] + 1 : spans[0][0]]):
                span += spans.pop(0)
            found.append(set(range(span[0], span[-1] + 1)))
    return found


def alike(one: set[int], other: set[int]) -> bool:
    return 10 * len(one & other) >= 9 * len(one | other)


def tally(case: GoldCase, said: list[Predicted], level: str, kind: str | None) -> ScoreTally:
    total = ScoreTally()
    for annotation in case.annotations:
        gold: list[Marked] = [g for g in annotation if g.identifier != "NO_MASK" and kind in (None, g.type)]
        mine: list[Marked] = [p for p in said if kind in (None, canonical(p.type))]
        if level == "token":
            wanted, got = tokens(case.text, gold), tokens(case.text, mine)
            total += ScoreTally(
                sum(is_covered(t, mine) for t in wanted),
                len(wanted),
                sum(is_covered(t, gold) for t in got),
                len(got),
            )
        elif level == "strict":
            ends, mine_ends = {(g.start, g.end) for g in gold}, {(p.start, p.end) for p in mine}
            same = len(ends & mine_ends)
            total += ScoreTally(same, len(ends), same, len(mine_ends))
        elif level == "joined":
            ours, theirs = joined(case.text, gold), joined(case.text, mine)
            total += ScoreTally(
                sum(any(alike(one, other) for other in theirs) for one in ours),
                len(ours),
                sum(any(alike(one, other) for other in ours) for one in theirs),
                len(theirs),
            )
        else:
            total += ScoreTally(
                sum(half(g, mine) for g in gold), len(gold), sum(half(p, gold) for p in mine), len(mine)
            )
    return total


def entity_recall(case: GoldCase, said: list[Predicted], identifier: str) -> tuple[int, int]:
    masked = whole = 0
    for annotation in case.annotations:
        for entity in {g.entity for g in annotation if g.identifier == identifier}:
            mentions = [g for g in annotation if g.entity == entity and g.identifier == identifier]
            whole += 1
            masked += all(
                all(is_covered(t, list(said)) for t in tokens(case.text, [m]))
                if tokens(case.text, [m])
                else characters([m]) <= characters(list(said))
                for m in mentions
            )
    return masked, whole


def weighted_precision(case: GoldCase, said: list[Predicted]) -> tuple[float, float]:
    """A token weighs its length."""
    right = whole = 0.0
    for token in tokens(case.text, list(said)):
        weight = token[1] - token[0]
        agreeing = [is_covered(token, [g for g in a if g.identifier != "NO_MASK"]) for a in case.annotations]
        right += weight * sum(agreeing) / len(agreeing)
        whole += weight
    return right, whole
