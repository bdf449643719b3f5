"""The engine on other machines: what the policy names travels with it, and is unpacked and bound once there."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efface.batch.containers.members import MemberNotes, Options, notes_of_row, stated_columns
from efface.batch.containers.rows import document_of, values_of
from efface.batch.engines.one_document import Engine, Spec, message_of, unproven_alone
from efface.batch.items import Item, ItemResult, State
from efface.core import Verdict
from efface.errors import EffaceError, UsageError
from efface.policy.files import paths_of

if TYPE_CHECKING:
    import pyarrow as pa

VERDICT, REASON = "efface_verdict", "efface_reason"
_NO_NOTES = Options()


def check_names_are_free(columns: Iterable[object]) -> None:
    """Refuse a table that has a column of efface's own names: its verdicts would be overwritten."""
    for name in columns:
        if name in (VERDICT, REASON):
            raise UsageError(
                f"The table has a column {name} already.",
                "Rename or drop it. To redact several columns, name them all in one call.",
            )


def bundle(engine: Engine, folder: Path) -> Path | None:
    """A tar of the files that the policy names under its own folder: lists, models, entities and their indexes.
    None where it names none.

    What it names elsewhere, and databases, must be within reach of every machine.
    """
    from efface.policy.knowledge import index_path

    root = Path(engine.spec.folder)
    named = set(paths_of(engine.policy))
    for name, entry in engine.policy.knowledge.items():
        named.add(index_path(name, entry, root))
        if entry.database is None:
            named.add(Path(entry.entities))
    found = sorted(path for one in named if (path := root / one).exists() and path.is_relative_to(root))
    if not found:
        return None
    stamps = ((str(path), stat.st_size, stat.st_mtime_ns) for path in found if (stat := path.stat()))
    digest = hashlib.sha256(json.dumps(list(stamps)).encode()).hexdigest()[:16]
    made = folder / f"efface-{digest}.tar"
    if made.exists():  # the same files were sent before
        return made
    with tarfile.open(made, "w") as archive:
        for path in found:
            archive.add(path, path.relative_to(root))
    return made


@lru_cache(maxsize=4)
def engine_of(spec: str, bundled: str) -> Engine:
    """Bound once in a process, however many tasks it is given."""
    given = Spec.from_json(spec)
    if not bundled:
        return Engine(given)
    from pyspark import SparkFiles

    return Engine(replace(given, folder=str(_unpacked(Path(SparkFiles.get(bundled))))))


def _unpacked(archive: Path) -> Path:
    """Unpack it beside the archive, once for all processes of the machine: the first one does it."""
    folder = archive.with_suffix("")
    if not folder.exists():
        own = archive.with_name(f"{folder.name}-{secrets.token_hex(4)}")
        own.mkdir()
        with tarfile.open(archive) as opened:
            opened.extractall(own, filter="data")
        try:
            own.rename(folder)
        except OSError:  # another process was first
            shutil.rmtree(own)
    return folder


def redacted(
    engine: Engine, row: Mapping[str, object], columns: Sequence[str], told: MemberNotes, allow_unproven: bool
) -> tuple[dict[str, str | None], ItemResult]:
    """A row's text columns as they may leave: all of them, or none."""
    item = Item(b"", 0, "row.txt", subject=told.subject, truth=told.truth, is_cell=len(columns) == 1)
    try:
        document = document_of(row, columns)
        if document is None:
            return dict.fromkeys(columns), ItemResult(item, State.DONE, verdict="held")
        done = _released_alone(engine, replace(item, name=document[0], data=document[1]), allow_unproven)
        return values_of(done.data if done.state is State.DONE else None, columns, row), done
    except EffaceError as error:
        return dict.fromkeys(columns), ItemResult(item, State.FAILED, error.message)
    except MemoryError:  # one row must not take the others with it
        return dict.fromkeys(columns), ItemResult(item, State.QUARANTINED, "The row takes too much memory.")


def _released_alone(engine: Engine, item: Item, allow_unproven: bool) -> ItemResult:
    """What became of a document. Here each is a release of its own, so what is unproven stays unless allowed."""
    done = engine.do(item)
    if done.state is State.DONE and not Verdict(done.verdict).may_leave(allow_unproven=allow_unproven):
        reason = unproven_alone(done) or "A guarantee speaks of a whole release."
        return replace(done, state=State.REFUSED, reason=reason, data=None)
    return done


def redact_tables(
    engine: Engine,
    batches: Iterable[pa.RecordBatch],
    columns: Sequence[str],
    options: Options = _NO_NOTES,
    allow_unproven: bool = False,
) -> Iterator[pa.RecordBatch]:
    """The batches with their text columns replaced, without the column that tells what is hidden, and with two columns
    that say how it went."""
    import pyarrow as pa

    for batch in batches:
        wanted = batch.select(list(dict.fromkeys([*columns, *stated_columns(options)])))
        texts: dict[str, list[str | None]] = {name: [] for name in columns}
        verdicts, reasons = [], []
        for row in wanted.to_pylist():
            values, done = redacted(engine, row, columns, notes_of_row(row, options), allow_unproven)
            for name, value in values.items():
                texts[name].append(value)
            verdicts.append(done.verdict or done.state.value)
            reasons.append(done.reason or None)
        arrays, names = [], []
        for field, column in zip(batch.schema, batch.columns, strict=True):
            if field.name != options.truth:
                arrays.append(pa.array(texts[field.name], field.type) if field.name in texts else column)
                names.append(field.name)
        names += [VERDICT, REASON]
        yield pa.RecordBatch.from_arrays(
            [*arrays, pa.array(verdicts, pa.string()), pa.array(reasons, pa.string())], names
        )


def redact_contents(
    engine: Engine, batches: Iterable[pa.RecordBatch], allow_unproven: bool
) -> Iterator[pa.RecordBatch]:
    """Files as Spark reads them (`path`, `content`): each in its own format."""
    import pyarrow as pa

    for batch in batches:
        contents, verdicts, reasons = [], [], []
        for row in batch.select(["path", "content"]).to_pylist():
            name = Path(row["path"]).name
            done = _released_alone(engine, Item(b"", 0, name, data=row["content"] or b""), allow_unproven)
            contents.append(done.data if done.state is State.DONE else None)
            verdicts.append(done.verdict or done.state.value)
            reasons.append(done.reason or None)
        columns = [batch.column("path"), pa.array(contents, pa.binary())]
        columns += [pa.array(verdicts, pa.string()), pa.array(reasons, pa.string())]
        yield pa.RecordBatch.from_arrays(columns, ["path", "content", VERDICT, REASON])


_SENT = ("part", "name", "file", "subject", "truth", "problem", "known", "is_cell")


def sent_table(items: Sequence[Item]) -> pa.Table:
    """Items as a table to be sent out."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name in _SENT:
        columns[name] = [getattr(item, name) for item in items]
    columns["file"] = [os.fsencode(item.file) for item in items]
    columns["links"] = [json.dumps(item.links) for item in items]
    columns["data"] = pa.array([item.data for item in items], pa.binary())
    return pa.table({"number": list(range(len(items))), **columns})


def do_tables(engine: Engine, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Items done: their number, the outcome as JSON, and the bytes that may leave."""
    import pyarrow as pa

    for batch in batches:
        numbers, messages, data = [], [], []
        for row in batch.to_pylist():
            numbers.append(row.pop("number"))
            file, links = os.fsdecode(row.pop("file")), tuple(json.loads(row.pop("links")))
            done = engine.do(Item(b"", file=file, links=links, **row))
            messages.append(json.dumps(message_of(done)))
            data.append(done.data)
        columns = [
            pa.array(numbers, pa.int64()),
            pa.array(messages, pa.string()),
            pa.array(data, pa.binary()),
        ]
        yield pa.RecordBatch.from_arrays(columns, ["number", "message", "data"])
