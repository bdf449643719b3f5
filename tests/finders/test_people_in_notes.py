"""People whom notes tell by one word, however ordinary it is."""

from __future__ import annotations

import pytest

from efface.finders.people_in_notes import people_in_notes
from tests.growth import assert_linear


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in people_in_notes(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("dentures lost, HCA Patience looking", ["Patience"]),
        ("settled. RN Mercy", ["Mercy"]),
        ("seen by SW Hope today", ["Hope"]),
        ("She spoke about her ex Art, and her boss Will.", ["Art", "Will"]),
        ("his younger sister Dawn rang", ["Dawn"]),
        ("my line manager Daz said no", ["Daz"]),
        ("lives w/ wife Hope in a flat", ["Hope"]),
        ("d/w dtr Marigold by phone", ["Marigold"]),
        ("collected by his bro. Art at 5", ["Art"]),
        ("Handover to Gift and Sunday at 8.", ["Gift", "Sunday"]),
        ("handed over to Precious, Fortune and Joy", ["Precious", "Fortune", "Joy"]),
        ("Escorted by Star.", ["Star"]),
        ("driving up with baby noor", ["noor"]),
        ("mum wants uncle leopold to drive", ["leopold"]),
        ("a baby will cry, an old mark on the sister ward", []),
        ("SW: Chi 01753 960 005", ["Chi"]),
        ("ring Hope on 0161 496 0722", ["Hope"]),
        ("Direct dial: 0113 496 0512 (Jolyon)", ["Jolyon"]),
        ("07700 900 461 (Summer)", ["Summer"]),
        ("placed by Dr Apgar. Cllr Priest sent apologies, as did Mr. Ensure", ["Apgar", "Priest", "Ensure"]),
        ("Miss French and Ms Chance; Prof Pain", ["French", "Chance", "Pain"]),
        ("rang Teddy's mum, Candy, at home", ["Candy"]),
        ("Mum, Charity, volunteers. Dad (Christian) works", ["Charity", "Christian"]),
        ("Bed 3 Sunny - slept well. Bed 1 Hope: up at 4", ["Sunny", "Hope"]),
        ("met your plumber, Zbych. Her union rep, Dawn, came", ["Zbych", "Dawn"]),
        ("with his union rep, Will Power (of a union)", ["Will Power"]),
        ("and Summer, who will be two. Faith, whose son", ["Summer", "Faith"]),
        ("Dawn, aged 9, and Gift aged 4", ["Dawn", "Gift"]),
        ("harm to Ty, her ex, or to Hope, my best friend.", ["Ty", "Hope"]),
        ("uncle fiifi fetched him", ["fiifi"]),
        ("seen by the dietitian (Sadhbh) and a porter (Sterling)", ["Sadhbh", "Sterling"]),
        ("I told the caretaker, Anselmo, and the line manager, Dawn.", ["Anselmo", "Dawn"]),
        (
            "a driver (Linux), the registrar (Cardiology), a nurse (Paediatrics), the manager (Sales), the clerk, Monday, and the nurse, Ward 4",
            [],
        ),
        ("spoke with Summer-Lily.", ["Summer-Lily"]),
        ("op tmrw w dr el-sayed", ["el-sayed"]),
        ("hi its will (new number)", ["will"]),
        ("[12/02/2026, 18:02] Mo 🚲: hi\n[12/02/2026, 18:03] ~ Summer B: ok", ["Mo", "Summer B"]),
        ("12/02/2026, 18:02 - Art: on my way", ["Art"]),
        ("LAU/OSCAR MSTR, SARGSYAN/ANAHIT MS", ["LAU/OSCAR", "SARGSYAN/ANAHIT"]),
    ],
)
def test_people(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "the partner Agencies and the teacher Training Board",
        "She moved to SW London with TA Instruments.",
        "Call Reception on 0161 496 0722 or Mobile: 07700 900 461.",
        "0113 496 0512 (Office), 0113 496 0513 (Switchboard), Page: 0113 496 0514",
        "Handover to Police at 8.",
        "our colleagues at Her Majesty's Treasury",
        "his manager Resigned",
        "Collected by Courier.",
        "her friend Will Smith",  # the model reads full names
        "Order 12345678901 (Paid)",
        "Mr Speaker, Mr President, Miss World, Dr Who and Mr Mayor drank Dr Pepper.",
        "Mum, Dad, and the children. Dad (Smoker) and Mum (Deceased), Mum (Tel)",
        "the town's manager, Tesco, said",
        "Bed 4 Empty. Room 12 Rose Court",
        "hi its will is strong. I like its will, hello",
        "The Committee, who met on Monday, who knows. In May, who came?",
        "[12/02/2026, 18:02] You: hi\n12/02/2026, 18:02 - Error: disk full",
        "AND/OR MS WORD",
        "the April-May term and the Hope-Works course",
        "dr appt on friday, an uncle said",
        "Ltd, her employer, and Paris, her city",
    ],
)
def test_nobody(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize(
    "piece",
    [
        "my late ",
        "Aa ",
        "0 ",
        "her big big ",
        "handover to Aa, Aa, ",
        "1-1(",
        "HCA A",
        "Mum, ",
        "a's mum, ",
        "Mr A",
        "my a a ",
        "Aa, who",
        "Aa, her ",
        "1/1/2026, 1:11 - a",
    ],
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    assert_linear(lambda text: list(people_in_notes(text)), piece, 50_000)


def test_people_behind_what_they_are_together() -> None:
    text = "He leaves their children Loveday, Denzil and Grace."
    names = {text[mention.start : mention.end] for mention in people_in_notes(text)}
    assert names >= {"Loveday", "Denzil", "Grace"}


def test_who_says_who_it_is_without_a_greeting() -> None:
    text = "its priya, new phone\nits lovely, ta\nbecause it's li"
    assert [text[mention.start : mention.end] for mention in people_in_notes(text)] == ["priya"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sessions on Mondays, Tam to cover it", ["Tam"]),
        ("Plan:\n- Becks to do the poles", ["Becks"]),
        ("Referral to review the plan. Team to cover it", []),
    ],
)
def test_tasks(text: str, names: list[str]) -> None:
    assert [text[mention.start : mention.end] for mention in people_in_notes(text)] == names
