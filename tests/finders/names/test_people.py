"""Who is whom: one key for the names of one person."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.finders.names.people import keys, parse


@pytest.mark.parametrize(
    ("surface", "key"),
    [
        ("Mr James Livingston", "james livingston"),
        ("Livingston, James", "james livingston"),
        ("Dr. Anita Rao, MD", "anita rao"),
        ("LIVINGSTON", "livingston"),
        ("LIVINGSTON/JAMES MSTR", "james livingston"),
        ("J. Livingston", "j livingston"),
        ("Jan van der Berg", "jan van der berg"),
        ("Siobhán O'Connor's", "siobhan o'connor"),
        ("Mrs", None),
    ],
)
def test_names_are_read(surface: str, key: str | None) -> None:
    name = parse(surface)
    assert (name.key if name else None) == key


@pytest.mark.parametrize(
    ("surfaces", "same"),
    [
        (
            [
                "Mr James Livingston",
                "Livingston",
                "J.L.",
                "LIVINGSTON",
                "James",
                "J. Livingston",
                "Livingston, James",
            ],
            1,
        ),
        (["James Livingston", "James A. Livingston"], 1),
        (["John Smith", "Mary Smith", "Smith"], 3),
        (["John Smith", "Mary Smith", "John", "Mary"], 2),
        (["John Smith", "Jane Doe", "J.S.", "J.D."], 2),
        (["Ann Lee", "Lee Ann"], 2),
        (["Mr Smith", "Smith", "SMITH"], 1),
        (["J. Smith", "John Smith"], 1),
        (["John Smith", "Smith J.", "Smith, J.", "Smith J"], 1),
        (["Luther King III", "King Jr."], 2),
        (["Martin Luther King Jr.", "Martin Luther King III", "King Jr.", "King III"], 2),
        (["Rob Downey Sr.", "Rob Downey, Jr.", "Downey Jnr", "Downey"], 3),
        (["Rob Downey Jr.", "Downey", "Rob Downey", "Downey, Rob Jr"], 1),
    ],
)
def test_names_of_one_person_have_one_key(surfaces: list[str], same: int) -> None:
    assert len(set(keys(surfaces).values())) == same


NAMES = st.lists(
    st.lists(
        st.sampled_from(["Ann", "Bob", "Lee", "A", "B", "Mr", "van", "Smith"]), min_size=1, max_size=4
    ).map(" ".join),
    max_size=8,
)


@given(NAMES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_order_of_mentions_does_not_matter(surfaces: list[str]) -> None:
    assert keys(surfaces) == keys(list(reversed(surfaces)))


@given(NAMES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_two_full_names_with_other_surnames_are_two_persons(surfaces: list[str]) -> None:
    found = keys(surfaces)
    for one in surfaces:
        for other in surfaces:
            first, second = parse(one), parse(other)
            if first and second and first.is_full and second.is_full and found[one] == found[other]:
                assert first.surname == second.surname


def test_titles_tell_two_people_of_one_surname_apart() -> None:
    found = keys(["Mr Peter Falk-Jensen", "Peter", "Mrs. Falk-Jensen", "Mr Falk-Jensen", "Falk-Jensen"])
    assert found["Mrs. Falk-Jensen"] != found["Mr Peter Falk-Jensen"]
    assert {found[one] for one in ("Peter", "Mr Falk-Jensen", "Falk-Jensen")} == {
        found["Mr Peter Falk-Jensen"]
    }


def test_a_man_and_a_woman_with_the_same_initial_are_two() -> None:
    found = keys(["Mr J. Smith", "Mrs J. Smith"])
    assert found["Mr J. Smith"] != found["Mrs J. Smith"]


def test_a_title_here_and_none_there_is_one_person() -> None:
    found = keys(["Ms Anita Rao", "Anita Rao", "Dr Rao", "Ms Rao"])
    assert len(set(found.values())) == 1


def test_initials_without_points_belong_to_the_only_name_that_has_them() -> None:
    found = keys(["Peter Falk-Jensen", "PFJ"])
    assert found["PFJ"] == found["Peter Falk-Jensen"]
    two = keys(["Peter Falk-Jensen", "Paula Frost-Jones", "PFJ"])
    assert len(set(two.values())) == 3


def test_a_given_name_tells_the_gender_that_a_title_has() -> None:
    """ "Mr King" is not Hazel King, and is Robert King where he is the only one."""
    found = keys(["Hazel King", "Mr King", "Mrs King"])
    assert found["Mr King"] != found["Hazel King"] == found["Mrs King"]
    found = keys(["Hazel King", "Robert King", "Mr King"])
    assert found["Mr King"] == found["Robert King"] != found["Hazel King"]


def test_a_title_tells_more_than_a_given_name() -> None:
    found = keys(["Mr Hazel King", "Hazel King", "Mr King"])
    assert len(set(found.values())) == 1


def test_an_initial_without_a_stop_is_no_title() -> None:
    found = keys(["M LONG", "MISS O LONG"])
    assert found["M LONG"] != found["MISS O LONG"]
    assert len(set(keys(["M. Dupont", "Jean Dupont"]).values())) == 1


def test_a_full_name_is_not_both_a_mr_and_a_mrs() -> None:
    found = keys(["Mrs Day", "Mr Day", "Sunny Day"])
    assert len(set(found.values())) == 3


def test_a_junior_and_a_senior_are_not_both_the_one_full_name() -> None:
    found = keys(["Niamh Quigley", "Quigley jr", "Quigley sr"])
    assert len(set(found.values())) == 3
    found = keys(["Niamh Quigley", "Quigley jr", "Quigley"])
    assert len(set(found.values())) == 1
