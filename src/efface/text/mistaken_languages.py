"""Text identified as a language whose words it does not contain: Russian, Chinese or Arabic in Latin letters, dialects.

The language of a line is told among those whose spelling is known, so a line in another one gets the likeliest of these.
Its words betray it. An English sentence is made of ordinary English words. In the other languages only the small
words are known, so all that a document says in one of them is judged together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from efface.text.function_words import FUNCTION_WORDS
from efface.text.language import LanguageStretch, is_english_word

_ENGLISH = "en"
_SENTENCE = re.compile(r'[^.!?:;"“”„«»|\t\n()]+')
_SIGNS = re.compile(r'[.!?:;"“”„«»|()](?!\S)|(?<!\S)["“”„«»|(]')  # signs at the edges of words
_EDGES = ",'’‘`…–—"
_NUMBER = re.compile(r"[0-9]++")
_LEAST_WORDS, _LEAST_DIFFERENT = 6, 5  # in small letters, that tell something
_FEW_WORDS = 4  # so many words are enough to judge by, if none of them is English
_MOST_NUMBERS = 1  # a line with more is a list of doses, sizes or prices
_MOST_COMMAS = 1 / 3  # commas for each word; a line with more is a list of drugs or parts
# The least share of English words; one in 4,000 English sentences that are not tweets has fewer.
_LEAST_ENGLISH = 0.3
_LEAST_SMALL = 0.13  # the least share of function words of the language


def mistaken_lines(text: str, stretches: Sequence[LanguageStretch]) -> list[int]:
    """The numbers of the lines whose words are not those of the language that they were taken for."""
    places: list[int] = []
    others: dict[str, list[tuple[int, list[str]]]] = defaultdict(list)
    for stretch in stretches:
        if stretch.language == _ENGLISH:
            places += _not_english(text, stretch)
        elif stretch.language in FUNCTION_WORDS:
            for line in _telling_pieces(text, stretch, _lines):
                if _is_enough(line[1]):
                    others[stretch.language].append(line)
    # Of other languages only the small words are known, so all lines of one are judged together.
    for language, lines in others.items():
        words: list[str] = []
        for _, line_words in lines:
            words += line_words
        if _share_known(words, FUNCTION_WORDS[language]) < _LEAST_SMALL:
            places += [place for place, _ in lines]
    return sorted({text.count("\n", 0, place) + 1 for place in places})


def _not_english(text: str, stretch: LanguageStretch) -> Iterator[int]:
    """Where a line or a sentence begins that has hardly an English word."""
    for pieces in (_lines, _sentences):
        for place, words in _telling_pieces(text, stretch, pieces):
            least = _LEAST_ENGLISH * len(words) if _is_enough(words) else 1
            if not _has_english(words, max(1, least)):
                yield place


def _has_english(words: Sequence[str], least: float) -> bool:
    """Whether enough of the words are English. Most sentences show it within their first words."""
    known = 0
    for word in words:
        known += word in FUNCTION_WORDS[_ENGLISH] or is_english_word(word)
        if known >= least:
            return True
    return False


def _lines(text: str, stretch: LanguageStretch) -> Iterator[tuple[int, str]]:
    start = stretch.start
    for line in text[stretch.start : stretch.end].splitlines(keepends=True):
        yield start, line
        start += len(line)


def _sentences(text: str, stretch: LanguageStretch) -> Iterator[tuple[int, str]]:
    for sentence in _SENTENCE.finditer(text, stretch.start, stretch.end):
        yield sentence.start(), sentence.group()


def _telling_pieces(
    text: str,
    stretch: LanguageStretch,
    pieces: Callable[[str, LanguageStretch], Iterator[tuple[int, str]]],
) -> Iterator[tuple[int, list[str]]]:
    """The pieces of a stretch that say something of their language: where each begins, and its words in small letters."""
    for place, piece in pieces(text, stretch):
        words = _small_words(piece)
        if len(set(words)) < _FEW_WORDS:
            continue
        numbers = _NUMBER.findall(piece)
        if len(numbers) <= _MOST_NUMBERS and piece.count(",") <= _MOST_COMMAS * len(words):
            yield place, words


def _small_words(piece: str) -> list[str]:
    """The words in small letters. What is glued to a sign or a digit is a file, a command or an address."""
    stripped = (token.strip(_EDGES) for token in _SIGNS.sub(" ", piece).split())
    return [word for word in stripped if word.isalpha() and word.islower()]


def _is_enough(words: Sequence[str]) -> bool:
    return len(words) >= _LEAST_WORDS and len(set(words)) >= _LEAST_DIFFERENT


def _share_known(words: Sequence[str], known: frozenset[str]) -> float:
    return sum(word in known for word in words) / len(words) if words else 1.0
