"""Initials that stand with a person's name: "J. R. Whitcombe", "Whitcombe, J.", "Whitcombe JR," in a reference."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import replace

from efface.core import Edit, SpanSet
from efface.pipeline.propagation.strings import FOLLOWED
from efface.text.letter_classes import CAPITAL
from efface.text.person_words import COURTESY_TITLE

_LETTER = r"[^\W\d_]"
_KNOWN_BEFORE = re.compile(rf"(?<!\w)((?:{_LETTER}\.?[ \u00a0]?){{1,3}})\Z")
_KNOWN_AFTER = re.compile(rf"(?:, |,| )((?:{_LETTER}\.[ \u00a0]?){{1,3}})(?!\w)")
# Marks of Markdown may stand around the initials and around the name: "*J.* Whitcombe", "J. **Whitcombe**".
_EMPHASIS = r"[*_~`]{1,3}"
_BEFORE = re.compile(
    rf"(?<![^\W_])(?<!\.)(?:(?P<mark>{_EMPHASIS})(?P<marked>(?:{_LETTER}\.[ \u00a0]?-?){{1,3}})(?P=mark)[ \u00a0]?"
    rf"|(?P<plain>(?:{_LETTER}\.[ \u00a0]?-?){{1,3}}))(?P<opened>{_EMPHASIS})?\Z"
)
# An initial needs no stop where it cannot be an article: at the start of a field, or behind a title.
_BARE_BEFORE = re.compile(
    rf"(?:[:;,(&|\t\n][ \u00a0]{{0,3}}|(?<=\s)[–-][ \u00a0]|(?<!\w){COURTESY_TITLE}\.?[ \u00a0])(?P<plain>(?:[A-Z][ \u00a0]){{1,3}})\Z"
)
# Father and son are two: "King Jr.", "King, III". The stop is the sentence's where a sentence may end.
_GENERATION = re.compile(
    r",?[ \u00a0](?:(?:[JS]n?r|JN?R|SN?R)(?![^\W_])(?:\.(?!\s*$|\s+[^\Wa-z]))?|(?:III?|IV)(?![^\W_]))"
)
_AFTER = re.compile(rf",?[ \u00a0]?((?:{_LETTER}\.[ \u00a0]?-?){{1,3}})(?!\w)")
_IN_REFERENCE = re.compile(rf" ({_LETTER}{{1,2}})(?=[,;)]|\.(?:\s|$)|\n|$)")  # "Whitcombe JR, Patel M."
_INITIALS_CELL = rf"(?P<initials>(?:{CAPITAL}\.[ \u00a0]?){{1,3}})"
_CELL_AFTER = re.compile(rf'[ ]*"?[|\t,;]"?[ ]*{_INITIALS_CELL}(?=[ ]*"?(?:[|\t,;\r\n]|$))')
_CELL_BEFORE = re.compile(rf'(?:^|[|\t,;\n])[ ]*"?{_INITIALS_CELL}[ ]*"?[|\t,;]"?[ ]*\Z')
_BESIDE = f"; {FOLLOWED}"
_REACH = 12  # characters before a name in which its initials stand


def with_known_initials(text: str, start: int, end: int, initials: Collection[str]) -> tuple[int, int]:
    """The name with the initials at it, if they are those of the given names. They need no full stop."""
    before = _KNOWN_BEFORE.search(text[max(0, start - _REACH) : start])
    if before and _are_initials(before[1]) and before[1][0].lower() in initials:
        start -= len(before[1])
    after = _KNOWN_AFTER.match(text, end)
    if after and _are_initials(after[1]) and after[1][0].lower() in initials:
        end = after.end(1)
    return start, end


def with_initials(text: str, edits: Sequence[Edit], person: str, walls: Sequence[int]) -> list[Edit]:
    """The edits, those of persons with the initials at them. None reaches into another, or over a wall."""
    starts = sorted(edit.start for edit in edits)
    ends = sorted(edit.end for edit in edits)
    widened = []
    for edit in edits:
        if edit.type != person or edit.replacement is not None:
            widened.append(edit)
            continue
        low = max(
            _last_border_until(ends, edit.start),
            _last_border_until(walls, edit.start),
            edit.start - _REACH,
            0,
        )
        high = min(
            _first_border_from(starts, edit.end, len(text)), _first_border_from(walls, edit.end, len(text))
        )
        start, end = _with_initials_and_suffix(text, edit.start, edit.end, low, high)
        widened.append(
            replace(edit, start=start, end=end) if (start, end) != (edit.start, edit.end) else edit
        )
    return widened


def in_cells_beside(text: str, edits: Sequence[Edit], person: str) -> list[Edit]:
    """The edits, and the cells with nothing but initials beside a person's cell: "Whitcombe | J. |"."""
    cut = SpanSet(edits)
    added: dict[int, Edit] = {}
    for edit in edits:
        if edit.type != person or edit.replacement is not None:
            continue
        low = max(0, edit.start - _REACH)
        found = [(low, _CELL_BEFORE.search(text[low : edit.start])), (0, _CELL_AFTER.match(text, edit.end))]
        for offset, match in found:
            if match is None or not _are_initials(match["initials"]):
                continue
            start = offset + match.start("initials")
            end = start + len(match["initials"].rstrip())
            if not cut.touches(start, end):
                reason = f"{edit.reason.removesuffix(_BESIDE)}{_BESIDE}"
                added.setdefault(start, replace(edit, start=start, end=end, lead=0, reason=reason))
    return [*edits, *added.values()]


def _with_initials_and_suffix(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """The name with any initials and "Jr." at it, between two borders."""
    start, end = _with_initials_before(text, start, end, low, high)
    suffix = _GENERATION.match(text, end, high)
    if suffix:
        end = suffix.end()
    for pattern in (_AFTER, _IN_REFERENCE):
        after = pattern.match(text, end)
        if after and after.end(1) <= high and _are_initials(after[1]):
            return start, end + len(after.group().rstrip())
    return start, end


def _with_initials_before(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """The name with the initials before it, and with the marks that both stand in, so that none is left open."""
    before = _BEFORE.search(text[low:start])
    if before is None:
        bare = _BARE_BEFORE.search(text[low:start])
        return start - (len(bare["plain"]) if bare else 0), end
    if not _are_initials(before.group()):
        return start, end
    opened = before["opened"] or ""
    if opened:
        closed = end + len(opened)
        if closed > high or text[end:closed] != opened[::-1]:
            return start, end
        end = closed
    start -= len(before.group())
    is_open = start > low and text[start - 1] == "_" == text[end - 1]  # the name took its closing mark along
    return start - is_open, end


def _last_border_until(borders: Sequence[int], at: int) -> int:
    """The last border that is not after a place."""
    index = bisect_right(borders, at)
    return borders[index - 1] if index else 0


def _first_border_from(borders: Sequence[int], at: int, otherwise: int) -> int:
    """The first border that is not before a place."""
    index = bisect_left(borders, at)
    return borders[index] if index < len(borders) else otherwise


def _are_initials(found: str) -> bool:
    return all(char.isupper() for char in found if char.isalpha())
