"""Numbers that the word before them tells, and telephone numbers in words."""

from __future__ import annotations

import pytest

from efface.finders.patterns.finder import PatternFinder

FINDER = PatternFinder()


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in FINDER.find(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Job card 33917", "33917"),
        ("payroll 006621", "006621"),
        ("CAD 4471-071125. Attended", "4471-071125"),
        ("Invoice INV/2291      Tax point", "INV/2291"),
        ("Nkechi (emp 20418) is off", "20418"),
        ("Reply YES. Ref 8841-ZK", "8841-ZK"),
        ("Our ref JD/4471.2  Your ref", "JD/4471.2"),
        ("Our ref: FIRE.221/b.7\nThe claim", "FIRE.221/b.7"),
        ("Our Ref: KLM/pw/31877.2\n", "KLM/pw/31877.2"),
        ("Your ref: BAKER/3", "BAKER/3"),
        ("Our reference: pw/KLM\n", "pw/KLM"),
        ("Unser Zeichen: kl-77/b", "kl-77/b"),
        ("Ihr Zeichen: Meier/4", "Meier/4"),
        ("Nos réf. : DUR/mt.12", "DUR/mt.12"),
        ("Uw kenmerk: Bakker-3", "Bakker-3"),
        ("nato a Bari, C.F. RSSMRA85T10A562X, e risiede", "RSSMRA85T10A562X"),
        ("The custody record is 06CC/4418/25.", "06CC/4418/25"),
        ("URN 42 / KD / 20871 / 24\n", "42 / KD / 20871 / 24"),
        ("RE: Account 6620 1187 043 - leak", "6620 1187 043"),
        ("his insurer is Foxmead, policy 071X4420913.", "071X4420913"),
        ("his laptop HCU-LT-0093 has a stale cookie", "HCU-LT-0093"),
        ("Support chat transcript #884120", "884120"),
        ("SSN (last four) 6620", "6620"),
        ("Card, last 4 digits: 7715", "7715"),
        ("Original account: 4929 XXXX XXXX 7715", "4929 XXXX XXXX 7715"),
        ("Container: CSNU 718332 4   Seal", "CSNU 718332 4"),
        ("first name Joost, vehicle 84-BDF-2", "84-BDF-2"),
        ("the lorry with plates AB-123-CD", "AB-123-CD"),
        ("38 kg, chip 985 113 004 417 220\n", "985 113 004 417 220"),
        ("Insurer Foxmead, policy PG4471902B, claim", "PG4471902B"),
        ("CAD 4471 0982   Date", "4471 0982"),
        ("let us in, key safe 4410C.", "4410C"),
        ("the alarm code is 2580", "2580"),
        ("ask Shirin, ext:2204", "2204"),
        ("Her number is oh one six one four nine six oh double three.", "oh one six one four nine six oh double three"),
        ("ring Zero seven seven, double-oh nine eight two one four", "Zero seven seven, double-oh nine eight two one four"),
    ],
)  # fmt: skip
def test_numbers(text: str, value: str) -> None:
    assert value in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Over the last 4 2019 was the best year of the firm.",
        "the case 2019 2020 season was short",
        "the policy 250 000 euros",
    ],
)
def test_ordinary_numbers(text: str) -> None:
    assert found(text) == []


def test_a_column_of_tickets() -> None:
    text = "ticket\tsummary\tstatus\nINC004412\tbulb\topen\nINC004413\tmic\topen\n"
    assert found(text) == ["INC004412", "INC004413"]


@pytest.mark.parametrize(
    "text",
    [
        "employee 12 of 40",
        "payroll 2019",
        "oh one two three",
        "Ref 12",
        "zero one two three four five",  # people count
        "a text:2204 words",
        "Mozilla/5.0 Chrome/118.0.0.0",
    ],
)
def test_other_numbers(text: str) -> None:
    assert not found(text)


def test_two_spoken_numbers_are_two() -> None:
    text = "oh one six one four nine six oh, or oh one six one four nine five oh"
    keys = {mention.key for mention in FINDER.find(text)}
    assert keys == {"01614960", "01614950"}
