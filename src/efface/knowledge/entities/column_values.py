"""One column of an index: who has which value, as numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from efface.knowledge.entities.build_records import LABEL
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.signatures import Layer
from efface.text.folding import without_separators

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ColumnValues:
    """(entity, code of a value) pairs, sorted by the entity's place in `EntityIndex.everyone`."""

    entities: Ints = field(repr=False)
    codes: Ints = field(repr=False)
    _known: Mapping[str, int] = field(repr=False)

    def code(self, key: str) -> int:
        """The code of a folded value; -1 when no entity has it."""
        return self._known.get(key, -1)

    def key(self, code: int) -> str:
        """The folded value of a code."""
        return self._keys[code]

    @cached_property
    def _keys(self) -> list[str]:
        return sorted(self._known, key=self._known.__getitem__)  # codes count from 0

    def values(self) -> Iterable[tuple[str, int]]:
        """Every value with its code."""
        return self._known.items()

    def holding(self, pieces: Collection[str]) -> list[tuple[str, int]]:
        """The values that contain one of these pieces once separators are removed, with their codes.

        All values are joined into one text, so that a piece that no value contains costs a single search in C.
        """
        text, starts = self._compact
        codes: set[int] = set()
        for piece in pieces:
            at = text.find(piece)
            while at >= 0:
                following = bisect_right(starts, at)
                codes.add(following - 1)
                at = text.find(piece, starts[following]) if following < len(starts) else -1
        return [(self._keys[code], code) for code in sorted(codes)]

    @cached_property
    def _compact(self) -> tuple[str, list[int]]:
        """The values without separators, a line each in the order of their codes, and where each line begins."""
        lines = [without_separators(key) for key in self._keys]
        ends = accumulate(len(line) + 1 for line in lines)
        return "\n".join(lines), [0, *ends][: len(lines)]

    def size(self) -> int:
        return self.entities.size * 2 + len(self._known)


def cached_column(index: EntityIndex, column: str) -> ColumnValues:
    """The column, made once for a state of the index."""
    made: ColumnValues = index.tables.get(
        ("column", column), lambda: column_values(index, column), ColumnValues.size
    )
    return made


def column_values(index: EntityIndex, column: str) -> ColumnValues:
    """Which entities have which value in a column, labels excluded."""
    known: dict[str, int] = {}
    places: list[Ints] = []
    codes: list[Ints] = []
    offset = 0
    for layer in index.layers:
        entities, pairs = _pairs(layer, column)
        distinct, inverse = np.unique(pairs, return_inverse=True)
        texts = _texts(layer, distinct)
        coded = np.array([known.setdefault(text, len(known)) for text in texts], np.int64)
        places.append(entities + offset)
        codes.append(coded[inverse] if coded.size else np.empty(0, np.int64))
        offset += layer.size
    entities = np.concatenate([np.empty(0, np.int64), *places])
    values = np.concatenate([np.empty(0, np.int64), *codes])
    order = np.argsort(entities, kind="stable")
    return ColumnValues(entities[order], values[order], known)


def _pairs(layer: Layer, column: str) -> tuple[Ints, Ints]:
    """The living entities of a layer that have a value in the column, as places among the living, and the pairs."""
    arrays = layer.segment.file.arrays
    wanted = [
        at for at, attribute in enumerate(layer.segment.attributes)
        if attribute.name == column and attribute.role != LABEL
    ]  # fmt: skip
    starts = arrays["context_start"].astype(np.int64)
    pairs = arrays["context_pairs"]
    owners = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    alive = layer.numbers()
    place = np.full(starts.size - 1, -1, np.int64)
    place[alive] = np.arange(alive.size)
    keep = np.isin(arrays["pair_attribute"][pairs], wanted) & (place[owners] >= 0)
    return place[owners[keep]], pairs[keep].astype(np.int64)


def _texts(layer: Layer, pairs: Ints) -> Iterator[str]:
    terms = np.searchsorted(layer.segment.file.arrays["pair_start"], pairs, "right") - 1
    for term in terms.tolist():
        yield layer.segment.text(term)
