"""Results of tests are no places."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.measurements import without_measurements


def stays_a_name(surface: str, type: str = "LOCATION") -> bool:
    mention = Mention(0, len(surface), type, surface.lower(), 0.6, "test")
    return bool(list(without_measurements(surface, [mention])))


@pytest.mark.parametrize(
    "surface",
    [
        "CRP 43",
        "ESR 61",
        "HbA1c 61",
        "Na 138",
        "K 4.1",
        "sats 96",
        "RR 18",
        "2.1",
        "WCC 9.8",
        "Plt 240",
        "D-dimer 510",
        "BP 120/80",
    ],
)
def test_a_result_is_no_name(surface: str) -> None:
    assert not stays_a_name(surface)


@pytest.mark.parametrize(
    "surface", ["A38", "Ward 7", "Unit 12", "Leeds", "18", "E14", "Route 66", "Camp 22", "K2", "Na Li"]
)
def test_a_place_with_a_number_is_one(surface: str) -> None:
    assert stays_a_name(surface)


def test_dates_are_not_looked_at() -> None:
    assert stays_a_name("K 4.1", "DATE_TIME")
