"""Batches run in the process of the test, unless the test is about processes: a worker takes a second to start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from efface.batch.engines import worker
from efface.batch.engines.one_document import Engine, Spec, message_of
from efface.batch.engines.pool import Limits, finished, task_of
from efface.batch.engines.wire import Frames, frame
from efface.batch.items import Item, ItemResult
from efface.errors import EffaceError, UsageError


class _InOneProcess:
    """Does what the pool and one worker do, with the same messages between them."""

    def __init__(self, spec: Spec, _limits: Limits, temporary: Path) -> None:
        self._spec = spec
        self._temporary = temporary

    def run(self, items: Iterable[Item]) -> Iterator[ItemResult]:
        engine: Engine | None = None
        for number, item in enumerate(items):
            engine = engine or self._bound()
            ((task, data),) = Frames().feed(frame(task_of(item), item.data))
            done = engine.do(worker._item(task, data))
            done = worker._spooled(done, self._temporary / f"here-{number}")
            ((answer, data),) = Frames().feed(frame(message_of(done), done.data))
            yield finished(item, answer, data)

    def _bound(self) -> Engine:
        engine = Engine(Spec.from_json(self._spec.to_json()))
        try:
            _ = engine.bound
        except EffaceError as error:
            raise UsageError(error.message, error.hint) from None
        return engine


@pytest.fixture(autouse=True)
def in_one_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("processes") is None:
        monkeypatch.setattr("efface.batch.run.Pool", _InOneProcess)
