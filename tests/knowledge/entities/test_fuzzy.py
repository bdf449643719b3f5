"""Words near a word, and forms of a name, against the definition."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.knowledge.entities.build_records import word_texts
from efface.knowledge.entities.fuzzy import edits_allowed, is_fuzzy, variants
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index


def distance(left: str, right: str) -> int:
    """Edits with transpositions of neighbours (optimal string alignment), by its recurrence."""
    table = {(i, 0): i for i in range(len(left) + 1)} | {(0, j): j for j in range(len(right) + 1)}
    for i, a in enumerate(left, 1):
        for j, b in enumerate(right, 1):
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(left), len(right)]


@pytest.mark.parametrize(
    ("length", "most", "lengths", "edits"),
    [
        (3, 2, (4, 8), 0),
        (4, 2, (4, 8), 1),
        (7, 2, (4, 8), 1),
        (8, 2, (4, 8), 2),
        (8, 1, (4, 8), 1),
        (5, 1, (6, 9), 0),
    ],
)
def test_edits_by_length(length: int, most: int, lengths: tuple[int, int], edits: int) -> None:
    assert edits_allowed(length, most, lengths) == edits


WORDS = st.text(alphabet="abcdé", min_size=3, max_size=11)


@st.composite
def _misspelt(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """A dictionary, and words of it with a few letters changed, added, dropped or swapped."""
    known = draw(st.lists(WORDS, min_size=1, max_size=12, unique=True))
    asked = []
    for word in draw(st.lists(st.sampled_from(known), max_size=6)):
        for _ in range(draw(st.integers(0, 3))):
            at = draw(st.integers(0, len(word) - 1)) if word else 0
            kind = draw(st.sampled_from(["drop", "add", "change", "swap"]))
            letter = draw(st.sampled_from("abcdex"))
            if kind == "drop":
                word = word[:at] + word[at + 1 :]
            elif kind == "swap":
                word = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
            else:
                word = word[:at] + letter + word[at + (kind == "change") :]
        asked.append(word)
    return known, [word for word in dict.fromkeys(asked) if is_fuzzy(word)]


@given(_misspelt(), st.sampled_from([1, 2]), st.sampled_from([(4, 8), (5, 9)]))
@settings(max_examples=90, deadline=None, derandomize=True)
def test_near_words_are_those_within_the_distance(
    case: tuple[list[str], list[str]], most: int, lengths: tuple[int, int]
) -> None:
    known, asked = case
    with TemporaryDirectory() as folder:
        build([Entity("1", tuple(("t", word) for word in known))], Path(folder) / "index", fuzzy=most)
        (layer,) = open_index(Path(folder) / "index").layers
        words = {word for _, key in layer.segment.context(0) for word in word_texts(key) if is_fuzzy(word)}
        for _ in range(2):  # the second time from memory
            found = layer.segment.near_words.near(asked, most, lengths)
            for word in asked:
                expected = {
                    (other, distance(word, other))
                    for other in words - {word}
                    if distance(word, other) <= edits_allowed(min(len(word), len(other)), most, lengths)
                }
                assert set(found[word]) == expected


@pytest.mark.parametrize(
    ("key", "is_name", "forms"),
    [
        ("manish patel", True, {"m patel", "patel manish", "patel m", "manish p", "manishpatel"}),
        ("patel, manish", True, {"m patel", "manish patel", "patel m", "manish p", "patelmanish"}),
        ("new york", False, {"newyork"}),
        ("jean-luc picard", False, {"jeanluc picard", "jean lucpicard", "jeanlucpicard"}),
        ("patel", True, set()),
        ("unit 4", True, set()),
        ("a b c d e f", True, set()),
        (",, manish patel", True, {"manishpatel"}),
    ],
)
def test_forms_of_a_term(key: str, is_name: bool, forms: set[str]) -> None:
    assert {" ".join(form) for form in variants(key, word_texts(key), is_name)} == forms


def test_forms_of_a_name_with_a_middle_name() -> None:
    found = {" ".join(form) for form in variants("anna maria lee", ["anna", "maria", "lee"], True)}
    assert found >= {
        "anna lee",
        "a lee",
        "a m lee",
        "anna m lee",
        "lee anna maria",
        "lee anna",
        "lee a",
        "lee a m",
        "lee anna m",
    }
    assert "anna maria lee" not in found


@pytest.mark.parametrize(
    "key",
    ["manish patel", "eva maria lopez-garcia", "sean o'brien", "pieter van der berg", "john smith jr.", "li, an",
     "a li", "12-3456-789", "sw1a 2aa", "port maren", "patel"],
)  # fmt: skip
def test_a_variant_of_one_word_is_the_whole_term(key: str) -> None:
    """The finder does not look at variants of a single word, or at those that are longer than it, on this ground."""
    own = word_texts(key)
    for form in variants(key, own, is_name=True):
        if len(form) == 1:
            assert form == ("".join(own),)
        else:
            assert len(" ".join(form)) >= min(map(len, own)) + 2
