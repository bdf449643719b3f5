"""From probabilities of words to mentions, against the definition word by word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.finders.names.decoding import DecodedMention, decode, trimmed
from efface.finders.names.finder import whole_names
from efface.finders.names.model import PACKAGED, TYPES, WordPredictions
from efface.finders.names.repeats import ReadText
from efface.finders.names.tokens import LOWER, SIGN, TITLE, Vocabulary

LIMITS = dict.fromkeys(TYPES, 0.5)
WORDS = st.tuples(
    st.integers(0, 2),  # the type that is most probable
    st.sampled_from([0.25, 0.75]),  # how probable
    st.sampled_from([0.125, 0.25, 0.75]),  # that a mention begins
    st.sampled_from([LOWER, TITLE, SIGN]),
    st.integers(0, 3),
)


def slow(words: list[tuple[int, float, float, int, int]]) -> list[tuple[int, int, str]]:
    """A word is of its type if that is probable enough; a sign glued between two of one type is of it too."""
    kinds = [kind if share >= 0.5 else None for kind, share, _, _, _ in words]
    plain = list(kinds)
    for at in range(1, len(words) - 1):
        glued = words[at][3] == SIGN and words[at][4] == 0 and words[at + 1][4] == 0
        if plain[at] is None and glued and plain[at - 1] is not None and plain[at - 1] == plain[at + 1]:
            kinds[at] = plain[at - 1]
    runs: list[list[int]] = []
    for at, kind in enumerate(kinds):
        if kind is None:
            continue
        _, _, begins, _, gap = words[at]
        before = kinds[at - 1] if at else None
        changed = before != kind
        enough = 0.25 if TYPES[kind] == "PERSON" and gap >= 2 else 0.5  # a signature, then a salutation
        if before is None or (begins >= enough and (gap > 0 or changed)) or (changed and gap >= 2):
            runs.append([])
        runs[-1].append(at)
    found = []
    for run in runs:
        shares = [sum(words[at][1] for at in run if words[at][0] == kind) for kind in range(3)]
        found.append((run[0], run[-1] + 1, TYPES[shares.index(max(shares))]))
    return found


@given(st.lists(WORDS, max_size=12))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_mentions_are_their_definition(words: list[tuple[int, float, float, int, int]]) -> None:
    types = np.zeros((len(words), len(TYPES)), np.float32)
    for at, (kind, share, *_) in enumerate(words):
        types[at, kind] = share
    begins = np.array([one[2] for one in words], np.float32)
    cases, gaps = (np.array([one[column] for one in words], np.int8) for column in (3, 4))
    found = list(decode(WordPredictions(types, begins, begins), LIMITS, cases, gaps))
    assert [(one.first, one.last, one.type) for one in found] == slow(words)
    for one in found:
        kind = TYPES.index(one.type)
        assert one.score == pytest.approx(types[one.first : one.last, kind].mean(), abs=1e-6)
        assert one.mask == pytest.approx(begins[one.first : one.last].mean(), abs=1e-6)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("“Anna,", "Anna"),
        ("(Acme (UK))", "Acme (UK)"),
        ("Acme Ltd.", "Acme Ltd."),
        ("--", ""),
        ("Anna", "Anna"),
        ("08:40.", "08:40"),
        ("7 March 1980.", "7 March 1980"),
        ("am 3.", "am 3."),
    ],
)
def test_ends_are_trimmed(text: str, kept: str) -> None:
    start, end = trimmed(text, 0, len(text))
    assert text[start:end] == kept


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("Michael J. McDermott", True),
        ("Michael J McDermott", True),
        ("Michael a McDermott", False),
        ("Michael, J. McDermott", False),
        ("Michael J.\nMcDermott", False),
        ("Michael and McDermott", False),
        ("McDermott, Michael", True),
        ("McDermott,  Michael", False),
        ("McDermott; Michael", False),
        ("V McDermott", True),
        ("v McDermott", False),
        ("V\nMcDermott", False),
        ("Anna McDermott", False),
    ],
)
def test_parts_of_a_name_are_joined(text: str, joined: bool) -> None:
    words = Vocabulary.load(PACKAGED / "vocab.txt").words(text)
    last = len(words) - 1
    ones = np.ones(last + 1, np.float16)
    heads = words.pieces[words.heads[:-1]]
    page = ReadText(text, words.starts, words.ends, words.cases, heads, ones, ones, [])
    found = [DecodedMention(0, 1, "PERSON", 1.0, 0.0), DecodedMention(last, last + 1, "PERSON", 0.5, 1.0)]
    expected = [DecodedMention(0, last + 1, "PERSON", 0.75, 0.5)] if joined else found
    assert whole_names(page, found) == expected


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("Employee: ", "\nManager", True),
        ("To: A B; ", "; C", True),
        ("", " <s@example.org>", True),
        ('"', '" <s@example.org>', True),
        ('" ', ' " wrote', True),
        ('"I met ', '"', False),
        ("We met ", " there", False),
        ("Employee: ", " and Tom", False),
        ("with ", "\n", False),
    ],
)
def test_a_surname_and_a_given_name_in_a_list_are_one(before: str, after: str, joined: bool) -> None:
    text = f"{before}Garcia, Sofia{after}"
    words = Vocabulary.load(PACKAGED / "vocab.txt").words(text)
    first = words.starts.tolist().index(len(before))
    ones = np.ones(len(words), np.float16)
    heads = words.pieces[words.heads[:-1]]
    page = ReadText(text, words.starts, words.ends, words.cases, heads, ones, ones, [])
    found = [
        DecodedMention(first, first + 1, "PERSON", 1.0, 1.0),
        DecodedMention(first + 2, first + 3, "PERSON", 1.0, 1.0),
    ]
    assert len(whole_names(page, found)) == (1 if joined else 2)
