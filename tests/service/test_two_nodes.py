"""Two nodes that share PostgreSQL and an object store: one is killed under load, then one is restarted.

`python -m benchmarks.two_nodes` does it for longer, and restarts both."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from benchmarks.two_nodes import bucket, killed, pair, rolled


@pytest.fixture
def own_database(postgres_url: str) -> str:
    """A database that no other test has written policies, people or folders to."""
    for needed in ("s3fs", "moto.server"):  # loaded here: whoever only collects the test need not wait
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    engine = sa.create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("CREATE DATABASE two_nodes"))
    engine.dispose()
    return sa.make_url(postgres_url).set(database="two_nodes").render_as_string(hide_password=False)


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_shown_too_much_while_nodes_die_and_restart(own_database: str) -> None:
    with bucket() as options, pair(own_database, options) as both:
        died = killed(both, seconds=3.0, every=1.5)
        assert died.documents and died.jobs and died.opened
        assert (died.lost, died.shown_too_much, died.errors) == ([], 0, [])
        restarted = rolled(both, pause=0.5, count=1)
        assert restarted.documents and restarted.jobs
        assert (restarted.lost, restarted.shown_too_much) == ([], 0)
        assert (restarted.errors, restarted.broken) == ([], 0), "a client that retries refusals sees no error"
