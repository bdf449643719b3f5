"""An index of the words that each viewer would see, as a filter before their views decide.

The index is of views, not of originals: an entry holds a document as one viewer saw it last. Words are stored as keyed
hashes, with another key for each policy and viewer. So a word that is denied to a viewer is not in their index, just as
a word of no document, and a search for it takes the same time. A reader of the store learns no word of a document. An
entry may be out of date. It only names candidates: each is opened before it is listed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from efface.service.store import Store, documents, folders, meta, search_scopes, search_views

_TOKEN = 5  # bytes of a hashed word; words that collide only cause a view to be opened without need
_FRESH = 60.0  # seconds for which a check is not noted again
_MOVES = "folders moved"
_UNUSED = 30 * 86400.0  # seconds without a search after which entries are deleted


@dataclass(frozen=True)
class ViewerScope:
    """What one viewer sees under one policy."""

    id: str
    policy: str
    key: bytes = field(repr=False)

    def tokens(self, words: Iterable[str]) -> list[str]:
        """The words as the index knows them."""
        return [self._token(word) for word in words]

    def _token(self, word: str) -> str:
        data = word.encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(data, key=self.key, digest_size=_TOKEN).digest()
        return base64.b32encode(digest).decode().lower()

    def digest(self, text: str) -> str:
        """A digest of a view, to see whether it changed."""
        data = text.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, key=self.key, digest_size=16).hexdigest()


@dataclass(frozen=True)
class Entry:
    """A document as a viewer saw it: a digest of that, and its words; none for what they may not see."""

    document: str
    view: str
    words: Collection[str] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class UnindexedDocuments:
    """Documents without an entry; the position up to which all documents have one once these do; and how often
    folders had changed their policy by then."""

    ids: list[str]
    upto: int
    moves: int


@dataclass(frozen=True)
class SearchIndex:
    """The entries in the store: SQLite's FTS5, or PostgreSQL's tsvector."""

    store: Store
    key: bytes = field(repr=False)

    def scope(self, policy: str, viewer: str) -> ViewerScope:
        made = hmac.new(self.key, f"search {policy}\0{viewer}".encode(), hashlib.sha256).digest()
        return ViewerScope(hashlib.sha256(b"id " + made).hexdigest()[:32], policy, made)

    # --- reading ------------------------------------------------------------------------------------------

    def matching(self, scope: ViewerScope, words: Collection[str]) -> list[str]:
        """The documents whose view held all these words."""
        tokens = scope.tokens(sorted(words))
        with self.store.read() as connection:
            if self.store.is_postgres:
                asked = " & ".join(f"'{token}'" for token in tokens)
                statement = _MATCH_POSTGRES
            else:
                asked = " AND ".join(f'"{token}"' for token in tokens)
                statement = _MATCH_SQLITE
            return list(connection.execute(sa.text(statement), {"asked": asked, "scope": scope.id}).scalars())

    def shown(self, scope: ViewerScope) -> sa.Select[Any]:
        """The documents that the viewer saw something of, to be counted or listed."""
        chosen = sa.select(documents.c.id, documents.c.added).join_from(
            search_views, documents, documents.c.id == search_views.c.document
        )
        return chosen.where(search_views.c.scope == scope.id, search_views.c.shown == 1)

    def count(self, scope: ViewerScope) -> int:
        """Entries, up to one more than are checked at each search."""
        chosen = sa.select(search_views.c.id).where(search_views.c.scope == scope.id).limit(_COUNTED)
        with self.store.read() as connection:
            return len(connection.execute(chosen).all())

    def known(self, scope: ViewerScope, ids: Collection[str]) -> dict[str, Any]:
        chosen = sa.select(search_views).where(
            search_views.c.scope == scope.id, search_views.c.document.in_(ids)
        )
        with self.store.read() as connection:
            return {row.document: row for row in connection.execute(chosen)}

    def unseen(self, scope: ViewerScope, most: int) -> UnindexedDocuments:
        """Documents under the policy that have no entry yet, in the order in which they came."""
        with self.store.read() as connection:
            moves = _moves(connection)
            last = connection.execute(sa.select(sa.func.max(documents.c.seq))).scalar() or 0
            upto = connection.execute(_UPTO.where(search_scopes.c.scope == scope.id)).scalar() or 0
            joined = sa.and_(search_views.c.scope == scope.id, search_views.c.document == documents.c.id)
            chosen = (
                sa.select(documents.c.id, documents.c.seq)
                .join_from(documents, folders, documents.c.folder == folders.c.name)
                .outerjoin(search_views, joined)
                .where(folders.c.policy == scope.policy, documents.c.seq >= upto)
                .where(search_views.c.id.is_(None))
                .order_by(documents.c.seq)
                .limit(most)
            )
            rows = connection.execute(chosen).all()
        return UnindexedDocuments(
            [row.id for row in rows], rows[-1].seq if len(rows) == most else last, moves
        )

    def outdated(self, scope: ViewerScope, mark: str, most: int) -> list[str]:
        """Entries of another state of the policy or its knowledge."""
        mine = search_views.c.scope == scope.id
        found: list[str] = []
        with self.store.read() as connection:
            for other in (search_views.c.mark < mark, search_views.c.mark > mark):
                chosen = sa.select(search_views.c.document).where(mine, other).limit(most - len(found))
                found += connection.execute(chosen).scalars().all()
        return found

    def oldest(self, scope: ViewerScope, most: int) -> list[str]:
        """Entries that were not checked for longest."""
        chosen = sa.select(search_views.c.document).where(search_views.c.scope == scope.id)
        with self.store.read() as connection:
            return list(
                connection.execute(chosen.order_by(search_views.c.checked).limit(most)).scalars().all()
            )

    # --- writing ------------------------------------------------------------------------------------------

    def write(
        self, scope: ViewerScope, mark: str, entries: Sequence[Entry], gone: Sequence[str] = ()
    ) -> None:
        """Note what a viewer sees now. What is as it was, and was checked a moment ago, is not written again. A document
        that was deleted since it was looked at gets no entry."""
        known = self.known(scope, [entry.document for entry in entries])
        now = time.time()
        changed = [entry for entry in entries if _differs(known.get(entry.document), entry, mark, now)]
        if not changed and not gone:
            return
        with self.store.write() as connection:
            self.store.lock(connection, "search")
            self._remove(connection, *_of(scope, gone))
            there = _there(connection, [entry.document for entry in changed])
            for entry in changed:
                if entry.document in there:
                    self._put(connection, scope, mark, entry, now)

    def _put(self, connection: Connection, scope: ViewerScope, mark: str, entry: Entry, now: float) -> None:
        values = {"mark": mark, "checked": now, "view": entry.view, "shown": int(entry.words is not None)}
        chosen = sa.select(search_views.c.id, search_views.c.view).where(*_of(scope, [entry.document]))
        row = connection.execute(chosen).first()
        if row is None:
            made = connection.execute(
                search_views.insert().values(scope=scope.id, document=entry.document, **values)
            )
            id: int = made.inserted_primary_key[0]  # type: ignore[index]
        else:
            id = row.id
            connection.execute(search_views.update().where(search_views.c.id == id).values(values))
            if row.view == entry.view:
                return
            connection.execute(sa.text(_DELETE[self.store.is_postgres]), {"id": id})
        if entry.words:
            tokens: Any = sorted(scope.tokens(entry.words))
            given = tokens if self.store.is_postgres else " ".join(tokens)
            connection.execute(sa.text(_INSERT[self.store.is_postgres]), {"id": id, "words": given})

    def caught_up(self, scope: ViewerScope, seen: UnindexedDocuments) -> None:
        """Note that these have entries now, unless older documents have come under the policy since they were asked for."""
        now = time.time()
        values = {"policy": scope.policy, "upto": seen.upto, "used": now}
        with self.store.read() as connection:
            row = connection.execute(
                sa.select(search_scopes).where(search_scopes.c.scope == scope.id)
            ).first()
        if row is not None and row.upto == seen.upto and now - row.used < _FRESH:
            return
        with self.store.write() as connection:
            self.store.lock(connection, "search")
            if _moves(connection) != seen.moves:
                return
            mine = search_scopes.c.scope == scope.id
            if not connection.execute(search_scopes.update().where(mine).values(values)).rowcount:
                connection.execute(search_scopes.insert().values(scope=scope.id, **values))

    def start_over(self, connection: Connection, policy: str) -> None:
        """Check a policy's documents from the first one again: older documents have come under it."""
        self.store.lock(connection, "search")
        connection.execute(search_scopes.delete().where(search_scopes.c.policy == policy))
        moves = {"value": str(_moves(connection) + 1)}
        if not connection.execute(meta.update().where(meta.c.key == _MOVES).values(moves)).rowcount:
            connection.execute(meta.insert().values(key=_MOVES, **moves))

    def forget(self, connection: Connection, document: str) -> None:
        """Deletes the entries of a deleted document. A writer of this moment has ended by then, and a later one no
        longer finds the document."""
        self.store.lock(connection, "search")
        self._remove(connection, search_views.c.document == document)

    def sweep(self) -> None:
        """Delete the entries that are no longer searched."""
        with self.store.write() as connection:
            self.store.lock(connection, "search")
            old = search_scopes.c.used < time.time() - _UNUSED
            unused = sa.select(search_scopes.c.scope).where(old)
            self._remove(connection, search_views.c.scope.in_(unused))
            connection.execute(search_scopes.delete().where(old))

    def _remove(self, connection: Connection, *which: sa.ColumnElement[bool]) -> None:
        """Entries with their words. SQLite gives the number of a removed entry to the next one: words that stayed would
        be that one's."""
        ids = connection.execute(sa.select(search_views.c.id).where(*which)).scalars().all()
        for id in ids:
            connection.execute(sa.text(_DELETE[self.store.is_postgres]), {"id": id})
        connection.execute(search_views.delete().where(*which))


def _of(scope: ViewerScope, ids: Sequence[str]) -> tuple[sa.ColumnElement[bool], ...]:
    return search_views.c.scope == scope.id, search_views.c.document.in_(ids)


def _moves(connection: Connection) -> int:
    """How often folders have come under another policy."""
    return int(connection.execute(sa.select(meta.c.value).where(meta.c.key == _MOVES)).scalar() or 0)


def _there(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Returns the documents that still exist."""
    chosen = sa.select(documents.c.id).where(documents.c.id.in_(ids))
    return set(connection.execute(chosen).scalars())


def _differs(row: Any, entry: Entry, mark: str, now: float) -> bool:
    return row is None or row.view != entry.view or row.mark != mark or now - row.checked > _FRESH


_COUNTED = 1001  # one more than a page says: "more than 1000"
_UPTO = sa.select(search_scopes.c.upto)
_MATCH_SQLITE = (  # a cross join is not turned round: the words come first, and not every entry of the viewer
    "SELECT v.document FROM efface_words CROSS JOIN efface_search v ON v.id = efface_words.rowid "
    "WHERE efface_words MATCH :asked AND v.scope = :scope"
)
_MATCH_POSTGRES = (
    "SELECT v.document FROM efface_words w JOIN efface_search v ON v.id = w.id "
    "WHERE w.words @@ CAST(:asked AS tsquery) AND v.scope = :scope"
)
_DELETE = {  # by whether it is PostgreSQL
    False: "DELETE FROM efface_words WHERE rowid = :id",
    True: "DELETE FROM efface_words WHERE id = :id",
}
_INSERT = {
    False: "INSERT INTO efface_words (rowid, words) VALUES (:id, :words)",
    True: "INSERT INTO efface_words (id, words) VALUES (:id, array_to_tsvector(CAST(:words AS text[])))",
}
