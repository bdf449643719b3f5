"""What a release has in the place of other words, as `verify` can tell it from nothing but the released text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from efface.core import Document, FinderTraits, Mention, Span, Spans, SpanSet, traits_of
from efface.operators import KnowsOwnWriting
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.pipeline.reread import occurrences_of

_TYPES = ("DATE_TIME", "AGE")  # what is written for them may be found again as one of them


def replacement_places(document: Document, bound: BoundPolicy, made_up: Collection[str]) -> Sequence[Span]:
    """The places of the words that are made up, and of what looks like generalised dates and ages.

    The policy lets these stay, so `verify` does not count them. A collar number that looks like a year is no generalised date,
    unless the words around it say as much for a date: "MRN: [MEDICAL_RECORD_1]  DOB: 1961".
    """
    generalised: dict[str, list[Span]] = {}
    for type_, span in _generalised(document.text, bound):
        generalised.setdefault(type_, []).append(span)
    places = list(occurrences_of(document.text, made_up))
    marked = list(_marked_by_shape(document, bound)) if generalised else []
    for type_, spans in generalised.items():
        own = {mention.span: mention.score for mention in marked if mention.type == type_}
        taken = SpanSet(
            mention.span
            for mention in marked
            if mention.type != type_ and mention.score > own.get(mention.span, 0.0)
        )
        places += [span for span in spans if not taken.touches(span.start, span.end)]
    return Spans(places)


def _generalised(text: str, bound: BoundPolicy) -> Iterator[tuple[str, Span]]:
    """The types and places of what the policy's operators write for dates and ages."""
    for type_ in _TYPES:
        operator = bound.operators.operator(type_)
        if isinstance(operator, KnowsOwnWriting):
            yield from ((type_, span) for span in operator.written_in(text, type_))


def _marked_by_shape(document: Document, bound: BoundPolicy) -> Iterator[Mention]:
    """What finders of shapes or labels mark. One that reads sentences only guesses what a number is
    where the words around it are gone."""
    shapes = {source for source, finder in bound.finders.items() if _knows_shapes(traits_of(finder))}
    for term in find(document, bound).terms:
        if term.source in shapes:
            yield from term.mentions


def _knows_shapes(traits: FinderTraits) -> bool:
    """Whether a finder goes by shapes or labels, and not by a sentence, a list or a database."""
    return not (traits.reads_sentence or traits.overrules_keep or traits.known_to_reader)
