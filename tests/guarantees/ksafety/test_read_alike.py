"""Texts about several people in which a candidate's values are read otherwise: beside another word, with initials elsewhere in
the text, beside a part of a value. A candidate whose note is read otherwise does not lead to the release.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.guarantees.ksafety.reader_worlds import KNOWS_METHOD, Person, ReaderWorld, world_with

NAMES = ("Ann Moss", "Bo Nunn", "Cleo Oaks", "Dev Moss", "Eve Reed", "Flo Hart", "Gus Lane", "Hal Wood")


def _people(names: Sequence[str], jobs: Sequence[str]) -> dict[int, Person]:
    pairs = zip(names, jobs, strict=True)
    return {id: {"name": [name], "job": [job]} for id, (name, job) in enumerate(pairs, 1)}


def _world(folder: Path, people: dict[int, Person], k: int, allowed: frozenset[int]) -> ReaderWorld:
    return world_with(folder, people, {"ann": set(allowed)}, k, KNOWS_METHOD)


def _is_under(world: ReaderWorld, template: list[str], id: int) -> bool:
    """Whether the note about somebody is held, and fewer than k lead to its release."""
    (note,) = world.notes(id, template)
    seen = world.release(note, "ann")
    return seen is not None and len(world.candidates(seen, template, "ann")) < world.k


@pytest.mark.parametrize(
    ("names", "words", "k"),
    [
        # "Dev Moss Dev Nunn" is one name with another inside.
        (("Bo Oaks", "Dev Moss", "Cleo Oaks", "Dev Nunn"), "met $name Dev Nunn", 3),
        # "Dev Moss Moss" is Dev Moss with a middle name.
        (("Cleo Moss", "Bo Nunn", "Dev Moss", "Ann Moss"), "with $name Moss then Cleo Moss", 3),
        # "CO" is found once Cleo Oaks is in the text.
        (("Ann Moss", "Bo Nunn", "Cleo Oaks", "Dev Pike"), "of CO $name saw Bo Nunn", 3),
        # Of two places of one name the reader knows what stands there: the candidates are counted one by one.
        (("Bo Nunn", "Bo Oaks", "Cleo Moss", "Ann Moss"), "with Bo Oaks and Bo Oaks Moss $name", 2),
    ],
)  # fmt: skip
def test_a_candidate_whose_note_is_read_otherwise_does_not_count(
    names: tuple[str, ...], words: str, k: int, tmp_path: Path
) -> None:
    world = _world(tmp_path, _people(names, ["clerk", "clerk", "baker", "pilot"]), k, frozenset())
    template = words.split(" ")
    # Whoever stands elsewhere in the text, too, is known to a reader who knows the words there.
    others = [id for id, person in world.people.items() if person["name"][0] not in words]
    assert [id for id in others if _is_under(world, template, id)] == []


def test_texts_that_are_read_alike_are_still_held(tmp_path: Path) -> None:
    world = _world(tmp_path, _people(NAMES, ["clerk", "baker"] * 4), 3, frozenset())
    assert world.release("then Ann Moss met Bo Nunn", "ann") == "then [NAME_1] met [NAME_2]"


def test_a_part_of_a_value_goes_or_stays_by_whom_it_fits(tmp_path: Path) -> None:
    """Only in notes with this city somebody born in 1960 is told: their year goes, and it stays in others."""
    cities = ("Elton", "Elton", "Elton", "Brixby", "Brixby", "Brixby", "Corwen", "Dunmere")
    years = (1960, 1970, 1971, 1972, 1973, 1974, 1960, 1960)
    people = {
        id: {"name": [NAMES[id - 1]], "city": [cities[id - 1]], "born": [f"{years[id - 1]}-03-1{id}"]}
        for id in range(1, 9)
    }
    world = _world(tmp_path, people, 3, frozenset({3}))
    template = "$name of $city one born in 1960 saw Eve Reed with Flo Hart".split(" ")
    assert [id for id in (1, 2, 4, 7, 8) if _is_under(world, template, id)] == []
