"""The only place where the stages meet.

read → find → assess → plan → apply → read again → assess again → report

Several guarantees run in rounds until all hold on the text as it would leave; the bytes are then
written, read again, and searched by the attackers. Whatever that last look finds refuses the release.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from efface.alignment import Alignment
from efface.attacks.extract import APART, extract
from efface.attacks.leaks import LOOK, SHORT, Removed, search
from efface.core import (
    Document,
    Edit,
    Finder,
    Finding,
    Guarantee,
    Leakage,
    Mention,
    Outcome,
    Part,
    Plan,
    Reading,
    Report,
    Scope,
    Span,
    Spans,
    SpanSet,
    Term,
    Verdict,
    worst,
)
from efface.errors import NotSettled
from efface.folding import fold, fold_term
from efface.formats import detect, get_format, notes
from efface.operators import PLAIN, Operators
from efface.strings import Strings
from efface.terms.everywhere import everywhere
from efface.terms.names.apart import apart
from efface.terms.names.labels import Beyond, in_labels

Watch = Callable[[str], None]
_FIRM = frozenset({"deny", "phrases"})  # sources that the keep list does not overrule
_REPEATED = frozenset({"patterns"})  # sources whose finds count everywhere


def _unwatched(_stage: str) -> None:
    pass


@dataclass(frozen=True)
class Bound:
    """A policy bound to its knowledge and its viewer: all that the flow needs beside the document."""

    finders: Mapping[str, Finder]
    guarantees: tuple[Guarantee, ...]
    operators: Operators
    keep: Finder | None = None
    rounds: int = 8
    notes: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()  # terms that may not leave in any disguise, found in the text or not
    types: tuple[str, ...] = ()  # of the policy's own making
    contextual: frozenset[str] = frozenset({"names"})  # finders that go by the sentence around a word
    known: frozenset[str] = frozenset()  # finders of what a reader knows: no placeholder may say it either
    late: tuple[Callable[[Document], Guarantee], ...] = ()  # guarantees that must see the document first

    def at(self, document: Document) -> Bound:
        """Bound to this document too."""
        if not self.late:
            return self
        made = tuple(make(document) for make in self.late)
        notes = tuple(note for guarantee in made for note in getattr(guarantee, "notes", ()))
        return replace(self, guarantees=(*self.guarantees, *made), notes=(*self.notes, *notes), late=())

    @cached_property
    def placeholders(self) -> re.Pattern[str]:
        """Recognises efface's own words in a text that was sanitized before."""
        return self.operators.placeholder_pattern(self.types)


def sanitize(data: bytes, name: str, bound: Bound, watch: Watch = _unwatched) -> Report:
    """The document as it may leave, with the report of what was done and checked."""
    format_name = detect(name, data)
    format = get_format(format_name)
    watch("reading")
    document = format.read(data, name)
    del data  # a large file is in memory often enough
    bound = bound.at(document)
    settled = _settle(document, bound, watch)
    watch("writing")
    released = format.write(document, settled.edits)
    watch("reading again")
    alignment = Alignment(settled.edits)  # the planned text is made when needed: a large one is not held
    again = format.read(released, name)
    after = settled.after
    if not alignment.gives(document, again.text):
        after = _assess_again(again, alignment.planned(document), settled, bound)
    del again
    watch("attacking")
    removed = chain(_removed(document, alignment), (Removed(term, "DENIED") for term in bound.denied))
    ours = (edit.replacement for edit in settled.edits if edit.replacement is not None)
    placeholders = filter(bound.placeholders.fullmatch, ours)
    leaks = search(removed, extract(released, format_name), lambda: alignment.planned(document), placeholders)
    outcomes = tuple(
        Outcome(guarantee.claim, first, last, _verdict(guarantee, last), plan, unknown)
        for guarantee, first, last, plan, unknown in zip(
            bound.guarantees, settled.before, after, settled.plans, settled.unknown, strict=True
        )
    )
    return Report(
        document=document,
        verdict=overall(outcomes, leaks),
        outcomes=outcomes,
        edits=settled.edits,
        leaks=leaks,
        rounds=settled.rounds,
        notes=(*bound.notes, *notes(document)),
        released=released,
    )


def _assess_again(
    again: Document, planned: Document, settled: _Settled, bound: Bound
) -> tuple[tuple[Finding, ...], ...]:
    """What the re-read document discloses, where the format could not write the planned text itself."""
    inserted = _occurrences(again.text, (edit.replacement or "" for edit in settled.edits))
    return _assess(find(again, _beyond(bound, planned.text), inserted), bound.guarantees)


def _beyond(bound: Bound, text: str) -> Bound:
    """For another reading of a document whose `text` was judged: what was let go there in its sentence is no
    news in a place that shows no sentence."""
    finders = {
        source: Beyond(finder, text) if source in bound.contextual else finder
        for source, finder in bound.finders.items()
    }
    return replace(bound, finders=finders)


def assess(data: bytes, name: str, bound: Bound, watch: Watch = _unwatched) -> Report:
    """What the document discloses as it stands."""
    format_name = detect(name, data)
    watch("reading")
    document = get_format(format_name).read(data, name)
    watch("finding")
    return _judge(document, bound.at(document))


def verify(data: bytes, name: str, bound: Bound, watch: Watch = _unwatched) -> Report:
    """Whether a released file holds its guarantees, seen by the format's reader and by the attackers'."""
    own = assess(data, name, bound, watch)
    watch("attacking")
    pieces = list(extract(data, own.document.format))
    seen = _with_unseen(own.document, pieces)
    other = _judge(seen, _beyond(bound.at(own.document), own.document.text))
    leaks = search((Removed(term, "DENIED") for term in bound.denied), pieces, lambda: own.document)
    if own.verdict is Verdict.BROKEN:
        return replace(own, leaks=leaks)
    verdict = overall(other.outcomes, leaks)
    return replace(other, document=own.document, notes=own.notes, leaks=leaks, verdict=verdict)


def _with_unseen(own: Document, pieces: Iterable[tuple[str, str]]) -> Document:
    """The document with every line that only the attackers' reader sees. Lines of the text itself are judged in
    their place: words that a raw stream repeats in another order make no other sentences."""
    lines = [(part, text.splitlines()) for part, text in pieces]
    folded = {line: fold_term(line) for _, texts in lines for line in texts}
    known = {key for key, _, _ in Strings(set(folded.values())).find(fold(own.text).text)}
    texts, parts, length = [own.text], list(own.parts), len(own.text)
    for part, read in lines:
        unseen = "\n".join(line for line in read if folded[line] and folded[line] not in known)
        if unseen:
            start = length + len(APART)
            length = start + len(unseen)
            parts.append(Part(part, start, length))
            texts.append(unseen)
    return Document(own.name, own.format, APART.join(texts), tuple(parts))


def find(document: Document, bound: Bound, inserted: Sequence[Span] = ()) -> Reading:
    """The terms that the finders see, without what the keep list protects and without our placeholders."""
    text = document.text
    placeholders = [Span(*match.span()) for match in bound.placeholders.finditer(text)]
    ours = SpanSet(placeholders)
    kept = SpanSet(m.span for m in bound.keep.find(text)) if bound.keep else SpanSet(())
    terms: list[Term] = []
    for source, finder in bound.finders.items():
        mentions: Iterable[Mention] = finder.find(text)
        if source in _REPEATED:
            mentions = everywhere(text, mentions)
        if source in bound.contextual:
            mentions = in_labels(text, mentions, document.parts)
        if source == "names":
            mentions = apart(text, mentions, [*placeholders, *inserted])
        is_known = source in bound.known
        marks, firm = SpanSet(()) if is_known else ours, is_known or source in _FIRM
        terms.extend(_group(source, (m for m in mentions if not _spared(m, marks, kept, firm=firm))))
    return Reading(document, tuple(terms), inserted)


def _spared(mention: Mention, ours: SpanSet, kept: SpanSet, *, firm: bool) -> bool:
    """Whether a mention is ours or on the keep list. What a reader knows, or the policy denies, stays only inside
    something longer that is kept: the list takes finders' mistakes back, not promises."""
    if ours.covers(mention.start, mention.end):
        return True
    if firm:
        return kept.covers(mention.start - 1, mention.end) or kept.covers(mention.start, mention.end + 1)
    return kept.covers(mention.start, mention.end)


def _group(source: str, mentions: Iterable[Mention]) -> Iterator[Term]:
    groups: dict[tuple[str, str], list[Mention]] = {}
    for mention in mentions:
        groups.setdefault((mention.type, mention.key), []).append(mention)
    for (type_, key), members in groups.items():
        yield Term(key, type_, tuple(members), source)


@dataclass(frozen=True)
class _Settled:
    """Where the rounds ended: edits of the original text under which every guarantee holds."""

    edits: tuple[Edit, ...]
    before: tuple[tuple[Finding, ...], ...]
    after: tuple[tuple[Finding, ...], ...]
    plans: tuple[Plan | None, ...]
    unknown: tuple[tuple[str, ...], ...]
    rounds: int


def _settle(document: Document, bound: Bound, watch: Watch) -> _Settled:
    wanted: list[Edit] = []  # as the guarantees asked, in the original's coordinates
    edits: tuple[Edit, ...] = ()
    before: tuple[tuple[Finding, ...], ...] | None = None
    plans: list[Plan | None] = [None] * len(bound.guarantees)
    for round_ in range(bound.rounds + 1):
        watch("finding" if not round_ else f"checking, round {round_}")
        alignment = Alignment(edits)
        planned = alignment.planned(document)
        reading = find(planned, bound, alignment.inserted)
        findings = _assess(reading, bound.guarantees)
        before = before if before is not None else findings
        if not any(findings):
            unknown = tuple(_unknown(guarantee, reading) for guarantee in bound.guarantees)
            return _Settled(edits, before, findings, tuple(plans), unknown, round_)
        asked: list[Edit] = []
        for index, (guarantee, found) in enumerate(zip(bound.guarantees, findings, strict=True)):
            if found:
                plan = guarantee.plan(reading, found)
                plans[index] = plans[index] or replace(plan, edits=())  # what is edited is said once
                asked.extend(plan.edits)
        ours = SpanSet(alignment.inserted)
        wanted = _merge(wanted, [_returned(alignment, edit, ours) for edit in asked])
        refilled = bound.operators.fill(wanted, document.text)
        if refilled == edits:
            break
        edits = refilled
    raise NotSettled(
        "The guarantees do not all hold whatever is removed.",
        "Loosen one of them, or raise `rounds` in the policy.",
    )


def _assess(reading: Reading, guarantees: Sequence[Guarantee]) -> tuple[tuple[Finding, ...], ...]:
    return tuple(guarantee.assess(reading) for guarantee in guarantees)


def _unknown(guarantee: Guarantee, reading: Reading) -> tuple[str, ...]:
    """Terms that stay and of which the guarantee's knowledge says nothing, as they are spelled."""
    terms: Sequence[Term] = getattr(guarantee, "unknown_terms", lambda _: ())(reading)
    text = reading.document.text
    return tuple(" ".join(text[t.mentions[0].start : t.mentions[0].end].split()) for t in terms)


def _judge(document: Document, bound: Bound) -> Report:
    reading = find(document, bound)
    findings = _assess(reading, bound.guarantees)
    outcomes = tuple(
        Outcome(
            guarantee.claim, found, found, _verdict(guarantee, found), unknown=_unknown(guarantee, reading)
        )
        for guarantee, found in zip(bound.guarantees, findings, strict=True)
    )
    return Report(document, overall(outcomes, ()), outcomes, notes=(*bound.notes, *notes(document)))


def _verdict(guarantee: Guarantee, findings: tuple[Finding, ...]) -> Verdict:
    if findings:
        return Verdict.BROKEN
    return Verdict.UNPROVEN if guarantee.claim.scope is Scope.RELEASE else Verdict.HELD


def overall(outcomes: Sequence[Outcome], leaks: Sequence[Leakage]) -> Verdict:
    """The worst of all; a leak breaks whatever holds."""
    return Verdict.BROKEN if leaks else worst(outcome.verdict for outcome in outcomes)


def _returned(alignment: Alignment, edit: Edit, ours: SpanSet) -> Edit:
    """The wish in the original's coordinates. One against a replacement of ours gets a plain placeholder."""
    original = alignment.back(edit)
    if edit.replacement is None and ours.covers(edit.start, edit.end):
        return replace(original, replacement=PLAIN)
    return original


def _merge(old: list[Edit], new: list[Edit]) -> list[Edit]:
    """A later wish for the same place overrules an earlier replacement."""
    fresh = SpanSet(edit.span for edit in new)
    return [edit for edit in old if not fresh.covers(edit.start, edit.end)] + new


def _removed(document: Document, alignment: Alignment) -> Iterator[Removed]:
    """What was taken out; of what is too short to be known elsewhere, also what stands around its place."""
    short = any(edit.end - edit.start <= SHORT for edit in alignment.edits)
    planned = alignment.planned(document).text if short else ""
    for edit, place in zip(alignment.edits, alignment.inserted, strict=True):
        around = None
        if edit.end - edit.start <= SHORT:
            around = planned[max(0, place.start - LOOK) : place.start], planned[place.end : place.end + LOOK]
        yield Removed(document.text[edit.start : edit.end], edit.type, around)


def _occurrences(text: str, strings: Iterable[str]) -> Spans:
    """Where the strings stand in the text, overlaps included."""
    return Spans(Span(start, end) for _, start, end in Strings(filter(None, strings)).find(text))
