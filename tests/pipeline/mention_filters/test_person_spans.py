"""One mention is one person, and all of that person's name."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.name_false_positives import without_false_names
from efface.pipeline.mention_filters.person_spans import one_person_each


def _people(text: str, marked: str) -> list[str]:
    start = text.index(marked)
    mention = Mention(start, start + len(marked), "PERSON", marked.lower(), 0.9, "test")
    return [text[one.start : one.end] for one in one_person_each(text, [mention])]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ann Lee and Paul Roe", ["Ann Lee", "Paul Roe"]),
        ("Ann and Paul Roe", ["Ann", "Paul Roe"]),
        ("Ann Lee & Paul Roe", ["Ann Lee", "Paul Roe"]),
        ("Ann Lee and others", ["Ann Lee and others"]),
        ("A. Pryce; D. Fenwick", ["A. Pryce", "D. Fenwick"]),
        ("A. Pryce, D. Fenwick", ["A. Pryce", "D. Fenwick"]),
        ("Pryce, A.; Fenwick, D.", ["Pryce, A.", "Fenwick, D."]),
        ("BIG AL, TERRY", ["BIG AL", "TERRY"]),
        ("OSCAR MSTR, SARGSYAN", ["OSCAR MSTR", "SARGSYAN"]),
        ("Livingston, James", ["Livingston, James"]),
        ("De la Croix, Anna", ["De la Croix, Anna"]),
        ("Grace\n(Grace Will", ["Grace", "Grace Will"]),
        ("Grace\n(Grace Will)", ["Grace", "Grace Will"]),
        ("Ann Lee (Paul Roe", ["Ann Lee", "Paul Roe"]),
        ("Manish (Patel)", ["Manish (Patel)"]),
        ("José Ortega y Gasset", ["José Ortega y Gasset"]),
        ("Mr C Shaw. Shaw P.", ["Mr C Shaw", "Shaw P."]),
        ("Dr Amadi. 54F", ["Dr Amadi"]),
        ("Prof. Lee", ["Prof. Lee"]),
        ("Anna Lee Esq. Paul Roe", ["Anna Lee Esq. Paul Roe"]),
        ("Chas. Brown", ["Chas. Brown"]),
    ],
)
def test_two_people_are_two_mentions(text: str, people: list[str]) -> None:
    assert _people(text, text) == people


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Jane Ng\nPeter Ng\nJane Ng", ["Jane Ng", "Peter Ng", "Jane Ng"]),
        ("Jane Ng\r\nPeter Ng", ["Jane Ng", "Peter Ng"]),
        ("Jane Ng,\nPeter Ng", ["Jane Ng,", "Peter Ng"]),
        ("Jane Ng\nPeter", ["Jane Ng", "Peter"]),
        ("Jane\nPeter", ["Jane", "Peter"]),
        ("Jane Ng\nWhitcombe", ["Jane Ng", "Whitcombe"]),
        ("s/ Ngaire Whitcombe\nNgaire Whitcombe", ["Ngaire Whitcombe", "Ngaire Whitcombe"]),
        ("Mary Jane\nPeter Holt", ["Mary Jane", "Peter Holt"]),
    ],
)
def test_lines_of_full_names_are_people_of_their_own(text: str, people: list[str]) -> None:
    assert _people(text, text) == people


@pytest.mark.parametrize(
    "name",
    [
        "Jonathan\nWhitcombe",
        "Mary Jane\nWhitcombe",
        "Ngaire\nWhitcombe-Okafor",
        "Mr J.\nWhitcombe",
        "Dr\nJane Ng",
        "Jan van der\nMerwe",
        "Jan\nvan der Merwe",
        "Kwame Oppong-\nMensah",
        "Whitcombe,\nJonathan",
    ],
)
def test_a_wrapped_name_is_one_person(name: str) -> None:
    assert _people(name, name) == [name]


@pytest.mark.parametrize(
    ("text", "marked", "person"),
    [
        ("Roe v De la Croix [2019]", "De la", "De la Croix"),
        ("seen by van der Merwe-Smith today", "van der", "van der Merwe-Smith"),
        ("seen by van der today", "van der", "van der"),
        ("with Mr. T. Winstanley, who", "Mr. T.", "Mr. T. Winstanley"),
        ("with Mr. T. Then he left", "Mr. T.", "Mr. T."),
        ("seen by Roe today", "Roe", "Roe"),
        ("Oui, Jo était au marché", "Jo", "Jo"),
    ],
)
def test_particles_go_with_the_surname(text: str, marked: str, person: str) -> None:
    assert _people(text, marked) == [person]


@pytest.mark.parametrize(
    ("text", "marked", "person"),
    [
        ('Jonathan "Jonty" Whitcombe came', "Jonathan", 'Jonathan "Jonty" Whitcombe'),
        ('Jonathan "Jonty" Whitcombe came', 'Jonathan "Jonty', 'Jonathan "Jonty" Whitcombe'),
        ("Mr. Jonathan ‘Jonty’ Roe-Whitcombe came", "Mr. Jonathan", "Mr. Jonathan ‘Jonty’ Roe-Whitcombe"),
        ('Jonathan "Jonty" came', "Jonathan", "Jonathan"),
        ('Jonathan said "Jonty" Whitcombe came', "Jonathan", "Jonathan"),
        ('Jonathan wrote "Stop" To all', "Jonathan", "Jonathan"),
    ],
)
def test_a_name_goes_on_behind_a_nickname_in_quotes(text: str, marked: str, person: str) -> None:
    assert _people(text, marked) == [person]


@pytest.mark.parametrize(
    ("text", "number", "is_date"),
    [
        ("as follows:\n1.  I am the defendant", "1", False),
        ("see Page 2 of it", "2", False),
        ("born on the 2 or 3 of May", "2", True),
        ("14\n03\n1948", "14", True),
    ],
)
def test_the_number_of_a_paragraph_is_no_date(text: str, number: str, is_date: bool) -> None:
    at = text.index(number)
    mention = Mention(at, at + len(number), "DATE_TIME", number, 0.9, "test")
    assert bool(list(without_false_names(text, [mention]))) is is_date


@pytest.mark.parametrize(
    ("surface", "type"),
    [
        ("S.M.", "PERSON"),
        ("J. R. R.", "PERSON"),
        ("A.M.", "DATE_TIME"),
        ("p.m.", "DATE_TIME"),
        ("B.C.", "DATE_TIME"),
    ],
)
def test_initials_are_no_date(surface: str, type: str) -> None:
    mention = Mention(4, 4 + len(surface), "DATE_TIME", surface.lower(), 0.4, "test")
    assert [one.type for one in one_person_each(f"cc: {surface}", [mention])] == [type]


@pytest.mark.parametrize(
    ("text", "marked", "person"),
    [
        ("Olu Bankole rang", "Olu", "Olu Bankole"),
        ("we told Siobhan McGarvey", "Siobhan", "Siobhan McGarvey"),
        ("Kian Tuesday at nine", "Kian", "Kian"),
        ("Kian Doctor Abara", "Kian", "Kian"),
        ("Kian  Bankole", "Kian", "Kian"),
        ("Kian January", "Kian", "Kian"),
        ("Olu BANKOLE", "Olu", "Olu"),
    ],
)
def test_an_unknown_word_with_a_capital_behind_a_name_is_its_surname(
    text: str, marked: str, person: str
) -> None:
    assert _people(text, marked) == [person]
