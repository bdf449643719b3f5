"""What a row of the pattern tables says, how much evidence counts, and where a row may begin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from efface.finders.patterns import dates
from efface.finders.patterns.checks import Check
from efface.finders.patterns.context_words import seen
from efface.finders.patterns.dates import any_of
from efface.text.calendar_names import MONTH_NUMBERS
from efface.text.search.search_prefilter import DIGIT

# Scores of a shape alone. With the evidence below: a LIKELY shape, which hardly anything else has, is found even when
# its check fails; a STRONG one when its check does not fail; a WEAK one when its check holds; a BARE one, which any
# number has, only with a context word. Beside a context word each is found, even when its check fails.
CERTAIN, LIKELY, STRONG, FAIR, WEAK, BARE = 0.85, 0.57, 0.52, 0.4, 0.15, 0.05

CHECK_HOLDS, CHECK_FAILS = 0.3, -0.15  # what a check digit adds to the score of a shape
CONTEXT_NEAR = 0.4  # what a context word adds: even a BARE shape is then found
LINE_BREAK = -0.2  # what each line break inside costs, unless the row expects many
LEAST = 0.01  # nothing well-formed scores less
THRESHOLD = 0.4  # the score from which something counts as found
RECALL_THRESHOLD = 0.15  # the threshold of `patterns: recall`: a shape is enough


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row: a shape, what its shape alone is worth, and the evidence that raises or lowers that.

    `label` must stand right before the value and is not part of the mention. `at` names the triggers
    of `TRIGGERS` at which the row may begin. Shapes see the plain view of the text (`normalized_text.view`).
    """

    type: str
    regex: str
    score: float
    check: Check | None = None
    context: str = ""  # words, or two words, with commas between
    label: str = ""
    many_lines: bool = False
    at: tuple[str, ...] = ("number",)


@dataclass(frozen=True, slots=True)
class Trigger:
    """Where a group of rows may begin: at a sign, or, where `reach` is given, at most so many characters
    before one, where it looks like `start`. Signs are what one fast scan finds: the `needles`, or else
    what `sign` matches, at the first of a run of digits where `digits` says so (these share one scan).
    Rows of the triggers in `also` may begin there too. A match is not followed by `after`. A text without any of the
    `marks` (`text.search_prefilter`) has no sign."""

    sign: str = ""
    needles: tuple[str, ...] = ()
    digits: bool = False
    reach: int = 0
    start: str = ""
    after: str = r"(?![0-9A-Za-z])"
    also: tuple[str, ...] = ()
    marks: str = ""


_SECRETS = (
    "AKIA ASIA AIza ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xox sk- sk_ rk_ eyJ SG. npm_ -----BEGIN "
    "Bearer bearer"
).split()
_FREE = r"(?<![A-Za-z])(?!(?<=[A-Z]_)[0-9]{1,9}\])"  # not in a word, and not the 12 of [PERSON_12]
_ROUNDED = r"(?!(?<=[0-9]\.)[0-9]{0,16}(?:0{8}|9{8}))"  # not the tail of 4.4000000000000004, a number as it is stored
_LONG = r"[0-9](?:[\s().\-/]{0,2}[0-9]){5}"
_DATE_WORDS = any_of({name[:3] for name in (*MONTH_NUMBERS, *dates.WEEKDAYS, *dates.SEASONS)})
_YEAR_WORDS = any_of(("age", *dates.YEAR_WORDS))
_CENTURIES = ("nineteen", "Nineteen", "NINETEEN", "eighteen", "Eighteen", "EIGHTEEN")
_LABELS = any_of(
    "user log pass pwd secret token api app access account auth bearer refresh client private key pin".split()
)
_ID_LABELS = (
    *("GMC", "NMC", "HCPC", "GDC", "GPhC", "GPHC", "GOC", "GCC", "GOsC", "RCVS", "URN", "UTR"),
    *("S/N", "s/n", "S/n", "Custody", "custody", "CUSTODY"),
)
# How what a log says of a user begins.
_LOG_WORDS = (
    *(form for word in ("login", "logon", "signin", "sign-in") for form in (word, word.capitalize())),
    *("authentication", "Authentication", "access ", "Access ", "su: ", "su["),
    *(
        "accepted ",
        "Accepted ",
        "failed ",
        "Failed ",
        "invalid user ",
        "Invalid user ",
        "session ",
        "Session ",
    ),
    *("for user ", "by user ", "of user "),
    *("INFO", "WARN", "ERROR", "DEBUG", "NOTICE", "CRITICAL", "FATAL", "AUDIT", "ALERT"),
)
_PASSWORDS = ("password", "passcode", "passphrase", "pwd")
# What a street is called in Italian, Spanish and Portuguese, before its name.
_STREET_WORDS = "viale piazza corso largo calle avenida plaza paseo camino rua praca travessa".split()
STREETS = any_of(_STREET_WORDS)
# German streets may begin with where they are: "Am Alten Markt 5".
GERMAN_STREETS = (
    *("Am", "An der", "An den", "Auf der", "Auf dem", "Beim", "Hinter der", "Hinter dem"),
    *("Im", "In der", "In den", "Unter den", "Vor dem", "Vor der", "Zum", "Zur"),
)
_BEFORE_STREETS = ("via", *_STREET_WORDS)
_STREET_NEEDLES = (
    *(f"{word} " for word in (*_BEFORE_STREETS, *map(str.capitalize, _BEFORE_STREETS), *GERMAN_STREETS)),
    *("C/ ", "Av. ", "Avda. "),
)
# How German, Dutch and Scandinavian streets end.
_STREET_ENDS = (
    "strasse stra\u00dfe str. allee platz gasse weg damm ufer steig chaussee graben straat laan plein gracht singel dijk "
    "steeg dreef plantsoen vej gatan gata vagen veien gaten kade gade Ring"
).split()
_AFTER_STREET = "|".join(rf"(?<=(?i:{re.escape(end)})\s)" for end in _STREET_ENDS)
# How Russian and Ukrainian streets begin, as patterns see them.
CYRILLIC_STREETS = tuple(
    f"{form} "
    for word in seen("ул., улица, улице, улицы, просп., проспект, пр-т, пер., переулок, вул., вулиця")
    for form in (word, word.capitalize())
)
_YEAR_NEEDLES = tuple(f"{word}{gap}" for word in _CENTURIES for gap in " -\n")
_PASSWORD_NEEDLES = tuple(
    f"{form} " for word in _PASSWORDS for form in (word, word.capitalize(), word.upper())
)
_WORD_START = r"(?<![\w\u00a1-\u1fff])(?=[\w\u00a1-\u1fff])"
_CONSONANT = "[CFGHJKLMNPRTVWXYZ]"  # the letters of German documents, which spell no word

TRIGGERS: Mapping[str, Trigger] = {
    # a number of any length, not inside a word; the longer ones are the next trigger's
    "number": Trigger(rf"{_FREE}(?!{_LONG})", digits=True, marks=DIGIT),
    # six digits or more, with up to two separators between them
    "long": Trigger(rf"{_FREE}{_ROUNDED}(?={_LONG})", digits=True, also=("number",), marks=DIGIT),
    # letters, then a digit: codes
    "code": Trigger(
        r"(?<=[A-Za-z])|(?<=[A-Z]\s)|(?<=[A-Z],\s)|(?<=\b[A-Za-z][a-z]\s)|(?<=[A-Za-z][.-])|(?<=[A-Z]/)|"
        r"(?<=/[Cc]\s)",
        reach=20,  # a LEI may begin with eighteen letters
        start=r"(?<![0-9A-Za-z])"
        r"(?=[A-Za-z]{1,18}(?:[\s./-][A-Za-z]{1,3}|(?:[-/][A-Za-z]{1,8}){1,3})?(?:,\s|[\s./-])?[0-9])",
        digits=True,
        marks=DIGIT,
    ),
    # nine consonants: a German document's number that happens to have no digit (one in forty)
    "consonants": Trigger(rf"{_CONSONANT}{{9}}(?<![0-9A-Za-z].{{9}})"),
    # a word before a number: dates that begin with a month or a weekday, years, ages
    "word": Trigger(
        r"(?<=[A-Za-z.,:=][\s'])|(?<=[A-Za-z.,]\s')|(?<=[A-Za-z.][:=/-])|(?<=[A-Za-z]\s[:=])",
        reach=36,
        start=rf"(?<![0-9A-Za-z])(?={_DATE_WORDS}|{_YEAR_WORDS})",
        digits=True,
        marks=DIGIT,
    ),
    # years in words: "nineteen fifty-eight", "since two thousand and three"
    "year in words": Trigger(needles=_YEAR_NEEDLES),
    "year after word": Trigger(
        needles=("two thousand", "Two Thousand", "twenty ", "twenty-", "Twenty ", "nineteen hundred"),
        reach=12,
        start=rf"(?<![0-9A-Za-z])(?={_YEAR_WORDS}\s|[Bb]orn\s)",
    ),
    # a telephone number in words begins with its nought
    "spoken": Trigger(
        needles=tuple(
            f"{word}{gap}"
            for name in ("oh", "zero", "nought", "naught")
            for word in (name, name.capitalize())
            for gap in " -"
        ),
    ),
    # a number after the name of a street
    "house number": Trigger(
        _AFTER_STREET,
        reach=64,
        start=r"(?<![0-9A-Za-z\u00a1-\u1fff])(?=[A-Z\u00c0-\u00de])",
        digits=True,
        marks=DIGIT,
    ),
    "flat": Trigger(needles=("Flat", "Apt", "Apartment", "Maisonette", "Bedsit")),
    "street": Trigger(needles=_STREET_NEEDLES),
    "cyrillic street": Trigger(needles=CYRILLIC_STREETS),
    # a number with its sign or bracket
    "signed": Trigger(r"[+(\-](?<![0-9A-Za-z]-)(?=[(+]{0,2}[0-9])", marks="+(-"),
    "at": Trigger(
        needles=("@",),
        reach=128,
        start=r"(?<![\w\u00a1-\u1fff])(?=[\w@\u00a1-\u1fff])",
        after="",
        marks="@",
    ),
    "scheme": Trigger(
        needles=("://", "www", "WWW", "Www"), reach=12, start=r"(?<![0-9A-Za-z])(?=[A-Za-z])", after=""
    ),
    "dot": Trigger(r"\.(?=[A-Za-z]{2})", reach=64, start=r"(?<![0-9A-Za-z.@_-])(?=[0-9A-Za-z])"),
    "hex": Trigger(r"[:-](?=[0-9A-Fa-f:])", reach=8, start=r"(?<![0-9A-Za-z:.])(?=[0-9A-Fa-f:])", marks=":-"),
    "path": Trigger(
        r"[/\\]",
        reach=2,
        start=r"(?<![\w/.:~<\\-])(?=~?/|\.{1,2}/|\\)|(?<![A-Za-z])(?=[A-Za-z]:[/\\])",
        after="",
        marks="/\\",
    ),
    "label": Trigger(
        needles=(":", "=", " is ", " was "), reach=32, start=rf"(?<![0-9A-Za-z])(?={_LABELS})", after=""
    ),
    # a label whose number stands right behind it
    "id label": Trigger(needles=_ID_LABELS),
    # the reference of a letter
    "reference": Trigger(
        needles=(":",),
        reach=32,
        start=r"(?<![0-9A-Za-z])(?=(?i:your?|our|my|their|unsere?|ihre?|meine?|[nv]os|[nv]otre|[nv]s|ons|uw|nuestra|vuestra|su|[nv]ossa)[.\s]|[NVnv]/)",
    ),
    "ext": Trigger(needles=("ext:", "Ext:", "EXT:", "extn:", "Extn:")),
    # a name, then an extension in brackets or behind a comma
    "extension": Trigger(needles=("(x", ", x"), reach=24, start=r"(?<![0-9A-Za-z])(?=[A-Z][a-z])"),
    "password": Trigger(needles=_PASSWORD_NEEDLES),
    "log": Trigger(needles=_LOG_WORDS),
    "bank code": Trigger(needles=("BIC", "SWIFT", "Swift", "bic", "swift")),
    "secret": Trigger(needles=tuple(_SECRETS), after=""),
    "bracketed at": Trigger(
        r"[(\[{](?=\s?(?i:at)\s?[)\]}])", reach=64, start=_WORD_START, after="", marks="([{"
    ),
}
