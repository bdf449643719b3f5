"""Many decisions about one document: they keep nobody else waiting."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection

from efface.service.app import _routes
from efface.service.problems import Problem
from efface.service.review import decisions
from efface.service.review.decisions import Log, LogEntry, Recorded
from efface.service.store import Store
from tests.service.hospital import House
from tests.service.review.test_review import add, decide


def test_no_long_log_is_read_while_nobody_else_can_write(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A column of 20,000 places takes 40 ms to read. A reviewer who redacted some hundred columns, and decided again and
    again, kept the store from everybody."""
    id = add(house)
    for number in range(3):
        decide(house, id, {"kind": "redact", "places": [[number, number + 1]]})
    writing: list[bool] = []
    read: list[bool] = []
    write, entry = Store.write, decisions._entry

    @contextmanager
    def noting(self: Store) -> Iterator[Connection]:
        with write(self) as connection:
            writing.append(True)
            try:
                yield connection
            finally:
                writing.pop()

    def read_now(row: Any) -> LogEntry:
        read.append(bool(writing))
        return entry(row)

    monkeypatch.setattr(Store, "write", noting)
    monkeypatch.setattr(decisions, "_entry", read_now)
    Log(house.service.store).append(id, "reviewer", 3, [Recorded(kind="redact", term="cat")])
    assert read == [False] * 3


class _Overtaken(Log):
    """Whenever the log is read, somebody else decides about the cat before anything is written."""

    def entries(self, review: str, after: int = 0) -> list[LogEntry]:
        found = super().entries(review, after)
        Log(self.store).append(review, "second", 1000, [Recorded(kind="keep", term="cat")])
        return found


def test_what_is_decided_while_a_log_is_read_counts(house: House) -> None:
    id = add(house)
    log = _Overtaken(house.service.store)
    with pytest.raises(Problem, match="conflict"):
        log.append(id, "reviewer", 0, [Recorded(kind="redact", term="cat")])
    (new,) = log.append(id, "reviewer", 0, [Recorded(kind="redact", term="dog")])
    assert [entry.seq for entry in Log(log.store).entries(id)] == [1, 2, 3] and new.seq == 3


def test_a_document_has_room_for_so_many_places(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "_MAX_LOG_PLACES", 5)
    id = add(house)
    column = {"kind": "redact", "places": [[0, 1], [2, 3], [4, 5]]}
    assert decide(house, id, column).status_code == 200
    assert decide(house, id, column).status_code == 409
    assert decide(house, id, {"kind": "redact", "term": "cat"}).status_code == 200


# What these answer is short: a name, a number, a page of at most 200 rows, the 500 files of an archive.
_SHORT = {
    "/v1/archives", "/v1/documents", "/v1/documents/{id}/certificate", "/v1/folders/{name}/documents", "/v1/jobs", "/v1/reviews",
    "/v1/matters/{name:path}/learning", "/v1/matters/{name:path}/decisions", "/v1/games", "/v1/sign-in",
    "/supportedentities", "/recognizers", "/anonymizers", "/deanonymizers",
}  # fmt: skip


def test_no_long_answer_is_written_while_everybody_waits() -> None:
    """The framework writes what a route gives back on the event loop, unless it is bytes already."""
    gathered: list[Any] = list(_routes())
    routes = [route for each in gathered for route in each.original_router.routes]
    there = {route.path for route in routes}
    assert there >= _SHORT
    for route in routes:
        gives_bytes = route.endpoint.__annotations__["return"] == "Response"
        assert gives_bytes or route.path in _SHORT or not is_async(route), route.path
    assert "/v1/reviews/{id}/rendered" in there


def is_async(route: Any) -> bool:
    return inspect.iscoroutinefunction(route.endpoint)
