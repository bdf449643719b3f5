"""Types of PostgreSQL whose values a driver gives as one text that nobody writes: `{lupus,gout}` of an array of an enum,
`(M32,lupus)` of a row, `$52,000.00` of money, `'gout':2 'lupus':1` of a tsvector. Such a column is read another way, so that its parts are values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from efface.errors import InputError
from efface.knowledge.databases.unreadable import unaskable_key

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Select

_OWN = 16384  # the types of the server itself, which the driver knows, have lower numbers
_HARDWARE = "ARRAY[{0}::text, replace({0}::text, ':', '-'), replace({0}::text, ':', '')]"
_WAYS = {  # by the number of the type
    790: "CAST({0} AS numeric)",  # money
    791: "CAST({0} AS numeric[])",
    829: _HARDWARE,  # macaddr
    774: _HARDWARE,  # macaddr8
    3614: "tsvector_to_array({0})",
    600: "ARRAY[{0}[0], {0}[1]]",  # point
    650: "ARRAY[{0}::text, host({0})]",  # cidr
    651: "ARRAY(SELECT unnest(ARRAY[net::text, host(net)]) FROM unnest({0}) AS net)",
}
_UNSPELLED = {22: "int2vector", 30: "oidvector", 3615: "tsquery", 3645: "tsquery[]", 3643: "tsvector[]", 4072: "jsonpath", 1001: "bytea[]",
              4073: "jsonpath[]", 1017: "point[]", 1040: "macaddr[]", 775: "macaddr8[]", 603: "box", 1020: "box[]",
              601: "lseg", 1018: "lseg[]", 602: "path", 1019: "path[]", 604: "polygon", 1027: "polygon[]", 628: "line",
              629: "line[]", 718: "circle", 719: "circle[]", 142: "xml", 143: "xml[]"}  # fmt: skip


_UNSPELLED_PARTS = {**_UNSPELLED, 17: "bytea", 1186: "interval", 1083: "time", 1266: "timetz"}
_COUNTED = (
    3904,
    3926,
    3912,
)  # ranges of whole numbers and days, whose last one is a way to write the end, too


@dataclass(frozen=True, slots=True)
class _Type:
    """A type of a column or of a part of one. `item` is the type of an array's items, or what a domain is made of."""

    oid: int
    kind: str
    category: str
    name: str
    item: int
    parts: tuple[tuple[str, int], ...]  # quoted names and types of a row's columns


def read_as(
    connection: Connection, select: Select[Any], key: Collection[str]
) -> dict[str, ColumnElement[Any]]:
    """How to read the columns of a SELECT that are not read as they are. The columns of a key always are."""
    import sqlalchemy as sa

    with connection.execute(select.limit(0)) as result:
        types = {str(column[0]): int(str(column[1])) for column in result.cursor.description}
    unusual: dict[str, int] = {}
    for name, oid in types.items():
        if name in key:
            continue
        if kind := _UNSPELLED.get(oid):
            raise _unspelled(name, kind)
        if oid >= _OWN or oid in _WAYS:
            unusual[name] = oid
    if not unusual:
        return {}
    known = _types(connection, unusual.values())
    quote = connection.dialect.identifier_preparer.quote_identifier
    found: dict[str, ColumnElement[Any]] = {}
    for name, oid in unusual.items():
        if way := _ColumnForms(known, name).of(quote(name), oid):
            found[name] = sa.literal_column(way).label(name)
    return found


def _unspelled(column: str, kind: str) -> InputError:
    return InputError(
        f"The column {column} is of the type {kind}, whose values nobody writes as they are.",
        "Leave it out, or make a text or an array of texts of it in a SELECT.",
    )


def _types(connection: Connection, oids: Iterable[int]) -> dict[int, _Type]:
    """These types and those of their parts, and so on."""
    import sqlalchemy as sa

    found: dict[int, _Type] = {}
    waiting = set(oids)
    while waiting:
        rows = connection.execute(sa.text(_PARTS), {"oids": list(waiting)}).all()
        for oid, kind, category, name, item, names, types in rows:
            parts = tuple(zip(names or (), types or (), strict=True))
            found[oid] = _Type(oid, kind, category, name, item, parts)
        below: set[int] = set()
        for type in found.values():
            below |= {type.item, *(part for _, part in type.parts)}
        waiting = below - {0, *found}
    return found


@dataclass(frozen=True, slots=True)
class _ColumnForms:
    """How to read one column, whose type may be made of others."""

    types: Mapping[int, _Type]
    column: str

    def of(self, place: str, oid: int, depth: int = 0) -> str:
        """The expression that gives the values at a place; empty where the driver gives the value itself."""
        if oid in _WAYS:
            return _WAYS[oid].format(place)
        type = self.types[oid]
        if depth and (unspelled := _UNSPELLED_PARTS.get(oid)):
            raise _unspelled(self.column, unspelled)
        if type.kind == "d":
            return self.of(place, type.item, depth)
        if type.kind == "r":
            last = f", (upper({place}) - 1)::text" if oid in _COUNTED else ""
            return f"ARRAY[lower({place})::text, upper({place})::text{last}]"
        if type.kind == "m":
            ends = f"unnest({place}) AS part, unnest(ARRAY[lower(part)::text, upper(part)::text]) AS ends"
            return f"ARRAY(SELECT ends FROM {ends})"  # noqa: S608 - quoted
        if type.kind == "c":
            parts = [self._part(f"({place}).{name}", part, depth) for name, part in type.parts]
            return f"jsonb_build_array({', '.join(parts)})"
        if type.category == "A":
            item = f"item{depth}"
            return (
                f"ARRAY(SELECT to_jsonb({self._part(item, type.item, depth)}) FROM unnest({place}) AS {item})"  # noqa: S608
            )
        return f"to_jsonb({place})" if type.name == "hstore" else ""

    def _part(self, place: str, oid: int, depth: int) -> str:
        return self.of(place, oid, depth + 1) or place


def require_askable_key(connection: Connection, key: Collection[str]) -> None:
    """Refuse a key of the probed query whose text does not lead back to its rows: no viewer could be asked about them."""
    import sqlalchemy as sa

    for name, kind in connection.execute(sa.text(_UNASKABLE), {"names": list(key)}):
        raise unaskable_key(str(name), str(kind))


_PARTS = """
SELECT oid::bigint, typtype::text, typcategory::text, typname::text,
       (CASE WHEN typtype = 'd' THEN typbasetype WHEN typcategory = 'A' THEN typelem ELSE 0 END)::bigint,
       ARRAY(SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = typrelid AND attnum > 0 AND NOT attisdropped
             ORDER BY attnum),
       ARRAY(SELECT atttypid::bigint FROM pg_attribute WHERE attrelid = typrelid AND attnum > 0 AND NOT attisdropped
             ORDER BY attnum)
FROM pg_type WHERE oid = ANY(:oids)
"""
# Arrays, shapes, rows of several ranges, documents and bytes, and domains of them.
_UNASKABLE = """
SELECT attname::text, format_type(atttypid, NULL)
FROM pg_attribute JOIN pg_type AS own ON own.oid = atttypid
JOIN pg_type AS base ON base.oid = CASE WHEN own.typbasetype = 0 THEN own.oid ELSE own.typbasetype END
WHERE attrelid = 'efface_probe'::regclass AND attnum > 0 AND attname = ANY(:names)
  AND (base.typcategory IN ('A', 'G') OR base.typtype = 'm'
       OR base.typname IN ('bytea', 'json', 'jsonb', 'jsonpath', 'xml', 'hstore'))
ORDER BY attnum
"""
