"""The table in which a followed database writes down whose rows changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TABLE = "efface_changes"
ALL = "all"  # stands for a key: every entity may have changed
EVENTS = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}


@dataclass(frozen=True, slots=True)
class TriggerCoverage:
    """The tables that a query reads, and whether a trigger sees their changes. `structure` is a mark of what no
    trigger sees: definitions of views and functions, partitions, tables that were rewritten."""

    tables: Mapping[str, bool]
    structure: str
    # For partitions and tables that inherit: the table that the query names.
    parents: Mapping[str, str] = field(default_factory=dict)
    # The kinds of values by table and column, as in `key_kinds`.
    kinds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    key_kinds: tuple[str, ...] = ()  # of the entity's key, where the kinds of columns are known
    keeps_key: bool = True  # the key is a column of a table, and nothing on the way computes it
    # The columns that make up the key, by their table.
    key_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # By table, the columns that hold each part of the key in every row that an entity is made of; None if the database
    # does not say so.
    bound: Mapping[str, tuple[frozenset[str], ...]] | None = None
    mixed: frozenset[str] = frozenset()  # tables of whose rows several entities may be made

    def holds_key(self, table: str, columns: tuple[str, ...]) -> bool:
        """Whether the columns, as text, are an entity's key as text. A date or a number of another type is not, and a
        key that the query computes may be another row's. A row that other entities are made of as well changes them, too."""
        if not self.keeps_key or self.key_of.get(table, columns) != columns:
            return False
        if table in self.mixed or not self._is_bound(table, columns):
            return False
        kinds = self.kinds.get(table, {})
        return not self.key_kinds or tuple(kinds.get(name) for name in columns) == self.key_kinds

    def _is_bound(self, table: str, columns: tuple[str, ...]) -> bool:
        if self.bound is None:
            return True
        bound = self.bound.get(table, ())
        return len(bound) == len(columns) and all(map(frozenset.__contains__, bound, columns))
