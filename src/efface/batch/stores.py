"""Documents in object stores, by fsspec: `s3://`, `gs://`, `az://`, `hdfs://`, `memory://`.

A batch works in folders, which appear whole or not at all. So what lies in a store is mirrored below the work folder,
and what may leave is sent when the batch has judged it. An object of a store is there when all of it is; where a store
writes in place, a file is written beside and then renamed. Only what changed travels again, so a batch goes on where
it was stopped.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from efface.batch.work_folder import stamp
from efface.errors import InputError, OutputError, UsageError
from efface.files.local import write_output
from efface.files.store_addresses import address_of

_WHOLE_AT_ONCE = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "memory"})
_HINT = "Install them: pip install 'efface[objects]', and the client of other stores."


class MissingObject(InputError):
    """There is nothing at an address."""


@dataclass(frozen=True)
class StoreFolder:
    """A folder, or one object, of a store."""

    address: str

    @cached_property
    def _system(self) -> tuple[Any, str]:
        try:
            import fsspec

            system, root = fsspec.core.url_to_fs(self.address, use_listings_cache=False)
        except ImportError:  # fsspec itself, or the client that it loads by the name of the address
            raise UsageError("Object stores need fsspec and the client of the store.", _HINT) from None
        return system, root.rstrip("/")

    def objects(self) -> dict[str, str]:
        """Relative name → a digest of the object's state. One object has its own name."""
        system, root = self._system
        with _store_errors("read"):
            found: Mapping[str, Mapping[str, Any]] = system.find(root, detail=True)
        named: dict[str, str] = {}
        for path, info in found.items():
            if path.endswith("/") and not info.get("size"):
                continue  # consoles and Hadoop mark a folder by an empty object
            name = path.removeprefix(root).removeprefix("/") or PurePosixPath(root).name
            _check_name(name)
            state = json.dumps([[key, str(info[key])] for key in sorted(info)])
            named[name] = hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()
        return named

    def is_one(self) -> bool:
        """Whether the address is that of one object."""
        system, root = self._system
        with _store_errors("read"):
            return bool(system.isfile(root))

    def fetch(self, name: str, to: Path) -> None:
        """The object as a file, whole or not at all."""
        beside = to.with_name(f".efface-{secrets.token_hex(8)}")
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
            with _store_errors("read"):
                self._system[0].get_file(self._path(name), str(beside))
                self._check_length(name, beside, InputError)
            beside.replace(to)
        except OSError as error:  # a name that is too long, or that of a folder as well
            raise InputError(
                f"The object {name!a} of the store cannot be a file here: {error.strerror}.",
                "Rename it in the store.",
            ) from None
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)

    def send(self, file: Path, name: str) -> None:
        """The file as an object, whole or not at all as far as the store allows."""
        system, _ = self._system
        target = self._path(name)
        with _store_errors("written", OutputError):
            if self.address.partition("://")[0] in _WHOLE_AT_ONCE:
                system.put_file(str(file), target)
                self._check_length(name, file, OutputError)
                return
            system.makedirs(target.rpartition("/")[0], exist_ok=True)
            beside = f"{target.rpartition('/')[0]}/.efface-{secrets.token_hex(8)}"
            system.put_file(str(file), beside)
            system.mv(beside, target)
            self._check_length(name, file, OutputError)

    def _check_length(self, name: str, file: Path, error: type[InputError | OutputError]) -> None:
        """Raises when an object is not as long as its file. A store that does not tell the length is believed."""
        if self._system[0].size(self._path(name)) not in (None, file.stat().st_size):
            raise error("An object was cut off, or changed on its way.", "Run again.")

    def remove(self, name: str) -> None:
        with _store_errors("written", OutputError), contextlib.suppress(FileNotFoundError):
            self._system[0].rm_file(self._path(name))

    def has(self, name: str) -> bool:
        with _store_errors("read"):
            return bool(self._system[0].exists(self._path(name)))

    def _path(self, name: str) -> str:
        root = self._system[1]
        return f"{root}/{name}" if name else root


@contextlib.contextmanager
def _store_errors(done: str, kind: type[InputError | OutputError] = InputError) -> Iterator[None]:
    """A store's own errors as ours, in words that quote neither keys nor content."""
    try:
        yield
    except (InputError, OutputError, UsageError):
        raise
    except FileNotFoundError:
        raise MissingObject("There is nothing at this address of the store.", "Check the address.") from None
    except Exception as error:  # each client has errors of its own
        raise kind(
            f"The store cannot be {done} ({type(error).__name__}).", "Check the address and the credentials."
        ) from None


def _check_name(name: str) -> None:
    """An object may be called anything; no name may lead out of the folder that mirrors it."""
    pieces = name.split("/")
    if name.startswith("/") or any(piece in ("", ".", "..") for piece in pieces) or "\0" in name:
        raise InputError(
            f"The object {name!a} of the store has a name that is no path.",
            "Rename it, or name a folder below.",
        )


def mirror(address: str, below: Path) -> Path:
    """The folder, or the file, that mirrors an address. Only objects that changed are fetched."""
    source = StoreFolder(address)
    folder = below / hashlib.sha256(address.encode()).hexdigest()[:16]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    one, found = source.is_one(), source.objects()
    if not found:
        raise MissingObject("There is nothing at this address of the store.", "Check the address.")
    record = folder.with_suffix(".json")
    known = _record(record)
    try:
        for name in (
            known.keys() - found.keys()
        ):  # first: what was a file may be a folder now, or the other way round
            _forget(folder / name, folder)
            del known[name]
        for name, state in found.items():
            if known.get(name) != state or not (folder / name).is_file():
                known.pop(name, None)
                if _fetched(source, "" if one else name, folder / name):
                    known[name] = state
    finally:
        _save(record, known)
    return folder / next(iter(found)) if one else folder


def _fetched(source: StoreFolder, name: str, to: Path) -> bool:
    """Fetches an object. False for one of a folder that is gone since the folder was listed."""
    try:
        source.fetch(name, to)
    except MissingObject:
        to.unlink(missing_ok=True)
        if not name:
            raise
        return False
    return True


def _forget(file: Path, root: Path) -> None:
    """Removes a mirrored file, and the folders that it leaves empty."""
    with contextlib.suppress(OSError):
        file.unlink()
        for folder in file.parents:
            if folder == root:
                return
            folder.rmdir()


def publish(folder: Path, address: str, work: Path) -> None:
    """Send what a batch wrote to a folder, and remove what it wrote before and no longer writes.

    Names are noted before anything is sent: whatever stops this run, the next one knows what is its own.
    """
    target = StoreFolder(address)
    record = work / "published.json"
    known = _record(record)
    there = _there(target)
    if there - known.keys():
        raise OutputError("The output is not empty, and no batch wrote it.", "Name a new or an empty folder.")
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    states = {name: stamp(path.stat()) for name, path in files.items()}
    waiting = sorted(name for name, state in states.items() if known.get(name) != state or name not in there)
    _save(record, {**known, **dict.fromkeys(waiting, "")})
    known.update(dict.fromkeys(waiting, ""))
    try:
        for name in sorted(known.keys() - files.keys()):
            target.remove(name)
            del known[name]
        for name in waiting:
            target.send(files[name], name)
            known[name] = states[name]
    finally:
        _save(record, known)


def _there(target: StoreFolder) -> set[str]:
    """What is in the output already."""
    try:
        return set(target.objects())
    except MissingObject:
        return set()


def _record(path: Path) -> dict[str, str]:
    with contextlib.suppress(FileNotFoundError, ValueError):
        return dict(json.loads(path.read_bytes()))
    return {}


def _save(path: Path, known: Mapping[str, str]) -> None:
    write_output(path, json.dumps(known).encode(), force=True, private=True)


@contextlib.contextmanager
def staged(source: Path, output: Path, *, force: bool) -> Iterator[tuple[Path, Path]]:
    """One document of a store as a file for a while. Its output is sent when it was written."""
    incoming, outgoing = address_of(source), address_of(output)
    if incoming is None and outgoing is None:
        yield source, output
        return
    if outgoing is not None and not force and StoreFolder(outgoing).has(""):
        raise OutputError("The output exists already.", "Choose another name, or add --force.")
    with tempfile.TemporaryDirectory(prefix="efface-") as folder:
        if incoming is not None:
            source = Path(folder) / "in" / PurePosixPath(incoming).name
            StoreFolder(incoming).fetch("", source)
        if outgoing is not None:
            output = Path(folder) / "out" / PurePosixPath(outgoing).name
            output.parent.mkdir()
        try:
            yield source, output
        finally:
            if outgoing is not None and output.is_file():
                StoreFolder(outgoing).send(output, "")
