"""Values of a database that are no texts, as a driver gives them, and the ways in which people write them."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, timezone
from decimal import Decimal

import pytest

from efface.finders.entities import EntityFinder
from efface.knowledge.entities.sources import ColumnRoles
from efface.knowledge.entities.spellings.moments import days_of, quarter_of, quarters_on
from efface.knowledge.entities.spellings.values import spellings
from efface.knowledge.entities.store import build, open_index

ROW = {
    "id": 1,
    "smoker": True,
    "driver": False,
    "account": Decimal(1234567890123456789012345),
    "debt": Decimal("12345678901234567890.1"),
    "dose": Decimal("0.5"),
    "trace": Decimal("0.000001234"),
    "mass": 1e20,
    "far": Decimal("1e60"),
    "took": timedelta(minutes=90),
    "stay": timedelta(days=3, hours=4, minutes=5),
    "came": time(14, 35, 20),
    "first_name": "John",
    "last_name": "Smithers",
}
WAYS = [
    ("smoker", "smoker: yes"),
    ("smoker", "smoker = Y"),
    ("smoker", "Raucher: ja"),
    ("smoker", "| yes |"),
    ("driver", "drives? no"),
    ("driver", "drives: N"),
    ("account", "1234 5678 9012 3456 7890 12345"),
    ("account", "1,234,567,890,123,456,789,012,345"),
    ("debt", "12,345,678,901,234,567,890.10"),
    ("debt", "12345678901234567890.10"),
    ("dose", ".5 mg"),
    ("dose", "0.50"),
    ("trace", "1.234e-6"),
    ("trace", "1.234E-06"),
    ("mass", "1e20"),
    ("mass", "100,000,000,000,000,000,000"),
    ("far", "1" + 60 * "0"),
    ("took", "01:30:00"),
    ("took", "1:30"),
    ("took", "1h30"),
    ("took", "1 h 30 min"),
    ("took", "90 min"),
    ("took", "1.5 h"),
    ("stay", "3 days 04:05:00"),
    ("stay", "3 days 4:05"),
    ("came", "14:35"),
    ("came", "2:35 pm"),
    ("last_name", "J. Smithers"),
    ("last_name", "Smithers, J."),
]
NOT = [
    ("driver", "no fever"),
    ("driver", "there are: none"),
    ("smoker", "yesterday: yesterday"),
    ("dose", "chapter 3.5.1"),
    ("dose", "12.5"),
    ("mass", "1e201"),
    ("took", "11:30:00"),
    ("came", "14:36"),
]


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> EntityFinder:
    path = tmp_path_factory.mktemp("index") / "people.index"
    roles = ColumnRoles(("id",), tuple(name for name in ROW if name != "id"))
    build([roles.entity(ROW)], path)
    return EntityFinder(open_index(path), "people")


def places(finder: EntityFinder, column: str, written: str) -> list[str]:
    text = f"It says {written} here."
    return [text[found.start : found.end] for found in finder.find(text) if found.type == column.upper()]


@pytest.mark.parametrize(("column", "written"), WAYS)
def test_what_is_read_as_the_value_is_found(column: str, written: str, finder: EntityFinder) -> None:
    assert places(finder, column, written)


@pytest.mark.parametrize(("column", "written"), NOT)
def test_what_is_not_read_as_the_value_stays(column: str, written: str, finder: EntityFinder) -> None:
    assert not places(finder, column, written)


@pytest.mark.parametrize("written", ["J. Smithers", "Smithers, J."])
def test_an_initial_goes_with_the_family_though_columns_part_them(written: str, finder: EntityFinder) -> None:
    assert written.removesuffix(".") in places(finder, "last_name", written)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("J. Smithers", ["J."]),
        ("Smithers, J.", ["J"]),
        ("Mr J Smithers", ["J"]),
        ("John Smithers", ["John"]),
        ("JOHN SMITHERS", ["JOHN"]),
        ("Smithers, John", ["John"]),
        ("John Smithers (JS)", ["John", "JS"]),
        ("Mr Smithers", []),
        ("Smithers's", []),
        ("Smithers", []),
    ],
)
def test_the_initial_beside_a_family_is_a_find_of_the_given_names(
    written: str, told: list[str], finder: EntityFinder
) -> None:
    assert list(dict.fromkeys(places(finder, "first_name", written))) == told


@pytest.mark.parametrize(
    ("moment", "days"),
    [
        (datetime(1980, 3, 12, 23, 0, tzinfo=UTC), {"1980-03-12", "1980-03-13"}),
        (datetime(1980, 3, 13, 7, 30, tzinfo=UTC), {"1980-03-12", "1980-03-13"}),
        (datetime(1980, 3, 13, 0, 0, tzinfo=timezone(timedelta(hours=1))), {"1980-03-12", "1980-03-13"}),
        (datetime(1980, 3, 12, 11, 0, tzinfo=UTC), {"1980-03-11", "1980-03-12", "1980-03-13"}),
        (datetime(1980, 3, 12, 23, 0), {"1980-03-12"}),
    ],
)
def test_a_moment_with_a_zone_is_each_day_that_it_is_somewhere(moment: datetime, days: set[str]) -> None:
    assert {text for text in spellings(moment) if len(text) == len("1980-03-12")} == days


def test_the_last_moment_of_all_has_a_day() -> None:
    assert "9999-12-31" in set(spellings(datetime(9999, 12, 31, 23, 59, tzinfo=UTC)))


@pytest.mark.parametrize("minutes", [0, 14, 15, 59])
@pytest.mark.parametrize("hours", range(-26, 27, 13))
def test_the_quarter_of_a_moment_is_among_those_of_each_of_its_days(hours: int, minutes: int) -> None:
    moment = datetime(1980, 3, 12, 11, tzinfo=UTC) + timedelta(hours=hours, minutes=minutes)
    for day in days_of(moment):
        quarters = {f"{day}{quarter}" for day, some in quarters_on(day) for quarter in some}
        assert set(quarter_of(moment)) & quarters


@pytest.mark.parametrize("key", ["0001-01-01", "9999-12-31", "1980-02-30", "12 march 1980"])
def test_the_first_day_the_last_day_and_no_day_have_what_quarters_there_are(key: str) -> None:
    assert len(list(quarters_on(key))) == (2 if key in ("0001-01-01", "9999-12-31") else 0)
