"""A session of the viewer's own: what the server would answer if the viewer had logged in.

With `login` efface connects as the viewer. Without it, a superuser's session takes the viewer's authorization
(`session_user` changes with it); another login takes the viewer's role, and policies that ask for more than the
role are refused. The settings that the server gives the viewer at login are given here too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote_plus

from efface.access import NoAnswerError
from efface.errors import PolicyError
from efface.knowledge.databases.connections_postgres import FORGET, FORGET_TABLES
from efface.knowledge.databases.relation import engine

if TYPE_CHECKING:
    from sqlalchemy import Connection

TIMEOUT = "5s"
_NOT_ALLOWED = "42501"
_OPTION = re.compile(r"(?:-c\s*|--)([\w.-]+)\s*=")
_PATH = "search_path"
_OF_THE_CLIENT = {"application_name", "client_encoding", "session_authorization"}
ANSWERS_DEPEND_ON = {  # of the server's own settings, those on which the answers of policies can depend
    "timezone", "datestyle", "intervalstyle", "default_text_search_config", "transform_null_equals", "bytea_output",
    "extra_float_digits", "xmlbinary", "array_nulls", "lc_messages", "lc_monetary", "lc_numeric", "lc_time", "xmloption",
    "timezone_abbreviations",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ViewerSession:
    """How to become a viewer. `settings` are given by authentication; `{viewer}` in them is filled in."""

    url: str = field(repr=False)
    viewer: str
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)
    login: str = field(default="", repr=False)  # a URL with {viewer} in it

    @contextmanager
    def open(self, snapshot: str, asked: Collection[str] = ()) -> Iterator[Connection]:
        """A fresh session that sees the snapshot as the viewer sees it; it is never used again. `asked` are the settings of
        the database's own making that its policies ask for."""
        import sqlalchemy as sa

        url = self.login.replace("{viewer}", quote(self.viewer, safe="")) if self.login else self.url
        made = sa.create_engine(url, poolclass=sa.NullPool, hide_parameters=True)
        with made.connect() as connection:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            quoted = snapshot.replace("'", "''")
            connection.exec_driver_sql(f"SET TRANSACTION SNAPSHOT '{quoted}'")
            self._forget(connection, asked)
            self._become_viewer(connection)
            try:
                before = _who_asks(connection)
                yield connection
                if _who_asks(connection) != before:
                    raise NoAnswerError("a policy left the viewer's role in efface's session")
            finally:
                connection.rollback()

    def _forget(self, connection: Connection, asked: Collection[str]) -> None:
        """Take back what somebody left behind in a session that a pool gives on. A setting of the database's own making can
        be emptied and not taken back, and policies tell the two apart: refuse one that they ask for. What the server itself
        runs at a viewer's login belongs to the session."""
        import sqlalchemy as sa

        if self.login and connection.exec_driver_sql(_LOGIN_TRIGGERS).scalar():
            return
        _refuse_login_triggers(connection)
        connection.exec_driver_sql(f"{FORGET}; {FORGET_TABLES}")
        at_login = connection.execute(sa.text(_AT_LOGIN), {"role": self.viewer}).scalars()
        given = {*dict(_pairs(at_login)), *map(str.lower, self.settings)}
        left = {"names": sorted({*map(str.lower, asked)} - given)}
        for name in connection.execute(sa.text(_EMPTIED), left).scalars() if left["names"] else ():
            raise PolicyError(
                f"A policy asks for the setting {name}, which somebody set before in the session that a pool gave to efface.",
                "Let `database` and `login` name the server itself and not a pool, or name the setting in `session`.",
            )

    def _become_viewer(self, connection: Connection) -> None:
        """Give the session the viewer's settings and rights. The search path comes last: behind it, a function of the
        viewer's making could be taken for one of the server's, and would be called with efface's rights."""
        given: dict[str, str] = {}
        role, kind = "none", "ROLE"
        if self.login:
            who = connection.exec_driver_sql("SELECT session_user").scalar_one()
            if who != self.viewer:
                raise PolicyError("`login` does not log in as the viewer.", "Write {viewer} as its user.")
            _refuse(_of_client(connection) - set(_named_options(unquote_plus(self.login))), "environment")
        else:
            is_super = is_superuser(connection)
            given = {"row_security": "on", **self._at_login(connection, is_super=is_super)}
            role = self._role_at_login(connection, given.pop("role", "none"))
            kind = "SESSION AUTHORIZATION" if is_super else "ROLE"
        given["statement_timeout"] = TIMEOUT
        given |= {
            name.lower(): value.replace("{viewer}", self.viewer) for name, value in self.settings.items()
        }
        path = given.pop(_PATH, None)
        _set(connection, given)
        if path is not None:
            _set(connection, {_PATH: path})
        if not self.login:
            self._set_local_role(connection, kind, self.viewer)
            if role != "none":
                self._set_local_role(connection, "ROLE", role)

    def _role_at_login(self, connection: Connection, role: str) -> str:
        """The role that the viewer's settings name, if the viewer may take it. Anybody can name any role in a setting of
        their own; the server passes over one that they may not take, while efface's login might be given it."""
        import sqlalchemy as sa

        if role == "none":
            return role
        given = {"viewer": self.viewer, "role": role}
        if connection.execute(sa.text(_IS_ROLE), given).scalar_one_or_none() is None:
            return "none"
        server = connection.dialect.server_version_info or ()
        right = "SET" if server >= _HAS_RIGHT_TO_SET else "MEMBER"
        may = connection.execute(sa.text(_MAY_TAKE), {**given, "right": right}).scalar_one()
        return role if may else "none"

    def _set_local_role(self, connection: Connection, what: str, role: str) -> None:
        import sqlalchemy as sa

        # The preparer doubles `%`, as drivers want it.
        quoted = connection.dialect.identifier_preparer.quote_identifier(role)
        try:
            connection.exec_driver_sql(f"SET LOCAL {what} {quoted}")
        except sa.exc.ProgrammingError as error:
            if getattr(error.orig, "sqlstate", "") != _NOT_ALLOWED:
                raise
            raise NoAnswerError(
                "efface's login may not take the viewer's role (GRANT the role to it)"
            ) from None

    def _at_login(self, connection: Connection, *, is_super: bool) -> dict[str, str]:
        """The settings that the server gives the viewer at login. Those that efface's own session got from its role or
        its URL cannot be taken back, so they may not be there; the search path can."""
        import sqlalchemy as sa

        found = connection.execute(sa.text(_AT_LOGIN), {"role": self.viewer}).scalars()
        theirs = dict(_pairs(found))
        ours = {name for name, _ in _pairs(connection.execute(sa.text(_OF_ROLE)).scalars())}
        ours |= _of_client(connection)
        given = theirs.keys() | {name.lower() for name in self.settings}
        if _PATH in ours - given:
            theirs[_PATH] = str(connection.exec_driver_sql(_USUAL_PATH).scalar_one())
        _refuse(ours - given, "login")
        fixed = set(connection.execute(sa.text(_FIXED), {"super": is_super}).scalars())
        for name in sorted(fixed.intersection(theirs)):
            if "." in name:
                raise PolicyError(
                    f"The viewer's role has the setting {name}, which only a superuser may set.",
                    "Give `login` in `access`, so that efface connects as the viewer.",
                )
        return {name: value for name, value in theirs.items() if name not in fixed | _OF_THE_CLIENT}


def _set(connection: Connection, settings: Mapping[str, str]) -> None:
    """Give the session these settings, in one question, until its transaction ends."""
    import sqlalchemy as sa

    connection.execute(
        sa.select(*(sa.func.pg_catalog.set_config(*setting, True) for setting in settings.items()))
    )


def _refuse(settings: set[str], whose: str) -> None:
    """Refuse settings on which answers depend and which the viewer's session would not have."""
    for name in sorted(settings):
        if "." in name or name in ANSWERS_DEPEND_ON:
            raise PolicyError(
                f"The {whose} of efface has the setting {name}, which the viewer's session would not have.",
                f"ALTER ROLE … RESET {name}; for efface's login, or give `login` in `access`."
                if whose == "login"
                else "Unset PGOPTIONS, PGTZ and PGDATESTYLE, or name it in the options of `login`.",
            )


def _refuse_login_triggers(connection: Connection) -> None:
    """Refuse a server that runs something at each login: it ran for efface's login and not for the viewer's."""
    for name in connection.exec_driver_sql(_LOGIN_TRIGGERS).scalars():
        raise PolicyError(
            f"The event trigger {name} runs at login, and may set what policies ask for.",
            "Give `login` in `access`, so that efface connects as the viewer.",
        )


def _who_asks(connection: Connection) -> tuple[str, ...]:
    return tuple(connection.exec_driver_sql("SELECT current_user, session_user").one())


def is_superuser(connection: Connection) -> bool:
    asked = "SELECT rolsuper FROM pg_roles WHERE rolname = session_user"
    return bool(connection.exec_driver_sql(asked).scalar_one())


@contextmanager
def snapshot_of(url: str) -> Iterator[tuple[Connection, str]]:
    """efface's own session and the name of what it sees; always rolled back."""
    with engine(url).connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = '{TIMEOUT}'")
        try:
            yield connection, str(connection.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one())
        finally:
            connection.rollback()


def _pairs(settings: Iterable[object]) -> Iterator[tuple[str, str]]:
    for setting in settings:
        name, _, value = str(setting).partition("=")
        yield name.lower(), value


def _of_client(connection: Connection) -> set[str]:
    """The settings that a session got with its connection (`options`, PGOPTIONS, PGTZ). The server lists those that it
    knows, and not those of the database's own making."""
    driver = connection.connection.driver_connection
    options = str(getattr(getattr(driver, "info", None), "options", "") or "")
    return {*_named_options(options), *connection.exec_driver_sql(_BY_CLIENT).scalars()}


def _named_options(options: str) -> Iterator[str]:
    for name in _OPTION.findall(options):
        yield name.lower().replace("-", "_")


# The last of several settings of one name counts: of the database, of the role, of the role in the database.
_AT_LOGIN = """
SELECT unnest(setconfig) FROM pg_db_role_setting
LEFT JOIN pg_roles ON pg_roles.oid = setrole
WHERE (setrole = 0 OR rolname = :role)
  AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
ORDER BY setrole <> 0, setdatabase <> 0
"""
_OF_ROLE = """
SELECT unnest(setconfig) FROM pg_db_role_setting JOIN pg_roles ON pg_roles.oid = setrole
WHERE rolname = session_user
  AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
_EMPTIED = """
SELECT name FROM unnest(CAST(:names AS text[])) AS name WHERE current_setting(name, true) = '' LIMIT 1
"""
_HAS_RIGHT_TO_SET = (16,)  # the version since which a member may be without it
_IS_ROLE = "SELECT 1 FROM pg_roles WHERE rolname = :role"
_MAY_TAKE = "SELECT pg_has_role(:viewer, :role, :right)"
_LOGIN_TRIGGERS = (
    "SELECT evtname FROM pg_event_trigger WHERE evtevent = 'login' AND evtenabled <> 'D' LIMIT 1"
)
_BY_CLIENT = "SELECT lower(name) FROM pg_settings WHERE source = 'client'"
_USUAL_PATH = "SELECT boot_val FROM pg_settings WHERE name = 'search_path'"
_FIXED = """
SELECT lower(name) FROM pg_settings
WHERE context <> 'user' AND NOT (context = 'superuser' AND :super) OR name LIKE 'transaction\\_%'
"""
