"""One person under several names: "Mr James Livingston", "Livingston", "J.L." and "LIVINGSTON" are one.

Full names come first. A shorter one belongs to the full name that it is part of, if there is exactly one;
else it is a person of its own: two Smiths and a bare "Smith" are three. A junior and a senior are two, and so are
Mr and Mrs Smith.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from efface.text.folding import fold
from efface.text.person_words import GENERATIONS, TITLES, gender_of, is_surname

_PARTICLES = frozenset("van von der den de la le del della di da dos du bin ibn al el ter ten zu y e".split())
_GENDERS = dict.fromkeys("mr sir lord herr monsieur senor signor".split(), "m") | dict.fromkeys(
    "mrs ms miss madam dame lady frau madame mme mlle senora signora".split(), "f"
)
_GENDERS["pupil"] = "child"  # neither the Mr nor the Mrs of that surname
_LETTERS = re.compile(r"[A-Z]{2,4}")  # "PFJ" may be Peter Falk-Jensen
# A surname with hyphens behind a given name.
_DOUBLE = re.compile(r"\s(?P<first>[^\W\d_]+(?:-[^\W\d_]+)?)-(?P<last>[^\W\d_]+(?:'[^\W\d_]+)*)\s*\Z")
_PASSENGER = re.compile(r"[A-Z]{2,20}/[A-Z]{3}")  # a passenger's name as airlines write it
_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Name:
    """A name without its titles: given names and initials in order, then the surname, and "jr" or "iii" if told.

    `gender` is "m" or "f" where a title tells it, or "child". `double` are the parts of a surname with hyphens before its last.
    """

    given: tuple[str, ...]
    surname: str
    generation: str = ""
    gender: str = ""
    double: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return " ".join((*self.parts, self.generation)).rstrip()

    @property
    def parts(self) -> tuple[str, ...]:
        return (*self.given, self.surname)

    @property
    def is_full(self) -> bool:
        """Whether it has more than one part, and the surname in full."""
        return bool(self.given) and len(self.surname) > 1


def parse(text: str) -> Name | None:
    """The name in a mention, or None when there is only a title. "Livingston, James" and "LIVINGSTON/JAMES" are turned round."""
    surface = re.sub(r"'s\b", "", fold(text, join_lines=True).text)
    head, comma, tail = surface.partition("/" if _PASSENGER.match(text) else ",")
    parts = _parts(f"{tail} {head}" if comma and _parts(tail) and _parts(head) else surface)
    generations = (GENERATIONS[word] for word in _PART.findall(surface)[1:] if word in GENERATIONS)
    if not parts:
        return None
    return Name(
        tuple(parts[:-1]), parts[-1], next(generations, ""), _gender(surface), _double(surface, parts)
    )


def _double(surface: str, parts: Sequence[str]) -> tuple[str, ...]:
    """The parts of a double surname but its last: "protheroe" of Tegan Protheroe-Acheampong."""
    found = _DOUBLE.search(surface)
    if found is None or found["last"] != parts[-1]:
        return ()
    return tuple(found["first"].split("-"))


def _gender(surface: str) -> str:
    """What the titles of a folded name tell; "Mr and Mrs Smith" tell nothing."""
    told = {_GENDERS[word] for word in _PART.findall(surface) if word in _GENDERS}
    return told.pop() if len(told) == 1 else ""


def _parts(text: str) -> list[str]:
    """The words of a folded text; a particle stays with the surname that it precedes."""
    words = _PART.findall(text)
    # "M. Dupont" is a monsieur, and "M LONG" on a statement of a bank has an initial.
    titles = TITLES if "m." in text else TITLES - {"m"}
    kept = [word for at, word in enumerate(words) if word not in titles or is_surname(words, at)]
    joined: list[str] = []
    for word in kept:
        if joined and joined[-1].split(" ")[-1] in _PARTICLES and len(joined[-1]) > 1:
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def keys(surfaces: Iterable[str]) -> Mapping[str, str]:
    """For every surface the key of its person, which is the longest name under which the text knows them."""
    names = _parsed(surfaces)
    full = {name for name in names.values() if name.is_full}
    index: dict[str, list[Name]] = {}
    entities: dict[Name, Name] = {}
    # The longest first, so that the owner of a shorter name is known before it.
    for name in sorted(full, key=lambda name: (-_weight(name), name.key, name.gender)):
        owner = _only([other for other in index.get(name.surname, ()) if _is_short_for(name, other)])
        entities[name] = owner or name
        if owner is None:
            for word in _looked_up_by(name):
                index.setdefault(word, []).append(name)
    owners = {surface: _full_name_of(surface, name, entities, index) for surface, name in names.items()}
    return _keys_apart(_without_contested(names, owners))


def _parsed(surfaces: Iterable[str]) -> dict[str, Name]:
    """The names of the surfaces. A full name has the gender that a title tells elsewhere, if titles agree, or else that
    of its given name."""
    names = {surface: name for surface in dict.fromkeys(surfaces) if (name := parse(surface))}
    told: dict[Name, set[str]] = {}
    for name in names.values():
        if name.gender and name.is_full:
            told.setdefault(replace(name, gender=""), set()).add(name.gender)
    agreed = {name: genders.pop() for name, genders in told.items() if len(genders) == 1}
    for surface, name in names.items():
        gender = agreed.get(name) or name.gender
        if not gender and name.is_full and name not in told:
            gender = gender_of(name.given[0])
        names[surface] = replace(name, gender=gender)
    return names


def _without_contested(names: Mapping[str, Name], owners: Mapping[str, Name]) -> Mapping[str, Name]:
    """The owners; where both a Mr and a Mrs, or a junior and a senior, would be the same full name, neither is."""
    for told in (_told_gender, _told_generation):
        claims: dict[Name, set[str]] = {}
        for surface, owner in owners.items():
            if told(names[surface]) and not told(owner):
                claims.setdefault(owner, set()).add(told(names[surface]))
        contested = {owner for owner, several in claims.items() if len(several) > 1}
        owners = {
            surface: names[surface] if owner in contested and told(names[surface]) else owner
            for surface, owner in owners.items()
        }
    return owners


def _told_gender(name: Name) -> str:
    return name.gender


def _told_generation(name: Name) -> str:
    return name.generation


def _keys_apart(owners: Mapping[str, Name]) -> Mapping[str, str]:
    """The key of each surface's owner. It includes the gender where only the gender distinguishes two people."""
    genders: dict[str, set[str]] = {}
    for owner in owners.values():
        if owner.gender:
            genders.setdefault(owner.key, set()).add(owner.gender)
    apart = {key for key, told in genders.items() if len(told) > 1}
    return {
        surface: f"{owner.key} {owner.gender}".rstrip() if owner.key in apart else owner.key
        for surface, owner in owners.items()
    }


def _is_short_for(name: Name, other: Name) -> bool:
    return other.surname == name.surname and _is_within(name, other)


def _is_any_within(readings: Iterable[Name], other: Name) -> bool:
    return any(_is_within(reading, other) for reading in readings)


def _looked_up_by(name: Name) -> set[str]:
    """The words under which a full name is looked for when a shorter one may be the same person's."""
    initials = [part[0] for part in name.parts]
    return {name.surname, *name.given, *initials, "".join(initials)}


def _weight(name: Name) -> int:
    return sum(map(len, name.parts)) + len(name.generation)


def _full_name_of(
    surface: str, name: Name, entities: Mapping[Name, Name], index: Mapping[str, Sequence[Name]]
) -> Name:
    """The full name that a name belongs to, or the name itself."""
    if name in entities:
        return entities[name]
    # Of a name that ends in an initial the first word is looked up: "Livingston J."
    candidates = index.get(name.surname if len(name.surname) > 1 else name.parts[0], ())
    readings = (name, *_surname_first(name), *_spelled_apart(surface))
    owners = [other for other in candidates if _is_any_within(readings, other)]
    if not name.given:
        # A surname that another's double surname only begins with is somebody else's.
        owners = [other for other in owners if name.surname not in other.double]
    if name.generation:
        owners = [other for other in owners if other.generation == name.generation] or owners
    return _only(owners) or name


def _spelled_apart(surface: str) -> Iterator[Name]:
    """ "PFJ" as the initials of a name."""
    if _LETTERS.fullmatch(surface):
        letters = tuple(surface.lower())
        yield Name(letters[:-1], letters[-1])


def _surname_first(name: Name) -> Iterator[Name]:
    """ "Livingston J. A." is J. A. Livingston too, unless the text knows a Livingston A."""
    first, *rest = name.parts
    if rest and len(first) > 1 and all(len(part) == 1 for part in rest):
        yield Name(tuple(rest), first, name.generation, name.gender)


def _only(names: list[Name]) -> Name | None:
    return names[0] if len(names) == 1 else None


def _is_within(short: Name, long: Name) -> bool:
    """Whether the parts of one, in order, are parts or initials of the other."""
    if short.generation and long.generation and short.generation != long.generation:
        return False
    if short.gender and long.gender and short.gender != long.gender:
        return False
    parts, others = short.parts, long.parts
    if all(len(part) == 1 for part in parts):
        return _are_initials(parts, others)
    at = 0
    for part in parts:  # each is looked for behind the one before it
        while at < len(others) and not _is_same_part(part, others[at]):
            at += 1
        if at == len(others):
            return False
        at += 1
    return True


def _are_initials(letters: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether bare initials are a name's: J.L. must account for its first and its last part."""
    return len(letters) > 1 and parts[0].startswith(letters[0]) and parts[-1].startswith(letters[-1])


def _is_same_part(one: str, other: str) -> bool:
    """Whether two parts of a name are the same, or one is the other's initial."""
    if one == other:
        return True
    return (len(one) == 1 and other.startswith(one)) or (len(other) == 1 and one.startswith(other))
