"""Where a policy's entities come from: a database, a file or a folder."""

from __future__ import annotations

from pathlib import Path

from efface.errors import PolicyError
from efface.knowledge.databases.dialects import resolved
from efface.knowledge.databases.relation import Relation
from efface.knowledge.databases.sql import SqlSource
from efface.knowledge.entities.sources import ColumnRoles, CsvSource, JsonLinesSource, Source
from efface.knowledge.entities.text_folder import FolderSource
from efface.policy.entries import Knowledge


def source_of(knowledge: Knowledge, folder: Path) -> Source:
    """The stream of entities: rows of a database, a CSV or JSON lines file, or a folder of texts."""
    columns = ColumnRoles(knowledge.keys, knowledge.identifying, knowledge.sensitive, knowledge.filters)
    if knowledge.database is not None:
        if not knowledge.identifying:
            raise PolicyError("Entities of a database need `identifying` columns.", "Name them.")
        asks = knowledge.access is not None
        return SqlSource(database_url(knowledge, folder), knowledge.entities, columns, asks)
    path = folder / knowledge.entities
    if path.is_dir():
        return FolderSource(path)
    ending = "".join(path.suffixes[-2:]).removesuffix(".gz").lower()
    if ending.endswith((".csv", ".tsv")):
        return CsvSource(path, columns, "\t" if ending.endswith(".tsv") else ",")
    if ending.endswith((".jsonl", ".ndjson")):
        return JsonLinesSource(
            path, ColumnRoles(("id",), (), knowledge.sensitive, knowledge.filters, "type", "weight")
        )
    raise PolicyError(
        "`entities` names no folder, CSV or JSON lines file, and there is no `database`.", "Check the path."
    )


def database_url(knowledge: Knowledge, folder: Path, mode: str = "ro") -> str:
    """The URL to connect to. A SQLite file's path is relative to the policy."""
    assert knowledge.database is not None
    return resolved(knowledge.database, folder, mode)


def relation_of(knowledge: Knowledge, folder: Path) -> Relation:
    """The table, view or SELECT of a database's entities."""
    return Relation(database_url(knowledge, folder), knowledge.entities, knowledge.keys)
