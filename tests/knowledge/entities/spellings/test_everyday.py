"""Values in everyday forms that a database keeps otherwise: labels of programs, numbers behind a word, shares, addresses."""

from __future__ import annotations

from decimal import Decimal

import pytest

from efface.finders.entities import EntityFinder
from efface.knowledge.entities.sources import ColumnRoles
from efface.knowledge.entities.store import build, open_index

ROW = {
    "id": 1,
    "name": "Manish Patel",
    "status": "in_treatment",
    "chart": "MRN-00123456",
    "share": Decimal("0.15"),
    "rate": Decimal("12.50"),
    "phone": "07700 900123",
    "street": "12 High Street",
    "home": "Hauptstraße 5",
    "city": "St. Louis",
}
WAYS = [
    ("status", "in treatment"),
    ("status", "In Treatment"),
    ("status", "in-treatment"),
    ("status", "IN_TREATMENT"),
    ("chart", "MRN: 00123456"),
    ("chart", "MRN #00123456"),
    ("chart", "00123456"),
    ("chart", "MRN 00123456"),
    ("share", "15%"),
    ("share", "15 %"),
    ("share", "15 percent"),
    ("share", "15,0 Prozent"),
    ("rate", "12.5%"),
    ("rate", "12,5 %"),
    ("phone", "+447700900123"),
    ("phone", "00447700900123"),
    ("phone", "0044 7700 900 123"),
    ("phone", "+44 7700 900123"),
    ("street", "12 High St"),
    ("street", "12 High St."),
    ("home", "Hauptstr. 5"),
    ("home", "Hauptstrasse 5"),
    ("city", "Saint Louis"),
    ("name", "PATEL/MANISH"),
    ("name", "m.patel"),
]
NOT = [
    ("status", "in a treatment"),
    ("chart", "00123457"),
    ("chart", "100123456"),
    ("share", "15 patients"),
    ("share", "115%"),
    ("share", "1.5%"),
    ("phone", "+447700900124"),
    ("phone", "7700900123"),
    ("street", "12 High Road"),
    ("street", "112 High St"),
    ("name", "k.patel"),
    ("name", "e.g. Patel"),
]


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> EntityFinder:
    path = tmp_path_factory.mktemp("index") / "people.index"
    roles = ColumnRoles(("id",), tuple(name for name in ROW if name != "id"))
    build([roles.entity(ROW)], path)
    return EntityFinder(open_index(path), "people")


@pytest.mark.parametrize(("column", "written"), WAYS)
def test_what_is_read_as_the_value_is_found(column: str, written: str, finder: EntityFinder) -> None:
    assert column.upper() in {mention.type for mention in finder.find(f"It says {written} here.")}


@pytest.mark.parametrize(("column", "written"), NOT)
def test_what_is_another_value_is_not_found(column: str, written: str, finder: EntityFinder) -> None:
    assert column.upper() not in {mention.type for mention in finder.find(f"It says {written} here.")}
