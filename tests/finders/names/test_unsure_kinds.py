"""Words that are surely names though their kind is not, and dates beside names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import efface
from efface.finders.names.decoding import lifted_to_limits

_LIMITS = (0.275, 0.25, 0.25)


@given(st.lists(st.tuples(*[st.floats(0, 0.3125, width=32)] * 3), max_size=8), st.floats(0.05, 1))
def test_lifting_is_what_its_definition_says(rows: list[tuple[float, float, float]], least: float) -> None:
    chances = np.array(rows, np.float32).reshape(-1, 3)
    lifted = lifted_to_limits(chances, _LIMITS, least)
    for given_row, row in zip(chances, lifted, strict=True):
        best = int(given_row.argmax())
        expected = given_row.copy()
        if given_row.sum() >= np.float32(least):
            expected[best] = max(expected[best], np.float32(_LIMITS[best]))
        assert row.tolist() == expected.tolist()


def test_lifting_changes_no_array_of_its_caller() -> None:
    chances = np.full((1, 3), 0.2, np.float32)
    lifted_to_limits(chances, _LIMITS, 0.4)
    assert chances.tolist() == np.full((1, 3), 0.2, np.float32).tolist()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PMH: T2DM, CABG 2011 (Papworth), prev. ca prostate under Mr Lindqvist-Hale.", "Papworth"),
        ("S/B SALT 14/9. Discussed with dtr Marigold by phone, she is flying in from Invercargill.", "Marigold"),
        ("You know the one, Featherstonehaugh of Upper Slaughter.", "Upper"),
        ("Seen at Vets4All Hexham in June by Cerys, bloods wnl.", "Vets4All"),
    ],
)  # fmt: skip
def test_a_word_that_is_some_name_goes(text: str, name: str) -> None:
    redaction = efface.redact(text)
    assert name not in redaction.text


def test_a_date_and_the_person_behind_it_are_two() -> None:
    text = "As discussed, on 7 March Devika Raghunathan alleged that Raghunathan had been left out."
    redaction = efface.redact(text)
    cut = [text[edit.start : edit.end] for edit in redaction.edits]
    assert cut == ["7 March", "Devika Raghunathan", "Raghunathan"]
    assert redaction.edits[1].replacement == redaction.edits[2].replacement
