"""Rows that other languages than English need: telephones with a stroke between blanks, dates and streets in other
scripts, passports of any country, files of courts, accounts in groups."""

from __future__ import annotations

import re

from efface.finders.patterns import context_words, phones
from efface.finders.patterns.context_words import seen
from efface.finders.patterns.dates import any_of
from efface.finders.patterns.row import BARE, CYRILLIC_STREETS, FAIR, LIKELY, STRONG, WEAK, Pattern

_NUMBERS, _CODE = ("number", "long"), ("code",)
_ALONE = r"(?<![0-9][\s./-])"
_PREFIX = r"0\s?[1-9](?:\s?[0-9]){1,4}"  # the prefix of a town: "09721", "0 61 51"
_DIRECT = r"(?:\s?-\s?[0-9]{1,5})?"  # the line of one person in a firm
_NO_AMOUNT = r"(?![.,][0-9]|\s?(?:%|€|\$|£|(?i:eur|euros?|kr|sek|nok|dkk|chf|tl|usd|mio|mill)\b))"
_MONTHS = any_of(
    seen(
        "января, февраля, марта, апреля, мая, июня, июля, августа, сентября, октября, ноября, декабря, "
        "январь, февраль, март, апрель, май, июнь, июль, август, сентябрь, октябрь, ноябрь, декабрь, "
        "січня, лютого, березня, квітня, травня, червня, липня, серпня, вересня, жовтня, листопада, грудня, "
        "ιανουαρίου, φεβρουαρίου, μαρτίου, απριλίου, μαΐου, ιουνίου, ιουλίου, αυγούστου, σεπτεμβρίου, οκτωβρίου, νοεμβρίου, "
        "δεκεμβρίου, يناير, فبراير, مارس, أبريل, إبريل, مايو, يونيو, يوليو, أغسطس, سبتمبر, أكتوبر, نوفمبر, ديسمبر, "
        "ינואר, פברואר, מרץ, אפריל, מאי, יוני, יולי, אוגוסט, ספטמבר, אוקטובר, נובמבר, דצמבר"
    )
)
_FILE_SIGN = r"[A-Z][A-Za-z]{0,4}"  # the sign of a kind of proceedings: "12 C 345/26", "7 Sa 81/25"

# "ул. Ленина, д. 5, кв. 12", "просп. Мира 7"
_CYRILLIC_WORD = r"[A-Za-z\u0400-\u04ff][A-Za-z\u0400-\u04ff.-]{1,32}"
_STREET = any_of({re.escape(word.strip().lower()) for word in CYRILLIC_STREETS})
_PARTS = any_of(map(re.escape, seen("д., дом, буд., к., корп., стр., кв., квартира, оф.")))
_STREET_ADDRESS = (
    rf"(?<![0-9A-Za-z\u0400-\u04ff]){_STREET}\s(?:{_CYRILLIC_WORD}(?:,\s?|\s)){{1,3}}(?:{_PARTS}\s?)?[0-9]{{1,4}}"
    rf"(?:/[0-9]{{1,3}})?(?:,?\s?{_PARTS}\s?[0-9]{{1,4}}){{0,3}}"
)

ABROAD: tuple[Pattern, ...] = (
    # "09721 / 44 81 930", "0421 - 55 66 770"
    Pattern(
        "PHONE_NUMBER",
        rf"{_ALONE}{_PREFIX}\s[/-]\s[0-9](?:\s?[0-9]){{2,10}}{_DIRECT}",
        BARE,
        context=f"{context_words.PHONE}, telefon, tel, ruf, rufnummer, fax, mobil, handy, durchwahl, "
        "erreichen, erreichbar, anrufen, ruckruf, zuruckrufen, melden",
        at=_NUMBERS,
    ),
    Pattern(
        "PHONE_NUMBER",
        rf"{_ALONE}{_PREFIX}\s/\s[0-9](?:\s?[0-9]){{4,10}}{_DIRECT}",
        LIKELY,
        phones.is_valid,
        at=_NUMBERS,
    ),
    Pattern(
        "PHONE_NUMBER",
        rf"{_ALONE}{_PREFIX}\s-\s[0-9](?:\s?[0-9]){{4,10}}{_DIRECT}",
        WEAK,
        phones.is_valid,
        at=_NUMBERS,
    ),
    Pattern(  # in a town: "34-56-78"
        "PHONE_NUMBER", r"[2-9][0-9](?:-[0-9]{2}){2}", BARE, context=context_words.PHONE, at=("long",)
    ),
    # Dates
    Pattern("DATE_TIME", rf"(?:3[01]|[12][0-9]|0?[1-9])\s{_MONTHS}(?:,?\s(?:1[89]|20)[0-9]{{2}})?", STRONG),
    Pattern(
        "DATE_TIME",
        r"[0-9]{1,4}\s?[年년]\s?[0-9]{1,2}\s?[月월](?:\s?[0-9]{1,2}\s?[日일号])?",
        STRONG,
    ),
    Pattern("STREET_ADDRESS", _STREET_ADDRESS, STRONG, at=("cyrillic street",)),
    # Passports, and identity cards whose country the word tells
    Pattern(
        "ID_NUMBER",
        r"[0-9]{2}\s?[0-9]{2}\s?(?:№|[Nn]o?\.?)?\s?[0-9]{6}|[0-9]{2}\s[0-9]{6,7}|[0-9]{7,10}|[0-9]{2}[A-Z]{2}[0-9]{5}"
        r"|[0-9]{6}[A-Z]{2}",
        BARE,
        context=context_words.PASSPORT,
        at=_NUMBERS,
    ),
    Pattern("ID_NUMBER", r"[A-Z]{1,3}\s?[0-9]{6,8}[A-Z]?", BARE, context=context_words.PASSPORT, at=_CODE),
    # Files of courts and offices
    Pattern(
        "CASE_NUMBER",
        rf"{_ALONE}[0-9]{{1,4}}\s{_FILE_SIGN}\s[0-9]{{1,6}}/(?:20)?[0-9]{{2}}(?!/)",
        FAIR,
        context=context_words.FILE,
        at=_NUMBERS,
    ),
    Pattern(
        "CASE_NUMBER",
        r"(?<![0-9/])(?:[0-9]{1,7}/(?:19|20)?[0-9]{2}|(?:19|20)[0-9]{2}[/-][0-9]{3,8})(?![/-]?[0-9])",
        BARE,
        context=context_words.FILE,
        at=_NUMBERS,
    ),
    Pattern("ID_NUMBER", r"HR[AB]\s?[0-9]{3,6}(?:\s?[A-Z]{1,2})?", STRONG, at=_CODE),  # of a German register
    # Accounts, and numbers in groups
    Pattern(
        "ID_NUMBER",
        rf"(?=[0-9](?:[\s-]?[0-9]){{8}}){_ALONE}[0-9]{{1,11}}+(?:[\s-][0-9]{{1,11}}+){{0,5}}+{_NO_AMOUNT}",
        BARE,
        context=context_words.ACCOUNT,
        at=("long",),
    ),
    Pattern(  # of a Brazilian bank
        "ID_NUMBER",
        r"(?<=(?i:conta)\s)[0-9]{3,12}-[0-9Xx]|(?<=(?i:agencia)\s)[0-9]{4}(?:-[0-9Xx])?",
        BARE,
        context="conta, agencia",
        at=_NUMBERS,
    ),
    Pattern(
        "ID_NUMBER",
        rf"(?=[0-9](?:[\s.-]?[0-9]){{5}}){_ALONE}[0-9]{{1,5}}+(?:[\s.-][0-9]{{1,5}}+){{1,4}}+{_NO_AMOUNT}",
        BARE,
        context=context_words.GROUPED,
        at=("long",),
    ),
    Pattern(  # an identity number with stops between thousands
        "ID_NUMBER",
        r"[0-9]{1,2}(?:\.[0-9]{3}){2}(?![.,]?[0-9])",
        BARE,
        context="dni, cedula, documento, identidad",
        at=("long",),
    ),
    Pattern(  # five digits and no letters behind them: Norway
        "VEHICLE_ID", r"[A-Z]{2}[\s-]?[0-9]{5}", BARE, context=context_words.PLATE, at=_CODE
    ),
)
