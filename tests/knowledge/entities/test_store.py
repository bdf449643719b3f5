"""The index on disk: damage is noticed, a killed writer leaves nothing behind, readers keep what they see."""

from __future__ import annotations

import multiprocessing
import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from efface.errors import InputError, OutputError
from efface.knowledge.entities import store as store_module
from efface.knowledge.entities.build_segments import SEGMENT
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import MAX_UPDATES, EntityStore, build, open_index

ANN = Entity("1", (("name", "Ann Lee"), ("city", "Bern")), labels=(("category", "cancer"),))
BOB = Entity("2", (("name", "Bob Ray"), ("city", "Bern")), (("salary", "50000"),), weight=2.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    build([ANN, BOB], tmp_path / "index", fingerprint="monday", fuzzy=1)
    return tmp_path / "index"


def _segment(path: Path) -> Path:
    (file,) = path.glob("segment-*")
    return file


def _damages(path: Path, file: Path, damage: Callable[[bytes, int], bytes], places: range) -> None:
    """Every damage is refused, and the healed index is accepted."""
    good = file.read_bytes()
    for at in places:
        file.write_bytes(damage(good, at))
        with pytest.raises(InputError) as caught:
            open_index(path)
        assert "Lee" not in str(caught.value)
    file.write_bytes(good)
    assert len(open_index(path)) == 2


def _flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]


def test_any_flipped_bit_of_a_segment_is_noticed(path: Path) -> None:
    size = _segment(path).stat().st_size
    _damages(path, _segment(path), _flip, range(64))
    _damages(path, _segment(path), _flip, range(64, size, 5))


def test_any_flipped_bit_of_the_manifest_is_noticed(path: Path) -> None:
    size = (path / "manifest").stat().st_size
    _damages(path, path / "manifest", _flip, range(size))


@pytest.mark.parametrize("name", ["manifest", "segment"])
def test_cut_off_anywhere_is_noticed(path: Path, name: str) -> None:
    file = path / "manifest" if name == "manifest" else _segment(path)
    size = file.stat().st_size
    _damages(path, file, lambda data, at: data[:at], range(0, size, 1 if name == "manifest" else 41))


def test_bytes_at_the_end_are_noticed(path: Path) -> None:
    _damages(path, _segment(path), lambda data, at: data + bytes(64), range(1))


def test_a_lost_segment_is_noticed(path: Path) -> None:
    _segment(path).unlink()
    with pytest.raises(InputError, match="damaged"):
        open_index(path)


def test_a_segment_of_another_index_is_noticed(path: Path, tmp_path: Path) -> None:
    build([BOB, ANN], tmp_path / "other", fingerprint="monday", fuzzy=1)
    _segment(path).write_bytes(_segment(tmp_path / "other").read_bytes())
    with pytest.raises(InputError, match="damaged"):
        open_index(path)


def test_another_version_is_named_as_such(path: Path) -> None:
    manifest = path / "manifest"
    manifest.write_bytes(
        manifest.read_bytes().replace(f"efface-index {SEGMENT.version}".encode(), b"efface-index 99", 1)
    )
    with pytest.raises(InputError, match="another version"):
        open_index(path)


def test_a_segment_of_another_version_is_named_as_such(path: Path) -> None:
    data = bytearray(_segment(path).read_bytes())
    data[8] += 1
    _segment(path).write_bytes(data)
    with pytest.raises(InputError, match="another version"):
        open_index(path)


def test_an_outdated_index_is_refused(path: Path) -> None:
    assert open_index(path, expect="monday").fingerprint == "monday"
    with pytest.raises(InputError, match="as they are now"):
        open_index(path, expect="tuesday")
    EntityStore(path).delete(["1"], fingerprint="tuesday")
    assert len(open_index(path, expect="tuesday")) == 1


@pytest.mark.parametrize("place", ["nowhere", "."])
def test_what_is_no_index_is_refused(tmp_path: Path, place: str) -> None:
    for use in (open_index, lambda p: EntityStore(p).delete(["1"])):
        with pytest.raises(InputError, match="not an index"):
            use(tmp_path / place)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(OutputError, match="other files"):
        build([ANN], tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_nobody_else_may_read_it(path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for file in path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def _killed_half_way() -> Iterator[Entity]:
    yield ANN
    os.kill(os.getpid(), signal.SIGKILL)


def _kill(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _build_and_die(path: Path, when: str) -> None:
    if when == "reading":
        build(_killed_half_way(), path)
    else:  # the segment is there, the manifest does not name it yet
        store_module._write_manifest = _kill
        build([ANN], path)


@pytest.mark.parametrize(("when", "before"), [("reading", True), ("written", False)])
def test_a_killed_build_leaves_no_half_index(tmp_path: Path, when: str, before: bool) -> None:
    path = tmp_path / "index"
    if before:
        build([ANN, BOB], path)
    process = multiprocessing.get_context("spawn").Process(target=_build_and_die, args=(path, when))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    if before:
        assert len(open_index(path)) == 2
    else:
        with pytest.raises(InputError, match="not an index"):
            open_index(path)
    build([BOB], path)
    assert [entity.id for entity in open_index(path).entities()] == ["2"]
    assert len(list(path.glob("segment-*"))) == 1, "what the killed build left is swept away"


def test_a_build_that_fails_leaves_the_old_index(path: Path) -> None:
    def broken() -> Iterator[Entity]:
        yield ANN
        raise InputError("the source broke off")

    with pytest.raises(InputError, match="broke off"):
        build(broken(), path)
    assert len(open_index(path)) == 2


def test_readers_keep_their_snapshot(path: Path) -> None:
    store = EntityStore(path)
    old = store.snapshot()
    assert store.snapshot() is old, "nothing changed, nothing is opened"
    store.upsert([Entity("1", (("name", "Ann Ray"),))])
    store.compact()
    build([BOB], path)
    assert {key for _, key in old.context("1")} == {"ann lee", "bern"}
    assert old.crowd("bern") == 2
    assert len(store.snapshot()) == 1


def test_updates_are_seen_by_other_handles(path: Path) -> None:
    writer, reader = EntityStore(path), EntityStore(path)
    assert reader.snapshot().crowd("bern") == 2
    writer.delete(["1", "nobody"])
    assert reader.snapshot().crowd("bern") == 1
    writer.upsert([Entity("3", (("city", "Bern"),)), Entity("1", (("city", "Bern"),))])
    assert reader.snapshot().crowd("bern") == 3


def test_what_an_update_adds_is_found_fuzzily_too(path: Path) -> None:
    EntityStore(path).upsert([Entity("3", (("name", "Zacharias Moon"),))])
    assert open_index(path).fuzzy == 1


def test_many_updates_are_merged_and_nothing_is_lost(path: Path) -> None:
    store = EntityStore(path)
    for at in range(3 * MAX_UPDATES):
        store.upsert([Entity(f"new {at % 10}", (("city", "Bern"), ("name", f"number {at}")))])
        store.delete([f"new {(at + 5) % 10}"])
        assert len(store.snapshot().layers) <= MAX_UPDATES + 2
    index = store.snapshot()
    assert index.crowd("bern") == len(index) == 2 + 5
    assert "number 23" in index
    assert "number 3" not in index
    store.compact()
    assert len(store.snapshot().layers) == 1
    assert store.snapshot().crowd("bern") == 7
    weights = {entity.id: entity.weight for entity in store.snapshot().entities()}
    assert (weights["1"], weights["2"]) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("sizes", "first"),
    [
        ([10, 1, 1, 1], 1),
        ([10, 9000, 1, 1, 1], 2),
        ([10, 90_000, 9000, 3000, 1], 4),
        ([10, 9000, 3000, 2000, 1000], 1),
        ([10, 5], 1),
    ],
)
def test_large_updates_are_not_merged_again_and_again(sizes: list[int], first: int) -> None:
    assert store_module._merge_from(sizes) == first


def test_writers_take_turns_and_readers_never_stumble(path: Path) -> None:
    errors: list[BaseException] = []

    def write(name: str) -> None:
        try:
            for at in range(12):
                EntityStore(path).upsert([Entity(f"{name} {at}", (("city", "Bern"),))])
        except BaseException as error:
            errors.append(error)

    def read() -> None:
        try:
            reader = EntityStore(path)
            for _ in range(60):
                index = reader.snapshot()
                assert index.crowd("bern") == len(index)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in ("a", "b")]
    threads += [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(open_index(path)) == 2 + 24


def test_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_REPORT_EVERY", 10)
    heard: list[int] = []
    build((Entity(str(at), ()) for at in range(25)), tmp_path / "index", progress=heard.append)
    assert heard == [10, 20, 25]


@pytest.mark.parametrize("fuzzy", [-1, 3])
def test_edits_are_zero_to_two(tmp_path: Path, fuzzy: int) -> None:
    with pytest.raises(InputError):
        build([ANN], tmp_path / "index", fuzzy=fuzzy)


def test_a_full_disk_leaves_the_old_index(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store_module, "assemble", full)
    with pytest.raises(OutputError, match="No space"):
        build([ANN], path)
    monkeypatch.undo()
    assert len(open_index(path)) == 2


@pytest.mark.parametrize("damage", [b"junk", b"", b"efface-index 12 00000000\n{}"])
def test_a_damaged_index_can_be_built_again(path: Path, damage: bytes) -> None:
    (path / "manifest").write_bytes(damage)
    build([Entity("a", (("name", "Ann"),))], path)
    assert len(open_index(path)) == 1
