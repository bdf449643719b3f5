"""Policies in the store: every version, who wrote it, when and why. All machines of a service use the same one.

A policy names files (models, lists) that lie beside it on each machine. Their digest is stored with the version, and a
machine whose files differ refuses to use it: machines never disagree about what is hidden.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from efface.service.auth.identity import Identity
from efface.service.problems import Problem
from efface.service.store import Store, documents, folders, jobs, policy_versions


@dataclass(frozen=True)
class Version:
    """One version of a policy. `state` is active, pending (a second person must approve it) or past."""

    name: str
    version: int
    state: str
    digest: str
    author: str
    reason: str
    created: float
    approver: str
    text: str

    def data(self) -> dict[str, Any]:
        """All but the text."""
        names = ("name", "version", "state", "digest", "author", "reason", "created", "approver")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Change:
    """A new text for a policy. `digest` is of the text and of the files it names."""

    name: str
    text: str
    digest: str
    author: str
    reason: str


@dataclass(frozen=True)
class StoredPolicies:
    """Versions of policies in the store."""

    store: Store
    four_eyes: bool = False  # a policy in use changes only when a second person approves

    def names(self) -> list[str]:
        chosen = sa.select(policy_versions.c.name).where(policy_versions.c.state == "active").distinct()
        with self.store.read() as connection:
            return sorted(connection.execute(chosen).scalars())

    def active(self, name: str) -> Version | None:
        with self.store.read() as connection:
            return _active(connection, name)

    def versions(self, name: str) -> list[Version]:
        """The versions of a policy, the newest first."""
        chosen = sa.select(policy_versions).where(policy_versions.c.name == name)
        with self.store.read() as connection:
            rows = connection.execute(chosen.order_by(policy_versions.c.version.desc())).mappings().all()
        return [Version(**row) for row in rows]

    def push(self, change: Change, *, base: int | None = None, adopts: bool = False) -> Version:
        """Store a new version. `base` is the version that its author began with: a change made meanwhile by another
        person is not overwritten unseen. A policy in use waits for a second person if the settings say so."""
        with self.store.write() as connection:
            self.store.lock(connection, "policies")
            known = _all_versions(connection, change.name)
            current = next((each for each in known if each.state == "active"), None)
            if current is not None and current.text == change.text and current.digest == change.digest:
                return current
            if base is not None and base != (current.version if current else 0):
                raise Problem("conflict", "The policy was changed meanwhile: pull, compare and push again.")
            # A file on a machine may be in use before the store knows any version.
            waits = self.four_eyes and not adopts and _in_use(connection, change.name)
            return _insert(connection, change, known, "pending" if waits else "active")

    def hold(self, connection: Connection) -> None:
        """Held by a transaction that puts a file under a policy: a change that is pushed meanwhile waits until it is
        committed, and then finds the policy in use."""
        self.store.lock(connection, "members")
        self.store.lock(connection, "policies", shared=True)

    def approve(self, name: str, version: int, who: Identity) -> Version:
        """Let a pending version take effect. Its author cannot approve it, nor by a token that they made for another."""
        with self.store.write() as connection:
            self.store.lock(connection, "policies")
            found = next((each for each in _all_versions(connection, name) if each.version == version), None)
            if found is None or found.state != "pending":
                raise Problem("not-found", "There is no such version that waits.")
            if found.author in who.hands:
                raise Problem("conflict", "Somebody else must approve what you changed.")
            _retire(connection, name, version)
            same = (policy_versions.c.name == name, policy_versions.c.version == version)
            connection.execute(
                policy_versions.update().where(*same).values(state="active", approver=who.name)
            )
        active = self.active(name)
        assert active is not None
        return active

    def adopt(self, change: Change) -> Version:
        """The version in the store, which is this one if there was none: the first machine that has it decides."""
        found = self.active(change.name)
        return found if found is not None else self.push(change, base=0, adopts=True)


def _insert(connection: Connection, change: Change, known: Sequence[Version], state: str) -> Version:
    last = max((each.version for each in known), default=0)
    if state == "active":
        _retire(connection, change.name, last + 1)
    given = {"name": change.name, "text": change.text, "digest": change.digest, "author": change.author}
    more = {"reason": change.reason, "approver": "", "created": time.time()}
    made = Version(version=last + 1, state=state, **given, **more)  # type: ignore[arg-type]
    connection.execute(policy_versions.insert().values(**made.data(), text=made.text))
    return made


def _retire(connection: Connection, name: str, version: int) -> None:
    """Marks the active version as past, and drops older changes that wait. Approved later, such a change would
    silently undo the newer one."""
    same = policy_versions.c.name == name
    older = sa.and_(policy_versions.c.state == "pending", policy_versions.c.version < version)
    gone = sa.or_(policy_versions.c.state == "active", older)
    connection.execute(policy_versions.update().where(same, gone).values(state="past"))


def _active(connection: Connection, name: str) -> Version | None:
    same = (policy_versions.c.name == name, policy_versions.c.state == "active")
    row = connection.execute(sa.select(policy_versions).where(*same)).mappings().first()
    return Version(**row) if row else None


def _all_versions(connection: Connection, name: str) -> list[Version]:
    chosen = sa.select(policy_versions).where(policy_versions.c.name == name)
    return [Version(**row) for row in connection.execute(chosen).mappings()]


def _in_use(connection: Connection, name: str) -> bool:
    """Whether documents, jobs or reviews are under it."""
    from efface.service.review.review_tables import reviews

    held = sa.select(documents.c.id).join_from(documents, folders, documents.c.folder == folders.c.name)
    uses = (
        held.where(folders.c.policy == name),
        sa.select(jobs.c.id).where(jobs.c.policy == name),
        sa.select(reviews.c.id).where(reviews.c.policy == name),
    )
    return any(connection.execute(chosen.limit(1)).first() is not None for chosen in uses)
