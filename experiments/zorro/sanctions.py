"""The SDN list as the paper's table of 13 attributes, and the Treasury's releases about those on it."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.zorro.database import Entities, Row

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "entities" / "sdn"
ALIASES, PLACES = 6, 2
COLUMNS = (
    "name",
    *(f"{part}{number}" for number in range(1, PLACES + 1) for part in ("address", "city", "country")),
    *(f"alias{number}" for number in range(1, ALIASES + 1)),
)
_NULL = "-0-"


def rows() -> list[Row]:
    """(id, values) of everybody on the list. A person's "FAMILY, Given" is turned to "Given FAMILY".

    Our copy gives one id to two parties; the first is kept."""
    aliases: dict[str, list[str]] = {}
    for id, _, _, alias, *_ in _records("alt.csv.gz"):
        aliases.setdefault(id, []).append(alias)
    places: dict[str, list[str]] = {}
    for id, _, *place in _records("add.csv.gz"):
        places.setdefault(id, []).extend(place[:3])
    found: dict[str, Row] = {}
    for id, name, kind, *_ in _records("sdn.csv.gz"):
        is_person = kind == "individual"
        others = _padded([_turned(alias, is_person) for alias in aliases.get(id, [])], ALIASES)
        where = _padded(places.get(id, []), 3 * PLACES)
        found.setdefault(id, (id, _turned(name, is_person), *where, *others))
    return list(found.values())


def prepared(folder: Path, people: Sequence[Row]) -> Entities:
    """The list in a database with its index; made if it is not there."""
    place = folder / "sdn"
    if not (place / "ready").exists():
        place.mkdir(parents=True)
        Entities.store(place, COLUMNS, people, fuzzy=1)
        (place / "ready").touch()
    return Entities(place, COLUMNS)


def releases(count: int, longest: int) -> list[str]:
    """The first `count` releases of at most `longest` characters."""
    with gzip.open(_file("releases.jsonl.gz"), "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    return [text for text in texts if len(text) <= longest][:count]


def _turned(name: str, is_person: bool) -> str:
    family, comma, given = name.partition(", ")
    return f"{given} {family}" if is_person and comma else name


def _padded(values: list[str], width: int) -> list[str | None]:
    known: list[str | None] = [value or None for value in values[:width]]
    return known + [None] * (width - len(known))


def _records(name: str) -> Iterator[list[str]]:
    with gzip.open(_file(name), "rt", encoding="utf-8", errors="replace", newline="") as lines:
        for record in csv.reader(lines):
            if len(record) > 1:
                yield ["" if cell.strip() == _NULL else cell.strip() for cell in record]


def _file(name: str) -> Path:
    path = FOLDER / name
    if not path.is_file():
        sys.exit(
            f"The data {name} is not there: it is expected beside the project, in shared/data/entities/sdn."
        )
    return path
