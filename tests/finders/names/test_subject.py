"""How what is known of a mention is weighed, against the definition mention by mention."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.finders.names.decoding import DecodedMention
from efface.finders.names.model import load_model
from efface.finders.names.subject import CONSTANT, FEATURES, SIGNS, features, probabilities

MENTIONS = st.lists(
    st.tuples(
        st.sampled_from(["PERSON", "LOCATION", "DATE_TIME"]),
        st.sampled_from(["a", "b"]),  # what it means
        st.sampled_from([0.0, 0.001, 0.125, 0.5, 0.875, 1.0]),
        st.sampled_from(["Mr Tural", "Bursa", "12 June 2005", "the Supreme Court"]),
    ),
    max_size=8,
)


def logit(share: float) -> float:
    kept = min(max(share, 0.003), 0.997)
    return math.log(kept / (1 - kept))


def slow(mentions: list[tuple[str, str, float, str]], at: int) -> list[float]:
    """What the network says of one mention, of all with its type and key, and of the two together."""
    kind, key, own, _ = mentions[at]
    group = [mask for other, same, mask, _ in mentions if (other, same) == (kind, key)]
    mean = sum(group) / len(group)
    return [*map(logit, (own, mean, max(group), min(group), max(mean, (own + mean) / 2)))]


def found(mentions: list[tuple[str, str, float, str]]) -> list[DecodedMention]:
    return [DecodedMention(at, at + 1, kind, 0.9, mask) for at, (kind, _, mask, _) in enumerate(mentions)]


@given(MENTIONS)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_mentions_of_a_thing_are_judged_together(mentions: list[tuple[str, str, float, str]]) -> None:
    surfaces, keys = [one[3] for one in mentions], [one[1] for one in mentions]
    rows = features(surfaces, found(mentions), keys)
    assert rows.shape == (len(mentions), len(FEATURES))
    for at, row in enumerate(rows):
        assert row[:5].tolist() == pytest.approx(slow(mentions, at), abs=1e-4)


@pytest.mark.parametrize(
    ("surface", "signs"),
    [
        ("Mr Orhan Tural", {"title"}),
        ("Mrs", {"title"}),
        ("Mrsic", set()),
        ("A. Demetriades", {"initial"}),
        ("the Supreme Court", {"court", "highest court", "lower case"}),
        ("Bursa Criminal Court", {"court"}),
        ("Ministry of Justice", {"government"}),
        ("Republic of Turkey", {"state"}),
        ("12 June 2005", {"day", "digit"}),
        ("June 2005", {"month", "year", "digit"}),
        ("2005", {"year", "digit"}),
        ("three years", {"duration", "lower case"}),
        ("€3,000", {"money", "digit"}),
        ("Law no. 2577", {"law", "year", "digit"}),
        ("Lawson", set()),
        ("x" * 200 + " Court", {"lower case"}),  # only the beginning is read
        ("", set()),
    ],
)
def test_the_words_of_a_mention_are_signs(surface: str, signs: set[str]) -> None:
    (row,) = features([surface], [DecodedMention(0, 1, "ORGANIZATION", 0.9, 0.5)], ["a"])
    assert {name for name, value in zip(FEATURES, row, strict=True) if name in SIGNS and value} == signs


def test_weights_move_the_probability() -> None:
    mentions = [
        DecodedMention(0, 1, "ORGANIZATION", 0.9, 0.5),
        DecodedMention(1, 2, "ORGANIZATION", 0.9, 0.5),
    ]
    surfaces, keys = ["Bursa Court", "Bursa"], ["a", "b"]
    assert probabilities(surfaces, mentions, keys, {}).tolist() == [0.5, 0.5]
    court, town = probabilities(surfaces, mentions, keys, {CONSTANT: 1.0, "court": -3.0}).tolist()
    assert court == pytest.approx(1 / (1 + math.exp(2)))
    assert town == pytest.approx(1 / (1 + math.exp(-1)))


def test_the_packaged_weights_are_of_these_features() -> None:
    weights = load_model().settings.subject
    assert set(weights) == {CONSTANT, *FEATURES}
    assert all(np.isfinite(list(weights.values())))
    assert all(weights[name] > 0 for name in ("own", "mean", "highest", "lowest", "together"))
