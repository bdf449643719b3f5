"""The scorer of letters whose facts are marked by hand (`benchmarks/marked_letters.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.marked_letters import Fact, Score, parse, read_letters, score, table

from efface.core import Edit

_FOLDERS = Path(__file__).parents[2] / "benchmarks" / "letters"
_MARKED = "Mrs {P1:Anna Kowalska} met {P2:Bo Lind} in {L1:Graz} on {?:Friday}. {P1:Anna} paid."


def _scored(*edits: tuple[str, str]) -> Score:
    """The marked text with replacements in the place of words, each where it stands first."""
    letter = parse("note", _MARKED)
    placed: list[Edit] = []
    for old, new in edits:
        start = letter.text.index(old)
        placed.append(Edit(start, start + len(old), "PERSON", old, "test", new))
    return score(letter, "held", placed)


def test_marks_leave_the_text_and_say_where_facts_stand() -> None:
    letter = parse("note", _MARKED)

    assert letter.text == "Mrs Anna Kowalska met Bo Lind in Graz on Friday. Anna paid."
    assert letter.facts[0] == Fact("P1", 4, 17)
    assert [letter.text[fact.start : fact.end] for fact in letter.facts] == [
        "Anna Kowalska",
        "Bo Lind",
        "Graz",
        "Friday",
        "Anna",
    ]


def test_a_fact_of_which_a_word_stands_is_left() -> None:
    one = _scored(("Anna Kowalska", "[A]"), ("Bo", "[B]"))

    assert one.facts == 4
    assert one.left == ("Bo Lind (Lind)", "Graz (Graz)", "Anna (Anna)")


def test_a_cut_word_outside_of_the_facts_is_harmless_and_an_optional_one_is_not() -> None:
    one = _scored(("Graz on Friday", "[A]"))

    assert one.harmless == ("on [PERSON: Graz on Friday]",)
    assert one.cut_words == 3
    assert one.joined == ()


def test_an_edit_over_two_things_and_a_placeholder_for_two_people_are_told() -> None:
    one = _scored(("Anna Kowalska met Bo Lind", "[A]"))

    assert one.joined == ("Anna Kowalska met Bo Lind",)
    assert one.shared == ("[A]: Anna Kowalska / Bo Lind",)


def test_the_table_sums_its_rows() -> None:
    one = _scored(("Anna Kowalska", "[A]"))

    assert (
        table([one, one]).splitlines()[-1]
        == "| **all 2** | 2 held | **8** | **6** | **4** | **0** | **0** | **0** |"
    )


@pytest.mark.parametrize("folder", sorted(path.name for path in _FOLDERS.iterdir()))
def test_marks_of_stored_letters_are_whole(folder: str) -> None:
    letters = read_letters(_FOLDERS / folder)

    assert letters
    for letter in letters:
        assert letter.facts
        assert "{" not in letter.text and "}" not in letter.text, letter.name
