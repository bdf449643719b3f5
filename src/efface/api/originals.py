"""What the replacements of a redaction stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

NUMBERED = re.compile(r"\[([A-Z][A-Z0-9_]{0,63})_([1-9][0-9]{0,6})\]")

SHAPED = r"\[[^\W\d_][^\W\d]{0,63}_[1-9][0-9]{0,6}\]"  # any word in the shape of a placeholder


@dataclass(frozen=True, slots=True)
class Originals:
    """What stands for what. `people` are replacements that name persons: their parts are known by themselves.
    `literal` are placeholders that the text held before; `never` are replacements that are not restored.

    >>> from efface.api.originals import Originals
    >>> Originals({"[PERSON_1]": "Anna"}).mapping["[PERSON_1]"]
    'Anna'
    """

    mapping: Mapping[str, str] = field(repr=False)
    people: frozenset[str] = frozenset()
    literal: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    links: bool = False  # whether originals may stand in links


def originals_of(
    edits: Iterable[tuple[str, str, str]], is_person: Callable[[str], bool]
) -> tuple[dict[str, str], frozenset[str]]:
    """The mapping and its people, from (type, original, replacement). A replacement that stands for several
    things (a mask, a year) stands for none; one that stands for spellings of one thing gives the first."""
    mapping: dict[str, str] = {}
    unclear: set[str] = set()
    people: set[str] = set()
    for type_, original, replacement in edits:
        if not replacement.strip():
            continue
        known = mapping.setdefault(replacement, original)
        if known != original and not _is_numbered(replacement) and known.lower() != original.lower():
            unclear.add(replacement)
        if is_person(type_):
            people.add(replacement)
    return {one: said for one, said in mapping.items() if one not in unclear}, frozenset(people - unclear)


def _is_numbered(replacement: str) -> bool:
    return NUMBERED.fullmatch(replacement) is not None
