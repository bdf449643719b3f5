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

AROUND = 2000  # bytes on each side of a cut that the finders are shown
TRIES = 40  # places for a cut, before the text is refused


def text_parts(lines: Iterable[bytes], size: int, bound: BoundPolicy) -> Iterator[bytes]:
    """Stretches of `size` to twice as many bytes, if the lines allow it."""
    waiting: list[bytes] = []
    length = 0
    for line in lines:
        waiting.append(line)
        length += len(line)
        if length < 2 * size + AROUND:
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
        if size <= end <= length - AROUND:
            (others if lines[number - 1].strip() else empty).append(number)
    return [*empty, *others][:TRIES]


def _clean_cut(lines: Sequence[bytes], places: Sequence[int], bound: BoundPolicy) -> int:
    for place in places:
        before, after = around(lines, place)
        together = seen_by_finders(before + after, 0, bound)
        if together == seen_by_finders(before, 0, bound) | seen_by_finders(after, len(before), bound):
            return place
    raise Refused(
        "A long text has no place where it can be cut: everywhere something goes on in the next line.",
        "Put an empty line between its paragraphs, or raise --max-size so that it is read at once.",
    )


def around(lines: Sequence[bytes], place: int) -> tuple[str, str]:
    """What stands before a place and behind it, as far as the finders are shown it."""
    return _decoded_text(_last_bytes(lines[:place])), _decoded_text(_first_words(lines[place:]))


def _last_bytes(lines: Sequence[bytes]) -> bytes:
    """The end of the lines, without the rest of a character at its beginning."""
    collected: list[bytes] = []
    length = 0
    for line in reversed(lines):
        collected.append(line)
        length += len(line)
        if length >= AROUND:
            break
    shown = b"".join(reversed(collected))[-AROUND:]
    return shown.lstrip(bytes(range(0x80, 0xC0))) if length > AROUND else shown


def _first_words(lines: Sequence[bytes]) -> bytes:
    """The beginning of the lines, to the end of a word."""
    collected: list[bytes] = []
    length = 0
    for line in lines:
        collected.append(line)
        length += len(line)
        if length >= AROUND:
            break
    shown = b"".join(collected)
    if len(shown) <= AROUND:
        return shown
    shown = shown[:AROUND]
    return shown[: shown.rfind(b" ") + 1] or shown


def _decoded_text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def seen_by_finders(text: str, shift: int, bound: BoundPolicy) -> set[tuple[int, int, str]]:
    """What the finders see, and where."""
    reading = find(Document("part.txt", "text", text), bound)
    found: set[tuple[int, int, str]] = set()
    for term in reading.terms:
        found.update((shift + span.start, shift + span.end, term.type) for span in term.mentions)
    return found
