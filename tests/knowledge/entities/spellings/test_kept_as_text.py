"""Dates, amounts and grades that a database keeps as texts are found in every way to write them."""

from __future__ import annotations

import pytest

from efface.finders.entities import EntityFinder
from efface.knowledge.entities.sources import ColumnRoles
from efface.knowledge.entities.spellings.kept_as_text import kept_as_text
from efface.knowledge.entities.spellings.values import dates
from efface.knowledge.entities.store import build, open_index

KEPT = {
    "12/03/1980": ["12/3/1980"],  # the 12th of March or the 3rd of December
    "25/12/1979": ["1979-12-25"],
    "25/12/79": [],
    "05/12/79": ["5/12/79"],
    "12 Mar 80": ["12-3-80"],
    "80-03-12": ["80/3/12"],
    "12-MAR-1980": ["1980-03-12"],
    "Mar 12 1980 12:00AM": ["1980-03-12"],
    "25.12.1979 14:35:20": ["1979-12-25"],
    "19800312": ["1980-03-12"],
    "$52,000.00": ["52000"],
    "52.000,50 EUR": ["52000.5"],
    "Rs. 5,20,000/-": ["520000"],
    "CHF 52'000.-": ["52000"],
    "52k": ["52000"],
    "(52,000.00)": ["-52000"],
    "64,5": ["64.5"],
    "1.234": [],
    "$1.234": [],
    "12 High Street": [],
    "07700 900123": [],
    "4711": [],
    "64.5 kg": ["64.5kg", "64,5 kg", "64,5kg"],
    "64,5kg": ["64.5 kg", "64.5kg", "64,5 kg"],
    "120 mg/dl": ["120mg/dl"],
    "13/2019": [],
    "31/31/1980": [],
}  # fmt: skip
ROW = {
    "born": "12/03/1980",
    "seen": "Mar 13 2019 12:00AM",
    "due": "25/12/79",
    "pay": "$52,000.00",
    "debt": "61.000,50 EUR",
    "ill": "Type 2 diabetes",
    "stage": "Stage IV",
    "clinic": "St. Mary's Hospital",
    "word": "\u201clupus\u201d",
    "badge": "#4711",
    "dose": "12.5 mg",
}
WAYS = [
    ("born", "12 March 1980"),
    ("born", "12.03.1980"),
    ("born", "1980-03-12"),
    ("born", "3 December 1980"),
    ("seen", "13.3.2019"),
    ("due", "25 December 1979"),
    ("pay", "52000"),
    ("pay", "52k"),
    ("pay", "fifty-two thousand"),
    ("debt", "61,000.50"),
    ("ill", "type II diabetes"),
    ("ill", "type two diabetes"),
    ("ill", "Type-II-diabetes"),
    ("stage", "stage 4"),
    ("stage", "stage four"),
    ("clinic", "St Marys Hospital"),
    ("word", "lupus"),
    ("badge", "4711"),
    ("dose", "12.5mg"),
    ("dose", "12,5 mg"),
]
NOT = [("born", "13 March 1980"), ("due", "25 December 1978"), ("pay", "52001"), ("stage", "stage 3")]


@pytest.mark.parametrize("text", KEPT)
def test_a_text_says_a_date_or_an_amount(text: str) -> None:
    assert list(kept_as_text(text, dates)) == KEPT[text]


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> EntityFinder:
    path = tmp_path_factory.mktemp("index") / "people.index"
    rows = [{"id": 1, **ROW}, {"id": 2, "born": "03/12/1980"}]
    build(map(ColumnRoles(("id",), tuple(ROW)).entity, rows), path)
    return EntityFinder(open_index(path), "people")


@pytest.mark.parametrize(("column", "written"), WAYS)
def test_what_is_read_as_the_value_is_found(column: str, written: str, finder: EntityFinder) -> None:
    assert column.upper() in {mention.type for mention in finder.find(f"It says {written} here.")}


@pytest.mark.parametrize(("column", "written"), NOT)
def test_what_is_another_value_is_not_found(column: str, written: str, finder: EntityFinder) -> None:
    assert column.upper() not in {mention.type for mention in finder.find(f"It says {written} here.")}


def test_days_that_are_written_in_two_orders_are_two_crowds(finder: EntityFinder) -> None:
    found = {mention.key for mention in finder.find("It says 12 March 1980 here.")}
    assert found == {"12/3/1980", "3/12/1980"}
