"""Notes that prove each other, against the definition: some set of notes in which each has k candidates of the set."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.guarantees.ksafety import fixed_point
from efface.guarantees.ksafety.fixed_point import TOO_FEW, TOO_MANY

Places = list[Counter[int]] | None

_PLACE = st.dictionaries(st.integers(0, 5), st.integers(1, 2), max_size=4).map(Counter)
_NOTE = st.none() | st.lists(_PLACE, max_size=2)


@settings(max_examples=200, deadline=None)
@given(st.lists(_NOTE, min_size=6, max_size=6), st.integers(1, 3))
def test_a_note_is_proved_if_a_set_of_notes_proves_itself(notes: list[Places], k: int) -> None:
    proving = (set(some) for size in range(1, 7) for some in combinations(range(6), size))
    expected = any(0 in some and _proves_itself(some, notes, k) for some in proving)
    assert fixed_point.doubt(0, notes.__getitem__, k) == ("" if expected else TOO_FEW)


def _proves_itself(some: set[int], notes: list[Places], k: int) -> bool:
    for note in some:
        places = notes[note]
        if places is None or any(sum(place[other] for other in some) < k for place in places):
            return False
    return True


def test_where_too_many_notes_are_reached_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed_point, "MOST_NOTES", 10)
    assert fixed_point.doubt(0, lambda note: [Counter({note: 1, note + 1: 1})], 1) == TOO_MANY
    assert fixed_point.doubt(0, lambda note: [Counter({note: 1, (note + 1) % 10: 1})], 1) == ""
