"""Parts of a long text. A part ends at a line around which the finders see the same with the cut and without it.

A denied term, a name or a label with its value may go on in the next line. Cut in two, neither half would be found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from efface.core import Document
from efface.errors import Refused
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find

_AROUND = 2000  # bytes on each side of a cut that the finders are shown
_TRIES = 40  # places for a cut, before the text is refused


def text_parts(lines: Iterable[bytes], size: int, bound: BoundPolicy) -> Iterator[bytes]:
    """Stretches of `size` to twice as many bytes, if the lines allow it."""
    waiting: list[bytes] = []
    length = 0
    for line in lines:
        waiting.append(line)
        length += len(line)
        if length < 2 * size + _AROUND:
            continue
        places = _possible_ends(waiting, size, length)
        if not places:  # one long line: the next lines show what stands behind it
            continue
        cut = _clean_cut(waiting, places, bound)
        yield b"".join(waiting[:cut])
        del waiting[:cut]
        length = sum(map(len, waiting))
    if waiting:
        yield b"".join(waiting)


def _possible_ends(lines: Sequence[bytes], size: int, length: int) -> list[int]:
    """Numbers of lines after which a part may end: empty ones first."""
    empty: list[int] = []
    others: list[int] = []
    for number, end in enumerate(accumulate(map(len, lines)), 1):
        if size <= end <= length - _AROUND:
            (others if lines[number - 1].strip() else empty).append(number)
    return [*empty, *others][:_TRIES]


def _clean_cut(lines: Sequence[bytes], places: Sequence[int], bound: BoundPolicy) -> int:
    for place in places:
        before = _decoded_text(_last_bytes(lines[:place]))
        after = _decoded_text(_first_words(lines[place:]))
        together = _seen_by_finders(before + after, 0, bound)
        if together == _seen_by_finders(before, 0, bound) | _seen_by_finders(after, len(before), bound):
            return place
    raise Refused(
        "A long text has no place where it can be cut: everywhere something goes on in the next line.",
        "Put an empty line between its paragraphs, or raise --max-size so that it is read at once.",
    )


def _last_bytes(lines: Sequence[bytes]) -> bytes:
    """The end of the lines, without the rest of a character at its beginning."""
    collected: list[bytes] = []
    length = 0
    for line in reversed(lines):
        collected.append(line)
        length += len(line)
        if length >= _AROUND:
            break
    shown = b"".join(reversed(collected))[-_AROUND:]
    return shown.lstrip(bytes(range(0x80, 0xC0))) if length > _AROUND else shown


def _first_words(lines: Sequence[bytes]) -> bytes:
    """The beginning of the lines, to the end of a word."""
    collected: list[bytes] = []
    length = 0
    for line in lines:
        collected.append(line)
        length += len(line)
        if length >= _AROUND:
            break
    shown = b"".join(collected)
    if len(shown) <= _AROUND:
        return shown
    shown = shown[:_AROUND]
    return shown[: shown.rfind(b" ") + 1] or shown


def _decoded_text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _seen_by_finders(text: str, shift: int, bound: BoundPolicy) -> set[tuple[int, int, str]]:
    """What the finders see, and where."""
    reading = find(Document("part.txt", "text", text), bound)
    found: set[tuple[int, int, str]] = set()
    for term in reading.terms:
        found.update((shift + span.start, shift + span.end, term.type) for span in term.mentions)
    return found
