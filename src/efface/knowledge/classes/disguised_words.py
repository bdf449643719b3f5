"""Words that are unknown to a reader, but that a person reads as known ones.

  cut         `fur-` / `nace` over the end of a line, and what else `other_readings` reads: `l'ordinateur`, `ordinateur2`
  inflected   `furnaces`, `smelting`: another form of a known word
  leetspeak   `furn4ce`: digits and signs for letters
  split       `fur nace`, `fur-na-ce`: pieces of a known word, one of which is none
  compound    `blastfurnace`: known words without a seam

These are not counted as the words that they say, since a reader who takes them for nothing would then be forgotten. They are a
second reading of the text (`with_words_undisguised`), and both readings are judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

from efface.knowledge.classes.other_readings import inner_words, read_otherwise
from efface.knowledge.classes.words import (
    VOID,
    Word,
    blank_placeholders,
    is_feature,
    with_cut_words_joined,
    words,
)
from efface.knowledge.taxonomy.concepts import lexicon
from efface.text.disguises.letter_signs import LEET, LEET_SPOT
from efface.text.folding import fold_term

_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "er", "ers", "e", "n", "en", "x")
_PUT_BEHIND = ("s", "es", "d", "ed", "e", "ing")
_SHORTEST = 4  # letters of a token that may be another form
_SHORTEST_STEM = 3
_SHORTEST_JOINED = 5  # letters of a word that is split
_SHORTEST_PART = 4  # letters of a known word in a compound
_SHORTEST_REST = 2  # letters of a stop word beside it
_MOST_PIECES = 6
_LONGEST = 40  # letters of a token that is looked into
_JOINTS = frozenset((*" \t\n-‐‑–._*/·", "\r\n"))
_WITH_SIGNS = re.compile(r"[\w@$€|!]{4,40}+")

Keys = tuple[str, ...]


class DisguisedWord(NamedTuple):
    """A place in the text, and the known words that a person reads there."""

    keys: Keys
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A place that may be a disguised word, and what it may say, the likeliest first."""

    start: int
    end: int
    readings: tuple[Keys, ...]


def disguised_words(
    text: str, known: Container[str], stop_words: Container[str] = ()
) -> tuple[DisguisedWord, ...]:
    """The disguised words of a text in order, none inside another. `known` are the words of the reader."""
    read = read_otherwise(with_cut_words_joined(text, known), known, stop_words)
    found = list(_read_otherwise(text, read, known))
    for guess in guesses(read, lambda key: key in known or key in stop_words, known):
        said = next((keys for keys in guess.readings if _is_said(keys, known, stop_words)), ())
        if said:
            found.append(DisguisedWord(tuple(key for key in said if key in known), guess.start, guess.end))
    return tuple(_disjoint(found))


def _read_otherwise(text: str, read: str, known: Container[str]) -> Iterator[DisguisedWord]:
    """The known words that another reading of the text has, and the text has not."""
    written = set(words(text)) if read != text else set()
    inside = (word for token, word in inner_words(read) if token not in known)
    for word in chain(words(read) if read != text else (), inside):
        if word.key in known and word not in written:
            yield DisguisedWord((word.key,), word.start, word.end)


def with_words_undisguised(text: str, found: Iterable[DisguisedWord]) -> str:
    """The text as a person reads it."""
    pieces, position = [], 0
    for word in found:
        pieces += [text[position : word.start], f" {' '.join(word.keys)} "]
        position = word.end
    return "".join([*pieces, text[position:]])


def possible_keys(text: str, is_known: Callable[[str], bool]) -> set[str]:
    """Every word that a disguised word of the text may say."""
    readings = (keys for guess in guesses(text, is_known) for keys in guess.readings)
    return {key for keys in readings for key in keys if is_feature(key)}


def guesses(
    text: str, is_known: Callable[[str], bool], wanted: Container[str] | None = None
) -> Iterator[Guess]:
    """Places that may be disguised words, for a reader who knows some words. None is a known word. Of words in pieces only those
    that are wanted are given, if it is said which: there are many."""
    text = blank_placeholders(text)
    tokens = list(words(text))
    unknown = [not is_known(token.key) and token.key[0] != VOID for token in tokens]
    yield from _split_words(text, tokens, unknown, wanted)
    if LEET_SPOT.search(text):
        yield from _leetspeak(text, is_known)
    for token, is_unknown in zip(tokens, unknown, strict=True):
        if is_unknown and _SHORTEST <= len(token.key) <= _LONGEST and not token.key.isdecimal():
            readings = (*((form,) for form in inflections(token.key)), *_compounds(token.key))
            yield Guess(token.start, token.end, readings)
    for inner in inner_words(text):
        if not is_known(inner.token) and not is_known(inner.word.key):
            readings = tuple((form,) for form in inflections(inner.word.key))
            yield Guess(inner.word.start, inner.word.end, readings)


def inflections(key: str) -> Iterator[str]:
    """Other forms of a word, or of what may be its stem."""
    stems = [key, lexicon().key(key)]
    for ending in _ENDINGS:
        if key.endswith(ending) and len(key) - len(ending) >= _SHORTEST_STEM:
            stems += _stems(key.removesuffix(ending))
    for stem in dict.fromkeys(stems):
        if stem != key:
            yield stem
        for ending in _PUT_BEHIND:
            yield stem + ending
        if stem.endswith("y"):
            yield from (stem[:-1] + ending for ending in ("ies", "ied"))
        if stem.endswith("e"):
            yield f"{stem[:-1]}ing"


def _stems(stem: str) -> Iterator[str]:
    """What may be left of a word without its ending: `furnac` of `furnace`, `planni` of `planning`."""
    yield stem
    if stem.endswith("i"):
        yield f"{stem[:-1]}y"
    if stem[-1] == stem[-2]:
        yield stem[:-1]
    if stem.endswith("v"):  # knives
        yield f"{stem[:-1]}f"
        yield f"{stem[:-1]}fe"


def _split_words(
    text: str, tokens: Sequence[Word], unknown: Sequence[bool], wanted: Container[str] | None
) -> Iterator[Guess]:
    """Neighbouring tokens that may be one word. One of them at least is no known word."""
    keys = [token.key for token in tokens]
    for first, last in _runs_with_unknown(unknown):
        key = "".join(keys[first : last + 1])
        if not (_SHORTEST_JOINED <= len(key) <= _LONGEST) or (wanted is not None and key not in wanted):
            continue
        run = tokens[first : last + 1]
        tied = all(text[one.end : two.start] in _JOINTS for one, two in pairwise(run))
        if tied and not key.isdecimal() and VOID not in key:
            yield Guess(run[0].start, run[-1].end, ((key,),))


def _runs_with_unknown(unknown: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The first and the last of every two to six neighbours among which one is unknown."""
    before = -1  # runs that begin up to here were given with an earlier one
    for at in [number for number, one in enumerate(unknown) if one]:
        for first in range(max(before + 1, at - _MOST_PIECES + 1), at + 1):
            reach = min(first + _MOST_PIECES, len(unknown))
            yield from ((first, last) for last in range(max(at, first + 1), reach))
        before = at


def _leetspeak(text: str, is_known: Callable[[str], bool]) -> Iterator[Guess]:
    for match in _WITH_SIGNS.finditer(text):
        written = match.group()
        if not LEET_SPOT.search(written) or is_known(fold_term(written)):
            continue
        said = list(dict.fromkeys(fold_term(written.translate(letters)) for letters in LEET))
        forms = [form for key in said for form in inflections(key)]
        yield Guess(*match.span(), tuple((key,) for key in (*said, *forms) if key.isalpha()))


def _compounds(key: str) -> Iterator[Keys]:
    """The word in two parts."""
    for at in range(_SHORTEST_REST, len(key) - _SHORTEST_REST + 1):
        if at >= _SHORTEST_PART or len(key) - at >= _SHORTEST_PART:
            yield key[:at], key[at:]


def _is_said(keys: Keys, known: Container[str], stop_words: Container[str]) -> bool:
    """Whether a reader knows what a place may say: of two parts both, a stop word beside a known one."""
    if len(keys) == 1:
        return keys[0] in known
    sizes = [len(key) >= _SHORTEST_PART and key in known for key in keys]
    return all(sizes) or (any(sizes) and any(key in stop_words for key in keys))


def _disjoint(found: Iterable[DisguisedWord]) -> Iterator[DisguisedWord]:
    end = 0
    for word in sorted(found, key=lambda one: (one.start, -one.end)):
        if word.start >= end:
            yield word
            end = word.end
