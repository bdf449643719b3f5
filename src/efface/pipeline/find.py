"""Finding: every finder of the policy reads the text, and the filters of mentions say which finds count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from efface.core import (
    NOTHING,
    Document,
    FinderTraits,
    Mention,
    Reading,
    Span,
    Spans,
    SpanSet,
    Term,
    traits_of,
)
from efface.formats import cell_breaks
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.contracts import mentions_of
from efface.pipeline.mention_filters.amounts import without_amounts
from efface.pipeline.mention_filters.cells import within_cells, without_column_labels
from efface.pipeline.mention_filters.edges import with_right_edges
from efface.pipeline.mention_filters.hidden import HIDDEN_SOURCE, hidden_mentions
from efface.pipeline.mention_filters.labels import filter_labels
from efface.pipeline.mention_filters.measurements import without_measurements
from efface.pipeline.mention_filters.name_false_positives import without_false_names
from efface.pipeline.mention_filters.person_spans import one_person_each
from efface.pipeline.mention_filters.placeholder_overlap import without_placeholders
from efface.pipeline.mention_filters.repeated import with_repetitions
from efface.pipeline.mention_filters.within_fields import within_fields
from efface.text.folding import INVISIBLE, TERMINAL, fold_term
from efface.text.placeholder_blank import BLANK

_DIGIT = re.compile("[0-9]")
_BLOCK = 1 << 18  # characters of a text that are copied in pieces


def find(document: Document, bound: BoundPolicy, inserted: Sequence[Span] = ()) -> Reading:
    """The terms that the finders see, without what the keep list protects and without our placeholders.

    `inserted` are the places where efface itself put text.
    """
    text = document.text
    placeholders = Spans(Span(*match.span()) for match in bound.placeholders.finditer(text))
    kept = SpanSet(bound.keep.find(text)) if bound.keep else NOTHING
    ours = SpanSet(placeholders)
    terms: list[Term] = []
    view = lru_cache(maxsize=None)(partial(_as_seen, text, placeholders))
    for source, finder in bound.finders.items():
        traits = traits_of(finder)
        seen = view(traits.reads_context_words, traits.reads_sentence)
        found = mentions_of(source, finder, seen)
        mentions = _filtered(found, traits, document, (placeholders, inserted))
        if ours or kept:
            mentions = (m for m in mentions if not is_exempt(text, m, ours, kept, traits))
        terms.extend(_group(source, mentions))
    if document.hidden:
        terms.extend(_group(HIDDEN_SOURCE, hidden_mentions(document)))
    return Reading(document, tuple(terms), inserted)


def _as_seen(text: str, placeholders: Sequence[Span], reads_context_words: bool, reads_sentence: bool) -> str:
    """The text as a finder of these traits is to see it."""
    if reads_context_words:
        return without_colours(blank(text, placeholders))
    return without_colours(with_steady_numbers(text, placeholders)) if reads_sentence else text


def without_colours(text: str) -> str:
    """The text, as long as it was, with signs that show nothing in the place of commands to a terminal: a log may have a
    colour within a name."""
    if "\x1b" not in text and "\x9b" not in text:
        return text
    return TERMINAL.sub(lambda command: INVISIBLE * len(command[0]), text)


def blank(text: str, placeholders: Sequence[Span]) -> str:
    """The text, as long as it was, with nothing to read in its placeholders.

    "[PHONE_NUMBER_1]" would make the next number a phone number, and that one the number after it.
    """
    return _with_placeholders(text, placeholders, lambda written: BLANK * len(written))


def with_steady_numbers(text: str, placeholders: Sequence[Span]) -> str:
    """The text, as long as it was, with one number in all placeholders.

    A name that a later round finds moves the numbers of all that follow. What a sentence says does not change
    with them, so a finder that remembers the sentence need not read it again.
    """
    return _with_placeholders(text, placeholders, partial(_DIGIT.sub, "1"))


def _with_placeholders(text: str, placeholders: Sequence[Span], written: Callable[[str], str]) -> str:
    """The text with its placeholders written otherwise. The pieces of a large one are joined a block at a time."""
    if not placeholders:
        return text
    blocks: list[str] = []
    pieces: list[str] = []
    position = joined = 0
    for span in placeholders:
        pieces += text[position : span.start], written(text[span.start : span.end])
        position = span.end
        if position - joined > _BLOCK:
            blocks.append("".join(pieces))
            pieces, joined = [], position
    return "".join([*blocks, *pieces, text[position:]])


def _filtered(
    mentions: Iterable[Mention],
    traits: FinderTraits,
    document: Document,
    inserted: tuple[Sequence[Span], Sequence[Span]],
) -> Iterable[Mention]:
    """What a finder found, after the filters that its traits ask for."""
    text = document.text
    ours = [*inserted[0], *inserted[1]] if traits.splits_at_placeholders else ()
    if traits.counts_everywhere:
        mentions = with_repetitions(text, mentions)
    if traits.reads_sentence:
        mentions = without_amounts(text, within_cells(text, mentions, cell_breaks(document.format)))
        mentions = without_measurements(text, without_column_labels(text, mentions))
        mentions = one_person_each(text, with_right_edges(text, within_fields(document, mentions)))
        mentions = without_false_names(text, mentions, facts=traits.marks_facts)
        if traits.splits_at_placeholders:  # a name that does not count in the prose names nothing in labels
            mentions = without_placeholders(text, mentions, ours)
        mentions = filter_labels(text, mentions, document.parts)
    if traits.splits_at_placeholders:
        mentions = without_placeholders(text, mentions, ours)
    return mentions


def is_exempt(
    text: str, mention: Mention, placeholders: SpanSet, kept: SpanSet, traits: FinderTraits
) -> bool:
    """Whether a mention is one of our placeholders or is on the keep list.

    The keep list corrects finders' mistakes and overrides no guarantee. What a reader knows, or what the policy denies,
    stays only inside something longer that is kept. A denied term may itself be found with a longer word around it:
    "bakery" stays where Baker is denied, if the list has it.
    """
    if not traits.known_to_reader and placeholders.covers(mention.start, mention.end):
        return True
    if traits.overrules_keep and _holds_more(text, mention) and kept.covers(mention.start, mention.end):
        return True
    if traits.known_to_reader or traits.overrules_keep:
        return kept.covers(mention.start - 1, mention.end) or kept.covers(mention.start, mention.end + 1)
    return kept.covers(mention.start, mention.end)


def _holds_more(text: str, mention: Mention) -> bool:
    """Whether a mention is a longer word around the listed term."""
    surface = fold_term(text[mention.start : mention.end])
    return surface.isalnum() and len(surface) > len(mention.key) and mention.key in surface


def _group(source: str, mentions: Iterable[Mention]) -> Iterator[Term]:
    """One term for each type and key."""
    groups: dict[tuple[str, str], list[Mention]] = {}
    for mention in mentions:
        groups.setdefault((mention.type, mention.key), []).append(mention)
    for (type_, key), members in groups.items():
        yield Term(key, type_, tuple(members), source)
