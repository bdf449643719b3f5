"""Finds functions of a PostgreSQL query that are declared IMMUTABLE and still read tables, by the text of their bodies.

The server takes the declaration as it is. What such a function reads is in no plan, and no change of it is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

_COMMENT = re.compile(r"--[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
_NAME = re.compile(r'"((?:[^"]|"")+)"|([^\W\d][\w$]*)')
_CALLED = re.compile(r'(?:"((?:[^"]|"")+)"|([^\W\d][\w$]*))\s*\(')
# What is read stands behind these words, up to the next clause.
_READS = re.compile(r"\b(?:FROM|JOIN|TABLE)\b", re.IGNORECASE)
_END = re.compile(r"\b(?:WHERE|GROUP|ORDER|LIMIT|UNION|ON|USING|FROM|JOIN|LOOP)\b|[;()]", re.IGNORECASE)
_RUNS_TEXT = re.compile(r"\bEXECUTE\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the database's own making that a query or a policy calls."""

    name: str
    source: str  # the statement that makes it; empty for an aggregate, whose functions are listed beside it
    may_read: (
        bool  # it could read tables: neither IMMUTABLE nor written in C, or its body reads one all the same
    )


def with_readers(connection: Connection, functions: Iterable[Function]) -> tuple[Function, ...]:
    """The functions, those whose bodies read tables marked, themselves or by what they call."""
    found = []
    for function in functions:
        reads = function.may_read or (bool(function.source) and _reads(connection, function.source))
        found.append(replace(function, may_read=reads))
    return tuple(found)


def _reads(connection: Connection, source: str) -> bool:
    import sqlalchemy as sa

    seen: set[int] = set()
    waiting = [source]
    while waiting:
        text = _COMMENT.sub(" ", waiting.pop())
        if (
            _RUNS_TEXT.search(text)
            or connection.execute(sa.text(_ARE_TABLES), {"names": _read_names(text)}).scalar_one()
        ):
            return True
        called = connection.execute(sa.text(_ARE_FUNCTIONS), {"names": list(_names(_CALLED, text))})
        for oid, is_steady, body in called.all():
            if not is_steady:
                return True
            if oid not in seen:
                seen.add(oid)
                waiting.append(body)
    return False


def _read_names(text: str) -> Sequence[str]:
    found: list[str] = []
    for word in _READS.finditer(text):
        end = _END.search(text, word.end())
        found += _names(_NAME, text[word.end() : end.start() if end else len(text)])
    return found


def _names(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    for match in pattern.finditer(text):
        yield match[1].replace('""', '"') if match[1] else match[2].lower()


_ARE_TABLES = """
SELECT EXISTS (SELECT FROM pg_class WHERE relname = ANY(:names) AND oid >= 16384 AND relkind IN ('r', 'p', 'v', 'm', 'f'))
"""
_ARE_FUNCTIONS = """
SELECT pg_proc.oid::bigint, provolatile = 'i' OR lanname IN ('c', 'internal'),
       CASE WHEN prokind <> 'a' AND lanname <> 'c' THEN pg_get_functiondef(pg_proc.oid) ELSE '' END
FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
WHERE proname = ANY(:names) AND pg_proc.oid >= 16384 AND prorettype <> 'trigger'::regtype
"""
