"""Further occurrences of persons' names: who is sure in one place of a document is meant in the others too.

The readers of English know most of them by themselves. In other languages a surname that is an ordinary word, or has an
ending ("Müllers"), is often let go by them where it stands alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from efface.finders.names.case_endings import HAS_CASE_ENDINGS, finnish_stems
from efface.finders.names.decoding import DecodedMention, Small
from efface.finders.names.tokens import LETTER, LOWER, MIXED, TITLE, UPPER, Pieces
from efface.text.folding import fold_term
from efface.text.person_words import TITLES

Ints = npt.NDArray[np.int64]
Halves = npt.NDArray[np.float16]
Flags = npt.NDArray[np.bool_]

_REPEATED = 0.9  # of a sure mention's score, for a word that is found only because the mention has it too
EVIDENCE = 0.7  # how sure a mention must be to support others of the same name,
WHOLE_NAME = 0.5  # and one of two words or more, in other languages than English
SUPPORT = 0.02  # what the model must at least think of another occurrence of a sure name,
WORDY = 0.25  # and of one that the text also uses as a plain word
SHORTEST = 3  # letters of a name that is known again by itself
SHORTEST_WITH_ENDING = 5  # letters of a name that is known again in the plural
NOUNS_HAVE_CAPITALS = frozenset({"de"})  # a capital says nothing there, so that a name needs support
_CAPITALS = (TITLE, UPPER, LETTER, MIXED)


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its words, what was found among them, and how probably each is of a person's name or
    identifies the person that the text is about. `foreign` are the words `[first, last)` in languages other than English,
    with the code of each."""

    text: str
    starts: Ints = field(repr=False)
    ends: Ints = field(repr=False)
    cases: Small = field(repr=False)
    heads: Pieces = field(repr=False)  # first pieces
    person: Halves = field(repr=False)
    mask: Halves = field(repr=False)
    found: list[DecodedMention] = field(repr=False)
    foreign: tuple[tuple[int, int, str], ...] = ()

    def word(self, at: int) -> str:
        return self.text[self.starts[at] : self.ends[at]]

    def language(self, at: int) -> str:
        """The language of a word, "" for English."""
        place = bisect_right(self.foreign, at, key=itemgetter(0)) - 1
        return self.foreign[place][2] if place >= 0 and at < self.foreign[place][1] else ""

    def is_unaided(self) -> Flags:
        """For every word whether a capital is reason enough to take it for the name that it repeats."""
        return self.is_in(lambda language: language not in NOUNS_HAVE_CAPITALS)

    def is_in(self, wanted: Callable[[str], bool]) -> Flags:
        """For every word whether it is in a language other than English that is `wanted`."""
        flags = np.zeros(len(self.starts), bool)
        for first, last, language in self.foreign:
            flags[first:last] = wanted(language)
        return flags


def with_repeats(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    """The mentions, and further occurrences of the persons' names that the model alone let go."""
    unaided = page.is_unaided()
    sure, heads = _sure_names(page, found, unaided)
    if not sure:
        return found
    taken = np.zeros(len(page.starts), bool)
    for one in found:
        taken[one.first : one.last] = True
    same = np.isin(page.heads, list(heads))  # the same word has the same pieces
    likely = np.flatnonzero(~taken & (same | (unaided & np.isin(page.cases, _CAPITALS)))).tolist()
    repeats: list[tuple[int, str]] = []
    for at in likely:
        repeats += ((at, name) for name in _repeated(folded(page.word(at)), sure, bool(unaided[at])))
    repeats += _in_other_cases(page, [at for at in likely if page.cases[at] != LOWER], sure)
    in_lower_case = {name for at, name in repeats if page.cases[at] == LOWER}
    more = []
    for at, name in repeats:
        if page.cases[at] == LOWER:
            continue
        if _after_title(page, at) or _is_likely(page, at, name, in_lower_case, bool(unaided[at])):
            score = _REPEATED * sure[name]
            more.append(DecodedMention(at, at + 1, "PERSON", score, float(page.mask[at])))
    return sorted([*found, *more], key=lambda one: one.first)


def _sure_names(
    page: ReadText, found: list[DecodedMention], unaided: Flags
) -> tuple[dict[str, float], set[int]]:
    """The words of persons that the model is sure of, each with its best score, and the first pieces of these words."""
    sure: dict[str, float] = {}
    heads: set[int] = set()
    for one in found:
        words = [(at, folded(page.word(at))) for at in range(one.first, one.last)]
        names = [(at, word) for at, word in words if len(word) > 1 and word.isalpha() and word not in TITLES]
        if one.type != "PERSON":  # "Ander Etxeberria" may be a firm to the model
            names = names[1:] if _may_be_person(page, one, unaided) else []
        elif one.score < (WHOLE_NAME if len(names) > 1 and unaided[one.first] else EVIDENCE):
            continue
        for at, word in names:
            sure[word] = max(sure.get(word, 0.0), one.score)
            heads.add(int(page.heads[at]))
    return sure, heads


def _may_be_person(page: ReadText, one: DecodedMention, unaided: Flags) -> bool:
    """Whether a firm or a place in another language is written as a person is: two words with capitals, the second one no
    short one."""
    if one.type not in ("ORGANIZATION", "LOCATION") or one.last - one.first != 2 or not unaided[one.first]:
        return False
    is_written_so = page.cases[one.first] == page.cases[one.first + 1] == TITLE
    return bool(is_written_so and len(page.word(one.first + 1)) > SHORTEST)


def _repeated(word: str, sure: dict[str, float], has_endings: bool) -> Iterator[str]:
    """The sure name that a word is, or of which it is the genitive."""
    if word in sure:
        yield word
    elif has_endings and len(word) >= SHORTEST_WITH_ENDING and word.endswith("s") and word[:-1] in sure:
        yield word[:-1]


def _in_other_cases(page: ReadText, places: list[int], sure: dict[str, float]) -> Iterator[tuple[int, str]]:
    """The words that are sure names with another case ending, in Finnish: "Onnin" where Onni is sure."""
    inflected = page.is_in(HAS_CASE_ENDINGS.__contains__)
    names = {stem: name for name in sure for stem in finnish_stems(name)} if inflected.any() else {}
    for at in places:
        word = folded(page.word(at))
        if not inflected[at] or word in sure:
            continue
        name = next((names[stem] for stem in finnish_stems(word) if stem in names), None)
        if name is not None:
            yield at, name


def _after_title(page: ReadText, at: int) -> bool:
    """Whether a title is directly before the word, as in "Patient He": only a name follows a title."""
    return (
        at > 0 and page.starts[at] == page.ends[at - 1] + 1 and folded(page.word(at - 1)) in TITLES - {"the"}
    )


def _is_likely(page: ReadText, at: int, name: str, plain: set[str], unaided: bool) -> bool:
    """Whether the word is long enough and the model gives it some probability. A short word is often another word."""
    support = 0.0 if unaided else SUPPORT
    return len(name) >= SHORTEST and bool(page.person[at] >= (WORDY if name in plain else support))


def folded(word: str) -> str:
    """A word as it is compared."""
    return word.lower() if word.isascii() else fold_term(word)
