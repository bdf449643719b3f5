"""What a term says about each thing that a text could be about, in bits, from three sources.

Counts: a word that occurs with a candidate oftener than by chance is evidence for it,

    log2[ (documents with both + 1) / (documents expected with both + 1) ] - 1 where this is positive,

and a term says what its words say together. A dictionary is counted here too: a word whose definition names a
candidate, or that defines it, is evidence for it by as many bits as it is rare, four at most. Vectors: a word or a
known phrase is evidence for a candidate when it is nearer to it in meaning than words in general are. Articles: a word
that the article about a candidate repeats is evidence for it by its tf-idf there. A word that a source does not know has
no evidence there, nor has a word of a generalisation, which a reader may know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from efface.guarantees.semantic.rivals import Candidate
from efface.knowledge.corpus.counts import Corpus, Query
from efface.knowledge.corpus.subject_articles import SubjectArticles
from efface.knowledge.taxonomy.definitions import Definitions
from efface.knowledge.vectors.word_vectors import WordVectors

EvidenceBits = npt.NDArray[np.float32]

SOURCES = ("counts", "vectors", "articles")
_DOUBT = 1.0  # documents added to what is seen and to what is expected: single documents say little
_VECTOR_BITS = 10.0  # bits that a cosine of 1 above the usual is worth
# Bits of evidence that any word has for anything: many such words would drown the few that matter.
_NOISE = 1.0
_DEFINED = 4.0  # bits that a definition says at most
_EVERYDAY = 1.5  # bits of a word that is too common to say anything
_BLOCK = 100_000  # pairs counted together


@dataclass(frozen=True)
class EvidenceSource:
    """What is known of the candidates. The words of a document are looked up by what `for_look` makes."""

    vectors: WordVectors | None = field(repr=False)
    candidates: tuple[Candidate, ...] = field(repr=False)
    # The words that a reader may know anyway: the generalisations.
    neutral: frozenset[str] = field(default=frozenset(), repr=False)
    definitions: Definitions | None = field(default=None, repr=False)
    subjects: SubjectArticles | None = field(default=None, repr=False)

    def for_look(self, corpus: Corpus) -> EvidenceLook:
        """Looks up the words of one document, and counts them in this corpus."""
        return EvidenceLook(self, corpus)

    @cached_property
    def typical(self) -> dict[str, EvidenceBits]:
        """What each word says of the candidates whose articles repeat it."""
        found: dict[str, EvidenceBits] = {}
        for place, candidate in enumerate(self.candidates):
            title = None if self.subjects is None else candidate.article(self.subjects)
            if self.subjects is not None and title is not None:
                for word, bits in self.subjects.typical_words(title).items():
                    found.setdefault(word, np.zeros(len(self.candidates), np.float32))[place] = bits
        return found

    def defined_by(self, key: str) -> Set[int]:
        """The candidates that a definition of a word or phrase names, or that it defines."""
        return self.related.get(key, frozenset())

    @cached_property
    def related(self) -> dict[str, set[int]]:
        if self.definitions is None:
            return {}
        names = []
        for each in self.candidates:
            single = [part for part in each.query if len(part) == 1]
            names.append({key for part in single for key in part})
        return self.definitions.related(names)

    @cached_property
    def directions(self) -> EvidenceBits:
        """The vectors of the candidates' names."""
        assert self.vectors is not None
        return self.vectors.of_names([candidate.name for candidate in self.candidates])


@dataclass(frozen=True)
class EvidenceLook:
    """Evidence of the terms of one document for the candidates. Each word is looked up once."""

    source: EvidenceSource = field(repr=False)
    corpus: Corpus = field(repr=False)
    _by_count: dict[str, EvidenceBits] = field(default_factory=dict, repr=False)
    _by_vector: dict[str, EvidenceBits] = field(default_factory=dict, repr=False)

    def of(self, keys: Sequence[str]) -> EvidenceBits:
        """Keys by sources by candidates. A key has words, a blank between them, and alternatives, a bar between them."""
        counted = [_words_of_key(key) for key in keys]
        compared = [list(self._units(key)) for key in keys]
        _look_up(self._by_count, counted, self._count)
        _look_up(self._by_vector, compared, self._compare)
        neutral, typical = self.source.neutral, self.source.typical
        found = np.zeros((len(keys), len(SOURCES), len(self.source.candidates)), np.float32)
        for row in range(len(keys)):
            for word in counted[row]:
                if word not in neutral:
                    found[row, 0] += self._by_count[word]
                    found[row, 2] += typical.get(word, 0)
            for unit in compared[row]:
                if unit not in neutral:
                    found[row, 1] += self._by_vector[unit]
            self._add_definitions(keys[row], found[row, 0])
        return found

    def _add_definitions(self, key: str, bits: EvidenceBits) -> None:
        """Raise what a term says of candidates that the definition of it, or of a word in it, names."""
        for unit in {*key.split("|"), *_words_of_key(key)}:
            if unit in self.source.related and unit not in self.source.neutral:
                places = list(self.source.related[unit])
                bits[places] = np.maximum(bits[places], self._rarity(unit))

    def _rarity(self, unit: str) -> float:
        """The bits of a word or phrase, of which everyday words have none, up to what a definition says."""
        if not self.corpus.knows(unit):
            return _DEFINED
        count = int(self.corpus.table([((unit,),)]).counts(np.zeros((1, 1), np.int64))[0])
        bits = math.log2(self.corpus.documents / max(1, count)) - _EVERYDAY
        return min(_DEFINED, max(0.0, bits))

    def _units(self, key: str) -> Iterator[str]:
        """What has a vector of its own: a known phrase, else its words."""
        vectors = self.source.vectors
        for part in key.split("|"):
            if vectors is not None and vectors.knows(part):
                yield part
            else:
                yield from part.split(" ")

    def _count(self, words: Sequence[str]) -> EvidenceBits:
        candidates = self.source.candidates
        bits = np.zeros((len(words), len(candidates)), np.float32)
        known = [place for place, word in enumerate(words) if self.corpus.knows(word)]
        if not known or not candidates:
            return bits
        queries: list[Query] = [((words[place],),) for place in known]
        queries += [each.query for each in candidates]
        table = self.corpus.table(queries)
        alone = table.counts(np.arange(len(queries))[:, None]).astype(float)
        first, second = np.indices((len(known), len(candidates))).reshape(2, -1)
        pairs = np.stack([first, second + len(known)], axis=1)
        together = [table.counts(pairs[at : at + _BLOCK]) for at in range(0, len(pairs), _BLOCK)]
        seen = np.concatenate(together).reshape(len(known), -1)
        expected = alone[: len(known), None] * alone[None, len(known) :] / self.corpus.documents
        bits[known] = _above_noise(np.log2((seen + _DOUBT) / (expected + _DOUBT)))
        return bits

    def _compare(self, units: Sequence[str]) -> EvidenceBits:
        vectors = self.source.vectors
        if vectors is None:
            return np.zeros((len(units), len(self.source.candidates)), np.float32)
        found = vectors.of(units)
        known = np.linalg.norm(found, axis=1, keepdims=True) > 0
        nearness = found @ self.source.directions.T - self.source.directions @ vectors.mean
        return np.asarray(np.where(known, _above_noise(_VECTOR_BITS * nearness), 0), np.float32)


def _above_noise(bits: npt.NDArray[np.float64] | EvidenceBits) -> EvidenceBits:
    return np.maximum(bits - _NOISE, 0).astype(np.float32)


def _words_of_key(key: str) -> list[str]:
    return list(dict.fromkeys(key.replace("|", " ").split(" ")))


def _look_up(
    known: dict[str, EvidenceBits],
    wanted: Sequence[Sequence[str]],
    look: Callable[[Sequence[str]], EvidenceBits],
) -> None:
    """Add the rows of all wanted words; new ones are looked up together."""
    words = dict.fromkeys(word for row in wanted for word in row)
    new = [word for word in words if word not in known]
    if new:
        known.update(zip(new, look(new), strict=True))
