"""Parts of values that a text states in words: a card "ending in 1111", 101xx, "born in 1980", "born in March
1980", "birthday on 12 March", "aged 46".

Each is a row: what it looks like, and the key under which the part is judged. The key says how a value gives it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from efface.core import Span
from efface.knowledge.entities.spellings.values import dates
from efface.text.calendar_names import MONTH_NUMBERS
from efface.text.folding import without_separators

Fits = Callable[[str], bool]

_DIGITS = r"(?P<part>\d{2,12})(?![\w-]|[.,]\d)"
_YEAR = r"(?P<part>(?:1[89]|20)\d\d)(?![\w-]|[./]\d)"
_AGE = r"(?P<part>\d{1,3})"
_WORDS = (  # the digits are `part`; the key begins with the name of a test; one of the last words is in the text
    (
        "ending",
        rf"\b(?:ending(?: in| with| on)?|(?:ends?|finish(?:es|ing)?) (?:in|with|on))[: ]+{_DIGITS}",
        ("end", "finish"),
    ),
    ("ending", rf"(?<![\w.])(?:\.{{3}}|…) ?{_DIGITS}", ("...", "…")),
    (
        "ending",
        r"(?<![\w.,-])(?P<part>\d{2,12}) ?\((?:the |its )?last (?:two|three|four|five|six|[2-6])(?: digits?| numbers?)?\)",
        ("last ",),
    ),
    (
        "ending",
        rf"\blast (?:two|three|four|five|six|[2-6])(?: digits?| numbers?)?(?: (?:is|are|were|was))?[: ]+{_DIGITS}",
        ("last ",),
    ),
    (
        "beginning",
        rf"\b(?:(?:beginning|starting)(?: in| with)?|(?:begins?|starts?) (?:in|with))[: ]+{_DIGITS}",
        ("begin", "start"),
    ),
    (
        "beginning",
        rf"\bfirst (?:two|three|four|five|six|[2-6])(?: digits?| numbers?)?(?: (?:is|are|were|was))?[: ]+{_DIGITS}",
        ("first ",),
    ),
    (
        "year",
        rf"\b(?:born|birth year|year of birth|dob|b\.|geboren|geb\.|jahrgang|jg\.|née?|nat[oa]|nacid[oa])(?: in| im jahre?| en| nel| is| was)?[: ]+{_YEAR}",
        ("born", "birth", "dob", "b.", "gebor", "jahrgang", "jg.", "né", "nat", "nacid"),
    ),
    ("year", r"(?<![\w.,-])(?P<part>(?:1[89]|20)\d\d)-born\b", ("-born",)),
    ("year", rf"(?<=[(,;])[ ]?\*[ ]?{_YEAR}", ("*",)),  # Roe (*1971)
    ("age", rf"\b(?:aged?|age of)[: ]+{_AGE}(?![\w-]|[.,]\d)", ("age",)),
    ("age", rf"(?<![\w.,-]){_AGE}(?=[ -]years?[ -](?:old|of age)\b| ?y/?o\b)", ("year", "yo", "y/o")),
)
_COMPILED_WORDS = tuple((test, re.compile(form, re.IGNORECASE), cues) for test, form, cues in _WORDS)
# Digits with an x for every one that is not given: 101xx, XXXX-XXXX-XXXX-1111. One x is enough behind three digits.
_CROSSED = re.compile(
    r"(?<![\w.-])(?:(?=[\dxX -]*[xX]{2})(?=[xX -]*\d[xX -]*\d)[\dxX]+(?:[ -][\dxX]+)*|\d{3,12}[xX])(?![\w-])"
)
_DIGITS_OF_YEAR = 4
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_NTH = r"(?:st|nd|rd|th)?"
_BORN = r"\b(?:born|birthday|birth ?date|date of birth|dob|d\.o\.b\.|b\.)(?: (?:in|on|is|was|falls on))*[: ]+"
_BIRTH_IN_DIGITS = re.compile(  # DOB 05/1971, born 1971-05, born on 5/5
    rf"{_BORN}(?P<part>(?P<a>\d{{1,2}}|(?P<year>(?:1[89]|20)\d\d))[/.-](?(year)(?P<month>\d{{1,2}})|(?P<b>\d{{4}}|\d{{1,2}})))"
    r"(?![\w]|[/.-]\d)",
    re.IGNORECASE,
)
_BIRTH = re.compile(
    rf"{_BORN}(?:the )?"
    rf"(?P<part>(?:(?P<first>\d{{1,2}}){_NTH} (?:of )?)?(?P<month>[a-z]{{3,12}})(?:\.(?= \d))?(?: (?P<second>\d{{1,2}}){_NTH}(?![\w]))?"
    r"(?:,? (?:of )?(?P<year>(?:1[89]|20)\d\d))?)(?![\w-])",
    re.IGNORECASE,
)
_BIRTH_CUES = ("born", "birth", "dob", "b.")
_KEY = re.compile(r"(ending|beginning|year|month|birthday|age|crossed) ([\dx]+)")


class _Has:
    """Which words are in a text, whatever their case. A form is searched for only where one of its words is."""

    def __init__(self, text: str) -> None:
        self._text = text.lower()
        if not text.isascii():  # what a search that ignores case takes for one letter
            self._text = text.casefold().replace("\u0131", "i").replace("i\u0307", "i")

    def any(self, cues: tuple[str, ...]) -> bool:
        return any(cue in self._text for cue in cues)


def parts_stated_in_words(text: str) -> Iterator[tuple[Span, str]]:
    """Where the text states a part of a value, and its key."""
    has = _Has(text)
    for test, form, cues in _COMPILED_WORDS:
        for match in form.finditer(text) if has.any(cues) else ():
            yield Span(*match.span("part")), f"{test} {match['part']}"
    if has.any(_BIRTH_CUES):
        yield from _births(text)
    for match in _CROSSED.finditer(text) if has.any(("x",)) else ():
        yield Span(*match.span()), f"crossed {re.sub(r'[ -]', '', match[0]).lower()}"


def _births(text: str) -> Iterator[tuple[Span, str]]:
    """Where the text states a part of a date of birth, in words or in digits, and its key."""
    for match in _BIRTH.finditer(text):
        month = MONTH_NUMBERS.get(match["month"].lower())
        day, year = match["first"] or match["second"], match["year"]
        if month and not (day and year):  # a whole date is found as a value
            yield Span(*match.span("part")), _birth_key(month, day, year)
    for match in _BIRTH_IN_DIGITS.finditer(text):
        for key in _birth_keys(match):
            yield Span(*match.span("part")), key


def _birth_key(month: int, day: str | None, year: str | None) -> str:
    """The key of a month with its year or with its day, or of a month alone."""
    if year:
        return f"month {year}{month:02}"
    return f"birthday {month:02}{int(day):02}" if day else f"birthday {month:02}"


def _birth_keys(match: re.Match[str]) -> Iterator[str]:
    """The keys of a month of a year, or of a day of a year that is not told, whose month may stand first or last."""
    first, second = int(match["a"]), match["month"] or match["b"]
    if match["year"]:
        yield f"month {match['year']}{int(second):02}"
    elif len(second) == _DIGITS_OF_YEAR:
        yield f"month {second}{first:02}"
    else:
        yield from (
            f"birthday {month:02}{day:02}" for month, day in {(first, int(second)), (int(second), first)}
        )


def is_stated_in_words(key: str) -> bool:
    return _KEY.fullmatch(key) is not None


def tests_of_words(key: str) -> Iterator[Fits]:
    """Tests for the (folded) values that have the part of this key; none for other keys."""
    found = _KEY.fullmatch(key)
    if found is not None:
        yield _TESTS[found[1]](found[2])


def pieces_of_words(key: str) -> frozenset[str] | None:
    """Strings of which every value with the part of this key holds one, separators aside. None: not known."""
    found = _KEY.fullmatch(key)
    if found is None or found[1] == "birthday":
        return None
    test, part = found[1], found[2]
    if test == "age":
        return frozenset(_years_of_birth(part))
    if test == "crossed":
        return frozenset({max(part.split("x"), key=len)})
    return frozenset({part[:4] if test == "month" else part})


def _years_of_birth(age: str) -> set[str]:
    """The two years of birth that make this age today."""
    return {f"{date.today().year - int(age) - more:04}" for more in (0, 1)}


def _ends_with(part: str) -> Fits:
    return lambda value: without_separators(value).endswith(part) and without_separators(value) != part


def _begins(part: str) -> Fits:
    return lambda value: without_separators(value).startswith(part) and without_separators(value) != part


def _crossed(part: str) -> Fits:
    """Matches one character for each crossed-out digit. Before the first digit more may match: xxxx1111 is a card."""
    shown = part.lstrip("x")
    hidden = len(part) - len(shown)
    pattern = re.compile((f".{{{hidden},}}" if hidden else "") + shown.replace("x", "."))
    return lambda value: pattern.fullmatch(without_separators(value)) is not None


def _is_of_year(part: str) -> Fits:
    return _is_of_years({part})


def _is_of_month(part: str) -> Fits:
    return lambda value: (
        part[:4] in value and any(without_separators(key).startswith(part) for _, _, key in dates(value))
    )


def _is_birthday(part: str) -> Fits:
    """A test for dates of this month, or of this day of it, in any year."""

    def fits(value: str) -> bool:
        if _ISO.fullmatch(value):  # as an index keeps dates: a look for dates takes a hundred times as long
            return without_separators(value)[4:].startswith(part)
        return any(without_separators(key)[4:].startswith(part) for _, _, key in dates(value))

    return fits


def _is_of_age(part: str) -> Fits:
    """A test for dates in one of the two years of birth that make this age today. A plain number is found as it is."""
    return _is_of_years(_years_of_birth(part))


def _is_of_years(years: set[str]) -> Fits:
    def fits(value: str) -> bool:
        if not any(
            year in value for year in years
        ):  # nearly all values: a look for dates takes a hundred times as long
            return False
        return any(key[:4] in years for _, _, key in dates(value))

    return fits


_TESTS: dict[str, Callable[[str], Fits]] = {
    "ending": _ends_with,
    "beginning": _begins,
    "year": _is_of_year,
    "month": _is_of_month,
    "birthday": _is_birthday,
    "age": _is_of_age,
    "crossed": _crossed,
}
