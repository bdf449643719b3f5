"""A mention is as long as the name is: with the word for what it is, and without the next person."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.edges import with_right_edges


def edged(text: str, found: str, type_: str) -> list[tuple[str, str]]:
    start = text.index(found)
    mention = Mention(start, start + len(found), type_, found.lower(), 0.9, "test")
    return [(one.type, text[one.start : one.end]) for one in with_right_edges(text, [mention])]


@pytest.mark.parametrize(
    ("text", "found", "type_", "expected"),
    [
        ('so did "Doc" Tobias.', 'Doc" Tobias', "PERSON", [("PERSON", '"Doc" Tobias')]),
        ("see benhaddou.docx", "benhaddou.docx", "PERSON", [("PERSON", "benhaddou")]),
        ("see Kestrel Plan.PDF", "Kestrel Plan.PDF", "ORGANIZATION", [("ORGANIZATION", "Kestrel Plan")]),
        ("see w.csv", "w.csv", "ORGANIZATION", []),
        ("see w.csv", "csv", "ORGANIZATION", []),
        ("a csv of it", "csv", "ORGANIZATION", [("ORGANIZATION", "csv")]),
        ('he said "Tobias" twice', "Tobias", "PERSON", [("PERSON", "Tobias")]),
        ("Boots, High Street, Frome", "High", "LOCATION", [("LOCATION", "High Street")]),
        (
            "at 9 Cutler's Yard.",
            "Cutler",
            "PERSON",
            [("LOCATION", "Cutler's Yard"), ("LOCATION", "9 Cutler's Yard")],
        ),
        ("Q. Mr. Tench, was it?\nA. Yes.", "Q. Mr. Tench", "PERSON", [("PERSON", "Mr. Tench")]),
        ("signed\nA. Tench\nhere", "A. Tench", "PERSON", [("PERSON", "A. Tench")]),
        ("Pt Bridget Tench, 77F", "Pt Bridget Tench", "PERSON", [("PERSON", "Bridget Tench")]),
        ("Dated 3 July 2024", "Dated 3 July 2024", "PERSON", [("DATE_TIME", "3 July 2024")]),
        ("The School is shut", "The", "ORGANIZATION", [("ORGANIZATION", "The")]),
        ("ring Kestrel Haulage", "Kestrel", "PERSON", [("ORGANIZATION", "Kestrel Haulage")]),
        ("Hazel King House rules", "Hazel King", "PERSON", [("PERSON", "Hazel King")]),
        ("the Kestrel haulage", "Kestrel", "PERSON", [("PERSON", "Kestrel")]),
        (
            "at River T. Ms Pond left",
            "River T. Ms Pond",
            "LOCATION",
            [("LOCATION", "River T."), ("PERSON", "Ms Pond")],
        ),
        ("user 'Josie Park' (id=1)", "Josie", "PERSON", [("PERSON", "Josie Park")]),
        ("when Josie Monday came", "Josie", "PERSON", [("PERSON", "Josie")]),
        ("Tenants: 1. Miles Long 2. Robyn", "Miles Long 2", "PERSON", [("PERSON", "Miles Long")]),
        ("of Ely. Mum came", "Ely.", "LOCATION", [("LOCATION", "Ely")]),
        ("a\nMob 07700 900 461", "Mob 07700 900 461", "LOCATION", [("PHONE_NUMBER", "07700 900 461")]),
        ("Tel. 01432 555019", "Tel. 01432 555019", "PERSON", [("PHONE_NUMBER", "01432 555019")]),
        ("Fax Lane 12", "Fax Lane 12", "LOCATION", [("LOCATION", "Fax Lane 12")]),
        (
            "Suspect: ORLOV, Pavel b. 07/07/1994 in",
            "ORLOV, Pavel b. 07/07/1994",
            "DATE_TIME",
            [("PERSON", "ORLOV, Pavel"), ("DATE_TIME", "07/07/1994")],
        ),
        ("seen Typed 07/07/1994", "Typed 07/07/1994", "DATE_TIME", [("DATE_TIME", "Typed 07/07/1994")]),
        (
            "Sunday 3.8.2025 at 9",
            "Sunday 3.8.2025 at 9",
            "DATE_TIME",
            [("DATE_TIME", "Sunday 3.8.2025 at 9")],
        ),
        (
            "Typed: 07.03.25\nHosp no K448190",
            "07.03.25\nHosp no K448190",
            "LOCATION",
            [("DATE_TIME", "07.03.25"), ("LOCATION", "K448190")],
        ),
        (
            "by Ida Roe 07.03.25 Hull",
            "Ida Roe 07.03.25 Hull",
            "PERSON",
            [("PERSON", "Ida Roe"), ("DATE_TIME", "07.03.25"), ("PERSON", "Hull")],
        ),
        (
            "Solicitor: Ms Oduya, Lamb & Partners. Then",
            "Ms Oduya, Lamb",
            "PERSON",
            [("PERSON", "Ms Oduya"), ("ORGANIZATION", "Lamb & Partners")],
        ),
        (
            "from Ms Oduya, Lamb & Partners. Then",
            "Ms Oduya, Lamb & Partners",
            "PERSON",
            [("PERSON", "Ms Oduya"), ("ORGANIZATION", "Lamb & Partners")],
        ),
        (
            "by Brown, Lamb & Co today",
            "Brown, Lamb",
            "PERSON",
            [("ORGANIZATION", "Brown, Lamb & Co")],
        ),
        (
            "with Larkmere Holding BV too",
            "Larkmere",
            "ORGANIZATION",
            [("ORGANIZATION", "Larkmere Holding BV")],
        ),
        (
            "THE HAWORTH COMET CYCLING CLUB\n",
            "HAWORTH COMET",
            "ORGANIZATION",
            [("ORGANIZATION", "HAWORTH COMET CYCLING CLUB")],
        ),
        ("of Hale Finch Adjusting called", "Finch", "PERSON", [("PERSON", "Finch")]),
        (
            "write to 4 Market Hill, Frome",
            "Market Hill",
            "LOCATION",
            [("LOCATION", "Market Hill"), ("LOCATION", "4 Market Hill")],
        ),
        (
            "mould - 61 Jarrow House",
            "Jarrow House",
            "PERSON",
            [("LOCATION", "Jarrow House"), ("LOCATION", "61 Jarrow House")],
        ),
        ("in 2019 Jarrow House burnt", "Jarrow", "LOCATION", [("LOCATION", "Jarrow House")]),
        ("lives with Ravi and son Bo", "Ravi", "PERSON", [("PERSON", "Ravi")]),
        ("name: ROSS, Summer-Lily", "Lily", "PERSON", [("PERSON", "Summer-Lily")]),
        ("the Anti-Lily party", "Lily", "PERSON", [("PERSON", "Lily")]),
        (
            "Great Tolland Parish Council met",
            "Tolland",
            "LOCATION",
            [("LOCATION", "Great Tolland Parish Council")],
        ),
        ("at Larkmere Middle School", "Larkmere", "LOCATION", [("LOCATION", "Larkmere Middle School")]),
        ("with dr el-sayed today", "sayed", "PERSON", [("PERSON", "el-sayed")]),
        ("Mr Al-Amin came", "Amin", "PERSON", [("PERSON", "Al-Amin")]),
        ("the well-sayed word", "sayed", "PERSON", [("PERSON", "sayed")]),
        ("in Main St. today", "Main St.", "LOCATION", [("LOCATION", "Main St.")]),
        ("09.02.23 DF home visit", "09.02.23 DF", "DATE_TIME", [("DATE_TIME", "09.02.23")]),
        ("at 10:30 AM today", "10:30 AM", "DATE_TIME", [("DATE_TIME", "10:30 AM")]),
        ("on 5 MAY", "5 MAY", "DATE_TIME", [("DATE_TIME", "5 MAY")]),
        ("(2) STANTON HAULAGE LIMITED", "STANTON", "PERSON", [("ORGANIZATION", "STANTON HAULAGE LIMITED")]),
        ("from G. Nokes & Daughter (16)", "G. Nokes", "PERSON", [("ORGANIZATION", "G. Nokes & Daughter")]),
        ("Drood and Sons came", "Drood", "PERSON", [("ORGANIZATION", "Drood and Sons")]),
        ("Ann Lee and Paul", "Ann Lee", "PERSON", [("PERSON", "Ann Lee")]),
        ("the Tolliver brothers owe", "Tolliver brothers", "ORGANIZATION", [("PERSON", "Tolliver")]),
        ("the Marsh family left", "Marsh family", "LOCATION", [("PERSON", "Marsh")]),
        ("the brothers left", "brothers", "PERSON", [("PERSON", "brothers")]),
        ("PERCIVAL DROOD t/a DROOD", "PERCIVAL DROOD t", "PERSON", [("PERSON", "PERCIVAL DROOD")]),
        (
            "OPA Miss Quaye 6/52",
            "OPA Miss Quaye 6/52",
            "LOCATION",
            [("LOCATION", "OPA"), ("PERSON", "Miss Quaye 6/52")],
        ),
    ],
)
def test_edges(text: str, found: str, type_: str, expected: list[tuple[str, str]]) -> None:
    assert edged(text, found, type_) == expected


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("on web-03\nNov 10 08:03:11 web", "03\nNov 10 08:03:11", "Nov 10 08:03:11"),
        ("ip=10.2.3.4\n2026-02-03 WARN", "10.2.3.4\n2026-02-03", "2026-02-03"),
        ("attempt 3\n2025-11-10T08:02:01Z INFO", "3\n2025-11-10T08:02:01Z", "2025-11-10T08:02:01Z"),
        ("born 3\nMay 1960", "3\nMay 1960", "3\nMay 1960"),
    ],
)
def test_a_date_begins_in_its_line(text: str, found: str, expected: str) -> None:
    assert edged(text, found, "DATE_TIME") == [("DATE_TIME", expected)]


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("It needs white goods; Big Dave will", "Dave", "Big Dave"),
        ("then who is Early Whitfield?", "Whitfield", "Early Whitfield"),
        ("the report of Detective Whitfield", "Whitfield", "Whitfield"),
        ("the list of the Trainee Whitfield", "Whitfield", "Whitfield"),
        ("He left. Early Whitfield came", "Whitfield", "Whitfield"),
        ("More Sanctions Targeting Whitfield", "Whitfield", "Whitfield"),
        ("in early May Whitfield came", "Whitfield", "Whitfield"),
    ],
)
def test_an_ordinary_word_with_a_capital_begins_a_name(text: str, found: str, whole: str) -> None:
    start = text.index(found)
    mention = Mention(start, start + len(found), "PERSON", found.lower(), 0.9, "test")
    assert [text[one.start : one.end] for one in with_right_edges(text, [mention])] == [whole]
