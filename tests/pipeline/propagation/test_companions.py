"""Who is named together with a person that was cut goes too."""

from __future__ import annotations

import pytest

from efface.core import NOTHING, Edit
from efface.pipeline.propagation.companions import with_companions
from efface.pipeline.propagation.spread import spread
from tests.growth import assert_linear


def _cut(text: str, name: str, type_: str = "PERSON") -> Edit:
    start = text.index(name)
    return Edit(start, start + len(name), type_, name.lower(), "test")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tobias and Blessing must stop chatting.", ["Blessing"]),
        ("Blessing and Tobias must stop chatting.", ["Blessing"]),
        ("Tobias, Gift, Joy and Will went home.", ["Gift", "Joy", "Will"]),
        ("Star & Tobias on Monday", ["Star"]),
        ("Tobias and May came.", ["May"]),
        ("tell Tobias. see you tobias x\n", ["tobias"]),
        ("Tobias rang\ntobias xx", ["tobias"]),
        ("Tobias, Will you come?", []),
        ('My mate "Smudger" Tobias rang.', ["Smudger"]),
        ('Terry "The Cat" Tobias rang.', ["The Cat"]),
        ('She said "yes" Tobias rang.', []),
        ("Tobias and Trust Company Ltd agreed.", []),
        ("Tobias and Police agreed.", []),
        ("In May and Tobias was late.", []),
        ("Tobias solved for 2 x\n", []),
        ("Tobias and Sister agreed.", []),
        ("their children Princess and Tobias agreed.", ["Princess"]),
        ("El marido de ésta, Tobias, vino.", []),
    ],
)
def test_companions(text: str, found: list[str]) -> None:
    edits = with_companions(text, [_cut(text, "Tobias")])[1:]
    assert [text[edit.start : edit.end] for edit in sorted(edits, key=lambda edit: edit.start)] == found


def test_beside_a_place_nobody_stands() -> None:
    text = "Leeds and Hope are towns."
    assert len(with_companions(text, [_cut(text, "Leeds", "LOCATION")])) == 1


def test_a_companion_goes_everywhere() -> None:
    text = "Tobias and Blessing chat. I moved Blessing to the front."
    cuts = spread(text, [_cut(text, "Tobias")], NOTHING).edits
    assert [text[edit.start : edit.end] for edit in cuts].count("Blessing") == 2


@pytest.mark.parametrize("piece", ["Gift, ", "Gift and ", "a x\n", "Tobias and "])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    def work(text: str) -> object:
        return with_companions(text, [_cut(text, "Tobias")])

    assert_linear(work, piece, 100_000, before="Tobias and ")
