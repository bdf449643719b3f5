"""Counts, for the terms of a text, how many entities fit, and asks which of those in too small a crowd are protected."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from efface.core import Term
from efface.guarantees.abilities import Denied
from efface.guarantees.ksafety.document_look import KSafetyLook
from efface.guarantees.ksafety.exposure import Exposure, SmallCrowds, crowds_of
from efface.guarantees.ksafety.partial_values import Flags
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.signatures import Selection


@dataclass(frozen=True, slots=True)
class CrowdCounter:
    """Counts in one index during one look at a document. `protect` is a selection of entities, or asks who is denied.

    The look keeps answers and the last count, so that a later round of the same document asks and counts less.
    """

    index: EntityIndex = field(repr=False)
    k: int | None
    protect: Selection | Denied = field(repr=False)
    roles: frozenset[str]
    asks_values: bool
    look: KSafetyLook = field(repr=False)

    def exposures(self, scopes: Sequence[tuple[Term, ...]]) -> list[Exposure]:
        """How well the terms of each scope distinguish protected entities. Only entities whose crowd is too small are
        asked about, all of them, in one question for all scopes (ZoRRo, Theorem 1)."""
        if not callable(self.protect):
            return [self._of_selected(terms, self.protect) for terms in scopes]
        crowded = [self._crowded(terms) for terms in scopes]
        questions: set[str] = set()
        for found in crowded:
            questions.update(found.questions(with_values=self.asks_values))
        self._ask(questions)
        answers = self.look.answers
        return [found.exposure(terms, answers, self.k) for terms, found in zip(scopes, crowded, strict=True)]

    def protected(self, ids: Sequence[str]) -> list[str]:
        """Returns the entities that are protected."""
        if callable(self.protect):
            self._ask(ids)
            return [id for id in ids if self.look.answers[id]]
        chosen = self.index.select(ids)
        mine = set(self.index.ids(self.protect)) if len(chosen) else set()
        return [id for id in ids if id in mine]

    def protected_of_all(self) -> Flags:
        """Whether each entity of the index is protected, in the order of the index."""
        ids = list(self.index.ids(self.index.everyone()))
        if callable(self.protect):
            self._ask(ids)
            return np.array([self.look.answers[id] for id in ids], np.bool_)
        chosen = set(self.index.ids(self.protect))
        return np.array([id in chosen for id in ids], np.bool_)

    def _ask(self, questions: Collection[str]) -> None:
        """Asks what was not asked during this look."""
        answers = self.look.answers
        unknown = sorted(asked for asked in questions if asked not in answers)
        if unknown:
            assert callable(self.protect)
            denied = frozenset(self.protect(unknown))
            answers.update((asked, asked in denied) for asked in unknown)

    def _of_selected(self, terms: tuple[Term, ...], selection: Selection) -> Exposure:
        signatures = self.index.signatures([term.key for term in terms], selection, self.roles)
        return Exposure(terms, signatures, crowds_of(signatures), signatures.selected, selection, self.k)

    def _crowded(self, terms: tuple[Term, ...]) -> SmallCrowds:
        """What holds for every viewer. It is kept for the next viewer as long as the data do not change."""
        keys = tuple(term.key for term in terms)
        place = (self.k, self.roles, keys)
        found = self.index.kept.get(place, lambda: self._count(keys), SmallCrowds.size)
        self.look.counted[:] = [found]
        return found

    def _count(self, keys: Sequence[str]) -> SmallCrowds:
        """Counted in the index, or in what was counted last when no term is new: something was removed."""
        for known in self.look.counted:
            if known.signatures.terms and set(keys) <= set(known.signatures.terms):
                return known.only(keys, self.k)
        signatures = self.index.signatures(keys, roles=self.roles)
        crowds = crowds_of(signatures)
        small = np.flatnonzero(crowds < self.k) if self.k is not None else np.arange(len(crowds))
        return SmallCrowds(signatures.without_members(), crowds, tuple(signatures.members(small.tolist())))
