"""A month or a day without a year is a date where the word before it says so."""

from __future__ import annotations

import pytest

from efface.finders.context.dates_in_context import dates_in_context
from tests.growth import assert_linear


def _found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in dates_in_context(text)]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("It was a worry in January, but no more.", "January"),
        ("The hub closed in December.", "December"),
        ("since May she has been well", "May"),
        ("was 64 kg in januari.", "januari"),
        ("Elle va mieux depuis février.", "février"),
        ("Er kam Ende März wieder.", "März"),
        ("He accepts that he said it on the 14th.", "14th"),
        ("She left by the 3rd and came back", "3rd"),
        ("a veintidós de mayo de dos mil veinticinco, siendo", "veintidós de mayo de dos mil veinticinco"),
        ("à partir du premier juillet.", "premier juillet"),
        ("am dreiundzwanzigsten April kam er", "dreiundzwanzigsten April"),
        ("il ventisei giugno duemilaventiquattro", "ventisei giugno duemilaventiquattro"),
        ("em vinte e dois de março de dois mil e vinte", "vinte e dois de março de dois mil e vinte"),
        ("op eenendertig augustus waren zij", "eenendertig augustus"),
        ("on the twenty-second of May, he", "twenty-second of May"),
        ("They met on Whit Monday 2024.", "Whit Monday 2024"),
        ("The salary for November is due.", "November"),
        ("de rekening van oktober is betaald", "oktober"),
        ("le loyer de décembre", "décembre"),
        ("die Miete für Februar", "Februar"),
        ("il giorno 12 del mese di maggio, alle ore 9", "12 del mese di maggio"),
        ("a los tres días del mes de julio de 2021", "tres días del mes de julio de 2021"),
        ("aos 4 dias do mês de outubro de 2022", "4 dias do mês de outubro de 2022"),
        ("Your letter of the 3rd inst. refers.", "3rd inst"),
        ("ours of the 28th ult refers", "28th ult"),
        ("She fell on Tues and rang.", "Tues"),
        ("back by Weds.", "Weds"),
        ("Ab Pfingsten wohnen wir hier.", "Pfingsten"),
        ("Le lundi de Pentecôte, c'était pire.", "lundi de Pentecôte"),
        ("vino el Martes Santo y no volvió", "Martes Santo"),
    ],
)
def test_a_month_or_a_day_alone_is_found(text: str, date: str) -> None:
    assert date in _found(text)


@pytest.mark.parametrize(
    "text",
    [
        "They march on in march time.",
        "You may go in may be an hour.",
        "It was given by May to April.",
        "He lives on the 14th floor, and won on the 18th hole.",
        "The January sales, and January itself.",
        "He came second. March on, seis personas, a second may do.",
        "The saint of the day, a good Friday lunch, und am Osterfeuer.",
    ],
)
def test_other_months_and_ordinals_are_none(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize("piece", ["in ", "January ", "on the 14th ", "since-", "twenty-", "Palm "])
def test_dates_are_looked_for_in_linear_time(piece: str) -> None:
    assert_linear(lambda text: list(dates_in_context(text)), piece, 50_000)
