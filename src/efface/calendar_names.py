"""Names of months and weekdays: what dates are read with, and what moved dates are written with."""

from __future__ import annotations

from collections.abc import Mapping

from efface.folding import fold_term

# language: (form, names in order). The full form comes first: May is a full name before it is a short one.
MONTHS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    language: tuple(tuple(form.split()) for form in forms)
    for language, forms in {
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
    }.items()
}

# Monday first, as datetime.date.weekday counts.
WEEKDAYS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    language: tuple(tuple(form.split()) for form in forms)
    for language, forms in {
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
    }.items()
}

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
# In folded spelling, to read with.
MONTH_NUMBERS: Mapping[str, int] = {
    fold_term(name): _NUMBERS[written]
    for name, written in ({name: name for name in _NUMBERS} | dict(MONTH_ALIASES)).items()
}
