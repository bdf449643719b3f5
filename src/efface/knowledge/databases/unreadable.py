"""The error for a database that cannot be read. A driver's own message may quote data and is not passed on."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from efface.errors import InputError, PolicyError

_SQLITE_FILE = re.compile(r"sqlite(?:\+\w+)?:///file:([^?]+)\?.*")
_LOCKED = "55P03"  # PostgreSQL's code for a lock that is not available


def unreadable(error: Exception, url: str, missing: str = "") -> InputError:
    """What to tell the user. `url` may hold a password: only its scheme is named. `missing` says what is not there."""
    import sqlalchemy as sa

    if missing:
        return InputError(
            f"The entities could not be read: {missing}.",
            "Write the name in the policy as the database has it.",
        )
    if _lacks_file(url):
        return InputError(
            "The entities could not be read: there is no such file.",
            "Check the path in `database`. It is relative to the policy's folder; an absolute one has four slashes: "
            "sqlite:////data/people.db.",
        )
    if isinstance(error, sa.exc.NoSuchModuleError | ImportError):
        scheme = url.partition(":")[0]
        return InputError(
            f"The entities could not be read: the driver for {scheme} is not installed, or SQLAlchemy knows no such driver.",
            "For PostgreSQL `pip install 'efface[postgres]'`; for others the driver that the URL names, such as pymysql.",
        )
    if getattr(getattr(error, "orig", None), "sqlstate", "") == _LOCKED:
        return InputError(
            "The entities could not be read: another session has locked a table of theirs.",
            "Try again when it is done; pg_locks and pg_stat_activity tell who it is.",
        )
    if isinstance(error, sa.exc.DataError):
        return InputError(
            "The entities could not be read: a value is none that a program can hold.",
            "Often a date before the year 1 or after 9999, or `infinity`: cast the column to text in a SELECT.",
        )
    return InputError(
        f"The entities could not be read from the database ({type(error).__name__}).",
        "Check the URL, the table or SELECT, and the names of the columns.",
    )


def _lacks_file(url: str) -> bool:
    """Whether it is the URL of a SQLite file, as `dialects.resolved` writes it, and the file is not there."""
    found = _SQLITE_FILE.fullmatch(url)
    return found is not None and not Path(unquote(found[1])).exists()


def unaskable_key(column: str, kind: str) -> PolicyError:
    """The message for a key whose values, written as text, the database does not find again."""
    return PolicyError(
        f"The key column {column} is of the type {kind}. Rows cannot be asked for by its text, so every row would be denied.",
        f"Take another column as the key, or a SELECT with {column} as a text, such as CAST({column} AS text) or, "
        "of bytes, encode() or hex().",
    )
