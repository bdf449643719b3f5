"""Guarantees that fight each other end in a held verdict, true by every definition, or in a clear refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import event, given, note, settings

from efface.core import Verdict
from efface.errors import Refused
from efface.operators import Operators, Replace, Surrogate
from efface.pipeline import sanitize as pipeline
from tests.pipeline.together.worlds import EVERY, KEY, SILENT, World, broken, said, worlds


@settings(max_examples=60, deadline=None)
@given(world=worlds())
def test_what_leaves_holds_by_every_definition_or_nothing_leaves(
    tmp_path_factory: pytest.TempPathFactory, world: World
) -> None:
    bound = world.bound(tmp_path_factory.mktemp("world"))
    try:
        report = pipeline.sanitize(world.text.encode(), "seen.txt", bound)
    except Refused as refusal:
        event(type(refusal).__name__)
        assert refusal.message and refusal.hint
        return
    event(report.verdict.value)
    note(f"{world}\n{report.released!r}")
    assert report.released is not None
    assert report.rounds <= bound.rounds
    assert report.verdict is Verdict.HELD, report.leaks
    assert broken(world, report.released.decode()) == []


ABOUT_HIV = (
    *[frozenset({"HIV", "virus", "zidovudine", "drug"})] * 6,
    *[frozenset({"virus"})] * 40,
    *[frozenset({"drug"})] * 60,
    *[frozenset({"cat"})] * 60,
)


@pytest.mark.parametrize(
    ("world", "left"),
    [
        pytest.param(World(("zidovudine", "cat"), texts=ABOUT_HIV), "Seen a drug cat", id="nobody objects"),
        pytest.param(
            World(("zidovudine", "cat"), deny=frozenset({"drug"}), texts=ABOUT_HIV),
            "Seen cat",
            id="the broader word is denied",
        ),
        pytest.param(
            World(
                ("zidovudine", "cat"),
                entities={"e": frozenset({"drug"}), "f": frozenset(), "g": frozenset()},
                protected=frozenset({"e"}),
                texts=ABOUT_HIV,
            ),
            "Seen cat",
            id="the broader word tells an entity",
        ),
        pytest.param(
            World(
                ("fever", "cat"),
                keep=frozenset({"fever"}),
                entities={"e": frozenset({"fever"}), "f": frozenset(), "g": frozenset()},
                protected=frozenset({"e"}),
            ),
            "Seen cat",
            id="a kept word tells an entity",
        ),
    ],
)
def test_what_one_puts_in_or_keeps_is_judged_by_the_others(tmp_path: Path, world: World, left: str) -> None:
    report = pipeline.sanitize(world.text.encode(), "seen.txt", world.bound(tmp_path))
    assert report.verdict is Verdict.HELD and report.released is not None
    assert " ".join(said(report.released.decode())) == left


def test_surrogates_in_small_letters_are_no_other_language(tmp_path: Path) -> None:
    """Surnames in small letters look Italian. Nothing of the document is in that language."""
    operators = Operators(Replace(), {"DENIED": Surrogate(kind="person")}, KEY)
    texts = (*[frozenset({"HIV", "virus"})] * 3, *EVERY, *EVERY, *SILENT)
    world = World(
        ("bank", "saliva", "cat"), deny=frozenset({"bank", "saliva"}), texts=texts, operators=operators
    )
    report = pipeline.sanitize(world.text.encode(), "seen.txt", world.bound(tmp_path))
    assert report.verdict is Verdict.HELD and report.released is not None
    assert b"bank" not in report.released
