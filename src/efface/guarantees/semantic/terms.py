"""Terms with what may replace them.

A term may become its head without the leftmost words, then what the taxonomy puts above it, in the sense that fits the
entities, and last of all nothing. How the corpus counts a term is in `judge`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from efface.guarantees.semantic.english.class_words import (
    CONDITION,
    OWNED_CLASSES,
    PERSON,
    PHRASE_CLASSES,
    are_illnesses,
    are_people,
    counts_alike,
    is_eaten,
    may_stand,
)
from efface.guarantees.semantic.english.gaps import gaps
from efface.guarantees.semantic.english.heads import heads, is_pointing, whose
from efface.guarantees.semantic.english.word_senses import (
    ReadTerm,
    count_senses,
    in_words,
    is_doing,
    is_name,
    is_rather_adjective,
    named_senses,
    share_label,
)
from efface.guarantees.semantic.term_queries import TermQueries
from efface.knowledge.corpus.counts import Query
from efface.knowledge.corpus.text_runs import term_key, term_keys
from efface.knowledge.taxonomy.concepts import WORDNET_NAME, Taxonomy, lexicon
from efface.knowledge.vectors.word_vectors import WordVectors

Vector = npt.NDArray[np.float32]

FEW = 20  # documents: fewer say little by themselves
_MAX_STEPS = 12  # generalisations of a term that are offered
_SAID = 0.002  # the share of all documents that makes a label one that people write
_HEAD = 20  # documents that make what follows a name the head of the phrase
_CLEAR = 1.0  # bits by which the company of a rarer sense must be the better
_STRANGE = -1.0  # bits: a sense whose words avoid the term is not one of its senses
_DOUBT = 20  # documents that a sense's label needs before its company counts much
_MARGIN = 0.5  # bits by which a sense must fit better than one that calls for other words
_NEAR_BITS = 10.0  # bits that a cosine of 1 above the usual is worth
_FAR = 0.2  # cosine above the usual: a label that is less near belongs to another sense, or says nothing
_NEAR = 0.3  # the same for a label whose most frequent sense is another
_PHRASE = 0.12  # the same for a whole phrase, of which the label's word has only the head
_CLEARLY = 0.32  # the same for a word of several senses, which may be the wrong one
_MEANS_PEOPLE = 0.15  # the same for a word that is called a person: a comic is one, and comics are not
# Classes that everyone names, so that a word of several senses may be called so when it is read in that sense.
_EVERYDAY = frozenset(
    ("symptom|disease|illness|drug|medicine|city|country|religion|child|parent|relative|language").split("|")
)
_TAKEN = frozenset(("drug", "medicine"))
_SPEAKING_OF_WORDS = frozenset(("word", "term", "name", "title"))
_FITS_ALL = (CONDITION, PERSON)  # words so general that they are near to nothing
_MANY_SENSES = 4  # a head with so many senses is not read without its modifiers
_SENSE_ANCESTORS = 3  # of a sense, whose names stand for it beside its own; above them all things are alike
_SENSES = 6  # senses of a word that are looked at


@dataclass(frozen=True, slots=True)
class Option:
    """What may replace a term; without a label nothing does. `sense` says in words how the term was read."""

    label: str
    query: Query
    parts: tuple[str, ...]
    bits: float
    sense: str = ""
    suffix: int = 0  # how many words of the original stay at its end,
    prefix: int = 0  # and how many at its beginning
    above: Query = ()  # a concept above it, where few documents hold the term itself
    gap: bool = False  # whether a placeholder stands for the words that go

    def stays(self, length: int) -> set[int]:
        """The numbers of the words that stay of an original of so many words."""
        return {*range(self.prefix), *range(length - self.suffix, length)}

    @property
    def shown(self) -> str:
        """The label as a reviewer reads it, with its gap."""
        if not self.gap:
            return self.label
        words = self.label.split(" ")
        return " ".join((*words[: self.prefix], "…", *words[self.prefix :]))


REMOVED = Option("", (), (), 0.0)


@dataclass(frozen=True)
class Generaliser:
    """Lists the options of a term, the most informative first."""

    judge: TermQueries
    taxonomies: tuple[Taxonomy, ...]
    around: Query  # the entities and their generalisations
    company: Query = ()  # and other terms of the document: the context that chooses a sense
    vectors: WordVectors | None = field(default=None, repr=False)
    # The mean of the vectors of the document's terms.
    context: Vector | None = field(default=None, repr=False)

    def own(self, key: str, surfaces: Sequence[str]) -> Option:
        """The term as it is. One that few documents hold is judged as the nearest concept above it too that enough
        documents hold: who writes `yaws` writes of a disease. A term in too few documents is judged as that broader
        concept only. Without a broader concept it is unknown, and only its words are judged."""
        query = self.judge.query(key)
        count = self.judge.count(query) if query else 0
        above: Query = ()
        if count < FEW:
            above = next((o.query for o in self._above(surfaces, spoken=False) if self._is_known(o)), ())
        if count < self.judge.support:
            query, above = above, ()
        bits = self.judge.bits(query) if query else 0.0
        return Option(surfaces[0], query, self.judge.parts(key), bits, above=above)

    def _is_known(self, option: Option) -> bool:
        return bool(option.query) and self.judge.count(option.query) >= self.judge.support

    def options(self, key: str, surfaces: Sequence[str]) -> list[Option]:
        """The term as it is, its generalisations, its removal. Bits never grow on the way up."""
        own = self.own(key, surfaces)
        chain = [own, *self._heads(surfaces[0]), *self._above(surfaces, spoken=True)]
        seen = {(own.query, own.parts)}
        options = [own]
        bits = own.bits if own.query else math.inf
        for option in chain[1:]:
            if (option.query, option.parts) not in seen and self._is_known(option):
                seen.add((option.query, option.parts))
                bits = min(bits, option.bits)
                options.append(replace(option, bits=bits))
        del options[_MAX_STEPS + 1 :]
        for option in self._gaps(surfaces[0]):
            if (option.query, option.parts) not in seen and self._is_known(option):
                options.append(replace(option, bits=min(own.bits or math.inf, option.bits)))
        return [own, *sorted(options[1:], key=lambda each: -each.bits), REMOVED]

    def _gaps(self, surface: str) -> Iterator[Option]:
        """The phrase without some of its words, which leave a gap."""
        words = surface.split()
        for gap in gaps(words, self.taxonomies):
            label = " ".join((*words[: gap.before], *words[len(words) - gap.after :]))
            option = self._option(label, term_key(label), suffix=gap.after, prefix=gap.before)
            yield replace(option, gap=True)

    def _heads(self, surface: str) -> Iterator[Option]:
        """The phrase without its leftmost words. A possessive stays (`her mother's sudden death`, not `her death`)."""
        words = surface.split()
        for head in heads(words, self.taxonomies):
            label = " ".join((*words[: head.whose], *words[head.start :]))
            keys = term_keys(label, lexicon())
            if keys and len(keys[-1]) > 1:
                suffix = len(words) - head.start
                yield self._option(label, " ".join(keys), suffix=suffix, prefix=head.whose)

    def _above(self, surfaces: Sequence[str], *, spoken: bool) -> Iterator[Option]:
        """Labels above the longest ending that a taxonomy knows; whole spellings before endings of one. `spoken`: only
        those that can stand in a text."""
        phrase = surfaces[0]
        words = phrase.split()
        if (len(words) == 1 and is_rather_adjective(words[0])) or is_doing(words[-1]):
            return
        if words[0].lower() in _SPEAKING_OF_WORDS:  # `the word anarchist` is no person
            return
        read = self._longest_known(words, surfaces)
        if read is None:
            return
        owners = whose(words)
        owner = words[:owners] if read.is_part and read.left_out >= owners else ()
        for option in self._labels(read, owner, spoken=spoken):
            if read.term == phrase or not self._is_far_from_phrase(option.label, phrase):
                yield option

    def _longest_known(self, words: Sequence[str], surfaces: Sequence[str]) -> ReadTerm | None:
        """The longest ending of a phrase that has a sense in a taxonomy. None where the words before it change what it
        means."""
        endings = [*surfaces, *(" ".join(words[start:]) for start in range(1, len(words)))]
        for left_out, ending in enumerate(endings, 1 - len(surfaces)):  # words before it; a spelling has none
            is_part = left_out > 0
            if is_part and any(map(is_pointing, words[:left_out])):
                return (
                    None  # `last winter` is not `the season`, nor `the most common illness` `the condition`
                )
            if len(term_key(ending)) < 2:
                return None  # `species P.` is no phosphorus
            if is_part and self._is_end_of_name(words, ending):
                continue
            for taxonomy in self.taxonomies:
                sense = self.sense(taxonomy, ending)
                if is_part and count_senses(taxonomy, ending) >= _MANY_SENSES:
                    return None  # a chest film is no show
                if sense is not None:
                    return ReadTerm(taxonomy, sense, ending, max(0, left_out))
        return None

    def _is_end_of_name(self, words: Sequence[str], ending: str) -> bool:
        """Whether the ending of a phrase is part of a name: Eastern Europe is no continent, `Treponema pallidum` no pallidum."""
        if not any(word[0].isupper() for word in words):
            return False
        is_one_name = words[0][0].isupper() and is_name(ending)
        return is_one_name or self.judge.count(((term_key(ending),),)) < _HEAD

    def _labels(self, read: ReadTerm, whose: Sequence[str], *, spoken: bool) -> Iterator[Option]:
        """Broader words for a term, after the words that say `whose` it is. A named person becomes only "person"."""
        taxonomy, concept, term = read.taxonomy, read.concept, read.term
        own = self.judge.query(term_key(term)) if read.is_ambiguous else ()
        read_as = in_words(taxonomy, concept, term)
        for above in taxonomy.broader(concept):
            label = self._label(taxonomy, above) if read.is_wordnet else taxonomy.names(above)[0]
            if read.is_wordnet and not self._is_said(label):
                continue
            if spoken and not self._may_be_said_of(read, label, whose):
                continue
            if read.is_wordnet and self._is_far(label, term, self._least_nearness(read, above, label)):
                continue
            if read.has_several and label not in _FITS_ALL and (read.is_part or label not in _EVERYDAY):
                continue  # breast milk is no beverage
            if label == PERSON or not (
                read.is_named_person or self._is_strange(((_label_key(label),),), own)
            ):
                owned = " ".join((*whose, label))
                yield self._option(owned, term_key(owned), sense=read_as)

    def _may_be_said_of(self, read: ReadTerm, label: str, whose: Sequence[str]) -> bool:
        """Whether a label can stand in a text for a term, after the words that say whose it is."""
        if not self._may_stand(read.taxonomy, read.concept, label, read.term):
            return False
        return not read.is_wordnet or _says_enough(label, whose, part=read.is_part)

    @staticmethod
    def _may_stand(taxonomy: Taxonomy, concept: int, label: str, term: str) -> bool:
        """Whether a label may stand for a term. A taxonomy of the policy's own is trusted."""
        if taxonomy.name != WORDNET_NAME:
            return True
        named = is_name(term)
        senses = taxonomy.senses(term)[:_SENSES]
        is_child = any(taxonomy.is_below(sense, "child") for sense in senses)
        if label == PERSON and not named and (is_child or not are_people(taxonomy, senses)):
            return False
        if label == CONDITION and not are_illnesses(taxonomy, senses):
            return False  # complaints of customers are no conditions
        if label in _TAKEN and is_eaten(taxonomy, senses):
            return False
        alike = counts_alike(term.rsplit(" ", maxsplit=1)[-1], label)
        return alike and may_stand(taxonomy, concept, label, is_name=named)

    @staticmethod
    def _least_nearness(read: ReadTerm, above: int, label: str) -> float:
        """How near a label must be to a term."""
        if label in _FITS_ALL:
            return _MEANS_PEOPLE if label == PERSON else -math.inf
        # Who reads `bridge` thinks of no card game: a label that means something else first must be nearer.
        least = _FAR if read.taxonomy.senses(label)[:1] == (above,) else _NEAR
        if not read.is_ambiguous or read.is_capital or label in _EVERYDAY:
            return least
        return max(least, _CLEARLY)

    def _is_far_from_phrase(self, label: str, phrase: str) -> bool:
        """Whether a label fits the head of a phrase but not the phrase: `night sweats` are no garments."""
        return label not in _FITS_ALL and self._is_far(label, phrase, _PHRASE)

    def _label(self, taxonomy: Taxonomy, concept: int) -> str:
        """The label of a concept, or its head where documents rarely hold the whole (`month`, not `calendar month`)."""
        label, *others = taxonomy.names(concept)
        heads = (name for name in others if label.endswith(f" {name}") and self._is_said(name))
        return label if self._is_said(label) else next(heads, label)

    def _is_said(self, label: str) -> bool:
        """Whether people write the label; WordNet has many that only sort (`conjugated protein`, `Altaic`)."""
        least, key = _SAID * self.judge.corpus.documents, _label_key(label)
        return label.islower() and self.judge.corpus.knows(key) and self.judge.count(((key,),)) >= least

    def _is_strange(self, label: Query, term: Query) -> bool:
        """Whether texts about the term avoid the label, so that it is one of another sense."""
        return self._lift(label, term, 1) < _STRANGE

    def _option(self, label: str, key: str, *, sense: str = "", suffix: int = 0, prefix: int = 0) -> Option:
        query = self.judge.query(key)
        bits = self.judge.bits(query) if query else 0.0
        return Option(label, query, self.judge.parts(key), bits, sense, suffix, prefix)

    def sense(self, taxonomy: Taxonomy, term: str) -> int | None:
        """The sense of a term that fits best: what usually goes with the term, the entities and the document decide,
        by counts and by vectors. None when even the best one is strange to the term, or when two that call for
        different words fit about equally: no word is better than a wrong one."""
        senses = named_senses(taxonomy, term)[:_SENSES]
        if len(senses) < 2:
            return senses[0] if senses else None
        query = self.judge.query(term_key(term))
        fits = [self._fit(taxonomy, sense, query) for sense in senses]
        near = [self._nearness(taxonomy, sense, term) for sense in senses]
        total = [
            own + context + meaning - math.log2(rank)
            for rank, ((own, context), meaning) in enumerate(zip(fits, near, strict=True), 1)
        ]
        order = sorted(range(len(senses)), key=lambda at: _CLEAR * (at > 0) - total[at])
        best, second = order[0], order[1]
        if fits[best][0] <= _STRANGE:
            return None
        doubtful = abs(total[best] - total[second]) < _MARGIN
        return None if doubtful and not share_label(taxonomy, senses[best], senses[second]) else senses[best]

    def _nearness(self, taxonomy: Taxonomy, sense: int, term: str) -> float:
        """Bits by which the words of a sense are near to the term, and to the subject of the document."""
        if self.vectors is None:
            return 0.0
        above = (taxonomy.names(each)[0] for each in islice(taxonomy.ancestors(sense), 3))
        words = [name for name in (*taxonomy.names(sense), *above) if name.lower() != term.lower()]
        found = self.vectors.of_names([term, *words])
        known = found[1:][np.abs(found[1:]).sum(axis=1) > 0]
        if not len(known):
            return 0.0
        usual = known @ self.vectors.mean
        own = float((known @ found[0] - usual).mean()) if found[0].any() else 0.0
        around = 0.0 if self.context is None else float((known @ self.context - usual).mean())
        return _NEAR_BITS * (own + around)

    def _is_far(self, label: str, term: str, least: float) -> bool:
        """Whether a label has nothing to do with the term as most texts use it: `bonds` are no attractions."""
        if self.vectors is None:
            return False
        left, right = self.vectors.of_names([term, label])
        usual = max(float(left @ self.vectors.mean), float(right @ self.vectors.mean))
        return bool(left.any() and right.any()) and float(left @ right) - usual < least

    def _fit(self, taxonomy: Taxonomy, sense: int, term: Query) -> tuple[float, float]:
        """How much likelier a sense's words are beside the term, and in its context, in bits."""
        labels = list(taxonomy.names(sense))
        for concept in islice(taxonomy.ancestors(sense), _SENSE_ANCESTORS):
            labels.append(taxonomy.names(concept)[0])
        known: list[Query] = []
        for key in sorted(set(map(_label_key, labels))):
            if self.judge.corpus.knows(key) and ((key,),) != term:
                known.append(((key,),))
        if not known:
            return 0.0, 0.0
        own = self._mean_lift(known, term, 1)
        near = self._mean_lift(known, self.around, _DOUBT)
        company = self._mean_lift(known, self.company, _DOUBT)
        return own, near / 2 + company

    def _mean_lift(self, queries: Sequence[Query], beside: Query, doubt: int) -> float:
        return sum(self._lift(query, beside, doubt) for query in queries) / len(queries)

    def _lift(self, query: Query, other: Query, doubt: int) -> float:
        """Bits by which two queries occur together more often than by chance; `doubt` draws rare ones towards 0."""
        together = tuple((*left, *right) for left in query for right in other)
        chance = self.judge.count(query) * self.judge.count(other) / self.judge.corpus.documents
        return math.log2((self.judge.count(together) + doubt) / (chance + doubt)) if together else 0.0


def _says_enough(label: str, whose: Sequence[str], *, part: bool) -> bool:
    """Whether a class can stand for a phrase of which only the end is a member, and after a possessive."""
    return (not part or label in PHRASE_CLASSES) and (not whose or label in OWNED_CLASSES)


@lru_cache(maxsize=1 << 16)
def _label_key(label: str) -> str:
    """The key of a taxonomy's label; words of documents are not kept here."""
    return term_key(label)
