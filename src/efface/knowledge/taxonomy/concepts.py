"""A taxonomy of concepts: names, senses of a name, and what each concept is a kind of.

Concepts are numbered. The tables are compressed rows: row i of a table is `values[starts[i]:starts[i + 1]]`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.knowledge.taxonomy.words import Lexicon, singulars
from efface.text.folding import fold_term

Numbers = npt.NDArray[np.int64]

WORDNET = Path(__file__).parent / "data" / "wordnet-nouns.tax"
WORDNET_NAME = "wordnet"
_SHALLOW = 4  # a concept of WordNet with fewer above it ("object", "attribute") says nothing
# Labels of WordNet that sort concepts and that no text would hold.
_UNSPOKEN = frozenset(
    """
    agent|ancestor|organism|commodity|area|artifact|being|benefactor|biological group|body covering|case|causal agent|cognition|cognitive content|collection
    communication|complex|component|constituent|container|content|conveyance|covering|definite quantity|discipline|express
    fundamental quantity|genus|indefinite quantity|instrumentality|instrumentation|kingdom|knowledge domain|liabilities
    linguistic unit|living thing|magnitude relation|matter|mental object|natural object|natural phenomenon|part
    physical phenomenon|point|relative quantity|social event|speech act|taxonomic group|taxonomic category|thing
    time period|time unit|unit|unit of measurement|vascular plant|whole|woody plant|chordate|craniate|eutherian mammal
    placental|vertebrate|phanerogam|spermatophyte|gymnosperm|angiosperm|bad person|unfortunate|adult|juvenile
    leader|intellectual|unpleasant person|unwelcome person|expert|skilled worker|good person|signaler
    auditory communication|written communication|visual communication|indication|evidence|information|sensation
    ill health|physiological state|pathological state|physical condition|bodily property|bodily process
    organic process|process|physical process|happening|occurrence|change|change of location|act|activity
    natural language|quotient|tract|insertion|extremity|imagination|imaginary being|mythical being|creator|inhabitant
    communicator|generalization|ordering|place of business|establishment|mercantile establishment|termination
    macromolecule|restraint|clue|thinking|problem solving|geographical area|series|boundary|direction|measurement
    digit|male|female|control|principle|course|seat|center|facility|sheet|mechanism|attempt
    structure|event|strain|vessel|foodstuff|pathology|solid|fluid|liquid body substance|good|morality|quality|property|state|attribute|worth|value|wrong|relation|possession|group|social group|body|form
    people|language unit|substance|stuff|being|entity|feeling|cause|means|way|system|method|content|message|writing|statement
    belief|primate|insanity|celebrity|invertebrate|spiritual being|breathing|effort|desire|dairy product|garment
    """.replace("\n    ", "|").split("|")
)


@dataclass(frozen=True, slots=True)
class ConceptRows:
    """Many short lists of numbers in two arrays."""

    starts: Numbers = field(repr=False)
    values: Numbers = field(repr=False)

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> ConceptRows:
        starts = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(row) for row in lists], out=starts[1:])
        return cls(starts, np.array([value for row in lists for value in row], np.int64))

    def __getitem__(self, row: int) -> tuple[int, ...]:
        return tuple(self.values[self.starts[row] : self.starts[row + 1]].tolist())


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept as a file gives it: its id there, its names (the first is the label), its parents' ids."""

    id: str
    names: tuple[str, ...]
    parents: tuple[str, ...] = ()


def _senses_by_place(names: Sequence[Sequence[int]], spellings: int) -> list[list[int]]:
    """For each spelling the numbers of the concepts that have it among their names."""
    senses: list[list[int]] = [[] for _ in range(spellings)]
    for number, places in enumerate(names):
        for place in places:
            senses[place].append(number)
    return senses


@dataclass(frozen=True)
class Taxonomy:
    """Concepts by number. `senses` lists a name's concepts, the most frequent first."""

    name: str
    ids: Sequence[str] = field(repr=False)
    spellings: Sequence[str] = field(repr=False)
    senses_of: ConceptRows = field(repr=False)
    names_of: ConceptRows = field(repr=False)
    parents_of: ConceptRows = field(repr=False)
    exceptions: dict[str, str] = field(default_factory=dict, repr=False)
    classes: dict[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, name: str, concepts: Iterable[Concept]) -> Taxonomy:
        """From any list of concepts. Parents that are not among them are dropped; cycles do no harm."""
        by_id = {concept.id: concept for concept in concepts}
        listed = list(by_id.values())
        numbers = {id: number for number, id in enumerate(by_id)}
        spellings = sorted({spelling for concept in listed for spelling in concept.names})
        places = {spelling: place for place, spelling in enumerate(spellings)}
        names = [list(map(places.__getitem__, dict.fromkeys(concept.names))) for concept in listed]
        parents = [list(map(numbers.__getitem__, filter(numbers.__contains__, c.parents))) for c in listed]
        return cls(
            name,
            list(by_id),
            spellings,
            ConceptRows.of(_senses_by_place(names, len(spellings))),
            ConceptRows.of(names),
            ConceptRows.of(parents),
        )

    @cached_property
    def lexicon(self) -> Lexicon:
        return Lexicon(frozenset(self._spelling_places), self.exceptions, self.classes)

    @cached_property
    def _spelling_places(self) -> dict[str, int]:
        return {spelling: place for place, spelling in enumerate(self.spellings)}

    @cached_property
    def _folded(self) -> dict[str, list[int]]:
        """Places of the spellings that are not in folded form, by their folded form."""
        folded: dict[str, list[int]] = {}
        for place, spelling in enumerate(self.spellings):
            key = (spelling.lower() if spelling.isascii() else fold_term(spelling)).replace("-", " ")
            if key != spelling:
                folded.setdefault(key, []).append(place)
        return folded

    def senses(self, term: str) -> tuple[int, ...]:
        """The concepts a term may name: as spelled (`AIDS` is not `aids`), else folded, else singular."""
        for spelling in self._term_spellings(term):
            place = self._spelling_places.get(spelling)
            if place is not None:
                return self.senses_of[place]
            places = self._folded.get(spelling)
            if places:
                return tuple(dict.fromkeys(sense for place in places for sense in self.senses_of[place]))
        return ()

    def _term_spellings(self, term: str) -> Iterator[str]:
        term = " ".join(term.split())
        yield term
        if len(term) > 2 and term.endswith("s") and term[:-1].isupper():
            yield term[:-1]
        lower = fold_term(term).replace("-", " ")
        yield lower
        first, _, last = lower.rpartition(" ")
        for singular in singulars(last, self.exceptions):
            yield f"{first} {singular}".strip()

    def names(self, concept: int) -> tuple[str, ...]:
        """Its names, the label first."""
        return tuple(self.spellings[place] for place in self.names_of[concept])

    def synonyms(self, term: str) -> tuple[str, ...]:
        """Other names of what the term names first of all."""
        senses = self.senses(term)
        return tuple(name for name in self.names(senses[0]) if name != term) if senses else ()

    def ancestors(self, concept: int) -> Iterator[int]:
        """What the concept is a kind of, the nearest first, each once."""
        return _reached(self.parents_of, concept)

    def below(self, concept: int) -> Iterator[int]:
        """Every kind of the concept, the nearest first, each once."""
        return _reached(self._children, concept)

    @cached_property
    def _children(self) -> ConceptRows:
        children: list[list[int]] = [[] for _ in self.ids]
        for number in range(len(self.ids)):
            for parent in self.parents_of[number]:
                children[parent].append(number)
        return ConceptRows.of(children)

    def broader(self, concept: int) -> Iterator[int]:
        """Words to say in its place, the nearest first; a person is never called an organism, nor people animals."""
        passed: list[str] = []
        for above in self.ancestors(concept):
            label = self.names(above)[0]
            if label == "hominid":
                return
            depth = len(list(self.ancestors(above))) if self.name == WORDNET_NAME else _SHALLOW
            head = any(narrower.endswith(f" {label}") for narrower in passed)  # of `natural language`
            if depth >= _SHALLOW - head and label not in _UNSPOKEN:
                yield above
            passed.append(label)
            if label == "person":
                return

    def is_below(self, concept: int, term: str) -> bool:
        """Whether the concept is a kind of something that the term may name."""
        above = set(self.senses(term))
        return bool(above & {concept, *self.ancestors(concept)})

    def is_kind_of(self, term: str, other: str) -> bool:
        """Whether some sense of `term` has some sense of `other` above it, or shares it."""
        return any(self.is_below(sense, other) for sense in self.senses(term))


def _reached(next_of: ConceptRows, start: int) -> Iterator[int]:
    """What steps lead to from a concept, the nearest first, each once; a taxonomy file may hold cycles."""
    seen = {start}
    waiting = deque(next_of[start])
    while waiting:
        found = waiting.popleft()
        if found not in seen:
            seen.add(found)
            yield found
            waiting.extend(next_of[found])


def wider(word: str) -> tuple[str, ...]:
    """Broader words for a noun in its most frequent sense, the nearest first; for other words none."""
    if not lexicon().word_classes(word).startswith("n"):
        return ()
    taxonomy = wordnet()
    senses = taxonomy.senses(word)
    return tuple(taxonomy.names(above)[0] for above in taxonomy.broader(senses[0])) if senses else ()


@lru_cache(maxsize=1)
def wordnet() -> Taxonomy:
    """The nouns of WordNet 3.0, as packaged."""
    from efface.knowledge.taxonomy.files import open_taxonomy

    return open_taxonomy(WORDNET)


def lexicon() -> Lexicon:
    """The words of English, as WordNet lists them."""
    return wordnet().lexicon
