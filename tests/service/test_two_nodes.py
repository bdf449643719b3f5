"""Two nodes that share PostgreSQL and an object store: one is killed under load, then one is restarted.

`python -m benchmarks.two_nodes` does it for longer, and restarts both."""

from __future__ import annotations

import pytest
from benchmarks.two_nodes import bucket, killed, pair, rolled


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_shown_too_much_while_nodes_die_and_restart(postgres_url: str) -> None:
    for needed in ("s3fs", "moto.server"):  # loaded here: whoever only collects the test need not wait
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    with bucket() as options, pair(postgres_url, options) as both:
        died = killed(both, seconds=3.0, every=1.5)
        assert died.documents and died.jobs and died.opened
        assert (died.lost, died.shown_too_much, died.errors) == ([], 0, [])
        restarted = rolled(both, pause=0.5, count=1)
        assert restarted.documents and restarted.jobs
        assert (restarted.lost, restarted.shown_too_much) == ([], 0)
        assert (restarted.errors, restarted.broken) == ([], 0), "a client that retries refusals sees no error"
