"""Where two guarantees want overlapping places, what a finder cuts goes whole."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from efface.core import Edit, Span, SpanSet, Verdict
from efface.pipeline.overlaps import cuts_whole
from efface.pipeline.propagation.spread import spread
from efface.pipeline.rounds import _merge
from efface.policy.model import preset

TEXT = "seen at St Mary's Hospital by Dr Head"


def _edit(words: str, type_: str, replacement: str | None = None, score: float = 1.0) -> Edit:
    start = TEXT.index(words)
    return Edit(start, start + len(words), type_, words.lower(), "test", replacement, score)


HOSPITAL = _edit("St Mary's Hospital", "ORGANIZATION", score=0.7)
DOCTOR = _edit("Dr Head", "PERSON", score=0.7)


@pytest.mark.parametrize(
    ("other", "left"),
    [
        pytest.param(_edit("St Mary's Hospital", "TERM", "Mary's Hospital"), HOSPITAL, id="two of its words"),
        pytest.param(
            _edit("at St Mary's Hospital", "TERM", "a hospital"), HOSPITAL, id="a word in lower case"
        ),
        pytest.param(_edit("Mary's Hospital", "TERM", "Mary's"), HOSPITAL, id="inside"),
        pytest.param(_edit("Hospital by", "TERM", "hospital"), HOSPITAL, id="across the end"),
    ],
)
def test_words_of_a_cut_do_not_come_back(other: Edit, left: Edit) -> None:
    assert cuts_whole(TEXT, [left, other]) == [left]
    assert cuts_whole(TEXT, [other, left]) == [left]


def test_a_generalisation_that_says_nothing_of_the_cut_stands_for_it() -> None:
    other = _edit("St Mary's Hospital", "TERM", "a building")
    assert cuts_whole(TEXT, [HOSPITAL, other, DOCTOR]) == [other, DOCTOR]


def test_a_cut_is_remembered_when_a_later_round_takes_its_place_out() -> None:
    later = _edit("by Dr Head", "TERM", "")
    assert _merge([DOCTOR], [later]) == [DOCTOR, later]
    assert _merge([later], [_edit("by Dr Head", "TERM", "by one")]) == [_edit("by Dr Head", "TERM", "by one")]


LETTER = (
    "St Mary's Hospital\n12 June 2019\n\nDear Dr Head,\n\nThank you for referring this man, who attended St Mary's "
    "Hospital with HIV. He was seen by Dr Head.\n"
)


def test_semantic_puts_no_part_of_a_hospital_or_a_doctor_back() -> None:
    report = Sanitizer.from_text(preset("hipaa-like")).sanitize(LETTER.encode(), name="letter.txt")
    assert report.verdict is Verdict.HELD and report.released is not None
    released = report.released.decode()
    assert not [word for word in ("Mary", "Hospital", "Head", "HIV") if word in released]


def test_a_piece_of_a_number_with_dots_goes_with_all_of_it() -> None:
    text = "see 5.6.71 below"
    piece = Edit(6, 10, "ORGANIZATION", "6.71", "names model")
    assert [edit.span for edit in spread(text, [piece], SpanSet(())).edits] == [Span(4, 10)]
