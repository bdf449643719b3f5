"""Finds, from the server's own plan, the table rows that make up one entity of a PostgreSQL query. Asked while the probe exists.

The plan of "the entity with this key" says at each scan of a table which rows are read. Where every scan of a table asks
for rows with the key in one of their columns, a changed row changes the entity of that key and no other. A table that is
joined with itself, or by another column, a window over all rows or a LIMIT leaves a scan without such a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

_CONDITIONS = ("Filter", "Index Cond", "Recheck Cond")
_NAME = r'(?:"(?:[^"]|"")+"|[^\W\d][\w$]*)'
_CAST = r"(?:\)?::[a-z ]+)?"
_COLUMN = rf"\(*({_NAME})\.({_NAME})\)?{_CAST}"
_EQUAL = re.compile(rf"{_COLUMN} = {_COLUMN}")
_RETURNS = re.compile(r"InitPlan (?P<number>\d+)(?: \(returns (?P<name>\$\d+)\))?")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")

AliasedColumn = tuple[str, str]  # (alias, column)


@dataclass(frozen=True, slots=True)
class _TableScan:
    """A scan of a table in a plan, and the conditions that every row it gives has."""

    schema: str
    table: str
    alias: str
    conditions: tuple[str, ...]


def bound_columns(
    connection: Connection, key: Sequence[str]
) -> dict[tuple[str, str], tuple[frozenset[str], ...]]:
    """By schema and name of each table that is scanned: for each part of the key, the columns that hold it in all rows
    that an entity is made of."""
    plan = _plan(connection, key)
    scans = list(_scans(plan))
    found: dict[tuple[str, str], tuple[frozenset[str], ...]] = {}
    places = [_bound(scans, _part_as_written(plan, number)) for number in range(len(key))]
    for scan in scans:
        columns = tuple(_columns_of(scan, bound) for bound in places)
        known = found.get((scan.schema, scan.table), columns)
        found[scan.schema, scan.table] = tuple(map(frozenset.intersection, known, columns))
    return found


def _columns_of(scan: _TableScan, bound: Iterable[AliasedColumn]) -> frozenset[str]:
    return frozenset(column for alias, column in bound if alias == scan.alias)


def _plan(connection: Connection, key: Sequence[str]) -> Any:
    """The plan for one entity. Its key is the answer of a subquery: were it known, the server would leave out of the
    plan what no row fits."""
    quote = connection.dialect.identifier_preparer.quote_identifier
    kinds = _kinds(connection)
    parts = []
    for number, name in enumerate(key):
        parts.append(f"{quote(name)} = (SELECT CAST({_setting(number)} AS {kinds[name]}))")
    asked = f"EXPLAIN (VERBOSE, FORMAT JSON) SELECT * FROM efface_probe WHERE {' AND '.join(parts)}"  # noqa: S608 - quoted
    return connection.exec_driver_sql(asked.replace("%", "%%")).scalar_one()


def _setting(number: int) -> str:
    return f"current_setting('efface.key{number}'::text, true)"


def _part_as_written(plan: Any, number: int) -> str:
    """How the plan names the subquery that gives a part of the key: `$0`, or `(InitPlan 1).col1` since version 17."""
    for node in plan_nodes(plan):
        if _setting(number) in " ".join(node.get("Output", ())):
            returns = _RETURNS.fullmatch(str(node.get("Subplan Name", "")))
            if returns:
                return returns["name"] or f"(InitPlan {returns['number']}).col1"
    return ""


def _kinds(connection: Connection) -> Mapping[str, str]:
    asked = (
        "SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute"
        " WHERE attrelid = 'efface_probe'::regclass AND attnum > 0"
    )
    return {str(name): str(kind) for name, kind in connection.exec_driver_sql(asked)}


def _scans(plan: Any) -> Iterator[_TableScan]:
    for node in plan_nodes(plan):
        if "Relation Name" in node:
            conditions = [str(node[name]) for name in _CONDITIONS if name in node]
            texts = tuple(text for condition in conditions for text in _conjuncts(condition))
            yield _TableScan(str(node["Schema"]), str(node["Relation Name"]), str(node["Alias"]), texts)


def plan_nodes(plan: Any) -> Iterator[dict[str, Any]]:
    """Every step of a plan that PostgreSQL explained as JSON."""
    if isinstance(plan, list):
        for part in plan:
            yield from plan_nodes(part)
    elif isinstance(plan, dict):
        yield plan
        for part in plan.values():
            yield from plan_nodes(part)


def _conjuncts(condition: str) -> Iterator[str]:
    """The parts of a condition that all hold: `((a) AND (b))`. A part is never split within brackets or quotes."""
    inner = condition[1:-1]
    bare = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), inner)
    depth = start = 0
    parts = []
    for at, char in enumerate(bare):
        depth += (char == "(") - (char == ")")
        if depth == 0 and bare.startswith(" AND ", at):
            parts.append(inner[start:at])
            start = at + len(" AND ")
    if parts:
        yield from (part[1:-1] for part in (*parts, inner[start:]))
    else:
        yield inner


def _bound(scans: Sequence[_TableScan], part: str) -> set[AliasedColumn]:
    """The columns that equal this part of the key, or a column that does."""
    found: set[AliasedColumn] = set()
    if not part:
        return found
    is_key = re.compile(rf"{_COLUMN} = \(*{re.escape(part)}\)?{_CAST}")
    pairs: list[tuple[AliasedColumn, AliasedColumn]] = []
    for scan in scans:
        for text in scan.conditions:
            if match := is_key.fullmatch(text):
                if _unquoted(match[1]) == scan.alias:
                    found.add((scan.alias, _unquoted(match[2])))
            elif match := _EQUAL.fullmatch(text):
                left = _unquoted(match[1]), _unquoted(match[2])
                right = _unquoted(match[3]), _unquoted(match[4])
                pairs += [pair for pair in ((left, right), (right, left)) if pair[0][0] == scan.alias]
    grown = True
    while grown:
        new = {mine for mine, other in pairs if other in found} - found
        found |= new
        grown = bool(new)
    return found


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name
