"""Names of months and weekdays: what dates are read with, and what moved dates are written with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from efface.text.folding import fold_term

WrittenNames = tuple[tuple[str, ...], ...]


def _by_language(rows: Mapping[str, Sequence[str]]) -> dict[str, WrittenNames]:
    split = {}
    for language, forms in rows.items():
        split[language] = tuple(tuple(form.split()) for form in forms)
    return split


# language: (form, names in order). The full form comes first: May is a full name before it is a short one.
MONTHS: Mapping[str, WrittenNames] = _by_language(
    {
        "en": (
            "january february march april may june july august september october november december",
            "jan feb mar apr may jun jul aug sep oct nov dec",
        ),
        "de": (
            "januar februar märz april mai juni juli august september oktober november dezember",
            "jan feb mär apr mai jun jul aug sep okt nov dez",
        ),
        "fr": ("janvier février mars avril mai juin juillet août septembre octobre novembre décembre",),
        "it": (
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        ),
        "es": ("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",),
        "nl": ("januari februari maart april mei juni juli augustus september oktober november december",),
        "pt": ("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",),
        "da": ("januar februar marts april maj juni juli august september oktober november december",),
        "sv": ("januari februari mars april maj juni juli augusti september oktober november december",),
        "no": ("januar februar mars april mai juni juli august september oktober november desember",),
        "fi": (
            "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta "
            "lokakuuta marraskuuta joulukuuta",
        ),
        "tr": ("ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",),
        "pl": (
            "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
        ),
        "cs": ("ledna února března dubna května června července srpna září října listopadu prosince",),
    }
)

# Monday first, as datetime.date.weekday counts.
WEEKDAYS: Mapping[str, WrittenNames] = _by_language(
    {
        "en": (
            "monday tuesday wednesday thursday friday saturday sunday",
            "mon tue wed thu fri sat sun",
        ),
        "de": ("montag dienstag mittwoch donnerstag freitag samstag sonntag", "mo di mi do fr sa so"),
        "fr": ("lundi mardi mercredi jeudi vendredi samedi dimanche",),
        "es": ("lunes martes miércoles jueves viernes sábado domingo",),
        "it": ("lunedì martedì mercoledì giovedì venerdì sabato domenica",),
        "nl": ("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",),
        "pt": ("segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",),
        "da": ("mandag tirsdag onsdag torsdag fredag lørdag søndag",),
        "sv": ("måndag tisdag onsdag torsdag fredag lördag söndag",),
        "no": ("mandag tirsdag onsdag torsdag fredag lørdag søndag",),
        "fi": ("maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",),
        "tr": ("pazartesi salı çarşamba perşembe cuma cumartesi pazar",),
        "pl": ("poniedziałek wtorek środa czwartek piątek sobota niedziela",),
        "cs": ("pondělí úterý středa čtvrtek pátek sobota neděle",),
    }
)

# Spellings that are read but never written, and the written one that they stand for.
MONTH_ALIASES: Mapping[str, str] = {
    "sept": "sep",
    "jänner": "januar",
    "mrz": "mär",
    "janv": "janvier",
    "févr": "février",
    "fév": "février",
    "avr": "avril",
    "juil": "juillet",
    "ene": "enero",
    "abr": "abril",
    "ago": "agosto",
    "dic": "diciembre",
    "fev": "fevereiro",
}
WEEKDAY_ALIASES: Mapping[str, str] = {"tues": "tue", "weds": "wed", "thur": "thu", "thurs": "thu"}

_NUMBERS = {
    name: number for forms in MONTHS.values() for form in forms for number, name in enumerate(form, 1)
}
_WRITTEN = {name: name for name in _NUMBERS} | dict(MONTH_ALIASES)
# In folded spelling, to read with.
MONTH_NUMBERS: Mapping[str, int] = {fold_term(name): _NUMBERS[written] for name, written in _WRITTEN.items()}
ENGLISH_MONTHS = frozenset(MONTHS["en"][0])
ENGLISH_SEASONS = frozenset(("spring", "summer", "autumn", "fall", "winter"))
ENGLISH_WEEKDAYS = frozenset((*WEEKDAYS["en"][0], *WEEKDAYS["en"][1], *WEEKDAY_ALIASES))  # short forms too
# Months and weekdays of all the languages, in folded spelling. None of them is taken for a name beside another name.
# Weekdays with accents are left out: without them they are surnames, as Piatek and Sali are.
_WEEKDAYS = frozenset(name for forms in WEEKDAYS.values() for form in forms for name in form)
CALENDAR_WORDS = frozenset(MONTH_NUMBERS).union(name for name in _WEEKDAYS if fold_term(name) == name)


def is_calendar_word(word: str) -> bool:
    """Whether a word, as written, names a month or a weekday in any of the languages."""
    return word.lower() in _WEEKDAYS or fold_term(word) in MONTH_NUMBERS
