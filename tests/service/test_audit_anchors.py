"""Anchors that look like anchors and are none: refused time stamps, stamps of something else, emptied files."""

from __future__ import annotations

import hashlib
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from efface.service import audit_anchors
from efface.service.audit import Event
from efface.service.audit_anchors import Anchors, heads_in
from tests.service.hospital import House, Open


def wait_for(happened: Callable[[], bool]) -> None:
    """Returns at once when it has happened; that it never does is a failure."""
    latest = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < latest
        time.sleep(0.005)


def der(tag: int, content: bytes) -> bytes:
    return bytes((tag, len(content))) + content if len(content) < 128 else long_der(tag, content)


def long_der(tag: int, content: bytes) -> bytes:
    return bytes((tag, 0x82)) + len(content).to_bytes(2, "big") + content


def stamp_of(digest: bytes, status: int = 0) -> bytes:
    """A server's answer as RFC 3161 writes it: a status, and what is stamped."""
    return der(0x30, der(0x30, der(0x02, bytes((status,)))) + der(0x30, der(0x04, digest) + b"\0" * 300))


def refusal(_digest: bytes) -> bytes:
    """The status `rejection` and nothing else; the server sends it with 200."""
    return der(0x30, der(0x30, der(0x02, b"\x02") + der(0x30, der(0x0C, b"bad algorithm"))))


def told(monkeypatch: pytest.MonkeyPatch, house: House, stamps: Path, made: object) -> list[str]:
    """The heads in a file of stamps, after a server answered with what `made` makes of a digest."""

    def fetch(_address: str, query: bytes, _headers: object) -> bytes:
        digest = query[-35:-3]  # before the last three bytes, which ask for the server's certificate
        return made(digest)  # type: ignore[operator, no-any-return]

    monkeypatch.setattr(audit_anchors, "fetch", fetch)
    house.service.trail.append(Event.of("ann", "read", "x"))
    Anchors(house.service.trail, (f"rfc3161:https://tsa.example/ {stamps}",), 3600).tell()
    return list(heads_in(stamps.read_text().splitlines())) if stamps.exists() else []


@pytest.mark.parametrize("status", [0, 1], ids=["granted", "granted with changes"])
def test_a_stamp_is_kept(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    found = told(monkeypatch, house, tmp_path / "s.log", lambda digest: stamp_of(digest, status))
    assert found == [house.service.trail.head()]


NO_STAMPS = {
    "nothing": lambda _: b"",
    "a page": lambda _: b"<html>Please sign in</html>",
    "a refusal": refusal,
    "a refusal with a stamp": lambda digest: stamp_of(digest, 2),
    "of another text": lambda _: stamp_of(hashlib.sha256(b"another").digest()),
    "cut off": lambda digest: stamp_of(digest)[:40],
    "a length without an end": lambda _: b"\x30\xff",
}


@pytest.mark.parametrize("made", NO_STAMPS.values(), ids=NO_STAMPS)
def test_an_answer_without_a_stamp_is_a_failure(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: object
) -> None:
    """A head that was never stamped would stand in the file as if it had been."""
    assert told(monkeypatch, house, tmp_path / "s.log", made) == []


@pytest.mark.parametrize("left", ["", "nothing of ours\n"])
def test_a_file_of_anchors_that_was_emptied_is_missed(tmp_path: Path, open_house: Open, left: str) -> None:
    """Whoever can empty it would pass for somebody who never had an anchor."""
    file = tmp_path / "anchors.log"
    house = open_house(anchors=(f"file:{file}",))
    house.service.trail.append(Event.of("ann", "read", "x"))
    house.service.anchors.tell()
    assert house.get("admin", "/v1/audit/check").json()["trouble"] == []
    file.write_text(left)
    (said,) = house.get("admin", "/v1/audit/check").json()["trouble"]
    assert "anchors" in said and str(tmp_path) not in said


def test_a_place_that_answers_nonsense_or_never_keeps_no_other_from_hearing(
    house: House, tmp_path: Path
) -> None:
    """It accepts a connection, says one line that is no HTTP, or nothing at all."""
    heads = tmp_path / "heads.log"
    house.service.trail.append(Event.of("ann", "read", "x"))
    for answer in (b"no HTTP\r\n\r\n", None):
        heads.unlink(missing_ok=True)
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = f"http://127.0.0.1:{server.getsockname()[1]}/hook"
            anchors = Anchors(house.service.trail, (address, f"file:{heads}"), 3600)
            anchors.start()
            connection, _ = server.accept()
            with connection:
                if answer is not None:
                    connection.recv(65536)
                    connection.sendall(answer)
                    connection.close()
                wait_for(lambda: heads.exists() and heads.read_text().endswith("\n"))
        anchors._stop.set()
        assert list(heads_in(heads.read_text().splitlines())) == [house.service.trail.head()]
