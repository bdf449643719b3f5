"""`entities` as a policy writes it, a table's name or a query; and whether a query computes its key, by its text: for
databases that do not say where a column comes from."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

_QUERY = re.compile(r"(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/|\()*(?:select|with)[\s(*]", re.IGNORECASE)
_COLON = re.compile(r"(?<![:\w\\]):(?=\w)")
_NAME_PARTS = re.compile(r'"((?:[^"]|"")+)"|([^."]+)')
_QUOTED_NAME = re.compile(r'(?:"(?:[^"]|"")+"|[^."]+)(?:\.(?:"(?:[^"]|"")+"|[^."]+))*')
_COMMENT = re.compile(r"--[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
_MIXES = re.compile(r"\b(?:OVER|LIMIT|EXCEPT|INTERSECT|OR|RECURSIVE)\b", re.IGNORECASE)
_GROUPED = re.compile(r"\bGROUP\s+BY\s+(?:\w+\s*\.\s*)?(\w+)", re.IGNORECASE)
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_SELECT = re.compile(r"\bSELECT\b(?:\s+(?:DISTINCT|ALL)\b)?", re.IGNORECASE)
_MARK = re.compile(r"[(),]|\bFROM\b", re.IGNORECASE)
_NAME = r"""(?:\w+|"[^"]+"|`[^`]+`|\[[^\]]+\])"""
_PLAIN = re.compile(rf"(?:{_NAME}\s*\.\s*){{0,2}}(?:{_NAME}|\*)(?:(?:\s+AS)?\s+{_NAME})?", re.IGNORECASE)
_ALIAS = re.compile(rf".*\s({_NAME})", re.DOTALL)
# Names that columns get from elsewhere: arms of a UNION, and lists of names before a query.
_NAMED_ELSEWHERE = re.compile(r"\b(?:UNION|INTERSECT|EXCEPT)\b|\)\s*AS\s*(?:NOT\s+|MATERIALIZED\s*)?\(|\)\s*AS\s+(?:SELECT|WITH)\b",
                              re.IGNORECASE)  # fmt: skip


def is_query(entities: str) -> bool:
    """Whether `entities` is a SELECT. Comments and brackets may stand before it."""
    return bool(_QUERY.match(entities))


def query_text(entities: str) -> str:
    """The SELECT as a part of another one, its colons marked as no parameters. It may end with a comment."""
    return _COLON.sub(r"\\:", entities.strip().rstrip(";")) + "\n"


def table_name(entities: str) -> tuple[str, str]:
    """(schema, name) of a table, each with or without the quotes of SQL."""
    written = entities.strip()
    if '"' not in written or not _QUOTED_NAME.fullmatch(written):  # quotes may be letters of the name, too
        schema, _, name = entities.rpartition(".")
        return schema, name
    found = _NAME_PARTS.findall(written)
    parts = [quoted.replace('""', '"') if quoted else bare for quoted, bare in found]
    return ".".join(parts[:-1]), parts[-1]


def keeps_key(texts: Sequence[str], key: Collection[str]) -> bool:
    """Whether the key is a column of a table in all these queries and views. Where one query reads another, what any
    of them computes may become the key."""
    bare = [_LITERAL.sub("''", text) for text in texts]
    if any(_NAMED_ELSEWHERE.search(text) for text in bare):
        return False
    is_nested = sum(len(_SELECT.findall(text)) for text in bare) > 1
    for item in chain.from_iterable(map(_items, bare)):
        if _PLAIN.fullmatch(item):  # a column as it is
            continue
        # Something computed. It is harmless only where nobody can read it under the name of the key.
        alias = _ALIAS.fullmatch(item)
        if is_nested or (alias is not None and alias[1].strip('"`[]') in key):
            return False
    return True


def mixed_tables(texts: Sequence[str], tables: Iterable[str], key: Collection[str]) -> frozenset[str]:
    """Returns the tables in which one row may belong to several entities. A table that is named twice is one. All
    tables are, if a query has another one inside or looks at all rows (a window, LIMIT, rows grouped by something
    else than the key). More tables than necessary do no harm."""
    bare = [_COMMENT.sub(" ", _LITERAL.sub("''", text)) for text in texts]
    groups = [group for text in bare for group in _GROUPED.findall(text)]
    has_inner = any(len(_SELECT.findall(text)) > 1 for text in bare)
    if has_inner or any(map(_MIXES.search, bare)) or not {*groups} <= {*key}:
        return frozenset(tables)
    whole = " ".join(bare)
    return frozenset(table for table in tables if _times_named(table, whole) > 1)


def _times_named(table: str, text: str) -> int:
    """How often a text names a table. Qualified columns (`table.column`) do not count."""
    return len(re.findall(rf"(?<!\w){re.escape(table)}(?!\w)(?![\"`\]]?\s*\.)", text, re.IGNORECASE))


def _items(text: str) -> Iterator[str]:
    """What each SELECT of the text selects."""
    for select in _SELECT.finditer(text):
        depth, start = 0, select.end()
        for mark in _MARK.finditer(text, select.end()):
            if mark[0] == "(":
                depth += 1
            elif mark[0] == ")":
                depth -= 1
            elif depth == 0:
                yield text[start : mark.start()].strip()
                start = mark.end()
                if mark[0] != ",":
                    break
            if depth < 0:
                yield text[start : mark.start()].strip()
                break
