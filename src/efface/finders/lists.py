"""Listed terms (deny and keep lists), found however they are spelled, spaced or disguised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from efface.core import FinderTraits, Mention
from efface.text.disguises.emphasis import Unmarked, is_emphasised, unmarked, with_partner_marks
from efface.text.disguises.encoded_tokens import EncodedToken, encoded_tokens
from efface.text.disguises.glued_tokens import glued_token, token_around
from efface.text.disguises.letter_signs import LEET, LEET_SPOT
from efface.text.disguises.neighbouring_fields import NeighbouringFields
from efface.text.disguises.page_ends import PageEnds
from efface.text.disguises.spaced_letters import (
    find_spaced_letters,
    joined,
    reversed_word,
    twin_readings,
)
from efface.text.disguises.stacked_cells import StackedCells
from efface.text.disguises.tags import pieces_over_tags
from efface.text.disguises.transliteration import transliterated
from efface.text.folding import Folded, fold, fold_term, foldings
from efface.text.ordinary_words import is_ordinary
from efface.text.search.term_prefilter import TermPrefilter

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_BLOCK = 1 << 20  # characters that are searched at once
_MARGIN = 4096  # characters around a block: a term may stand across its end
# ASCII characters that pass for one another: I and 1 and | for l, 0 for o.
_TWINS = str.maketrans("I1|0", "lllo")
_DOTTED_TWINS = str.maketrans("1|0", "iio")  # the same characters for i
_TWIN_SPOT = re.compile(r"[I01|](?:(?<=[a-z]I)|(?<=I)(?=[b-z])|(?<=[A-Za-z][01|])|(?<=[01|])(?=[A-Za-z]))")
_TWIN_MINIMUM = 4  # shorter terms would match numbers and codes
# Signs around one word of a phrase: Project "Falcon", Project (Falcon), Project: Falcon.
_SIGNS = '"“”„‟«»‹›()[]{}:'
_QUOTED = re.compile(rf"(?<=[\w ])[{re.escape(_SIGNS)}](?=[\w ])")
_UNQUOTED = str.maketrans(dict.fromkeys(_SIGNS, " "))
_WORDS = re.compile(r"[^\W_]+")
_LETTERS_ONLY = re.compile(r"[\W_]+")
_COMPOUND = 4  # words that are written as one
_COMPOUNDED = 5  # letters of an ordinary one that is known in a word made of several
_LONGEST_COMPOUND = 60  # letters beside the term: a longer token is no word
_GLUED = 2  # letters of a term that is known inside a longer token


@dataclass(frozen=True, slots=True)
class Listed:
    """A term of a list. With `case`, only this spelling of upper and lower case counts."""

    term: str
    case: bool = False
    type: str = "DENIED"


@dataclass(frozen=True)
class WordFinder:
    """Finds every occurrence of the listed terms, overlaps included.

    `glued`: also those inside a longer token, which is then found whole ("JWhitcombe1957", "ProjectFalcon").
    """

    listed: tuple[Listed, ...]
    because: str = "on the deny list"
    glued: bool = False

    traits: ClassVar[FinderTraits] = FinderTraits(overrules_keep=True, is_list=True)

    def find(self, text: str) -> Iterator[Mention]:
        if not self._by_key:
            return
        margin = self._margin
        for start in range(0, len(text), _BLOCK):
            stop = min(start + _BLOCK, len(text))
            low = max(0, start - margin)
            window = text[low : stop + margin]
            seen: set[tuple[int, int, str]] = set()
            for begin, end, key, surface in self._matches(window):
                if start <= begin + low < stop and (begin, end, key) not in seen:
                    seen.add((begin, end, key))
                    yield from self._mentions(text, begin + low, end + low, key, surface)

    def _matches(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """(start, end, key, how the term is written there)."""
        if self.glued:
            yield from self._halved_matches(text)
            yield from self._tagged_matches(text)
        tokens = list(encoded_tokens(text)) if self.glued else []
        readings = dict.fromkeys(token.reading for token in tokens)
        plain = unmarked(text) if self.glued else None
        if plain is not None:
            readings[plain.text] = None
        if not self._prefilter.may_be_in((text, *readings)):
            return
        yield from self._plain_matches(text)
        if self.glued:
            yield from self._hidden_matches(text, tokens)
        if plain is not None:
            yield from self._emphasised_matches(text, plain)

    def _halved_matches(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """Both halves of a term that is broken over two cells, one below the other, two fields, or the end of a page."""
        keys = self._words_joined
        halved = (self._stacked_cells, self._neighbouring_fields, self._page_ends)
        for which, upper, lower in chain.from_iterable(each.find(text) for each in halved):
            surface = text[upper.start : upper.end] + text[lower.start : lower.end]
            yield from ((half.start, half.end, keys[which], surface) for half in (upper, lower))

    def _tagged_matches(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """The pieces of a term with tags between its letters: "Zanzi<x>barov". The tags stay."""
        for which, pieces in pieces_over_tags(text, self._look_for_joined):
            key = self._joined_keys[which][1]
            surface = "".join(text[piece.start : piece.end] for piece in pieces)
            if len(key) > _TWIN_MINIMUM:
                yield from ((piece.start, piece.end, key, surface) for piece in pieces)

    def _emphasised_matches(self, text: str, plain: Unmarked) -> Iterator[tuple[int, int, str, str]]:
        """The matches with marks of emphasis between the words of a term: "**Falcon** Ridge"."""
        for start, end, key in _search(self._automaton, self._keys, fold(plain.text)):
            place = plain.span(start, end)
            if len(key) >= _TWIN_MINIMUM and is_emphasised(text, place.start, place.end):
                place = with_partner_marks(text, place.start, place.end)
                yield place.start, place.end, key, plain.text[start:end]

    def _plain_matches(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """Where a term stands as it is, with quotes inside, with letters that look alike, or with digits or signs for letters."""
        whole = text if self.glued else None
        for folded in foldings(text):
            for start, end, key in _search(self._automaton, self._keys, folded, whole):
                yield start, end, key, text[start:end]
        # A phrase with a quote inside: Project "Falcon".
        if self.glued and self._has_phrases and _QUOTED.search(text):
            for start, end, key in _search(self._automaton, self._keys, fold(text.translate(_UNQUOTED))):
                if _QUOTED.search(text, start, end):
                    yield start, _with_closing(text, start, end), key, text[start:end].translate(_UNQUOTED)
        # Letters of other scripts that look like Latin ones.
        if self._twin_keys and _has_twin(text):
            twins = fold(text.translate(_TWINS))
            for start, end, key in _search(self._twin_automaton, self._twin_keys, twins):
                yield start, end, key, text[start:end]
            for start, end, key in _search(self._automaton, self._keys, fold(text.translate(_DOTTED_TWINS))):
                surface = text[start:end]
                if len(key) >= _TWIN_MINIMUM and _TWIN_SPOT.search(surface):
                    yield start, end, key, surface
        if LEET_SPOT.search(text):
            yield from self._leet_matches(text)

    def _leet_matches(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """The matches with digits and signs that people write for letters: "Wh1tc0mb3", "Wh!tcombe"."""
        for twins in LEET:
            for start, end, key in _search(self._automaton, self._keys, fold(text.translate(twins))):
                surface = text[start:end]
                if len(key) > _TWIN_MINIMUM and LEET_SPOT.search(surface):
                    yield start, end, key, surface

    def _hidden_matches(
        self, text: str, tokens: Sequence[EncodedToken]
    ) -> Iterator[tuple[int, int, str, str]]:
        """The matches where a term is spelled letter by letter, or where a decoded token holds it."""
        for reading in twin_readings(text):
            folded = fold(reading)
            for which, low, high in find_spaced_letters(
                text, folded, self._look_for_joined, self._words_joined
            ):
                span = folded.span(low, high)
                letters = _LETTERS_ONLY.sub("", reading[span.start : span.end])
                yield span.start, span.end, self._joined_keys[which][1], letters
        for token in tokens:
            raw = fold_term(text[token.start : token.end])
            for low, high, key, surface in self._plain_matches(token.reading):
                if len(key) >= _TWIN_MINIMUM and fold_term(token.reading).count(key) > raw.count(key):
                    place = token.place_of(text, low, high)
                    yield place.start, place.end, key, surface

    def _look_for_joined(self, text: str) -> Iterator[tuple[int, int, int]]:
        if self._joined_keys:
            yield from self._joined_automaton.find_matches_as_indexes(text, overlapping=True)

    def _mentions(self, text: str, start: int, end: int, key: str, surface: str) -> Iterator[Mention]:
        surface = _surface(surface)
        low, high = token_around(text, start, end) if self.glued else (start, end)
        for listed in self._by_key[key]:
            if not listed.case or surface in (_surface(listed.term), _without_blanks(listed.term)):
                yield Mention(low, high, listed.type, key, 1.0, self.because)

    @cached_property
    def _margin(self) -> int:
        """Characters on either side of a block in which a term may end or begin."""
        return max(_MARGIN, 4 * max(len(key) for key in self._by_key))

    @cached_property
    def _by_key(self) -> dict[str, list[Listed]]:
        by_key: dict[str, list[Listed]] = {}
        for listed in self.listed:
            key = fold_term(listed.term)
            if key:
                by_key.setdefault(key, []).append(listed)
        return by_key

    @cached_property
    def _keys(self) -> tuple[tuple[str, str], ...]:
        """What to look for and its key; a hyphen may have been lost at a line's end."""
        spellings = {key: key for key in self._by_key}
        for key in self._by_key:
            spellings.setdefault(key.replace("-", ""), key)
            for spelling in (*_compounds(key), reversed_word(key)) if self.glued else ():
                spellings.setdefault(spelling, key)
        for listed in self.listed if self.glued else ():
            spellings.setdefault(transliterated(listed.term), fold_term(listed.term))
        return tuple((spelling, key) for spelling, key in sorted(spellings.items()) if spelling)

    @cached_property
    def _has_phrases(self) -> bool:
        return any(" " in key for key in self._by_key)

    @cached_property
    def _twin_keys(self) -> tuple[tuple[str, str], ...]:
        twins = {
            fold_term(listed.term.translate(_TWINS)): fold_term(listed.term)
            for listed in self.listed
            if len(fold_term(listed.term)) >= _TWIN_MINIMUM and not listed.case
        }
        return tuple(sorted(twins.items()))

    @cached_property
    def _joined_keys(self) -> tuple[tuple[str, str], ...]:
        """The terms with nothing between their letters, and their keys."""
        return tuple(sorted({joined(key): key for key in self._by_key if joined(key)}.items()))

    @cached_property
    def _words_joined(self) -> tuple[str, ...]:
        return tuple(key for _, key in self._joined_keys)

    @cached_property
    def _stacked_cells(self) -> StackedCells:
        return StackedCells(self._words_joined)

    @cached_property
    def _neighbouring_fields(self) -> NeighbouringFields:
        return NeighbouringFields(self._words_joined)

    @cached_property
    def _page_ends(self) -> PageEnds:
        return PageEnds(self._words_joined)

    @cached_property
    def _prefilter(self) -> TermPrefilter:
        """A search that is passed by every text with one of these spellings, apart from look-alike letters, signs
        and gaps."""
        spelled = (spelling for spelling, _ in (*self._keys, *self._twin_keys, *self._joined_keys))
        return TermPrefilter(spelled)

    @cached_property
    def _joined_automaton(self) -> AhoCorasick:
        return _build(self._joined_keys)

    @cached_property
    def _automaton(self) -> AhoCorasick:
        return _build(self._keys)

    @cached_property
    def _twin_automaton(self) -> AhoCorasick:
        return _build(self._twin_keys)


def _has_twin(text: str) -> bool:
    """Whether a letter or digit may mean its twin."""
    return _TWIN_SPOT.search(text) is not None


def _build(keys: Iterable[tuple[str, str]]) -> AhoCorasick:
    from ahocorasick_rs import AhoCorasick

    return AhoCorasick([spelling for spelling, _ in keys])


def _with_closing(text: str, start: int, end: int) -> int:
    """Where a match ends that has a sign inside: after the sign that closes it."""
    opened = any(sign in _SIGNS for sign in text[start:end])
    return end + 1 if opened and text[end : end + 1] in tuple(_SIGNS.replace(":", "")) else end


def _compounds(key: str) -> Iterator[str]:
    """How several words are written as one: "projectfalcon", "project_falcon", "project-falcon"."""
    words = _WORDS.findall(key)
    if 1 < len(words) <= _COMPOUND and sum(map(len, words)) > _TWIN_MINIMUM:
        for joint in ("", "_", "-", ".", " "):
            yield joint.join(words)


def _search(
    automaton: AhoCorasick, keys: tuple[tuple[str, str], ...], folded: Folded, whole: str | None = None
) -> Iterator[tuple[int, int, str]]:
    """(start, end, key) of terms that stand alone. In the `whole` text, terms that are glued to others are
    included."""
    for index, start, end in automaton.find_matches_as_indexes(folded.text, overlapping=True):
        if folded.stands_alone(start, end):
            span = folded.span(start, end)
            yield span.start, span.end, keys[index][1]
        elif whole is not None and end - start >= _GLUED:
            span = folded.span(start, end)
            if _is_glued(whole, span.start, span.end, keys[index][1]):
                yield span.start, span.end, keys[index][1]


def _is_glued(text: str, start: int, end: int, key: str) -> bool:
    """Whether a term is meant inside a longer token. Two letters are only as a name is written: "JNg", not "ng2"."""
    if not any(map(str.isalpha, key)) or (end - start == _GLUED and not text[start].isupper()):
        return False
    low, high = token_around(text, start, end)
    if low == start and end - start >= _TWIN_MINIMUM and text[end:high].lower() in ("s", "es"):
        return True
    if glued_token(text, start, end, loose=not is_ordinary(key), least=_GLUED) is not None:
        return True
    return end - start >= _COMPOUNDED and _is_compound(text[low:start].lower(), text[end:high].lower(), key)


def _is_compound(before: str, after: str, key: str) -> bool:
    """Whether a token is made of the term and other ordinary words, and is no ordinary word itself: "diabetesclinic"."""
    if len(before) + len(after) > _LONGEST_COMPOUND:
        return True
    others = [part.replace(key, "") for part in (before, after)]
    return not is_ordinary(before + key + after) and all(not part or is_ordinary(part) for part in others)


def _surface(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _without_blanks(text: str) -> str:
    return "".join(_surface(text).split())
