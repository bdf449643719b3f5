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
