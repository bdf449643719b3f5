"""Following a database: triggers record which entities changed, and the index is updated, not rebuilt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from efface.errors import InputError, PolicyError
from efface.knowledge.databases.change_record import ALL, TABLE, TriggerCoverage
from efface.knowledge.databases.dialects import change_log_of
from efface.knowledge.databases.relation import Relation, engine
from efface.knowledge.databases.sql import SqlSource
from efface.knowledge.databases.unreadable import unreadable
from efface.knowledge.entities.sources import compose_key
from efface.knowledge.entities.store import EntityStore

_NOT_ALLOWED = "42501"  # PostgreSQL's code for insufficient privileges

__all__ = ["TABLE", "FollowedTables", "followed", "mend"]


@dataclass(frozen=True, slots=True)
class FollowedTables:
    """Tables whose rows make up the entities, each with the columns that hold the entity's key. A table without
    such columns changes every entity."""

    url: str = field(repr=False)
    tables: Mapping[str, tuple[str, ...]]
    structure: str = ""  # see `TriggerCoverage`

    def install(self) -> None:
        """Make the table of changes and the triggers. Doing it again clears away what no reader needs."""
        log = change_log_of(self.url)
        with engine(self.url).begin() as connection:
            triggers = log.triggers(connection)
            triggers.make_table()
            known = triggers.up_to_date(self.tables)
            for table, key in self.tables.items():
                triggers.make_triggers(table, key)
            if self.tables.keys() - known:
                triggers.note_all()  # earlier changes, or those under another key, were not recorded

    def require_installed(self) -> None:
        """Refuse to follow while a table that the entities are made of writes down nothing, or something else than
        the triggers of today would: an earlier version's, or those of another key or other indexes."""
        log = change_log_of(self.url)
        with engine(self.url).connect() as connection:
            missing = sorted(self.tables.keys() - log.triggers(connection).up_to_date(self.tables))
        if missing:
            raise InputError(
                f"The database does not record changes of the table {missing[0]}, which the entities are made of, "
                "or not as this version needs them.",
                "Run `efface index follow -p POLICY` again, as the owner of the tables.",
            )

    def is_table(self, entities: str) -> bool:
        """Whether the entities are the rows of one followed table, and no view or query over it."""
        return [_unqualified(table) for table in self.tables] == [_unqualified(entities)]

    def mark(self) -> str:
        """The present end of the record of changes; what is read afterwards is at least as new."""
        import sqlalchemy as sa

        log = change_log_of(self.url)
        try:
            with engine(self.url).connect() as connection:
                return log.mark(connection)
        except sa.exc.SQLAlchemyError as error:
            if getattr(getattr(error, "orig", None), "sqlstate", "") == _NOT_ALLOWED:
                raise InputError(
                    "The login of efface may not read the record of changes.",
                    f"GRANT SELECT ON {TABLE} TO it, as the owner of the table.",
                ) from None
            raise InputError(
                "The database does not record changes yet.", "Run `efface index follow` once, as its owner."
            ) from None

    def since(self, mark: str) -> set[str] | None:
        """The ids of the entities that may have changed since the mark; None when all may have."""
        log = change_log_of(self.url)
        with engine(self.url).connect() as connection:
            keys = log.since(connection, mark)
        return None if ALL in keys else {compose_key(json.loads(key)) for key in keys}

    def heard(self, patience: float) -> Iterator[bool]:
        """True whenever something has changed, False when nothing has for a while; without end."""
        return change_log_of(self.url).heard(engine(self.url), patience)


def followed(relation: Relation, given: Mapping[str, tuple[str, ...]]) -> FollowedTables:
    """Every table that the relation reads. `given` says which columns hold the key; where it says nothing, a
    change of the table is taken for a change of every entity."""
    import sqlalchemy as sa

    log = change_log_of(relation.url)
    try:
        with engine(relation.url).connect() as connection:
            read = log.tables_of(connection, relation)
    except sa.exc.SQLAlchemyError as error:
        raise unreadable(error, relation.url) from None
    for table, is_seen in read.tables.items():
        if not is_seen:
            raise PolicyError(
                f"Changes of {table} cannot be followed: it is no plain table, or one that a crash empties (UNLOGGED).",
                "Name the tables behind it in the query, or leave `follow` out.",
            )
    names = {name: key for name, key in given.items() if not relation.is_query or name != relation.entities}
    tables = {table: _key_of(table, read, names) for table in read.tables}
    return FollowedTables(relation.url, tables, read.structure)


def _key_of(table: str, read: TriggerCoverage, names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The columns of a table that hold the key: as given for it, or for the table whose partition or heir it is."""
    by_bare = {_unqualified(name): key for name, key in names.items()}
    for name in (table, read.parents.get(table, "")):
        key = names.get(name) or by_bare.get(_unqualified(name))
        if key:
            return key if read.holds_key(table, key) else ()
    return ()


def _unqualified(name: str) -> str:
    return name.rpartition(".")[2].strip('"')


def mend(
    store: EntityStore, source: SqlSource, ids: Iterable[str], fingerprint: str, *, is_table: bool = False
) -> bool:
    """Bring these entities of the index to their present state in the database.

    False where a view or a SELECT has no entity with a changed row's key, now or before. It may give its rows other
    keys, so the entity of that row is unknown.
    """
    wanted = sorted(set(ids))
    relation = Relation(source.url, source.entities, source.columns.key)
    with engine(source.url).connect() as connection:
        keys = list(relation.values(connection, wanted))
    found = list(source.only(keys))
    there = {entity.id for entity in found}
    gone = [id for id in wanted if id not in there]
    if not is_table and not all(map(store.snapshot().holds, gone)):
        return False
    store.change(found, gone, fingerprint)
    return True
