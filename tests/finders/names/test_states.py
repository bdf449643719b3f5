"""Court cases moved to another state, for training: the words change, what they are does not."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("faker")

from training.names.passages import TAGS, Passage
from training.names.states import COURTS, STATES, exchanged, moved

_ORG, _IN_ORG = TAGS.index("B-ORGANIZATION"), TAGS.index("I-ORGANIZATION")
_OUTSIDE = len(TAGS)  # "nothing" of a source


def _passage(words: str, targets: list[int], masks: list[int]) -> Passage:
    return Passage("tab", words.split(), [1] * len(targets), targets, masks)


@pytest.mark.parametrize(
    ("new", "words", "targets"),
    [
        ("Ukraine", "against Ukraine lodged", [_OUTSIDE, _ORG, _OUTSIDE]),
        (
            "Kingdom of Sweden",
            "against Kingdom of Sweden lodged",
            [_OUTSIDE, _ORG, _IN_ORG, _IN_ORG, _OUTSIDE],
        ),
    ],
)
def test_a_phrase_takes_over_the_labels(new: str, words: str, targets: list[int]) -> None:
    given = _passage(
        "against Republic of Turkey lodged", [_OUTSIDE, _ORG, _IN_ORG, _IN_ORG, _OUTSIDE], [0, 1, 1, 1, 0]
    )
    found = exchanged(given, {("Republic", "of", "Turkey"): tuple(new.split()), ("Turkey",): ("Never",)})
    assert found.words == words.split()
    assert found.targets == targets
    assert found.masks == [0, *[1] * (len(targets) - 2), 0]
    assert len(found.gaps) == len(targets)


def test_a_case_is_moved_as_a_whole() -> None:
    text = "against the Republic of Turkey ; the Turkish Government ; in Turkey the Court of Cassation"
    given = _passage(text, [_OUTSIDE] * 16, [0] * 16)
    rng = random.Random(3)
    for _ in range(40):
        words = " ".join(moved(given, rng).words)
        full, short, of_it, court = (
            words.removeprefix("against the ").split(" ; ")[0],
            words.split(" ; in ")[1].split(" the ")[0],
            words.split(" ; the ")[1].split(" Government")[0],
            words.rsplit(" the ", 1)[1],
        )
        assert tuple(tuple(one.split()) for one in (full, short, of_it)) in STATES
        assert tuple(court.split()) in COURTS
    assert " ".join(given.words) == text
