"""What else a text could be about: the rivals of a hidden entity.

Rivals are the concepts below the entity's generalisation that the corpus knows, or the list in the policy. Above and
below the entity itself is no rival: a retrovirus is no other thing than HIV.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from efface.guarantees.semantic.disclosure_bits import HiddenEntity
from efface.guarantees.semantic.term_queries import TermQueries
from efface.knowledge.corpus.counts import Query
from efface.knowledge.corpus.subject_articles import SubjectArticles
from efface.knowledge.corpus.text_runs import term_key, term_keys
from efface.knowledge.taxonomy.concepts import Taxonomy, lexicon
from efface.knowledge.vectors.word_vectors import WordVectors

FOR_ALL = "default"  # the key of a list for entities that have none of their own
MAX_RIVALS = 30  # the nearest and best known ones: rivals that no reader thinks of hide nothing
_FEW_KINDS = 6  # a concept with more kinds is a class
ENOUGH = 20  # rivals; with fewer below the generalisation, wider ones are taken too
# Once there are `_SOME` rivals, a class of more than `_WIDEST` concepts is not searched: not every organism is a rival of HIV.
_SOME, _WIDEST = 8, 5000
LEAST_DOCUMENTS = 10  # a concept that fewer documents name has no evidence of its own
_KIN = 0.1  # cosine above the usual: what is less near to the entity is nothing that a text about it could be about
_DISTANT_KIN = 0.05  # the same among things that have an article, which are few


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that a text could be about: its name as written, and the documents that name it."""

    name: str
    query: Query

    def article(self, subjects: SubjectArticles) -> str | None:
        """The title of the article about it."""
        names = [
            term_key(self.name),
            *(part[0] for part in self.query if len(part) == 1),
        ]
        return next((name for name in names if subjects.knows(name)), None)


@dataclass(frozen=True, slots=True)
class EntityAndRivals:
    """A hidden entity and its rivals; `described` are those with an article, from wider classes where these are few."""

    entity: Candidate
    rivals: tuple[Candidate, ...] = field(repr=False)
    described: tuple[Candidate, ...] = field(repr=False, default=())


class KnownConcepts:
    """What the corpus knows of the concepts of taxonomies. Entities share most of their rivals, so each concept is looked
    up once for all of them."""

    def __init__(self, judge: TermQueries) -> None:
        self.judge = judge
        self._candidates: dict[tuple[int, int], Candidate | None] = {}

    def candidate(self, taxonomy: Taxonomy, concept: int) -> Candidate | None:
        """The concept as a candidate. None if it is a class of things, or if hardly any document names it."""
        place = (id(taxonomy), concept)
        if place not in self._candidates:
            found = _candidate(taxonomy, concept, self.judge) if _is_specific(taxonomy, concept) else None
            self._candidates[place] = found
        return self._candidates[place]


def candidates_of(
    entity: HiddenEntity,
    generalisation: str | None,
    concepts: KnownConcepts,
    taxonomies: Sequence[Taxonomy],
    named: Mapping[str, Sequence[str]],
    vectors: WordVectors | None = None,
    subjects: SubjectArticles | None = None,
) -> EntityAndRivals:
    """The entity and its rivals, which the policy names or the taxonomies list."""
    own = Candidate(entity.name, entity.meant or entity.names)
    kinship = Kinship(entity.name, concepts, vectors)
    own_list = named.get(entity.name, named.get(FOR_ALL))
    if own_list is not None:  # a list in the policy is taken whole
        rivals = _known_rivals(entity, (Candidate(name, _query(name, concepts.judge)) for name in own_list))
    else:
        rivals = _known_rivals(entity, _listed_rivals(entity, generalisation, kinship, taxonomies))
        rivals = sorted(rivals, key=kinship.order)[:MAX_RIVALS]
    if subjects is None or own.article(subjects) is None:
        return EntityAndRivals(own, tuple(rivals))
    described = [each for each in rivals if each.article(subjects)]
    if len(described) < ENOUGH:
        wider = _known_rivals(entity, _listed_rivals(entity, generalisation, kinship, taxonomies, subjects))
        described = list(dict.fromkeys([*described, *sorted(wider, key=kinship.order)]))[:MAX_RIVALS]
    return EntityAndRivals(own, tuple(rivals), tuple(described))


def kinds(taxonomy: Taxonomy, concept: int) -> Iterator[str]:
    """Names of kinds of a concept that name nothing else."""
    for kind in taxonomy.below(concept):
        yield from (name for name in taxonomy.names(kind) if taxonomy.senses(name) == (kind,))


def _known_rivals(entity: HiddenEntity, listed: Iterable[Candidate]) -> list[Candidate]:
    """Candidates that are known and have no name of the entity, each once."""
    names = {key for part in entity.names for key in part}
    rivals: dict[Query, Candidate] = {}
    for rival in listed:
        is_own = any(key in names for part in rival.query for key in part)
        if rival.query and not is_own:
            rivals.setdefault(rival.query, rival)
    return list(rivals.values())


class Kinship:
    """How good a rival is: one that is near to the entity in meaning, and that many documents name.

    A text about pregnancy could be about diabetes, but no reader would think of a materialist. Without vectors only the
    number of documents counts.
    """

    def __init__(self, entity: str, concepts: KnownConcepts, vectors: WordVectors | None) -> None:
        self.concepts = concepts
        self._vectors = vectors
        self._own = None if vectors is None else vectors.of_names([entity])[0]

    def worth(self, rival: Candidate) -> float:
        return self.nearness(rival) * math.log2(1 + self.concepts.judge.count(rival.query))

    def order(self, rival: Candidate) -> tuple[float, str]:
        """The best rival first."""
        return -self.worth(rival), rival.name

    def nearness(self, rival: Candidate) -> float:
        """The cosine above the usual; 1 where the vectors do not know the entity."""
        if self._vectors is None or self._own is None or not self._own.any():
            return 1.0
        other = self._vectors.of_names([rival.name])[0]
        if not other.any():
            return 0.0
        usual = max(float(self._own @ self._vectors.mean), float(other @ self._vectors.mean))
        return float(self._own @ other) - usual


def _query(name: str, judge: TermQueries) -> Query:
    """The documents that hold a name; empty when the corpus does not know it."""
    key = term_key(name)
    return ((key,),) if judge.corpus.knows(key) else ()


def _listed_rivals(
    entity: HiddenEntity,
    generalisation: str | None,
    kinship: Kinship,
    taxonomies: Sequence[Taxonomy],
    subjects: SubjectArticles | None = None,
) -> Iterator[Candidate]:
    """Concepts below the generalisation and, where these are few, below what is ever further above the entity. With
    `subjects` only those that have an article."""
    least = _KIN if subjects is None else _DISTANT_KIN
    for taxonomy in taxonomies:
        lineage = _lineage(taxonomy, entity.name)
        found: dict[str | Query, Candidate] = {}
        for above in _tops(taxonomy, entity.name, generalisation):
            below = list(islice(taxonomy.below(above), _WIDEST + 1))
            if len(below) > _WIDEST and len(found) >= _SOME:
                break
            for concept in below:
                each = None if concept in lineage else kinship.concepts.candidate(taxonomy, concept)
                if each is None:
                    continue
                known_by = each.query if subjects is None else each.article(subjects)
                if known_by is not None and kinship.nearness(each) >= least:
                    found[known_by] = each
            if len(found) >= ENOUGH:
                break
        yield from found.values()


def _is_specific(taxonomy: Taxonomy, concept: int) -> bool:
    """Whether a concept is one thing and no class of things: `mental disorder` is no rival of schizophrenia."""
    kinds = list(islice(taxonomy.below(concept), _FEW_KINDS + 1))
    label = taxonomy.names(concept)[0]
    parents = (taxonomy.names(above)[0] for above in islice(taxonomy.ancestors(concept), 3))
    is_class = label.islower() and any(label.endswith(f" {parent}") for parent in parents)
    return len(kinds) <= _FEW_KINDS and not (kinds and is_class)


def _lineage(taxonomy: Taxonomy, name: str) -> set[int]:
    """The entity in all its senses, with what is above and below it."""
    senses = taxonomy.senses(name)
    above = (concept for sense in senses for concept in taxonomy.ancestors(sense))
    below = (concept for sense in senses for concept in taxonomy.below(sense))
    return {*senses, *above, *below}


def _tops(taxonomy: Taxonomy, name: str, generalisation: str | None) -> Iterator[int]:
    """The senses of the generalisation that cover the entity, else its first; then the entity's own ancestors."""
    named = taxonomy.senses(generalisation) if generalisation else ()
    senses = taxonomy.senses(name)
    above = {sense: tuple(taxonomy.ancestors(sense)) for sense in senses}
    ancestors = set(chain.from_iterable(above.values()))
    covering = [concept for concept in named if concept in ancestors]
    yield from covering or named[:1]
    if not senses:
        return
    # The sense that the generalisation covers is the one that is meant; without one, the first.
    meant = next((sense for sense in senses if not set(covering).isdisjoint(above[sense])), senses[0])
    for concept in above[meant]:
        if concept not in covering:
            yield concept


def _candidate(taxonomy: Taxonomy, concept: int, judge: TermQueries) -> Candidate | None:
    """A concept by those of its names that mean it first of all; the best known one is what it is called."""
    names = [name for name in taxonomy.names(concept) if _means_first(taxonomy, name, concept)]
    parts = {part: name for name in names if _is_unambiguous(name) for part in _query(name, judge)}
    query = tuple(parts)
    if not query or judge.count(query) < LEAST_DOCUMENTS:
        return None
    best = max(parts, key=lambda part: judge.count((part,)))
    return Candidate(parts[best], query)


def _means_first(taxonomy: Taxonomy, name: str, concept: int) -> bool:
    """Whether a name means the concept first of all, and with a capital nothing else (`geneva` is a gin)."""
    capital = name[0].upper() + name[1:]
    return all(taxonomy.senses(spelled)[:1] == (concept,) for spelled in (name, capital))


def _is_unambiguous(name: str) -> bool:
    """Whether a name's spelling means nothing else: no verb or adjective, no stop word in it, no word with a capital."""
    words = re.split(r"[ -]", name)
    if len(term_keys(name, lexicon())) != len(words):
        return False
    if len(words) > 1:
        return True
    common = name.lower() in lexicon().nouns or name.lower() in lexicon().classes
    return (name.islower() or not common) and set(lexicon().word_classes(name)) == {"n"}
