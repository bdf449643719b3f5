"""Who speaks in a chat is a person, though the name is an ordinary word. Labels of a form and roles are none."""

from __future__ import annotations

import pytest

from efface.finders.context.speakers import speakers
from tests.growth import assert_linear


def _found(text: str) -> set[str]:
    return {text[mention.start : mention.end] for mention in speakers(text)}


def test_everybody_who_speaks_is_found() -> None:
    chat = "Jazz: Morning all\nBig Dave: Nah\nJazz: Typical.\nKaren: On it.\n"
    assert _found(chat) == {"Jazz", "Big Dave", "Karen"}


def test_times_may_stand_before_the_speakers() -> None:
    chat = "[10:02] Faith: hi\n[10:03] Karen: hello\n[10:04] Faith: can you come\n[10:05] Skip: yes\n"
    assert _found(chat) == {"Faith", "Karen", "Skip"}


@pytest.mark.parametrize(
    "text",
    [
        "Plan: Rest\nDiet: Soft food\nPlan: More rest\nMark: 3\n",
        "Agent: Hello\nVisitor: hi\nAgent: How may I help?\nVisitor: a room\n",
        "Karen: 3\nJazz: 4\n",  # too few turns
        "Karen: 3\nJazz: 4\nColin: 1\nMark: 2\n",  # nobody speaks twice
    ],
)
def test_forms_roles_and_lists_have_no_speakers(text: str) -> None:
    assert _found(text) == set()


def test_a_role_among_speakers_is_no_name() -> None:
    assert _found("Karen: hi\nAgent: hello\nKaren: well\nAgent: yes\n") == {"Karen"}


@pytest.mark.parametrize("piece", ["Karen: a\n", "Karen ", "10:02 ", "A: "])
def test_speakers_are_looked_for_in_linear_time(piece: str) -> None:
    assert_linear(lambda text: list(speakers(text)), piece, 50_000)
