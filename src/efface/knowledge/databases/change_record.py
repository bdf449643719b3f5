"""The table in which a followed database writes down whose rows changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TABLE = "efface_changes"
ALL = "all"  # in place of a key: every entity may have changed
EVENTS = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}


@dataclass(frozen=True, slots=True)
class Followable:
    """The tables that a query reads, and whether a trigger sees their changes. `structure` is a mark of what no
    trigger sees: definitions of views and functions, partitions, tables that were rewritten."""

    tables: Mapping[str, bool]
    structure: str
    parents: Mapping[str, str] = field(
        default_factory=dict
    )  # of partitions and heirs: the table that the query names
    kinds: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict
    )  # by table and column, see `key_kinds`
    key_kinds: tuple[str, ...] = ()  # of the entity's key, where the kinds of columns are known
    keeps_key: bool = True  # the key is a column of a table, and nothing on the way computes it
    key_of: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # the columns that it is, by their table

    def holds_key(self, table: str, columns: tuple[str, ...]) -> bool:
        """Whether the columns, as text, are an entity's key as text. A date or a number of another type is not, and a
        key that the query computes may be another row's."""
        if not self.keeps_key or self.key_of.get(table, columns) != columns:
            return False
        kinds = self.kinds.get(table, {})
        return not self.key_kinds or tuple(kinds.get(name) for name in columns) == self.key_kinds
