"""Who decides what a viewer may see, as a policy's `access` says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from efface.access import Access
from efface.access.database import LabelAccess, LabelSource, ViewAccess
from efface.access.labels import Scheme
from efface.access.postgres import PostgresAccess
from efface.access.postgres_rights import require_full_visibility
from efface.errors import PolicyError
from efface.knowledge.databases.dialects import dialect_of, require_access
from efface.policy.entries import AccessEntry, Knowledge, UsersTable
from efface.policy.knowledge_sources import relation_of


def require_rights(knowledge: Knowledge, folder: Path) -> None:
    """Refuse a database whose server hides rows or columns from efface's own login, and a key that no viewer can be
    asked about."""
    if knowledge.database is None:
        return
    relation = relation_of(knowledge, folder)
    asks_viewers = knowledge.access is not None
    if knowledge.access is not None:
        require_access(relation.url, _way(knowledge.access))
        _require_known_columns(knowledge)
    if dialect_of(relation.url).filters_rows:
        columns = (*knowledge.identifying, *knowledge.sensitive, *knowledge.filters)
        require_full_visibility(relation, columns, asks_viewers=asks_viewers)
    elif asks_viewers:
        relation.require_askable_key()


def access_of(knowledge: Knowledge, folder: Path, viewer: str | None) -> Access:
    """Who decides what this viewer may see."""
    entry = knowledge.access
    if entry is None or knowledge.database is None:
        raise PolicyError("`access` needs a `database`.", "Name the database of the entities.")
    relation = relation_of(knowledge, folder)
    columns = (*knowledge.identifying, *knowledge.sensitive)
    require_access(relation.url, _way(entry))
    if entry.postgres is not None:
        return PostgresAccess(relation, viewer, entry.postgres.session, columns, entry.postgres.login)
    if entry.grants is not None:
        grants = entry.grants
        return ViewAccess(relation, viewer, grants.view, grants.viewer, grants.columns_view)
    assert entry.labels is not None
    labels = entry.labels
    scheme = Scheme.of(labels.levels, labels.compartments, labels.groups)
    users, labelled = _labelled(labels.users), _labelled(labels.columns)
    return LabelAccess(relation, scheme, users, viewer, labels.rows, labelled, frozenset(knowledge.sensitive))


def _way(entry: AccessEntry) -> str:
    """What `access` asks the database."""
    if entry.postgres is not None:
        return "postgres"
    return "labels" if entry.labels is not None else "view"


def _require_known_columns(knowledge: Knowledge) -> None:
    """Refuse labels of columns that are not there: a misspelt name would leave its column open to everybody."""
    labels = knowledge.access.labels if knowledge.access is not None else None
    if labels is None or isinstance(labels.columns, UsersTable):
        return
    known = {*knowledge.identifying, *knowledge.sensitive, *knowledge.filters}
    for name in labels.columns:
        if name not in known:
            raise PolicyError(
                f"`labels` has a label for the column {name}, which is not read.",
                "Write it as in `identifying` or `sensitive`, name it there, or leave the label out.",
            )


def _labelled(entry: UsersTable | Mapping[str, str]) -> LabelSource:
    if isinstance(entry, UsersTable):
        return LabelSource(table=entry.table, name=entry.name, label=entry.label)
    return LabelSource(entry)
