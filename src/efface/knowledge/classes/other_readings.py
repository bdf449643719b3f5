"""Words that a text shows and that are not written as one word: a reader with another idea of words sees them.

  joined   `bar-onix`, `b a r o n i x`: read whole where the reader knows none of the pieces
  elided   `l'ordinateur`, `O'Reilly`: read in parts where the reader does not know it whole
  inner    `OrdinateurOnline`, `ordinateur2`: the words between the seams of a token that the reader does not know

`words` reads a text as it is written. Here nothing is taken from that reading: only what the reader does not know as it
stands is read otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from efface.knowledge.classes.words import Word, blank_placeholders, cut_words, is_feature, word_keys
from efface.text.folding import fold_term

_APOSTROPHES = "'\u2019\u2018\u02bc\u2032"
_SMALL, _CAPITAL = "a-zß-öø-ÿ", "A-ZÀ-ÖØ-Þ"
_ELIDED = re.compile(rf"(?<![^\W_])[^\W_]++(?:[{_APOSTROPHES}][^\W_]++)++")
_BETWEEN_PARTS = re.compile(rf"[{_APOSTROPHES}]")
_HYPHENS = "-\u2010\u2011"
_HYPHENED = re.compile(rf"(?<![^\W_])[^\W\d_]++(?:[{_HYPHENS}][^\W\d_]++)++(?![^\W_])")
_LETTER = r"[^\W_](?![^\W_])"
_APART = re.compile(rf"(?<![^\W_]){_LETTER}(?P<gap>[ .*·-]){_LETTER}(?:(?P=gap){_LETTER}){{2,}}+")
_SOFT_HYPHEN = "\u00ad"
_SEAM = re.compile(
    rf"(?<=[{_SMALL}])(?=[{_CAPITAL}])|(?<=[{_CAPITAL}])(?=[{_CAPITAL}][{_SMALL}])"
    rf"|(?<=[{_SMALL}{_CAPITAL}])(?=[0-9])|(?<=[0-9])(?=[{_SMALL}{_CAPITAL}])"
)
_TOKEN = re.compile(rf"[{_SMALL}{_CAPITAL}0-9]++(?![^\W_])")
_LETTERS = f"[{_SMALL}{_CAPITAL}]"
# A seam that a word may stand beside, by the character behind it or before it. Every text is looked through for these,
# so the pattern begins with the few characters that a seam has.
_TELLING_SEAM = re.compile(
    rf"[{_CAPITAL}0-9](?:(?<=[{_SMALL}][{_CAPITAL}])|(?<=[{_CAPITAL}]{{2}})(?=[{_SMALL}])"
    rf"|(?<={_LETTERS}{{4}}[0-9])|(?<=[0-9])(?={_LETTERS}{{4}}))"
)
_MAY_BE_APART = re.compile(r"[ .*·-][^\W_][ .*·-][^\W_][ .*·-]")
_SHORTEST_INNER = 4  # letters: shorter ones stand in codes by chance


class InnerWord(NamedTuple):
    """A word inside of a token, and the token as the reader would know it."""

    token: str
    word: Word


def other_keys(text: str) -> set[str]:
    """Every word that some reading of a text may give, beside those that are written as one word."""
    text = blank_placeholders(text)
    found = {word.key for word in cut_words(text)}
    for pattern in (_HYPHENED, _APART):
        found |= {_whole_key(match.group()) for match in pattern.finditer(text)}
    for match in _ELIDED.finditer(text):
        found.update(_part_keys(match.group()))
    found |= {inner.word.key for inner in inner_words(text)}
    return {key for key in found if key and is_feature(key)}


def read_otherwise(text: str, known: Container[str], others: Container[str] = ()) -> str:
    """The text with the known words that it hides, whole or split, at unchanged offsets. `others` are words that
    count as known, such as stop words."""

    def apart(match: re.Match[str]) -> str:
        written = match.group()
        key = fold_term(written)
        is_known = key in known or key in others
        if is_known or not any(part in known for part in _part_keys(written)):
            return written
        return _BETWEEN_PARTS.sub(" ", written)

    def whole(match: re.Match[str]) -> str:
        written = match.group()
        if _whole_key(written) not in known or any(key in known for key in word_keys(written)):
            return written
        return "".join(char if char.isalnum() else _SOFT_HYPHEN for char in written)

    if any(mark in text for mark in _APOSTROPHES):
        text = _ELIDED.sub(apart, text)
    return _with_whole(text, whole)


def _with_whole(text: str, whole: Callable[[re.Match[str]], str]) -> str:
    """The text with hyphened words and spaced letters written as other words."""
    if any(mark in text for mark in _HYPHENS):
        text = _HYPHENED.sub(whole, text)
    return _APART.sub(whole, text) if _MAY_BE_APART.search(text) else text


def inner_words(text: str) -> Iterator[InnerWord]:
    """The words between the seams of longer tokens: where a capital follows a small letter, or a digit a letter."""
    text = blank_placeholders(text)
    read_to = 0
    for seam in _TELLING_SEAM.finditer(text):
        if seam.start() < read_to:
            continue
        start = _token_start(text, seam.start())
        match = _TOKEN.match(text, start)
        if match is None:  # a token with letters of another alphabet
            continue
        token, read_to = match.group(), match.end()
        seams = [seam.start() for seam in _SEAM.finditer(token)]
        for low, high in zip((0, *seams), (*seams, len(token)), strict=True):
            part = token[low:high]
            if len(part) >= _SHORTEST_INNER and part.isalpha():
                yield InnerWord(fold_term(token), Word(fold_term(part), start + low, start + high))


def _token_start(text: str, at: int) -> int:
    while at and text[at - 1].isalnum():
        at -= 1
    return at


def is_seam(text: str, at: int) -> bool:
    """Whether a token begins, ends or has a seam here."""
    if not 0 < at < len(text) or not (text[at - 1].isalnum() and text[at].isalnum()):
        return True
    return _SEAM.match(text, at) is not None


def with_pieces_joined(text: str) -> str:
    """The text with hyphened words and spaced letters joined into single words, at unchanged offsets."""

    def whole(match: re.Match[str]) -> str:
        return "".join(char if char.isalnum() else _SOFT_HYPHEN for char in match.group())

    return _with_whole(text, whole)


def _part_keys(written: str) -> list[str]:
    return [fold_term(part) for part in _BETWEEN_PARTS.split(written)]


def _whole_key(written: str) -> str:
    return fold_term("".join(filter(str.isalnum, written)))
