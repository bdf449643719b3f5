"""The repository: folders, each under a policy, and documents that are computed for the viewer who opens them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from efface.errors import EffaceError
from efface.formats import BY_ENDING, FORMATS
from efface.service.audit import RecordOfNew, Trail, unrecorded
from efface.service.auth.identity import Identity, team_of
from efface.service.jobs.processes import ClientDisconnected, RequestContext
from efface.service.problems import Problem, log_unexpected
from efface.service.repository.blobs import Blobs, digest_of
from efface.service.repository.earlier_copies import EarlierContents, RememberedCopies
from efface.service.repository.file_responses import name_of
from efface.service.repository.policies import NAME, FingerprintedPolicy, Policies
from efface.service.repository.release_memory import ReleaseMemory
from efface.service.repository.search_index import SearchIndex
from efface.service.repository.view_cache import (
    ComputedView,
    DocumentView,
    ViewCache,
    ViewerBinding,
    facts_digest,
)
from efface.service.repository.view_work import Attempt, ViewWork
from efface.service.store import Store, documents, folders

_MAX_NAME = 255  # as long as file systems take it
_ATTEMPTS = 8  # times that another opening of the same viewer or document may be quicker
_LISTED_SECONDS = 20.0  # seconds for one of many documents that are looked through
_PASSING = frozenset({"busy", "too-many-requests"})
_FACTS = [column for column in documents.c if column.name != "seq"]
_EVERY = sa.select(*_FACTS, folders.c.policy).join_from(
    documents, folders, documents.c.folder == folders.c.name
)
_BY_ID = _EVERY.where(documents.c.id.in_(sa.bindparam("documents", expanding=True)))


def _folder(name: str) -> sa.Select[tuple[str]]:
    return sa.select(folders.c.name).where(folders.c.name == name)


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as it lies in its folder. Its name and size are the original's: not for viewers."""

    id: str
    folder: str
    name: str
    file: str
    added: float
    policy: str

    @property
    def team(self) -> str:
        """The team that owns it."""
        return team_of(self.folder)


@dataclass(frozen=True, slots=True)
class ViewedDocument:
    """A document as its viewer may see it."""

    stored: Stored
    view: DocumentView
    policy: FingerprintedPolicy  # under which the view was computed

    @property
    def name(self) -> str:
        """The document's own name, or a neutral one."""
        ending = PurePath(self.stored.name).suffix.lower()
        neutral = f"document-{self.stored.id[:8]}{ending if ending in BY_ENDING else ''}"
        return self.view.name or neutral

    @property
    def data(self) -> bytes:
        assert self.view.released is not None
        return self.view.released

    @property
    def is_remembered(self) -> bool:
        """Whether opening the document is remembered. Until then neither its length nor a digest may be disclosed."""
        return self.view.copy is not None

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
            "bytes": 0 if self.is_remembered else len(self.data),
            "added": self.stored.added,
        }


@dataclass(frozen=True)
class Repository:
    """Folders and documents in the store, their bytes beside it."""

    store: Store
    blobs: Blobs
    policies: Policies
    views: ViewCache
    trail: Trail
    work: ViewWork
    index: SearchIndex
    memory: ReleaseMemory

    def put_folder(self, name: str, policy: str, record: RecordOfNew = unrecorded) -> None:
        if not NAME.fullmatch(name):
            raise Problem(
                "invalid", "A folder's name has letters, digits, - and _ only, and a team before a dot."
            )
        if team_of(name) != team_of(policy):
            raise Problem("not-found", "There is no policy of this name.")
        self.policies.get(policy)
        with self.store.write() as connection:
            self.store.lock(connection, "members")
            self.store.lock(connection, "folders")
            self._require_same_policy(connection, name, policy)
            self.index.start_over(connection, policy)
            changed = connection.execute(folders.update().where(folders.c.name == name).values(policy=policy))
            if not changed.rowcount:
                connection.execute(folders.insert().values(name=name, policy=policy, created=time.time()))
            record(connection, name, team_of(name))

    def _require_same_policy(self, connection: Connection, name: str, policy: str) -> None:
        """Where a policy in use changes only with a second person, one person cannot move its documents to another."""
        if not self.policies.stored.four_eyes:
            return
        chosen = sa.select(folders.c.policy).where(folders.c.name == name).with_for_update()
        before = connection.execute(chosen).scalar()
        held = sa.select(documents.c.id).where(documents.c.folder == name).limit(1)
        if before not in (None, policy) and connection.execute(held).first():
            raise Problem(
                "conflict", "Its documents stay under their policy: change that, with a second person."
            )

    def folders(self) -> dict[str, str]:
        """Each folder's policy."""
        with self.store.read() as connection:
            rows = connection.execute(sa.select(folders.c.name, folders.c.policy).order_by(folders.c.name))
            return {row.name: row.policy for row in rows}

    def delete_folder(self, name: str) -> None:
        with self.store.write() as connection:
            connection.execute(_folder(name).with_for_update())  # waits for a document that is being added
            if connection.execute(
                sa.select(documents.c.id).where(documents.c.folder == name).limit(1)
            ).first():
                raise Problem("conflict", "The folder is not empty.")
            if not connection.execute(folders.delete().where(folders.c.name == name)).rowcount:
                raise Problem("not-found")

    def add(self, folder: str, name: str, data: bytes, record: RecordOfNew = unrecorded) -> str:
        """The new document's id. It is there once this returns, and so is what `record` writes."""
        name = PurePath(name.replace("\\", "/")).name
        if name != name_of(name) or len(name) > _MAX_NAME:
            raise Problem("invalid", "A document needs a plain file name.")
        file = self.blobs.put(data)
        id = secrets.token_hex(12)
        try:
            with self.store.write() as connection:
                self.policies.stored.hold(connection)
                # Held until the document is there: the folder is neither deleted nor moved to a policy meanwhile.
                if not connection.execute(_folder(folder).with_for_update(read=True)).first():
                    raise Problem("not-found", "There is no such folder.")
                self.store.lock(connection, "documents")  # so that later documents have higher numbers
                last = connection.execute(sa.select(sa.func.max(documents.c.seq))).scalar() or 0
                row = {"id": id, "folder": folder, "name": name, "file": file, "added": round(time.time())}
                connection.execute(documents.insert().values({**row, "seq": last + 1}))
                record(connection, id, team_of(folder))
        except BaseException as error:
            if not getattr(
                error, "connection_invalidated", False
            ):  # else the row may be there, though nobody heard of it
                self.blobs.delete(file)
            raise
        return id

    def delete(self, id: str, who: Identity) -> str:
        """Take a document out of a folder of a team in which they may, and return the folder's name."""
        with self.store.write() as connection:
            chosen = sa.select(documents.c.file, documents.c.folder).where(documents.c.id == id)
            row = connection.execute(chosen).first()
            if row is None or not who.may_in(team_of(row.folder), "write"):
                raise Problem("not-found")
            connection.execute(documents.delete().where(documents.c.id == id))
            self.index.forget(connection, id)
        self.store.afterwards(partial(self.blobs.delete, row.file))
        return str(row.folder)

    def stored(self, ids: Collection[str]) -> dict[str, Stored]:
        """Returns the documents that still exist."""
        with self.store.read() as connection:
            rows: Any = connection.execute(_BY_ID, {"documents": list(ids)})
            return {row.id: Stored(*row) for row in rows}

    def _stored(self, *where: sa.ColumnElement[bool]) -> list[Stored]:
        chosen = _EVERY.where(*where).order_by(documents.c.added, documents.c.id)
        with self.store.read() as connection:
            return [Stored(**row) for row in connection.execute(chosen).mappings()]

    def visible(self, who: Identity, folder: str | None, asker: RequestContext) -> Iterator[ViewedDocument]:
        """Every document that exists for the viewer, oldest first. Permissions are asked for once a policy."""
        where = (documents.c.folder == folder,) if folder is not None else ()
        viewings: dict[str, ViewerBinding | None] = {}
        rows = [row for row in self._stored(*where) if who.may_in(row.team, "read")]
        for stored in rows:
            if asker.gone.is_set():
                raise ClientDisconnected
            if stored.policy not in viewings:
                viewings[stored.policy] = self.viewing(stored.policy, who.viewer, rows)
            viewing = viewings[stored.policy]
            if viewing is None:
                continue
            view = self.view_or_none(viewing, stored, asker)
            if view is not None and view.released is not None:
                yield ViewedDocument(stored, view, viewing.policy)

    def viewing(self, name: str, viewer: str, rows: Collection[Stored] = ()) -> ViewerBinding | None:
        """None when the policy or its databases are out of order: its documents are then not there."""
        try:
            viewing = ViewerBinding.of(self.policies.get(name), viewer)
        except (Problem, EffaceError) as error:
            log_unexpected(error)
            return None
        same = ((digest_of(row.file), row.name) for row in rows if row.policy == name)
        self.views.prepare(viewing, same)
        return viewing

    def view_or_none(
        self, viewing: ViewerBinding, stored: Stored, asker: RequestContext, *, hand_out: bool = False
    ) -> DocumentView | None:
        """None when its file is damaged, gone, or takes too long: that hides one document, not the folder. What says
        nothing of the document is raised: a service that stops, or too much of one person at a time."""
        try:
            return self.view(viewing, stored, self._listed_attempt(asker), hand_out=hand_out)
        except EffaceError as error:
            log_unexpected(error)
            return None
        except Problem as problem:
            if problem.kind in _PASSING:
                raise
            log_unexpected(problem)
            return None

    def view(
        self, viewing: ViewerBinding, stored: Stored, attempt: Attempt, *, hand_out: bool = False
    ) -> DocumentView:
        """The document as the viewer may see it now. What is handed out is remembered first, where the policy judges
        releases together; without `hand_out` the caller must show none of its words."""
        computed = partial(self._computed, viewing, stored, attempt)
        digest = digest_of(stored.file)
        if not viewing.remembers:
            return self.views.open(viewing, digest, stored.name, computed)
        policy = viewing.policy.mark or viewing.policy.digest
        for _ in range(_ATTEMPTS):
            earlier = RememberedCopies.of(
                self.memory, viewing.bound, policy, digest, stored.team, viewing.viewer
            )
            view = self.views.open(viewing, digest, stored.name, computed)
            if view.copy is not None and not earlier.allows(view.copy):
                view = self.views.open(viewing, digest, stored.name, computed, earlier.contents)
            if view.copy is None or not hand_out or earlier.remember(view.copy):
                return view
        raise Problem("busy", "The document is opened too often at once.", headers={"Retry-After": "2"})

    def is_handed_out(self, opened: ViewedDocument, viewer: str, asker: RequestContext) -> bool:
        """Whether these bytes may be given to the viewer now; they are then remembered, where the policy asks for it."""
        if opened.view.copy is None:
            return True
        viewing = self.viewing(opened.stored.policy, viewer)
        if viewing is None:
            return False
        return (
            self.view(viewing, opened.stored, self._listed_attempt(asker), hand_out=True).released
            == opened.view.released
        )

    def _listed_attempt(self, asker: RequestContext) -> Attempt:
        seconds = min(_LISTED_SECONDS, self.work.settings.request_seconds)
        return Attempt(seconds, asker.gone, asker.user, asker.background)

    def _computed(
        self, viewing: ViewerBinding, stored: Stored, attempt: Attempt, earlier: EarlierContents | None = None
    ) -> ComputedView:
        data = self.blobs.get(stored.file)
        made = self.work.compute(viewing, stored.name, data, attempt, earlier)
        if viewing.remembers and made.facts != facts_digest(viewing.bound):
            # It would be remembered under another state of the knowledge than the one it was computed with.
            raise Problem("busy", "The knowledge has just changed.", headers={"Retry-After": "1"})
        return made
