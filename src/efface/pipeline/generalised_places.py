"""What a release has in the place of other words, as `verify` can tell it from nothing but the released text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from efface.core import Document, FinderTraits, Span, Spans, SpanSet, traits_of
from efface.operators import Generalise
from efface.operators.generalise import written_ages, written_dates
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.pipeline.reread import occurrences_of

_DATE, _AGE = "DATE_TIME", "AGE"


def put_there(document: Document, bound: BoundPolicy, made_up: Collection[str]) -> Sequence[Span]:
    """The places of the words that are made up, and of what generalised dates and ages look like.

    The policy lets these stay, so `verify` does not count them. A collar number that looks like a year is none.
    """
    wide = list(_generalised(document.text, bound))
    if wide:
        taken = {type_: _marked_otherwise(document, bound, type_) for type_ in {type_ for type_, _ in wide}}
        wide = [(type_, span) for type_, span in wide if not taken[type_].touches(span.start, span.end)]
    return Spans([*occurrences_of(document.text, made_up), *(span for _, span in wide)])


def _generalised(text: str, bound: BoundPolicy) -> Iterator[tuple[str, Span]]:
    """The types and places of what the policy's operators write for dates and ages."""
    operators = bound.operators
    dates = operators.by_type.get(_DATE, operators.default)
    if isinstance(dates, Generalise):
        yield from ((_DATE, span) for span in written_dates(text, dates.date))
    ages = operators.by_type.get(_AGE, operators.default)
    if isinstance(ages, Generalise):
        yield from ((_AGE, span) for span in written_ages(text, ages.band))


def _marked_otherwise(document: Document, bound: BoundPolicy, type_: str) -> SpanSet:
    """The places that a finder of shapes or labels marks as another type. One that reads sentences only guesses what a
    number is where the words around it are gone."""
    terms = find(document, bound).terms
    shapes = {source for source, finder in bound.finders.items() if _knows_shapes(traits_of(finder))}
    return SpanSet(
        mention.span
        for term in terms
        if term.source in shapes and term.type != type_
        for mention in term.mentions
    )


def _knows_shapes(traits: FinderTraits) -> bool:
    """Whether a finder goes by shapes or labels, and not by a sentence, a list or a database."""
    return not (traits.reads_sentence or traits.overrules_keep or traits.known_to_reader)
