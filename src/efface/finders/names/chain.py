"""A linear chain over words: what their letters, shapes and neighbours say of them, in languages other than English.

The weights were learned by crfsuite and are applied here with numpy. Every word's features are looked up once; what a
place in the text adds up to is the sum over the five words around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
import numpy.typing as npt

from efface.errors import InputError
from efface.learners.names import dictionary

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

CHAIN = "languages.chain.npz"  # the chain for all languages that have none of their own
OWN_CHAINS = "chains"  # a folder with one for each language
KINDS = ("PERSON", "LOCATION", "ORGANIZATION")
LABELS = ("O", *(f"{mark}-{kind}" for kind in KINDS for mark in "BI"))
PLACES = (-2, -1, 0, 1, 2)
PAIR_PLACES = (-1, 0, 1, 2)  # the places of the second of two neighbours
PAD = ""  # stands before the first word of a line and after its last
LONGEST = 150  # words of a line that are judged together
TOGETHER = 64  # lines at once
REMEMBERED = 50_000  # words
_RUNS = re.compile(r"(.)\1+")


def listed(word: str) -> str:
    """The lists of names that have a word in lower case, one letter for each."""
    return dictionary().get(word, "")


def features(
    word: str, lists_of: Callable[[str], str] = listed
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The features of a word: for its own position, for the next one, and for the one after that."""
    if word == PAD:
        return ("pad",), ("pad",), ("pad",)
    word = word[:24]
    lower = word.lower()
    shape = _shape(word)
    short = _RUNS.sub(r"\1", shape)
    lists = lists_of(lower)
    far = (f"w{lower}", f"s{short}")
    near = (*far, f"x{lower[-3:]}", f"d{lists}", *(f"l{letter}" for letter in lists))
    own = [*near, f"S{shape[:10]}", f"b{short}{lists}"]
    for size in range(1, min(5, len(lower)) + 1):
        own.append(f"p{lower[:size]}")
        own.append(f"e{lower[-size:]}")
    return tuple(own), near, far


def _shape(word: str) -> str:
    return "".join(
        "X" if char.isupper() else "x" if char.isalpha() else "9" if char.isdigit() else char for char in word
    )


def placed(features_of: tuple[tuple[str, ...], ...], place: int) -> Iterator[str]:
    """The features of a word as they are seen from `place` words before or after it."""
    return (f"{place}{feature}" for feature in features_of[abs(place)])


def pair_feature(left: str, right: str, place: int) -> str:
    """Two neighbours as they are seen from `place` words before or after the second one."""
    return f"{place}c{left}\t{right}"


@dataclass(frozen=True, slots=True)
class NameLists:
    """Given names, surnames and towns of one language, by the checksum of each word."""

    letters: str
    words: tuple[npt.NDArray[np.uint32], ...]

    def __call__(self, word: str) -> str:
        """What `listed` says, and a letter for each of these lists that has the word."""
        key = np.uint32(hashed(word))
        own = [letter for letter, some in zip(self.letters, self.words, strict=True) if _has(some, key)]
        return listed(word) + "".join(own)


def _has(sorted_keys: npt.NDArray[np.uint32], key: np.uint32) -> bool:
    at = int(np.searchsorted(sorted_keys, key))
    return at < len(sorted_keys) and bool(sorted_keys[at] == key)


@dataclass(frozen=True, slots=True)
class ChainWeights:
    """What was learned: a row of weights for each feature, and what each step from one label to the next adds.

    `pairs` says whether neighbours count as pairs, too. They do where each letter is a word of its own.
    """

    keys: npt.NDArray[np.uint32]
    weights: Floats
    steps: Floats
    lists: Callable[[str], str] = listed
    pairs: bool = False


class CachedChain:
    """The weights with a memory for words. For many threads."""

    def __init__(self, learned: ChainWeights) -> None:
        self._learned = learned
        self._steps = learned.steps
        self._lock = Lock()
        self._known: dict[tuple[str, ...], Floats] = {}

    @property
    def lists(self) -> Callable[[str], str]:
        """What says the lists that have a word."""
        return self._learned.lists

    def probabilities(self, words: Sequence[str], lines: Ints) -> Floats:
        """For every word how probable each of `LABELS` is. `lines` has the first word of each line."""
        if not words:
            return np.zeros((0, len(LABELS)), np.float32)
        found = np.zeros((len(words), len(LABELS)), np.float32)
        bounds = list(_line_pieces(lines.tolist(), len(words)))
        bounds.sort(key=lambda ends: ends[1] - ends[0])
        for at in range(0, len(bounds), TOGETHER):
            self._judge(words, bounds[at : at + TOGETHER], found)
        return found

    def _judge(self, words: Sequence[str], bounds: Sequence[tuple[int, int]], found: Floats) -> None:
        longest = max(last - first for first, last in bounds)
        scores = np.zeros((len(bounds), longest, len(LABELS)), np.float32)
        for row, (first, last) in enumerate(bounds):
            scores[row, : last - first] = self._scores(words[first:last])
        lengths = np.array([last - first for first, last in bounds])
        judged = marginals(scores, lengths, self._steps)
        for row, (first, last) in enumerate(bounds):
            found[first:last] = judged[row, : last - first]

    def _scores(self, words: Sequence[str]) -> Floats:
        edge = [PAD] * max(PLACES)
        table = np.stack([self._remembered((word,)) for word in (*edge, *words, *edge)])
        total = np.zeros((len(words), len(LABELS)), np.float32)
        for number, place in enumerate(PLACES):
            total += table[2 + place : 2 + place + len(words), number]
        if self._learned.pairs:
            around = (*edge, *words, *edge)
            pairs = np.stack([self._remembered(pair) for pair in pairwise(around)])
            for number, place in enumerate(
                PAIR_PLACES
            ):  # the pair numbered n ends with the word numbered n + 1
                total += pairs[1 + place : 1 + place + len(words), number]
        return total

    def _remembered(self, words: tuple[str, ...]) -> Floats:
        """For each place, what a word or a pair adds to the labels of the word there."""
        known = self._known.get(words)
        if known is None:
            known = self._looked_up(words)
            with self._lock:
                if len(self._known) >= REMEMBERED:
                    self._known.clear()
                self._known[words] = known
        return known

    def _looked_up(self, words: tuple[str, ...]) -> Floats:
        if len(words) == 1:
            own = features(words[0], self._learned.lists)
            return np.stack([self._sum(placed(own, place)) for place in PLACES])
        left, right = words
        return np.stack([self._sum((pair_feature(left, right, place),)) for place in PAIR_PLACES])

    def _sum(self, wanted: Iterable[str]) -> Floats:
        keys = self._learned.keys
        numbers = np.array([hashed(feature) for feature in wanted], np.uint32)
        at = np.minimum(np.searchsorted(keys, numbers), len(keys) - 1)
        return np.asarray(self._learned.weights[at[keys[at] == numbers]].sum(0), np.float32)


def hashed(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass"))


def _line_pieces(firsts: Sequence[int], count: int) -> Iterator[tuple[int, int]]:
    """First and last word of each line; a long line in pieces."""
    for first, last in zip(firsts, [*firsts[1:], count], strict=True):
        for start in range(first, last, LONGEST):
            yield start, min(start + LONGEST, last)


def marginals(scores: Floats, lengths: Ints, steps: Floats) -> Floats:
    """Forward and backward sums over lines of several lengths: how probable each label is for each word."""
    longest = scores.shape[1]
    forward, backward = np.array(scores), np.zeros_like(scores)
    for at in range(1, longest):
        forward[:, at] += _summed(forward[:, at - 1, :, None] + steps, 1)
    for at in range(longest - 2, -1, -1):
        after = _summed(steps + (scores[:, at + 1] + backward[:, at + 1])[:, None, :], 2)
        backward[:, at] = np.where((at + 1 < lengths)[:, None], after, 0)
    both = forward + backward
    both -= both.max(2, keepdims=True)
    chances = np.exp(both)
    return np.asarray(chances / chances.sum(2, keepdims=True), np.float32)


def _summed(values: Floats, axis: int) -> Floats:
    top = values.max(axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis)) + top.squeeze(axis), np.float32)


@lru_cache(maxsize=16)
def load_chain(folder: Path, language: str = "") -> CachedChain:
    """The packed weights of a folder: the language's own, or without one those for all."""
    path = folder / OWN_CHAINS / f"{language}.npz" if language else folder / CHAIN
    try:
        with np.load(path, allow_pickle=False) as packed:
            weights = packed["weights"].astype(np.float32) * packed["scale"]
            return CachedChain(
                ChainWeights(packed["keys"], weights, packed["steps"], _lists(packed), "pairs" in packed)
            )
    except (OSError, ValueError, KeyError, BadZipFile):
        raise InputError(
            "The weights of the names finder cannot be read.",
            "Install efface again, or set `find.names: none`.",
        ) from None


def _lists(packed: Mapping[str, npt.NDArray[np.uint32]]) -> Callable[[str], str]:
    """The language's own lists of names with those for all; the chain for all languages has none of its own."""
    letters = "".join(sorted(name[5:] for name in packed if name.startswith("list_")))
    return NameLists(letters, tuple(packed[f"list_{letter}"] for letter in letters)) if letters else listed
