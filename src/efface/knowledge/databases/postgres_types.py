"""Types of PostgreSQL whose values a driver gives as one text that nobody writes: `{lupus,gout}` of an array of an enum,
`(M32,lupus)` of a row, `$52,000.00` of money, `'gout':2 'lupus':1` of a tsvector. Such a column is read another way, so that its parts are values.
"""

from __future__ import annotations

from collections.abc import Collection
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
}
_UNSPELLED = {22: "int2vector", 30: "oidvector", 3615: "tsquery", 3645: "tsquery[]", 3643: "tsvector[]", 4072: "jsonpath",
              4073: "jsonpath[]", 1017: "point[]", 1040: "macaddr[]", 775: "macaddr8[]", 603: "box", 1020: "box[]",
              601: "lseg", 1018: "lseg[]", 602: "path", 1019: "path[]", 604: "polygon", 1027: "polygon[]", 628: "line",
              629: "line[]", 718: "circle", 719: "circle[]", 142: "xml", 143: "xml[]"}  # fmt: skip


def read_as(
    connection: Connection, select: Select[Any], key: Collection[str]
) -> dict[str, ColumnElement[Any]]:
    """How to read the columns of a SELECT that are not read as they are; none of another database, or of a key."""
    if connection.dialect.name != "postgresql":
        return {}
    import sqlalchemy as sa

    with connection.execute(select.limit(0)) as result:
        types = {str(column[0]): int(str(column[1])) for column in result.cursor.description}
    for name in types.keys() - key:
        if kind := _UNSPELLED.get(types[name]):
            raise InputError(
                f"The column {name} is of the type {kind}, whose values nobody writes as they are.",
                "Leave it out, or make a text or an array of texts of it in a SELECT.",
            )
    unusual = {name: oid for name, oid in types.items() if name not in key and (oid >= _OWN or oid in _WAYS)}
    if not unusual:
        return {}
    asked = sa.text(
        "SELECT oid::bigint, typtype::text, typcategory::text, typname::text FROM pg_type WHERE oid = ANY(:oids)"
    )
    known = {row[0]: row[1:] for row in connection.execute(asked, {"oids": list(unusual.values())})}
    quote = connection.dialect.identifier_preparer.quote_identifier
    ways = {name: _way(quote(name), oid, *known[oid]) for name, oid in unusual.items()}
    return {name: sa.literal_column(way).label(name) for name, way in ways.items() if way}


def _way(column: str, oid: int, kind: str, category: str, name: str) -> str:
    """The expression that gives the parts of a column; empty where the driver gives the value itself."""
    if oid in _WAYS:
        return _WAYS[oid].format(column)
    if kind == "r":
        return f"ARRAY[lower({column})::text, upper({column})::text]"
    if kind == "m":
        ends = f"unnest({column}) AS part, unnest(ARRAY[lower(part)::text, upper(part)::text]) AS ends"
        return f"ARRAY(SELECT ends FROM {ends})"  # noqa: S608 - quoted
    return f"to_jsonb({column})" if kind == "c" or category == "A" or name == "hstore" else ""


def require_askable_key(connection: Connection, key: Collection[str]) -> None:
    """Refuse a key of the probed query whose text does not lead back to its rows: no viewer could be asked about them."""
    import sqlalchemy as sa

    for name, kind in connection.execute(sa.text(_UNASKABLE), {"names": list(key)}):
        raise unaskable_key(str(name), str(kind))


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
