"""A phrase without its leftmost words: which of its ends say enough to stand for it (`tests` for `blood tests`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from efface.guarantees.semantic.english.class_words import (
    LEANING_HEADS,
    is_beast_or_plant,
    is_class_head,
    stands_alone,
)
from efface.knowledge.taxonomy.concepts import Taxonomy, lexicon, wordnet

_SHORTEST = 2  # letters of a word that a head may begin with
_KINDS_ABOVE = 12  # steps up the taxonomy on which a phrase is a kind of its head
# What these say is which one is meant: `last month` is not `month`, nor is the main road `the road`.
_POINTING = frozenset(
    "last next previous following preceding coming past first second third final only main leading chief primary sole most least more less".split()
)
# Without these a phrase says the contrary: `a decreased ability` is not `an ability`, nor are false statements `statements`.
_REVERSING = frozenset(
    """
    decreased reduced impaired poor weak weakened limited lost loss low lower absent missing false fake wrong incorrect inaccurate
    former alleged failed attempted unsuccessful negative abnormal difficult painful painless benign
    """.split()
)
_NAME_PARTICLES = frozenset("da das de del den der di do dos du e el al bin ibn la le of van von y".split())
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)?(?:-\w+)*|\w+-most")


@dataclass(frozen=True, slots=True)
class PhraseHead:
    """The end of a phrase, from word `start` on; the first `whose` words of the phrase say whose it is and stay too."""

    whose: int
    start: int


def heads(words: Sequence[str], taxonomies: Sequence[Taxonomy]) -> Iterator[PhraseHead]:
    """The ends of a phrase that may stand for it, the longest first (`her mother's death`, not `her death`)."""
    first = whose(words)
    if _means_another_thing(" ".join(words), taxonomies):
        return
    for start in range(first + 1, len(words)):
        if any(is_pointing(word) or word.lower() in _REVERSING for word in words[first:start]):
            return
        if len(words[start]) < _SHORTEST:
            continue  # `vitamin D ointment` is no `D ointment`
        # `Bill Gates` is no `Gates`, and `Cidade da Luz` no `Luz`.
        is_name_part = words[start][0].isupper() or words[start] in _NAME_PARTICLES
        one_name = is_name_part and any(word[0].isupper() for word in words[first:start])
        if not one_name and not _leans(words[first:], start - first, taxonomies):
            yield PhraseHead(first, start)


def whose(words: Sequence[str]) -> int:
    """How many of the first words say whose a thing is: `her husband's AIDS` is not hers. Of a name
    (`Kaposi's sarcoma`) none do."""
    owners = [
        place
        for place, word in enumerate(words[:-1], 1)
        if word[0].islower() and word.endswith(("'s", "’s", "s'", "s’"))
    ]
    return owners[-1] if owners else 0


def is_pointing(word: str) -> bool:
    """Whether a modifier says which one of its kind is meant: `20th`, `largest`, `fastest-growing`."""
    parts = word.lower().split("-")
    return any(map(_is_pointing_part, parts)) or _ORDINAL.fullmatch(word.lower()) is not None


def _is_pointing_part(word: str) -> bool:
    superlative = len(word) > 4 and word.endswith("est") and word not in lexicon().nouns
    return superlative or word in _POINTING


def goes_unseen(words: Sequence[str], head: str) -> bool:
    """Whether the first words of a phrase can go without a trace. A noun says of what kind a thing is, and a name whose or whence
    it is: blood tests are tests. An adjective says how it is: what is said of pregnant women is not said of women, and nobody
    has `a knee after a fall`. Before a name a noun says who it is: `my partner Joseph` is not `my Joseph`. What is no noun in the first place may be no head: `sees a nurse weekly`. After a name it may be a
    verb: `Hinduism matters`. A porcelain dog is no dog."""
    if (
        any(word[0].islower() and _says_how(word) for word in words)
        or lexicon().word_classes(head)[0] in "ar"
    ):
        return False
    if words[-1][0].islower() and (head[0].isupper() or is_beast_or_plant(wordnet(), head)):
        return False
    is_thing = words[-1][0].isupper() and "a" not in lexicon().word_classes(words[-1])
    return not (is_thing and "v" in lexicon().inflected_classes(head))


def _says_how(word: str) -> bool:
    """Whether a word is an adjective, also compared (`milder`) or with a hyphen (`non-cancerous`), or a participle."""
    last = word.rsplit("-", maxsplit=1)[-1]
    stem = last.removesuffix("est").removesuffix("er")
    if stem != last and last not in lexicon().nouns and lexicon().word_classes(stem).startswith("a"):
        return True
    classes = lexicon().word_classes(last)
    return classes.startswith("a") or (not classes.startswith("n") and last.endswith(("ed", "ing")))


def _leans(words: Sequence[str], start: int, taxonomies: Sequence[Taxonomy]) -> bool:
    """Whether the words from `start` say too little without those before: within a phrase that a taxonomy lists
    (`immune system`), and after a noun (`bladder control`)."""
    head = lexicon().key(words[-1])
    if is_class_head(head):
        return False
    longer = [" ".join(words[at:]) for at in range(start)]
    listed = any(taxonomy.senses(phrase) for phrase in longer for taxonomy in taxonomies)
    if listed or (head in LEANING_HEADS and start == len(words) - 1):
        return True
    if any(stands_alone(taxonomy, head) for taxonomy in taxonomies):
        return False
    # What an adjective says may go; a noun before the head says which of its meanings it has.
    before = words[start - 1]
    is_adjective = lexicon().word_classes(before.lower()).startswith("a")
    return lexicon().key(before) in lexicon().nouns and not is_adjective


def _means_another_thing(phrase: str, taxonomies: Sequence[Taxonomy]) -> bool:
    """Whether a taxonomy lists a phrase, and not as a kind of what its last word means: a dry mouth is no mouth."""
    if " " not in phrase:
        return False
    head = lexicon().key(phrase.rsplit(maxsplit=1)[-1]).lower()
    for taxonomy in taxonomies:
        for sense in taxonomy.senses(phrase)[:1]:
            kinds = islice(taxonomy.ancestors(sense), _KINDS_ABOVE)
            names = (name for kind in kinds for name in taxonomy.names(kind))
            return not any(lexicon().key(name.rsplit(" ", maxsplit=1)[-1]).lower() == head for name in names)
    return False
