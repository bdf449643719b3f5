"""People in lines of their own are cut line by line, each under a placeholder of their own."""

from __future__ import annotations

import pytest

from efface import Sanitizer

_NAMES = Sanitizer("names")


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("Jane Ng\nPeter Ng\nJane Ng", "[PERSON_1]\n[PERSON_2]\n[PERSON_1]"),
        ("Jane Ng,\nPeter Ng,\nJane Ng", "[PERSON_1],\n[PERSON_2],\n[PERSON_1]"),
        ("Dear Jane Ng\nPeter Ng has left.", "Dear [PERSON_1]\n[PERSON_2] has left."),
        (
            "Sincerely,\n/s/ Ngaire Whitcombe\nNgaire Whitcombe",
            "Sincerely,\n/s/ [PERSON_1]\n[PERSON_1]",
        ),
        ("It was signed by Mary Jane\nWhitcombe yesterday.", "It was signed by [PERSON_1] yesterday."),
    ],
)
def test_each_line_has_its_own_person(text: str, released: str) -> None:
    assert _NAMES.redact(text).text == released


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("(1) LLEUCU MAIR PROTHEROE   Applicant", "(1) [PERSON_1]   Applicant"),
        ("/s/ Xóchitl Ybarra-O'Keefe", "/s/ [PERSON_1]"),
        (
            "(1) LLEUCU MAIR PROTHEROE  Applicant\nMs Protheroe and Tegan Protheroe-Acheampong",
            "(1) [PERSON_1]  Applicant\n[PERSON_1] and [PERSON_2]",
        ),
    ],
)
def test_each_person_goes_whole(text: str, released: str) -> None:
    assert _NAMES.redact(text).text == released


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("Fax 01432 555 019\nMob 07700 900 461", "Fax [PHONE_NUMBER_1]\nMob [PHONE_NUMBER_2]"),
        (
            "next of kin: mother, Ngozi, +44 (0)7700 900982.",
            "next of kin: mother, [PERSON_1], [PHONE_NUMBER_1].",
        ),
        (
            "CAD 4471/170624\n2214  Call from a neighbour.",
            "CAD [PHONE_NUMBER_1]\n2214  Call from a neighbour.",
        ),
    ],
)
def test_a_number_is_no_part_of_a_name_nor_of_the_next_line(text: str, released: str) -> None:
    assert _NAMES.redact(text).text == released
