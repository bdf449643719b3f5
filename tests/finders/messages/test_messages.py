"""What the place of a value tells in HL7, in calendars and in cards."""

from __future__ import annotations

from efface.finders.fields.labelled_fields import LabelledFields

HL7 = (
    "MSH|^~\\&|ADT1|STBRAN|LAB|STBRAN|202403051012||ADT^A01|MSG00001|P|2.5\r"
    "PID|1||PATID4471^^^STBRAN^MR~55019^^^NHS^NH||KING^HAZEL||19550211|F||||||||||ACCT99812\r"
    "PV1|1|I|JUN^4^2||||0045^BELL^IMOGEN||||||||||||VISIT8812\r"
)
CARD = "BEGIN:VCARD\nN:King;Hazel;;Mrs;\nADR;TYPE=HOME:;;17 Bell Lane;Stroud;;GL5 1AA;\nBDAY:19900401\nEND:VCARD\n"
EVENT = "BEGIN:VCALENDAR\nDTSTART;TZID=Europe/London:20240314T103000\nATTENDEE;CN=May Power:mailto:x\nLOCATION:Elm House\n"


def found(text: str) -> set[tuple[str, str]]:
    return {(one.type, text[one.start : one.end]) for one in LabelledFields().find(text)}


def test_numbers_and_times_of_hl7() -> None:
    told = found(HL7)
    numbers = {surface for type_, surface in told if type_ == "ID_NUMBER"}
    assert numbers == {"MSG00001", "PATID4471", "55019", "ACCT99812", "0045", "VISIT8812"}
    assert ("ORGANIZATION", "STBRAN") in told
    assert {("DATE_TIME", "202403051012"), ("DATE_TIME", "19550211"), ("PERSON", "BELL")} <= told


def test_a_card() -> None:
    assert found(CARD) == {
        ("PERSON", "King"),
        ("PERSON", "Hazel"),
        ("LOCATION", "17 Bell Lane"),
        ("LOCATION", "Stroud"),
        ("LOCATION", "GL5 1AA"),
        ("DATE_TIME", "19900401"),
    }


def test_a_meeting() -> None:
    expected = {("DATE_TIME", "20240314T103000"), ("PERSON", "May Power"), ("LOCATION", "Elm House")}
    assert found(EVENT) == expected


def test_prose_has_no_properties() -> None:
    assert not found("LOCATION: the meeting\nN: King came\n")


def test_a_mask_in_a_card_is_no_name() -> None:
    card = "BEGIN:VCARD\nN:****;****;;;\nFN:**** ****\nADR:;;****;****;;;\nEND:VCARD\n"
    assert not list(LabelledFields().find(card))
