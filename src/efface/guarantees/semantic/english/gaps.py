"""A phrase of which some words stay and others leave a gap: `recurrent [TERM] seizures`.

Nothing is said that the text did not say, so a gap fits any place. What is before a gap must not call for what is gone: of
`immune system` the first word alone would tell the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from efface.guarantees.semantic.english.heads import whose
from efface.knowledge.taxonomy.concepts import Taxonomy

_LONGEST = 5  # words of a phrase; the ways to leave a gap grow with their square
_SHORTEST = 3  # letters of a word that is worth keeping


@dataclass(frozen=True, slots=True)
class PhraseGap:
    """How many words of a phrase stay before a gap, and how many after it."""

    before: int
    after: int


def gaps(words: Sequence[str], taxonomies: Sequence[Taxonomy]) -> Iterator[PhraseGap]:
    """Every gap that a phrase may have, the smallest first. A name stays or goes as a whole, and whose a thing is stays
    with it (`her mother's death`, not `her [TERM] death`)."""
    if len(words) > _LONGEST:
        return
    for kept in range(len(words) - 1, 0, -1):
        for before in range(whose(words), kept + 1):
            gap = PhraseGap(before, kept - before)
            stays = (*words[:before], *words[len(words) - gap.after :])
            if all(map(_is_plain, stays)) and not _calls_for_more(words, gap, taxonomies):
                yield gap


def _is_plain(word: str) -> bool:
    return word[0].islower() and len(word) >= _SHORTEST


def _calls_for_more(words: Sequence[str], gap: PhraseGap, taxonomies: Sequence[Taxonomy]) -> bool:
    """Whether a taxonomy lists a phrase that begins before the gap and ends in it."""
    end = len(words) - gap.after
    for first in range(gap.before):
        for last in range(gap.before + 1, end + 1):
            phrase = " ".join(words[first:last])
            if any(taxonomy.senses(phrase) for taxonomy in taxonomies):
                return True
    return False
