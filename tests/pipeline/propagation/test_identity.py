"""One person, one placeholder; two people, two."""

from __future__ import annotations

import pytest

from efface.core import Edit
from efface.pipeline.propagation.identity import one_thing


def keys_of(text: str, *names: str) -> list[str]:
    """The keys of persons who are cut at these strings, each after the one before."""
    edits, position = [], 0
    for name in names:
        start = text.index(name, position)
        position = start + len(name)
        edits.append(Edit(start, position, "PERSON", name.lower(), "test"))
    return [edit.key for edit in one_thing(text, edits)]


def test_a_title_outside_of_the_cut_tells_two_people_apart() -> None:
    first, second, third = keys_of(
        "Mr King came. His wife Queenie King came. Queenie left.", "King", "Queenie King", "Queenie"
    )
    assert first != second == third


def test_a_nickname_is_its_person() -> None:
    text = 'Dean Purvis, also known as "Spider", ran. Spider and Purvis fell.'
    assert len(set(keys_of(text, "Dean Purvis", "Spider", "Spider", "Purvis"))) == 1


def test_the_whole_name_is_the_persons() -> None:
    text = "Her partner Smudge (real name Lee Craven) slept. Craven shouted."
    assert set(keys_of(text, "Smudge", "Lee Craven", "Craven")) == {"lee craven"}


def test_what_somebody_calls_another_is_not_his_own_name() -> None:
    text = 'Colm Brady referred to her as "Immy". Brady denies it.'
    first, second, third = keys_of(text, "Colm Brady", "Immy", "Brady")
    assert first == third != second


def test_a_double_surname_is_another_persons() -> None:
    text = "Lleucu Protheroe came. Ms Protheroe and Tegan Protheroe-Acheampong left."
    first, second, third = keys_of(text, "Lleucu Protheroe", "Protheroe", "Tegan Protheroe-Acheampong")
    assert first == second != third


def test_half_of_a_double_surname_alone_is_another_persons() -> None:
    text = "Ms Protheroe and Tegan Protheroe-Acheampong left. Protheroe-Acheampong and Acheampong stayed."
    names = "Protheroe", "Tegan Protheroe-Acheampong", "Protheroe-Acheampong", "Acheampong"
    first, second, third, fourth = keys_of(text, *names)
    assert first != second == third == fourth


def test_a_junior_and_a_senior_are_two_where_the_word_stands_outside_of_the_cut() -> None:
    text = "Quigley, junior (Niamh Quigley), came. Quigley the elder died."
    places = [text.index("Quigley"), text.index("Niamh"), text.rindex("Quigley")]
    ends = [places[0] + 7, places[1] + 13, places[2] + 7]
    edits = [Edit(*place, "PERSON", "", "test") for place in zip(places, ends, strict=True)]
    first, whole, second = [edit.key for edit in one_thing(text, edits)]
    assert first == whole != second


def test_a_name_that_two_finders_saw_in_part_is_one_persons() -> None:
    text = "Anwesend war Pfleger Anton Riedl. Riedl spricht."
    edits = [
        Edit(13, 26, "PERSON", "pfleger anton", "test"),
        Edit(21, 32, "PERSON", "anton riedl", "test"),
        Edit(34, 39, "PERSON", "riedl", "test"),
    ]
    assert {edit.key for edit in one_thing(text, edits)} == {"pfleger anton riedl"}


def test_a_genitive_is_its_person_and_a_plural_is_a_family() -> None:
    text = "Ferdinand Wastlhuber kommt. Wastlhubers Akte fehlt. Die Wastlhubers Akten fehlen."
    first, second, third = keys_of(text, "Ferdinand Wastlhuber", "Wastlhubers", "Wastlhubers")
    assert first == second != third


def test_a_name_that_ends_in_s_is_no_genitive() -> None:
    text = "Ann Jones Smith and Eva Jone came. Jones Street is long."
    first, second, third = keys_of(text, "Ann Jones", "Eva Jone", "Jones")
    assert third == first != second


def test_a_given_name_in_brackets_tells_two_people_apart() -> None:
    text = "J. Okafor (Janet) and J. Okafor (James) came. Janet left."
    first, second, third, fourth, fifth = keys_of(text, "J. Okafor", "Janet", "J. Okafor", "James", "Janet")
    assert first == second == fifth != third == fourth


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Pupil: Tyrese Okell\nHis mother came. Ms Okell was told.", 2),
        ("Injured person: Robin Okell     Age: 8\nMr Okell was unhappy.", 2),
        ("They met Robin Okell (7) at school. Mrs Okell came later.", 2),
        ("They met Robin Okell (47) at work. Mrs Okell came later.", 1),
    ],
)
def test_a_child_is_no_mr_or_mrs(text: str, people: int) -> None:
    first = "Tyrese Okell" if "Tyrese" in text else "Robin Okell"
    assert len(set(keys_of(text, first, "Okell"))) == people
