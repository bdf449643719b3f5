"""What an entity index means, the slow and obvious way: a dictionary of sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from efface.knowledge.entities.sources import Entity
from efface.text import folding

fold_term = lru_cache(maxsize=None)(folding.fold_term)


@dataclass
class Oracle:
    """Entities by id; values folded, those that fold to nothing left out."""

    known: dict[str, Entity] = field(default_factory=dict)

    def upsert(self, entities: Iterable[Entity]) -> None:
        merged: dict[str, Entity] = {}
        for entity in entities:
            old = merged.get(entity.id, Entity(entity.id, ()))
            merged[entity.id] = Entity(
                entity.id,
                old.terms + _folded(entity.terms),
                old.sensitive + _folded(entity.sensitive),
                old.labels + _folded(entity.labels),
                old.weight if entity.id in merged else entity.weight,
            )
        self.known |= merged

    def delete(self, ids: Iterable[str]) -> None:
        for id in ids:
            self.known.pop(id, None)

    def context(self, id: str) -> set[str]:
        return {value for _, value in self.known[id].terms}

    def groups(self, terms: Sequence[str], ids: Iterable[str]) -> Counter[frozenset[str]]:
        """How many of the entities have exactly which of the terms."""
        return Counter(frozenset(self.context(id) & set(terms)) for id in ids)

    def members(self, has: frozenset[str], terms: Sequence[str]) -> set[str]:
        return {id for id in self.known if self.context(id) & set(terms) == has}

    def attributes(self, key: str) -> set[tuple[str, str]]:
        return {
            (name, role)
            for entity in self.known.values()
            for role, values in (("identifying", entity.terms), ("sensitive", entity.sensitive))
            for name, value in values
            if value == key
        }

    def labelled(self, name: str, value: str) -> set[str]:
        return {id for id, entity in self.known.items() if (name, fold_term(value)) in entity.labels}


def _folded(values: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((name, fold_term(value)) for name, value in values if fold_term(value))
