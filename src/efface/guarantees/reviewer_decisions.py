"""Guarantees that a reviewer's decisions make of a policy's, for one document.

What was redacted is gone (`Redactions`). What was kept overrules a finder (`Overruled`), and it stays while the file is made
(`WithoutKeptEdits`). A finder's find is a judgement, and the reviewer's replaces it. What a list of the policy denies, or what an
attacker knows from data, is none: keeping it breaks the guarantee.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

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
)
from efface.guarantees.abilities import Forwarding
from efface.text.folding import fold_term
from efface.text.spans import Place

NAME = "decisions"
LEGEND = "redacted by a reviewer"
TITLE = "What reviewers decided"
TYPE = "REDACTED"
BECAUSE = "the reviewer redacted it"
_FIRM = 2.0  # a reviewer's edit goes before a finder's for the same place, whose score is 1 at most


@dataclass(frozen=True, slots=True)
class Replacement:
    """What becomes of something that the reviewer redacted: what it is, and the words in its place."""

    type: str = TYPE
    text: str | None = field(default=None, repr=False)  # None: a placeholder


@dataclass(frozen=True)
class Redactions:
    """Nothing is left at the places that the reviewer redacted. The same words may stay elsewhere."""

    original: str = field(repr=False)
    terms: Mapping[str, Replacement] = field(repr=False)  # by folded term
    places: Mapping[Place, Replacement] = field(repr=False)
    finder: Finder = field(repr=False)  # of the terms
    kept_places: frozenset[Place] = field(default=frozenset(), repr=False)

    @property
    def claim(self) -> Claim:
        sentence = "Nothing is left in the released file at the places that the reviewer redacted."
        return Claim(NAME, sentence, "mentions left", legend=LEGEND, title=TITLE)

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        found = self._left(reading.document.text, SpanSet(reading.inserted))
        return tuple(Finding(NAME, TYPE, (t,), float(len(t.mentions)), 0.0, BECAUSE) for t in found)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        edits = tuple(self._edit(m) for finding in findings for term in finding.terms for m in term.mentions)
        return Plan(edits, float(len(edits)), Optimality.PROVED, float(len(edits)))

    def _edit(self, mention: Mention) -> Edit:
        place = (mention.start, mention.end)
        mark = self.places.get(place) or self.terms.get(mention.key) or Replacement()
        return Edit(mention.start, mention.end, mark.type, mention.key, BECAUSE, mark.text, _FIRM)

    def _left(self, text: str, ours: SpanSet) -> Iterator[Term]:
        """In the original by place; later a stretch may stand there as often as it was not redacted."""
        if text == self.original:
            for start, end in sorted(self.places):
                if end <= len(text):
                    key = fold_term(text[start:end])
                    yield Term(key, TYPE, (Mention(start, end, TYPE, key, 1.0, BECAUSE),), NAME)
            return
        for surface, redacted in self._surfaces.items():
            left = [span for span in occurrences(text, surface) if not ours.covers(*span)]
            if len(left) > self.original.count(surface) - redacted:
                key = fold_term(surface)
                yield Term(key, TYPE, tuple(Mention(*s, TYPE, key, 1.0, BECAUSE) for s in left), NAME)

    @cached_property
    def _surfaces(self) -> Counter[str]:
        return Counter(self.original[start:end] for start, end in self.places if end <= len(self.original))


@dataclass(frozen=True)
class RedactedTerms(Redactions):
    """No term that the reviewer redacted is left, but at the places that they kept. Like a find it goes wherever it is
    written: in a longer token, with its letters set apart."""

    is_overrulable: bool = False  # the guarantee judges finds: the reviewer's own

    @property
    def claim(self) -> Claim:
        sentence = "Nothing that the reviewer redacted is left in the released file."
        return Claim(NAME, sentence, "mentions left", legend=LEGEND, title=TITLE)

    def _left(self, text: str, ours: SpanSet) -> Iterator[Term]:
        """What the reviewer redacted and the text still has, beyond the places that stay on purpose."""
        groups: dict[str, list[Mention]] = {}
        for mention in self.finder.find(text):
            if not ours.covers(mention.start, mention.end):
                groups.setdefault(mention.key, []).append(mention)
        for key, mentions in groups.items():
            if text == self.original:
                mentions = [m for m in mentions if (m.start, m.end) not in self.kept_places]
            elif len(mentions) <= self._allowed[key]:
                continue
            if mentions:
                yield Term(key, TYPE, tuple(mentions), NAME)

    @cached_property
    def _allowed(self) -> Counter[str]:
        """How often a redacted term stays on purpose."""
        found = self.finder.find(self.original)
        return Counter(m.key for m in found if (m.start, m.end) in self.kept_places)


def occurrences(text: str, surface: str) -> Iterator[Place]:
    """Where a string stands in a text."""
    at = text.find(surface)
    while at >= 0:
        yield at, at + len(surface)
        at = text.find(surface, at + len(surface))


@dataclass(frozen=True)
class Overruled:
    """A guarantee on finds, without those that the reviewer keeps. What lists deny is not theirs to keep."""

    inner: Guarantee
    original: str = field(repr=False)
    finder: Finder = field(repr=False)  # of the kept terms
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
        sentence = " ".join([claim.sentence, *self._exceptions()])
        return replace(claim, sentence=sentence, parameters={**claim.parameters, **more})

    def _exceptions(self) -> Iterator[str]:
        """What stays because the reviewer decided so, for everybody who reads the claim."""
        if kept := len(self.terms) + len(self.places):
            yield f"A reviewer decided that {kept} of them {'stays' if kept == 1 else 'stay'}."
        if self.threshold:
            yield f"A reviewer decided that those of which the finders are less than {self.threshold:.0%} sure stay."

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        return tuple(self._findings_left(reading))

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        return self.inner.plan(reading, findings)

    def _findings_left(self, reading: Reading) -> Iterator[Finding]:
        text = reading.document.text
        first = text == self.original
        kept = SpanSet(mention.span for mention in self.finder.find(text))
        places = SpanSet(Span(*place) for place in sorted(self.places)) if first else NOTHING
        for finding in self.inner.assess(reading):
            term = finding.terms[0]
            if term.source in self.lists:
                yield finding
                continue
            mentions = []
            for mention in term.mentions:
                is_kept = self._is_kept(text, mention, kept) or places.covers(mention.start, mention.end)
                if mention.score >= self.threshold and not is_kept:
                    mentions.append(mention)
            # In the released text a term may stand as often as the places that were kept hold it.
            if not mentions or (not first and len(mentions) <= self._allowed(_key(text, mentions[0]))):
                continue
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
    def _surfaces(self) -> tuple[str, ...]:
        return tuple(fold_term(self.original[start:end]) for start, end in self.places)


def _key(text: str, mention: Mention) -> str:
    return fold_term(text[mention.start : mention.end])


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
class WithoutKeptEdits(Forwarding):
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
            kept_places = SpanSet(mention.span for mention in self.kept.find(text))
            left = tuple(edit for edit in plan.edits if not kept_places.touches(edit.start, edit.end))
            self._plans.clear()
            self._plans[text] = replace(plan, edits=left)
        return self._plans[text]

    def forwarded(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if name not in _MAKES_ANOTHER:
            return found
        return lambda *given, **named: WithoutKeptEdits(found(*given, **named), self.kept)
