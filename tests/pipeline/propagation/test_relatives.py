"""A given name at a surname that was cut goes with it."""

from __future__ import annotations

import pytest

from efface.core import NOTHING, Edit
from efface.pipeline.propagation.relatives import with_relatives
from efface.pipeline.propagation.spread import spread


def _cut(text: str, name: str, type_: str = "PERSON") -> Edit:
    start = text.index(name)
    return Edit(start, start + len(name), type_, name.lower(), "test")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rob Day rang. Bed 1  Summer Day, 82F", ["Summer Day"]),
        ("Rob Day rang.\n| Day, Summer | 9 |", ["Day, Summer"]),
        ("Rob Day rang. Every Day is new.", []),
        ("Rob Day rang. Sister Day came.", []),
        ("Rob Day rang. The summer day is long.", []),
    ],
)
def test_a_given_name_at_a_known_surname_is_a_person(text: str, found: list[str]) -> None:
    edits = with_relatives(text, [_cut(text, "Rob Day")])[1:]
    assert [text[edit.start : edit.end] for edit in edits] == found


def test_what_is_cut_as_something_else_is_left_to_it() -> None:
    text = "Rob Day went to Grace Day."
    assert len(with_relatives(text, [_cut(text, "Rob Day"), _cut(text, "Grace Day", "ORGANIZATION")])) == 2


def test_the_given_name_goes_everywhere() -> None:
    text = "Rob Day rang about Summer Day. Then Summer wept."
    cuts = spread(text, [_cut(text, "Rob Day")], NOTHING).edits
    assert "Summer" in {text[edit.start : edit.end] for edit in cuts}
