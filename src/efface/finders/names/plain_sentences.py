"""Sentences that cannot hold a name, so that the model need not read them.

"The roof leaked again in the spring." begins with a word of a short list, and nothing else in it is written
with a capital, a digit or a strange sign. A placeholder holds no name either: "[PERSON_1] left in the rain." is plain,
and so is "She met Dr. [PERSON_2].", since a title means somebody only with a name behind it. Text in lower case never is plain, since its sentences begin with a
small letter; nor is a text that hardly has a capital within its sentences, as some people write.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from efface.finders.names.tokens import CUT, LETTER, LOWER, SIGN, TITLE, Pieces, Vocabulary, WordPieces

# What a sentence may begin with. No word of these is a name of its own, but for what stands elsewhere too.
_OPENERS = (
    "the a an this that these those it he she they we you i there here his her its their our my your in on at by "
    "for from with without to of as if when while where what why how which who after before during since until "
    "however moreover furthermore therefore thus then subsequently accordingly consequently nevertheless "
    "according although though because but and or so no not nor both each every all some many most several such "
    "other another any is are was were do does did has have had can could should would must please thanks"
).split()
# With one of these in it a sentence may hold a time or a quantity.
_TELLING = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million second third "
    "day days week weeks month months year years monday tuesday wednesday thursday friday saturday sunday january "
    "february march april june july august september october november december yesterday today tomorrow night "
    "morning afternoon evening noon midnight spring summer autumn winter mr mrs ms dr"
).split()
_TITLES = "mr mrs ms miss dr prof professor doctor".split()
_SIGNS = ",;:.!?'’\"“”()-–"
_STOPS = ".!?"
_NEW_LINE = 2  # a gap with a line break in it
CAPITALS = 100  # a text with less than one capitalised word in as many is read whole

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class SentenceBounds:
    """Knows where sentences end and which of them are plain, by the pieces of a vocabulary."""

    __slots__ = ("_dot", "_letter", "_openers", "_signs", "_stops", "_telling", "_titles")

    def __init__(self, vocabulary: Vocabulary) -> None:
        def heads(words: list[str] | str) -> Ints:
            return np.array(sorted({vocabulary.cut(word)[0] for word in words}), np.int64)

        self._openers, self._telling = heads(_OPENERS), heads(_TELLING)
        self._signs, self._stops = heads(_SIGNS), heads(_STOPS)
        self._titles = heads(_TITLES)
        self._letter, self._dot = vocabulary.cut("i")[0], vocabulary.cut(".")[0]

    def ends(self, words: WordPieces) -> Bools:
        """For each word whether a sentence or a line ends with it."""
        found = np.ones(len(words), bool)
        stops = np.isin(words.pieces[words.heads[:-1]], self._stops)
        gap, case = words.gaps[1:], words.cases[1:]  # before the next word, and of that word
        begins_anew = stops[:-1] & (gap > 0) & (case != LOWER)
        found[:-1] = (gap >= _NEW_LINE) | begins_anew
        return found

    def plain(self, words: WordPieces, ends: Bools) -> Bools:
        """For each word whether its sentence is plain."""
        first = np.concatenate(([True], ends[:-1]))
        heads = words.pieces[words.heads[:-1]]
        quiet = (words.cases == LOWER) | ((words.cases == SIGN) & np.isin(heads, self._signs))
        quiet |= (words.cases == LETTER) & (heads == self._letter)
        cut = words.cases == CUT
        capitals = int((~quiet & (cut | ~first)).sum())  # most of what was cut was written with one
        if capitals * CAPITALS < len(words):
            return np.zeros(len(words), bool)
        whole = words.heads[1:] - words.heads[:-1] == 1
        opens = first & whole & np.isin(heads, self._openers) & np.isin(words.cases, (TITLE, LETTER))
        good = cut | np.where(first, opens, quiet & ~(whole & np.isin(heads, self._telling)))
        good |= whole & (words.cases == TITLE) & np.isin(heads, self._titles) & self._before_cut(heads, cut)
        number = first.cumsum() - 1
        starts = np.flatnonzero(first)
        return np.asarray(np.logical_and.reduceat(good, starts)[number])

    def _before_cut(self, heads: Pieces, cut: Bools) -> Bools:
        """For each word whether a placeholder follows, or a dot and a placeholder."""
        following = np.concatenate((cut[1:], [False]))
        dot_follows = np.concatenate((heads[1:] == self._dot, [False]))
        return following | (dot_follows & np.concatenate((following[1:], [False])))
