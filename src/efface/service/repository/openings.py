"""Documents opened for a viewer. Openings that wait at the same moment are answered together.

Each is computed from what the store, the policies and their databases say after it was asked for: a round takes what
already waits, and then begins to ask. The openings of a round share the queries: one look into the store for all their
tokens and documents, and for each policy and viewer one binding and one question.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import TYPE_CHECKING

from efface.policy.knowledge_index import one_look
from efface.service.audit import Event as TrailEvent
from efface.service.auth.credentials import Credentials, SenderClaims, admitted, identity_of
from efface.service.auth.identity import Identity
from efface.service.jobs.threads import Left
from efface.service.problems import Problem
from efface.service.repository.blobs import digest_of
from efface.service.repository.documents import Stored, ViewedDocument
from efface.service.repository.policies import FingerprintedPolicy
from efface.service.repository.view_cache import DocumentView, ViewerBinding
from efface.service.repository.view_work import Attempt

if TYPE_CHECKING:
    from efface.service.app import Service

_ROUND = 32  # openings answered together at most


@dataclass(eq=False, slots=True)
class _Opening:
    """A request that waits for a document; with `user` it is an administrator's, who looks as that user."""

    asked: SenderClaims
    id: str
    user: str | None
    done: Future[ViewedDocument] = field(default_factory=Future)
    gone: Event = field(default_factory=Event)  # set when the client has disconnected

    def __post_init__(self) -> None:
        self.done.set_running_or_notify_cancel()  # from here on it cannot be cancelled: it ends with one of its answers

    @contextmanager
    def failing(self) -> Iterator[None]:
        """An error raised here fails this opening alone."""
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

    def event(self, policy: FingerprintedPolicy, view: DocumentView) -> TrailEvent:
        """What must be on record before the document is handed out."""
        detail = {
            "viewer": self.viewer,
            "policy": policy.name,
            "mark": (policy.mark or "")[:16],
            "verdict": view.verdict,
        }
        action = "read" if self.opening.user is None else "view as"
        return TrailEvent.of(self.who.on_record, action, self.stored.id, team=self.stored.team, **detail)


class Openings:
    """The openings of one process."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: deque[_Opening] = deque()
        self._rounds = 0  # under way
        self._lock = Lock()
        self._computing: Counter[str] = Counter()  # by who asks, in worker processes
        self._backlog: dict[str, deque[tuple[ViewerBinding, _Admitted]]] = {}
        self._threads = ThreadPoolExecutor(self.lanes, thread_name_prefix="opening")

    @property
    def lanes(self) -> int:
        """Rounds at a time. With SQLite a round computes, and two would only be smaller and compete for the
        interpreter's lock; with a server it waits for answers."""
        return self._service.settings.threads if self._service.store.is_postgres else 1

    async def open(
        self, asked: SenderClaims, id: str, user: str | None = None, left: Left | None = None
    ) -> ViewedDocument:
        """The document as the sender may see it now, once that is on record. One that they may not see is not found.
        The computation ends when `left` returns, which means that the client has disconnected."""
        opening = _Opening(asked, id, user)
        try:
            return await self._awaited(opening, left)
        finally:
            opening.gone.set()

    async def _awaited(self, opening: _Opening, left: Left | None) -> ViewedDocument:
        asked = opening.asked
        if self._service.jwt is not None and not asked.in_store:
            # Its key may have to be fetched over the network; other openings do not wait for that.
            self._service.workers.begin(self._answer_openings, [opening])
        else:
            self._queue(opening)
        opened = await self._service.workers.heard_unless(opening.done, left)
        if opened.view.released is None:
            raise Problem("not-found")
        return opened

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _queue(self, opening: _Opening) -> None:
        """Queue an opening. A running round looks at the queue again when it ends; otherwise a thread is woken."""
        with self._lock:
            if len(self._waiting) >= self._service.settings.waiting:
                raise Problem("busy", headers={"Retry-After": "2"})
            self._waiting.append(opening)
            begins = self._rounds < self.lanes
            self._rounds += begins
        if begins:
            self._threads.submit(self._round)

    def _round(self) -> None:
        """Answer the openings that wait, and then those that came meanwhile. Rounds have threads of their own: a round
        is short, and does not queue behind searches and files to be redacted."""
        with self._lock:
            taken = [self._waiting.popleft() for _ in range(min(_ROUND, len(self._waiting)))]
        try:
            self._answer_openings(taken)
        finally:
            with self._lock:
                goes_on = bool(self._waiting)
                self._rounds -= not goes_on
            if goes_on:
                self._threads.submit(self._round)

    def _answer_openings(self, openings: list[_Opening]) -> None:
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
        """Returns the openings whose credentials are valid and whose document exists, by one state of the store."""
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
                    stored = rows.get(opening.id)
                    if stored is None or not who.may_in(stored.team, scope):
                        raise Problem("not-found")
                    viewer = who.viewer if opening.user is None else self._viewer(opening.user, stored.team)
                    yield _Admitted(opening, who, viewer, stored)

    def _viewer(self, user: str, team: str) -> str:
        """Who a user of the document's team is to its policy's databases."""
        person = self._service.people.get(user)
        if person is None or team not in person.roles:
            raise Problem("not-found", "There is no such user.")
        return person.viewer

    def _show(self, name: str, group: list[_Admitted]) -> None:
        """Documents under one policy."""
        by_viewer: dict[str, list[_Admitted]] = {}
        for one in group:
            by_viewer.setdefault(one.viewer, []).append(one)
        try:
            policy = self._service.policies.get(name)
            with one_look():  # one state of the entities for the round; rights are asked for each viewer
                bindings = [ViewerBinding.of(policy, viewer) for viewer in by_viewer]
            for viewing in bindings:
                self._show_to(viewing, by_viewer[viewing.viewer])
        except Exception as error:
            _fail((one.opening for one in group), error)

    def _show_to(self, viewing: ViewerBinding, group: list[_Admitted]) -> None:
        """What was kept and is still right; the rest is computed, each by itself."""
        views = self._service.repository.views
        views.prepare(viewing, [(digest_of(one.stored.file), one.stored.name) for one in group])
        for one in group:
            kept = views.kept(viewing, digest_of(one.stored.file), one.stored.name)
            view = None if viewing.remembers else kept
            if view is None:
                self._begin(viewing.alone(), one)
            else:
                self._hand_over(one, viewing.policy, view)

    def _begin(self, viewing: ViewerBinding, one: _Admitted) -> None:
        """Compute it, or leave it until fewer documents of this person are under way: the threads that wait for worker
        processes are not one person's."""
        user = one.who.name
        with self._lock:
            if self._computing[user] >= self._service.settings.per_user:
                self._backlog.setdefault(user, deque()).append((viewing, one))
                return
            self._computing[user] += 1
        self._service.workers.go_on(self._compute, viewing, one)

    def _compute(self, viewing: ViewerBinding, one: _Admitted) -> None:
        try:
            with one.opening.failing():
                seconds = self._service.settings.request_seconds
                attempt = Attempt(seconds, one.opening.gone, one.who.name)
                # An administrator who looks as another user does not open it for them.
                hand_out = one.opening.user is None
                view = self._service.repository.view(viewing, one.stored, attempt, hand_out=hand_out)
                self._hand_over(one, viewing.policy, view)
        finally:
            self._start_next(one.who.name)

    def _start_next(self, user: str) -> None:
        """Starts the next piece of work that this person waits for."""
        with self._lock:
            waiting = self._backlog.get(user)
            while waiting and waiting[0][1].opening.gone.is_set():
                waiting.popleft()
            following = waiting.popleft() if waiting else None
            if not waiting:
                self._backlog.pop(user, None)
            if following is None:
                self._computing[user] -= 1
                self._computing += Counter()  # drops people with no computation
        if following is not None:
            self._service.workers.go_on(self._compute, *following)

    def _hand_over(self, one: _Admitted, policy: FingerprintedPolicy, view: DocumentView) -> None:
        event = one.event(policy, view)
        self._service.trail.after(event, one.opening.done, ViewedDocument(one.stored, view, policy))


def _fail(openings: Iterable[_Opening], error: BaseException) -> None:
    """The openings that have no answer yet."""
    for opening in openings:
        if not opening.done.done():
            opening.done.set_exception(error if isinstance(error, Exception) else Problem("internal"))
