"""Rows of dates, years, times of day and ages."""

from __future__ import annotations

from efface.finders.patterns import dates
from efface.finders.patterns.row import BARE, CERTAIN, FAIR, LIKELY, STRONG, WEAK, Pattern

# Pieces of numbers
_AGE = r"(?:1[0-2][0-9]|[1-9]?[0-9])"
_YEAR = r"(?:1[89]|20)[0-9]{2}"

# Words that stand near
_DATED = (
    "date, dated, birth, born, dob, birthday, datum, fecha, geboren, geb, geburtsdatum, naissance, nacido, nacida, "
    "nacimiento, nato, nata, nascita, nascido, nascida, nascimento, geboortedatum, fodt, fodd"
)
# Somebody of whom Romance languages say the age: "varón de 64 años".
_OF_AGE = (
    "age, agee, edad, idade, eta, mujer, hombre, varon, nino, nina, paciente, femme, homme, dame, patient, patiente, uomo, "
    "donna, paziente, homem, mulher, mme, monsieur, madame, sra, senora, sr, senor, nee"
)
_DUE = f"{_DATED}, due, appointment, admitted, visit, expires, expiry, exp"

DATES_AND_AGES: tuple[Pattern, ...] = (
    Pattern("DATE_TIME", rf"{dates.ISO_DATE}{dates.THEN}", LIKELY, dates.is_date),
    Pattern("DATE_TIME", rf"(?:{dates.NUMERIC}|{dates.YEAR_FIRST}){dates.THEN}", LIKELY, dates.is_date),
    Pattern("DATE_TIME", rf"{dates.NUMERIC_SHORT}{dates.THEN}", FAIR, dates.is_date, _DATED),
    Pattern("DATE_TIME", r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}(?!\.)", WEAK, dates.is_date, _DATED),
    Pattern("DATE_TIME", dates.DOTTED_SHORT, BARE, dates.is_date, _DATED),
    Pattern("DATE_TIME", dates.DOTTED_DATE, WEAK, dates.is_date, _DATED),
    Pattern("DATE_TIME", dates.ROMAN_DATE, STRONG),
    Pattern("DATE_TIME", dates.ROMAN_DATE_SHORT, BARE, context=_DATED),
    Pattern("DATE_TIME", dates.SPOKEN_DATE, STRONG),
    Pattern("DATE_TIME", dates.SPOKEN_DAY, BARE, context=_DATED),
    Pattern("DATE_TIME", dates.SPOKEN_YEAR, STRONG, at=("year in words",)),
    Pattern(
        "DATE_TIME",
        dates.SPOKEN_YEAR_AFTER_WORD,
        STRONG,
        label=rf"(?:{dates.BEFORE_YEAR}|[Bb]orn\s)",
        at=("year after word",),
    ),
    Pattern("DATE_TIME", r"(?:1[0-2]|0?[1-9])/(?:19|20)[0-9]{2}", STRONG),
    Pattern("DATE_TIME", rf"{_YEAR}-(?:1[0-2]|0[1-9])(?!-)", FAIR),
    Pattern("DATE_TIME", r"(?<!/)[0-3]?[0-9]/[0-3]?[0-9](?!/)", BARE, context=_DUE),
    Pattern(  # begins an entry of notes, with the time behind it: "22/8 1030 Seen by"
        "DATE_TIME",
        r"(?<![^\n])(?:0?[1-9]|[12][0-9]|3[01])/(?:0?[1-9]|1[0-2])(?=\s(?:[01][0-9]|2[0-3])[:.]?[0-5][0-9](?![0-9]))",
        STRONG,
    ),
    Pattern(  # begins an entry of a log, with a sentence behind it: "2/12 Viewed", no "1/2 Onion"
        "DATE_TIME",
        r"(?<![^\n])(?![123]/[234]\s)(?:0?[1-9]|[12][0-9]|3[01])/(?:0?[1-9]|1[0-2]):?(?=\s[A-Z][a-z]+)",
        STRONG,
    ),
    Pattern("DATE_TIME", r"(?:Q[1-4]|H[12]|FY)[\s-]?(?:19|20)[0-9]{2}", STRONG, at=("code",)),
    Pattern(
        "DATE_TIME",
        r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])",
        WEAK,
        dates.is_compact_date,
        _DATED,
    ),
    Pattern("DATE_TIME", rf"{dates.DAY_MONTH}{dates.THEN}", CERTAIN),
    Pattern("DATE_TIME", rf"{dates.DAYS_MONTH}{dates.THEN}", CERTAIN),
    Pattern("DATE_TIME", dates.SEASON_YEAR, STRONG, at=("word",)),
    Pattern("DATE_TIME", rf"{dates.MONTH_FIRST}{dates.THEN}", CERTAIN, at=("word",)),
    Pattern(
        "DATE_TIME",
        rf"{dates.WEEKDAY}(?:{dates.DAY_MONTH}|{dates.MONTH_FIRST}|{dates.NUMERIC}|{dates.ISO_DATE}){dates.THEN}",
        CERTAIN,
        at=("word",),
    ),
    Pattern(  # "thurs 14th", where the month is understood
        "DATE_TIME",
        rf"{dates.WEEKDAY}(?:3[01]|[12][0-9]|0?[1-9])(?i:st|nd|rd|th)\b{dates.THEN}",
        STRONG,
        at=("word",),
    ),
    Pattern("DATE_TIME", rf"{dates.CLOCK}(?![:.][0-9])", FAIR, context="at, time, hour, until, from"),
    Pattern("DATE_TIME", dates.DAY_AND_MONTH, STRONG),
    Pattern(
        "DATE_TIME",
        rf"{_YEAR}(?![.,/-][0-9]){dates.NO_UNIT}",
        STRONG,
        label=dates.BEFORE_YEAR,
        at=("word",),
    ),
    Pattern("DATE_TIME", rf"{_YEAR}(?:/|-)(?:{_YEAR}|[0-9]{{2}})(?![/-])", FAIR),
    Pattern("DATE_TIME", rf"{_YEAR}\s(?:and|to|or)\s{_YEAR}", STRONG),
    Pattern("DATE_TIME", r"(?:1[89]|20)[0-9]0'?s", STRONG),
    Pattern("DATE_TIME", _YEAR, BARE, context=_DATED.removeprefix("date, dated, ")),
    Pattern("DATE_TIME", rf"(?<=[(,\s][bf]\.\s){_YEAR}(?=[),;])", STRONG),  # "(f. 1946)"
    Pattern(
        "AGE", rf"(?<![0-9]-)(?:{_AGE}-)?{_AGE}(?=[\s-]?(?i:years?|yrs?)[\s-](?i:old|of\sage)\b)", CERTAIN
    ),
    Pattern("AGE", r"[0-9]{1,2}(?=[\s-](?i:months?|weeks?|days?)[\s-](?i:old|of\sage)\b)", CERTAIN),
    Pattern("AGE", rf"{_AGE}(?:(?i:y/o|y\.o\.?|yo)|(?=[\s-](?i:y/o|y\.o\.|yo)(?![A-Za-z])))", CERTAIN),
    Pattern(
        "AGE",
        rf"{_AGE}(?=\s?(?i:Jahre\salt|jaar\soud|ar\sgammal|ar\sgammel|yasinda|anos\sde\s(?:edad|idade)))",
        CERTAIN,
    ),
    Pattern("AGE", rf"{_AGE}(?:(?i:-?(?:jahrig|jarige?|arige?|vuotia|enne))[a-z]{{0,4}})", CERTAIN),
    Pattern("AGE", rf"{_AGE}(?=\s(?i:ans|anos|anni)\b)", BARE, context=_OF_AGE),
    Pattern(
        "AGE",
        rf"{_AGE}(?:-{_AGE})?(?!\s?%|[.,:][0-9])",
        STRONG,
        label=r"(?i:aged?|ages)(?: of |\s?[:=]\s?| )",
        at=("word",),
    ),
)
