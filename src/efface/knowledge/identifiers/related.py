"""Words that go with an identifier: rules `word → identifier` over the labelled documents.

A name that is gone can be guessed from words that appear only beside it. They become a category of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np

from efface.learners.features import Flags
from efface.learners.names import dictionary
from efface.learners.tokens import Tokens

SUPPORT = 3  # documents that hold both
LIFT = 3.0  # times likelier beside the word than anywhere
_SHORTEST = 3  # letters of a word that is related to others
_MOST_WORDS = 5_000  # words of a document; what comes later in a longer one makes no rules


def related(texts: Sequence[Tokens], sensitive: Sequence[Flags], confidence: float) -> list[Flags]:
    """The tokens, not sensitive themselves, that a rule of at least this confidence ties to an identifier."""
    bags = [_bags(tokens, flags) for tokens, flags in zip(texts, sensitive, strict=True)]
    rules = _rules(bags, confidence)
    tied = []
    for tokens, flags, (_, names) in zip(texts, sensitive, bags, strict=True):
        tied.append(_tied(tokens, flags, names, rules))
    return tied


def _rules(bags: Sequence[tuple[list[str], list[str]]], confidence: float) -> dict[str, set[str]]:
    """Each word that gives identifiers away, with those that it gives away."""
    of_words: Counter[str] = Counter()
    of_names: Counter[str] = Counter()
    for words, names in bags:
        of_words.update(words)
        of_names.update(names)
    both: Counter[tuple[str, str]] = Counter()
    for words, names in bags:
        often = [word for word in words if of_words[word] >= SUPPORT]
        shared = [name for name in names if of_names[name] >= SUPPORT]
        both.update(product(often, shared))
    rules: dict[str, set[str]] = {}
    for (word, name), count in both.items():
        expected = of_words[word] * of_names[name] / len(bags)
        if count >= SUPPORT and count >= confidence * of_words[word] and count >= LIFT * expected:
            rules.setdefault(word, set()).add(name)
    return rules


def _bags(tokens: Tokens, flags: Flags) -> tuple[list[str], list[str]]:
    """The document's words that could give an identifier away, and its identifiers; each once."""
    words: dict[str, None] = {}
    names: dict[str, None] = {}
    for word, hidden in zip(tokens.words, flags.tolist(), strict=True):
        if len(word) < _SHORTEST or not word[0].isalnum() or len(words) >= _MOST_WORDS:
            continue
        lower = word.lower()
        if "c" in dictionary().get(lower, ""):  # a common word tells nothing
            continue
        (names if hidden else words)[lower] = None
    return [word for word in words if word not in names], list(names)


def _tied(tokens: Tokens, flags: Flags, names: Sequence[str], rules: dict[str, set[str]]) -> Flags:
    present = set(names)
    return np.array(
        [
            not hidden and not present.isdisjoint(rules.get(word.lower(), ()))
            for word, hidden in zip(tokens.words, flags.tolist(), strict=True)
        ],
        np.bool_,
    )
