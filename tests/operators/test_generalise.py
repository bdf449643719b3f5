from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.errors import PolicyError
from efface.operators import Generalise
from tests.operators.helpers import one


@pytest.mark.parametrize(
    ("type_name", "term", "expected"),
    [
        ("DATE_TIME", "2019-03-12", "2019"),
        ("DATE_TIME", "12/03/2019 14:30", "2019"),
        ("DATE_TIME", "March 3rd, 2019", "2019"),
        ("DATE_TIME", "25/12/45", "1945"),
        ("DATE_TIME", "3-5 March 2019", "2019"),
        ("DATE_TIME", "spring of 2019", "2019"),
        ("DATE_TIME", "2019", "2010s"),
        ("DATE_TIME", "2010", "[DATE_TIME_1]"),  # 2010s would say 2010
        ("DATE_TIME", "2018-2019", "[DATE_TIME_1]"),
        ("DATE_TIME", "3 March", "[DATE_TIME_1]"),
        ("BIRTH_DATE", "1970-01-02", "1970"),
        ("AGE", "47", "40-49"),
        ("AGE", "aged 47", "aged 40-49"),
        ("AGE", "aged 40", "40-49"),
        ("AGE", "47-year-old", "40-49-year-old"),
        ("AGE", "47 y/o", "40-49 y/o"),
        ("AGE", "5 years old", "0-9 years old"),
        ("AGE", "89", "80-89"),
        ("AGE", "90", "90+"),
        ("AGE", "103 years", "90+ years"),
        ("AGE", "18 months", "[AGE_1]"),
        ("AGE", "Ann, 47", "[AGE_1]"),
        ("AGE", "forty-seven", "[AGE_1]"),
        ("POSTCODE", "94110", "941**"),
        ("POSTCODE", "94110-1234", "941**"),
        ("POSTCODE", "03601", "000**"),
        ("POSTCODE", "SW1A 1AA", "SW1A"),
        ("UK_POSTCODE", "m1 1ae", "m1"),
        ("POSTCODE", "K1A 0B1", "K1A"),
        ("POSTCODE", "12", "[POSTCODE_1]"),
        ("IP_ADDRESS", "192.168.1.77", "192.168.1.0/24"),
        ("IP_ADDRESS", "192.168.1.0", "[IP_ADDRESS_1]"),
        ("IP_ADDRESS", "2a00:1450:4001:82a::200e", "2a00:1450:4001::/48"),
        ("IP_ADDRESS", "300.1.1.1", "[IP_ADDRESS_1]"),
        ("SALARY", "$53,250", "$50,000-59,999"),
        ("SALARY", "53250.75 EUR", "50000-59999 EUR"),
        ("SALARY", "50000", "0-99999"),
        ("SALARY", "7", "0-9"),
        ("SALARY", "12 for Ann", "[SALARY_1]"),
        ("SALARY", "1" * 40, "[SALARY_1]"),
        ("PERSON", "Ann Lee", "[PERSON_1]"),
        ("US_SSN", "123-45-6789", "[US_SSN_1]"),
    ],
)
def test_generalise_table(type_name: str, term: str, expected: str) -> None:
    assert one(Generalise(), type_name, term) == expected


@pytest.mark.parametrize(
    ("operator", "type_name", "term", "expected"),
    [
        (Generalise(date="decade"), "DATE_TIME", "2019-03-12", "2010s"),
        (Generalise(band=5), "AGE", "47", "45-49"),
        (Generalise(band=25), "AGE", "80", "75-89"),
        (Generalise(kind="age"), "years_lived", "47", "40-49"),
        (Generalise(kind="number"), "PERSON", "480", "400-499"),
    ],
)
def test_options(operator: Generalise, type_name: str, term: str, expected: str) -> None:
    assert one(operator, type_name, term) == expected


@given(st.integers(0, 130), st.integers(2, 50))
def test_an_age_lies_in_its_band(age: int, band: int) -> None:
    result = one(Generalise(band=band), "AGE", str(age))
    if age >= 90:
        assert result == "90+"
    else:
        low, high = map(int, result.split("-"))
        assert low <= age <= high < 90
        assert high - low < band


@given(st.integers(0, 10**15))
def test_a_number_lies_in_its_range(number: int) -> None:
    result = one(Generalise(), "NUMBER", str(number))
    if not result.startswith("["):
        low, high = map(int, result.split("-"))
        assert low <= number <= high
        assert high - low >= min(9, number)


@pytest.mark.parametrize("wrong", [{"kind": "person"}, {"date": "month"}, {"band": 1}, {"band": True}])
def test_wrong_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(PolicyError):
        Generalise(**wrong)  # type: ignore[arg-type]
