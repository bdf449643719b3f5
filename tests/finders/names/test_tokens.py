"""Words, pieces and offsets."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError
from efface.finders.names.model import PACKAGED
from efface.finders.names.plain_sentences import SentenceBounds
from efface.finders.names.tokens import (
    DIGITS,
    EMPTY_LINE,
    END,
    GAPS,
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
    WordPieces,
    case_of,
)
from efface.finders.names.windows import BEFORE, SIZE, WindowRow, arrays, rows
from efface.text.placeholder_blank import BLANK

ODD = st.text(st.sampled_from("abcdeJohnSmith .,-'\n\t\r_0123é\u0301\u200d\u00ad👩🏽ﬁＡ東京ß€"), max_size=60)


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary.load(PACKAGED / "vocab.txt")


@cache
def pieces() -> dict[str, int]:
    return {piece: at for at, piece in enumerate((PACKAGED / "vocab.txt").read_text("utf-8").split("\n"))}


def cut(words: WordPieces, at: int) -> list[int]:
    return [int(piece) for piece in words.pieces[words.heads[at] : words.heads[at + 1]]]


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
    assert vocabulary().words(one).pieces.tolist() == vocabulary().words(other).pieces.tolist()


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
    assert cut(words, 0) == [UNKNOWN]
    assert len(words) == 2


def test_a_missing_vocabulary_is_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="vocabulary"):
        Vocabulary.load(tmp_path / "none.txt")


TEXTS = st.lists(
    st.sampled_from(["Anna", "unbelievably", "x", ".", "\n", "\n\n", "Szczebrzeszyn", "The man left."]),
    max_size=400,
).map(" ".join)


def _rows(words: WordPieces, skipped: frozenset[int] = frozenset()) -> list[WindowRow]:
    ends = SentenceBounds(vocabulary()).ends(words)
    return list(rows(words, ends, np.array([at not in skipped for at in range(len(words))], bool)))


@given(TEXTS, st.frozensets(st.integers(0, 300)))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_windows_hold_every_word_once_and_fit(text: str, skipped: frozenset[int]) -> None:
    words = vocabulary().words(text)
    if not len(words):
        return
    ends = SentenceBounds(vocabulary()).ends(words)
    read = ~np.isin(ends.cumsum() - ends, list(skipped))  # whole sentences
    found = list(rows(words, ends, read))
    kept = np.flatnonzero(read).tolist()
    assert [at for one in found for at in one.words.tolist()] == kept
    stream = [piece for at in kept for piece in cut(words, at)]
    done = 0
    for one in found:
        own = sum(len(cut(words, at)) for at in one.words.tolist())
        before = len(one.ids) - 2 - own
        assert len(one.ids) <= SIZE and before <= BEFORE
        assert not (before and words.gaps[one.words[0]] == EMPTY_LINE)
        assert one.ids.tolist() == [START, *stream[done - before : done + own], END]
        assert one.ids[one.places].tolist() == [cut(words, at)[0] for at in one.words.tolist()]
        marks = words.cases[one.words] * GAPS + words.gaps[one.words]
        assert one.features[one.places].tolist() == marks.tolist()
        done += own


def test_a_window_is_read_alone() -> None:
    row = WindowRow(np.ones(5, np.int32), np.ones(5, np.int32), np.zeros(0, np.int64), np.zeros(0, np.int64))
    ids, features, present = arrays(row)
    assert ids.shape == features.shape == present.shape == (1, 5)
    assert present.all()


def test_a_window_ends_with_a_sentence_if_it_can() -> None:
    words = vocabulary().words("The committee met again in the morning. " * 40)
    for one in _rows(words)[:-1]:
        assert cut(words, int(one.words[-1])) == [1012]


@given(TEXTS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_sentence_ends_with_a_line_or_a_stop(text: str) -> None:
    words = vocabulary().words(text)
    found = SentenceBounds(vocabulary()).ends(words).tolist()
    for at in range(len(words) - 1):
        after = text[words.starts[at + 1]]
        stop = text[words.starts[at]] in ".!?" and words.gaps[at + 1] > 0 and not after.islower()
        assert found[at] == bool(words.gaps[at + 1] >= 2 or stop)
    assert not found or found[-1]


CAPITALS = " Anna Novak met Peter Horvath and Maria Gonzalez."


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("The roof leaked again, and nothing was done.", True),
        ("He was unwell (or so it seemed).", True),
        ("A friend and I went home.", True),
        ("the roof leaked again.", False),
        ("The roof leaked in Oslo.", False),
        ("Anna left.", False),
        ("The roof leaked for two years.", False),
        ("It leaked 3 times.", False),
        ("It was sent to anna@here.", False),
        ("The IBM roof leaked.", False),
        ("The roof 東京 leaked.", False),
        ("Will you come?", False),
        ("Theresa left.", False),
        (f"{BLANK * 9} left.", True),
        (f"She met Dr. {BLANK * 9} again.", True),
        (f"Mr {BLANK} and Mrs {BLANK} left.", True),
        (f"She met Dr. Omar {BLANK}.", False),
        (f"She met the Doctor and {BLANK}.", False),
        ("She met Dr. again.", False),
    ],
)
def test_plain_sentences_are_those_without_any_sign_of_a_name(sentence: str, plain: bool) -> None:
    words = vocabulary().words(sentence + CAPITALS)
    known = SentenceBounds(vocabulary())
    found = known.plain(words, known.ends(words))
    count = len(vocabulary().words(sentence))
    assert found[:count].tolist() == [plain] * count
    assert not found[count:].any()


def test_a_text_that_hardly_has_capitals_has_no_plain_sentence() -> None:
    words = vocabulary().words("The roof leaked again. It was anna who said so. " * 20)
    known = SentenceBounds(vocabulary())
    assert not known.plain(words, known.ends(words)).any()


def test_the_pattern_for_words_takes_linear_time() -> None:
    text = "a" * 1_000_000
    assert len(vocabulary().words(text)) == 1
    assert len(vocabulary().words("\u0301" * 100_000)) == 0
    assert re.fullmatch(r"a+", text)
