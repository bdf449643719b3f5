"""Words, pieces and offsets."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError
from efface.terms.names.model import PACKAGED
from efface.terms.names.tokens import (
    DIGITS,
    END,
    LETTER,
    LONGEST,
    LOWER,
    MIXED,
    MOST_PIECES,
    PAD,
    SIGN,
    START,
    TITLE,
    UNKNOWN,
    UPPER,
    Vocabulary,
    case_of,
)
from efface.terms.names.windows import SIZE, arrays, batches, row, windows

ODD = st.text(st.sampled_from("abcdeJohnSmith .,-'\n\t\r_0123é\u0301\u200d\u00ad👩🏽ﬁＡ東京ß€"), max_size=60)


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary.load(PACKAGED / "vocab.txt")


@cache
def pieces() -> dict[str, int]:
    return {piece: at for at, piece in enumerate((PACKAGED / "vocab.txt").read_text("utf-8").split("\n"))}


def longest_match(word: str) -> tuple[int, ...]:
    """The definition: of all ways to begin with a known piece take the longest, then go on."""
    if not word:
        return ()
    found: list[int] = []
    rest = word
    while rest:
        mark = "##" if found else ""
        known = [end for end in range(1, len(rest) + 1) if f"{mark}{rest[:end]}" in pieces()]
        if not known:
            return (UNKNOWN,)
        found.append(pieces()[f"{mark}{rest[: max(known)]}"])
        rest = rest[max(known) :]
    return tuple(found)


@given(st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=14))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_pieces_are_the_longest_known_ones(word: str) -> None:
    whole = longest_match(word)
    assert vocabulary().cut(word) == whole[:MOST_PIECES]


def test_pieces_are_those_of_the_tokenizers_library() -> None:
    models = pytest.importorskip("tokenizers.models", reason="tokenizers is not installed")
    theirs = models.WordPiece(pieces(), unk_token="[UNK]")
    for word in "livingston nashville unbelievable xqzzt 2021 o a zhang szczecin".split():
        assert vocabulary().cut(word) == tuple(token.id for token in theirs.tokenize(word))[:MOST_PIECES]


def test_the_marks_are_where_bert_has_them() -> None:
    assert [pieces()[mark] for mark in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")] == [PAD, UNKNOWN, START, END]


@given(ODD)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_words_cover_every_letter_and_digit_once(text: str) -> None:
    words = vocabulary().words(text)
    covered = [at for start, end in zip(words.starts, words.ends, strict=True) for at in range(start, end)]
    assert covered == sorted(set(covered))
    assert {at for at, char in enumerate(text) if char.isalnum()} <= set(covered)
    assert not any(text[at].isspace() for at in covered)


@given(ODD)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_gaps_say_what_stands_between(text: str) -> None:
    words = vocabulary().words(text)
    for at in range(1, len(words)):
        between = text[words.ends[at - 1] : words.starts[at]]
        lines = between.count("\n") or between.count("\r")
        assert words.gaps[at] == (0 if not between else 1 if not lines else 2 if lines == 1 else 3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Müller", "Muller"),
        (unicodedata.normalize("NFD", "Müller"), "Müller"),
        ("Ｌｉ", "Li"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth", "zerowidth"),
        ("\u0410nna", "Anna"),
        ("ANNA", "anna"),
    ],
)
def test_spellings_of_one_word_have_the_same_pieces(one: str, other: str) -> None:
    assert vocabulary().words(one).pieces == vocabulary().words(other).pieces


@pytest.mark.parametrize(
    ("word", "case"),
    [
        ("anna", LOWER),
        ("Anna", TITLE),
        ("ANNA", UPPER),
        ("A", LETTER),
        ("McKay", MIXED),
        ("a1", DIGITS),
        ("2021", DIGITS),
        ("-", SIGN),
    ],
)
def test_how_a_word_is_written(word: str, case: int) -> None:
    assert case_of(word) == case


def test_emoji_do_not_join_words() -> None:
    text = "Anna👩‍💻Smith"
    words = vocabulary().words(text)
    assert [text[a:b] for a, b in zip(words.starts, words.ends, strict=True) if text[a].isalpha()] == [
        "Anna",
        "Smith",
    ]


def test_a_word_without_end_is_unknown() -> None:
    words = vocabulary().words("a" * (LONGEST + 1) + " b")
    assert words.pieces[0] == (UNKNOWN,)
    assert len(words) == 2


def test_a_missing_vocabulary_is_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="vocabulary"):
        Vocabulary.load(tmp_path / "none.txt")


@given(
    st.lists(st.sampled_from(["Anna", "unbelievably", "x", ".", "\n", "\n\n", "Szczebrzeszyn"]), max_size=400)
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_windows_hold_every_word_once_and_fit(parts: list[str]) -> None:
    words = vocabulary().words(" ".join(parts))
    chosen = list(windows(words, frozenset({1012})))
    assert [at for window in chosen for at in range(window.first, window.last)] == list(range(len(words)))
    for window in chosen:
        length = 2 + sum(len(words.pieces[at]) for at in range(window.begin, window.last))
        assert window.pieces == length <= SIZE
    rows = [row(words, window) for window in chosen]
    assert sorted(map(id, rows)) == sorted(id(one) for batch in batches(rows) for one in batch)
    for window, one in zip(chosen, rows, strict=True):
        firsts = [words.pieces[at][0] for at in range(window.first, window.last)]
        assert one.ids[one.places].tolist() == firsts
    for batch in batches(rows):
        ids, features, present = arrays(batch)
        assert features.shape == ids.shape == present.shape
        assert present.sum(1).tolist() == [len(one.ids) for one in batch]


def test_a_window_ends_with_a_sentence_if_it_can() -> None:
    words = vocabulary().words("The committee met again in the morning. " * 40)
    for window in list(windows(words, frozenset({1012})))[:-1]:
        assert words.pieces[window.last - 1] == (1012,)


def test_the_pattern_for_words_takes_linear_time() -> None:
    text = "a" * 1_000_000
    assert len(vocabulary().words(text)) == 1
    assert len(vocabulary().words("\u0301" * 100_000)) == 0
    assert re.fullmatch(r"a+", text)
