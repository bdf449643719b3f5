"""A k-safety instance: the terms of one document, and how many entities hold which of them.

An entity's crowd depends only on its signature (the document's terms in its context), so entities with
equal signatures are one group. `crowds` and `is_safe` say by plain counting what a kept set discloses;
no solver uses them, so they can check every solver.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from efface.errors import UsageError
from efface.solvers.ksafety.bits import Ints, Rows, distinct, pack, unpack, words_for

_SPREAD = 1_000_000  # how far weights may differ; sums are distinguished down to a billionth of the whole


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """`terms` in string order; a row of `signatures` a group of `counts` entities, `protected` of them so."""

    terms: tuple[str, ...]
    weights: NDArray[np.float64]
    signatures: Rows
    counts: Ints
    protected: Ints

    @classmethod
    def from_contexts(
        cls,
        entities: Mapping[str, Iterable[str]],
        protected: Iterable[str],
        document: Iterable[str],
        weights: Mapping[str, float] | None = None,
    ) -> Self:
        """From every entity's context (ERASE's C(e)), the ids of the protected ones and the document's terms."""
        terms = tuple(sorted(set(document)))
        hidden = set(protected)
        if not hidden <= entities.keys():
            raise UsageError("A protected id is not among the entities.", "Check the list of protected ids.")
        position = {term: place for place, term in enumerate(terms)}
        counts: Counter[int] = Counter()
        secret: Counter[int] = Counter()
        for entity, context in entities.items():
            signature = sum(1 << position[term] for term in set(context) if term in position)
            counts[signature] += 1
            secret[signature] += entity in hidden
        width = 8 * words_for(len(terms))
        octets = b"".join(signature.to_bytes(width, "little") for signature in counts)
        rows = np.frombuffer(octets, dtype="<u8").reshape(len(counts), -1 if octets else width // 8)
        return cls.from_signatures(
            terms, rows, list(counts.values()), [secret[signature] for signature in counts], weights=weights
        )

    @classmethod
    def from_signatures(
        cls,
        terms: Sequence[str],
        signatures: NDArray[np.uint64],
        counts: ArrayLike,
        protected: ArrayLike,
        empty: int = 0,
        weights: Mapping[str, float] | None = None,
    ) -> Self:
        """From bit rows over `terms` (term t is bit t % 64 of word t // 64). `counts` and `protected` say how
        many entities, and how many protected ones, each row stands for; `empty` more match no term at all.
        Rows may repeat and come in any order."""
        size, hidden = np.asarray(counts, dtype=np.int64), np.asarray(protected, dtype=np.int64)
        shape = (len(size), words_for(len(terms)))
        if len(set(terms)) != len(terms) or signatures.shape != shape or hidden.shape != size.shape:
            raise UsageError("Terms, signatures, counts and protected do not fit together.")
        if empty < 0 or (hidden < 0).any() or (size < hidden).any():
            raise UsageError("A group cannot hold more protected entities than entities.")
        rows = _in_string_order(terms, signatures.astype(np.uint64))
        rows = np.concatenate([rows, np.zeros((1, shape[1]), dtype=np.uint64)])
        groups, place = distinct(rows)
        total = np.zeros(len(groups), dtype=np.int64)
        secret = np.zeros(len(groups), dtype=np.int64)
        np.add.at(total, place, np.append(size, empty))
        np.add.at(secret, place, np.append(hidden, 0))
        names = tuple(sorted(terms))
        some = total > 0
        return cls(names, _weights_of(names, weights), groups[some], total[some], secret[some])

    @property
    def entities(self) -> int:
        return int(self.counts.sum())

    def group_of(self, context: Iterable[str]) -> int:
        """The group of an entity with this context."""
        held = set(context)
        row = pack(np.array([[term in held for term in self.terms]], dtype=np.bool_))
        places = np.flatnonzero((self.signatures == row).all(axis=1))
        if not len(places):
            raise UsageError("No entity of the instance has this context.")
        return int(places[0])


def _in_string_order(terms: Sequence[str], rows: Rows) -> Rows:
    order = sorted(range(len(terms)), key=terms.__getitem__)
    if order != list(range(len(terms))):
        return pack(unpack(rows, len(terms))[:, order])
    return rows & pack(np.ones((1, len(terms)), dtype=np.bool_))  # bits beyond the last term mean nothing


def _weights_of(terms: tuple[str, ...], weights: Mapping[str, float] | None) -> NDArray[np.float64]:
    values = [1.0 if weights is None else float(weights.get(term, 1.0)) for term in terms]
    if not all(math.isfinite(value) and value > 0 for value in values):
        raise UsageError("A term's weight must be a positive number.")
    if values and max(values) > _SPREAD * min(values):
        raise UsageError(
            "The weights differ too much for sums of them to be compared.",
            f"Let the largest be at most {_SPREAD:,} times the smallest.",
        )
    return np.array(values, dtype=np.float64)


def crowds(instance: Instance, kept: Iterable[str]) -> dict[int, int]:
    """The crowd of every group that holds a protected entity, itself included, once only `kept` is readable."""
    remaining = set(kept)
    if not remaining <= set(instance.terms):
        raise UsageError("A kept term is not in the document.", "Keep terms of the document only.")
    readable = pack(np.array([[term in remaining for term in instance.terms]], dtype=np.bool_))
    seen, place = distinct(instance.signatures & readable)
    sizes = np.bincount(place, weights=instance.counts, minlength=len(seen)).astype(np.int64)
    holders = np.flatnonzero(instance.protected)
    answer = {
        int(p): int(sizes[((seen[p] & ~seen) == 0).all(axis=1)].sum()) for p in np.unique(place[holders])
    }
    return {int(group): answer[int(place[group])] for group in holders}


def is_safe(instance: Instance, kept: Iterable[str], k: int) -> bool:
    """Whether every protected entity stays one of at least k that fit what is kept (ERASE's Definition 3.1)."""
    return all(crowd >= k for crowd in crowds(instance, kept).values())
