"""What the manifest costs as it grows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from efface.batch.items import WHOLE, Item, ItemResult, State
from efface.batch.manifest import Manifest, Recipe


def _items(count: int) -> list[Item]:
    return [Item(f"{number:06}.txt".encode(), WHOLE, "a.txt") for number in range(count)]


def _effort(manifest: Manifest, items: list[Item]) -> int:
    """Steps of SQLite's machine, in tens, that looking these up takes."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection: sqlite3.Connection = manifest._connection
    connection.set_progress_handler(count, 10)
    assert len(manifest.known(items)) == len(items)
    connection.set_progress_handler(None, 0)
    return steps


def test_looking_up_a_few_does_not_take_longer_in_a_large_batch(tmp_path: Path) -> None:
    found = []
    for count in (50, 5000):
        manifest = Manifest(tmp_path / f"{count}.db", Recipe("p", "c"))
        with manifest.writing():
            manifest.begin(_items(count))
            manifest.finish([(ItemResult(item, State.DONE), "") for item in _items(count)])
        found.append(_effort(manifest, _items(count)[-50:]))
        manifest.close()
    assert found[1] <= 2 * found[0]
