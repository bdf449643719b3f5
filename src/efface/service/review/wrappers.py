"""Finders and formats as a review uses them: they remember what they read, and leave out what the reviewer keeps.

`policy/bind_decisions.py` makes guarantees of decisions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from efface.core import Document, Edit, Finder, Format, Mention, SpanSet, traits_of
from efface.guarantees.abilities import Forwarding
from efface.policy.bind_decisions import KEPT_BY, TYPE, finder_of_redacted, occurrences
from efface.text.disguises.glued_tokens import token_around
from efface.text.folding import fold_term, foldings
from efface.text.spans import Place

_TEXTS = 10  # that a finder remembers: the original, and what the rounds of the last decisions made of it
_READS = 3  # files that are remembered: the original, and what the last decisions made of it

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def remembered(
    known: OrderedDict[Key, Value], key: Key, most: int, make: Callable[[], Value], first_stays: bool = False
) -> Value:
    """What is known under the key, or made now. If there are more than `most`, the one that was asked for longest ago
    is forgotten;
    with `first_stays` never the first one."""
    if key in known:
        if not first_stays or key != next(iter(known)):
            known.move_to_end(key)
        return known[key]
    value = known[key] = make()
    while len(known) > most:
        forgotten = list(known)[1 if first_stays else 0]
        del known[forgotten]
    return value


@dataclass(frozen=True)
class Remembering(Forwarding):
    """A finder that does not read the same text twice: decisions change little of a document.

    It is made for one document. So is what it wraps, which may remember parts of a text from one decision to the next.
    """

    finder: Finder
    _known: OrderedDict[str, tuple[Mention, ...]] = field(default_factory=OrderedDict, repr=False)

    def find(self, text: str) -> Iterable[Mention]:
        return remembered(self._known, text, _TEXTS, lambda: tuple(self.finder.find(text)), first_stays=True)

    def for_one_document(self) -> Self:
        """Itself. A copy that the pipeline makes for each run would begin with nothing."""
        return self

    def forwarded(self, name: str) -> Any:
        return getattr(self.finder, name)


@dataclass(frozen=True)
class RememberingFormat:
    """A format that does not read the same bytes twice: every decision begins with the original, and its release is
    looked at by the pipeline, by the policy and by the page."""

    format: Format
    _known: OrderedDict[tuple[bytes, str], Document] = field(default_factory=OrderedDict, repr=False)

    def read(self, data: bytes, name: str) -> Document:
        return remembered(
            self._known, (data, name), _READS, lambda: self.format.read(data, name), first_stays=True
        )

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        return self.format.write(document, edits)


def words_around_parts(text: str, terms: Iterable[str]) -> dict[Place, str]:
    """For folded terms that are no whole words of the text, the words that they are parts of.

    Whoever drags over "Military Housing Establishm" means the whole words. A search for whole words would find nothing,
    and nothing would go."""
    wanted = frozenset(terms)
    finder = finder_of_redacted(wanted)
    parts = wanted - {mention.key for mention in finder.find(text)}
    found: dict[Place, str] = {}
    for folded in foldings(text) if parts else ():
        for key in sorted(parts):
            for start, end in occurrences(folded.text, key):
                span = folded.span(start, end)
                found[token_around(text, span.start, span.end)] = key
    return found


def list_finders(finders: Mapping[str, Finder]) -> frozenset[str]:
    """The finders of what the policy lists. That is no judgement, so it goes whatever a reviewer thinks."""
    return frozenset(name for name, finder in finders.items() if traits_of(finder).is_list)


@dataclass(frozen=True)
class WithoutKeptPlaces(Forwarding):
    """A finder without what the reviewer keeps. The policy's own keep list takes back finders' mistakes only; this
    makes the file as it was decided, whatever it tells, for the policy to judge."""

    finder: Finder
    kept: Finder

    def find(self, text: str) -> Iterable[Mention]:
        spared = SpanSet(mention.span for mention in self.kept.find(text))
        return (m for m in self.finder.find(text) if not spared.covers(m.start, m.end))

    def for_one_document(self) -> Self:
        """Itself: what it wraps is made for one document already."""
        return self

    def forwarded(self, name: str) -> Any:
        return getattr(self.finder, name)


@dataclass(frozen=True)
class KeptPlaces:
    """The policy's keep list with the places that the reviewer keeps: what is cut elsewhere stays there. The surname of
    somebody who goes stays in the name of somebody who was kept."""

    original: str = field(repr=False)
    places: frozenset[Place] = field(repr=False)
    inner: Finder | None = None

    def find(self, text: str) -> Iterable[Mention]:
        yield from self.inner.find(text) if self.inner else ()
        if text == self.original:
            for start, end in sorted(self.places):
                yield Mention(start, end, TYPE, fold_term(text[start:end]), 1.0, KEPT_BY)
