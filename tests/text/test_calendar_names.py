"""A month that one part of efface can read, all can: else a date is found, and not known to be somebody's."""

from __future__ import annotations

import pytest

from efface.finders.patterns.finder import PatternFinder
from efface.knowledge.entities.spellings.values import readings
from efface.operators.dates import parse
from efface.text.calendar_names import CALENDAR_WORDS, MONTH_ALIASES, MONTH_NUMBERS, MONTHS, WEEKDAYS
from efface.text.folding import fold_term

NAMES = sorted({name for forms in MONTHS.values() for form in forms for name in form} | set(MONTH_ALIASES))


@pytest.mark.parametrize("name", NAMES)
def test_every_month_is_read_everywhere(name: str) -> None:
    month = MONTH_NUMBERS[fold_term(name)]
    text = f"4 {name.capitalize()} 1953"
    assert f"1953-{month:02}-04" in {key for _, _, key in readings(fold_term(text))}
    assert [m.key for m in PatternFinder(types=frozenset({"DATE_TIME"})).find(f"on {text}.")] == [
        f"1953-{month:02}-04"
    ]
    written = parse(text, True)
    assert written is not None
    assert (written.year, written.month, written.day) == (1953, month, 4)


def test_every_language_has_months_and_weekdays() -> None:
    assert MONTHS.keys() == WEEKDAYS.keys()
    assert all(len(form) == 12 for forms in MONTHS.values() for form in forms)
    assert all(len(form) == 7 for forms in WEEKDAYS.values() for form in forms)


def test_calendar_words_are_folded_and_spare_surnames() -> None:
    assert {"monday", "mittwoch", "marz", "agosto"} <= CALENDAR_WORDS
    assert all(fold_term(word) == word for word in CALENDAR_WORDS)
    assert not CALENDAR_WORDS & {"piatek", "sroda", "sali", "patek"}
