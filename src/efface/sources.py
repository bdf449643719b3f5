"""Knowledge as a policy names it: where entities come from, their index, and what a viewer is denied."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from efface.access import Access
from efface.access.database import LabelAccess, Labelled, PostgresAccess, ViewAccess
from efface.access.labels import Scheme
from efface.errors import InputError, PolicyError
from efface.guarantees.columns import DeniedColumns
from efface.guarantees.ksafety import Denied, KSafety
from efface.knowledge.changes import Followed, mend
from efface.knowledge.entities import Columns, CsvSource, JsonLinesSource, Source
from efface.knowledge.index import EntityIndex
from efface.knowledge.matching import Fuzziness
from efface.knowledge.relation import Relation, engine
from efface.knowledge.signatures import Selection
from efface.knowledge.sql import SqlSource
from efface.knowledge.store import EntityStore, build
from efface.knowledge.texts import FolderSource
from efface.policy import Knowledge, KSafetyEntry, UsersTable
from efface.terms.entities import EntityFinder

_FILTER = re.compile(r"\s*(\w+)\s*=\s*(.+?)\s*")
_SQLITE = re.compile(r"(sqlite(?:\+\w+)?:///)(?!file:)(.+)")


def source_of(knowledge: Knowledge, folder: Path) -> Source:
    """The stream of entities: rows of a database, a CSV or JSON lines file, or a folder of texts."""
    columns = Columns(knowledge.keys, knowledge.identifying, knowledge.sensitive, knowledge.filters)
    if knowledge.database is not None:
        if not knowledge.identifying:
            raise PolicyError("Entities of a database need `identifying` columns.", "Name them.")
        return SqlSource(database_url(knowledge, folder), knowledge.entities, columns)
    path = folder / knowledge.entities
    if path.is_dir():
        return FolderSource(path)
    ending = "".join(path.suffixes[-2:]).removesuffix(".gz").lower()
    if ending.endswith((".csv", ".tsv")):
        return CsvSource(path, columns, "\t" if ending.endswith(".tsv") else ",")
    if ending.endswith((".jsonl", ".ndjson")):
        return JsonLinesSource(
            path, Columns(("id",), (), knowledge.sensitive, knowledge.filters, "type", "weight")
        )
    raise PolicyError(
        "`entities` names no folder, CSV or JSON lines file, and there is no `database`.", "Check the path."
    )


def database_url(knowledge: Knowledge, folder: Path) -> str:
    """The URL. A SQLite file's path is relative to the policy, and the file is only read."""
    return _database_url(knowledge, folder, "ro")


def _database_url(knowledge: Knowledge, folder: Path, mode: str) -> str:
    assert knowledge.database is not None
    match = _SQLITE.fullmatch(knowledge.database)
    if match is None:
        return knowledge.database
    return f"{match[1]}file:{quote(str((folder / match[2]).absolute()))}?mode={mode}&uri=true"


def index_path(name: str, knowledge: Knowledge, folder: Path) -> Path:
    return folder / (knowledge.index or f"{name}.index")


def build_index(
    name: str, knowledge: Knowledge, folder: Path, progress: Callable[[int], None] | None = None
) -> Path:
    """Make the index anew, whatever was there."""
    source = source_of(knowledge, folder)
    path = index_path(name, knowledge, folder)
    fingerprint = _fingerprint(source, knowledge, folder)  # before the rows: a change meanwhile is noticed
    _check_patterns(knowledge)
    build(
        source,
        path,
        fingerprint=fingerprint,
        fuzzy=knowledge.fuzzy,
        patterns=knowledge.patterns,
        progress=progress,
    )
    return path


def _check_patterns(knowledge: Knowledge) -> None:
    """A pattern for an attribute that is not there is a mistake in its name."""
    known = {*knowledge.identifying, *knowledge.sensitive}
    if known and not knowledge.patterns.keys() <= known:
        raise PolicyError(
            "`patterns` names an attribute that is neither identifying nor sensitive.", "Check the names."
        )


def follow(knowledge: Knowledge, folder: Path) -> None:
    """Make the database record its changes from now on."""
    if knowledge.database is None or not knowledge.followed:
        raise PolicyError("Only entities of a database with `follow` can be followed.", "Set `follow: true`.")
    Followed(_database_url(knowledge, folder, "rw"), knowledge.followed).install()


def watch(name: str, knowledge: Knowledge, folder: Path, patience: float = 0.25) -> Iterator[bool]:
    """Keep the index mended while somebody goes through this: each step says whether it had to be."""
    if knowledge.database is None or not knowledge.followed:
        raise PolicyError("Only entities of a database with `follow` can be followed.", "Set `follow: true`.")
    for changed in Followed(database_url(knowledge, folder), knowledge.followed).heard(patience):
        if changed:
            index_of(name, knowledge, folder)
        yield changed


def index_of(name: str, knowledge: Knowledge, folder: Path) -> EntityIndex:
    """The index of the entities as they are now: an outdated one is mended where the database records its
    changes; that, a damaged one or none is otherwise made anew."""
    if knowledge.followed:
        mended = _mended(index_path(name, knowledge, folder), knowledge, folder)
        if mended is not None:
            return mended
    fingerprint = _fingerprint(source_of(knowledge, folder), knowledge, folder)
    try:
        index = _store(index_path(name, knowledge, folder).absolute()).snapshot(fingerprint)
        if index.fuzzy >= knowledge.fuzzy:
            return index
    except InputError:
        pass
    path = build_index(name, knowledge, folder)
    return _store(path.absolute()).snapshot(None if knowledge.followed else fingerprint)


@lru_cache(maxsize=16)
def _store(path: Path) -> EntityStore:
    """Kept open from one reading to the next: it opens and checks a file only when the manifest has changed."""
    return EntityStore(path)


def _mended(path: Path, knowledge: Knowledge, folder: Path) -> EntityIndex | None:
    """The index with what changed since it was written, or None when there is none to mend."""
    url = database_url(knowledge, folder)
    source = source_of(knowledge, folder)
    assert isinstance(source, SqlSource)
    followed = Followed(url, knowledge.followed)
    store = _store(path.absolute())
    try:
        index = store.snapshot()
    except InputError:
        return None
    settings, _, old = index.fingerprint.rpartition(" ")
    if settings != _settings(knowledge) or index.fuzzy < knowledge.fuzzy:
        return None
    mark = followed.mark()
    changed = followed.since(old)
    if changed is None:
        return None
    if changed:
        mend(store, source, changed, f"{settings} {mark}")
    return store.snapshot()


def _settings(knowledge: Knowledge) -> str:
    """A mark of what the policy says about the entities. Edits are apart: an index for more serves fewer."""
    text = knowledge.model_dump_json(exclude={"access", "index", "types", "fuzzy", "fuzzy_lengths"})
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _fingerprint(source: Source, knowledge: Knowledge, folder: Path) -> str:
    """A mark that changes whenever the entities may have."""
    if knowledge.database is None:
        return (
            f"{source.fingerprint()} {_settings(knowledge)}" if knowledge.patterns else source.fingerprint()
        )
    if knowledge.followed:
        return (
            f"{_settings(knowledge)} {Followed(database_url(knowledge, folder), knowledge.followed).mark()}"
        )
    match = _SQLITE.fullmatch(knowledge.database)
    state = _file_state(folder / match[2]) if match else _rows_state(knowledge, folder)
    return f"{_settings(knowledge)} {state}"


def _file_state(path: Path) -> str:
    """A SQLite file and its write-ahead log as the file system sees them, and the file's own count of changes:
    two changes within a tick of the file system's clock have one time."""
    marks = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        with contextlib.suppress(FileNotFoundError):
            status, head = _looked_at(file)
            marks.append(f"{status.st_size}-{status.st_mtime_ns}-{status.st_ino}-{head[24:].hex()}")
    return "-".join(marks)


_OPEN: dict[Path, int] = {}
_OPENING = threading.Lock()


def _looked_at(file: Path) -> tuple[os.stat_result, bytes]:
    """A file's state and its first bytes. It stays open as long as it is the same file: whoever closes one drops
    every lock that SQLite holds on it in this process, and a view could be made of rows half written."""
    with _OPENING:
        there, known = file.stat(), _OPEN.get(file)
        if known is None or not os.path.samestat(os.fstat(known), there):
            _OPEN[file] = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
            if known is not None:
                os.close(known)
        descriptor = _OPEN[file]
        return os.fstat(descriptor), os.pread(descriptor, 32, 0)


def _rows_state(knowledge: Knowledge, folder: Path) -> str:
    """A digest of every row, made by the server; databases that cannot make one are read again each time."""
    import sqlalchemy as sa

    relation = Relation(database_url(knowledge, folder), knowledge.entities, knowledge.keys)
    digest = "sum(('x' || substr(md5(entities::text), 1, 15))::bit(60)::bigint)::text"
    try:
        with engine(relation.url).connect() as connection:
            if connection.dialect.name != "postgresql":
                return secrets.token_hex(8)
            rows = relation.clause if relation.is_query else relation.clause.alias("entities")
            return str(connection.execute(sa.select(sa.text(digest)).select_from(rows)).scalar_one())
    except sa.exc.SQLAlchemyError as error:
        raise InputError(
            f"The entities could not be read from the database ({type(error).__name__}).",
            "Check the URL, the driver, and the table or SELECT.",
        ) from None


def access_of(knowledge: Knowledge, folder: Path, viewer: str | None) -> Access:
    """Who decides what this viewer may see."""
    entry = knowledge.access
    if entry is None or knowledge.database is None:
        raise PolicyError("`access` needs a `database`.", "Name the database of the entities.")
    relation = Relation(database_url(knowledge, folder), knowledge.entities, knowledge.keys)
    if entry.postgres is not None:
        return PostgresAccess(relation, viewer, entry.postgres.session)
    if entry.grants is not None:
        grants = entry.grants
        return ViewAccess(relation, viewer, grants.view, grants.viewer, grants.columns_view)
    assert entry.labels is not None
    labels = entry.labels
    scheme = Scheme.of(labels.levels, labels.compartments, labels.groups)
    users, columns = _labelled(labels.users), _labelled(labels.columns)
    return LabelAccess(relation, scheme, users, viewer, labels.rows, columns, frozenset(knowledge.sensitive))


def _labelled(entry: UsersTable | Mapping[str, str]) -> Labelled:
    if isinstance(entry, UsersTable):
        return Labelled(table=entry.table, name=entry.name, label=entry.label)
    return Labelled(entry)


def selection_of(index: EntityIndex, protect: str | tuple[str, ...]) -> Selection:
    """`all`, a filter such as `category = cancer`, or ids. One that chooses nobody is a mistake: nothing would be
    protected, and the promise would hold whatever the text says."""
    chosen = _selected(index, protect)
    if protect != "all" and not len(chosen):
        raise PolicyError("`protect` chooses no entity.", "Check the value that it filters by.")
    return chosen


def _selected(index: EntityIndex, protect: str | tuple[str, ...]) -> Selection:
    if protect == "all":
        return index.everyone()
    if isinstance(protect, str):
        match = _FILTER.fullmatch(protect)
        if match is None:
            raise PolicyError(
                "`protect` is `all`, `denied`, a list of ids, or a filter.",
                "Write for example `category = cancer`.",
            )
        if not any(attribute.name == match[1] for attribute in index.attributes):
            raise PolicyError(
                "`protect` filters by an attribute that the entities do not have.", "Add it to `filters`."
            )
        return index.where(match[1], match[2].strip("'\""))
    missing = [id for id in protect if not index.holds(id)]
    if missing:
        raise PolicyError(
            f"{len(missing)} of the ids in `protect` are not among the entities.", "Check the ids."
        )
    return index.select(protect)


@dataclass(frozen=True)
class Known:
    """One entry of `knowledge`, opened and bound to the viewer."""

    name: str
    index: EntityIndex
    entry: Knowledge
    access: Access | None
    columns: tuple[DeniedColumns, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, entry: Knowledge, folder: Path, viewer: str | None) -> Known:
        index = index_of(name, entry, folder)
        if entry.access is None:
            return cls(name, index, entry, None)
        access = access_of(entry, folder, viewer)
        denial = access.denied_columns((*entry.identifying, *entry.sensitive))
        types = {_type(entry, column) for column in denial.denied}
        columns = (DeniedColumns(name, frozenset(types), denial.reason),) if types else ()
        notes = (denial.reason,) if "no answer" in denial.reason else ()
        return cls(name, index, entry, access, columns, notes)

    @property
    def finder(self) -> EntityFinder:
        return EntityFinder(
            self.index, self.name, Fuzziness(self.entry.fuzzy, self.entry.fuzzy_lengths), self.entry.types
        )

    @property
    def types(self) -> frozenset[str]:
        """The types that mentions of this knowledge can have."""
        return frozenset(_type(self.entry, attribute.name) for attribute in self.index.attributes)

    def k_safety(self, entry: KSafetyEntry) -> KSafety:
        if entry.protect == "denied":
            assert self.access is not None
            access = self.access
            protect: Selection | Denied = lambda ids: access.denied_entities(ids).denied  # noqa: E731
        else:
            protect = selection_of(self.index, entry.protect)
        return KSafety(
            index=self.index,
            over=self.name,
            k=None if entry.k == "all" else entry.k,
            protect=protect,
            scope=entry.scope,
            method=entry.method,
            time_limit=entry.time_limit,
            remove_infeasible=entry.infeasible == "remove",
        )


def _type(entry: Knowledge, column: str) -> str:
    return entry.types.get(column, column.upper())


def open_knowledge(entries: Mapping[str, Knowledge], folder: Path, viewer: str | None) -> dict[str, Known]:
    """Every entry of the policy's `knowledge`, opened and bound to the viewer."""
    return {name: Known.of(name, entry, folder, viewer) for name, entry in entries.items()}
