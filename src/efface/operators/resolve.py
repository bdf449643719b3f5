"""Overlapping edits become one disjoint set that covers exactly what they covered together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from efface.core import Edit


def resolve(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Disjoint edits in order of the text, so that no part of a losing edit is left behind.

    The winner of a group of overlapping edits is the longest (an address says more than a name in it), then
    has the higher score, then is earlier, then first by type name. Its replacement survives only if it covers the whole
    group by itself. Edits that cover nothing are dropped; edits that only touch stay apart.
    """
    return tuple(merged(group) for group in overlapping(edits))


def overlapping(edits: Iterable[Edit]) -> Iterator[list[Edit]]:
    """Maximal groups of edits that overlap directly or through others, in order of the text."""
    group: list[Edit] = []
    reach = 0
    for edit in sorted((e for e in edits if e.start < e.end), key=_start):
        if group and edit.start >= reach:
            yield group
            group = []
        reach = max(reach, edit.end) if group else edit.end
        group.append(edit)
    if group:
        yield group


def merged(group: Sequence[Edit]) -> Edit:
    """One edit over the whole group, in the name of its winner."""
    if len(group) == 1:
        return group[0]
    winner = min(group, key=_rank)
    start, end = group[0].start, max(edit.end for edit in group)
    if (winner.start, winner.end) == (start, end):
        return winner
    # A replacement made for a part (a generalisation, say) is not right for the whole.
    return Edit(start, end, winner.type, winner.key, winner.reason, None, winner.score)


def _start(edit: Edit) -> int:
    return edit.start


def _rank(edit: Edit) -> tuple[int, float, int, str, str, str, bool, str]:
    """Best first. The last fields only make ties deterministic; an open edit precedes a filled one."""
    filled = edit.replacement is not None
    length = edit.end - edit.start
    return -length, -edit.score, edit.start, edit.type, edit.key, edit.reason, filled, edit.replacement or ""
