"""Software and goods that millions use stay, unless somebody works for those who make them. Versions are no dates."""

from __future__ import annotations

import pytest

import efface
from efface.core import Mention
from efface.pipeline.mention_filters.name_false_positives import without_false_names
from efface.pipeline.mention_filters.product_names import is_product


def _is_product(text: str, name: str, type_: str = "ORGANIZATION") -> bool:
    start = text.index(name)
    mention = Mention(start, start + len(name), type_, name.lower(), 0.95, "test")
    return is_product(text, mention, name.replace("-", " ").split())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("She watches Netflix at night.", "Netflix"),
        ("Log in with Okta.", "Okta"),
        ("a silver Vauxhall Corsa", "Vauxhall"),
        ("We drink Coca-Cola.", "Coca-Cola"),
        ("The lead engineer, a mother of two, prefers Firefox.", "Firefox"),
        ("Files are sent by Microsoft Teams.", "Microsoft"),
        ("It works with Alexa.", "Alexa"),
    ],
)
def test_what_people_use_stays(text: str, name: str) -> None:
    assert _is_product(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("She works for Netflix as an editor.", "Netflix"),
        ("He was sacked by Toyota in May.", "Toyota"),
        ("Her employer, Zendesk, paid.", "Zendesk"),
        ("a former director of the Dyson group", "Dyson"),
        ("He joined Spotify in May.", "Spotify"),
        ("two Samsung employees", "Samsung"),
        ("dinner at Oxo Tower", "Oxo"),
        ("Brightwater Logistics", "Brightwater"),
    ],
)
def test_who_makes_them_goes(text: str, name: str) -> None:
    assert not _is_product(text, name)


@pytest.mark.parametrize(("text", "name"), [("Mr Guinness rang.", "Guinness"), ("I met Stella.", "Stella")])
def test_a_person_who_is_called_so_goes(text: str, name: str) -> None:
    assert not _is_product(text, name, "PERSON")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Nike said that she felt unwell, and Mrs Ade drove Nike home.", "Nike"),
        ("I spoke to Guinness about his knee; Guinness will ring.", "Guinness"),
        ("Clio was seen by the nurse. Her brother Dyson came.", "Clio"),
    ],
)
def test_somebody_called_like_goods_is_nowhere(text: str, name: str) -> None:
    assert name not in efface.redact(text).text


@pytest.mark.parametrize(
    ("text", "date", "left"),
    [
        ("# Release 2.4.1", "2.4.1", 0),
        ("Upgrade it to 5.0, soon", "5.0", 0),
        ("She came on 2.4.21", "2.4.21", 1),
        ("born 5.10", "5.10", 1),
    ],
)
def test_a_version_is_no_date(text: str, date: str, left: int) -> None:
    start = text.index(date)
    mention = Mention(start, start + len(date), "DATE_TIME", date, 0.95, "test")
    assert len(list(without_false_names(text, [mention]))) == left


def test_the_number_of_who_speaks_is_no_date() -> None:
    text = "INTERVIEWER: Yes?\nRESPONDENT 4: No."
    mention = Mention(text.index("4"), text.index("4") + 1, "DATE_TIME", "4", 0.4, "test")
    assert not list(without_false_names(text, [mention]))


def test_a_shouted_verb_is_no_surname() -> None:
    text = "THEN AL CALLED HER."
    mention = Mention(5, 14, "PERSON", "al called", 0.95, "test")
    found = [text[one.start : one.end] for one in without_false_names(text, [mention])]
    assert found == ["AL"]
