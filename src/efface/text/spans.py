"""Stretches of a text: one, many in order, and many merged."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import eq, le, lt
from typing import Protocol, overload

Place = tuple[int, int]
"""Start and end of a stretch, where there are too many for an object each, or they go to JSON."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a document's text in code points, `end` exclusive."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


class Bounded(Protocol):
    """What begins and ends somewhere in a text: a span, a mention, an edit."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


class Spans(Sequence[Span]):
    """Spans in a given order. A large document may have one for every line, so they are kept as numbers."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        starts = self._starts = array("q")
        ends = self._ends = array("q")
        for span in spans:
            starts.append(span.start)
            ends.append(span.end)

    @classmethod
    def of_columns(cls, starts: array[int], ends: array[int]) -> Spans:
        """The spans with these starts and ends, which are not copied."""
        spans = cls.__new__(cls)
        spans._starts, spans._ends = starts, ends
        return spans

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[Span]:
        return map(Span, self._starts, self._ends)

    @property
    def columns(self) -> tuple[array[int], array[int]]:
        """The starts and the ends, not to be changed."""
        return self._starts, self._ends

    def are_apart(self) -> bool:
        """Whether they come in order, none empty, and no two overlap or touch."""
        return all(map(lt, self._starts, self._ends)) and all(
            map(lt, self._ends, islice(self._starts, 1, None))
        )

    def in_order(self) -> Iterable[tuple[int, int]]:
        """Starts and ends, by the starts; most spans come so. Every reading makes sets of spans by the dozen."""
        pairs = zip(self._starts, self._ends, strict=True)
        ordered = all(map(le, self._starts, islice(self._starts, 1, None)))
        return pairs if ordered else sorted(pairs)

    @overload
    def __getitem__(self, index: int) -> Span: ...

    @overload
    def __getitem__(self, index: slice) -> Spans: ...

    def __getitem__(self, index: int | slice) -> Span | Spans:
        if isinstance(index, slice):
            return Spans(map(Span, self._starts[index], self._ends[index]))
        return Span(self._starts[index], self._ends[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash((self._starts.tobytes(), self._ends.tobytes()))


class _GatheredSpans(Spans):
    """Collects stretches of any kind, and notices overlaps while collecting, because every round makes a dozen sets."""

    __slots__ = ("_apart",)

    def __init__(self, spans: Iterable[Bounded]) -> None:
        starts = self._starts = array("q")
        ends = self._ends = array("q")
        apart, reach = True, -1
        for span in spans:
            start, end = span.start, span.end
            if start <= reach or end <= start:
                apart = False
            reach = end
            starts.append(start)
            ends.append(end)
        self._apart = apart

    def are_apart(self) -> bool:
        return self._apart


class SpanSet:
    """Spans merged where they overlap or touch, to ask quickly what they cover."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[Bounded]) -> None:
        given = spans if type(spans) is Spans else _GatheredSpans(spans)
        if given.are_apart():  # most are; a large document has too many to copy
            self._starts, self._ends = given.columns
            return
        self._starts, self._ends = array("q"), array("q")
        for start, end in given.in_order():
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __bool__(self) -> bool:
        return bool(self._starts)

    def covers(self, start: int, end: int) -> bool:
        """Whether one of the merged spans contains `[start, end)`."""
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and end <= self._ends[at]

    def start_before(self, start: int) -> int:
        """Where the last merged span begins that does not begin after `start`; -1 if there is none."""
        at = bisect_right(self._starts, start) - 1
        return self._starts[at] if at >= 0 else -1

    def touches(self, start: int, end: int) -> bool:
        """Whether one of the merged spans shares a character with `[start, end)`."""
        at = bisect_right(self._starts, end - 1) - 1
        return at >= 0 and start < self._ends[at]


NOTHING = SpanSet(())
