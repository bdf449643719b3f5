"""What a word can mean in a taxonomy, and which words no label should stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from efface.knowledge.taxonomy.concepts import WORDNET_NAME, Taxonomy, lexicon
from efface.knowledge.taxonomy.countability import countability

# A word with so many senses gets everyday labels alone: cultures are no societies, losses no declines.
_SEVERAL_SENSES = 3


def count_senses(taxonomy: Taxonomy, term: str) -> int:
    """How many senses a word has, those of its singular included: `sweats` are clothes, and more."""
    *modifiers, last = term.split(" ")
    singular = " ".join((*modifiers, lexicon().key(last)))
    return len({*taxonomy.senses(term), *taxonomy.senses(singular)})


def is_rather_adjective(word: str) -> bool:
    """Whether a word by itself is an adjective more often than a noun, so that no noun stands for it (`firm`)."""
    return word.islower() and lexicon().word_classes(word).startswith("a")


def is_doing(word: str) -> bool:
    """Whether a word in -ing says what somebody does, so that no thing stands for it (`bleeding` is no injury)."""
    return (
        word.endswith("ing")
        and "p" in lexicon().inflected_classes(word)
        and not countability().is_counted(word)
    )


def named_senses(taxonomy: Taxonomy, term: str) -> tuple[int, ...]:
    """Returns the senses of a term. A proper name has only senses that are names: Apple is no fruit. A common word
    has none that is a name: parks are no Rosa Parks. An acronym has only those that are spelled so: NASH is no
    Nash."""
    senses = taxonomy.senses(term)
    # Other taxonomies write their names as they like: what has a capital there says nothing.
    writes_names = taxonomy.name == WORDNET_NAME
    if term.islower() and writes_names:
        return tuple(s for s in senses if not _is_only_name(taxonomy, s, term))
    is_acronym = term.isupper() and len(term) > 1 and " " not in term
    if is_acronym and writes_names:
        return tuple(s for s in senses if term in taxonomy.names(s))
    if not is_name(term):
        return senses
    return tuple(s for s in senses if _is_any_spelled(taxonomy.names(s), term))


def _is_only_name(taxonomy: Taxonomy, sense: int, term: str) -> bool:
    """Whether a sense has a word only as a name with a capital."""
    spelled = [name for name in taxonomy.names(sense) if name.lower() in (term, lexicon().key(term))]
    return bool(spelled) and all(name[0].isupper() for name in spelled)


def _is_any_spelled(names: Iterable[str], term: str) -> bool:
    return any(name.lower() == term.lower() and not name.islower() for name in names)


def is_name(term: str) -> bool:
    """Whether a term is written as a name: its last word has a capital, and is no acronym."""
    last = term.rsplit(maxsplit=1)[-1] if term.split() else ""
    return last[:1].isupper() and not last.isupper() and not last[:-1].isupper()


def share_label(taxonomy: Taxonomy, one: int, other: int) -> bool:
    """Whether the nearest words for two senses are the same."""
    return not _nearest_words(taxonomy, one).isdisjoint(_nearest_words(taxonomy, other))


def _nearest_words(taxonomy: Taxonomy, sense: int) -> set[str]:
    return {taxonomy.names(above)[0] for above in islice(taxonomy.broader(sense), 2)}


def in_words(taxonomy: Taxonomy, concept: int, term: str) -> str:
    """A sense by another name of the concept and by what it is a kind of: `auction sale, a kind of sale`."""
    own = [name for name in taxonomy.names(concept) if name.lower() != term.lower()][:1]
    above = next(iter(taxonomy.ancestors(concept)), None)
    kind = [] if above is None else [f"a kind of {taxonomy.names(above)[0]}"]
    return ", ".join([*own, *kind])


@dataclass(frozen=True)
class ReadTerm:
    """A term, or the end of one, in a sense of a taxonomy."""

    taxonomy: Taxonomy
    concept: int
    term: str
    left_out: int = 0  # words of the phrase before it

    @property
    def is_part(self) -> bool:
        return self.left_out > 0

    @property
    def is_capital(self) -> bool:
        return self.term[0].isupper()

    @cached_property
    def is_wordnet(self) -> bool:
        return self.taxonomy.name == WORDNET_NAME

    @cached_property
    def is_ambiguous(self) -> bool:
        return len(self.taxonomy.senses(self.term)) > 1

    @cached_property
    def has_several(self) -> bool:
        """Whether it is a common word of so many senses that the wrong one may have been read."""
        return not self.is_capital and count_senses(self.taxonomy, self.term) >= _SEVERAL_SENSES

    @cached_property
    def is_named_person(self) -> bool:
        """Whether it is a part of a longer name: Curie of Marie Curie."""
        if not self.is_capital:
            return False
        names = self.taxonomy.names(self.concept)
        return any(name != self.term and self.term in name.split() for name in names)
