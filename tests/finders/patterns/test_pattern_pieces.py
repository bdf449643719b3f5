"""The pieces under the tables: dates, telephone numbers, checks; each against a library or the definition."""

from __future__ import annotations

import datetime
from importlib import import_module

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import UsageError
from efface.finders.patterns import checks, dates, phones
from efface.finders.patterns.finder import PATTERNS, PatternFinder

quick = settings(max_examples=150, deadline=None, derandomize=True)


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("2019-03-12", "2019-03-12"),
        ("2019-03-12T09:05:07Z", "2019-03-12T09:05:07"),
        ("25/03/2019", "2019-03-25"),
        ("03/25/2019", "2019-03-25"),
        ("12/03/2019", "12/03/2019"),  # March or December: nobody can tell
        ("03/03/2019", "2019-03-03"),
        ("25.03.19", "2019-03-25"),
        ("25.03.64", "1964-03-25"),
        ("2019/3/5", "2019-03-05"),
        ("20190305", "2019-03-05"),
        ("3rd of March, 2019", "2019-03-03"),
        ("Sunday, March 3, 2019 at 9:30 p.m.", "2019-03-03T21:30"),
        ("12:15 am", "12:15 am"),
        ("1er fevrier 2019", "2019-02-01"),
        ("March 2019", "2019-03"),
        ("3 March", "--03-03"),
        ("3-mar-19", "3-mar-19"),  # a year of two digits beside a day
        ("31/31/2019", "31/31/2019"),
        ("in  1999", "in 1999"),
    ],
)
def test_dates_have_one_form_where_only_one_is_possible(written: str, key: str) -> None:
    assert dates.normal_form(written) == key


@quick
@given(st.dates(datetime.date(1500, 1, 1), datetime.date(2099, 12, 31)))
def test_a_date_written_in_any_way_has_the_same_key(day: datetime.date) -> None:
    month = day.strftime("%B")
    for text in (day.isoformat(), f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"):
        found = [
            m for m in PatternFinder(frozenset({"DATE_TIME"})).find(f"on {text}.") if m.end == len(text) + 3
        ]
        assert [m.key for m in found] == [day.isoformat()]


@quick
@given(st.integers(0, 40), st.integers(0, 40), st.integers(1000, 2999))
def test_is_date_asks_the_calendar(first: int, second: int, year: int) -> None:
    def exists(month: int, day: int) -> bool:
        try:
            return bool(datetime.date(year, month, day))
        except ValueError:
            return False

    assert dates.is_date(f"{first}/{second}/{year}") == (exists(first, second) or exists(second, first))


@quick
@given(
    st.sampled_from(sorted(phonenumbers.COUNTRY_CODE_TO_REGION_CODE)),
    st.from_regex(r"[0-9]{5,12}", fullmatch=True),
)
def test_numbers_with_a_country_code_are_valid_as_the_library_says(code: int, rest: str) -> None:
    number = phonenumbers.PhoneNumber(
        country_code=code,
        national_number=int(rest),
        italian_leading_zero=rest.startswith("0") or None,
        number_of_leading_zeros=len(rest) - len(rest.lstrip("0")) or None,
    )
    if rest.strip("0"):
        assert phones.is_valid(f"+{code} {rest}") == phonenumbers.is_valid_number(number)


@pytest.mark.parametrize("region", phones.DEFAULT_REGIONS)
def test_the_library_s_examples_are_valid_at_home_and_abroad(region: str) -> None:
    for kind in (phonenumbers.PhoneNumberType.FIXED_LINE, phonenumbers.PhoneNumberType.MOBILE):
        example = phonenumbers.example_number_for_type(region, kind)
        assert example is not None
        for form in (phonenumbers.PhoneNumberFormat.NATIONAL, phonenumbers.PhoneNumberFormat.INTERNATIONAL):
            written = phonenumbers.format_number(example, form)
            assert phones.is_valid(written, (region,)), written
            found = PatternFinder(frozenset({"PHONE_NUMBER"}), regions=(region,)).find(f"It is {written}.")
            whole, *inside = [(m.start, m.end) for m in found]
            assert whole == (6, 6 + len(written))
            assert all(start >= 6 and end <= whole[1] for start, end in inside)


def test_regions_are_chosen() -> None:
    assert phones.is_valid("020 7946 0958", ("GB",))
    assert not phones.is_valid("020 7946 0958", ("FR",))
    with pytest.raises(UsageError, match="XX"):
        phones.is_valid("020 7946 0958", ("XX",))


OURS = {  # our checks that python-stdnum has too: module and digits
    "ABA_ROUTING_NUMBER": ("us.rtn", 9),
    "UK_NHS": ("gb.nhs", 10),
    "NL_BSN": ("nl.bsn", 9),
    "AU_TFN": ("au.tfn", 9),
    "AU_ABN": ("au.abn", 11),
    "AU_ACN": ("au.acn", 9),
    "CA_SIN": ("ca.sin", 9),
    "IL_ID": ("il.idnr", 9),
    "IMEI": ("imei", 15),
    "CREDIT_CARD": ("luhn", 16),
}


@pytest.mark.parametrize("kind", OURS)
def test_our_checks_agree_with_the_library(kind: str) -> None:
    module, size = OURS[kind]
    is_valid = import_module(f"stdnum.{module}").is_valid
    check = next(row.check for row in PATTERNS if row.type == kind)
    assert check is not None
    accepted = 0
    for number in range(10 ** (size - 1) + 12345, 10**size, 10**size // 400):
        for value in (str(number + last) for last in range(11)):
            if is_valid(value):  # the library may ask for more than the sum: a known prefix, say
                accepted += 1
                assert check(value)
    assert accepted > 30


@quick
@given(st.from_regex(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{18}", fullmatch=True))
def test_mod97_is_the_remainder_of_the_whole_number(value: str) -> None:
    assert checks.mod97(value) == import_module("stdnum.iso7064.mod_97_10").is_valid(value[4:] + value[:4])


@pytest.mark.parametrize(
    ("check", "good"),
    [
        (checks.vin, "1M8GDM9AXKP042788"),
        (checks.dea, "AB1234563"),
        (checks.nric, "S1234567D"),
        (checks.nric, "F1234567N"),
        (checks.german_pension, "15070649C103"),
        (checks.luhn, "4111111111111111"),
    ],
)
def test_one_wrong_digit_is_noticed(check: checks.Check, good: str) -> None:
    assert check(good)
    wrong = [
        good[:at] + str((int(good[at]) + 1) % 10) + good[at + 1 :]
        for at in range(len(good))
        if good[at].isdigit()
    ]
    assert not any(map(check, wrong))


def test_checks_never_fail_on_what_their_rows_match() -> None:
    odd = [
        "0",
        "00000000000000000",
        "9" * 19,
        "ZZ99 ZZZZ",
        "A" * 17,
        "1" * 9 + "Z",
        "999.999.999.999",
        "::",
        "0.0.0",
    ]
    for text in odd:
        list(PatternFinder(threshold=0.0).find(f"x {text} {text}-{text} {text}/{text}"))


@pytest.mark.parametrize("code", ["4000417025005", "5012345678900", "7622210449283", "4902505163203"])
def test_the_number_of_an_article_is_nobodys(code: str) -> None:
    assert not list(PatternFinder().find(f"{code} Biscuits"))
    assert list(PatternFinder().find("card 4222222222222"))


@pytest.mark.parametrize("written", ["QQ 12 34 56 C", "QQ123456C"])
def test_an_insurance_number_that_its_label_tells(written: str) -> None:
    found = PatternFinder().find(f"National Insurance number: {written}")
    assert {mention.end - mention.start for mention in found} == {len(written)}
