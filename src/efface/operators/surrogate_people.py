"""Fake persons, part of the name by part of the name, so that "Livingston" and "James Livingston" stay one.

Every part of a name has its own fake, drawn from the key and that part alone. A given name keeps its
gender where Faker's lists know it; otherwise the fake is a name that women and men both bear, which goes
with any title and does not depend on which document happens to show one.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from efface.errors import PolicyError
from efface.operators.keys import KeyedRandom
from efface.operators.safety import folded, holds
from efface.text.ordinary_words import is_ordinary
from efface.text.person_words import COURTESY_TITLES, FOREIGN_COURTESY_TITLES

# A letter and all that is no space, digit or punctuation: accents and invisible characters go with it.
_PART = re.compile(r"[^\W\d_](?:[^\s\d.,;:()\[\]{}<>\"“”/\\&|+@#*=_-]|-(?=[^\W\d_]))*")
_LONGEST = 8  # parts; more is no name
_POSSESSIVE = re.compile(r"['’]s\Z", re.IGNORECASE)
_TRIES = 32  # draws of a name that nobody else has

# They stay, at the beginning and at the end of a name. Judge, Lord or Justice can be names: not here.
_TITLES = COURTESY_TITLES | FOREIGN_COURTESY_TITLES | frozenset("prof professor sir madam".split())
_SUFFIXES = frozenset("jr sr ii iii iv phd md esq".split())
# They belong to the surname that follows, whose fake stands for the whole.
_PARTICLES = frozenset("van von der den de la le del della di da dos du bin ibn al el ter ten zu".split())

# Enough of them that a name which Faker does not list does not stand out.
_NEUTRAL = tuple(
    "Alex Ariel Avery Blake Cameron Casey Charlie Dakota Devon Drew Eden Ellis Emerson Finley Frankie "
    "Harley Hayden Jamie Jesse Jody Jordan Jules Kelly Kendall Kerry Lane Lee Leslie Logan Marley Morgan "
    "Noel Parker Pat Peyton Quinn Reese Riley Robin Rowan Sage Sam Sasha Shannon Sidney Skyler Taylor "
    "Terry Toby Tracy".split()
)


@dataclass(frozen=True, slots=True)
class ListedNames:
    """The names of one locale as Faker lists them. By folded name: `genders`, and `given`, the names that
    are rather given names than surnames."""

    female: tuple[str, ...]
    male: tuple[str, ...]
    neutral: tuple[str, ...]
    surnames: tuple[str, ...]
    genders: dict[str, str] = field(repr=False)
    given: frozenset[str] = field(repr=False)

    def pool(self, role: str, token: str) -> tuple[str, ...]:
        if role == "surname":
            return self.surnames
        return {"female": self.female, "male": self.male}.get(self.genders.get(token, ""), self.neutral)


@lru_cache(maxsize=4)
def names(locale: str) -> ListedNames:
    """Faker's lists for a locale; an unknown locale is the policy's mistake."""
    provider = _provider(locale)
    female, male = (
        _provider_names(provider, "first_names_female"),
        _provider_names(provider, "first_names_male"),
    )
    surnames = _provider_names(provider, "last_names") | _provider_names(provider, "unisex_last_names")
    if not (female and male and len(surnames) > 1):
        raise PolicyError(
            "`surrogate`: this locale has no lists of names.", "Use for example en_US, de_DE or fr_FR."
        )
    english = provider if locale == "en_US" else _provider("en_US")
    genders: dict[str, str] = {}
    for gender, listed in (("female", "first_names_female"), ("male", "first_names_male")):
        for name in _provider_names(provider, listed) | _provider_names(english, listed):
            same = folded(name)
            genders[same] = gender if genders.get(same, gender) == gender else "both"
    latin = all(name[0] < "\u0250" for name in female)
    neutral = _NEUTRAL if latin else tuple(sorted(female | male))
    given = _mostly_given(provider) | _mostly_given(english)
    return ListedNames(
        _without_words(sorted(female)),
        _without_words(sorted(male)),
        _without_words(neutral),
        _without_words(sorted(surnames)),
        genders,
        given,
    )


def _without_words(pool: Iterable[str]) -> tuple[str, ...]:
    """The names that are no ordinary words: "Best regards" in an answer would be taken for a fake called Best."""
    listed = tuple(pool)
    return tuple(name for name in listed if not is_ordinary(name.lower())) or listed


def _provider(locale: str) -> object:
    try:
        return importlib.import_module(f"faker.providers.person.{locale}").Provider
    except ModuleNotFoundError:
        raise PolicyError(
            "`surrogate`: Faker knows no such locale.", "Use for example en_US or de_DE."
        ) from None


def _provider_names(provider: object, attribute: str) -> set[str]:
    return set(getattr(provider, attribute, ()))


def _mostly_given(provider: object) -> frozenset[str]:
    """Names that, standing alone, are rather given names: James is both, but far more often the first."""
    surnames: Any = getattr(provider, "last_names", ())
    given: set[str] = set()
    for attribute in ("first_names_female", "first_names_male"):
        listed: Any = getattr(provider, attribute, ())
        for name in listed:
            weighted = isinstance(listed, dict) and isinstance(surnames, dict)
            rather = listed[name] > surnames.get(name, 0) if weighted else name not in surnames
            if rather:
                given.add(folded(name))
    return frozenset(given)


@dataclass(frozen=True, slots=True)
class NamePart:
    """One word of a name: its place, its folded form, and its role (given name, surname, or a word to copy)."""

    start: int
    end: int
    token: str
    role: str


def parts_of(text: str, listed: ListedNames) -> list[NamePart]:
    """The words of a name with their roles, by position and by a comma that puts the surname first."""
    words = [_word(match) for match in _PART.finditer(text)]
    first, last = _without_titles(words)
    bare = [word for word in words[first:last] if word[2] not in _PARTICLES]
    surname = _surname(text, bare, listed)
    parts = []
    for at, word in enumerate(words):
        if not first <= at < last:
            role = "title"
        elif word is surname:
            role = "surname"
        else:
            role = "given" if word in bare else "particle"
        parts.append(NamePart(*word, role))
    return parts


def _without_titles(words: Sequence[tuple[int, int, str]]) -> tuple[int, int]:
    """Where the name begins and ends among its words, without titles before and suffixes behind it."""
    first, last = 0, len(words)
    while first < last - 1 and words[first][2] in _TITLES:
        first += 1
    while last - 1 > first and words[last - 1][2] in _SUFFIXES:
        last -= 1
    return first, last


def _surname(
    text: str, bare: Sequence[tuple[int, int, str]], listed: ListedNames
) -> tuple[int, int, str] | None:
    """The word that is the surname: the last one, or the first where a comma follows it."""
    if not bare or (len(bare) == 1 and bare[0][2] in listed.given):
        return None
    is_reversed = bare[0][1] <= text.find(",") < bare[-1][0]
    return bare[0] if is_reversed else bare[-1]


def _word(match: re.Match[str]) -> tuple[int, int, str]:
    """Start, end and folded form of a word, without the 's of a possessive."""
    possessive = _POSSESSIVE.search(match.group())
    end = match.start() + possessive.start() if possessive else match.end()
    return match.start(), end, folded(match.string[match.start() : end])


def _is_name(text: str, parts: Sequence[NamePart]) -> bool:
    """Whether these parts are the whole text. Otherwise more than punctuation would be carried over."""
    if len(parts) > _LONGEST or not any(part.role in ("given", "surname") for part in parts):
        return False
    return not any(char.isalnum() for char in _PART.sub("", text))


@dataclass(slots=True)
class FakePersons:
    """The fake persons of one document. `whole` and `tokens` are what its originals say: no fake may."""

    listed: ListedNames
    secret: bytes = field(repr=False)
    whole: frozenset[str] = field(repr=False)
    tokens: frozenset[str] = field(repr=False)
    _fakes: dict[tuple[str, str], str | None] = field(default_factory=dict, repr=False)
    _used: set[tuple[str, str]] = field(default_factory=set, repr=False)
    _free: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict, repr=False)

    def name(self, key: str, original: str) -> str | None:
        """The fake of a whole mention, in its order, case and punctuation; None when the names run out."""
        mention = parts_of(original, self.listed)
        if not _is_name(original, mention):
            return None
        said = {part.token for part in mention}
        known = [part for part in parts_of(key, self.listed) if part.role in ("given", "surname")]
        if original.isupper() and original.lower() == "".join(part.token[0] for part in known):
            return self._initials(known)
        pieces: list[str] = []
        position = 0
        for part in mention:
            pieces.append(original[position : part.start])
            position = part.end
            if part.role == "particle":
                position += len(original[position:]) - len(original[position:].lstrip(" '’-"))
                continue
            written = original[part.start : part.end]
            fake = (
                written
                if part.role == "title"
                else self._fake_as_written(_identity(part, known, said, key), written)
            )
            if fake is None:
                return None
            pieces.append(fake)
        return "".join([*pieces, original[position:]])

    def _initials(self, known: Sequence[NamePart]) -> str | None:
        """The letters of a fake name where the original has no more: "JW" of Jonathan Whitcombe."""
        fakes = [self._fake(part.token, part.role) for part in known]
        letters = [fake[0] for fake in fakes if fake]
        return "".join(letters).upper() if len(letters) == len(fakes) > 1 else None

    def _fake_as_written(self, identity: tuple[str, str], written: str) -> str | None:
        """The fake part of a name, as an initial, in the plural and in capitals where the original is."""
        token, role = identity
        singular = token.removesuffix("s")
        is_plural = role == "surname" and singular != token and singular in self.tokens  # "the Whitcombes"
        fake = self._fake(singular if is_plural else token, role)
        if fake is None:
            return None
        if is_plural:
            fake += "s"
        if len(written) == 1:  # an initial
            fake = fake[0]
        if written.isupper() and (len(written) > 1 or len(fake) == 1):
            return fake.upper()
        return fake.lower() if written.islower() else fake

    def _fake(self, token: str, role: str) -> str | None:
        place = (role, token)
        if place not in self._fakes:
            self._fakes[place] = self._drawn(role, token)
        return self._fakes[place]

    def _drawn(self, role: str, token: str) -> str | None:
        """A name no original has, and no other fake of this document while the list lasts."""
        pool = self.listed.pool(role, token)
        free = frozenset(name for name in self._free_of(pool) if not holds(name, token))  # no Hannah for Anna
        if not free:
            return None
        for attempt in range(_TRIES):
            name = KeyedRandom(self.secret, "name", role, token, str(attempt)).choice(pool)
            if name in free and (role, name) not in self._used:
                self._used.add((role, name))
                return name
        return KeyedRandom(self.secret, "name", role, token, "last").choice(sorted(free))

    def _free_of(self, pool: tuple[str, ...]) -> frozenset[str]:
        """Names of the pool that are no part of any original; or at least are no original themselves."""
        if pool not in self._free:
            allowed = [name for name in pool if folded(name) not in self.whole]
            unheard = frozenset(name for name in allowed if folded(name) not in self.tokens)
            self._free[pool] = unheard or frozenset(allowed)
        return self._free[pool]


def _identity(part: NamePart, known: Sequence[NamePart], said: Set[str], key: str) -> tuple[str, str]:
    """The word and role whose fake this part of a mention takes: the key's own word where it has one."""
    if any(char.isdigit() for char in key):  # an id, not a name: it alone says who this is
        return f"{part.role} of {key}", part.role
    own = _own_word(part, known, said) or part
    return own.token, own.role


def _own_word(part: NamePart, known: Sequence[NamePart], said: Set[str]) -> NamePart | None:
    """The word of the key that a part means: the same word, the word of an initial, or one of the same role
    that the mention does not say."""
    for word in known:
        if word.token == part.token:
            return word
    if len(part.token) == 1:
        for word in known:
            if word.token.startswith(part.token):
                return word
    for word in known:
        if word.role == part.role and word.token not in said:
            return word
    return None


def tokens_of(texts: Iterable[str]) -> frozenset[str]:
    """Every word of these names that could be taken for a person's: no titles, particles or initials."""
    words = {_word(match)[2] for text in texts for match in _PART.finditer(text)}
    return frozenset(word for word in words - _TITLES - _PARTICLES if len(word) > 1)
