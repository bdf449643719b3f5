"""The order of work that is done later."""

from __future__ import annotations

import threading
from typing import Any

from tests.service.hospital import House


def _order(house: House, *items: tuple[str, float]) -> list[str]:
    """The order in which items are done that come while another is under way."""
    done: list[str] = []
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def first() -> None:
        begun.set()
        go_on.wait(60)

    later: Any = house.service.workers.later
    later(first)
    assert begun.wait(60)
    for name, delay in items:
        later(done.append, name, delay=delay, name=name)
    later(ended.set, delay=1e6)
    go_on.set()
    assert ended.wait(60)
    return done


def test_short_work_goes_before_long_work_that_came_with_it(house: House) -> None:
    assert _order(house, ("long", 60.0), ("short", 1.0), ("shorter", 0.1)) == ["shorter", "short", "long"]


def test_work_that_is_as_long_keeps_its_order(house: House) -> None:
    assert _order(house, ("one", 0.0), ("two", 0.0), ("three", 0.0)) == ["one", "two", "three"]


def test_one_failure_ends_no_other_work(house: House) -> None:
    def fail() -> None:
        raise ValueError

    house.service.workers.later(fail)
    assert _order(house, ("after", 0.0)) == ["after"]


def test_nothing_waits_twice(house: House) -> None:
    """Whoever asked a thousand times for something to be made ready put everybody else's documents off."""
    assert _order(house, ("one", 0.0), ("one", -60.0), ("two", 0.0), ("one", 0.0)) == ["one", "two"]
    assert _order(house, ("one", 0.0)) == ["one"], "what was done can be asked for again"
