"""Parts of a long table. A part ends at the end of a row over which no find goes.

Where a row ends depends on its quotes, and a quote inside of a cell (`5" pipe`) is none. Should a cell be cut
nevertheless, nothing that the finders see is cut with it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from efface.batch import text_parts
from efface.batch.text_parts import TRIES, around, seen_by_finders
from efface.errors import InputError, Refused
from efface.formats.plain.delimited import delimiter_of
from efface.pipeline.bound import BoundPolicy

LONGEST = 64 << 20  # bytes of one record
_SAMPLE = 1 << 16  # bytes that tell the delimiter


def table_parts(lines: Iterable[bytes], size: int, bound: BoundPolicy) -> Iterator[bytes]:
    """Stretches of `size` to twice as many bytes, if the rows allow it."""
    sample, rows = _sampled(iter(lines))
    delimiter = _delimiter(sample)
    waiting: list[bytes] = []
    ends: list[tuple[int, int]] = []  # where a row is complete: bytes, and lines
    length, is_quoted = 0, False
    for line in rows:
        waiting.append(line)
        length += len(line)
        is_quoted = _is_quoted_after(line, delimiter, is_quoted=is_quoted)
        if not is_quoted:
            ends.append((length, len(waiting)))
        places = _possible_ends(ends, size, length)
        if places:
            cut = _clean_cut(waiting, places, bound)
            yield b"".join(waiting[:cut])
            del waiting[:cut]
            gone = next(reached for reached, lines_before in ends if lines_before == cut)
            ends = [(reached - gone, end - cut) for reached, end in ends if end > cut]
            length -= gone
        elif length > LONGEST:
            raise InputError(
                "One record is longer than 64 MiB.", "Split it, or mend a quote that is never closed."
            )
    if waiting:
        yield b"".join(waiting)


def row_end(data: bytes) -> int:
    """Where the first row of a table ends."""
    delimiter = _delimiter(data[:_SAMPLE])
    position, is_quoted = 0, False
    for line in data.splitlines(keepends=True):
        position += len(line)
        is_quoted = _is_quoted_after(line, delimiter, is_quoted=is_quoted)
        if not is_quoted:
            break
    return position


def _sampled(lines: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The beginning of the lines, and all of them."""
    first: list[bytes] = []
    length = 0
    for line in lines:
        first.append(line)
        length += len(line)
        if length >= _SAMPLE:
            break
    return b"".join(first), chain(first, lines)


def _delimiter(sample: bytes) -> bytes:
    return delimiter_of(sample.decode("latin-1")).encode()


def _is_quoted_after(line: bytes, delimiter: bytes, *, is_quoted: bool) -> bool:
    """Whether a quoted cell goes on behind a line. A quote opens a cell only where the cell begins."""
    if b'"' not in line:
        return is_quoted
    opening = re.compile(rb"(?:\A(?:\xef\xbb\xbf)?|[\r\n" + re.escape(delimiter) + rb'])"')
    closing = re.compile(rb'"(?!")|""')
    position = 0
    while True:
        sign = (closing if is_quoted else opening).search(line, position)
        if sign is None:
            return is_quoted
        position = sign.end()
        is_quoted = sign.group() == b'""' if is_quoted else True


def _possible_ends(ends: Sequence[tuple[int, int]], size: int, length: int) -> list[int]:
    """Numbers of lines after which a part may end; none before there are enough lines."""
    if length < 2 * size + text_parts.AROUND:
        return []
    first, last = bisect_left(ends, (size, 0)), bisect_right(ends, (length - text_parts.AROUND + 1, 0))
    return [line for _, line in ends[first : min(last, first + TRIES)]]


def _clean_cut(lines: Sequence[bytes], places: Sequence[int], bound: BoundPolicy) -> int:
    for place in places:
        before, after = around(lines, place)
        found = seen_by_finders(before + after, 0, bound)
        if not any(start < len(before) < end for start, end, _ in found):
            return place
    raise Refused(
        "A long table has no place where it can be cut: everywhere something goes on in the next row.",
        "Raise --max-size so that it is read at once.",
    )
