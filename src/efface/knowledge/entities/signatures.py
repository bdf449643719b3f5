"""Which of a document's terms each entity has: entities with equal answers are grouped and counted, exactly.

Long postings are bitmaps. Eight of them at a time are turned (an 8x8 transposition of bits, in 64-bit words)
into one byte an entity, so a million entities take about a millisecond; the rest are sorted lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from efface.knowledge.entities.build_records import IDENTIFYING, LABEL
from efface.knowledge.entities.hashing import Hashes, extend
from efface.knowledge.entities.segment import (
    Attribute,
    Bits,
    EntitySegment,
    Numbers,
    bits_of,
    has_bit,
    numbers_in,
)

Masks = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]
RowNumbers = npt.NDArray[np.intp]
Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]

_DENSE_TERMS = 16  # bits of a code: each dense term has one
_FEW_CODES = 16  # up to so many each code is compared by itself
_TRANSPOSE = ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0))


@dataclass(frozen=True, slots=True)
class Layer:
    """A segment as a snapshot sees it: with some of its entities hidden by later segments."""

    segment: EntitySegment
    alive: Bits | None  # None: all
    size: int  # how many are alive

    def numbers(self) -> Numbers:
        return numbers_in(self.alive, self.segment.entities)

    def is_alive(self, number: int) -> bool:
        return self.alive is None or bool(has_bit(self.alive, np.array([number], np.uint32))[0])

    def living(self, term: int) -> Iterator[Attribute]:
        """The attributes, without labels, under which existing entities have a term."""
        for pair in self.segment.pairs(term):
            attribute = self.segment.attribute(pair)
            if attribute.role != LABEL and self._lives(pair):
                yield attribute

    def _lives(self, pair: int) -> bool:
        if self.alive is None:
            return True
        numbers, bits = self.segment.postings(pair)
        if bits is not None:
            return bool((bits & self.alive).any())
        few = numbers[:64]  # nearly always enough
        return bool(has_bit(self.alive, few).any() or has_bit(self.alive, numbers).any())


_COLUMN_END = "\x1f"  # no folded term holds it


def in_column(column: str, key: str) -> str:
    """A term that counts in one column only."""
    return f"{column}{_COLUMN_END}{key}"


def column_and_key(term: str) -> tuple[str, str]:
    """The column of a term, empty when it counts in all, and its key."""
    column, _, key = term.rpartition(_COLUMN_END)
    return column, key


@dataclass(frozen=True, slots=True)
class Selection:
    """Some of the entities of a snapshot, for instance the protected ones: sorted numbers, a layer each."""

    layers: tuple[Layer, ...] = field(repr=False)
    numbers: tuple[Numbers, ...] = field(repr=False)

    def __len__(self) -> int:
        return sum(numbers.size for numbers in self.numbers)


@dataclass(frozen=True, slots=True)
class _LayerGroups:
    """The signatures of one layer: entities met in lists one by one, others by the code of their bitmaps."""

    layer: Layer
    numbers: Numbers  # met in lists, sorted
    masks: Masks  # (numbers, words): their signatures
    codes: Codes | None  # of every entity: bit d says whether it is in bitmap d
    code_masks: Masks  # (codes, words): what a code means as a signature

    def groups(self, within: Numbers | None) -> tuple[Masks, Counts]:
        """Distinct signatures and how many entities (of `within`) have each; the empty one is left out."""
        listed, masks = self.numbers, self.masks
        if within is not None:
            keep = _is_in(listed, within)
            listed, masks = listed[keep], masks[keep]
        found, counts = _distinct(masks)
        if self.codes is None:
            return found, counts
        by_code = _histogram(self.codes if within is None else self.codes[within])
        by_code -= np.bincount(self.codes[listed], minlength=by_code.size)
        by_code[0] = 0
        held = np.flatnonzero(by_code)
        return np.concatenate([found, self.code_masks[held]]), np.concatenate([counts, by_code[held]])

    def members(self, wanted: Masks) -> tuple[Numbers, RowNumbers]:
        """The entities whose signature is one of the wanted (distinct) rows, and which one it is."""
        rows, row_wants = _twins(self.masks, wanted)
        if self.codes is None:
            return self.numbers[rows], row_wants
        codes, code_wants = _twins(self.code_masks, wanted)
        coded, want_of = self._coded(codes, code_wants)
        keep = ~_is_in(coded, self.numbers)
        return np.concatenate([self.numbers[rows], coded[keep]]), np.concatenate([row_wants, want_of[keep]])

    def _coded(self, codes: RowNumbers, wants: RowNumbers) -> tuple[Numbers, RowNumbers]:
        """The entities with one of these codes, and which want it answers."""
        assert self.codes is not None
        known = self.codes[: self.layer.segment.entities]
        if codes.size <= _FEW_CODES:  # a comparison is many times faster than a look-up
            found = [np.flatnonzero(known == code) for code in codes.tolist()]
            numbers = np.concatenate([np.empty(0, np.intp), *found])
            return numbers.astype(np.uint32), np.repeat(wants, [some.size for some in found])
        meaning = np.full(self.code_masks.shape[0], -1)
        meaning[codes] = wants
        want_of = meaning[known]
        numbers = np.flatnonzero(want_of >= 0)
        return numbers.astype(np.uint32), want_of[numbers]


@dataclass(frozen=True, slots=True)
class Signatures:
    """The matched terms, the groups of entities by which of them they have, and the size of each group.

    Bit j of a group's row (word j // 64) is term j. Entities that have none of the terms are `empty`.
    """

    terms: tuple[str, ...]
    groups: Masks = field(repr=False)
    counts: Counts = field(repr=False)
    selected: Counts = field(repr=False)  # of the selection, in each group; zeros without one
    empty: int
    _layers: tuple[_LayerGroups, ...] = field(repr=False)

    def mask(self, terms: Sequence[int]) -> Masks:
        """A row with the bits of these terms."""
        row = np.zeros(self.groups.shape[1], np.uint64)
        for term in terms:
            row[term // 64] |= np.uint64(1 << term % 64)
        return row

    def crowd(self, mask: Masks) -> int:
        """How many entities have all the terms of the mask."""
        has_all = ((self.groups & mask) == mask).all(axis=1)
        return int(self.counts[has_all].sum()) + (0 if mask.any() else self.empty)

    def without_members(self) -> Signatures:
        """These signatures without their members, so that the size depends on the number of groups alone."""
        return replace(self, _layers=())

    def only(self, keys: Sequence[str]) -> tuple[Signatures, RowNumbers]:
        """The signatures by some of the terms, without members; and the new group of each group, or -1 for none."""
        column = {term: at for at, term in enumerate(self.terms)}
        chosen = tuple(dict.fromkeys(keys))
        masks = np.zeros((self.counts.size, max(-(-len(chosen) // 64), 1)), np.uint64)
        for at, key in enumerate(chosen):
            old = column[key]
            has = self.groups[:, old // 64] >> np.uint64(old % 64) & np.uint64(1)
            masks[:, at // 64] |= has << np.uint64(at % 64)
        held = masks.any(axis=1)
        groups, counts = _group(masks[held], self.counts[held])
        places = np.full(self.counts.size, -1)
        rows, twins = _twins(masks, groups)
        places[rows] = twins
        empty = self.empty + int(self.counts[~held].sum())
        return Signatures(chosen, groups, counts, np.zeros(counts.size, np.int64), empty, ()), places

    def members(self, groups: Sequence[int], within: Selection | None = None) -> Iterator[tuple[int, str]]:
        """The entities of these groups as (group, id), found in one pass; ids are looked up one by one."""
        chosen = np.array(list(dict.fromkeys(groups)), np.intp)
        for at, layer_groups in enumerate(self._layers):
            numbers, wants = layer_groups.members(self.groups[chosen])
            if within is not None:
                keep = _is_in(numbers, within.numbers[at])
                numbers, wants = numbers[keep], wants[keep]
            for number, group in zip(numbers.tolist(), chosen[wants].tolist(), strict=True):
                yield group, layer_groups.layer.segment.id(number)


def signatures(
    layers: tuple[Layer, ...],
    terms: Sequence[str],
    selection: Selection | None,
    roles: frozenset[str] = frozenset({IDENTIFYING}),
) -> Signatures:
    """Group the entities of all layers by which of the terms they have in columns of these roles. A term with a
    column before it (see `in_column`) counts in that column only."""
    terms = tuple(dict.fromkeys(terms))
    width = max(-(-len(terms) // 64), 1)
    found = tuple(_layer_groups(layer, terms, width, roles) for layer in layers)
    parts = [groups.groups(None) for groups in found]
    masks, counts = _merged(parts, width)
    chosen = np.zeros(counts.size, np.int64)
    if selection is not None:
        if selection.layers is not layers:
            raise ValueError("the selection was made on another snapshot of the index")
        inside = [groups.groups(selection.numbers[at]) for at, groups in enumerate(found)]
        few, few_counts = _merged(inside, width)
        few_places, places = _twins(few, masks)
        chosen[places] = few_counts[few_places]
    empty = sum(layer.size for layer in layers) - int(counts.sum())
    return Signatures(terms, masks, counts, chosen, empty, found)


def _is_in(numbers: Numbers, among: Numbers) -> npt.NDArray[np.bool_]:
    """Which of the numbers are among the others, which are sorted."""
    place = np.searchsorted(among, numbers)
    found: npt.NDArray[np.bool_] = np.append(among, among[:1])[place] == numbers if among.size else place > 0
    return found


def _merged(parts: list[tuple[Masks, Counts]], width: int) -> tuple[Masks, Counts]:
    """The groups of all layers as one; those of a single layer are distinct already."""
    parts = [part for part in parts if part[1].size]
    if len(parts) == 1:
        return parts[0]
    masks = np.concatenate([np.empty((0, width), np.uint64), *(masks for masks, _ in parts)])
    return _group(masks, np.concatenate([np.empty(0, np.int64), *(counts for _, counts in parts)]))


def _distinct(masks: Masks) -> tuple[Masks, Counts]:
    """Distinct rows, and how often each occurs."""
    if masks.shape[1] > 1:
        return _group(masks, np.ones(masks.shape[0], np.int64))
    values, counts = np.unique(masks[:, 0], return_counts=True)
    return values[:, None], counts.astype(np.int64)


def _group(masks: Masks, weights: Counts) -> tuple[Masks, Counts]:
    """Distinct rows, and the sum of the weights of each."""
    if not masks.shape[0]:
        return masks, weights
    keys = _keys(masks)
    order = np.argsort(keys)
    ordered, keys = masks[order], keys[order]
    differs = (ordered[1:] != ordered[:-1]).any(axis=1)
    if (differs & (keys[1:] == keys[:-1])).any():  # two rows with one key may lie mixed: sort by the rows
        order = np.lexsort(masks.T)
        ordered = masks[order]
        differs = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(np.concatenate([[True], differs]))
    return ordered[starts], np.add.reduceat(weights[order], starts)


def _keys(masks: Masks) -> Hashes:
    """A hash of each row; of a row of one word, the word itself."""
    keys = masks[:, 0].copy()
    for word in range(1, masks.shape[1]):
        keys = extend(keys ^ keys >> np.uint64(29), masks[:, word])
    return keys


def _twins(masks: Masks, wanted: Masks) -> tuple[RowNumbers, RowNumbers]:
    """Which rows are among the wanted ones, which are distinct: (place of the row, place of its twin)."""
    if not wanted.shape[0]:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    wanted_keys = _keys(wanted)
    order = np.argsort(wanted_keys)
    ordered = wanted_keys[order]
    first = np.searchsorted(ordered, _keys(masks))
    rows, twins = [], []
    for shift in range(int(np.unique(ordered, return_counts=True)[1].max())):  # 1, unless hashes are equal
        at = first + shift
        candidate = order[np.minimum(at, order.size - 1)]
        same = np.flatnonzero((masks == wanted[candidate]).all(axis=1) & (at < order.size))
        rows.append(same)
        twins.append(candidate[same])
    return np.concatenate(rows), np.concatenate(twins)


def _layer_groups(layer: Layer, terms: tuple[str, ...], width: int, roles: frozenset[str]) -> _LayerGroups:
    lists, bitmaps = _postings(layer, terms, roles)
    numbers, masks = _listed(layer, lists, width)
    codes, code_masks = None, np.zeros((0, width), np.uint64)
    if bitmaps:
        codes = _codes(layer, list(bitmaps.values()))
        code_masks = _code_masks(list(bitmaps), width)
        masks |= code_masks[codes[numbers]]
    return _LayerGroups(layer, numbers, masks, codes, code_masks)


def _postings(
    layer: Layer, terms: tuple[str, ...], roles: frozenset[str]
) -> tuple[list[tuple[int, Numbers]], dict[int, Bits]]:
    """The entities that have each term, by the term's number: as lists, or as a bitmap where there are many. No term
    has both. Only `_DENSE_TERMS` terms have a bitmap; the bitmaps of others are unpacked."""
    segment = layer.segment
    lists: list[tuple[int, Numbers]] = []
    bitmaps: dict[int, Bits] = {}
    parted = [column_and_key(term) for term in terms]
    known = segment.terms(list(dict.fromkeys(key for _, key in parted)))
    for at, (column, key) in enumerate(parted):
        for pair in segment.pairs(known[key]) if key in known else ():
            attribute = segment.attribute(pair)
            if attribute.role not in roles or (column and attribute.name != column):
                continue
            numbers, bits = segment.postings(pair)
            if bits is None:
                lists.append((at, numbers))
            elif at in bitmaps:
                bitmaps[at] = bitmaps[at] | bits
            elif len(bitmaps) < _DENSE_TERMS:
                bitmaps[at] = bits
            else:
                lists.append((at, numbers_in(bits, segment.entities)))
    sparse: list[tuple[int, Numbers]] = []
    for at, numbers in lists:
        if at in bitmaps:
            bitmaps[at] = bitmaps[at] | bits_of(numbers, segment.entities)
        else:
            sparse.append((at, numbers))
    return sparse, bitmaps


def _listed(layer: Layer, lists: list[tuple[int, Numbers]], width: int) -> tuple[Numbers, Masks]:
    """The living entities met in lists, and their signatures as far as the lists go."""
    if not lists:
        return np.empty(0, np.uint32), np.zeros((0, width), np.uint64)
    shift = np.uint64(32)
    packed = np.concatenate([numbers.astype(np.uint64) << shift | np.uint64(at) for at, numbers in lists])
    packed.sort()
    numbers = (packed >> shift).astype(np.uint32)
    starts = np.flatnonzero(np.diff(numbers, prepend=~numbers[:1]))
    terms = packed & np.uint64(0xFFFFFFFF)
    bits = np.uint64(1) << (terms & np.uint64(63))
    masks = np.empty((starts.size, width), np.uint64)
    for word in range(width):
        mine = bits if width == 1 else np.where(terms >> np.uint64(6) == word, bits, np.uint64(0))
        masks[:, word] = np.bitwise_or.reduceat(mine, starts)
    numbers = numbers[starts]
    if layer.alive is not None:
        keep = has_bit(layer.alive, numbers)
        numbers, masks = numbers[keep], masks[keep]
    return numbers, masks


def _codes(layer: Layer, bitmaps: list[Bits]) -> Codes:
    """For every entity (and some past the last), which of up to sixteen bitmaps it is in, if alive."""
    columns = [bits if layer.alive is None else bits & layer.alive for bits in bitmaps]
    codes: Codes = _transposed(columns[:8])
    if len(columns) > 8:
        codes = codes | _transposed(columns[8:]).astype(np.uint16) << np.uint16(8)
    return codes


def _histogram(codes: Codes) -> Counts:
    """How often each code occurs; bytes are counted two at a time."""
    if codes.dtype != np.uint8 or codes.size % 2:
        return np.bincount(codes, minlength=1 << 16)
    pairs = np.bincount(codes.view(np.uint16), minlength=1 << 16).reshape(256, 256)
    counts: Counts = pairs.sum(axis=0) + pairs.sum(axis=1)
    return counts


def _transposed(columns: list[Bits]) -> Bits:
    """Up to eight bitmaps as one byte an entity."""
    square = np.zeros((columns[0].size, 8), np.uint8)
    for at, bits in enumerate(columns):
        square[:, at] = bits
    rows = square.reshape(-1).view("<u8")
    for shift, mask in _TRANSPOSE:
        swap = (rows ^ (rows >> np.uint64(shift))) & np.uint64(mask)
        rows ^= swap
        rows ^= swap << np.uint64(shift)
    return rows.view(np.uint8)


def _code_masks(terms: list[int], width: int) -> Masks:
    """What each code means as a signature."""
    masks = np.zeros((1, width), np.uint64)
    for term in terms:
        more = masks.copy()
        more[:, term // 64] |= np.uint64(1 << term % 64)
        masks = np.concatenate([masks, more])
    return masks
