"""An entity index as one moment saw it: its terms, its entities, and how they share terms.

A snapshot never changes; what is written later is seen by the next one (`store.EntityStore.snapshot`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from efface.knowledge.entities.build_records import IDENTIFYING, LABEL, word_texts
from efface.knowledge.entities.hashing import cached_word_hash
from efface.knowledge.entities.matching import Fuzziness, TermHit, find
from efface.knowledge.entities.passage import Passage
from efface.knowledge.entities.result_cache import OF_THE_INDEX, ResultCache
from efface.knowledge.entities.segment import Attribute, EntitySegment, Numbers, bits_of, has_bit
from efface.knowledge.entities.signatures import Layer, Selection, Signatures, signatures
from efface.knowledge.entities.sources import Entity
from efface.text.folding import fold_term


@dataclass(frozen=True)
class EntityIndex:
    """What is known about entities. `fingerprint` is the mark of the source it was built from."""

    layers: tuple[Layer, ...] = field(repr=False)
    fingerprint: str = ""
    kept: ResultCache = field(default_factory=ResultCache, repr=False, compare=False)
    tables: ResultCache = field(default_factory=lambda: ResultCache(OF_THE_INDEX), repr=False, compare=False)

    def __len__(self) -> int:
        return sum(layer.size for layer in self.layers)

    def __contains__(self, key: str) -> bool:
        """Whether the (folded) term is found in texts: a value of a living entity, not only a label."""
        return bool(self.attributes_of([key]))

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """Every attribute there is."""
        return tuple(dict.fromkeys(a for layer in self.layers for a in layer.segment.attributes))

    @property
    def fuzzy(self) -> int:
        """The most edits that the index can be searched with."""
        return min((layer.segment.fuzzy for layer in self.layers), default=0)

    # Terms

    def attributes_of(self, keys: Sequence[str]) -> dict[str, tuple[Attribute, ...]]:
        """Returns the keys that are terms, with the attributes under which living entities have them."""
        found: dict[str, dict[Attribute, None]] = {}
        for layer in self.layers:
            for key, term in layer.segment.terms(keys).items():
                found.setdefault(key, {}).update(dict.fromkeys(layer.living(term)))
        return {key: tuple(attributes) for key, attributes in found.items() if attributes}

    def codes_of(self, keys: Sequence[str]) -> Iterator[tuple[str, str, tuple[Attribute, ...]]]:
        """(key, term, attributes) of terms that are one of these keys once what parts their words is left out."""
        hashes = np.array([cached_word_hash(key) for key in keys], np.uint64)
        for layer in self.layers:
            asked, terms = layer.segment.variants_of(hashes)
            for at, term in zip(asked.tolist(), terms.tolist(), strict=True):
                text = layer.segment.text(term)
                if "".join(word_texts(text)) == keys[at]:
                    yield keys[at], text, tuple(layer.living(term))

    def find(self, passage: Passage, fuzziness: Fuzziness) -> Iterator[tuple[TermHit, Attribute]]:
        """Every occurrence of every term with each attribute it belongs to, overlaps and repeats included."""
        for layer in self.layers:
            for hit in find(layer.segment, passage, fuzziness):
                for attribute in layer.living(hit.term):
                    yield hit, attribute

    def crowd(self, key: str) -> int:
        """How many entities have a term in their context."""
        return self.signatures([key]).crowd(np.ones(1, np.uint64))

    def signatures(
        self,
        terms: Sequence[str],
        selection: Selection | None = None,
        roles: frozenset[str] = frozenset({IDENTIFYING}),
    ) -> Signatures:
        """Which of the (folded) terms each entity has: see `Signatures`."""
        return signatures(self.layers, terms, selection, roles)

    # Entities

    def context(self, id: str) -> tuple[tuple[str, str], ...]:
        """The identifying (attribute, folded term) pairs of an entity; empty when there is none."""
        found = self._live_entity(id)
        if found is None:
            return ()
        layer, number = found
        known = layer.segment.context(number)
        return tuple((attribute.name, key) for attribute, key in known if attribute.role == IDENTIFYING)

    def holders(self, column: str, key: str, most: int) -> list[str]:
        """The ids of those who have a (folded) value in a column, at most so many."""
        ids: list[str] = []
        for layer in self.layers:
            segment = layer.segment
            for term in segment.terms([key]).values():
                for pair in segment.pairs(term):
                    if segment.attribute(pair).name == column and segment.attribute(pair).role != LABEL:
                        found = segment.holders(pair)
                        living = found if layer.alive is None else found[has_bit(layer.alive, found)]
                        ids.extend(segment.id(number) for number in living[: most - len(ids)].tolist())
        return ids

    def holds(self, id: str) -> bool:
        return self._live_entity(id) is not None

    def entities(self) -> Iterator[Entity]:
        """Every living entity, its values folded."""
        for layer in self.layers:
            yield from (layer.segment.entity(number) for number in layer.numbers().tolist())

    def select(self, ids: Iterable[str]) -> Selection:
        """The entities with these ids; ids that are not there are passed over."""
        wanted = list(dict.fromkeys(ids))
        chosen = []
        for layer in self.layers:
            found = np.unique(np.array(list(layer.segment.entity_numbers(wanted).values()), np.uint32))
            chosen.append(found if layer.alive is None else found[has_bit(layer.alive, found)])
        return Selection(self.layers, tuple(chosen))

    def where(self, label: str, value: str) -> Selection:
        """The entities with a label, as in `category = cancer`; case and accents do not matter."""
        key = fold_term(value)
        return Selection(self.layers, tuple(_labelled(layer, label, key) for layer in self.layers))

    def everyone(self) -> Selection:
        return Selection(self.layers, tuple(layer.numbers() for layer in self.layers))

    def ids(self, selection: Selection) -> Iterator[str]:
        for layer, numbers in zip(self.layers, selection.numbers, strict=True):
            yield from (layer.segment.id(number) for number in numbers.tolist())

    def _live_entity(self, id: str) -> tuple[Layer, int] | None:
        for layer in self.layers:
            number = layer.segment.entity_number(id)
            if number is not None and layer.is_alive(number):
                return layer, number
        return None


def _labelled(layer: Layer, label: str, key: str) -> Numbers:
    segment = layer.segment
    found = [
        segment.holders(pair)
        for term in segment.terms([key]).values()
        for pair in segment.pairs(term)
        if segment.attribute(pair) == Attribute(label, LABEL)
    ]
    numbers = found[0] if found else np.empty(0, np.uint32)
    return numbers if layer.alive is None else numbers[has_bit(layer.alive, numbers)]


def layered(segments: Sequence[EntitySegment], fingerprint: str) -> EntityIndex:
    """Segments, oldest first, as one index: later ones hide entities of earlier ones."""
    layers = []
    for segment in segments:
        hidden = [
            later.file.arrays["tomb_entity"][later.file.arrays["tomb_segment"] == segment.number]
            for later in segments
        ]
        dead = np.unique(np.concatenate([np.empty(0, np.uint32), *hidden]))
        alive = None
        if dead.size:
            alive = bits_of(np.arange(segment.entities, dtype=np.uint32), segment.entities)
            alive &= ~bits_of(dead, segment.entities)
        layers.append(Layer(segment, alive, segment.entities - dead.size))
    return EntityIndex(tuple(layers), fingerprint)
