"""Names in front of their mail addresses."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from efface.core import Verdict
from efface.finders.addressed_names import addressed_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Okafor, Blessing <blessing.okafor@fernleigh.example>", ["Okafor, Blessing"]),
        ('"Hope Tranter" <htranter@fernleigh.example>', ["Hope Tranter"]),
        ("King, Will <king.w2@a.example>; Grace Young <graceyoung@a.example>", ["King, Will", "Grace Young"]),
        ("Sunday P. Gift <sunday_gift@a.example>", ["Sunday P. Gift"]),
        ("Customer Service <customer.service@a.example>", []),
        ("Fernleigh Support <support@fernleigh.example>", []),
        ("Ask Will <sales@a.example>", []),
    ],
)
def test_a_name_is_told_by_its_address(text: str, names: list[str]) -> None:
    assert [text[found.start : found.end] for found in addressed_names(text)] == names


def test_a_name_of_ordinary_words_in_the_head_of_a_mail_goes_everywhere() -> None:
    mail = (
        b'From: "Wilhelmina Oakeshott" <w.oakeshott@fernleigh.example>\r\n'
        b"To: Barnaby Tranter <btranter@fernleigh.example>\r\n"
        b"Cc: Okafor, Blessing <blessing.okafor@fernleigh.example>\r\n"
        b"Subject: Wilma's return to work / Oakeshott OH referral\r\n\r\nBlessing knows.\r\n"
    )
    report = Sanitizer().sanitize(mail, name="rota.eml")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert b"Blessing" not in report.released
    assert b"Okafor" not in report.released
