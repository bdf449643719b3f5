"""The repository: folders, each under a policy, and documents that are computed for whoever opens them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa

from efface.errors import EffaceError
from efface.formats import BY_ENDING, FORMATS
from efface.service.audit import Event, Trail
from efface.service.blobs import Blobs, digest_of
from efface.service.identity import Identity
from efface.service.policies import NAME, Policies
from efface.service.problems import Problem, log_unexpected
from efface.service.search import Hit, Query, rank
from efface.service.store import Store, documents, folders
from efface.service.views import View, Viewing, Views

_MAX_NAME = 255
_EVERY = sa.select(documents, folders.c.policy).join_from(
    documents, folders, documents.c.folder == folders.c.name
)
_BY_ID = _EVERY.where(documents.c.id.in_(sa.bindparam("documents", expanding=True)))


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as it lies in its folder. Its name and size are the original's: not for viewers."""

    id: str
    folder: str
    name: str
    file: str
    added: float
    policy: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A document as its viewer may see it."""

    stored: Stored
    view: View

    @property
    def name(self) -> str:
        """Its own name, or one that says nothing."""
        ending = PurePath(self.stored.name).suffix.lower()
        neutral = f"document-{self.stored.id[:8]}{ending if ending in BY_ENDING else ''}"
        return self.view.name or neutral

    @property
    def data(self) -> bytes:
        assert self.view.released is not None
        return self.view.released

    @property
    def media_type(self) -> str:
        return FORMATS[self.view.format].media_types[0]

    def summary(self) -> dict[str, Any]:
        """What its viewer may know before opening it."""
        return {
            "id": self.stored.id,
            "folder": self.stored.folder,
            "name": self.name,
            "media_type": self.media_type,
            "bytes": len(self.data),
            "added": self.stored.added,
        }


@dataclass(frozen=True)
class Repository:
    """Folders and documents in the store, their bytes beside it."""

    store: Store
    blobs: Blobs
    policies: Policies
    views: Views
    trail: Trail

    def put_folder(self, name: str, policy: str) -> None:
        if not NAME.fullmatch(name):
            raise Problem("invalid", "A folder's name has letters, digits, - and _ only.")
        self.policies.get(policy)
        with self.store.write() as connection:
            changed = connection.execute(folders.update().where(folders.c.name == name).values(policy=policy))
            if not changed.rowcount:
                connection.execute(folders.insert().values(name=name, policy=policy, created=time.time()))

    def folders(self) -> dict[str, str]:
        """Each folder's policy."""
        with self.store.read() as connection:
            rows = connection.execute(sa.select(folders.c.name, folders.c.policy).order_by(folders.c.name))
            return {row.name: row.policy for row in rows}

    def delete_folder(self, name: str) -> None:
        with self.store.write() as connection:
            if connection.execute(
                sa.select(documents.c.id).where(documents.c.folder == name).limit(1)
            ).first():
                raise Problem("conflict", "The folder is not empty.")
            if not connection.execute(folders.delete().where(folders.c.name == name)).rowcount:
                raise Problem("not-found")

    def add(self, folder: str, name: str, data: bytes) -> str:
        """The new document's id. It is there once this returns."""
        name = PurePath(name.replace("\\", "/")).name
        if not name or len(name) > _MAX_NAME or not name.isprintable():
            raise Problem("invalid", "A document needs a plain file name.")
        file = self.blobs.put(data)
        id = secrets.token_hex(12)
        try:
            with self.store.write() as connection:
                if not connection.execute(sa.select(folders.c.name).where(folders.c.name == folder)).first():
                    raise Problem("not-found", "There is no such folder.")
                row = {"id": id, "folder": folder, "name": name, "file": file, "added": round(time.time())}
                connection.execute(documents.insert().values(row))
        except BaseException:
            self.blobs.delete(file)
            raise
        return id

    def delete(self, id: str) -> None:
        with self.store.write() as connection:
            file = connection.execute(sa.select(documents.c.file).where(documents.c.id == id)).scalar()
            if file is None:
                raise Problem("not-found")
            connection.execute(documents.delete().where(documents.c.id == id))
        self.blobs.delete(file)

    def stored(self, ids: Collection[str]) -> dict[str, Stored]:
        """Those of these documents that there are."""
        with self.store.read() as connection:
            rows = connection.execute(_BY_ID, {"documents": list(ids)})
            return {row.id: Stored(*row) for row in rows}

    def _stored(self, *where: sa.ColumnElement[bool]) -> list[Stored]:
        chosen = _EVERY.where(*where).order_by(documents.c.added, documents.c.id)
        with self.store.read() as connection:
            return [Stored(**row) for row in connection.execute(chosen).mappings()]

    def visible(self, who: Identity, folder: str | None = None) -> Iterator[Opened]:
        """Every document that there is for whoever asks, oldest first. Permissions are asked for once a policy."""
        where = (documents.c.folder == folder,) if folder is not None else ()
        viewings: dict[str, Viewing | None] = {}
        rows = self._stored(*where)
        for stored in rows:
            if stored.policy not in viewings:
                viewings[stored.policy] = self._viewing(stored.policy, who, rows)
            viewing = viewings[stored.policy]
            view = self._view_or_none(viewing, stored) if viewing is not None else None
            if view is not None and view.released is not None:
                yield Opened(stored, view)

    def _viewing(self, name: str, who: Identity, rows: list[Stored]) -> Viewing | None:
        """None when the policy or its databases are out of order: its documents are then not there."""
        try:
            viewing = Viewing.of(self.policies.get(name), who.viewer)
        except (Problem, EffaceError) as error:
            log_unexpected(error)
            return None
        same = ((digest_of(row.file), row.name) for row in rows if row.policy == name)
        self.views.prepare(viewing, same)
        return viewing

    def _view_or_none(self, viewing: Viewing, stored: Stored) -> View | None:
        """None when its file is damaged or gone: that hides one document, not the folder."""
        try:
            return self.view(viewing, stored)
        except EffaceError as error:
            log_unexpected(error)
            return None

    def view(self, viewing: Viewing, stored: Stored) -> View:
        """As the viewer may see it now."""
        return self.views.open(
            viewing, digest_of(stored.file), stored.name, partial(self.blobs.get, stored.file)
        )

    def search(self, who: Identity, text: str, folder: str | None) -> list[tuple[Opened, Hit]]:
        """Documents in which whoever asks would see all these words, best first; all of them without words.

        The words are compared with their views alone, after these were made without regard to the words.
        """
        query = Query.parse(text)
        found = [(opened, hit) for opened in self.visible(who, folder) if (hit := query.match(opened))]
        detail = {"viewer": who.viewer, "found": str(len(found))}
        self.trail.append(Event.of(who.name, "search", folder or "", **detail))
        return sorted(found, key=rank)
