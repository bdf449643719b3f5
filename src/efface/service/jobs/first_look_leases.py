"""First looks at reviews: which process has each of them, and when another one takes it over.

A process that looks at a document renews its lease. One that was killed does not, so that another takes the look over
soon, however long looks may take. Leases are by the store's clock: machines with wrong clocks take nothing from another.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from efface.service.review.review_tables import reviews
from efface.service.store import Store

_LEASE = 30.0  # seconds without a sign of life after which a look is another process's to take
_RENEWED = 5.0  # seconds between two signs of life


@dataclass(frozen=True)
class FirstLooks:
    """The first looks that wait, and those under way."""

    store: Store

    def waiting(self) -> list[str]:
        """The reviews that no process works on: the one that should have may have ended before."""
        chosen = sa.select(reviews.c.id).where(self._free).order_by(reviews.c.created)
        with self.store.read() as connection:
            return list(connection.execute(chosen).scalars())

    def claim(self, id: str) -> int | None:
        """Take the first look for this process; None if another has it, or has ended it. How often it was begun: a
        document that ends its process is not looked at for ever."""
        with self.store.write() as connection:
            taken = {"attempts": reviews.c.attempts + 1, "state": "working", **self._leased()}
            free = (reviews.c.id == id, self._free)
            if not connection.execute(reviews.update().where(*free).values(taken)).rowcount:
                return None
            return connection.execute(sa.select(reviews.c.attempts).where(reviews.c.id == id)).scalar()

    @contextmanager
    def renewing(self, id: str) -> Iterator[None]:
        """Give signs of life until the end."""
        over = threading.Event()
        renewing = threading.Thread(target=self._renew, args=(id, over), name="look", daemon=True)
        renewing.start()
        try:
            yield
        finally:
            over.set()

    def _renew(self, id: str, over: threading.Event) -> None:
        mine = (reviews.c.id == id, reviews.c.state == "working")
        while not over.wait(_RENEWED):
            with suppress(sa.exc.SQLAlchemyError), self.store.write() as connection:  # the store may be away
                connection.execute(reviews.update().where(*mine).values(self._leased()))

    def _leased(self) -> dict[str, Any]:
        return {"lease": self.store.now + _LEASE}

    @property
    def _free(self) -> sa.ColumnElement[bool]:
        """Whether a review waits for its first look and no process has it."""
        return reviews.c.state.in_(("waiting", "working")) & (reviews.c.lease < self.store.now)
