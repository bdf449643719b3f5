"""The nouns that every stage hands to the next. Frozen values; imports only spans of text. What a document says is
in no `repr`: a traceback or a log may show one.

read → find → assess → plan → apply → read again → assess again → report
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from efface.text.spans import NOTHING as NOTHING
from efface.text.spans import Span as Span
from efface.text.spans import Spans as Spans
from efface.text.spans import SpanSet as SpanSet


class Verdict(StrEnum):
    """What the last look at the released bytes says.

    >>> import efface
    >>> efface.redact("Mail bob@example.com.", policy="names").verdict is efface.Verdict.HELD
    True
    """

    HELD = "held"
    BROKEN = "broken"
    UNPROVEN = "unproven"

    def may_leave(self, *, allow_unproven: bool = False) -> bool:
        """Whether what was judged so may be released.

        >>> import efface
        >>> efface.Verdict.UNPROVEN.may_leave(), efface.Verdict.UNPROVEN.may_leave(allow_unproven=True)
        (False, True)
        """
        return self is Verdict.HELD or (allow_unproven and self is Verdict.UNPROVEN)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of these verdicts."""
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


class PartKind(StrEnum):
    """What a part of a document is to its reader. The format says so, and finders of names go by it."""

    PROSE = "prose"  # sentences, cells, captions: whatever a person reads
    LABEL = "label"  # names that a person gave to things: bookmarks, fields, attributes
    CODE = "code"  # what the program goes by: fonts, themes, styles


@dataclass(frozen=True, slots=True)
class Part:
    """A named stretch of the text: `body`, `header Subject`, `attribute alt`, `attachment list.csv`."""

    name: str
    start: int
    end: int
    kind: PartKind = PartKind.PROSE


@dataclass(frozen=True, slots=True)
class HiddenText:
    """A stretch of the text that a document holds and does not show, and why it cannot be seen."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document as text. `origin` is the format's private map back to its bytes; no other code reads it."""

    name: str
    format: str
    text: str = field(repr=False)
    parts: tuple[Part, ...] = ()
    origin: object = field(default=None, repr=False, compare=False)
    hidden: tuple[HiddenText, ...] = ()


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
        """An edit that removes the mention. It has no replacement yet: the operators fill it in."""
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
    """One replacement. A guarantee may leave `replacement` open (None): the operators then fill it.

    `lead` is how much of the span's beginning is no part of what is removed: an article or a comma that the new words
    have no use for.
    """

    start: int
    end: int
    type: str
    key: str = field(repr=False)
    reason: str
    replacement: str | None = field(default=None, repr=False)
    score: float = 1.0
    lead: int = 0

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
class LadderStep:
    """One rung of a ladder: words that may stand there (none: a placeholder), what they say in bits, whether they are
    harmless by themselves."""

    words: str = field(repr=False)
    bits: float
    safe: bool


@dataclass(frozen=True, slots=True)
class Ladder:
    """What may stand in a term's place, the most informative first, and the step that was taken. For the reviewer only."""

    key: str = field(repr=False)
    steps: tuple[LadderStep, ...]
    taken: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Edits and what is known about their cost. `note` says in words how the plan was found."""

    edits: tuple[Edit, ...]
    cost: float = 0.0
    optimality: Optimality = Optimality.HEURISTIC  # unless the guarantee knows better
    lower_bound: float = 0.0
    measures: tuple[Measure, ...] = ()
    note: str = ""
    utility: float | None = None  # the share of what the document says that stays, where it can be measured
    ladders: tuple[Ladder, ...] = ()  # of terms that were generalised


@dataclass(frozen=True, slots=True)
class Claim:
    """What a guarantee promises, in words that may be published: no secret is among the parameters."""

    name: str
    sentence: str
    unit: str
    scope: Scope = Scope.DOCUMENT
    parameters: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    legend: str = ""  # what a mark of its finds means, in the legend of a page; empty: the name
    title: str = ""  # what it is about, for people who have not written the policy; empty: the name


@dataclass(frozen=True, slots=True)
class Leakage:
    """Something removed that the released bytes still hold: where and as what it was seen.

    `word` is one of the strings seen there. It is for the terminal of the person who has the document, in no report.
    """

    part: str
    encoding: str
    type: str
    word: str = field(default="", repr=False, compare=False)


class Pictures(StrEnum):
    """What a policy does with words in pictures: read and clear them, remove the pictures, or keep them unread."""

    READ = "read"
    REMOVE = "remove"
    KEEP = "keep"


class GapKind(StrEnum):
    """Why something was not looked at."""

    PICTURE = "picture"  # it shows words, or may, and was not read
    LANGUAGE = "language"  # the finder of names does not know it
    ENCRYPTED = "encrypted"  # a part that cannot be opened
    FILE = "file"  # a file that a text holds as code
    GUESS = "guess"  # the truth that a guarantee hides was guessed
    KNOWLEDGE = "knowledge"  # what a guarantee goes by did not answer
    TYPE = "type"  # the policy does not ask for it
    KEPT = "kept"  # the keep list names something that a guarantee protects


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that was not looked at.

    `where` and `reason` never quote the document; both may be published. `allowed`: the policy states that it may
    stay, so it does not stand against `held`.
    """

    kind: GapKind
    where: str
    reason: str
    next_step: str = ""
    allowed: bool = False
    lines: tuple[int, ...] = ()  # in which it begins, counted from 1, where it is text


@dataclass(frozen=True, slots=True)
class FinderLook:
    """What one finder looked for (`types`; empty means all that it knows) and in which languages."""

    finder: str
    types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exemption:
    """A string that was removed in one place and stays in another on purpose. `word` is for the reviewer only."""

    word: str = field(repr=False)
    type: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was looked at, and what was not. `held` needs every gap to be allowed by the policy."""

    looks: tuple[FinderLook, ...] = ()
    gaps: tuple[Gap, ...] = ()
    exemptions: tuple[Exemption, ...] = ()

    @property
    def is_whole(self) -> bool:
        return all(gap.allowed for gap in self.gaps)

    @property
    def unseen(self) -> tuple[Gap, ...]:
        """The gaps that stand against `held`."""
        return tuple(gap for gap in self.gaps if not gap.allowed)

    @property
    def verdict(self) -> Verdict:
        return Verdict.HELD if self.is_whole else Verdict.UNPROVEN


@runtime_checkable
class TellsGaps(Protocol):
    """An optional ability of a format, a finder or a guarantee: it says what it could not look at in a document
    (for a release: in the document as read again from the released bytes)."""

    def gaps(self, document: Document) -> Iterable[Gap]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one guarantee fared: its claim, its findings before, and what the last look found."""

    claim: Claim
    before: tuple[Finding, ...]
    after: tuple[Finding, ...]
    verdict: Verdict
    plan: Plan | None = None
    on_finds: bool = False  # it is about what finders find
    # The terms that are left and of which its knowledge says nothing. Only the reviewer sees them.
    unknown: tuple[str, ...] = field(default=(), repr=False)


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
    released: bytes | None = field(default=None, repr=False)  # None unless the bytes may leave
    coverage: Coverage = Coverage()


class Finder(Protocol):
    """Marks terms in a text. Pure: the same text gives the same mentions."""

    def find(self, text: str) -> Iterable[Mention]: ...


@dataclass(frozen=True, slots=True)
class FinderTraits:
    """How the pipeline treats what a finder finds. The value stands beside the finder, as `traits`."""

    counts_everywhere: bool = False  # a find counts wherever the same string stands alone
    overrules_keep: bool = False  # the keep list does not take its finds back
    reads_sentence: bool = False  # it goes by the sentence around a word, so labels are no place to guess
    # It goes by the words near a value, so it must not see our placeholders.
    reads_context_words: bool = False
    splits_at_placeholders: bool = False  # it may take a placeholder for a part of a name
    known_to_reader: bool = False  # a reader knows what it finds: no placeholder may say it either
    has_own_threshold: bool = False  # the policy's `threshold` does not apply to its scores
    is_list: bool = False  # the policy lists its terms: no replacement may bring one back
    marks_facts: bool = False  # it marks jobs, illnesses and the like, too: a find of it need not be a name


def traits_of(finder: Finder) -> FinderTraits:
    """The finder's traits. A finder that states none has none."""
    traits = getattr(finder, "traits", None)
    return traits if isinstance(traits, FinderTraits) else _PLAIN_TRAITS


_PLAIN_TRAITS = FinderTraits()


@runtime_checkable
class RememberingFinder(Protocol):
    """A finder that can keep what it read of one document for the next round, when most of the text is the same."""

    def for_one_document(self) -> Finder: ...


@runtime_checkable
class TellsTypes(Protocol):
    """A finder that says which types it gives. None, or no type, says nothing."""

    @property
    def types(self) -> Collection[str] | None: ...


@runtime_checkable
class TellsLanguages(Protocol):
    """A finder that says which languages it reads."""

    @property
    def languages(self) -> Collection[str]: ...


def types_of(finder: object) -> frozenset[str]:
    """The types that a finder says it gives; none where it does not say."""
    return frozenset((finder.types if isinstance(finder, TellsTypes) else None) or ())


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


_BLOCK = 1 << 20  # characters that are put together at once


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits applied. Every later reading of the released bytes must return the same text."""
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
