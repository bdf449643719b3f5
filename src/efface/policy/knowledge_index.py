"""The index of a policy's entities: built, opened, mended while the database changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from efface.errors import InputError, PolicyError
from efface.knowledge.databases.changes import FollowedTables, followed, mend
from efface.knowledge.databases.sql import SqlSource
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.sources import Source
from efface.knowledge.entities.store import EntityStore, build
from efface.policy.entries import Knowledge
from efface.policy.knowledge_access import require_rights
from efface.policy.knowledge_sources import database_url, relation_of, source_of

LookedAt = dict[tuple[str, Path], tuple[Knowledge, EntityIndex]]

_LOOKED_AT: ContextVar[LookedAt | None] = ContextVar("looked_at", default=None)


def index_path(name: str, knowledge: Knowledge, folder: Path) -> Path:
    return folder / (knowledge.index or f"{name}.index")


def build_index(
    name: str, knowledge: Knowledge, folder: Path, progress: Callable[[int], None] | None = None
) -> Path:
    """Rebuilds the index. An existing one is replaced."""
    path = index_path(name, knowledge, folder)
    _build_at(path, knowledge, folder, progress)
    return path


def _build_at(
    path: Path, knowledge: Knowledge, folder: Path, progress: Callable[[int], None] | None = None
) -> str:
    """Write the index; the fingerprint that it has then."""
    require_rights(knowledge, folder)
    source = source_of(knowledge, folder)
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
    return fingerprint


def _check_patterns(knowledge: Knowledge) -> None:
    """A pattern for an attribute that is not there is a mistake in its name."""
    known = {*knowledge.identifying, *knowledge.sensitive}
    if known and not knowledge.patterns.keys() <= known:
        raise PolicyError(
            "`patterns` names an attribute that is neither identifying nor sensitive.", "Check the names."
        )


def follow(knowledge: Knowledge, folder: Path) -> None:
    """Make the database record its changes from now on."""
    tables = _followed(knowledge, folder).tables
    FollowedTables(database_url(knowledge, folder, "rw"), tables).install()


def watch(name: str, knowledge: Knowledge, folder: Path, patience: float = 0.25) -> Iterator[bool]:
    """Keep the index up to date while the caller iterates: each step yields whether something had changed."""
    for changed in _followed(knowledge, folder).heard(patience):
        if changed:
            index_of(name, knowledge, folder)
        yield changed


def _followed(knowledge: Knowledge, folder: Path) -> FollowedTables:
    """Every table that the entities are made of."""
    if knowledge.database is None or not knowledge.follow:
        raise PolicyError("Only entities of a database with `follow` can be followed.", "Set `follow: true`.")
    return followed(relation_of(knowledge, folder), knowledge.followed)


@contextmanager
def one_look(looked_at: LookedAt | None = None) -> Iterator[None]:
    """Within it the entities of a policy are looked at once, however many viewers are bound to them. What was `looked_at`
    before is not looked at again."""
    token = _LOOKED_AT.set({} if looked_at is None else looked_at)
    try:
        yield
    finally:
        _LOOKED_AT.reset(token)


def index_of(name: str, knowledge: Knowledge, folder: Path) -> EntityIndex:
    """The index of the entities as they are now, or as they were at this look (see `one_look`)."""
    looked_at = _LOOKED_AT.get()
    if looked_at is None:
        return _current_index(name, knowledge, folder)
    known = looked_at.get((name, folder))
    if known is None or known[0] is not knowledge:
        known = looked_at[name, folder] = knowledge, _current_index(name, knowledge, folder)
    return known[1]


def _current_index(name: str, knowledge: Knowledge, folder: Path) -> EntityIndex:
    """Returns an up-to-date index. An outdated index is updated if the database records its changes. Otherwise it is
    built again, like a damaged or missing one."""
    require_rights(knowledge, folder)
    if knowledge.follow:
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
    # A database that makes no digest of its rows has another fingerprint at every question: the one that was built counts.
    path = index_path(name, knowledge, folder)
    built = _build_at(path, knowledge, folder)
    return _store(path.absolute()).snapshot(None if knowledge.follow else built)


@lru_cache(maxsize=16)
def _store(path: Path) -> EntityStore:
    """Kept open from one reading to the next: it opens and checks a file only when the manifest has changed."""
    return EntityStore(path)


def _mended(path: Path, knowledge: Knowledge, folder: Path) -> EntityIndex | None:
    """The index with what changed since it was written, or None when there is none to mend."""
    source = source_of(knowledge, folder)
    assert isinstance(source, SqlSource)
    record = _followed(knowledge, folder)
    record.require_installed()
    store = _store(path.absolute())
    try:
        index = store.snapshot()
    except InputError:
        return None
    settings, _, old = index.fingerprint.rpartition(" ")
    if settings != _followed_settings(knowledge, record) or index.fuzzy < knowledge.fuzzy:
        return None
    mark = record.mark()
    changed = record.since(old)
    if changed is None:
        return None
    is_table = record.is_table(source.entities)
    if changed and not mend(store, source, changed, f"{settings} {mark}", is_table=is_table):
        return None
    return store.snapshot()


def _settings(knowledge: Knowledge) -> str:
    """A digest of the policy's settings for the entities. `fuzzy` is not part of it: an index built for two edits
    also serves one."""
    text = knowledge.model_dump_json(exclude={"access", "index", "types", "fuzzy", "fuzzy_lengths"})
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _followed_settings(knowledge: Knowledge, record: FollowedTables) -> str:
    """The settings, with what no trigger notices: a view that was redefined, a partition that came or went."""
    return f"{_settings(knowledge)} {record.structure}"


def _fingerprint(source: Source, knowledge: Knowledge, folder: Path) -> str:
    """A mark that changes whenever the entities may have."""
    if knowledge.database is None:
        return (
            f"{source.fingerprint()} {_settings(knowledge)}" if knowledge.patterns else source.fingerprint()
        )
    if knowledge.follow:
        record = _followed(knowledge, folder)
        record.require_installed()
        return f"{_followed_settings(knowledge, record)} {record.mark()}"
    return f"{_settings(knowledge)} {relation_of(knowledge, folder).state()}"
