"""Letters, forms and reports in each language, filled with names, places and firms of its countries."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path

from faker import Faker
from training.names.data import Labelled

TEMPLATES = Path(__file__).parent / "templates"
LOCALES = {
    "de": ("de_DE", "de_AT", "de_CH"),
    "fr": ("fr_FR", "fr_BE", "fr_CH"),
    "es": ("es_ES", "es_MX", "es_AR"),
    "it": ("it_IT",),
    "nl": ("nl_NL", "nl_BE"),
    "pt": ("pt_PT", "pt_BR"),
    "da": ("da_DK",),
    "sv": ("sv_SE",),
    "no": ("no_NO",),
    "fi": ("fi_FI",),
    "tr": ("tr_TR",),
    "pl": ("pl_PL",),
    "cs": ("cs_CZ",),
    "sk": ("sk_SK",),
    "ru": ("ru_RU",),
}
ABROAD = 0.2  # how often a name is of another country
MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta "
    "lokakuuta marraskuuta joulukuuta",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
}
_HOSPITALS = {
    "de": "Klinikum {city}|Universitätsklinikum {city}|Krankenhaus St. {first}|Charité|Praxis Dr. {last}",
    "fr": "CHU de {city}|Hôpital Saint-{first}|Clinique {last}|Centre hospitalier de {city}",
    "es": "Hospital General de {city}|Hospital San {first}|Clínica {last}|Hospital Universitario de {city}",
    "it": "Ospedale San {first}|Ospedale di {city}|Policlinico di {city}|Clinica {last}",
    "nl": "{city} Ziekenhuis|Sint {first} Ziekenhuis|Academisch Ziekenhuis {city}|{last} Kliniek",
    "pt": "Hospital de {city}|Hospital São {first}|Clínica {last}|Hospital Universitário de {city}",
}
_UNIVERSITIES = {
    "fr": "Université de {city}|École {last}",
    "es": "Universidad de {city}|Universidad {last}",
    "it": "Università di {city}|Università {last}",
    "nl": "Universiteit van {city}|Universiteit {city}",
    "pt": "Universidade de {city}|Universidade {last}",
}
_COURTS = "Landgericht {city}|Amtsgericht {city}|Oberlandesgericht {city}|Verwaltungsgericht {city}"
_TEAMS = "FC {city}|{city} Calcio|Ajax|Juventus|PSV|AC Milan|Real {city}|Sporting {city}"
_PUBLIC = {
    "de": "Ministerium für Gesundheit|Deutsche Bank|Siemens|Stadt {city}|Sparkasse {city}|AOK|Bundesamt für Justiz|"
    "{last} & Söhne|{last} Maschinenbau|Verein {city} e. V.|Universität {city}",
    "fr": "Ministère de la Justice|BNP Paribas|Renault|Mairie de {city}|Crédit Agricole|{last} et Fils|Cabinet {last}|"
    "Association {last}|Université de {city}",
    "es": "Ministerio de Sanidad|Banco Santander|Repsol|Ayuntamiento de {city}|{last} e Hijos|Bufete {last}|Fundación {last}|"
    "Universidad de {city}",
    "it": "Ministero della Salute|UniCredit|Fiat|Comune di {city}|Banca di {city}|{last} e Figli|Studio {last}|"
    "Fondazione {last}|Università di {city}|Partito Democratico|Camera dei deputati",
    "nl": "Ministerie van Justitie|Rabobank|Philips|Gemeente {city}|{last} en Zonen|Stichting {last}|Universiteit {city}|PvdA",
    "pt": "Ministério da Saúde|Banco do Brasil|Petrobras|Câmara Municipal de {city}|{last} e Filhos|Fundação {last}|"
    "Universidade de {city}|PSDB",
}
_FIELD = re.compile(r"\{(\w+)\}")
_KNOWN = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "ADDRESS", "CODE"})


@lru_cache(maxsize=64)
def _faker(locale: str) -> Faker:
    return Faker(locale)


class Values:
    """Draws values for the fields of one language."""

    def __init__(self, language: str, seed: int) -> None:
        self.language = language
        self.rng = random.Random(f"{language} {seed}")
        for locale in LOCALES[language]:
            _faker(locale).seed_instance(self.rng.randrange(1 << 30))

    @cached_property
    def templates(self) -> list[str]:
        path = TEMPLATES / f"{'cs' if self.language == 'sk' else self.language}.txt"
        return path.read_text("utf-8").splitlines()

    def fake(self) -> Faker:
        return _faker(self.rng.choice(LOCALES[self.language]))

    def names(self) -> Faker:
        """Mostly of the language's countries, sometimes of others that write alike."""
        if self.language == "ru" or self.rng.random() >= ABROAD:
            return self.fake()
        return _faker(self.rng.choice(LOCALES[self.rng.choice([one for one in LOCALES if one != "ru"])]))

    def first(self) -> str:
        return str(self.names().first_name())

    def last(self) -> str:
        return str(self.names().last_name())

    def person(self) -> str:
        fake, draw = self.names(), self.rng.random()
        if draw < 0.06:
            return f"{self.rng.choice('ABCDEFGHJKLMNPRSTW')}. {fake.last_name()}"
        if draw < 0.12:
            return f"{fake.first_name()} {fake.last_name()}-{fake.last_name()}"
        if draw < 0.2:
            return f"{fake.first_name()} {fake.first_name()} {fake.last_name()}"
        if draw < 0.26 and self.language != "ru":
            return f"{fake.first_name()} {self.rng.choice(('van der', 'de', 'von', 'van', 'di', 'dos', 'da'))} {fake.last_name()}"
        return f"{fake.first_name()} {fake.last_name()}"

    def city(self) -> str:
        fake = self.fake()
        return str(fake.city()) if hasattr(fake, "city") else str(fake.last_name())

    def country(self) -> str:
        return str(self.fake().country())

    def org(self) -> str:
        if self.language in _PUBLIC and self.rng.random() < 0.6:
            return self._filled(_PUBLIC[self.language])
        return str(self.fake().company())

    def _filled(self, choices: str) -> str:
        draw: dict[str, Callable[[], str]] = {"city": self.city, "first": self.first, "last": self.last}
        return _FIELD.sub(lambda match: draw[match.group(1)](), self.rng.choice(choices.split("|")))

    def date(self) -> str:
        rng = self.rng
        day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1930, 2026)
        name = MONTHS.get(self.language, MONTHS["cs"]).split()[month - 1]
        dotted = "." if self.language in ("de", "da", "no", "fi", "cs", "sk") else ""
        of = " de " if self.language in ("es", "pt") else " "
        forms = (f"{day}{dotted}{of}{name}{of}{year}", f"{day:02}.{month:02}.{year}", f"{day}/{month}/{year}")
        return rng.choice((forms[0], *forms))

    def street(self) -> str:
        return str(self.fake().street_address())

    def value(self, field: str) -> tuple[str, str]:
        """A value, and its type ("" for none, "OPEN" for what is left open)."""
        kind, draw = _FIELDS[field]
        return draw(self).replace("\n", ", "), kind


_FIELDS: dict[str, tuple[str, Callable[[Values], str]]] = {
    "person": ("PERSON", Values.person),
    "first": ("PERSON", Values.first),
    "last": ("PERSON", Values.last),
    "reversed": ("PERSON", lambda v: f"{v.last()}, {v.first()}"),
    "city": ("LOCATION", Values.city),
    "country": ("LOCATION", Values.country),
    "street": ("ADDRESS", Values.street),
    "streetname": ("ADDRESS", lambda v: str(v.fake().street_name())),
    "zip": ("ADDRESS", lambda v: str(v.fake().postcode())),
    "org": ("ORGANIZATION", Values.org),
    "hospital": ("ORGANIZATION", lambda v: v._filled(_HOSPITALS[v.language])),
    "university": ("ORGANIZATION", lambda v: v._filled(_UNIVERSITIES[v.language])),
    "court": ("ORGANIZATION", lambda v: v._filled(_COURTS)),
    "team": ("ORGANIZATION", lambda v: v._filled(_TEAMS)),
    "date": ("DATE_TIME", Values.date),
    "year": ("DATE_TIME", lambda v: str(v.rng.randint(1920, 2026))),
    "age": ("OPEN", lambda v: str(v.rng.randint(1, 99))),
    "number": ("CODE", lambda v: "".join(v.rng.choices("0123456789", k=v.rng.randint(5, 9)))),
    "phone": ("OPEN", lambda v: str(v.fake().phone_number())),
}


def synthetic(language: str, count: int, seed: int) -> Iterator[Labelled]:
    """Filled templates of a language."""
    values = Values(language, seed)
    for _ in range(count):
        template = values.rng.choice(values.templates).replace("~", "\n")
        text, spans, left_open, last = "", [], [], 0
        for match in _FIELD.finditer(template):
            text += template[last : match.start()]
            last = match.end()
            value, kind = values.value(match.group(1))
            if kind == "OPEN":
                left_open.append((len(text), len(text) + len(value), "ANY"))
            elif kind:
                spans.append((len(text), len(text) + len(value), kind))
            text += value
        text += template[last:]
        yield Labelled(f"{language}.synthetic", "train", text, tuple(spans), _KNOWN, None, tuple(left_open))
