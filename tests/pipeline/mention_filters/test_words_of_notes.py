"""Words of letters and notes are no names."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.name_false_positives import without_false_names


def kept(text: str, found: str, type_: str) -> bool:
    start = text.index(found)
    mention = Mention(start, start + len(found), type_, found.lower(), 0.95, "test")
    return bool(list(without_false_names(text, [mention])))


@pytest.mark.parametrize(
    ("text", "found", "type_"),
    [
        ("Kind regards\nAnn", "Kind", "PERSON"),
        ("Hi Jock, it is done", "Hi", "PERSON"),
        ("Bill to: Ann Lee", "Bill", "PERSON"),
        ("Consultant Rheumatologist", "Rheumatologist", "PERSON"),
        ("Ramipril 5 mg daily", "Ramipril", "PERSON"),
        ("Rx: one daily", "Rx", "PERSON"),
        ("MSH|x\rOBX|1|TX", "OBX", "PERSON"),
        ("Occupation: baker\n", "baker", "PERSON"),
        ("it was minuted by her", "minuted", "DATE_TIME"),
        ("in six weeks", "six", "DATE_TIME"),
        ("Dad (Dean, d.o.b. 12.4.91)", "d.o.b", "PERSON"),
        ("D.O.B. 17/12/1939", "D.O.B", "PERSON"),
        ("Rowan, d.o.b. 19.6.2013", "d.o.", "PERSON"),
        ("Passport 533380006 exp", "Passport", "PERSON"),
        ("BDS, GDC 218847", "GDC", "PERSON"),
        ("Claims Handler, DDI 020 7946 0813", "DDI", "LOCATION"),
        ("Outcome of your grievance - Case GR-0318", "Case", "PERSON"),
        ("Ticket INC0049217 is open", "Ticket", "PERSON"),
        ("Wilde   Tel. 01962 555 0182", "Tel", "PERSON"),
        ("RESP: Two. Myself and my pal", "RESP", "PERSON"),
        ("DAS28 was 4.1, CRP 22", "CRP", "ORGANIZATION"),
        ("Signed Ann Lee", "Signed", "PERSON"),
        ("for the Local Authority", "Local Authority", "ORGANIZATION"),
        ("Cust: Spencer", "Cust", "PERSON"),
        ("worried about Maths and French.", "French", "NRP"),
        ("In English Literature she read", "English", "NRP"),
        ("Physics A, Spanish B", "Spanish", "LOCATION"),
    ],
)
def test_words_that_name_nobody(text: str, found: str, type_: str) -> None:
    assert not kept(text, found, type_)


@pytest.mark.parametrize(
    ("text", "found", "type_"),
    [
        ("told Kind to stay", "Kind", "PERSON"),
        ("Okonjo 07700 900461", "Okonjo", "PERSON"),
        ("DOE 07700 900461", "DOE", "PERSON"),
        ("Hope 07700 900461", "Hope", "PERSON"),
        ("met SNCF 22", "SNCF", "ORGANIZATION"),
        ("KLM 1510 NORWICH 06:20", "KLM", "ORGANIZATION"),
        ("Paris 75011", "Paris", "LOCATION"),
        ("a French passport", "French", "NRP"),
        ("Mr French teaches Maths", "French", "PERSON"),
        ("Bill went to town", "Bill", "PERSON"),
        ("April came home", "April", "PERSON"),
        ("Occupation: baker\nName: Baker", "Baker", "PERSON"),
        ("it was yesterday", "yesterday", "DATE_TIME"),
        ("since christmas", "christmas", "DATE_TIME"),
        ("in march", "march", "DATE_TIME"),
    ],
)
def test_the_same_words_as_names(text: str, found: str, type_: str) -> None:
    assert kept(text, found, type_)


@pytest.mark.parametrize("found", ["AML/CFT", "AKAs"])
def test_practices_of_banks_and_headings_of_lists_name_nobody(found: str) -> None:
    assert not kept(f"their {found} were read", found, "ORGANIZATION")
