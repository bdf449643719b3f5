"""Believable fakes: the same key gives the same fake in every document under the same policy key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from efface.core import Edit
from efface.errors import PolicyError
from efface.operators import dates, surrogate_numbers, surrogate_people
from efface.operators.keys import KeyedRandom
from efface.operators.safety import SHORTEST, folded, holds

if TYPE_CHECKING:
    from faker import Faker

_TRIES = 48  # draws before a placeholder stands instead
_SHARED_TRIES = 24  # after so many, two terms may share a fake rather than have none
_WORDS = re.compile(r"\w+")
_LONGEST = 8  # words of an original that a fake is searched for
_GLUED = 5  # letters of a part of a name that is known within a longer word
_MAX_LENGTH = 256  # characters of an original: nothing longer has a format worth keeping
_DATE_RANGE = 1825  # days

_NUMBER_MAKERS: Mapping[str, Callable[[KeyedRandom, str], str | None]] = {
    "phone": surrogate_numbers.phone,
    "card": surrogate_numbers.card,
    "iban": surrogate_numbers.iban,
    "ssn": surrogate_numbers.ssn,
    "ip": surrogate_numbers.ip,
    "mac": surrogate_numbers.mac,
    "url": surrogate_numbers.url,
    "age": surrogate_numbers.age,
    "postcode": surrogate_numbers.shape,
    "id": surrogate_numbers.shape,
}


def _mailbox(fake: Faker) -> str:
    """first.last.12: the names stay words of their own, so that they can be compared with the originals."""
    first, last = (folded(name) for name in (fake.first_name(), fake.last_name()))
    latin = first.isascii() and first.isalpha() and last.isascii() and last.isalpha()
    return f"{first}.{last}.{fake.random_int(10, 99)}" if latin else f"user{fake.random_int(1000, 999999)}"


_FAKER_MAKERS: Mapping[str, Callable[[Faker, str], str]] = {
    "organization": lambda fake, _: fake.company(),
    "place": lambda fake, original: fake.street_address() if original[:1].isdigit() else fake.city(),
    "address": lambda fake, _: fake.street_address(),
    "email": lambda fake, _: f"{_mailbox(fake)}@example.org",
    "username": lambda fake, said: (
        f"{'@' if said.startswith('@') else ''}user{fake.random_int(1000, 999999)}"
    ),
}


@dataclass(frozen=True, slots=True)
class RemovedWords:
    """What a document's edits remove, to keep it out of the fakes: whole terms, and the parts of names."""

    whole: frozenset[str]
    names: frozenset[str]

    @classmethod
    def of(cls, edits: Iterable[Edit], text: str, persons: frozenset[str]) -> RemovedWords:
        """`persons` are the types that name persons."""
        terms: set[str] = set()
        names: set[str] = set()
        for edit in edits:
            original = text[edit.start : edit.end]
            terms.add(original)
            if edit.type in persons:
                names |= {original, edit.key}
        normal = map(_normal, terms | names)
        # A short term with digits in it, such as "7", would be in nearly every fake.
        whole = frozenset(term for term in normal if len(term) >= SHORTEST or term.isalpha())
        return cls(whole, surrogate_people.tokens_of(names))

    def among(self, fake: str) -> bool:
        """Whether the fake is an original."""
        return _normal(fake) in self.whole

    def glued(self, written: str) -> bool:
        """Whether a long part of a removed name stands in what is written, also within a longer word."""
        said = folded(written)
        return any(len(name) >= _GLUED and name in said for name in self.names)

    def within(self, fake: str) -> bool:
        """Whether a run of words of the fake is an original, or one of its words part of a removed name."""
        words = _WORDS.findall(folded(fake))
        if any(word in self.names for word in words):
            return True
        ends = range(1, len(words) + 1)
        return any(
            " ".join(words[start:end]) in self.whole
            for end in ends
            for start in range(max(0, end - _LONGEST), end)
        )


def _normal(text: str) -> str:
    return " ".join(_WORDS.findall(folded(text)))


@dataclass(slots=True)
class Surrogates:
    """The fakes of one document in one locale. `days_lead` is how the document writes 03/04/2019."""

    locale: str
    secret: bytes = field(repr=False)
    originals: RemovedWords = field(repr=False)
    days_lead: bool | None = None
    _cast: surrogate_people.FakePersons | None = field(default=None, repr=False)
    _owner: dict[str, str] = field(default_factory=dict, repr=False)

    def fake(self, kind: str, label: str, key: str, original: str) -> str | None:
        """A fake that contains no original and is no other term's fake here; None when there is none."""
        if len(original) > _MAX_LENGTH:
            return None
        if kind == "person":
            name = self._people().name(key, original)
            return None if name is None or self.originals.among(name) else name
        owner = f"{label} {key}"
        for attempt in range(_TRIES):
            fake = self._surrogate_of_kind(kind, KeyedRandom(self.secret, label, key, str(attempt)), original)
            if fake is None:
                return None
            told = self.originals.within if kind in _FAKER_MAKERS else self.originals.among
            if holds(fake, original) or told(fake):
                continue
            if self._owner.setdefault(fake, owner) == owner or attempt >= _SHARED_TRIES:
                return fake
        return None

    def _surrogate_of_kind(self, kind: str, draw: KeyedRandom, original: str) -> str | None:
        if kind == "date":
            written = dates.parse(original, self.days_lead)
            offset = 1 + draw.below(_DATE_RANGE)
            return written.shifted(-offset if draw.below(2) else offset) if written else None
        if kind in _NUMBER_MAKERS:
            return _NUMBER_MAKERS[kind](draw, original)
        if kind not in _FAKER_MAKERS:
            return None
        with _FAKER_LOCK:
            faker = _faker(self.locale)
            faker.seed_instance(draw.below(2**64))
            return _cased(_FAKER_MAKERS[kind](faker, original), original)

    def _people(self) -> surrogate_people.FakePersons:
        if self._cast is None:
            self._cast = surrogate_people.FakePersons(
                surrogate_people.names(self.locale), self.secret, self.originals.whole, self.originals.names
            )
        return self._cast


_FAKER_LOCK = Lock()  # an instance is seeded and asked in two calls


@lru_cache(maxsize=4)
def _faker(locale: str) -> Faker:
    from faker import Faker

    try:
        return Faker(locale, use_weighting=False)
    except AttributeError:
        raise PolicyError(
            "`surrogate`: Faker knows no such locale.", "Use for example en_US or de_DE."
        ) from None


def _cased(fake: str, original: str) -> str:
    letters = [char for char in original if char.isalpha()]
    shouted = len(letters) > 1 and original.isupper()
    return fake.upper() if shouted else fake
