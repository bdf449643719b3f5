"""A person whom the model calls a firm or a place goes with every part of the name."""

from __future__ import annotations

import pytest

from efface.core import Edit, SpanSet
from efface.pipeline.propagation.spread import spread


def _cut(text: str, name: str, type_: str) -> dict[str, str]:
    """What goes when a finder cut the name once: each string with its type."""
    start = text.index(name)
    first = Edit(start, start + len(name), type_, name.lower(), "names model", score=0.7)
    return {text[edit.start : edit.end]: edit.type for edit in spread(text, [first], SpanSet(())).edits}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "For Priya Venkataraghavan. The costs of Venkataraghavan are paid; ask Priya.",
            "Priya Venkataraghavan",
        ),
        ("Mr Okwudili Ezeoke signed. Ezeoke paid; Okwudili left.", "Okwudili Ezeoke"),
        ("Nkechi Umeadi said that she pays. Umeadi paid; Nkechi left.", "Nkechi Umeadi"),
        ("Kwabena Oppong-Mensah and his firm. Oppong-Mensah paid; Kwabena left.", "Kwabena Oppong-Mensah"),
    ],
)
@pytest.mark.parametrize("type_", ["ORGANIZATION", "LOCATION"])
def test_parts_follow(text: str, name: str, type_: str) -> None:
    given, surname = name.split(" ")
    assert _cut(text, name, type_) == {name: "PERSON", given: "PERSON", surname: "PERSON"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("San Lorenzo grew. Lorenzo left.", "San Lorenzo"),
        ("Priya Foods paid. Priya left; Foods stayed.", "Priya Foods"),
        ("Zarqa Petrogas paid its staff. Petrogas grew; Zarqa shrank.", "Zarqa Petrogas"),
        ("NIOC Kharg sailed. Kharg is an island.", "NIOC Kharg"),
    ],
)
def test_firms_and_places_go_as_whole_strings(text: str, name: str) -> None:
    assert _cut(text, name, "ORGANIZATION") == {name: "ORGANIZATION"}
