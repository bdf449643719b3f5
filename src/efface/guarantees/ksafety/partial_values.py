"""Crowds of what operators leave of a value: a masked card, a birth year, 101**. To a reader it is a term of every
entity whose value could have become it, so the crowd is counted that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import product

import numpy as np
import numpy.typing as npt

from efface.core import Term
from efface.guarantees.left_parts import LeftParts
from efface.knowledge.entities.column_values import ColumnValues, cached_column
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.signatures import column_and_key

Flags = npt.NDArray[np.bool_]


def small_crowds(
    index: EntityIndex,
    roles: frozenset[str],
    terms: Sequence[Term],
    left: Sequence[Term],
    k: int,
    parts: LeftParts,
    *,
    is_apart: bool,
) -> Iterator[tuple[Term, list[str], int]]:
    """(what is left of a value, ids of the entities that it points to, their crowd) for all crowds under k.

    `terms` stay in the text, with their columns. Where values count apart, a part does so in each column, too.
    """
    tables = _tables(index, roles)
    ids = index.tables.get("ids", lambda: list(index.ids(index.everyone())), len)
    read = ((term, _readings(index, tables, term.key, parts, is_apart)) for term in left)
    partials = [(term, flags) for term, readings in read for flags in readings]
    for term, places, crowd in exposed(terms, partials, tables, len(ids), k):
        yield term, [ids[place] for place in places.tolist()], crowd


def fits_anybody(index: EntityIndex, roles: frozenset[str], left: Iterable[Term], parts: LeftParts) -> bool:
    """Whether somebody has a value that could have become one of these."""
    tables = _tables(index, roles)
    return any(_readings(index, tables, term.key, parts, is_apart=False) for term in left)


def _tables(index: EntityIndex, roles: frozenset[str]) -> dict[str, ColumnValues]:
    names = {attribute.name for attribute in index.attributes if attribute.role in roles}
    return {name: cached_column(index, name) for name in sorted(names)}


def _readings(
    index: EntityIndex, tables: dict[str, ColumnValues], part: str, parts: LeftParts, is_apart: bool
) -> list[Flags]:
    """For each way to read the part, in each column where values count apart, who fits. Ways that fit nobody are left
    out."""

    def made() -> list[Flags]:
        groups = [{name: table} for name, table in tables.items()] if is_apart else [tables]
        ways = product(groups, parts.tests(part))
        found = (fitting(group, part, len(index), parts, fits) for group, fits in ways)
        return [flags for flags in found if flags.any()]

    # A part may be an age, so what fits it changes with the year.
    place = ("part", part, parts, is_apart, *tables, date.today().year)
    kept: list[Flags] = index.tables.get(place, made, lambda found: sum(map(len, found)))
    return kept


def exposed(
    terms: Sequence[Term],
    partials: Sequence[tuple[Term, Flags]],
    tables: dict[str, ColumnValues],
    size: int,
    k: int,
) -> Iterator[tuple[Term, npt.NDArray[np.int64], int]]:
    """(what is left, entities that it points to, their crowd) for all crowds under k. `terms` stay in the text, with
    their columns. Beside each part, a way to read it: the entities that have a value with it."""
    flags = [fits for _, fits in partials]
    reached = np.flatnonzero(np.any(flags, axis=0)) if flags else np.empty(0, np.int64)
    if not reached.size:  # as nearly always: nobody has a value that gives one of the parts
        return
    columns = (_holders(tables, *column_and_key(term.key), size) for term in terms)
    bits = np.stack([some[reached] for some in (*flags, *columns)], axis=1)
    for at, (term, _) in enumerate(partials):
        mine = np.flatnonzero(bits[:, at])
        if not mine.size:
            continue
        rows, place, counts = np.unique(bits[mine], axis=0, return_inverse=True, return_counts=True)
        for number, row in enumerate(rows):
            # Whoever has all that a row has also has this part, so the crowd is among `mine`.
            crowd = int(counts[rows[:, row].all(axis=1)].sum())
            if crowd < k:
                yield term, reached[mine[place.reshape(-1) == number]], crowd


def _holders(tables: dict[str, ColumnValues], column: str, key: str, size: int) -> Flags:
    flags = np.zeros(size, np.bool_)
    for name, table in tables.items():
        if column in ("", name):
            flags[table.entities[table.codes == table.code(key)]] = True
    return flags


def fitting(
    tables: dict[str, ColumnValues], left: str, size: int, parts: LeftParts, fits: Callable[[str], bool]
) -> Flags:
    """Flags of the entities with a value that could have become what is left, by one way to read it or by any."""
    flags = np.zeros(size, np.bool_)
    pieces = parts.pieces(left)
    for table in tables.values():
        candidates = table.values() if pieces is None else table.holding(pieces)
        codes = [code for value, code in candidates if fits(value)]
        flags[table.entities[np.isin(table.codes, codes)]] = True
    return flags
