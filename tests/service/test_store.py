"""The store of the service: which databases it takes."""

from __future__ import annotations

import pytest

from efface.errors import UsageError
from efface.service.store import Store


@pytest.mark.parametrize("url", ["mysql://host/efface", "oracle://host/efface", "efface.db"])
def test_a_database_that_is_neither_of_the_two_is_refused(url: str) -> None:
    """MySQL was opened as if it were SQLite, and failed at the first statement that only SQLite knows."""
    with pytest.raises(UsageError, match="SQLite or PostgreSQL") as told:
        Store.open(url)
    assert told.value.hint
