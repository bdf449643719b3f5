"""Decisions as the flow understands them: a guarantee for what was redacted, a filter for what was kept.

A finder's find (a pattern, a name) is a judgement, and the reviewer's judgement replaces it. What a list of the
policy denies, or what an attacker knows from data, stays so whatever a reviewer thinks: keeping it breaks the
guarantee, and the last look says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from efface.core import (
    NOTHING,
    Claim,
    Edit,
    Finder,
    Finding,
    Guarantee,
    Mention,
    Optimality,
    Plan,
    Reading,
    Span,
    SpanSet,
    Term,
    traits_of,
)
from efface.finders.lists import Listed, WordFinder
from efface.service.review.wrappers import Forwarding, Remembering
from efface.text.disguises.glued_tokens import token_around
from efface.text.folding import fold_term, foldings
from efface.text.spans import Place

NAME = "decisions"
LEGEND = "redacted by a reviewer"
TYPE = "REDACTED"
BECAUSE = "the reviewer redacted it"
KEPT_BY = "kept by the reviewer"
_FIRM = 2.0  # a reviewer's edit goes before a finder's for the same place


@dataclass(frozen=True, slots=True)
class Replacement:
    """What becomes of something that the reviewer redacted: what it is, and the words in its place."""

    type: str = TYPE
    text: str | None = field(default=None, repr=False)  # None: a placeholder


@dataclass(frozen=True)
class Redactions:
    """Nothing that the reviewer redacted is left, but for the places that they kept."""

    original: str = field(repr=False)
    terms: Mapping[str, Replacement] = field(repr=False)  # by folded term
    places: Mapping[Place, Replacement] = field(repr=False)
    spared: frozenset[Place] = field(default=frozenset(), repr=False)

    @property
    def claim(self) -> Claim:
        sentence = "Nothing that the reviewer redacted is left in the released file."
        return Claim(NAME, sentence, "mentions left", legend=LEGEND)

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        text = reading.document.text
        ours = SpanSet(reading.inserted)
        found = [*self._terms_left(text, ours), *self._places_left(text, ours)]
        return tuple(Finding(NAME, TYPE, (t,), float(len(t.mentions)), 0.0, BECAUSE) for t in found)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        edits = tuple(self._edit(m) for finding in findings for term in finding.terms for m in term.mentions)
        return Plan(edits, float(len(edits)), Optimality.PROVED, float(len(edits)))

    def _edit(self, mention: Mention) -> Edit:
        place = (mention.start, mention.end)
        mark = self.places.get(place) or self.terms.get(mention.key) or Replacement()
        return Edit(mention.start, mention.end, mark.type, mention.key, BECAUSE, mark.text, _FIRM)

    def _terms_left(self, text: str, ours: SpanSet) -> Iterator[Term]:
        """What the reviewer redacted and the text still has, beyond the places that stay on purpose."""
        groups: dict[str, list[Mention]] = {}
        for mention in self._finder.find(text):
            if not ours.covers(mention.start, mention.end):
                groups.setdefault(mention.key, []).append(mention)
        for key, mentions in groups.items():
            if text == self.original:
                mentions = [m for m in mentions if (m.start, m.end) not in self.spared]
            elif len(mentions) <= self._allowed[key]:
                continue
            if mentions:
                yield Term(key, TYPE, tuple(mentions), NAME)

    def _places_left(self, text: str, ours: SpanSet) -> Iterator[Term]:
        """In the original by place; later a stretch may stand there as often as it was not redacted."""
        if text == self.original:
            for start, end in sorted(self.places):
                if end <= len(text):
                    key = fold_term(text[start:end])
                    yield Term(key, TYPE, (Mention(start, end, TYPE, key, 1.0, BECAUSE),), NAME)
            return
        for surface, redacted in self._surfaces.items():
            left = [span for span in _occurrences(text, surface) if not ours.covers(*span)]
            if len(left) > self.original.count(surface) - redacted:
                key = fold_term(surface)
                yield Term(key, TYPE, tuple(Mention(*s, TYPE, key, 1.0, BECAUSE) for s in left), NAME)

    @cached_property
    def _finder(self) -> WordFinder:
        return WordFinder(tuple(Listed(key, type=TYPE) for key in self.terms), BECAUSE)

    @cached_property
    def _allowed(self) -> Counter[str]:
        """How often a redacted term stays on purpose."""
        found = self._finder.find(self.original)
        return Counter(m.key for m in found if (m.start, m.end) in self.spared)

    @cached_property
    def _surfaces(self) -> Counter[str]:
        return Counter(self.original[start:end] for start, end in self.places if end <= len(self.original))


def _occurrences(text: str, surface: str) -> Iterator[Place]:
    at = text.find(surface)
    while at >= 0:
        yield at, at + len(surface)
        at = text.find(surface, at + len(surface))


def words_around_parts(text: str, terms: Iterable[str]) -> dict[Place, str]:
    """For folded terms that are no whole words of the text, the words that they are parts of.

    Whoever drags over "Military Housing Establishm" means the whole words. A search for whole words would find nothing,
    and nothing would go."""
    wanted = frozenset(terms)
    finder = WordFinder(tuple(Listed(key, type=TYPE) for key in wanted), BECAUSE)
    parts = wanted - {mention.key for mention in finder.find(text)}
    found: dict[Place, str] = {}
    for folded in foldings(text) if parts else ():
        for key in sorted(parts):
            for start, end in _occurrences(folded.text, key):
                span = folded.span(start, end)
                found[token_around(text, span.start, span.end)] = key
    return found


def list_finders(finders: Mapping[str, Finder]) -> frozenset[str]:
    """The finders of what the policy lists. That is no judgement, so it goes whatever a reviewer thinks."""
    return frozenset(name for name, finder in finders.items() if traits_of(finder).is_list)


@dataclass(frozen=True)
class Overruled:
    """A guarantee on finds, without those that the reviewer keeps. What lists deny is not theirs to keep."""

    inner: Guarantee
    original: str = field(repr=False)
    terms: frozenset[str] = field(default=frozenset(), repr=False)  # folded
    places: frozenset[Place] = field(default=frozenset(), repr=False)
    threshold: float = 0.0
    lists: frozenset[str] = frozenset()  # finders of terms that the policy lists
    # It judges finds, as the inner guarantee does, so the keep list may correct them.
    is_overrulable: bool = True

    @property
    def claim(self) -> Claim:
        claim = self.inner.claim
        more: dict[str, str | int | float | bool] = {"kept_by_reviewer": len(self.terms) + len(self.places)}
        if self.threshold:
            more["reviewer_threshold"] = self.threshold
        return replace(claim, parameters={**claim.parameters, **more})

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        return tuple(self._findings_left(reading))

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return self.inner.plan(reading, findings)

    def _findings_left(self, reading: Reading) -> Iterator[Finding]:
        text = reading.document.text
        first = text == self.original
        kept = SpanSet(mention.span for mention in self._finder.find(text))
        places = SpanSet(Span(*place) for place in sorted(self.places)) if first else NOTHING
        for finding in self.inner.assess(reading):
            term = finding.terms[0]
            if term.source in self.lists:
                yield finding
                continue
            mentions = [
                m
                for m in term.mentions
                if m.score >= self.threshold
                and not self._is_kept(text, m, kept)
                and not places.covers(m.start, m.end)
            ]
            if mentions and not first and len(mentions) <= self._allowed(_key(text, mentions[0])):
                continue
            if mentions:
                left = replace(term, mentions=tuple(mentions))
                yield replace(finding, terms=(left,), amount=float(len(mentions)))

    def _is_kept(self, text: str, mention: Mention, kept: SpanSet) -> bool:
        """Whether it is a kept term, or a part of one: another finder takes "Ferreira" out of "Mr Ferreira"."""
        return kept.covers(mention.start, mention.end) or _key(text, mention) in self.terms

    def _allowed(self, key: str) -> int:
        """How often a term stays, as whole words, in the places that are kept."""
        whole = re.compile(rf"(?<!\w){re.escape(key)}(?!\w)")
        return sum(len(whole.findall(surface)) for surface in self._surfaces) if key else 0

    @cached_property
    def _finder(self) -> Finder:
        return Remembering(WordFinder(tuple(Listed(key) for key in sorted(self.terms)), KEPT_BY))

    @cached_property
    def _surfaces(self) -> tuple[str, ...]:
        return tuple(fold_term(self.original[start:end]) for start, end in self.places)


def _key(text: str, mention: Mention) -> str:
    return fold_term(text[mention.start : mention.end])


@dataclass(frozen=True)
class Without(Forwarding):
    """A finder without what the reviewer keeps. The policy's own keep list takes back finders' mistakes only; this
    makes the file as it was decided, whatever it tells, for the policy to judge."""

    finder: Finder
    kept: Finder

    def find(self, text: str) -> Iterable[Mention]:
        spared = SpanSet(mention.span for mention in self.kept.find(text))
        return (m for m in self.finder.find(text) if not spared.covers(m.start, m.end))

    def for_one_document(self) -> Self:
        """Itself: what it wraps is made for one document already."""
        return self

    def forwarded(self, name: str) -> Any:
        return getattr(self.finder, name)


# Of a guarantee: these answer with another one.
_MAKES_ANOTHER = (
    "at_look",
    "with_key",
    "with_strength",
    "with_rights",
    "with_earlier",
    "bind",
    "as_template",
)


@dataclass(frozen=True)
class Sparing(Forwarding):
    """A guarantee that reads the words itself, without the edits of what the reviewer keeps.

    It is satisfied once nothing but kept words is left to take out, so that the file is made as it was decided. The
    policy's own guarantee judges that file.
    """

    inner: Guarantee
    kept: Finder
    _plans: dict[str, Plan] = field(default_factory=dict, repr=False)  # of the text that was looked at last

    @property
    def claim(self) -> Claim:
        return self.inner.claim

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        findings = self.inner.assess(reading)
        return findings if findings and self.plan(reading, findings).edits else ()

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        text = reading.document.text
        if text not in self._plans:
            plan = self.inner.plan(reading, findings)
            spared = SpanSet(mention.span for mention in self.kept.find(text))
            left = tuple(edit for edit in plan.edits if not spared.touches(edit.start, edit.end))
            self._plans.clear()
            self._plans[text] = replace(plan, edits=left)
        return self._plans[text]

    def forwarded(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if name not in _MAKES_ANOTHER:
            return found
        return lambda *given, **named: Sparing(found(*given, **named), self.kept)


@dataclass(frozen=True)
class KeptPlaces:
    """The policy's keep list with the places that the reviewer keeps: what is cut elsewhere stays there. The surname of
    somebody who goes stays in the name of somebody who was kept."""

    original: str = field(repr=False)
    places: frozenset[Place] = field(repr=False)
    inner: Finder | None = None

    def find(self, text: str) -> Iterable[Mention]:
        yield from self.inner.find(text) if self.inner else ()
        if text == self.original:
            for start, end in sorted(self.places):
                yield Mention(start, end, TYPE, fold_term(text[start:end]), 1.0, KEPT_BY)
