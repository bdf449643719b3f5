"""Changes of training texts that keep what the words are."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("faker")

from training.names.passages import TAGS, Passage, redated

_DAY, _IN_DATE = TAGS.index("B-DATE_TIME"), TAGS.index("I-DATE_TIME")
_CODE, _OUTSIDE = TAGS.index("B-CODE"), len(TAGS)


def _dates(chance: float, seed: int) -> Passage:
    words = "on 12 June 2005 no. 12345 ; in 2005 , Article 12".split()
    targets = [_OUTSIDE, _DAY, _IN_DATE, _IN_DATE, _OUTSIDE, _CODE, _OUTSIDE, _OUTSIDE, _DAY, *[_OUTSIDE] * 3]
    given = Passage("tab", words, [1] * len(words), targets, [0] * len(words))
    changed = redated(given, random.Random(seed), chance)
    assert changed.targets == given.targets
    assert given.words == words
    return changed


def test_dates_change_the_same_way_throughout() -> None:
    drawn = [_dates(1.0, seed).words for seed in range(40)]
    for words in drawn:
        assert words[3] == words[8]
        assert abs(int(words[3]) - 2005) <= 6
        assert 1 <= int(words[1]) <= 28
        assert [words[at] for at in (0, 2, 4, 5, 10, 11)] == ["on", "June", "no.", "12345", "Article", "12"]
    assert len({words[3] for words in drawn}) > 3


def test_dates_may_stay() -> None:
    assert _dates(0.0, 1).words == "on 12 June 2005 no. 12345 ; in 2005 , Article 12".split()
