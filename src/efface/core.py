"""The nouns that every stage hands to the next. Frozen values; imports nothing of ours. What a document says is
in no `repr`: a traceback or a log may show one.

read → find → assess → plan → apply → read again → assess again → report
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from operator import eq
from typing import Protocol, overload


class Verdict(StrEnum):
    """What the last look at the released bytes says."""

    HELD = "held"
    BROKEN = "broken"
    UNPROVEN = "unproven"

    def may_leave(self, *, allow_unproven: bool = False) -> bool:
        """Whether what was judged so may be released."""
        return self is Verdict.HELD or (allow_unproven and self is Verdict.UNPROVEN)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict on all of it together."""
    given = set(verdicts)
    return next((v for v in (Verdict.BROKEN, Verdict.UNPROVEN) if v in given), Verdict.HELD)


class Optimality(StrEnum):
    """How much is known about a plan's cost."""

    PROVED = "proved"
    BOUNDED = "bounded"
    HEURISTIC = "heuristic"


class Scope(StrEnum):
    """What a guarantee speaks of: one document, or all that is released together."""

    DOCUMENT = "document"
    RELEASE = "release"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a document's text in code points, `end` exclusive."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


class Spans(Sequence[Span]):
    """Spans in a given order. A large document may have one for every line, so they are kept as numbers."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._starts = array("q")
        self._ends = array("q")
        for span in spans:
            self._starts.append(span.start)
            self._ends.append(span.end)

    def __len__(self) -> int:
        return len(self._starts)

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


class SpanSet:
    """Spans merged where they overlap or touch, to ask quickly what they cover."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts = array("q")
        self._ends = array("q")
        for span in _in_order(Spans(spans)):
            if self._ends and span.start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def covers(self, start: int, end: int) -> bool:
        """Whether one of the merged spans contains `[start, end)`."""
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and end <= self._ends[at]

    def touches(self, start: int, end: int) -> bool:
        """Whether one of the merged spans shares a character with `[start, end)`."""
        at = bisect_right(self._starts, end - 1) - 1
        return at >= 0 and start < self._ends[at]


def _in_order(spans: Spans) -> Sequence[Span]:
    """By their starts; most come so."""
    return spans if all(a.start <= b.start for a, b in pairwise(spans)) else sorted(spans)


@dataclass(frozen=True, slots=True)
class Part:
    """A named stretch of the text: `body`, `header Subject`, `attribute alt`, `attachment list.csv`."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document as text. `origin` is the format's private map back to its bytes; nobody else looks at it."""

    name: str
    format: str
    text: str = field(repr=False)
    parts: tuple[Part, ...] = ()
    origin: object = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Mention:
    """One occurrence of a term, as a finder saw it. `because` names the rule, never the text."""

    start: int
    end: int
    type: str
    key: str = field(repr=False)
    score: float
    because: str

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    def edit(self, reason: str) -> Edit:
        """The wish that it goes; the operators fill in what stands there instead."""
        return Edit(self.start, self.end, self.type, self.key, reason, score=self.score)


@dataclass(frozen=True, slots=True)
class Term:
    """A normal key and every mention of it. `source` is the finder's name in the policy."""

    key: str = field(repr=False)
    type: str
    mentions: tuple[Mention, ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A document with the terms found in it. `inserted` marks text that efface itself put there."""

    document: Document
    terms: tuple[Term, ...]
    inserted: Sequence[Span] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret, the terms that disclose it jointly, how much they disclose, the limit, and why.

    `secret` and `because` are for the reviewer only; `because` names rows, rivals and rules by id.
    """

    guarantee: str
    secret: str = field(repr=False)
    terms: tuple[Term, ...]
    amount: float
    limit: float
    because: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement. A guarantee may leave `replacement` open (None): the operators then fill it."""

    start: int
    end: int
    type: str
    key: str = field(repr=False)
    reason: str
    replacement: str | None = field(default=None, repr=False)
    score: float = 1.0

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Measure:
    """How much a secret was, and is, disclosed: a crowd, a rank, bits. For the reviewer only."""

    secret: str = field(repr=False)
    before: float
    after: float
    limit: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Edits and what is known about their cost. `note` says in words how the plan was found."""

    edits: tuple[Edit, ...]
    cost: float = 0.0
    optimality: Optimality = Optimality.PROVED
    lower_bound: float = 0.0
    measures: tuple[Measure, ...] = ()
    note: str = ""
    utility: float | None = None  # the share of what the document says that stays, where it can be told


@dataclass(frozen=True, slots=True)
class Claim:
    """What a guarantee promises, in words that may be published: no secret is among the parameters."""

    name: str
    sentence: str
    unit: str
    scope: Scope = Scope.DOCUMENT
    parameters: Mapping[str, str | int | float | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leakage:
    """Something removed that the released bytes still hold: where and as what it was seen, never the text."""

    part: str
    encoding: str
    type: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one guarantee fared: its claim, its findings before, and what the last look found."""

    claim: Claim
    before: tuple[Finding, ...]
    after: tuple[Finding, ...]
    verdict: Verdict
    plan: Plan | None = None
    unknown: tuple[str, ...] = field(
        default=(), repr=False
    )  # terms left of which its knowledge says nothing; for the reviewer only


@dataclass(frozen=True, slots=True)
class Report:
    """What happened to one document. Sensitive: `report/` decides what of it may be published."""

    document: Document
    verdict: Verdict
    outcomes: tuple[Outcome, ...]
    edits: tuple[Edit, ...] = ()
    leaks: tuple[Leakage, ...] = ()
    rounds: int = 0
    notes: tuple[str, ...] = ()
    released: bytes | None = field(default=None, repr=False)


class Finder(Protocol):
    """Marks terms in a text. Pure: the same text gives the same mentions."""

    def find(self, text: str) -> Iterable[Mention]: ...


class Guarantee(Protocol):
    """A privacy model already bound to its knowledge, its secrets and its audience."""

    @property
    def claim(self) -> Claim: ...

    def assess(self, reading: Reading) -> tuple[Finding, ...]: ...

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan: ...


class Format(Protocol):
    """One file format: bytes to a document and, with edits of its text, back to bytes."""

    def read(self, data: bytes, name: str) -> Document: ...

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes: ...


_BLOCK = 1 << 20


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text as it leaves: what any re-read of the released bytes must say again."""
    edited = ""
    pieces: list[str] = []  # a block at a time: all of them together would be a second copy
    position = gathered = 0
    for edit in edits:
        pieces += text[position : edit.start], edit.replacement or ""
        position = edit.end
        if position - gathered > _BLOCK:
            edited += "".join(pieces)
            pieces, gathered = [], position
    edited += "".join([*pieces, text[position:]])
    return edited
