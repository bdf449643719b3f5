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
        ("Boots, High Street, Frome", "High", "LOCATION", [("LOCATION", "High Street")]),
        ("at 9 Cutler's Yard.", "Cutler", "PERSON", [("LOCATION", "Cutler's Yard")]),
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
        ("in Main St. today", "Main St.", "LOCATION", [("LOCATION", "Main St.")]),
        ("09.02.23 DF home visit", "09.02.23 DF", "DATE_TIME", [("DATE_TIME", "09.02.23")]),
        ("at 10:30 AM today", "10:30 AM", "DATE_TIME", [("DATE_TIME", "10:30 AM")]),
        ("on 5 MAY", "5 MAY", "DATE_TIME", [("DATE_TIME", "5 MAY")]),
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
