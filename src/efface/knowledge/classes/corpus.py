"""Labelled corpora, read one document at a time: JSON lines, CSV, or a folder a class."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from efface.errors import InputError, UsageError
from efface.files.long_csv import csv
from efface.knowledge.classes.model import LabelledDocument
from efface.knowledge.classes.words import word_keys

_LONGEST_DOCUMENT = 64 * 2**20  # bytes of a line
Progress = Callable[[int, int], None]  # bytes read, bytes in all


@dataclass(frozen=True, slots=True)
class RecordFields:
    """Where a record has its text and its labels. A field of categories may hold a list."""

    sensitive: str = "sensitive"
    utility: tuple[str, ...] = ()
    text: str = "text"


def _unwatched(_done: int, _total: int) -> None:
    pass


def _no_reader(_path: Path) -> str:
    raise UsageError(
        "A folder of documents needs a reader.", "Give `read`, such as `efface.formats.file_text.text_of`."
    )


_Records = Callable[[IO[bytes]], Iterator[tuple[int, dict[str, object]]]]


def read_corpus(
    path: Path,
    fields: RecordFields,
    progress: Progress = _unwatched,
    read: Callable[[Path], str] = _no_reader,
) -> Iterator[LabelledDocument]:
    """The documents of a corpus. A folder has `class/…/file`, with a utility field `category/class/…/file`.

    `read` turns one file of a folder into its text; `progress` is told how far the reading is.
    """
    if path.is_dir():
        return _from_folder(path, bool(fields.utility), progress, read)
    if not path.is_file():
        raise InputError(f"{path} does not exist.", "Give a JSON lines or CSV file, or a folder a class.")
    return _from_records(path, _records_of(path), fields, progress)


def read_corpus_bytes(name: str, data: bytes, fields: RecordFields) -> Iterator[LabelledDocument]:
    """The documents of a JSON lines or CSV file that is in memory. None of it is written to a disk."""
    path = Path(name)
    return _documents(io.BytesIO(data), len(data), path, _records_of(path), fields, _unwatched)


def _records_of(path: Path) -> _Records:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if ".csv" in suffixes:
        return _csv_records
    if ".jsonl" in suffixes or ".ndjson" in suffixes:
        return _json_records
    raise InputError(
        f"{path.name} is neither JSON lines nor CSV.", "Name it .jsonl or .csv (.gz may follow)."
    )


def _from_records(
    path: Path, records: _Records, fields: RecordFields, progress: Progress
) -> Iterator[LabelledDocument]:
    with path.open("rb") as raw:
        yield from _documents(raw, path.stat().st_size, path, records, fields, progress)


def _documents(
    raw: IO[bytes], total: int, path: Path, records: _Records, fields: RecordFields, progress: Progress
) -> Iterator[LabelledDocument]:
    with _unzipped(raw, path) as stream:
        try:
            for line, record in records(stream):
                yield _document(record, fields, f"{path.name}, record {line}")
                progress(raw.tell(), total)
        except (OSError, EOFError, UnicodeDecodeError, csv.Error):
            raise InputError(f"{path.name} is damaged or not UTF-8.", "Check the file.") from None


@contextmanager
def _unzipped(raw: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    if path.suffix.lower() != ".gz":
        yield raw
        return
    with gzip.open(raw, "rb") as stream:
        yield cast(IO[bytes], stream)


def _json_records(stream: IO[bytes]) -> Iterator[tuple[int, dict[str, object]]]:
    number = 0
    while line := stream.readline(_LONGEST_DOCUMENT + 1):
        number += 1
        if len(line) > _LONGEST_DOCUMENT:
            raise InputError(f"Record {number} is longer than 64 MiB.", "Split the document.")
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"Record {number} is not JSON.", "One JSON object a line.") from None
        if not isinstance(record, dict):
            raise InputError(f"Record {number} is not a JSON object.", "One JSON object a line.")
        yield number, record


def _csv_records(stream: IO[bytes]) -> Iterator[tuple[int, dict[str, object]]]:
    text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
    try:
        yield from enumerate(csv.DictReader(text), 1)
    finally:
        text.detach()


def _document(record: dict[str, object], fields: RecordFields, where: str) -> LabelledDocument:
    text, secret = record.get(fields.text), record.get(fields.sensitive)
    if not isinstance(text, str):
        raise InputError(f"{where} has no text in the field {fields.text!r}.", "Name the field of the text.")
    labels = _labels(secret)
    if len(labels) != 1:
        raise InputError(
            f"{where} has no label in the field {fields.sensitive!r}.",
            "Every document belongs to one class: name the field that tells it, or leave this document out.",
        )
    useful = (label for name in fields.utility for label in _labels(record.get(name)))
    return LabelledDocument(text, labels[0], tuple(useful))


def _labels(value: object) -> tuple[str, ...]:
    values: Iterable[object] = value if isinstance(value, list) else (value,)
    return tuple(str(one).strip() for one in values if one is not None and str(one).strip())


def _from_folder(
    root: Path, with_category: bool, progress: Progress, read: Callable[[Path], str]
) -> Iterator[LabelledDocument]:
    depth = 2 if with_category else 1
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    for number, path in enumerate(files, 1):
        above = path.relative_to(root).parts[:-1]
        if len(above) < depth:
            raise InputError(
                "A file lies outside the folders of the classes.",
                "Expected " + ("category/class/file." if with_category else "class/file."),
            )
        yield LabelledDocument(read(path), above[depth - 1], above[: depth - 1])
        progress(number, len(files))


def empty_classes(root: Path, fields: RecordFields) -> tuple[str, ...]:
    """Folders of a class in which no file lies; a corpus of records has no such thing."""
    if not root.is_dir():
        return ()
    folders = root.glob("*/*" if fields.utility else "*")
    return tuple(sorted(folder.name for folder in folders if folder.is_dir() and not _has_files(folder)))


def _has_files(folder: Path) -> bool:
    return any(path.is_file() for path in folder.rglob("*"))


def read_aliases(path: Path) -> dict[str, tuple[str, ...]]:
    """Other names of the classes, `class: [names]` in YAML (of which JSON is a part)."""
    import yaml

    try:
        found = yaml.safe_load(path.read_bytes()[:_LONGEST_DOCUMENT])
    except (OSError, yaml.YAMLError, UnicodeDecodeError, RecursionError):
        raise InputError(f"{path} cannot be read as YAML.", "Write `class: [name, name]` lines.") from None
    if not isinstance(found, dict):
        raise InputError(f"{path} holds no names of classes.", "Write `class: [name, name]` lines.")
    return {str(name): _labels(others) for name, others in found.items()}


def read_words(path: Path) -> frozenset[str]:
    """One word a line, in the form in which words are counted."""
    try:
        lines = path.read_bytes()[:_LONGEST_DOCUMENT].decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path} cannot be read as UTF-8 text.", "Write one word a line.") from None
    return frozenset(key for line in lines for key in word_keys(line))
