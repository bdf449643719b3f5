"""Values in disguise, and offsets that are code points of the text as it came."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.finders.patterns.finder import PatternFinder
from efface.finders.patterns.normalized_text import view


def found(text: str, *kinds: str) -> list[str]:
    return [text[m.start : m.end] for m in PatternFinder().find(text) if m.type in kinds]


@pytest.mark.parametrize(
    ("kind", "before", "value", "after"),
    [
        ("PHONE_NUMBER", "☎ ", "+44\u00a020\u202f7946\u20090958", " 😀"),
        ("CREDIT_CARD", "card ", "４１１１　１１１１　１１１１　１１１１", "。"),
        ("CREDIT_CARD", "card ", "٤١١١ ١١١١ ١١١١ ١١١١", "."),
        ("EMAIL_ADDRESS", "👩‍⚕️ ", "jo\u200bhn@exa\u00admple.org", " e\u0301"),
        ("EMAIL_ADDRESS", "🙂🙂 ", "john＠example．org", ""),
        ("US_SSN", "ssn ", "078\u201105\u20131120", "."),
        ("US_SSN", "ssn ", "078-05-1120", "²"),
        ("IBAN_CODE", "to ", "GB82\u00a0WЕST 1234 5698 7654 32", "."),
        ("CREDIT_CARD", "my card is ", "4111 1111\n1111 1111", ", thanks"),
        ("CREDIT_CARD", "my card is ", "4111 1111 \r\n    1111 1111", ", thanks"),
        ("CREDIT_CARD", "my card is ", "411111\r\n1111111111", ", thanks"),
        ("US_SSN", "my number is ", "078-05-\n1120", ", thanks"),
        ("DATE_TIME", "on ", "3 March\n2019", ", he"),
        ("DATE_TIME", "e\u0301te\u0301: ", "3 fe\u0301vrier 2019", "."),
        ("PHONE_NUMBER", "电话", "+86 138 1234 5678", "号"),
        # Colours of a log, and what a search marked in it.
        ("CREDIT_CARD", "card ", "4111 1111 \x1b[1m1111\x1b[0m 1111", " \x1b[0mend"),
        ("IBAN_CODE", "to \x1b[31m", "DE89 3704 \x1b[32m0044\x1b[0m 0532 0130 00", "\x1b(B."),
        ("EMAIL_ADDRESS", "grep: ", "bob@\x1b[01;31m\x1b[Kexam\x1b[m\x1b[Kple.com", " now"),
        ("EMAIL_ADDRESS", "é: \x9b31m", "jo\x9b0mhn@example.org", ""),
        ("US_SSN", "ssn ", "078-\x1b[1m05\x1b[0m-1120", "\x1b."),
        ("IP_ADDRESS", "from ", "192.0.\x1b[38;5;9m2\x1b[0m.55", "\x1b[K"),
    ],
)
def test_found_in_disguise(kind: str, before: str, value: str, after: str) -> None:
    text = f"{before}{value}{after}"
    mentions = [(m.start, m.end) for m in PatternFinder().find(text) if m.type == kind]
    assert (len(before), len(before) + len(value)) in mentions


def test_a_tab_divides_cells() -> None:
    assert found("4111 1111\t1111 1111", "CREDIT_CARD") == []
    assert found("078-05-1120\t4111 1111 1111 1111\tx", "CREDIT_CARD") == ["4111 1111 1111 1111"]


def test_a_column_of_numbers_is_no_number() -> None:
    assert found("41111\n11111111111\n", "CREDIT_CARD") == []
    assert found("my card 41111\n11111111111\n", "CREDIT_CARD") == ["41111\n11111111111"]


def test_keys_do_not_see_the_disguise() -> None:
    plain, disguised = "jane@example.org", "Ｊａne@exa\u200bmple.org"
    keys = {
        m.key for text in (plain, disguised) for m in PatternFinder().find(text) if m.type == "EMAIL_ADDRESS"
    }
    assert keys == {plain}


ODD = "aA1 \t\r\n\f\u00a0\u200b\u00ad\u0301é①²３漢😀\x00\u2028ﬁ"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.sampled_from(ODD), max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_every_character_of_the_view_knows_where_it_came_from(text: str, start: int, size: int) -> None:
    start = min(start, len(text))
    end = min(start + size, len(text))
    seen = view(text, start, end)
    origins = [seen.origin(position) for position in range(len(seen.text))]
    assert origins == sorted(set(origins))
    assert all(start <= origin < end for origin in origins)
    for char, origin in zip(seen.text, origins, strict=True):
        assert char == text[origin] or not (text[origin].isascii() and text[origin].isalnum())
    for origin in range(start, end + 1):
        expected = next((p for p, o in enumerate(origins) if o >= origin), len(origins))
        assert seen.position(origin) == expected
    kept = [text[origin] for origin in origins]
    assert [c for c in text[start:end] if c.isascii() and c.isalnum()] == [
        c for c in kept if c.isascii() and c.isalnum()
    ]


def test_a_number_as_it_is_stored_is_no_card_but_a_card_after_a_full_stop_is() -> None:
    assert found("<c:v>4.4000000000000004</c:v>", "CREDIT_CARD", "ID_NUMBER") == []
    assert found("0.5999999999999996", "CREDIT_CARD", "ID_NUMBER") == []
    assert found("card 1.4111111111111111", "CREDIT_CARD") == ["4111111111111111"]
    assert found("card 4000000000000002", "CREDIT_CARD") == ["4000000000000002"]


def test_a_part_of_a_longer_number_is_no_number_of_its_own() -> None:
    text = "Zip 94110, born 12/03/1961, card 4111 1111 1111 1111"
    assert found(text, "POSTCODE") == ["94110"]
    assert found(text, "JP_MY_NUMBER") == []


def test_a_full_stop_is_a_dates_own_only_where_the_date_goes_on() -> None:
    assert found("We met on 30 June. Our", "DATE_TIME") == ["30 June"]
    assert found("on 30 Jun. 2019.", "DATE_TIME") == ["30 Jun. 2019"]
    assert found("on 3 Jan. at 10:00", "DATE_TIME") == ["3 Jan. at 10:00"]
