"""The audit trail: who read, reviewed, overrode or released what, under which policy, with which verdict.

Each record is sealed with the service's key over its content and the seal before it, so a changed, dropped,
inserted or moved record is found by anybody with the key. The last seal is also stored separately, so that a trail
cut off at its end is found too. A copy of the last seal kept elsewhere (`efface audit verify --expect`) reveals even a
trail that was put back to an earlier state as a whole. `audit_anchors.py` publishes the last seal on a schedule.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import re
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection

from efface.service.auth.identity import MAIN
from efface.service.problems import Problem, is_full
from efface.service.store import Store, audit, meta

T = TypeVar("T")
# Writes the record of something new: its id and its team.
RecordOfNew = Callable[[Connection, str, str], None]


def unrecorded(_connection: Connection, _id: str, _team: str) -> None:
    """For changes by the person who installs the service."""


UNKNOWN = (
    "without an anchor outside of the store nobody can know whether the end of the trail, or all of it, was dropped or "
    "put back to an earlier state (setting `anchors`, --anchor, --expect)"
)

_GENESIS = "0" * 64
_NOTHING = f"0 {_GENESIS}"  # the head of a trail without records
_HEAD = "audit head"
_SEAL = re.compile(r"[0-9]{1,18} [0-9a-f]{64}")
_BATCH = 256  # records that are written in one transaction
_PAGE = 1000  # records that are read at once
_PATIENCE = 30.0  # seconds until a record must be on disk


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `object` is an id, and `detail` holds names, ids and verdicts; never content. What
    belongs to a team other than the main one names it there."""

    actor: str
    action: str
    object: str = ""
    detail: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, actor: str, action: str, object: str = "", *, team: str = MAIN, **detail: str) -> Event:
        """`team` is the one that the object belongs to; what is no team's belongs to the main one."""
        named = {**detail, **({"team": team} if team not in ("", MAIN) else {})}
        return cls(actor, action, object, tuple(sorted(named.items())))


@dataclass(frozen=True, slots=True)
class Record:
    """An event in its place in the trail."""

    seq: int
    at: str
    actor: str
    action: str
    object: str
    detail: str
    mac: str

    @property
    def team(self) -> str:
        """Whose record it is; one that was damaged in the store is the main team's, who look after the trail."""
        found = self._detail
        return str(found.get("team", MAIN)) if found else MAIN

    @property
    def _detail(self) -> dict[str, Any] | None:
        """None where somebody changed it in the store to what is no JSON."""
        try:
            found = json.loads(self.detail)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    @property
    def is_withheld(self) -> bool:
        """Whether this is the place of another team's record in an export, with nothing of it but its seal. In the store
        there is none: a record that looks so there was emptied."""
        return not self.at

    def withheld(self) -> Record:
        """The record's place, for an export to people whom it does not concern. The next record's seal still holds."""
        return Record(self.seq, "", "", "", "", "{}", self.mac)

    def sealed(self, key: bytes, before: str) -> str:
        parts = (str(self.seq), self.at, self.actor, self.action, self.object, self.detail, before)
        body = json.dumps(parts, ensure_ascii=True).encode()
        return hmac.new(key, b"efface audit 1 " + body, hashlib.sha256).hexdigest()

    def line(self) -> str:
        """One line of an export."""
        if self.is_withheld:
            return json.dumps({"seq": self.seq, "withheld": True, "mac": self.mac})
        row = {
            "seq": self.seq,
            "at": self.at,
            "actor": self.actor,
            "action": self.action,
            "object": self.object,
        }
        return json.dumps({**row, "detail": self._detail, "mac": self.mac}, ensure_ascii=True)

    @classmethod
    def parse(cls, line: str) -> Record:
        row = json.loads(line)
        if row.get("withheld") is True:
            return cls(int(row["seq"]), "", "", "", "", "{}", str(row["mac"]))
        detail = json.dumps(row["detail"], ensure_ascii=True, sort_keys=True)
        at, actor, action, what = (str(row[name]) for name in ("at", "actor", "action", "object"))
        return cls(int(row["seq"]), at, actor, action, what, detail, str(row["mac"]))


@dataclass(frozen=True, slots=True)
class TrailCheck:
    """The result of a check of the whole trail."""

    records: int
    head: str
    trouble: tuple[str, ...]
    unknown: tuple[str, ...] = ()  # what could not be found out


class Trail:
    """Appends records, many at a time when many wait. A record is on disk before `append` returns."""

    def __init__(self, store: Store, key: bytes) -> None:
        self._store = store
        self._key = hmac.new(key, b"audit", hashlib.sha256).digest()
        self._waiting: queue.Queue[tuple[Event, Future[int]] | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._start = threading.Lock()

    def append(self, event: Event) -> int:
        """Append a record and return its number."""
        try:
            return self.submit(event).result(timeout=_PATIENCE)
        except Exception as error:
            raise unwritten(error) from None

    def submit(self, event: Event) -> Future[int]:
        """Append without waiting. The future is done once the record is on disk."""
        self._begin()
        done: Future[int] = Future()
        self._waiting.put((event, done))
        return done

    def write_in(self, connection: Connection, event: Event) -> None:
        """Put a record into the caller's transaction, so that what was done and its record are one."""
        self._insert(connection, [event])

    @contextmanager
    def recording(self) -> Iterator[Callable[[Event], None]]:
        """One transaction for what is done inside and for its records: neither is kept without the other. `append` would
        wait for this transaction to end, so inside of it records are written with what this gives."""
        with self._store.together() as connection:
            yield partial(self.write_in, connection)

    def after(self, event: Event, done: Future[T], result: T) -> None:
        """Give a caller the result once the record is on disk; if it cannot be written, they get none."""

        def finish(written: Future[int]) -> None:
            error = written.exception()
            if error is None:
                done.set_result(result)
            else:
                done.set_exception(unwritten(error))

        self.submit(event).add_done_callback(finish)

    def close(self) -> None:
        with self._start:
            if self._thread is not None:
                self._waiting.put(None)
                self._thread.join(timeout=35)
                self._thread = None

    def _begin(self) -> None:
        if self._thread is None:
            with self._start:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._write_all, name="audit", daemon=True)
                    self._thread.start()

    def _write_all(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch = [first]
            stop = False
            while len(batch) < _BATCH and not self._waiting.empty():
                more = self._waiting.get()
                if more is None:
                    stop = True
                    break
                batch.append(more)
            self._write(batch)
            if stop:
                return

    def _write(self, batch: list[tuple[Event, Future[int]]]) -> None:
        try:
            with self._store.write() as connection:
                numbers = self._insert(connection, [event for event, _ in batch])
        except BaseException as error:
            if len(batch) > 1 and isinstance(error, sa.exc.DataError | UnicodeError):
                for each in batch:  # one of them cannot be stored: it fails alone
                    self._write([each])
                return
            for _, done in batch:
                if done.set_running_or_notify_cancel():
                    done.set_exception(error)
        else:
            for (_, done), number in zip(batch, numbers, strict=True):
                if done.set_running_or_notify_cancel():
                    done.set_result(number)

    def _insert(self, connection: Connection, events: list[Event]) -> list[int]:
        self._store.lock(connection, "audit")
        seq, mac = _head(connection)
        rows = []
        for event in events:
            seq += 1
            at = datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
            detail = json.dumps(dict(event.detail), ensure_ascii=True, sort_keys=True)
            record = Record(seq, at, event.actor, event.action, event.object, detail, "")
            mac = record.sealed(self._key, mac)
            rows.append({**{name: getattr(record, name) for name in Record.__slots__}, "mac": mac})
        connection.execute(audit.insert(), rows)
        head = f"{seq} {mac}"
        if not connection.execute(meta.update().where(meta.c.key == _HEAD).values(value=head)).rowcount:
            connection.execute(meta.insert().values(key=_HEAD, value=head))
        return [row["seq"] for row in rows]

    def records(self, after: int = 0) -> Iterator[Record]:
        """Yields the records in order. Each query reads one page of them."""
        while True:
            chosen = sa.select(audit).where(audit.c.seq > after).order_by(audit.c.seq).limit(_PAGE)
            with self._store.read() as connection:
                rows = connection.execute(chosen).mappings().all()
            if not rows:
                return
            for row in rows:
                yield Record(**row)
            after = int(rows[-1]["seq"])

    def head(self) -> str:
        """The number and the seal of the last record."""
        with self._store.read() as connection:
            return _stored_head(connection)

    def check(self, expected: Collection[str] = ()) -> TrailCheck:
        """Every record of the store, checked against the last seal that is stored separately."""
        found = self.check_records(self.records(), self.head(), expected)
        # Records may have been added meanwhile, but the head is never older than the last of them.
        now = self.head()
        if _SEAL.fullmatch(now) and int(now.split()[0]) < found.records:
            return replace(found, trouble=(*found.trouble, "the seal that stands apart is not the last one"))
        return found

    def check_records(
        self,
        records: Iterable[Record],
        head: str | None,
        expected: Collection[str] = (),
        *,
        is_export: bool = False,
    ) -> TrailCheck:
        """Whether the records are all there, in order, as they were written. `head` and each of `expected`, which were
        published outside of the store, are `SEQ MAC`. In an export other teams' records may be seals alone."""
        trouble: list[str] = []
        seq, mac = 0, _GENESIS
        seen = {_NOTHING}
        withheld = 0
        for record in records:
            if record.seq != seq + 1:
                trouble.append(f"after record {seq} comes {record.seq}: dropped, inserted or reordered")
            if is_export and record.is_withheld:
                withheld += 1
            elif not hmac.compare_digest(record.sealed(self._key, mac).encode(), record.mac.encode()):
                trouble.append(f"record {record.seq} is not what was written there")
            seq, mac = record.seq, record.mac
            seen.add(f"{seq} {mac}")
        trouble += _head_troubles(head, seq, mac, seen)
        missing = [each for each in expected if each not in seen]
        if missing:
            trouble.append(
                f"{len(missing)} of the heads that were told outside are not in the trail: its end was dropped"
            )
        unknown = [] if missing else [_unknown_end(expected)]
        if withheld:
            unknown.append(
                f"{withheld} records are seals alone: other teams', or emptied by whoever handed the export on"
            )
        return TrailCheck(seq, f"{seq} {mac}", tuple(trouble), tuple(unknown))


def _head_troubles(head: str | None, seq: int, mac: str, seen: Collection[str]) -> Iterator[str]:
    """What the seal that stands apart says against a trail that ends with record `seq`."""
    if head is None or head == f"{seq} {mac}":
        return
    if not _SEAL.fullmatch(head):
        yield "the seal that stands apart was damaged"
    elif seq <= int(head.split()[0]):  # records may have been added since the head was read
        yield f"the last record is {seq}, but {head.split()[0]} were written"
    elif head not in seen:
        yield "the seal that stands apart is not of this trail"


def _unknown_end(expected: Collection[str]) -> str:
    """What the heads that were told outside, all of them in the trail, leave open."""
    newest = max((int(each.split()[0]) for each in expected), default=0)
    if not newest:
        return UNKNOWN
    return f"whether records after number {newest}, the newest that was told outside, were dropped"


def unwritten(error: BaseException) -> Problem:
    said = "The audit trail cannot be written, so nothing is done."
    return Problem("no-room" if is_full(error) else "busy", said)


def _head(connection: Connection) -> tuple[int, str]:
    """Where the next record goes on. A head that is no seal stops the trail, and with it what must be recorded."""
    seq, _, mac = _stored_head(connection).partition(" ")
    return int(seq), mac


def _stored_head(connection: Connection) -> str:
    found = connection.execute(sa.select(meta.c.value).where(meta.c.key == _HEAD)).scalar()
    return _NOTHING if found is None else str(found)
