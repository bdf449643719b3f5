"""What only the viewer's own connection knows, wherever the server would ask for it.

A policy may ask for `session_user` itself, or read a table whose policies do, or a view, or call a function or an
operator that does. `postgres_named` follows them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from efface.access.postgres_named import RUN_TEXT, Text, with_named
from efface.access.postgres_session import ANSWERS_DEPEND_ON, ViewerSession, is_superuser
from efface.errors import PolicyError
from efface.knowledge.databases.postgres_catalog import CatalogQuery

if TYPE_CHECKING:
    from sqlalchemy import Connection

_OF_THE_CLIENT = re.compile(
    r"\b(?:inet_(?:client|server)_(?:addr|port)|pg_backend_pid|current_query|pg_stat_\w+|ssl_\w+|system_user"
    r"|pg_settings|pg_show_all_settings|application_name|pg_cursors?|pg_prepared_\w+|pg_locks?|pg_lock_status"
    r"|pg_current_(?:xact_id\w*|snapshot)|txid_\w+|pg_my_temp_schema|pg_backend_memory_contexts)\b",
    re.IGNORECASE,
)
_OF_THE_LOGIN = re.compile(r"\bsession_user\b", re.IGNORECASE)
_SETTING = re.compile(r"\bcurrent_setting\b(?:\s*\(\s*'(?P<name>[\w.]+)'(?:::text)?\s*[,)])?", re.IGNORECASE)
# A body can put a question together, or write it so that no search finds it.
_ANY_QUESTION = re.compile(r"\b(?:EXECUTE|SHOW)\b|\bU&\S?|\bLANGUAGE (?!sql\b|plpgsql\b)\w+", re.IGNORECASE)
# Functions of the server that run a statement which they are given as a text.
_RUNS_TEXT = re.compile(rf"\b(?:{RUN_TEXT})\b", re.IGNORECASE)
# A setting of the database's own making, which has a point in its name, is no role.
_CHANGES_ROLE = re.compile(
    r"\bset_config\b(?!\s*\(\s*'\w+\.[\w.]+'(?:::text)?\s*,)|\b(?:RE)?SET\s+(?:(?:LOCAL|SESSION)\s+)?(?:ROLE|ALL|SESSION\s+AUTHORIZATION|AUTHORIZATION)\b"
    r"|\bDISCARD\b",
    re.IGNORECASE,
)
# What runs a text that is put together or written in escapes, so that no search finds what it does.
_RUNS_ANYTHING = re.compile(
    rf"\bEXECUTE\b|\bDO\s+(?!NOTHING\b|UPDATE\b)|\bU&|\bE'[^']*\\[0-7xu]|\bLANGUAGE (?!sql\b|plpgsql\b)\w+|{_RUNS_TEXT.pattern}",
    re.IGNORECASE,
)
# Of the server's own settings, those that a viewer's session has as the viewer's login would.
_REPRODUCED = {*ANSWERS_DEPEND_ON, "search_path", "row_security", "is_superuser", "server_version", "server_version_num",
               "server_encoding"}  # fmt: skip


def refuse_unreproducible(
    connection: Connection, query: CatalogQuery, session: ViewerSession
) -> frozenset[str]:
    """Refuse policies, views and functions that ask for what the session cannot give. Of what they may ask for, the
    settings of the database's own making."""
    import sqlalchemy as sa

    only_role = not session.login and not is_superuser(connection)
    known = {(kind, read.bare) for read in query.reads for kind in ("table", "view")}
    theirs = frozenset(connection.execute(sa.text(_ROLES_OF), {"role": session.viewer}).scalars())
    asked_for: set[str] = set()
    for text in with_named(connection, _texts(connection, query, session.viewer), known):
        if asked := _unanswered(text, only_role=only_role):
            raise _cannot_answer(text, asked)
        if not session.login:
            _refuse_way_back(text, theirs)
        asked_for.update(_own_settings(text))
    return frozenset(asked_for)


def _texts(connection: Connection, query: CatalogQuery, viewer: str) -> list[Text]:
    """The SQL that the server runs for the query: policies, views, the query itself, its functions."""
    import sqlalchemy as sa

    oids = [read.oid for read in query.reads]
    found = connection.execute(sa.text(_EXPRESSIONS), {"tables": oids, "role": viewer})
    texts = [Text(str(what), str(text)) for what, text in found]
    texts.append(Text("The query of `entities`", query.definition))
    texts += [Text(f"The function {function.name}", function.source, True) for function in query.functions]
    return texts


def _cannot_answer(text: Text, asked: str) -> PolicyError:
    """The error for what the session cannot give, with the way out: a login of the viewer's own would often do."""
    by_login = asked.lower() == "session_user" or _ANY_QUESTION.match(asked) or _RUNS_TEXT.match(asked)
    return PolicyError(
        f"{text.what} uses {asked}, which efface cannot answer as the viewer would.",
        "Give `login` in `access`, so that efface connects as the viewer."
        if by_login
        else "Let it use current_user, session_user or a setting named in `session`.",
    )


def _own_settings(text: Text) -> Iterator[str]:
    """The settings of the database's own making that the text asks for: they have a point in their names."""
    for setting in _SETTING.finditer(text.sql.replace('"', "")):
        name = setting["name"]
        if name and "." in name:
            yield name


def _refuse_way_back(text: Text, theirs: frozenset[str]) -> None:
    """Refuse what could leave the viewer's role while efface's session has it: a function that the viewer can write may
    take back efface's own rights (RESET ROLE)."""
    if text.owners & theirs:
        what = f"{text.what} is the viewer's own to write, and would run within reach of the rights of efface's login"
    else:
        sql = text.sql.replace('"', "")
        match = _CHANGES_ROLE.search(sql) or (_RUNS_ANYTHING.search(sql) if text.is_body else None)
        if match is None:
            return
        used = match.group().strip().lower()
        what = f"{text.what} uses {used}, which may leave the viewer's role in efface's session"
    raise PolicyError(f"{what}.", "Give `login` in `access`, so that efface connects as the viewer.")


def _unanswered(text: Text, *, only_role: bool) -> str:
    """What the text asks for that the session cannot give; empty if nothing."""
    sql = text.sql.replace('"', "")
    if match := _OF_THE_CLIENT.search(sql) or (only_role and _OF_THE_LOGIN.search(sql)):
        return match.group()
    for setting in _SETTING.finditer(sql):
        name = setting["name"]
        if name is None:
            return "current_setting of a name that it makes up"
        if "." not in name and name.lower() not in _REPRODUCED:
            return f"current_setting('{name}')"
    if not only_role:
        return ""
    if match := _RUNS_TEXT.search(sql) or (text.is_body and _ANY_QUESTION.search(sql)) or None:
        return match.group()
    return ""


_ROLES_OF = """
SELECT given.rolname::text FROM pg_roles AS given JOIN pg_roles AS viewer ON viewer.rolname = :role
WHERE pg_has_role(viewer.oid, given.oid, 'MEMBER') AND NOT viewer.rolsuper
"""
_EXPRESSIONS = """
SELECT 'The policy ' || polname || ' on ' || polrelid::regclass::text, pg_get_expr(polqual, polrelid)
FROM pg_policy
WHERE polrelid = ANY(CAST(:tables AS oid[])) AND polcmd IN ('r', '*') AND polqual IS NOT NULL
  AND (polroles = '{0}' OR EXISTS (
      SELECT FROM pg_roles WHERE rolname = :role
      AND EXISTS (SELECT FROM unnest(polroles) AS given WHERE pg_has_role(pg_roles.oid, given, 'MEMBER'))))
UNION ALL
SELECT 'The view ' || oid::regclass::text, pg_get_viewdef(oid)
FROM pg_class WHERE oid = ANY(CAST(:tables AS oid[])) AND relkind = 'v'
"""
