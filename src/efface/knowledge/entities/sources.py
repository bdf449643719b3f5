"""Entities and the files they come from. A source is read as a stream; nothing is held.

An entity may come in several pieces (the rows of a one-to-many join): pieces with one id are one entity.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import IO, Protocol

from efface.errors import InputError
from efface.knowledge.entities.list_values import items
from efface.knowledge.entities.spellings.values import BYTES, other_texts, spellings

Values = tuple[tuple[str, str], ...]

# Columns with the parts of a person's name: first_name, GivenName, fname; last_name, surname, lname.
_GIVEN = re.compile(r"(?:first|given|fore|christian)[ _-]?name|^f_?name|^vorname|^prenom", re.IGNORECASE)
_FAMILY = re.compile(r"(?:last|family|sur)[ _-]?name|^l_?name|^nachname", re.IGNORECASE)
MAX_LINE = 16 * 1024 * 1024  # bytes of a line in a file of entities


@dataclass(frozen=True, slots=True)
class Entity:
    """A person or a thing and what is known: pairs of attribute and value, several of one allowed.

    `terms` make up the context C(e); `sensitive` values are found in texts but do not identify; `labels` are
    only asked for (`category = cancer`).
    """

    id: str
    terms: Values
    sensitive: Values = ()
    labels: Values = ()
    weight: float = 1.0


class Source(Protocol):
    """A stream of entities that can be read repeatedly, with a fingerprint that changes when its content does."""

    def __iter__(self) -> Iterator[Entity]: ...

    def fingerprint(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """What the columns of a row mean. `type` and `weight` name columns too; an empty name means no column."""

    key: tuple[str, ...]
    identifying: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    type: str = ""
    weight: str = ""

    def names(self) -> tuple[str, ...]:
        """Every column that is read, once."""
        optional = tuple(name for name in (self.type, self.weight) if name)
        return tuple(dict.fromkeys((*self.key, *self.identifying, *self.sensitive, *self.labels, *optional)))

    def entity(self, row: Mapping[str, object], split: str = "") -> Entity:
        """The row as an entity. One without a key is refused, since a viewer's rights are asked by key."""
        key = compose_key([row.get(name) for name in self.key])
        if not key:
            raise without_key()
        labels = _values(row, self.labels, split)
        if self.type:
            labels += tuple(("type", value) for _, value in _values(row, (self.type,), ""))
        return Entity(
            key,
            (*_values(row, self.identifying, split), *_whole_names(row, self.identifying)),
            _values(row, self.sensitive, split, with_commas=True),
            labels,
            _weight(row.get(self.weight)) if self.weight else 1.0,
        )


def without_key() -> InputError:
    return InputError(
        "A row of the entities has no key: it is NULL or empty.",
        "Give it one, choose another `key`, or leave such rows out with a SELECT … WHERE … IS NOT NULL.",
    )


def key_of_several_types() -> InputError:
    return InputError(
        "The key of the entities has values of several types, as SQLite allows: 1 and '1' would be one entity.",
        "Take it as a text or as a number in a SELECT: CAST(id AS TEXT) AS id.",
    )


def compose_key(values: Iterable[object]) -> str:
    """The id of a row: its key as text, or a JSON list of texts when the key has several columns."""
    texts = ["" if value is None else str(in_one_zone(value)) for value in values]
    if len(texts) == 1:
        return texts[0]
    return json.dumps(texts, ensure_ascii=False) if any(texts) else ""


def in_one_zone(value: object) -> object:
    """A moment in UTC. Sessions in other time zones would write it differently."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)
    return value


def _values(
    row: Mapping[str, object], names: Iterable[str], split: str, *, with_commas: bool = False
) -> Values:
    """The values of some columns. A text that is a list counts as a whole and item by item."""
    found: list[tuple[str, str]] = []
    for name in names:
        value = row.get(name)
        if isinstance(value, BYTES):
            raise InputError(
                f"The column {name} holds bytes, which no text spells.",
                "Leave it out, or make a text of it in a SELECT: convert_from(…, 'UTF8'), CAST(… AS TEXT).",
            )
        if type(value) is str and not split:  # nearly every value of a database: `spellings` in short
            if text := value.strip():
                found.append((name, text))
                found.extend((name, other) for other in other_texts(text))
                found.extend((name, item) for item in _items(text, with_commas=with_commas))
        else:
            for text in _split_values(value, split):
                found.append((name, text))
                found.extend((name, item) for item in _items(text, with_commas=with_commas))
    return tuple(found)


def _items(text: str, *, with_commas: bool) -> Iterator[str]:
    """The items of a text that is a list, in every way to write them."""
    for item in items(text, with_commas=with_commas):
        yield item
        yield from other_texts(item)


def _whole_names(row: Mapping[str, object], names: Iterable[str]) -> Values:
    """Full names from two columns that hold the parts, as values of the family column.

    "J. Patel", "Patel, M." and MP tell more about a person than the family name does.
    """
    given, family = name_columns(tuple(names))
    parts = [str(row.get(name) or "").strip() for name in (given, family)]
    return ((family, " ".join(parts)),) if all(parts) else ()


@lru_cache(maxsize=64)
def name_columns(names: tuple[str, ...]) -> tuple[str, str]:
    """The columns of given names and of families; an empty name where there is none, or more than one."""
    given = [name for name in names if _GIVEN.search(name)]
    family = [name for name in names if _FAMILY.search(name)]
    return (given[0] if len(given) == 1 else "", family[0] if len(family) == 1 else "")


def _split_values(value: object, split: str) -> Iterator[str]:
    if isinstance(value, str) and split:
        for piece in filter(str.strip, value.split(split)):
            yield piece
            yield from other_texts(piece)
    else:
        yield from spellings(value)


def _weight(value: object) -> float:
    try:
        weight = float(str(value)) if value not in (None, "") else 1.0
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise InputError("A weight is not a number.", "Give numbers in the weight column.")
    return weight


@dataclass(frozen=True, slots=True)
class CsvSource:
    """A CSV file with a header. `split` separates several values in one field; `nulls` say "no value"."""

    path: Path
    columns: ColumnRoles
    delimiter: str = ","
    split: str = ";"
    nulls: tuple[str, ...] = ("",)

    def __iter__(self) -> Iterator[Entity]:
        with _open_text(self.path) as file:
            rows = csv.DictReader(file, delimiter=self.delimiter, strict=True)
            try:
                self._check(rows.fieldnames or ())
                for row in rows:
                    yield self.columns.entity(self._without_nulls(row), self.split)
            except (csv.Error, UnicodeDecodeError, EOFError, gzip.BadGzipFile):
                raise InputError(
                    f"{self.path.name} is not a readable CSV file near line {rows.line_num}.",
                    "Save it as CSV in UTF-8 with a header line.",
                ) from None

    def fingerprint(self) -> str:
        return _fingerprint([self.path], self.columns, self.delimiter, self.split, self.nulls)

    def _check(self, header: Iterable[str]) -> None:
        missing = [name for name in self.columns.names() if name not in header]
        if missing:
            raise InputError(
                f"{self.path.name} has no column {', '.join(missing)}.", "Check the names in the header line."
            )

    def _without_nulls(self, row: Mapping[str, str | None]) -> dict[str, object]:
        return {name: value for name, value in row.items() if value is not None and value not in self.nulls}


@dataclass(frozen=True, slots=True)
class JsonLinesSource:
    """One object a line: an `id`, and `terms` (a list), `attributes` (name to value or values) or fields."""

    path: Path
    columns: ColumnRoles = ColumnRoles(("id",), (), type="type", weight="weight")

    def __iter__(self) -> Iterator[Entity]:
        with _open_text(self.path) as file:
            number = 0
            try:
                while line := file.readline(MAX_LINE):
                    number += 1
                    if line.strip():
                        yield self._entity(line)
            except (ValueError, TypeError, RecursionError, EOFError, gzip.BadGzipFile):
                raise InputError(
                    f"{self.path.name} does not hold one JSON object with an id near line {max(number, 1)}.",
                    'Write lines such as {"id": "1", "terms": ["…"]} in UTF-8.',
                ) from None

    def fingerprint(self) -> str:
        return _fingerprint([self.path], self.columns)

    def _entity(self, line: str) -> Entity:
        row = json.loads(line)
        if not isinstance(row, dict) or not compose_key([row.get(name) for name in self.columns.key]):
            raise ValueError
        entity = self.columns.entity(row)
        attributes = row.get("attributes") or {}
        if not isinstance(attributes, dict):
            raise ValueError
        listed = tuple(("term", text) for text in spellings(row.get("terms")))
        apart = {*self.columns.sensitive, *self.columns.labels}
        named = _values(attributes, (name for name in attributes if name not in apart), "")
        return Entity(
            entity.id,
            entity.terms + listed + named,
            entity.sensitive + _values(attributes, self.columns.sensitive, "", with_commas=True),
            entity.labels + _values(attributes, self.columns.labels, ""),
            entity.weight,
        )


def _open_text(path: Path) -> IO[str]:
    """The file as UTF-8 text, unpacked when its name ends in .gz."""
    try:
        file = gzip.open(path) if path.suffix == ".gz" else path.open("rb")  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{path.name} cannot be opened: {error.strerror}.", "Check the path.") from None
    return io.TextIOWrapper(file, encoding="utf-8-sig", newline="")


def _fingerprint(paths: Iterable[Path], *settings: object) -> str:
    """A mark of the settings and of every byte of the files."""
    mark = hashlib.blake2b(repr(settings).encode(), digest_size=16)
    for path in paths:
        try:
            with path.open("rb") as file:
                mark.update(hashlib.file_digest(file, "blake2b").digest())
        except OSError as error:
            raise InputError(f"{path.name} cannot be read: {error.strerror}.", "Check the path.") from None
    return mark.hexdigest()
