"""Documents opened for whoever asks. Openings that wait at the same moment are answered together.

Each is computed from what the store, the policies and their databases say after it was asked for: a round takes what
already waits, and then begins to ask. Shared is the asking: one look into the store for all their tokens and
documents, and for each policy and viewer one binding and one question.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from efface.service.audit import Event
from efface.service.blobs import digest_of
from efface.service.documents import Opened, Stored
from efface.service.identity import Identity
from efface.service.policies import Named
from efface.service.problems import Problem
from efface.service.views import View, Viewing
from efface.service.who import Asked, Credentials, admitted, identity_of

if TYPE_CHECKING:
    from efface.service.app import Service

_ROUND = 32  # openings answered together at most


@dataclass(eq=False, slots=True)
class _Opening:
    """Somebody who waits for a document; with `user` an administrator who looks as somebody else."""

    asked: Asked
    id: str
    user: str | None
    done: Future[Opened] = field(default_factory=Future)

    def __post_init__(self) -> None:
        self.done.set_running_or_notify_cancel()  # from here on nobody can cancel it: it ends with one of its answers

    @contextmanager
    def failing(self) -> Iterator[None]:
        """What goes wrong here is told to this one alone."""
        try:
            yield
        except Exception as error:
            self.done.set_exception(error)


@dataclass(frozen=True, slots=True)
class _Admitted:
    """An opening that may go on: who asks, as whom they look, and at what."""

    opening: _Opening
    who: Identity
    viewer: str
    stored: Stored

    def event(self, policy: Named, view: View) -> Event:
        """What must be on record before the document is handed out."""
        detail = {
            "viewer": self.viewer,
            "policy": policy.name,
            "mark": (policy.mark or "")[:16],
            "verdict": view.verdict,
        }
        action = "read" if self.opening.user is None else "view as"
        return Event.of(self.who.name, action, self.stored.id, **detail)


class Openings:
    """The openings of one process."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: deque[_Opening] = deque()
        self._rounds = 0  # under way
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(self.lanes, thread_name_prefix="opening")

    @property
    def lanes(self) -> int:
        """Rounds at a time. With SQLite a round computes, and two would only be smaller and compete for the
        interpreter's lock; with a server it waits for answers."""
        return self._service.settings.threads if self._service.store.is_postgres else 1

    async def open(self, asked: Asked, id: str, user: str | None = None) -> Opened:
        """The document as whoever asks may see it now, once that is on record. What they may not see is not there."""
        opening = _Opening(asked, id, user)
        if self._service.jwt is not None and not asked.in_store:
            # Its key may have to be fetched from afar; nobody else waits for that.
            self._service.workers.begin(self._answer, [opening])
        else:
            self._queue(opening)
        opened = await self._service.workers.heard(opening.done)
        if opened.view.released is None:
            raise Problem("not-found")
        return opened

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _queue(self, opening: _Opening) -> None:
        """A round under way looks again when it ends; a thread is woken only where there is none."""
        with self._lock:
            if len(self._waiting) >= self._service.settings.waiting:
                raise Problem("busy", headers={"Retry-After": "2"})
            self._waiting.append(opening)
            begins = self._rounds < self.lanes
            self._rounds += begins
        if begins:
            self._threads.submit(self._round)

    def _round(self) -> None:
        """Whoever waits, and then whoever has come meanwhile. In threads of their own: a round is short, and does not
        queue behind searches and files to be redacted."""
        with self._lock:
            taken = [self._waiting.popleft() for _ in range(min(_ROUND, len(self._waiting)))]
        try:
            self._answer(taken)
        finally:
            with self._lock:
                goes_on = bool(self._waiting)
                self._rounds -= not goes_on
            if goes_on:
                self._threads.submit(self._round)

    def _answer(self, openings: list[_Opening]) -> None:
        try:
            by_policy: dict[str, list[_Admitted]] = {}
            for one in self._admitted(openings):
                by_policy.setdefault(one.stored.policy, []).append(one)
            for name, group in list(by_policy.items())[
                1:
            ]:  # a policy whose index is made anew keeps only its own waiting
                self._service.workers.go_on(self._show, name, group)
            for name, group in list(by_policy.items())[:1]:
                self._show(name, group)
        except BaseException as error:
            _fail(openings, error)
            raise

    def _admitted(self, openings: list[_Opening]) -> Iterator[_Admitted]:
        """Those whose credentials hold and whose document there is, by one state of the store."""
        service, known = self._service, dict[Credentials, Identity | None]()
        with service.store.snapshot():
            rows = service.repository.stored({opening.id for opening in openings})
            for opening in openings:
                with opening.failing():
                    credentials = opening.asked.credentials
                    if credentials not in known:
                        known[credentials] = identity_of(service, credentials)
                    scope = "read" if opening.user is None else "admin"
                    who = admitted(service, opening.asked, known[credentials], scope)
                    viewer = who.viewer if opening.user is None else self._viewer(opening.user)
                    if opening.id not in rows:
                        raise Problem("not-found")
                    yield _Admitted(opening, who, viewer, rows[opening.id])

    def _viewer(self, user: str) -> str:
        person = self._service.people.get(user)
        if person is None:
            raise Problem("not-found", "There is no such user.")
        return person.viewer

    def _show(self, name: str, group: list[_Admitted]) -> None:
        """Documents under one policy."""
        by_viewer: dict[str, list[_Admitted]] = {}
        for one in group:
            by_viewer.setdefault(one.viewer, []).append(one)
        try:
            policy = self._service.policies.get(name)
            for viewer, theirs in by_viewer.items():
                self._show_to(Viewing.of(policy, viewer), theirs)
        except Exception as error:
            _fail((one.opening for one in group), error)

    def _show_to(self, viewing: Viewing, group: list[_Admitted]) -> None:
        """What was kept and is still right; the rest is computed, each by itself."""
        views = self._service.repository.views
        views.prepare(viewing, [(digest_of(one.stored.file), one.stored.name) for one in group])
        for one in group:
            view = views.kept(viewing, digest_of(one.stored.file), one.stored.name)
            if view is None:
                self._service.workers.go_on(self._compute, viewing.alone(), one)
            else:
                self._hand_over(one, viewing.policy, view)

    def _compute(self, viewing: Viewing, one: _Admitted) -> None:
        with one.opening.failing():
            self._hand_over(one, viewing.policy, self._service.repository.view(viewing, one.stored))

    def _hand_over(self, one: _Admitted, policy: Named, view: View) -> None:
        event = one.event(policy, view)
        self._service.trail.after(event, one.opening.done, Opened(one.stored, view))


def _fail(openings: Iterable[_Opening], error: BaseException) -> None:
    """Those who have no answer yet."""
    for opening in openings:
        if not opening.done.done():
            opening.done.set_exception(error if isinstance(error, Exception) else Problem("internal"))
