"""A worker process (`python -m efface.batch.engines.worker`): items in on standard input, outcomes out."""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import resource
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from efface.batch.engines.one_document import Engine, Spec, message_of
from efface.batch.engines.wire import INLINE, frame, read_frame
from efface.batch.items import WHOLE, Item, ItemResult
from efface.errors import EffaceError, describe_internal

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM)


def main() -> None:
    """Bind once, then work until the parent is done or gone."""
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not end up among the outcomes
    begun = read_frame(incoming)
    if begun is None:
        return
    header, _ = begun
    engine = Engine(Spec.from_json(header["spec"]))
    try:
        _ = engine.bound
    except EffaceError as error:
        _send(outgoing, {"stop": error.message, "hint": error.hint})
        return
    tasks: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(incoming, tasks), daemon=True).start()
    engine.do(Item(b"", 0, "first.txt", data=b"."))  # loads what is loaded late, before memory is counted
    _limit_memory(header["memory"])
    _send(outgoing, {"ready": True})
    _work(engine, Path(header["temporary"]), tasks, outgoing)


def _listen(incoming: BinaryIO, tasks: queue.SimpleQueue[tuple[dict[str, Any], bytes]]) -> None:
    """Queue the parent's tasks. When the parent is gone the process exits at once, even in the middle of a document."""
    with contextlib.suppress(OSError, ValueError):
        while (task := read_frame(incoming)) is not None:
            tasks.put(task)
    os._exit(0)


def _limit_memory(mebibytes: int) -> None:
    """Limit the memory of this process to so much more than the policy's indexes and models take already."""
    limit = _mapped() + (mebibytes << 20)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(
        resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard)
    )


def _mapped() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:  # not Linux: what a large index and a model may take
        return 8 << 30


def _work(
    engine: Engine,
    temporary: Path,
    tasks: queue.SimpleQueue[tuple[dict[str, Any], bytes]],
    outgoing: BinaryIO,
) -> None:
    number = 0
    while True:
        header, data = tasks.get()
        number += 1
        try:
            done = engine.do(_item(header, data))
            done = _spooled(done, temporary / f"{os.getpid()}-{number}")
        except MemoryError:
            _send(outgoing, {"memory": True})
            return
        except OSError as error:
            full = error.errno in _FULL or not temporary.exists()
            _send(
                outgoing,
                {"stop": f"The work folder cannot be written: {error.strerror}.", "hint": ""}
                if full
                else {"error": describe_internal(error)},
            )
            return
        _send(outgoing, message_of(done), done.data)


def _item(header: dict[str, Any], data: bytes) -> Item:
    spool = header.pop("spool", "")
    if spool:
        data = Path(spool).read_bytes()
        Path(spool).unlink()
    held = data if header.pop("held") else None
    return Item(path=b"", data=held, links=tuple(header.pop("links")), **header)


def _spooled(done: ItemResult, path: Path) -> ItemResult:
    """A file's output is written here and moved by the parent; a member's goes through the pipe if small."""
    if done.data is None or (done.item.part != WHOLE and len(done.data) <= INLINE):
        return done
    with path.open("xb") as file:
        os.fchmod(file.fileno(), 0o666 & ~_umask())
        file.write(done.data)
    return replace(done, data=None, spool=str(path))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _send(outgoing: BinaryIO, header: dict[str, Any], data: bytes | None = None) -> None:
    outgoing.write(frame(header, data))
    outgoing.flush()


if __name__ == "__main__":
    main()
