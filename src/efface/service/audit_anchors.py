"""The audit trail's head, published outside of the store on a schedule.

A person with access to the store can drop the end of the trail, or all of it, and no seal in the store shows that. So
the head goes where they cannot change it: a file on another disk, a webhook, the system log, the service's own log, which
container engines collect, a time-stamping server (RFC 3161). `efface audit verify --anchor FILE` looks for every head that was published.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from efface.service.audit import Trail
from efface.service.auth.jwt import fetch
from efface.service.problems import log_bug, where_of

_LINE = re.compile(r"efface audit ([0-9]+ [0-9a-f]{64})\b")
_LOG = logging.getLogger("efface.service.anchors")
_SYSTEM_LOG = "/dev/log"
_LAST_SECONDS = 3.0  # seconds for the last heads when the service stops
_PRIORITY = 4 << 3 | 5  # the facility auth and the severity notice (RFC 3164)
_SHA256 = bytes.fromhex("608648016503040201")  # the object identifier 2.16.840.1.101.3.4.2.1
_GRANTED = (b"\x00", b"\x01")  # a time stamp, as asked for or with changes (RFC 3161, 2.4.2)

Tell = Callable[[str], None]


def line_of(head: str) -> str:
    """What is published: the number and seal of the last record, and the time."""
    return f"efface audit {head} {datetime.now(UTC).isoformat(timespec='seconds')}"


def heads_in(lines: Iterable[str]) -> Iterator[str]:
    """The heads in a file of anchors, or in an extract of a system log."""
    for line in lines:
        found = _LINE.search(line)
        if found:
            yield found[1]


def teller(place: str) -> Tell:
    """How a head is sent to a place of the settings: `file:`, `syslog`, `log`, an address, or `rfc3161:` and an address."""
    kind, _, where = place.partition(":")
    if kind == "file":
        return lambda head: _append(Path(where), line_of(head))
    if kind == "syslog":
        return lambda head: _send_to_system_log(line_of(head))
    if kind == "log":
        return lambda head: _LOG.info("%s", line_of(head))
    if kind == "rfc3161":
        address, _, file = where.partition(" ")
        return lambda head: _stamp(address, Path(file), head)
    return lambda head: _post(place, head)


def _append(path: Path, line: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "a") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


def _send_to_system_log(line: str) -> None:
    """Send it to the system log, or fail. The C library's `syslog` says nothing where none listens, as in a container."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        log.connect(_SYSTEM_LOG)
        log.send(f"<{_PRIORITY}>efface[{os.getpid()}]: {line}".encode())


def _file_of(place: str) -> Path | None:
    """The file in which heads of this place stay on this machine."""
    kind, _, where = place.partition(":")
    if kind == "rfc3161":
        return Path(where.partition(" ")[2])
    return Path(where) if kind == "file" else None


def _post(address: str, head: str) -> None:
    seq, _, mac = head.partition(" ")
    body = json.dumps({"efface": "audit", "seq": int(seq), "mac": mac, "line": line_of(head)}).encode()
    fetch(address, body, {"Content-Type": "application/json"})


def _stamp(address: str, path: Path, head: str) -> None:
    """A time stamp of the line, kept beside it; `openssl ts -verify` checks it."""
    line = line_of(head)
    answer = fetch(address, time_stamp_query(line.encode()), {"Content-Type": "application/timestamp-query"})
    _require_stamp(answer, line.encode())
    _append(path, f"{line} {base64.b64encode(answer).decode()}")


def _require_stamp(answer: bytes, data: bytes) -> None:
    """Raise an error unless the answer grants a time stamp of these bytes. A server that refuses answers 200 too. Its
    signature is checked by whoever relies on the stamp: they know whose it must be."""
    response = _content(0x30, answer)
    status = _content(0x02, _content(0x30, response))
    if status not in _GRANTED or hashlib.sha256(data).digest() not in response:
        raise ValueError("the answer holds no time stamp")


def _content(tag: int, data: bytes) -> bytes:
    """What the first part of a DER text holds, if it has this tag."""
    if len(data) < 2 or data[0] != tag:
        raise ValueError("another part was expected")
    length, start = data[1], 2
    if length & 0x80:  # so many bytes hold the length
        start += length & 0x7F
        length = int.from_bytes(data[2:start], "big")
    if len(data) < start + length:
        raise ValueError("the end is missing")
    return data[start : start + length]


def time_stamp_query(data: bytes) -> bytes:
    """A request of RFC 3161 for the SHA-256 of these bytes, the server's certificate wanted."""
    algorithm = _der(0x30, _der(0x06, _SHA256) + _der(0x05, b""))
    imprint = _der(0x30, algorithm + _der(0x04, hashlib.sha256(data).digest()))
    return _der(0x30, _der(0x02, b"\x01") + imprint + _der(0x01, b"\xff"))


def _der(tag: int, content: bytes) -> bytes:
    assert len(content) < 128, "no part of a query is longer"
    return bytes((tag, len(content))) + content


@dataclass
class AnchorPlace:
    """One place of the settings, and the head that it was told last."""

    address: str
    last_sent: str = ""

    def tell(self, head: str) -> None:
        """Publish the head there, unless it was the last one. If that fails it is logged and tried next time."""
        if head == self.last_sent:
            return
        try:
            teller(self.address)(head)
            self.last_sent = head
        except (OSError, ValueError) as error:
            log_bug(f"{where_of(error)}: the head of the audit trail could not be told outside")


@dataclass
class Anchors:
    """Publishes the head to every place now and then, and once more when the service stops. Each place has a thread of
    its own: one that never answers keeps no other from hearing."""

    trail: Trail
    places: tuple[str, ...]
    seconds: float
    _stop: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    @cached_property
    def told(self) -> tuple[AnchorPlace, ...]:
        """The places, and what each of them knows."""
        return tuple(map(AnchorPlace, self.places))

    def start(self) -> None:
        for place in self.told:
            telling = threading.Thread(target=self._run, args=(place,), name="anchors", daemon=True)
            telling.start()
            self._threads.append(telling)

    def close(self) -> None:
        self._stop.set()
        latest = time.monotonic() + _LAST_SECONDS
        for telling in self._threads:
            telling.join(timeout=max(0.0, latest - time.monotonic()))

    def heads_outside(self) -> tuple[list[str], list[str]]:
        """The heads in the files of the settings, and what is wrong with these files."""
        heads: list[str] = []
        trouble: list[str] = []
        for path in filter(None, map(_file_of, self.places)):
            try:
                found = list(heads_in(path.read_text("utf-8", "replace").splitlines()))
            except OSError:
                trouble.append("a file of `anchors` is not there or cannot be read")
                continue
            heads += found
            if not found:  # it is made together with its first line
                trouble.append("a file of `anchors` holds no head: it was emptied")
        return heads, trouble

    def tell(self) -> None:
        """Publish the head now, at one place after the other."""
        for place in self.told:
            place.tell(self.trail.head())

    def _run(self, place: AnchorPlace) -> None:
        while True:
            self._try(place)
            if self._stop.wait(self.seconds):
                self._try(place)
                return

    def _try(self, place: AnchorPlace) -> None:
        try:
            place.tell(self.trail.head())
        except Exception as error:  # the store may be away for a while
            log_bug(where_of(error))
