"""Dates and times as they are written: pieces of patterns, and the ISO form of what they match.

Names are spelt without accents, as the plain view shows them.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from functools import lru_cache

from efface.text import calendar_names
from efface.text.calendar_names import MONTH_NUMBERS
from efface.text.folding import fold_term

_SHORT_DAYS = ("mo", "di", "mi", "do", "fr", "sa", "so")  # words as well, so they begin no date
WEEKDAYS = tuple(
    {
        fold_term(name): None
        for forms in calendar_names.WEEKDAYS.values()
        for form in (*forms, tuple(calendar_names.WEEKDAY_ALIASES))
        for name in form
        if name not in _SHORT_DAYS
    }
)


def any_of(names: Iterable[str]) -> str:
    """An expression for one of the names in any case, grouped by the first letter, so that a search fails fast."""
    by_letter: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        by_letter.setdefault(name[0], []).append(name[1:])
    forms = (f"[{first.upper()}{first}](?i:{'|'.join(rest)})" for first, rest in by_letter.items())
    return f"(?:{'|'.join(forms)})"


# The full stop of an abbreviation, where the date goes on: "30 June." ends a sentence.
MONTH = rf"{any_of(MONTH_NUMBERS)}\b(?:\.(?=[,/-]?\s?(?:of\s|del?\s|the\s|at\s)?'?[0-9]))?"
DAY = r"(?:3[01]|[12][0-9]|0?[1-9])(?:(?i:st|nd|rd|th|er|o)\b)?"
YEAR = r"(?:1[5-9]|20)[0-9]{2}"
OF = r"(?:of\s|del?\s)?"
HALF = r"(?:[AaPp]\.[Mm]\.?|[AaPp][Mm])(?![A-Za-z])"
CLOCK = (
    r"(?:(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
    rf"(?:\s?(?:{HALF}|Z\b|UTC\b|GMT\b|h\b))?(?:\s?[+-][0-9]{{2}}:?[0-9]{{2}})?"
    rf"|(?:1[0-2]|0?[1-9])(?:\.[0-5][0-9])?\s?{HALF})"
)
THEN = rf"(?:(?:T|,?\s(?:at\s)?){CLOCK})?"
ISO_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
NUMERIC = r"[0-9]{1,2}(?:/[0-9]{1,2}/|-[0-9]{1,2}-|\.[0-9]{1,2}\.)[0-9]{4}"
NUMERIC_SHORT = r"[0-9]{1,2}(?:/[0-9]{1,2}/|-[0-9]{1,2}-)[0-9]{2}"
DOTTED_SHORT = r"[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2}(?!\.[0-9])"
_BEFORE_DATE = (
    "on of from to until till since by before after and or dated born died seen admitted discharged reviewed attended "
    "clinic date dob d.o.b. b. d. * geb. né née le du am vom den il el"
).split()


def _directly_after(words: Iterable[str]) -> str:
    """One of the words, in lower case, capitals or with a capital, and a blank right before this place."""
    forms = sorted({form for word in words for form in (word, word.capitalize(), word.upper())})
    return "|".join(rf"(?<=(?<![0-9A-Za-z]){re.escape(form)}\s)" for form in forms)


# 5.6.71 may also be a section or a version. It is a date after such words and marks, and where a line begins with it, but
# for a line that may be a heading: "5.6.12 Payments", where no section has as many as 71.
_DATE_HERE = (
    rf"(?:{_directly_after(_BEFORE_DATE)}|(?<=[,;:(–-])|(?<=[,;:–-]\s)"
    r"|(?<![^\n])(?:(?=[0-9.]{3,6}(?:0[0-9]|3[2-9]|[4-9][0-9])\b)|(?![0-9.]+\s[A-Z])))"
)
_NUMBERED = "|".join(
    rf"(?<={word}[:,]\s)" for word in ("ersion", "elease", "uild", "ection", "rsions", "ctions")
)
DOTTED_DATE = rf"(?={DOTTED_SHORT}){_DATE_HERE}(?!{_NUMBERED}){DOTTED_SHORT}"
# A day and a month in figures may be a fraction or a score, too. They are a date after such a word: "am 1.3.", "le 22/05".
_BEFORE_DAY = "am vom bis zum ab den dem d. le du au el del al il dal op em dia til till".split()
_AFTER_DAY_WORD = rf"(?<=[A-Za-z.]\s)(?:{_directly_after(_BEFORE_DAY)})"  # the first look is for speed
DAY_AND_MONTH = (
    rf"{_AFTER_DAY_WORD}(?:(?:3[01]|[12][0-9]|0?[1-9])\.(?:1[0-2]|0?[1-9])\.(?!\s?[0-9])"
    r"|(?:(?:3[01]|[12][0-9]|0[1-9])/(?:1[0-2]|0?[1-9])|[1-9]/0[1-9])(?![/0-9]))"
)
YEAR_FIRST = rf"{YEAR}(?:/[0-9]{{1,2}}/|-[0-9]{{1,2}}-|\.[0-9]{{1,2}}\.)[0-9]{{1,2}}"
# "3 may be" and "march 4 miles" are no dates: a month that is a word in lower case needs its year.
_NO_WORD = r"(?!(?:may|mar|march|set|sep|sun|sat)\b)"
THEN_YEAR = rf"(?:(?:,?\s|[/-]){OF}{YEAR}|,?\s'[0-9]{{2}}|-[0-9]{{2}}\b)"
DAY_MONTH = rf"{DAY}\.?[\s-]{OF}(?:{MONTH}(?:{THEN_YEAR}|\s[0-9]{{2}}(?=\s[0-9]{{1,2}}:))|{_NO_WORD}{MONTH})"
MONTH_FIRST = (
    rf"(?:{MONTH}(?:[\s-](?:the\s)?{DAY}(?:(?:,?\s|-){YEAR}|,?\s'[0-9]{{2}})|{THEN_YEAR})"
    rf"|{_NO_WORD}{MONTH}[\s-](?:the\s)?{DAY})"
)
# A year alone is a date only after such a word: "in 1999", but not "page 1999".
YEAR_WORDS = (
    *("in", "since", "from", "until", "till", "year", "during", "between", "before", "after", "circa"),
    *(
        "seit",
        "jahr",
        "jahre",
        "en",
        "depuis",
        "annee",
        "desde",
        "ano",
        "nel",
        "dal",
        "anno",
        "em",
        "sinds",
        "sedan",
    ),
    *("siden", "vuonna", "vuodesta"),
)
BEFORE_YEAR = rf"{any_of(YEAR_WORDS)}\s"
# What follows a number that is no year: "en 2000 euros".
NO_UNIT = r"(?!\s?(?:[€$£%°]|EUR\b|USD\b|GBP\b|(?i:euros?|dollars?|kr|km|kg|mg|ml|mm|cm|meters?|metros?)\b))"
# "Sommer 1998", "the spring of 1998": without their year seasons are no dates.
# ("estate" and "lente" are words of other languages, too.)
SEASONS = (
    *sorted(calendar_names.ENGLISH_SEASONS),  # "winter" is German, too
    *("fruhjahr", "fruhling", "fruehjahr", "sommer", "herbst"),
    *("printemps", "ete", "automne", "hiver", "primavera", "verano", "otono", "invierno"),
    *("autunno", "inverno", "voorjaar", "zomer", "najaar", "herfst", "verao", "outono", "forar", "efterar"),
    *("vinter", "sommaren", "hosten"),
)
SEASON_YEAR = rf"{any_of(SEASONS)}\b,?\s(?:of\s|del?\s|van\s|do\s)?{YEAR}"
# "from 2 to 9 February", "vom 2. bis zum 9. Februar": the first day goes with the second.
_TO = (
    r"(?:\s?[-\u2013/]\s?|\s(?:to|until|and|or|bis(?:\szum)?|und|au|et|al?|y|e|tot(?:\sen\smet)?|t/m|en|til|till|og|och)"
    r"\s(?:the\s|le\s|el\s|il\s|den\s|o\s)?)"
)
DAYS_MONTH = rf"{DAY}\.?{_TO}{DAY_MONTH}"
# "19.v.84": months in Roman figures.
_ROMAN_MONTH = r"(?:i{1,3}|iv|vi{0,3}|ix|xi{0,2}|I{1,3}|IV|VI{0,3}|IX|XI{0,2})"
ROMAN_DATE = (
    rf"(?:3[01]|[12][0-9]|0?[1-9])(?:\.\s?{_ROMAN_MONTH}\.\s?|/{_ROMAN_MONTH}/|-{_ROMAN_MONTH}-){YEAR}"
)
ROMAN_DATE_SHORT = ROMAN_DATE.removesuffix(YEAR) + r"[0-9]{2}"
# "the 4th of the 7th, 1962", as people say it.
SPOKEN_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])(?i:st|nd|rd|th)\sof\sthe\s(?:1[0-2]|0?[1-9])(?i:st|nd|rd|th)"
SPOKEN_DATE = rf"{SPOKEN_DAY},?\s(?:of\s)?(?:{YEAR}|'?[0-9]{{2}})"
# "nineteen fifty-eight", "two thousand and three": years in words.
_UNITS = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_TEENS = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_TENS = rf"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-]{_UNITS}\b)?+"  # the whole number or nothing
_BELOW_HUNDRED = rf"(?:{_TENS}|{_TEENS}|(?:oh|o)[\s-]{_UNITS})"
_NOT_COUNTED = (
    r"(?!\s(?:hundred|thousand|million|people|persons|men|women|children|patients|cases|years|months|days|times|pounds|"
    r"dollars|euros|miles|of\sthem)\b)"
)
SPOKEN_YEAR = rf"(?i:(?:eighteen|nineteen)[\s-]{_BELOW_HUNDRED}\b{_NOT_COUNTED})"
SPOKEN_YEAR_AFTER_WORD = (  # these are numbers as well, so a word such as "in" stands before them
    rf"(?i:(?:twenty[\s-]{_BELOW_HUNDRED}|two\sthousand(?:\s(?:and\s)?(?:{_TENS}|{_TEENS}|{_UNITS}))?+"
    rf"|nineteen\shundred(?:\sand\s(?:{_TENS}|{_TEENS}|{_UNITS}))?+)\b{_NOT_COUNTED})"
)
WEEKDAY = rf"{any_of(WEEKDAYS)}\b\.?,?\s(?:the\s|den\s|dem\s|le\s|el\s|il\s)?"

_NUMBERS = re.compile(r"[0-9]+")
_WORDS = re.compile(r"[a-z]+")
_TIME = re.compile(
    r"(?<![0-9])([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?\s?([ap])?", re.IGNORECASE
)


def is_date(value: str) -> bool:
    """Whether the calendar has such a day, in some order of day, month and year."""
    day = _numbers(value)
    return len(day) == 3 and any(True for _ in _readings(day))


def is_compact_date(value: str) -> bool:
    """Whether eight digits are a day of the calendar, year first."""
    return _exists(int(value[:4]), int(value[4:6]), int(value[6:8]))


@lru_cache(maxsize=4096)
def normal_form(value: str) -> str:
    """ISO 8601 where only one reading is possible, else the text in lower case with single blanks."""
    text = " ".join(value.lower().split())
    time = _TIME.search(text)
    date = _iso_date(text[: time.start()] if time else text)
    if date is None:
        return text
    return f"{date}T{_iso_time(time)}" if time else date


def _iso_time(time: re.Match[str]) -> str:
    hour, minute, second, half = time.groups()
    hours = int(hour) % 12 + 12 * (half == "p") if half else int(hour)
    return f"{hours:02}:{minute}" + (f":{second}" if second else "")


def _iso_date(text: str) -> str | None:
    month = next((MONTH_NUMBERS[word] for word in _WORDS.findall(text) if word in MONTH_NUMBERS), None)
    if month:
        return _with_month(month, [int(number) for number in _NUMBERS.findall(text)])
    if len(text) == 8 and text.isdigit() and is_compact_date(text):
        return f"{text[:4]}-{text[4:6]}-{text[6:]}"
    readings = set(_readings(_numbers(text)))
    return "{:04}-{:02}-{:02}".format(*readings.pop()) if len(readings) == 1 else None


def _with_month(month: int, numbers: list[int]) -> str | None:
    """The key of a date with a named month; None if the numbers are no day and year."""
    days = [number for number in numbers if 1 <= number <= 31]
    years = [number for number in numbers if number > 999]
    if len(days) + len(years) != len(numbers) or len(days) > 1 or len(years) > 1:
        return None
    year = f"{years[0]:04}" if years else "-"
    return f"{year}-{month:02}-{days[0]:02}" if days else f"{year}-{month:02}"


def _numbers(text: str) -> list[str]:
    return _NUMBERS.findall(text)[:3]


def _readings(numbers: list[str]) -> list[tuple[int, int, int]]:
    """Every (year, month, day) that three numbers can mean."""
    if len(numbers) != 3:
        return []
    a, b, c = map(int, numbers)
    orders = (
        [(a, b, c)]
        if len(numbers[0]) == 4
        else [(_century(c, numbers[2]), b, a), (_century(c, numbers[2]), a, b)]
    )
    return [order for order in orders if _exists(*order)]


def _century(year: int, digits: str) -> int:
    """Two digits are a year of the sliding century that ends ten years from 2020."""
    return year if len(digits) > 2 else year + (2000 if year <= 30 else 1900)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True
