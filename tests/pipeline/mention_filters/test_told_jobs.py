"""What somebody does is no name: behind a name, in brackets, and in a department."""

from __future__ import annotations

import re

import pytest

from efface.core import Mention
from efface.pipeline.mention_filters.jobs import is_job
from efface.pipeline.mention_filters.note_words import is_note_word
from efface.pipeline.mention_filters.school_subjects import is_subject


def _mention(text: str, found: str, type_: str) -> tuple[Mention, list[str]]:
    start = text.index(found)
    mention = Mention(start, start + len(found), type_, found.lower(), 0.6, "test")
    return mention, re.findall(r"\w+", found)


@pytest.mark.parametrize(
    ("text", "found", "type_"),
    [
        ("TO: DeShawn Pruitt, Line Cook\nFROM", "Line Cook", "PERSON"),
        ("Ottoline Faircloth | Senior Case Handler\n", "Case", "PERSON"),
        ("D. Sharples\nHead of Collections\n", "Collections", "ORGANIZATION"),
        ("Joy Robson (Senior Ward Manager), present", "Ward", "LOCATION"),
    ],
)
def test_jobs(text: str, found: str, type_: str) -> None:
    mention, words = _mention(text, found, type_)
    assert is_job(text, mention, words)


@pytest.mark.parametrize(
    ("text", "found", "type_"),
    [
        ("and then Line Cook came", "Line Cook", "PERSON"),
        ("Dear Ward,\nthe manager left", "Ward", "PERSON"),
        ("the head of Crawshaw\n", "Crawshaw", "ORGANIZATION"),
    ],
)
def test_names(text: str, found: str, type_: str) -> None:
    mention, words = _mention(text, found, type_)
    assert not is_job(text, mention, words)


def test_short_forms_that_may_be_names_need_capitals() -> None:
    text = "DIL and Dil"
    assert is_note_word(text, *_mention(text, "DIL", "PERSON"))
    assert not is_note_word(text, *_mention(text, "Dil", "PERSON"))


def test_a_language_as_a_heading_is_a_subject() -> None:
    text = "Attendance: 94 %\n\nEnglish\nTiwa reads.\n"
    assert is_subject(text, *_mention(text, "English", "NRP"))
    other = "She is English and proud"
    assert not is_subject(other, *_mention(other, "English", "NRP"))
