"""An entity index on disk: a folder with a manifest that names its segments, oldest first.

The manifest is replaced in one step, so a build or an update shows whole or not at all, and an open snapshot
stays as it is. Updates are small segments that hide what they replace; many of them are merged.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from efface.errors import InputError, OutputError
from efface.files.local import write_output
from efface.knowledge.entities.build_records import Gathered, fold_value
from efface.knowledge.entities.build_segments import SEGMENT, assemble
from efface.knowledge.entities.index import EntityIndex, layered
from efface.knowledge.entities.segment import EntitySegment
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.spool import TemporaryStreams

MAX_UPDATES = 8  # beyond so many update segments the small ones are merged
_MUCH_LARGER = 4  # times, and so many entities more
_SMALL = 1000  # entities: smaller segments are always merged
_MANIFEST = "manifest"
_LOCK = "lock"
_REPORT_EVERY = 10_000  # entities after which progress is told


@dataclass(frozen=True, slots=True)
class _SegmentEntry:
    """A segment file in the manifest."""

    number: int
    seal: str
    size: int

    @property
    def name(self) -> str:
        return f"segment-{self.number:06}"


@dataclass(frozen=True, slots=True)
class _StoreManifest:
    """The state of an index: which files it consists of."""

    entries: tuple[_SegmentEntry, ...] = ()
    fingerprint: str = ""
    fuzzy: int = 0
    next_number: int = 1
    patterns: Mapping[str, str] = field(default_factory=dict)


def build(
    entities: Iterable[Entity],
    path: Path,
    *,
    fingerprint: str = "",
    fuzzy: int = 0,
    patterns: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Make an index in the folder `path`, in place of one that may be there.

    `fuzzy` is the most edits (0, 1 or 2) it can be searched with; `patterns` are of attributes (see
    `notations`); `progress` hears how many rows were read.
    """
    if fuzzy not in (0, 1, 2):
        raise InputError("Fuzzy matching allows 0, 1 or 2 edits.", "Choose one of them.")
    _make_folder(path)
    with _locked(path):
        empty = _StoreManifest((), fingerprint, fuzzy, _next_number(path), dict(patterns or {}))
        _write_manifest(path, _with_segment(path, empty, _counted(entities, progress)))
        _sweep(path)


def open_index(path: Path, expect: str | None = None) -> EntityIndex:
    """Opens the current index after checking all of it. With `expect`, an index of another source is refused."""
    return EntityStore(path).snapshot(expect)


@dataclass
class EntityStore:
    """An index that is kept up to date while it is read."""

    path: Path
    _opened: tuple[bytes, EntityIndex] | None = field(default=None, init=False, repr=False)

    def snapshot(self, expect: str | None = None) -> EntityIndex:
        """The newest state; opened again only when it has changed."""
        state = _manifest_bytes(self.path)
        opened = self._opened
        if opened is None or state != opened[0]:
            opened = (state, _open(self.path, opened[1] if opened else None))
            self._opened = opened  # in one step: other threads may be reading
        index = opened[1]
        if expect is not None and expect != index.fingerprint:
            raise InputError("The index is not of these entities as they are now.", "Build the index again.")
        return index

    def upsert(self, entities: Iterable[Entity], fingerprint: str | None = None) -> None:
        """Add entities, each in place of the one with its id. Pieces of one entity must come together."""
        self._update(list(entities), (), fingerprint)

    def delete(self, ids: Iterable[str], fingerprint: str | None = None) -> None:
        """Forget entities; ids that are not there are passed over."""
        self._update([], list(ids), fingerprint)

    def change(self, entities: Iterable[Entity], gone: Iterable[str], fingerprint: str | None = None) -> None:
        """Add entities as `upsert` does and forget others, in one step."""
        self._update(list(entities), list(gone), fingerprint)

    def compact(self) -> None:
        """Merge everything into one segment."""
        with _locked(self.path):
            self._merge(0)

    def _update(self, entities: list[Entity], ids: Iterable[str], fingerprint: str | None) -> None:
        with _locked(self.path):
            manifest = _read_manifest(self.path)
            index = self.snapshot()
            replaced = index.select(chain((entity.id for entity in entities), ids))
            tombs = [
                (layer.segment.number, number)
                for layer, numbers in zip(index.layers, replaced.numbers, strict=True)
                for number in numbers.tolist()
            ]
            if fingerprint is not None:
                manifest = replace(manifest, fingerprint=fingerprint)
            _write_manifest(self.path, _with_segment(self.path, manifest, entities, tombs))
            if len(manifest.entries) > MAX_UPDATES:
                self._merge(_merge_from([layer.segment.entities for layer in self.snapshot().layers]))

    def _merge(self, first: int) -> None:
        """Make the segments from `first` on into one, without their dead; keep what they hide before it."""
        manifest = _read_manifest(self.path)
        layers = self.snapshot().layers
        kept = {layer.segment.number for layer in layers[:first]}
        tombs = [
            (target, entity)
            for layer in layers[first:]
            for target, entity in _tombs(layer.segment)
            if target in kept
        ]
        rest = replace(manifest, entries=manifest.entries[:first])
        entities = EntityIndex(layers[first:]).entities()
        _write_manifest(self.path, _with_segment(self.path, rest, entities, tombs, is_folded=True))
        _sweep(self.path)


def _merge_from(sizes: list[int]) -> int:
    """Where to begin: the newest join older ones until one is much larger than they are; never the first."""
    first, joined = len(sizes) - 1, sizes[-1]
    while first > 1 and sizes[first - 1] <= _MUCH_LARGER * joined + _SMALL:
        first -= 1
        joined += sizes[first]
    return first


def _tombs(segment: EntitySegment) -> Iterator[tuple[int, int]]:
    arrays = segment.file.arrays
    return zip(arrays["tomb_segment"].tolist(), arrays["tomb_entity"].tolist(), strict=True)


def _counted(entities: Iterable[Entity], progress: Callable[[int], None] | None) -> Iterator[Entity]:
    count = 0
    for count, entity in enumerate(entities, 1):
        yield entity
        if progress is not None and count % _REPORT_EVERY == 0:
            progress(count)
    if progress is not None:
        progress(count)


def _with_segment(
    path: Path,
    manifest: _StoreManifest,
    entities: Iterable[Entity],
    tombs: Iterable[tuple[int, int]] = (),
    *,
    is_folded: bool = False,
) -> _StoreManifest:
    """Write the entities as the next segment; the manifest that names it too."""
    number = manifest.next_number
    target = path / _SegmentEntry(number, "", 0).name
    target.unlink(missing_ok=True)  # of a build that was killed: no manifest names it
    try:
        with TemporaryStreams(path) as scratch:
            gathered = Gathered(scratch, str if is_folded else fold_value, manifest.patterns)
            for entity in entities:
                gathered.add(entity)
            seal = assemble(gathered, target, manifest.fuzzy, tombs)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise OutputError(f"The index cannot be written: {error.strerror}.", "Check the disk.") from None
    entry = _SegmentEntry(number, seal, target.stat().st_size)
    return replace(manifest, entries=(*manifest.entries, entry), next_number=number + 1)


def _open(path: Path, known: EntityIndex | None) -> EntityIndex:
    """Open what the manifest names, keeping the segments of `known` that are still in it."""
    segments = [layer.segment for layer in known.layers] if known else []
    have = {(segment.number, segment.file.seal): segment for segment in segments}
    for _ in range(5):
        manifest = _read_manifest(path)
        try:
            segments = [
                have.get((entry.number, entry.seal)) or _open_entry(path, entry) for entry in manifest.entries
            ]
        except FileNotFoundError:  # merged away between the two reads
            continue
        return layered(segments, manifest.fingerprint)
    raise SEGMENT.damaged(path.name)


def _open_entry(path: Path, entry: _SegmentEntry) -> EntitySegment:
    file = path / entry.name
    if file.stat().st_size != entry.size:
        raise SEGMENT.damaged(entry.name)
    try:
        return EntitySegment.open(file, entry.number, entry.seal)
    except InputError:
        file.stat()  # FileNotFoundError, if it was merged away just now
        raise


def _is_index(path: Path) -> bool:
    return (path / _MANIFEST).is_file()


def _next_number(path: Path) -> int:
    """A number that no segment has used here, even if the manifest cannot be read."""
    with suppress(InputError):
        return _read_manifest(path).next_number
    numbers = (file.name.rpartition("-")[2] for file in path.glob("segment-*"))
    return max((int(number) for number in numbers if number.isdecimal()), default=0) + 1


def _manifest_bytes(path: Path) -> bytes:
    """The stored bytes of the manifest. They are few, and differ after every change."""
    try:
        return (path / _MANIFEST).read_bytes()
    except OSError:
        raise InputError(f"{path.name} is not an index.", "Build it with `efface index build`.") from None


def _read_manifest(path: Path) -> _StoreManifest:
    """The manifest: a line with the version and a checksum, then JSON."""
    seal, _, body = _manifest_bytes(path).partition(b"\n")
    if seal != _seal(body):
        if seal.startswith(b"efface-index ") and not seal.startswith(
            f"efface-index {SEGMENT.version} ".encode()
        ):
            raise SEGMENT.other_version("The index")
        raise SEGMENT.damaged(_MANIFEST)
    content: dict[str, Any] = json.loads(body)
    entries = tuple(_SegmentEntry(*entry) for entry in content.pop("entries"))
    return _StoreManifest(entries, **content)


def _write_manifest(path: Path, manifest: _StoreManifest) -> None:
    body = json.dumps(
        {
            "entries": [[entry.number, entry.seal, entry.size] for entry in manifest.entries],
            "fingerprint": manifest.fingerprint,
            "fuzzy": manifest.fuzzy,
            "next_number": manifest.next_number,
            "patterns": dict(manifest.patterns),
        }
    ).encode()
    _sync(path)
    write_output(path / _MANIFEST, _seal(body) + b"\n" + body, force=True, private=True)


def _seal(body: bytes) -> bytes:
    return f"efface-index {SEGMENT.version} {zlib.crc32(body):08x}".encode()


def _sync(path: Path) -> None:
    """Bring the names of new files to the disk before the manifest names them."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path.name} cannot be made: {error.strerror}.", "Choose another place.") from None
    if not _is_index(path) and any(not _is_ours(file) for file in path.iterdir()):
        raise OutputError(f"{path.name} is a folder with other files.", "Choose a new or an empty folder.")


def _is_ours(file: Path) -> bool:
    return file.name in (_MANIFEST, _LOCK) or file.name.startswith(("segment-", ".efface-"))


def _sweep(path: Path) -> None:
    """Remove segments that the manifest no longer names, and leftovers of builds that were killed."""
    named = {entry.name for entry in _read_manifest(path).entries} | {_MANIFEST, _LOCK}
    for file in path.iterdir():
        if file.name not in named and _is_ours(file):
            file.unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One writer at a time; readers are not held up."""
    try:
        descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        raise InputError(f"{path.name} is not an index.", "Build it with `efface index build`.") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
