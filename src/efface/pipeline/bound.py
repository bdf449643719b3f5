"""A policy that is ready to run: its finders, guarantees and operators, bound to knowledge and viewer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from efface.attacks.leaks import NOTHING, ForbiddenTerms
from efface.core import (
    Document,
    Finder,
    FinderLook,
    Gap,
    GapKind,
    Guarantee,
    Pictures,
    RememberingFinder,
    TellsLanguages,
    types_of,
)
from efface.guarantees.abilities import DrawsSecrets, HasNotes, KeepsForLook
from efface.operators import Operators

StageListener = Callable[[str], None]
"""Is told the name of each stage when it begins."""


def unwatched(_stage: str) -> None:
    """The watcher for callers who do not follow the stages."""


@dataclass(frozen=True, slots=True)
class LateGuarantee:
    """A guarantee that hides something of each document, such as its class, and is bound when the document is read.

    `name` is the name of its claim. `bind` takes the document, what it hides (empty: not told) and the key of the run.
    """

    name: str
    bind: Callable[[Document, str, bytes | None], Guarantee]


@dataclass(frozen=True)
class BoundPolicy:
    """All that the pipeline needs besides the document.

    `denied` are terms that may not leave in any disguise, whether a finder saw them in the text or not.
    `types` are the entity types of the policy's own making.
    `pictures` says whether pictures are read, removed or kept unread.
    `accept` are the kinds of gaps that do not prevent `held`; `unasked` says what is not looked for.
    `late` makes the guarantees that must see the document before they can be bound. `truth` is the class or the person
    that this document hides, where the caller gives it and not the policy.
    `heard` is filled while guarantees ask a database: what it could not answer.
    """

    finders: Mapping[str, Finder]
    guarantees: tuple[Guarantee, ...]
    operators: Operators
    keep: Finder | None = None
    rounds: int = 8
    notes: tuple[str, ...] = ()
    denied: ForbiddenTerms = NOTHING
    types: tuple[str, ...] = ()
    pictures: Pictures = Pictures.READ
    late: tuple[LateGuarantee, ...] = ()
    truth: str = field(default="", repr=False)
    accept: frozenset[GapKind] = frozenset()
    unasked: tuple[Gap, ...] = ()
    heard: tuple[Sequence[str], ...] = field(default=(), repr=False, compare=False)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes for a report, each once. Asked for at its end, since guarantees hear of some on the way."""
        return tuple(dict.fromkeys(chain(self.notes, *self.heard)))

    def with_key(self, key: bytes) -> BoundPolicy:
        """This policy with a caller's key, for surrogates, shifted dates and the ranks that guarantees draw. Copies of a
        document that were drawn with several keys tell more together than one of them."""
        kept = tuple(g.with_key(key) if isinstance(g, DrawsSecrets) else g for g in self.guarantees)
        return replace(self, operators=replace(self.operators, key=key), guarantees=kept)

    def at(self, document: Document) -> BoundPolicy:
        """This policy, bound to a document too."""
        finders, kept = self._remembering_finders(), self._guarantees_at_look()
        made = tuple(late.bind(document, self.truth, self.operators.key) for late in self.late)
        if not finders and not made and kept is self.guarantees:
            return self
        notes = list(self.notes)
        for guarantee in made:
            if isinstance(guarantee, HasNotes):
                notes.extend(guarantee.notes)
        return replace(
            self,
            finders={**self.finders, **finders},
            guarantees=(*kept, *made),
            notes=tuple(notes),
            late=(),
        )

    def _remembering_finders(self) -> dict[str, Finder]:
        """The finders that remember what they read, made for one document: rounds read most of a text again."""
        found: dict[str, Finder] = {}
        for source, finder in self.finders.items():
            # The attribute is looked up first: a check against a protocol is slow, and this runs for every document.
            if hasattr(finder, "for_one_document") and isinstance(finder, RememberingFinder):
                found[source] = finder.for_one_document()
        return found

    def _guarantees_at_look(self) -> tuple[Guarantee, ...]:
        """The guarantees, with an object for this look where they keep something."""
        if not any(hasattr(guarantee, "at_look") for guarantee in self.guarantees):
            return self.guarantees
        return tuple(g.at_look() if isinstance(g, KeepsForLook) else g for g in self.guarantees)

    @cached_property
    def placeholders(self) -> re.Pattern[str]:
        """Recognises efface's own words in a text that was sanitized before."""
        return self.operators.placeholder_pattern(self.types)

    @cached_property
    def looks(self) -> tuple[FinderLook, ...]:
        """What each finder looks for. Every document is told it, and it is the same for all."""
        return tuple(FinderLook(source, *_range(finder)) for source, finder in self.finders.items())


def _range(finder: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The types that a finder looks for and the languages that it reads, where it says so."""
    languages = finder.languages if isinstance(finder, TellsLanguages) else ()
    return tuple(sorted(types_of(finder))), tuple(sorted(languages))
