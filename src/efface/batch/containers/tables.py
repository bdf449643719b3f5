"""JSON lines, CSV and Parquet: every row is a document. Columns that are neither text nor copied do not leave."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from efface.batch.containers.members import TOLD_BY_PATH, ContainerMember, Options, Result, notes_of_row
from efface.batch.containers.rows import document_of, values_of
from efface.errors import EffaceError, InputError, UsageError
from efface.files.long_csv import csv

_BATCH = 1024  # rows of a Parquet file in memory at a time
_NO_COLUMN = "It has no column of this name: {}."


def _row_member(row: Mapping[str, object], columns: Sequence[str], options: Options) -> ContainerMember:
    told = notes_of_row(row, options)
    try:
        document = document_of(row, columns)
    except EffaceError as error:
        return ContainerMember("row.txt", None, b"", error.message)
    if document is None:  # nothing to read, and what is copied is copied
        return ContainerMember("row.txt", b"", b"", "", told)
    if len(document[1]) > options.max_bytes:
        return ContainerMember("row.txt", None, b"", f"It is larger than {options.max_bytes >> 20} MiB.")
    return ContainerMember(document[0], document[1], b"", "", told, is_cell=len(columns) == 1)


def _released(
    row: Mapping[str, Any], columns: Sequence[str], options: Options, data: bytes
) -> dict[str, Any]:
    """The row as it leaves: text as released, copies as they were, in the row's own order."""
    new = values_of(data, columns, row)
    return {
        name: new[name] if name in new else row[name] for name in row if name in new or name in options.copy
    }


def line_members(file: Path, options: Options) -> Iterator[ContainerMember]:
    """The lines of a JSONL file as documents, each with what its row states."""
    for line in _lines(file, options):
        if len(line) > options.max_bytes:
            yield ContainerMember("line.json", None, b"", f"It is larger than {options.max_bytes >> 20} MiB.")
            continue
        row = _object(line) if options.text or options.subject or options.links or options.truth else None
        if not options.text:
            yield ContainerMember("line.json", line, b"", "", notes_of_row(row or {}, options))
        elif row is None:
            yield ContainerMember("line.json", None, b"", "It is not a JSON object.")
        else:
            yield _row_member(row, options.text, options)


def _lines(file: Path, options: Options) -> Iterator[bytes]:
    """Lines without their ends. Empty ones are skipped; a too long one is cut just above the limit."""
    with file.open("rb") as stream:
        while line := stream.readline(options.max_bytes + 2):
            too_long = not line.endswith(b"\n") and len(line) > options.max_bytes
            while too_long and (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                pass
            if line.strip():
                yield line.rstrip(b"\r\n")


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def write_lines(file: Path, options: Options, result: Result, output: BinaryIO) -> None:
    for part, line in enumerate(_lines(file, options)):
        data = result(part)
        if data is None:
            continue
        if options.text:
            row = _object(line)
            assert row is not None
            data = json.dumps(_released(row, options.text, options, data), ensure_ascii=False).encode()
        output.write(data.rstrip(b"\r\n") + b"\n")


def csv_members(file: Path, options: Options) -> Iterator[ContainerMember]:
    for row in _csv_rows(file, options):
        yield _row_member(row, options.text, options)


def _csv_rows(file: Path, options: Options) -> Iterator[dict[str, str]]:
    dialect = "excel-tab" if file.suffix.lower() in (".tsv", ".tab") else "excel"
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.reader(stream, dialect, strict=True)
            names = next(rows, [])
            _check_columns(names, options)
            for values in rows:
                if values:
                    _check_width(values, names)
                    yield dict(zip(names, values, strict=True))
    except (csv.Error, UnicodeDecodeError):
        raise InputError("It is not a CSV file in UTF-8.") from None


def _check_width(values: Sequence[str], names: Sequence[str]) -> None:
    if len(values) != len(names):
        raise InputError("Its rows are not all as long as its first.")


def _check_columns(names: Sequence[str], options: Options) -> None:
    if len(set(names)) != len(names):
        raise InputError("Two of its columns have one name.")
    stated = (options.subject, *options.links, options.truth)
    told = [name for name in stated if name and name not in TOLD_BY_PATH]
    for name in (*options.text, *options.copy, *told):
        if name not in names:
            raise InputError(_NO_COLUMN.format(name))


def write_csv(file: Path, options: Options, result: Result, output: BinaryIO) -> None:
    dialect = "excel-tab" if file.suffix.lower() in (".tsv", ".tab") else "excel"
    stream = io.TextIOWrapper(output, "utf-8", newline="", write_through=True)
    writer: Any = None
    with file.open(encoding="utf-8-sig", newline="") as source:
        header = next(csv.reader(source, dialect), [])
    names = [name for name in header if name in options.text or name in options.copy]
    writer = csv.DictWriter(stream, names, dialect=dialect, lineterminator="\n")
    writer.writeheader()
    for part, row in enumerate(_csv_rows(file, options)):
        data = result(part)
        if data is not None:
            writer.writerow(_released(row, options.text, options, data))
    stream.detach()


def parquet_members(file: Path, options: Options) -> Iterator[ContainerMember]:
    parquet = _parquet(file)
    columns = _text_columns(parquet, options)
    wanted = [
        *columns,
        *(
            name
            for name in (options.subject, *options.links, options.truth)
            if name in parquet.schema_arrow.names
        ),
    ]
    for batch in parquet.iter_batches(_BATCH, columns=list(dict.fromkeys(wanted))):
        for row in batch.to_pylist():
            yield _row_member(row, columns, options)


def _parquet(file: Path) -> Any:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError("Parquet files need pyarrow.", "Install efface[batch].") from None
    import pyarrow as pa

    try:
        return pq.ParquetFile(file)
    except (pa.ArrowException, OSError):
        raise InputError("It is not a Parquet file.") from None


def _text_columns(parquet: Any, options: Options) -> tuple[str, ...]:
    """The columns of a Parquet file that are redacted. They must hold text."""
    import pyarrow as pa

    schema = parquet.schema_arrow
    _check_columns(schema.names, options)
    strings = [f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
    columns = options.text or tuple(name for name in strings if name not in options.copy)
    if not columns:
        raise InputError("It has no column with text.")
    for name in columns:
        if name not in strings:
            raise InputError(f"Its column {name} does not hold text.")
    return tuple(columns)


def write_parquet(file: Path, options: Options, result: Result, output: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    parquet = _parquet(file)
    columns = _text_columns(parquet, options)
    names = [name for name in parquet.schema_arrow.names if name in columns or name in options.copy]
    fields = [parquet.schema_arrow.field(name).remove_metadata() for name in names]
    schema = pa.schema([field.with_nullable(True) if field.name in columns else field for field in fields])
    part = 0
    with pq.ParquetWriter(output, schema) as writer:
        for batch in parquet.iter_batches(_BATCH, columns=names):
            rows = []
            for row in batch.to_pylist():
                data = result(part)
                part += 1
                if data is not None:
                    rows.append(_released(row, columns, options, data))
            writer.write_table(pa.Table.from_pylist(rows, schema))
