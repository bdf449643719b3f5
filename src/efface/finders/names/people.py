"""One person under several names: "Mr James Livingston", "Livingston", "J.L." and "LIVINGSTON" are one.

Full names come first. A shorter one belongs to the full name that it is part of, if there is exactly one;
else it is a person of its own: two Smiths and a bare "Smith" are three. A junior and a senior are two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from efface.text.folding import fold
from efface.text.person_words import GENERATIONS, TITLES, is_surname

_PARTICLES = frozenset("van von der den de la le del della di da dos du bin ibn al el ter ten zu y e".split())
_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Name:
    """A name without its titles: given names and initials in order, then the surname, and "jr" or "iii" if told."""

    given: tuple[str, ...]
    surname: str
    generation: str = ""

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
    """The name in a mention, or None when there is only a title. "Livingston, James" is turned round."""
    surface = re.sub(r"'s\b", "", fold(text, join_lines=True).text)
    head, comma, tail = surface.partition(",")
    parts = _parts(f"{tail} {head}" if comma and _parts(tail) and _parts(head) else surface)
    generations = (GENERATIONS[word] for word in _PART.findall(surface)[1:] if word in GENERATIONS)
    return Name(tuple(parts[:-1]), parts[-1], next(generations, "")) if parts else None


def _parts(text: str) -> list[str]:
    """The words of a folded text; a particle stays with the surname that it precedes."""
    words = _PART.findall(text)
    kept = [word for at, word in enumerate(words) if word not in TITLES or is_surname(words, at)]
    joined: list[str] = []
    for word in kept:
        if joined and joined[-1].split(" ")[-1] in _PARTICLES and len(joined[-1]) > 1:
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def keys(surfaces: Iterable[str]) -> Mapping[str, str]:
    """For every surface the key of its person, which is the longest name under which the text knows them."""
    names = {surface: name for surface in dict.fromkeys(surfaces) if (name := parse(surface))}
    full = {name for name in names.values() if name.is_full}
    index: dict[str, list[Name]] = {}
    entities: dict[Name, Name] = {}
    # The longest first, so that the owner of a shorter name is known before it.
    for name in sorted(full, key=lambda name: (-_weight(name), name.key)):
        owner = _only([other for other in index.get(name.surname, ()) if _is_short_for(name, other)])
        entities[name] = owner or name
        if owner is None:
            initials = [part[0] for part in name.parts]
            for word in {name.surname, *name.given, *initials}:
                index.setdefault(word, []).append(name)
    return {surface: _key(name, entities, index) for surface, name in names.items()}


def _is_short_for(name: Name, other: Name) -> bool:
    return other.surname == name.surname and _is_within(name, other)


def _weight(name: Name) -> int:
    return sum(map(len, name.parts)) + len(name.generation)


def _key(name: Name, entities: Mapping[Name, Name], index: Mapping[str, Sequence[Name]]) -> str:
    if name in entities:
        return entities[name].key
    candidates = index.get(name.surname, ()) if len(name.surname) > 1 else index.get(name.parts[0], ())
    readings = (name, *_turned(name))
    owners = [other for other in candidates if any(_is_within(short, other) for short in readings)]
    same = [other for other in owners if name.generation and other.generation == name.generation]
    owner = _only(same or owners)
    return owner.key if owner else name.key


def _turned(name: Name) -> Iterator[Name]:
    """ "Livingston J. A." is J. A. Livingston too, unless the text knows a Livingston A."""
    first, *rest = name.parts
    if rest and len(first) > 1 and all(len(part) == 1 for part in rest):
        yield Name(tuple(rest), first, name.generation)


def _only(names: list[Name]) -> Name | None:
    return names[0] if len(names) == 1 else None


def _is_within(short: Name, long: Name) -> bool:
    """Whether the parts of one, in order, are parts or initials of the other."""
    if short.generation and long.generation and short.generation != long.generation:
        return False
    rest = list(long.parts)
    if all(len(part) == 1 for part in short.parts):  # J.L. must account for the first and the last
        return (
            len(short.parts) > 1
            and rest[0].startswith(short.parts[0])
            and rest[-1].startswith(short.parts[-1])
        )
    for part in short.parts:
        while rest and not (
            rest[0] == part
            or (len(part) == 1 and rest[0].startswith(part))
            or (len(rest[0]) == 1 and part.startswith(rest[0]))
        ):
            rest.pop(0)
        if not rest:
            return False
        rest.pop(0)
    return True
