"""Long work: accepted once it is stored, done by whichever process is free, done again when one dies."""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import sqlalchemy as sa

from efface.core import Verdict
from efface.report.data import to_json
from efface.service.audit import Event, RecordOfNew, Trail, unrecorded
from efface.service.auth.identity import Identity, team_of
from efface.service.certificates import Certificates
from efface.service.jobs.processes import Call, ClientDisconnected, Processes
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.problems import Problem, problem_of
from efface.service.repository.blobs import Blobs
from efface.service.repository.policies import FingerprintedPolicy, Policies
from efface.service.review.review_tables import reviews
from efface.service.store import Store, documents, jobs

LEASE = 10.0  # seconds without a sign of life after which another process takes a job over
_ATTEMPTS = 3  # a document that kills its worker is not tried for ever
_POLL = 1.0  # seconds between looks for work that another process took in
_SWEEP = 600.0  # seconds between looks for results that are too old to be kept
_CANCEL = 0.5  # seconds between two looks at whether a job was cancelled
_ORPHAN = 3600.0  # seconds after which a file that no row names is deleted
_STAGES: Mapping[str, float] = {"queued": 0.0, "opening": 0.05, "reading": 0.1, "finding": 0.25, "checking": 0.5,
                                "writing": 0.7, "reading again": 0.8, "attacking": 0.9, "done": 1.0}  # fmt: skip


def job_team(owner: Identity, policy: str) -> str:
    """The policy's team. Under the default policy it is the owner's team if they have only one; an owner with several
    shares the job with none of them."""
    theirs = owner.teams_with("redact")
    if policy:
        return team_of(policy)
    return theirs[0] if len(theirs) == 1 else ""


def _may_see(who: Identity, row: Any) -> bool:
    if row.owner == who.name and (who.may_in(row.team, "redact") or _is_senders(who, row)):
        return True
    return who.may_in(row.team, "admin")


def _is_senders(who: Identity, row: Any) -> bool:
    """Whether a job without a team belongs to the sender of the request. A token that another person made shows
    only jobs that were sent with such a token."""
    return bool(row.team == "") and (not who.makers or bool(row.actor == who.on_record))


class Cancelled(Exception):
    """The job was cancelled, or another worker has taken it over."""


def progress(state: str, stage: str) -> float:
    if state not in ("queued", "running"):
        return 1.0
    return next((value for name, value in reversed(list(_STAGES.items())) if stage.startswith(name)), 0.0)


@dataclass
class Jobs:
    """The queue in the store, and this process's own workers on it."""

    store: Store
    blobs: Blobs
    policies: Policies
    trail: Trail
    certificates: Certificates
    processes: Processes
    threads: int
    hours: float
    seconds: float  # that a worker process may take for one
    _name: str = field(default_factory=lambda: secrets.token_hex(8))
    _wake: threading.Event = field(default_factory=threading.Event)
    _stop: threading.Event = field(default_factory=threading.Event)
    _pool: ThreadPoolExecutor | None = None
    _loop: threading.Thread | None = None
    _running: dict[str, str] = field(default_factory=dict)  # whose each is
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def submit(
        self,
        owner: Identity,
        kind: str,
        policy: str,
        name: str,
        data: bytes,
        record: RecordOfNew = unrecorded,
    ) -> str:
        """The job's id, once the job is stored, and so is what `record` writes."""
        self.policies.for_somebody(owner, policy)
        file = self.blobs.put(data)
        id = secrets.token_hex(16)
        row = {
            "id": id,
            "owner": owner.name,
            "actor": owner.on_record,
            "viewer": owner.viewer,
            "kind": kind,
            "policy": policy,
            "name": name,
            "team": job_team(owner, policy),
        }
        row |= {"file": file, "state": "queued", "stage": "queued"}
        with self.store.write() as connection:
            self.policies.stored.hold(connection)
            connection.execute(jobs.insert().values(**row, created=time.time()))
            record(connection, id, row["team"])
        self._wake.set()
        return id

    def get(self, id: str, owner: Identity) -> Any:
        """A job, if it is their own in a team that they are in, or of a team that they administer; else not found."""
        with self.store.read() as connection:
            row = connection.execute(sa.select(jobs).where(jobs.c.id == id)).first()
        if row is None or not _may_see(owner, row):
            raise Problem("not-found")
        return row

    def listed(self, owner: Identity, limit: int) -> list[Any]:
        chosen = sa.select(jobs).order_by(jobs.c.created.desc()).limit(limit)
        of_no_team = sa.and_(
            jobs.c.team == "", sa.true() if not owner.makers else jobs.c.actor == owner.on_record
        )
        of_theirs = sa.or_(of_no_team, jobs.c.team.in_(owner.teams_with("redact")))
        mine = sa.and_(jobs.c.owner == owner.name, of_theirs)
        chosen = chosen.where(sa.or_(mine, jobs.c.team.in_(owner.teams_with("admin"))))
        with self.store.read() as connection:
            return list(connection.execute(chosen).all())

    def cancel(self, id: str, owner: Identity) -> None:
        """Cancel a waiting job at once, a running one at its next step. A finished one is deleted with its files."""
        self.get(id, owner)
        with self.store.write() as connection:
            mine = jobs.c.id == id
            ended = {"state": "cancelled", "finished": self.store.now}
            waited = connection.execute(jobs.update().where(mine, jobs.c.state == "queued").values(ended))
            runs = connection.execute(jobs.update().where(mine, jobs.c.state == "running").values(cancel=1))
        if not waited.rowcount and not runs.rowcount:  # it may have finished only now
            self._forget([self.get(id, owner)])

    def start(self) -> None:
        self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="job")
        self._loop = threading.Thread(target=self._work, name="jobs", daemon=True)
        self._loop.start()

    def stop(self) -> None:
        """Take no more jobs."""
        self._stop.set()
        self._wake.set()

    def close(self) -> None:
        """Put the jobs under way back: another process, or the next start, does them."""
        self.stop()
        if self._loop is not None:
            self._loop.join(timeout=10)
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        with self.store.write() as connection:
            mine = sa.and_(jobs.c.state == "running", jobs.c.worker == self._name)
            connection.execute(
                jobs.update()
                .where(mine)
                .values(state="queued", stage="queued", lease=0.0, attempts=jobs.c.attempts - 1)
            )

    def _work(self) -> None:
        swept = -_SWEEP
        while not self._stop.is_set():
            self._wake.wait(_POLL)
            self._wake.clear()
            try:
                self._renew()
                while self._free() and (row := self._claim()) is not None:
                    with self._lock:
                        self._running[row.id] = row.owner
                    assert self._pool is not None
                    self._pool.submit(self._run, row)
                if time.monotonic() - swept > _SWEEP:
                    swept = time.monotonic()
                    self._sweep()
            except Exception as error:  # the store may be away for a while
                problem_of(error)

    def _free(self) -> bool:
        with self._lock:
            return len(self._running) < self.threads and not self._stop.is_set()

    def _renew(self) -> None:
        with self._lock:
            mine = tuple(self._running)
        if mine:
            with self.store.write() as connection:
                still = sa.and_(jobs.c.id.in_(mine), jobs.c.worker == self._name, jobs.c.state == "running")
                connection.execute(jobs.update().where(still).values(lease=self.store.now + LEASE))

    def _claim(self) -> Any | None:
        """The oldest job without a worker, or whose worker gave no sign of life. One person's jobs never take all
        threads."""
        now = self.store.now
        with self._lock:
            theirs = Counter(self._running.values())
        busy = [owner for owner, count in theirs.items() if count >= max(1, self.threads - 1)]
        with self.store.write() as connection:
            self.store.lock(connection, "jobs")
            waiting = sa.or_(jobs.c.state == "queued", sa.and_(jobs.c.state == "running", jobs.c.lease < now))
            chosen = sa.select(jobs).where(waiting, jobs.c.owner.not_in(busy))
            row = connection.execute(chosen.order_by(jobs.c.created).limit(1)).first()
            if row is None:
                return None
            if row.attempts >= _ATTEMPTS:
                problem = to_json(
                    Problem("internal", "The work was begun several times and never ended.").document()
                )
                values = {"state": "failed", "problem": problem.decode(), "finished": now}
                connection.execute(jobs.update().where(jobs.c.id == row.id).values(values))
                return None
            taken = {
                "state": "running",
                "worker": self._name,
                "lease": now + LEASE,
                "attempts": row.attempts + 1,
            }
            connection.execute(jobs.update().where(jobs.c.id == row.id).values(taken))
        return row

    def _run(self, row: Any) -> None:
        try:
            self._finish(row.id, self._outcome(row))
        except Cancelled:
            self._finish(row.id, {"state": "cancelled"})
        except Exception as error:
            if self._stop.is_set():
                return  # its worker was ended with this process: `close` puts the job back
            problem = problem_of(error)
            if problem.kind == "busy" and row.attempts + 1 < _ATTEMPTS:
                return  # that says nothing of the document: when the lease has run out, any process takes it again
            state = "refused" if problem.kind == "refused" else "failed"
            self._finish(row.id, {"state": state, "problem": to_json(problem.document()).decode()})
        finally:
            with self._lock:
                self._running.pop(row.id, None)
            self._wake.set()

    def _outcome(self, row: Any) -> dict[str, Any]:
        watch = self._watch(row.id)
        watch("opening")
        done, policy = self._worked_under_one_policy(row, watch)
        watch("done")
        verdict = done.values["verdict"]
        detail = {"viewer": row.viewer, "policy": row.policy, "verdict": verdict}
        self.trail.append(Event.of(row.actor or row.owner, row.kind, row.id, team=row.team, **detail))
        return self._stored_outcome(row, done, policy)

    def _worked_under_one_policy(self, row: Any, watch: Callable[[str], None]) -> tuple[MessageFrame, str]:
        """Do the job, and return the digest of the policy that it was done under, which its certificate names. A policy
        that changes meanwhile, or a file that it names, asks for the work again."""
        for _ in range(_ATTEMPTS):
            policy = self.policies.of(row.policy)
            digest = policy.digest
            done = self._worked(row, policy, watch)
            if self.policies.digest(row.policy) == digest:
                return done, digest
        raise Problem("busy", "The policy changed each time that the file was worked on.")

    def _worked(self, row: Any, policy: FingerprintedPolicy, watch: Callable[[str], None]) -> MessageFrame:
        """Do the job in a worker process, which ends when the job is cancelled or this process stops."""
        data = self.blobs.get(row.file)
        given = {"name": row.name, "viewer": row.viewer, **policy.given(data)}
        gone, over = threading.Event(), threading.Event()
        looking = threading.Thread(target=self._look_for_cancel, args=(row.id, gone, over), daemon=True)
        looking.start()
        call = Call(row.kind, f"job {row.id}", self.seconds, given, (data,), gone, watch, background=True)
        try:
            return self.processes.run(call)
        except ClientDisconnected:
            raise Cancelled from None
        finally:
            over.set()

    def _look_for_cancel(self, id: str, gone: threading.Event, over: threading.Event) -> None:
        """Sets `gone` when the job was cancelled, taken over, or must stop; a worker in mid-step does not look."""
        wanted = sa.select(jobs.c.cancel).where(jobs.c.id == id, jobs.c.worker == self._name)
        while not over.wait(_CANCEL):
            with contextlib.suppress(sa.exc.SQLAlchemyError), self.store.read() as connection:
                cancel = connection.execute(wanted).scalar()
                if cancel is None or cancel or self._stop.is_set():
                    gone.set()
                    return

    def _stored_outcome(self, row: Any, done: MessageFrame, policy: str) -> dict[str, Any]:
        verdict = done.values["verdict"]
        if row.kind == "assess":
            return {"state": "done", "verdict": verdict, "report": self.blobs.put(done.files[0])}
        released, report, certificate = done.files
        kept = {"verdict": verdict, "report": self.blobs.put(report)}
        if verdict != Verdict.HELD.value or not done.values["released"]:
            return {**kept, "state": "refused"}
        signed = self.certificates.sign(json.loads(certificate), policy)
        files = {"result": self.blobs.put(released), "certificate": self.blobs.put(to_json(signed))}
        return {**kept, "state": "done", **files}

    def _watch(self, id: str) -> Callable[[str], None]:
        """Notes the stage, and stops the work where it was cancelled or another worker took it over."""

        def watch(stage: str) -> None:
            with self.store.write() as connection:
                mine = sa.and_(jobs.c.id == id, jobs.c.worker == self._name, jobs.c.cancel == 0)
                lease = self.store.now + LEASE
                going = connection.execute(
                    jobs.update().where(mine).values(stage=stage, lease=lease)
                ).rowcount
            if not going or self._stop.is_set():
                raise Cancelled

        return watch

    def _finish(self, id: str, values: dict[str, Any]) -> None:
        """Only the worker that has the job ends it; one that is stopping leaves it to the next."""
        if values["state"] == "cancelled" and self._stop.is_set():
            return
        with self.store.write() as connection:
            mine = sa.and_(jobs.c.id == id, jobs.c.worker == self._name, jobs.c.state == "running")
            values = {**values, "stage": "done", "finished": self.store.now}
            if values["state"] == "done":  # a request to cancel that came too late for the work still counts
                mine = sa.and_(mine, jobs.c.cancel == 0)
            if connection.execute(jobs.update().where(mine).values(values)).rowcount:
                return
            late = sa.and_(jobs.c.id == id, jobs.c.worker == self._name, jobs.c.state == "running")
            connection.execute(jobs.update().where(late).values(state="cancelled", finished=self.store.now))
        for name in ("result", "report", "certificate"):
            if values.get(name):
                self.blobs.delete(values[name])

    def _sweep(self) -> None:
        """Delete jobs that finished long ago."""
        old = sa.and_(jobs.c.finished.is_not(None), jobs.c.finished < self.store.now - self.hours * 3600)
        with self.store.read() as connection:
            rows = list(connection.execute(sa.select(jobs).where(old).limit(1000)).all())
        self._forget(rows)
        self._sweep_orphans()

    def _sweep_orphans(self) -> None:
        """Delete files that no row names: their process died between writing them and recording them."""
        old = set(self.blobs.older(self.store.clock() - _ORPHAN))
        if not old:
            return
        columns = (
            documents.c.file,
            reviews.c.file,
            jobs.c.file,
            jobs.c.result,
            jobs.c.report,
            jobs.c.certificate,
        )
        with self.store.read() as connection:
            named = {file for column in columns for file in connection.execute(sa.select(column)).scalars()}
        for file in old - named:
            self.blobs.delete(file)

    def _forget(self, rows: list[Any]) -> None:
        with self.store.write() as connection:
            connection.execute(jobs.delete().where(jobs.c.id.in_([row.id for row in rows])))
        for row in rows:
            for file in filter(None, (row.file, row.result, row.report, row.certificate)):
                self.store.afterwards(partial(self.blobs.delete, file))
