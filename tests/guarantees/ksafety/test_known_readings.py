"""Readers who know how a value is to be read: in which time zone a day was written, whether a number is a debt. Each of them
counts only the entities that fit this reading, and there must be k of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Verdict
from efface.finders.entities import EntityFinder
from efface.guarantees.ksafety.guarantee import KSafety
from efface.knowledge.entities.sources import ColumnRoles
from efface.knowledge.entities.store import build, open_index
from efface.operators import Operators
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy

K = 3
DAY = date(1980, 3, 12)
FIRST = datetime(1980, 3, 11, tzinfo=UTC)
QUARTERS = range(-12 * 4, 14 * 4 + 1)  # every zone is a whole number of quarters of an hour from UTC
ZONES = [timezone(timedelta(minutes=15 * quarters)) for quarters in QUARTERS]


def released(folder: Path, rows: Sequence[Mapping[str, object]], text: str) -> str:
    """The text as it leaves when every row is protected."""
    columns = tuple(name for name in rows[0] if name != "id")
    roles = ColumnRoles(("id",), columns)
    build([roles.entity(row) for row in rows], folder)
    index = open_index(folder)
    guarantee = KSafety(index, "people", K, protect=index.everyone())
    types = tuple(name.upper() for name in columns)
    bound = BoundPolicy({"people": EntityFinder(index, "people")}, (guarantee,), Operators(), types=types)
    report = pipeline.sanitize(text.encode(), "note.txt", bound)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    return report.released.decode()


def least_crowd(moments: Sequence[datetime]) -> int:
    """The smallest crowd of a reader who knows the zone, over all zones in which somebody has the day."""
    crowds = [sum(moment.astimezone(zone).date() == DAY for moment in moments) for zone in ZONES]
    return min(crowd for crowd in crowds if crowd)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 3 * 24 * 4 - 1), min_size=K, max_size=12),
    st.sampled_from(["12/03/1980", "12 March 1980"]),
)
def test_a_reader_who_knows_the_zone_has_k_who_have_the_day(
    tmp_path_factory: pytest.TempPathFactory, quarters: list[int], written: str
) -> None:
    moments = [FIRST + timedelta(minutes=15 * quarter) for quarter in quarters]
    rows = [{"id": id, "born": moment} for id, moment in enumerate(moments)]
    text = released(tmp_path_factory.mktemp("index"), rows, f"Born on {written}, she says.")
    assert (
        written not in text or all(DAY not in days(moment) for moment in moments) or least_crowd(moments) >= K
    )


def days(moment: datetime) -> set[date]:
    return {moment.astimezone(zone).date() for zone in ZONES}


def test_a_day_on_both_sides_of_midnight_is_two_crowds(tmp_path: Path) -> None:
    midnight = datetime(1980, 3, 12, tzinfo=UTC)
    moments = [midnight - timedelta(hours=1)] * 2 + [midnight + timedelta(hours=1)] * 2
    rows = [{"id": id, "born": moment} for id, moment in enumerate(moments)]
    assert "12 March 1980" not in released(tmp_path, rows, "Born on 12 March 1980, she says.")


@pytest.mark.parametrize("written", ["12 March 1980", "1980-03-12", "13.3.1980"])
def test_a_day_that_k_have_at_the_same_moment_stays(written: str, tmp_path: Path) -> None:
    rows = [{"id": id, "born": datetime(1980, 3, 12, 23, tzinfo=UTC)} for id in range(K)]
    assert written in released(tmp_path, rows, f"Born on {written}, she says.")


def test_a_moment_that_is_kept_as_a_text_is_counted_alike(tmp_path: Path) -> None:
    born = ["1980-03-11T23:00:00Z"] * 2 + ["1980-03-12T01:00:00Z"] * 2
    rows = [{"id": id, "born": text} for id, text in enumerate(born)]
    assert "12 March 1980" not in released(tmp_path, rows, "Born on 12 March 1980, she says.")


@pytest.mark.parametrize("written", ["4512", "4,512", "4,512.00", "USD4512", "EUR 4.512", "4512 overdrawn"])
@pytest.mark.parametrize("debts", [1, 3])
def test_a_debt_and_a_credit_are_two_crowds(debts: int, written: str, tmp_path: Path) -> None:
    """A reader knows from the words around which of them it is."""
    rows = [{"id": id, "balance": -4512 if id < debts else 4512} for id in range(K + 1)]
    assert "512" not in released(tmp_path, rows, f"Balance: {written}, she says.")


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_that_k_have_with_the_same_sign_stays(sign: int, tmp_path: Path) -> None:
    rows = [{"id": id, "balance": sign * 4512} for id in range(K)]
    assert "4,512" in released(tmp_path, rows, "Balance: 4,512, she says.")
