"""Semantic sanitization: no term, and no group of terms, says more about a hidden entity than its
generalisation does ((C, g(C))-sanitization, Sánchez and Batet 2017)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations, islice

import numpy as np

from efface.core import Claim, Document, Finding, Gap, Plan, Reading, Term
from efface.errors import PolicyError
from efface.guarantees.abilities import Level
from efface.guarantees.secret_rank import SecretRank
from efface.guarantees.semantic.disclosure_bits import HiddenEntity, check_probability
from efface.guarantees.semantic.document_analysis import (
    CONTEXT,
    NAME,
    DocumentAnalysis,
    Setting,
    contexts,
)
from efface.guarantees.semantic.english.letter_words import LETTER_WORDS
from efface.guarantees.semantic.evidence import EvidenceSource
from efface.guarantees.semantic.hidden_entities import EntityNaming, little_known
from efface.guarantees.semantic.joint_plan import settle_all
from efface.guarantees.semantic.language_coverage import language_gaps
from efface.guarantees.semantic.limit_levels import levels_by_limit
from efface.guarantees.semantic.look import SemanticLook, new_look
from efface.guarantees.semantic.rivals import LEAST_DOCUMENTS, KnownConcepts, candidates_of
from efface.guarantees.semantic.term_options import is_brand, is_noun_phrase, options_of
from efface.guarantees.semantic.term_queries import TermQueries
from efface.guarantees.semantic.terms import REMOVED, Generaliser, Option
from efface.guarantees.semantic.whole_text_readers import READERS, DocumentReaders, all_candidates
from efface.knowledge.corpus.counts import Corpus, Query
from efface.knowledge.corpus.subject_articles import SubjectArticles
from efface.knowledge.corpus.text_runs import term_key
from efface.knowledge.taxonomy.concepts import Taxonomy
from efface.knowledge.taxonomy.definitions import Definitions
from efface.knowledge.vectors.word_vectors import WordVectors

SOURCE = "phrases"
READER = ("document", "terms")
UNKNOWN = ("keep", "generalise", "remove", "special")
_NAMED = 1000  # findings that are listed; the plan covers all
_COMPANY = 30  # terms of a document that decide the senses of the others
_TOPICAL = 200  # documents: what is rarer says what a document is about
_SHORTEST = 3  # letters of a name that is looked for letter by letter


@dataclass(frozen=True)
class Semantic:
    """`hide` maps an entity to its generalisation, or to None for plain C-sanitization.

    `common`: a term in a larger share of all documents forms no groups, as a stop word forms none.
    `support`: a group that fewer documents hold is no evidence. `probability`: None is contextual
    where there is a generalisation, standard where there is none. `reader`: `document` judges the whole text as
    well as its terms; `k` is the rank that an entity must have there, and `rivals` may name what it is ranked among.
    `secret` draws the rank that a plan aims at, from k to 2k.
    """

    hide: Mapping[str, str | None] = field(repr=False)
    corpus: Corpus = field(repr=False)
    taxonomies: tuple[Taxonomy, ...] = field(repr=False)
    max_group: int = 2
    context: str = "document"
    probability: str | None = None
    unknown: str = "keep"
    common: float = 0.1
    support: int = 3
    reader: str = "document"
    k: int = 5
    rivals: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    vectors: WordVectors | None = field(default=None, repr=False)
    definitions: Definitions | None = field(default=None, repr=False)
    subjects: SubjectArticles | None = field(default=None, repr=False)
    secret: SecretRank = field(default_factory=lambda: SecretRank.of(None), repr=False, compare=False)
    look: SemanticLook | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.hide:
            raise PolicyError("`hide` names no entity.", "Write `hide: {HIV: virus}`.")
        if self.max_group not in (1, 2, 3):
            raise PolicyError("`max_group` is 1, 2 or 3.")
        if not CONTEXT.fullmatch(self.context):
            raise PolicyError("`context` is document, paragraph, sentence or window(n).")
        if self.reader not in READER:
            raise PolicyError("`reader` is document or terms.")
        if self.k < 2:
            raise PolicyError("`k` is 2 or more: the entity and at least one other.")
        if self.unknown not in UNKNOWN:
            raise PolicyError("`unknown` is keep, generalise, remove or special.")
        if self.probability is not None:
            check_probability(self.probability, self.entities)

    @property
    def claim(self) -> Claim:
        return Claim(
            name=NAME,
            sentence=self._sentence,
            unit="bits disclosed",
            legend="tells a protected subject",
            title="Protected subjects",
            parameters={
                "reader": self.reader,
                "k": self.k if self.reader == "document" else 0,
                "max_group": self.max_group,
                "context": self.context,
                "probability": self._probability,
                "unknown terms": self.unknown,
                "common": self.common,
                "support": self.support,
                "entities": len(self.hide),
                "documents in the corpus": self.corpus.documents,
            },
        )

    @property
    def _sentence(self) -> str:
        bound = "its generalisation does" if all(self.hide.values()) else "is allowed"
        groups = (
            f", and no group of up to {self.max_group} noun phrases of one {self.context.partition('(')[0]} "
            f"(each in at most {self.common:.0%} of the corpus, and telling by itself),"
        )
        unknown = {
            "keep": "stay",
            "generalise": "are generalised",
            "remove": "are removed",
            "special": "are removed when they look like drugs, genes, brands or codes",
        }[self.unknown]
        whole = (
            f" Nor does a reader who adds up what all words say, by counts, by word vectors or by articles about it, find it among the first "
            f"{self.k - 1} of the things that it could be."
        )
        return (
            f"Counted over a corpus, no word or noun phrase{groups if self.max_group > 1 else ''} says more "
            f"about a hidden entity than {bound}.{whole if self.reader == 'document' else ''} "
            f"Terms of which nothing is known {unknown}."
        )

    @property
    def _probability(self) -> str:
        return self.probability or "contextual"

    @cached_property
    def entities(self) -> tuple[HiddenEntity, ...]:
        entities = []
        for name, general in self.hide.items():
            entities.append(self._naming.entity(name, general, self._telling_phrases_of(name, general)))
        return tuple(entities)

    @property
    def _naming(self) -> EntityNaming:
        return EntityNaming(self._judge, self.taxonomies)

    @property
    def joined_names(self) -> dict[str, str]:
        """The keys of all hidden names by their letters, as a finder of words in pieces takes them."""
        return {key.replace(" ", "").lower(): key for key in self._name_keys if len(key) >= _SHORTEST}

    @property
    def _name_keys(self) -> Iterator[str]:
        """The keys of all names of the hidden entities."""
        for entity in self.entities:
            for part in entity.names:
                yield from part

    @property
    def telling(self) -> tuple[str, ...]:
        """Phrases that are as good as a name of an entity."""
        return tuple(phrase for pair in self.hide.items() for phrase in self._telling_phrases_of(*pair))

    def _telling_phrases_of(self, name: str, general: str | None) -> tuple[str, ...]:
        # Counts alone are the paper's guarantee.
        return self._naming.telling_phrases(name, general) if self.reader == "document" else ()

    def warnings(self) -> tuple[str, ...]:
        """What is odd about `hide`: a generalisation that no taxonomy puts above its entity, too few rivals."""
        odd = []
        for number, (name, general) in enumerate(self.hide.items(), 1):
            if general is not None and not any(t.is_kind_of(name, general) for t in self.taxonomies):
                odd.append(
                    f"`hide`: no taxonomy puts generalisation {number} above its entity; the limit may mean little."
                )
        for number, each in enumerate(self.readers.entities if self.readers else (), 1):
            if len(each.rivals) < self.k - 1:
                odd.append(
                    f"`hide`: entity {number} has {len(each.rivals)} known rivals, fewer than `k` asks for, so nearly "
                    "every word about it goes; name others of its kind in `rivals`."
                )
        return tuple(odd)

    @cached_property
    def _judge(self) -> TermQueries:
        return TermQueries(self.corpus, self.support)

    def _setting(self, look: SemanticLook) -> Setting:
        return Setting(
            self.entities,
            look,
            self._probability,
            self.max_group,
            self.unknown,
            self.common,
            self.support,
            self.readers,
        )

    @cached_property
    def readers(self) -> DocumentReaders | None:
        """The readers of the whole text; none with `reader: terms`."""
        if self.reader == "terms":
            return None
        concepts = KnownConcepts(self._judge)
        entities = tuple(
            candidates_of(
                entity, general, concepts, self.taxonomies, self.rivals, self.vectors, self.subjects
            )
            for entity, general in zip(self.entities, self.hide.values(), strict=True)
        )
        neutral = LETTER_WORDS.union(*(term_key(general or "").split(" ") for general in self.hide.values()))
        candidates = all_candidates(entities)
        source = EvidenceSource(self.vectors, candidates, neutral, self.definitions, self.subjects)
        return DocumentReaders(entities, source)

    @cached_property
    def _all_names(self) -> Query:
        names = (part for entity in self.entities for part in (*entity.names, *(entity.generalisation or ())))
        return tuple(dict.fromkeys(names))

    def _generaliser(self, terms: Sequence[Term], judge: TermQueries) -> Generaliser:
        """What may replace the terms of a document; its rarer terms decide their senses."""
        company: dict[tuple[str, ...], None] = {}
        for term in terms:
            query = judge.query(term.key)
            if query and len(company) < _COMPANY and self.support <= judge.count(query) <= _TOPICAL:
                company.update(dict.fromkeys(query))
        context = None
        if self.vectors is not None and terms:
            mean = self.vectors.of([term.key.split("|")[0] for term in terms]).mean(axis=0)
            context = mean / (np.linalg.norm(mean) or 1)
        return Generaliser(judge, self.taxonomies, self._all_names, tuple(company), self.vectors, context)

    def with_key(self, key: bytes) -> Semantic:
        """This guarantee with a caller's key for its ranks. What it has computed of the corpus is kept."""
        mine = copy(self)
        object.__setattr__(mine, "secret", SecretRank.of(key))
        return mine

    def at_look(self) -> Semantic:
        """The guarantee for one look at one document. What it has computed of the corpus is shared."""
        look = self._new_look()
        mine = copy(self)
        object.__setattr__(mine, "look", look)
        return mine

    def _new_look(self) -> SemanticLook:
        return new_look(self._judge, self.entities, None if self.readers is None else self.readers.source)

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        """Every risky term, and every risky group without a smaller one inside."""
        analysis = self._analysis(reading, frozenset(), self.look or self._new_look())
        return tuple(islice(chain(analysis.reader_findings(self.k), analysis.findings()), _NAMED))

    def explain(self, finding: Finding) -> str:
        return (
            f"It says more about a protected subject than may show ({finding.amount:.3g} bits, at most "
            f"{finding.limit:.3g}), {finding.because}."
        )

    def levels_of(self, findings: Sequence[Finding]) -> Iterator[Level]:
        return levels_by_limit(findings)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        """Options are looked up only for terms that turn out to be in a risky group."""
        text = reading.document.text
        ranks = [self.secret.draw(self.k, text, f"semantic {reader}") for reader in READERS]
        involved = frozenset(term.key for finding in findings for term in finding.terms)
        look = self.look or self._new_look()
        while True:
            analysis = self._analysis(reading, involved, look)
            search, readers = analysis.search(), analysis.reader_search(ranks)
            reading_search = None if readers is None else readers.pursuing()
            changed = settle_all(search, reading_search)
            missing = frozenset(analysis.terms[number].key for number in changed) - involved
            if not missing:
                return analysis.plan(search, reading_search)
            involved |= missing

    def gaps(self, document: Document) -> Iterator[Gap]:
        """Text in languages that the counts cannot read, and entities of which they know too little."""
        yield from language_gaps(document)
        for number, entity in enumerate(self.entities, 1):
            if self._judge.count(entity.names) < LEAST_DOCUMENTS:
                yield little_known(NAME, number)

    def unknown_terms(self, reading: Reading) -> tuple[Term, ...]:
        """Terms about which neither the corpus nor a taxonomy can say anything."""
        analysis = self._analysis(reading, frozenset(), self.look or self._new_look())
        pairs = zip(analysis.terms, analysis.options, strict=True)
        return tuple(term for term, options in pairs if not options[0].query)

    def _analysis(self, reading: Reading, involved: frozenset[str], look: SemanticLook) -> DocumentAnalysis:
        terms = tuple(_terms(reading))
        text = reading.document.text
        generaliser = self._generaliser(terms, look.judge)
        doubtful = self._doubtful(terms)
        full = involved - doubtful
        options = []
        for term in terms:
            found = options_of(generaliser, term, text, full=term.key in full)
            found = self._without_telling_parts(found)
            options.append(self._with_generalisation(term, found) if term.key in full else found)
        return DocumentAnalysis(
            self._setting(look), text, terms, options, contexts(self.context, text, terms)
        )

    def _without_telling_parts(self, options: Sequence[Option]) -> Sequence[Option]:
        """The options without those that keep a part of a telling phrase (who reads that a load was high thinks of viral
        loads), or more of a name than its last word."""
        words = options[0].label.split()
        told = self._telling_word_numbers(words)
        return [each for each in options if not each.stays(len(words)) & told] if told else options

    def _telling_word_numbers(self, words: Sequence[str]) -> set[int]:
        """The numbers of those words of a phrase."""
        told: set[int] = set()
        phrase = " ".join(words)
        spans = [match.span() for match in re.finditer(r"\S+", phrase)]
        for entity in self.entities:
            for match in entity.telling.finditer(phrase) if entity.telling is not None else ():
                low, high = match.span()
                told.update(n for n, (start, end) in enumerate(spans) if start < high and low < end)
        for first, last in combinations(range(len(words) + 1), 2) if self._long_names else ():
            if last - first > 1 and term_key(" ".join(words[first:last])).lower() in self._long_names:
                told.update(range(first, last - 1))
        return told

    @cached_property
    def _long_names(self) -> frozenset[str]:
        """The names of entities that have several words."""
        return frozenset(key.lower() for key in self._name_keys if " " in key)

    def _with_generalisation(self, term: Term, options: Sequence[Option]) -> Sequence[Option]:
        """The options of a term; a name of an entity may become what the policy calls it, whatever else it means."""
        for entity, general in zip(self.entities, self.hide.values(), strict=True):
            if general is None or (term.key,) not in entity.names or not is_noun_phrase(term):
                continue
            if not is_brand(options[0].label, entity.name):
                return self._with_option(general, options)
        return options

    def _with_option(self, general: str, options: Sequence[Option]) -> Sequence[Option]:
        """The options with a generalisation in its place among them: they are in order of what they tell."""
        key = term_key(general)
        query = self._judge.query(key)
        # A generalisation tells no more than the name itself.
        bits = min(self._judge.bits(query), options[0].bits)
        step = Option(general, query, self._judge.parts(key), bits, "")
        others = [each for each in options if each.label != general]
        more = [each for each in others if each.bits >= bits and each is not REMOVED]
        less = [each for each in others if each.bits < bits or each is REMOVED]
        return (*more, step, *less)

    def _doubtful(self, terms: Sequence[Term]) -> frozenset[str]:
        """Terms of several senses whose definition names a hidden entity in one of them: `rolled a joint` is no body part,
        so that only a placeholder may replace it. A name of an entity is what the policy says it is."""
        if self.readers is None:
            return frozenset()
        names = set(self._name_keys)
        defined = [t.key for t in terms if t.key not in names and self.readers.defines_entity(t.key)]
        return frozenset(key for key in defined if self._has_senses(key))

    def _has_senses(self, key: str) -> bool:
        return any(len(taxonomy.senses(key)) > 1 for taxonomy in self.taxonomies)


def _terms(reading: Reading) -> Iterator[Term]:
    """The finder's terms, efface's own insertions among them."""
    for term in reading.terms:
        if term.source == SOURCE:
            yield term
