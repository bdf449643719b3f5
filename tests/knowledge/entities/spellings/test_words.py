"""What a reader reads as the value is found, without fuzzy matching: a test for each way to write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from efface.finders.entities import EntityFinder
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.spellings.number_words import numbers_in_words
from efface.knowledge.entities.store import build, open_index

PEOPLE = [
    Entity(
        "1", (("name", "Manish Patel"), ("city", "Bangalore"), ("born", "1980-03-12"), ("job", "plumber"))
    ),
    Entity("2", (("name", "Jörg Müller"), ("salary", "52000"), ("weight", "64.5"), ("city", "Port Maren"))),
    Entity("3", (("name", "Anna Mueller"), ("salary", "1500000"), ("job", "secretary"))),
    Entity("4", (("name", "Eva Maria Lopez-Garcia"), ("city", "Århus"))),
    Entity("5", (("name", "Sean O'Brien"),)),
    Entity("6", (("name", "Pieter van der Berg"), ("account", "918044088778"), ("budget", "2500000000"))),
    Entity("7", (("name", "John Smith Jr."), ("city", "St. Louis"))),
    Entity("9", (("name", "Katherine O'Neill"), ("employer", "Acme Corp."), ("postcode", "SW1A 2AA"))),
    Entity(
        "10", (("account", "12-3456-789"), ("phone", "+91 80 4408 8779"), ("employer", "Johnson & Johnson"))
    ),
    Entity(
        "11",
        (
            ("postcode", "EC1V9LT"),
            ("account", "GB82WEST12345698765432"),
            ("passport", "AB123456"),
            ("phone", "4915112345678"),
            ("desk", "0151-77712345"),
            ("id", "1234AB"),
            ("tax", "DE 811 907 980"),
        ),
    ),
    Entity("8", (("name", "Aengus Æthelred"), ("city", "Saint Petersburg"))),
]
WAYS = [
    ("EC1V 9LT", "ec1v9lt"),
    ("ec1v-9lt", "ec1v9lt"),
    ("GB82 WEST 1234 5698 7654 32", "gb82west12345698765432"),
    ("GB82-WEST-1234-5698-7654-32", "gb82west12345698765432"),
    ("AB 123456", "ab123456"),
    ("ab 123 456", "ab123456"),
    ("1234 AB", "1234ab"),
    ("DE811907980", "de 811 907 980"),
    ("DE 811907980", "de 811 907 980"),
    ("0049 151 12345678", "4915112345678"),
    ("+49 (0)151 1234 5678", "4915112345678"),
    ("+49 151 77712345", "0151-77712345"),
    ("Mr Patel", "manish patel"),
    ("Mr. Patel", "manish patel"),
    ("Dr Patel", "manish patel"),
    ("Manish K. Patel", "manish patel"),
    ("Manish K Patel", "manish patel"),
    ("manish_patel", "manish patel"),
    ("ManishPatel", "manish patel"),
    ("Manish (Patel)", "manish patel"),
    ("**Manish** Patel", "manish patel"),
    ("*Manish Patel*", "manish patel"),
    ("M. Patel", "manish patel"),
    ("Patel, Manish", "manish patel"),
    ("PATEL Manish", "manish patel"),
    ("Patel, M.", "manish patel"),
    ("Manish Patel's", "manish patel"),
    ("Manish Patels", "manish patel"),
    ("12-Mar-80", "1980-03-12"),
    ("12 Mar '80", "1980-03-12"),
    ("12 Mar 80", "1980-03-12"),
    ("March 12, 1980", "1980-03-12"),
    ("1980-03-12", "1980-03-12"),
    ("12/03/1980", "1980-03-12"),
    ("12.03.80", "1980-03-12"),
    ("12. März 1980", "1980-03-12"),
    ("52k", "52000"),
    ("52K", "52000"),
    ("USD52000", "52000"),
    ("$52,000", "52000"),
    ("52,000.00", "52000"),
    ("52000EUR", "52000"),
    ("1.5m", "1500000"),
    ("64.5kg", "64.5"),
    ("64,5kg", "64.5"),
    ("Joerg Mueller", "jorg muller"),
    ("Jörg Müller", "jorg muller"),
    ("Anna Müller", "anna mueller"),
    ("Bangalore's", "bangalore"),
    ("Bangalores", "bangalore"),
    ("Port_Maren", "port maren"),
    ("plumbers", "plumber"),
    ("plumber's", "plumber"),
    ("secretaries", "secretary"),
    ("manish.patel", "manish patel"),
    ("1980-03-12T10:30:00", "1980-03-12"),
    ("1.5 million", "1500000"),
    ("52 thousand", "52000"),
    ("15 lakhs", "1500000"),
    ("Aarhus", "arhus"),
    ("Mrs Lopez-Garcia", "eva maria lopez-garcia"),
    ("Mrs Garcia", "eva maria lopez-garcia"),
    ("E. M. Lopez-Garcia", "eva maria lopez-garcia"),
    ("Lopez-Garcia, Eva", "eva maria lopez-garcia"),
    ("Mr O'Brien", "sean o'brien"),
    ("Mr O’Brien", "sean o'brien"),
    ("S. O'Brien", "sean o'brien"),
    ("Mr van der Berg", "pieter van der berg"),
    ("P. van der Berg", "pieter van der berg"),
    ("van der Berg, Pieter", "pieter van der berg"),
    ("[Manish](x) Patel", "manish patel"),
    ("[Manish](https://x.org/a?b=1) Patel", "manish patel"),
    ("Manish [Patel](x)", "manish patel"),
    ("<b>Manish</b> Patel", "manish patel"),
    ('Manish "Manny" Patel', "manish patel"),
    ("Manish (Manny) Patel", "manish patel"),
    ("Manish/Patel", "manish patel"),
    ("Manish P.", "manish patel"),
    ("Mr. M. K. Patel", "manish patel"),
    ("Familie Patel", "manish patel"),
    ("Mrs Lopez Garcia", "eva maria lopez-garcia"),
    ("Eva Lopez Garcia", "eva maria lopez-garcia"),
    ("Mr OBrien", "sean o'brien"),
    ("Sean OBrien", "sean o'brien"),
    ("OBrien, Sean", "sean o'brien"),
    ("fifty-two thousand", "52000"),
    ("Fifty two thousand", "52000"),
    ("one million five hundred thousand", "1500000"),
    ("one and a half million", "1500000"),
    ("1.5 Mio", "1500000"),
    ("the Patels", "manish patel"),
    ("The Patels'", "manish patel"),
    ("the Patel family", "manish patel"),
    ("Patel brothers", "manish patel"),
    ("the O'Briens", "sean o'brien"),
    ("Manish Kumar Patel", "manish patel"),
    ("MANISH KUMAR PATEL", "manish patel"),
    ("PortMaren", "port maren"),
    ("portmaren", "port maren"),
    ("#PortMaren", "port maren"),
    ("twelfth of March 1980", "1980-03-12"),
    ("the twelfth of March, 1980", "1980-03-12"),
    ("the 12th of March, 1980", "1980-03-12"),
    ("12th day of March 1980", "1980-03-12"),
    ("the twelfth day of March, 1980", "1980-03-12"),
    ("March the twelfth, 1980", "1980-03-12"),
    ("March twelfth 1980", "1980-03-12"),
    ("12 March nineteen eighty", "1980-03-12"),
    ("twelfth March '80", "1980-03-12"),
    ("64½ kg", "64.5"),
    ("64 ½ kg", "64.5"),
    ("64 1/2 kg", "64.5"),
    ("64-1/2", "64.5"),
    ("sixty-four and a half", "64.5"),
    ("sixty-four point five", "64.5"),
    ("６４.５ kg", "64.5"),
    ("٥٢٠٠٠", "52000"),
    ("５２０００", "52000"),
    ("52\u202f000", "52000"),
    ("52\u2009000,00", "52000"),
    ("Rs.52,000", "52000"),
    ("Rs. 52,000/-", "52000"),
    ("₽52000", "52000"),
    ("52.000,-", "52000"),
    ("52'000.–", "52000"),
    ("R$52.000", "52000"),
    ("52k€", "52000"),
    ("€52k", "52000"),
    ("52 grand", "52000"),
    ("52 Tsd.", "52000"),
    ("1,5 Millionen", "1500000"),
    ("fifty two grand", "52000"),
    ("Messrs Patel", "manish patel"),
    ("Cllr Patel", "manish patel"),
    ("Herrn Patel", "manish patel"),
    ("Sra. Patel", "manish patel"),
    ("Patel, Mr Manish", "manish patel"),
    ("Frau Lopez", "eva maria lopez-garcia"),
    ("Eva Lopez", "eva maria lopez-garcia"),
    ("Mevrouw van der Berg", "pieter van der berg"),
    ("John Smith", "john smith jr."),
    ("John Smith Junior", "john smith jr."),
    ("Mr Smith", "john smith jr."),
    ("J. Smith", "john smith jr."),
    ("Aengus Aethelred", "aengus æthelred"),
    ("Saint Louis", "st. louis"),
    ("St Louis", "st. louis"),
    ("St. Petersburg", "saint petersburg"),
    ("St Petersburg", "saint petersburg"),
    ("12.iii.1980", "1980-03-12"),
    ("12-III-1980", "1980-03-12"),
    ("12 III 80", "1980-03-12"),
    ("1980 March 12", "1980-03-12"),
    ("1980-Mar-12", "1980-03-12"),
    ("Mar-12-1980", "1980-03-12"),
    ("12 March of 1980", "1980-03-12"),
    ("March 12th, in 1980", "1980-03-12"),
    ("12/3 1980", "1980-03-12"),
    ("12 · 03 · 1980", "1980-03-12"),
    ("12031980", "1980-03-12"),
    ("1980年3月12日", "1980-03-12"),
    ("52 k", "52000"),
    ("52-thousand", "52000"),
    ("$52 K", "52000"),
    ("1.5 M", "1500000"),
    ("$1.5mm", "1500000"),
    ("USD 1.5mil", "1500000"),
    ("$1.5-million", "1500000"),
    ("$2.5B", "2500000000"),
    ("£2.5 bn", "2500000000"),
    ("2,5 milliards", "2500000000"),
    ("9180 4408 8778", "918044088778"),
    ("918-044-088-778", "918044088778"),
    ("9180/4408/8778", "918044088778"),
    ("(918) 044-088778", "918044088778"),
    ("12 9180 4408 8778", "918044088778"),
    ("SW1A2AA", "sw1a 2aa"),
    ("SW1A-2AA", "sw1a 2aa"),
    ("123456789", "12-3456-789"),
    ("12 3456 789", "12-3456-789"),
    ("123.456.789", "12-3456-789"),
    ("+918044088779", "+91 80 4408 8779"),
    ("+91 (80) 44088779", "+91 80 4408 8779"),
    ("Acme Corporation", "acme corp."),
    ("ACME Corp", "acme corp."),
    ("Johnson&Johnson", "johnson & johnson"),
    ("Johnson + Johnson", "johnson & johnson"),
    ("Manish|Patel", "manish patel"),
    ("Manish;Patel", "manish patel"),
    ("Manish+Patel", "manish patel"),
    ("Patel (Manish)", "manish patel"),
    ("Patel [Manish]", "manish patel"),
    ("Manish 'Manny' Patel", "manish patel"),
    ("family Patel", "manish patel"),
    ("Hr. Müller", "jorg muller"),
    ("J. Mueller", "jorg muller"),
    ("Mueller, Joerg", "jorg muller"),
    ("EM Lopez-Garcia", "eva maria lopez-garcia"),
    ("12 03 1980", "1980-03-12"),
    ("80-03-12", "1980-03-12"),
    ("12/03/'80", "1980-03-12"),
    ("52kUSD", "52000"),
    ("52,000pounds", "52000"),
]
NOT = [
    ("12345678", "12-3456-789"),
    ("EC1V 9LTX", "ec1v9lt"),
    ("EC1V, 9LT", "ec1v9lt"),
    ("AB 123457", "ab123456"),
    ("AB. 123456", "ab123456"),
    ("1049 151 12345678", "4915112345678"),
    ("645", "64.5"),
    ("SW1A2AAB", "sw1a 2aa"),
    ("52ktx", "52000"),
    ("12 03 1981", "1980-03-12"),
    ("St. Peter", "saint petersburg"),
    ("918 04408877", "918044088778"),
    ("Smith Street", "john smith jr."),
    ("52 kilometres", "52000"),
    ("Patel", "manish patel"),
    ("a Patel Manishite", "manish patel"),
    ("m patel", "manish patel"),
    ("52", "52000"),
    ("x52000y", "52000"),
    ("152k", "52000"),
    ("12 Mar 1981", "1980-03-12"),
    ("plum", "plumber"),
    ("Manish. Patel", "manish patel"),
    ("Lopez", "eva maria lopez-garcia"),
    ("Mr van der Berge", "pieter van der berg"),
    ("1.5 millionths", "1500000"),
    ("Manish P. Kumar", "manish patel"),
    ("Manish P Kumar", "manish patel"),
    ("M.P.", "manish patel"),
    ("Manish (who knows) Patel", "manish patel"),
    ("Manish [or](x) somebody Patel", "manish patel"),
    ("fifty-two thousandths", "52000"),
    ("fifty, two thousand", "52000"),
    ("one fifty-two thousand", "52000"),
    ("the patels", "manish patel"),
    ("Manish kumar Patel", "manish patel"),
    ("Manish The Patel", "manish patel"),
    ("Manish Kumar Ravi Patel", "manish patel"),
    ("Port Louis Maren", "port maren"),
    ("Port Marens", "manish patel"),
    ("twelfth of March 1981", "1980-03-12"),
    ("twelfth Monday 1980", "1980-03-12"),
    ("641/2", "64.5"),
    ("64¼ kg", "64.5"),
    ("the Patelses", "manish patel"),
]


@pytest.mark.parametrize("written", ["M.P.", "M. P.", "(MP)", "M.P", "MP", "MP's"])
def test_initials_are_found_where_the_text_names_the_person(finder: EntityFinder, written: str) -> None:
    text = f"Manish Patel came. {written} left."
    start = text.index(written)
    found = [m for m in finder.find(text) if m.key == "manish patel" and m.end > start]
    assert len(found) == 1 and text[found[0].start : found[0].end] in written


@pytest.mark.parametrize("written", ["m.p.", "MPs", "am.p.", "M.P.H", "mp", "MP3", "Mp", "XMP"])
def test_other_letters_are_no_initials(finder: EntityFinder, written: str) -> None:
    text = f"Manish Patel came. {written} left."
    assert not [m for m in finder.find(text) if m.key == "manish patel" and m.start > 15]


@pytest.mark.parametrize(
    ("text", "key", "bare"),
    [
        ("Manish Patel came. Patel left.", "manish patel", "Patel"),
        ("Manish Patel came. Then Manish left.", "manish patel", "Manish"),
        ("We saw Manish Patel. When Patel's son came, he left.", "manish patel", "Patel"),
        ("Patient Patel left before Manish Patel came.", "manish patel", "Patel"),
        ("Mr Patel came. We told Patel so.", "manish patel", "Patel"),
        ("Manish K. Patel came. MANISH left.", "manish patel", "MANISH"),
        ("Eva Maria Lopez-Garcia came. Lopez-Garcia left.", "eva maria lopez-garcia", "Lopez-Garcia"),
        ("Eva Maria Lopez-Garcia came. Then Garcia left.", "eva maria lopez-garcia", "Garcia"),
        ("Eva Maria Lopez-Garcia came. Then Eva left.", "eva maria lopez-garcia", "Eva"),
        ("Pieter van der Berg came. Then van der Berg left.", "pieter van der berg", "van der Berg"),
        ("Sean O'Brien came. Later O'Brien left.", "sean o'brien", "O'Brien"),
        ("pt manish patel came. wife of patel left.", "manish patel", "patel"),
        ("John Smith Jr. came. Ask Smith.", "john smith jr.", "Smith"),
    ],
)
def test_a_part_of_a_name_is_found_where_the_text_names_the_person(
    finder: EntityFinder, text: str, key: str, bare: str
) -> None:
    found = {text[mention.start : mention.end] for mention in finder.find(text) if mention.key == key}
    assert bare in found


@pytest.mark.parametrize(
    "text",
    [
        "Manish Patel came. Anita Patel left.",
        "Manish Patel came. A. Patel left.",
        "Manish Patel came. Manish Kumar left.",
        "Manish Patel came. The patel left.",
        "Manish Patel came. Patelson left.",
        "Patel left. Manish left.",
    ],
)
def test_the_name_of_somebody_else_is_no_part(finder: EntityFinder, text: str) -> None:
    whole = text.startswith("Manish Patel")
    assert len([m for m in finder.find(text) if m.key == "manish patel"]) == whole


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("forty-six", "46"),
        ("one hundred and five", "105"),
        ("nineteen eighty-two", "1982"),
        ("two hundred thousand", "200000"),
        ("one thousand and twenty", "1020"),
        ("twelve", None),
        ("one two three", None),
        ("twenty-twenty-one-five", None),
        ("one and a half", None),
    ],
)
def test_a_number_in_words(written: str, number: str | None) -> None:
    found = [key for _, _, key in numbers_in_words(f"about {written} of them")]
    assert found == ([] if number is None else [number])


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> EntityFinder:
    folder = tmp_path_factory.mktemp("index") / "people.index"
    build(PEOPLE, Path(folder))
    return EntityFinder(open_index(folder), "people")


@pytest.mark.parametrize(("written", "key"), WAYS)
@pytest.mark.parametrize("text", ["{}", "We saw {} today, twice.", "({}) was here"])
def test_a_way_to_write_it(finder: EntityFinder, written: str, key: str, text: str) -> None:
    if text.startswith("(") and "(" in written:
        return
    full = text.format(written)
    found = [mention for mention in finder.find(full) if mention.key == key]
    assert found, "what a reader reads as the value is found"
    start = full.index(written)
    assert any(m.start <= start + len(written) - 1 and start < m.end for m in found)


@pytest.mark.parametrize(("written", "key"), NOT)
def test_no_way_to_write_it(finder: EntityFinder, written: str, key: str) -> None:
    assert not [m for m in finder.find(f"We saw {written} today.") if m.key == key]
