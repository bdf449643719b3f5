"""A document as the semantic guarantee sees it: which terms and groups disclose too much, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from efface.core import Edit, Finding, Ladder, LadderStep, Measure, Optimality, Plan, Term
from efface.guarantees.semantic.disclosure_bits import Disclosure, HiddenEntity, disclosures
from efface.guarantees.semantic.edits import GROUPED, in_english, worded_edit
from efface.guarantees.semantic.english.surfaces import surfaces_of
from efface.guarantees.semantic.joint_plan import Moves, ReaderSearch
from efface.guarantees.semantic.look import SemanticLook
from efface.guarantees.semantic.search import Contexts, GroupSearch, TermOptions
from efface.guarantees.semantic.term_queries import TermQueries
from efface.guarantees.semantic.terms import REMOVED, Option
from efface.guarantees.semantic.unknown_words import (
    FEW_MEANINGS,
    is_abbreviation,
    is_addressed,
    is_medical,
    is_special,
)
from efface.guarantees.semantic.whole_text_readers import READERS, DocumentReaders, times
from efface.knowledge.corpus.counts import Corpus, Groups, Query
from efface.knowledge.corpus.text_runs import term_key, term_keys
from efface.knowledge.taxonomy.concepts import lexicon

NAME = "semantic"
_WORD = 2.0  # bits that a word of the text is worth beside what it means: many small gaps make a text hard to read
_GROUPED = 10  # documents that a word, or a phrase, needs to represent a phrase in groups
CONTEXT = re.compile(r"document|paragraph|sentence|window\((\d{1,4})\)")
_BREAKS = {"paragraph": re.compile(r"\n[^\S\n]*\n\s*"), "sentence": re.compile(r"(?<=[.!?])\s+|\n+")}

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Setting:
    """What the guarantee is bound to, and its look at the document."""

    entities: tuple[HiddenEntity, ...] = field(repr=False)
    look: SemanticLook = field(repr=False)
    probability: str
    max_group: int
    unknown: str
    common: float
    support: int
    # The readers of the whole text. None: only terms and groups are judged.
    readers: DocumentReaders | None = field(repr=False)

    @property
    def judge(self) -> TermQueries:
        return self.look.judge

    @property
    def corpus(self) -> Corpus:
        return self.look.judge.corpus


@dataclass(frozen=True)
class DocumentAnalysis:
    """The terms of a document, each with what may replace it."""

    setting: Setting
    text: str
    terms: tuple[Term, ...]
    options: Sequence[Sequence[Option]]
    contexts: Contexts

    @cached_property
    def _rows(self) -> dict[Query, int]:
        """A table row for every option, and for every single word in one."""
        rows: dict[Query, int] = {}
        for option in chain.from_iterable(self.options):
            words = [((part,),) for part in option.parts]
            for query in (option.query, option.above, *words):
                if query:  # an option that removes the term asks for nothing
                    rows.setdefault(query, len(rows))
        return rows

    @cached_property
    def _measures(self) -> list[Disclosure]:
        own = self.setting
        return disclosures(own.corpus, own.entities, own.probability, list(self._rows), own.support)

    @cached_property
    def _risky_singles(self) -> list[Flags]:
        """For each entity, which single queries disclose too much."""
        groups = np.arange(len(self._rows))[:, None]
        return [measure.risk(groups).risky for measure in self._measures]

    def _views(self, option: Option) -> list[int]:
        own = [self._rows[query] for query in (option.query, option.above) if query]
        return [*own, *(self._rows[((part,),)] for part in option.parts)]

    def _is_risky(self, option: Option, measure: int) -> bool:
        """Whether an option discloses too much alone: it, a word in it, or the entity's own name."""
        if option is REMOVED:
            return False
        if self._holds_name(option, self._measures[measure].entity):
            return True
        return bool(self._risky_singles[measure][self._views(option)].any())

    def _holds_name(self, option: Option, entity: HiddenEntity) -> bool:
        """Whether an option is, or holds, a name of the entity, or what is nearly one."""
        return self.setting.look.is_near_name(entity, option.label) or _names(option, entity)

    def _is_allowed(self, option: Option) -> bool:
        return not any(self._is_risky(option, number) for number in range(len(self._measures)))

    @cached_property
    def _candidates(self) -> TermOptions:
        rows, allowed, judged = [], [], []
        for term, options in zip(self.terms, self.options, strict=True):
            rows.append(np.array([self._row(option) for option in options], np.int64))
            fine = [self._is_allowed(option) for option in options]
            if not options[0].query:
                fine = self._unknown(term, fine)
            allowed.append(np.array(self._without_special(term, options, fine), bool))
            judged.append(any(mention.because == GROUPED for mention in term.mentions))
        return TermOptions(self.options, rows, allowed, self.contexts, np.array(judged, bool))

    def _row(self, option: Option) -> int:
        """The option's row in the table of groups; -1 for common and removed terms, which form no groups.

        A phrase is judged as its most telling word, or as a whole when that says more, since a reader of the phrase
        reads its words too. A phrase that few documents hold would form no group with support.
        """
        if not option.query:
            return -1
        judge, most = self.setting.judge, self.setting.common * self.setting.corpus.documents
        if len(option.query) == 1 and len(option.parts) > 1:
            views = [*(((part,),) for part in option.parts), option.query]
            rows = [self._rows[query] for query in views if _GROUPED <= judge.count(query) <= most]
            if rows:
                return max(rows, key=self._telling_bits)
        return self._rows[option.query] if judge.count(option.query) <= most else -1

    def _telling_bits(self, row: int) -> float:
        return max(float(measure.telling[row]) for measure in self._measures)

    def _unknown(self, term: Term, fine: list[bool]) -> list[bool]:
        """The options that the policy allows for a term that the corpus does not know."""
        if not self._is_removed_unknown(term):
            return fine
        if self.setting.unknown == "generalise":
            return [False, *fine[1:]]
        return [*[False] * (len(fine) - 1), True]

    def _without_special(self, term: Term, options: Sequence[Option], fine: list[bool]) -> list[bool]:
        """Options that hold no unknown word in the shape of a drug, a brand or a code, if the policy removes these."""
        words = self._special_words(term)
        return [ok and not words & {*option.label.split()} for option, ok in zip(options, fine, strict=True)]

    def _special_words(self, term: Term) -> set[str]:
        """Words of a known phrase of which nothing is known and that have such a shape: of `MATB1 form` the first. And
        abbreviations, of which few documents know what they mean."""
        if self.setting.unknown != "special" or self._is_addressed(term):
            return set()
        special = set()
        for word in " ".join(surfaces_of(term, self.text)).split():
            is_unknown = is_special([word]) and not self._is_known_word(word)
            if is_unknown or (is_abbreviation(word) and self._is_rare(word)):
                special.add(word)
        return special

    def _is_rare(self, word: str) -> bool:
        key = term_key(word)
        return not key or self.setting.judge.count(((key,),)) < FEW_MEANINGS

    def _is_known_word(self, word: str) -> bool:
        """Whether the corpus or the dictionary has a word. Of what only a clinic writes too few documents are no knowledge."""
        keys = term_keys(word, lexicon())
        if is_medical(word):
            return all(self.setting.judge.count(((key,),)) >= self.setting.support for key in keys)
        return all(self.setting.corpus.knows(key) or key in lexicon().nouns for key in keys)

    def _is_removed_unknown(self, term: Term) -> bool:
        """Whether the policy lets a term go because nothing is known of it."""
        if self.setting.unknown == "special":
            return is_special(surfaces_of(term, self.text)) and not self._is_addressed(term)
        return self.setting.unknown != "keep"

    def _is_addressed(self, term: Term) -> bool:
        """Whether a title before one of its mentions says that a term is a surname."""
        return any(is_addressed(self.text, mention.start, mention.end) for mention in term.mentions)

    def search(self) -> GroupSearch:
        return GroupSearch(self._candidates, self._measures, self.setting.max_group)

    def reader_search(self, ks: Sequence[int]) -> ReaderSearch | None:
        """The readers of the whole text, each with the rank that the entity must reach."""
        readers = self.setting.readers
        if readers is None or not self.terms:
            return None
        return ReaderSearch(readers, self._moves(readers), ks)

    def _moves(self, readers: DocumentReaders) -> Moves:
        sizes = [len(options) for options in self.options]
        term = np.repeat(np.arange(len(self.terms)), sizes)
        first = np.cumsum([0, *sizes])[:-1].astype(np.int64)
        option = np.arange(len(term)) - first[term]
        mentions = np.array([len(each.mentions) for each in self.terms], float)
        worth = np.array([_worth(each, options[0]) for options in self.options for each in options], float)
        keys = [key for number in range(len(self.terms)) for key in self._keys(number)]
        evidence = self.setting.look.evidence or readers.source.for_look(self.setting.corpus)
        said = evidence.of(keys)
        weights = np.array([times(len(each.mentions)) for each in self.terms], np.float32)
        said *= weights[term, None, None]
        allowed = np.concatenate([np.zeros(0, bool), *self._candidates.allowed])
        return Moves(term, option, first, worth * mentions[term], allowed, said)

    def _keys(self, number: int) -> Iterator[str]:
        """What a reader reads for each option of a term, in normal form; of a removed term nothing."""
        yield self.terms[number].key
        for option in self.options[number][1:]:
            yield term_key(option.label)

    def reader_findings(self, k: int) -> Iterator[Finding]:
        """Each entity that stands out in the whole text, with the terms that bring it forward."""
        search = self.reader_search([k] * len(READERS))
        if search is None:
            return
        for each in search.prominent(np.zeros(len(self.terms), np.int64)):
            terms = tuple(self.terms[number] for number in each.terms)
            name = self.setting.entities[each.entity].name
            because = f"all words together, as the reader of {READERS[each.reader]} adds them up"
            yield Finding(NAME, name, terms, each.lead, 0.0, because)

    def findings(self) -> Iterator[Finding]:
        quiet = np.array([allowed[0] for allowed in self._candidates.allowed], bool)
        for number in np.flatnonzero(~quiet).tolist():
            yield from self._single(self.terms[number], self.options[number][0])
        search = self.search()
        smaller: set[tuple[int, ...]] = set()
        for size in range(2, self.setting.max_group + 1):
            for groups in search.groups(size):
                yield from self._groups(groups[quiet[groups].all(axis=1)], search, smaller)

    def _single(self, term: Term, option: Option) -> Iterator[Finding]:
        for number, measure in enumerate(self._measures):
            name, limit = measure.entity.name, measure.limit
            if self._is_risky(option, number):
                yield Finding(NAME, name, (term,), self._bits(option, measure), limit, "alone")
            elif self._special_words(term) or (not option.query and self._is_removed_unknown(term)):
                yield Finding(NAME, name, (term,), float("inf"), limit, "the corpus knows nothing of it")

    def _groups(
        self, groups: Groups, search: GroupSearch, smaller: set[tuple[int, ...]]
    ) -> Iterator[Finding]:
        rows = search.rows(groups)
        for measure in self._measures:
            risk = measure.risk(rows)
            for at in np.flatnonzero(risk.risky).tolist():
                members = tuple(groups[at].tolist())
                if len(members) > 2 and any((a, b) in smaller for a in members for b in members):
                    continue
                smaller.add(members)
                terms = tuple(self.terms[number] for number in members)
                because = f"{len(members)} terms together"
                yield Finding(NAME, measure.entity.name, terms, float(risk.bits[at]), measure.limit, because)

    def _bits(self, option: Option, measure: Disclosure) -> float:
        if self._holds_name(option, measure.entity):
            return measure.own
        risk = measure.risk(np.array(self._views(option), np.int64)[:, None])
        return float(risk.bits[risk.supported].max(initial=-np.inf))

    def plan(self, search: GroupSearch, reading: ReaderSearch | None) -> Plan:
        """The edits that the search has chosen."""
        edits: list[Edit] = []
        total = kept = 0.0
        for term, options, at in zip(self.terms, self.options, search.chosen.tolist(), strict=True):
            own, option = options[0], options[at]
            total += len(term.mentions) * own.bits
            kept += len(term.mentions) * option.bits
            if option is not own:
                edits += [worded_edit(self.text, mention, own, option) for mention in term.mentions]
        edits.sort(key=lambda edit: edit.start)
        return Plan(
            in_english(self.text, edits, self._names),
            total - kept,
            Optimality.HEURISTIC,
            0.0,
            (*self._before_after(search), *self._reader_measures(search, reading)),
            self._note(edits),
            kept / total if total else 1.0,
            tuple(self._ladders(search)),
        )

    def _note(self, edits: Sequence[Edit]) -> str:
        unknown = sum(not options[0].query for options in self.options)
        generalised = sum(edit.replacement is not None for edit in edits)
        removed = len(edits) - generalised
        return f"{generalised} mentions generalised, {removed} removed, {unknown} terms unknown"

    @property
    def _names(self) -> dict[str, str]:
        """The keys of terms that are an entity's own name or its acronym, each with what the policy calls it."""
        own = {term_key(entity.name): entity.name for entity in self.setting.entities}
        named: dict[str, str] = {}
        for term in self.terms:
            for key in term.key.split("|"):
                if key in own:
                    named[term.key] = own[key]
        return named

    def _ladders(self, search: GroupSearch) -> Iterator[Ladder]:
        """For each changed term its possible replacements, and whether each is harmless on its own."""
        for number in np.flatnonzero(search.chosen).tolist():
            allowed = self._candidates.allowed[number].tolist()
            steps = tuple(
                LadderStep(option.shown, option.bits, safe)
                for option, safe in zip(self.options[number], allowed, strict=True)
            )
            yield Ladder(self.terms[number].key, steps, int(search.chosen[number]))

    def _before_after(self, search: GroupSearch) -> Iterator[Measure]:
        """For each entity the most that a term, and that a group, discloses."""
        unchanged = self.search()
        for measure in self._measures:
            name, limit = measure.entity.name, measure.limit
            before, after = (self._worst_term(each, measure) for each in (unchanged, search))
            yield Measure(f"{name}: worst term", before, after, limit)
            if self.setting.max_group > 1:
                before, after = (self._worst_group(each, measure) for each in (unchanged, search))
                yield Measure(f"{name}: worst group", before, after, limit)

    def _reader_measures(self, search: GroupSearch, reading: ReaderSearch | None) -> Iterator[Measure]:
        """For each entity the bits by which it stands out in the whole text, for whom it does so most."""
        if reading is None:
            return
        unchanged = np.zeros_like(search.chosen)
        before = {each.entity: each.lead for each in reading.prominent(unchanged)}
        after = {each.entity: each.lead for each in reading.prominent(search.chosen)}
        for number, entity in enumerate(self.setting.entities):
            yield Measure(f"{entity.name}: whole text", before.get(number, 0.0), after.get(number, 0.0), 0.0)

    def _worst_term(self, search: GroupSearch, measure: Disclosure) -> float:
        chosen = [options[at] for options, at in zip(self.options, search.chosen.tolist(), strict=True)]
        return max([0.0, *(self._bits(option, measure) for option in chosen if option.query)])

    def _worst_group(self, search: GroupSearch, measure: Disclosure) -> float:
        return max(0.0, search.worst(measure, range(2, self.setting.max_group + 1)))


def _worth(option: Option, own: Option) -> float:
    """What a reader has of an option: its bits of meaning, and that words of the text stay."""
    staying = len(own.label.split()) if option is own else option.suffix + option.prefix
    return option.bits + _WORD * staying


def _names(option: Option, entity: HiddenEntity) -> bool:
    """Whether an option is, or holds, a name of the entity or a phrase that is as good as one."""
    if entity.telling is not None and entity.telling.search(option.label):
        return True
    if any(part in entity.names for part in option.query):
        return True
    words = f" {' '.join(term_keys(option.label, lexicon()))} "
    return any(f" {name[0]} " in words for name in entity.names)


def contexts(context: str, text: str, terms: Sequence[Term]) -> Contexts:
    """One row a term, one bit a stretch of text: where the term is."""
    stretches = list(_context_stretches(context, text)) or [(0, 0)]
    starts = np.array([start for start, _ in stretches])
    ends = np.array([end for _, end in stretches])
    table = np.zeros((len(terms), -(-len(stretches) // 8)), np.uint8)
    for row, term in enumerate(terms):
        for mention in term.mentions:
            table[row] |= np.packbits((mention.start < ends) & (starts < mention.end))
    return table


def _context_stretches(context: str, text: str) -> Iterator[tuple[int, int]]:
    if context == "document":
        yield 0, len(text)
    elif context in _BREAKS:
        start = 0
        for match in _BREAKS[context].finditer(text):
            yield start, match.start()
            start = match.end()
        yield start, len(text)
    else:
        window = CONTEXT.fullmatch(context)
        size = max(1, int(window.group(1))) if window else 1
        words = [word.span() for word in re.finditer(r"\S+", text)]
        for first in range(max(len(words) - size, 0) + 1 if words else 0):
            yield words[first][0], words[min(first + size, len(words)) - 1][1]
