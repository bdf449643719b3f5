"""From words to suppress to edits of the text, and the words that may replace them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from efface.core import Edit, Mention, Span, SpanSet, Term, apply_edits
from efface.guarantees.semantic.english.wording import agreeing, capitalised, with_article
from efface.knowledge.classes.model import CountedText
from efface.knowledge.classes.words import words
from efface.text.spans import Place

TYPE = "WORD"
_PLACEHOLDER = "[WORD_1]"  # the text of open replacements when a plan is checked; no word to the readers


def occurrences(view: CountedText) -> NDArray[np.int64]:
    """How often each unit occurs in the text."""
    return np.fromiter(map(len, view.places), np.int64, len(view.places))


def suppressed(view: CountedText, kept: NDArray[np.int64]) -> list[Edit]:
    """The last occurrences go first: where a word was introduced it explains most."""
    sizes = occurrences(view)
    return [
        new_edit(Span(*place), view.units[unit], "tells the class")
        for unit in np.flatnonzero(kept < sizes)
        for place in view.places[unit][kept[unit] :]
    ]


def whole_words(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Spans widened to the words they cut: what is left of a cut word would be read as another."""
    if not spans:
        return ()
    cut = SpanSet(spans)
    wide = [*spans, *(Span(w.start, w.end) for w in words(text) if cut.touches(w.start, w.end))]
    edits = [new_edit(span, "", "") for span in wide]
    return tuple(edit.span for edit in disjoint(edits))


def disjoint(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in order; those that share characters become one."""
    merged: list[Edit] = []
    for edit in sorted(edits, key=lambda one: (one.start, -one.end)):
        if merged and edit.start < merged[-1].end:
            merged[-1] = replace(merged[-1], end=max(merged[-1].end, edit.end))
        else:
            merged.append(edit)
    return tuple(merged)


def new_edit(span: Span, key: str, reason: str) -> Edit:
    return Edit(span.start, span.end, TYPE, key, reason)


def worded(edit: Edit, wider: str | None, text: str) -> Edit:
    """The edit with the wider word in the number, case and with the article that fit."""
    if wider is None:
        return edit
    agreed = capitalised(agreeing(wider, text[edit.start : edit.end]), text, edit.start)
    start, replacement = with_article(text, edit.start, agreed)
    return replace(edit, start=start, replacement=replacement, reason=f"{edit.reason}: generalised")


def filled(edit: Edit) -> Edit:
    return edit if edit.replacement is not None else replace(edit, replacement=_PLACEHOLDER)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text as it would leave, with placeholders for open replacements."""
    return apply_edits(text, [filled(edit) for edit in edits])


def is_name(text: str, places: Iterable[Place]) -> bool:
    """Whether a word is always written with a capital. Taxonomies do not say what such a name means."""
    return all(text[start].isupper() for start, _ in places)


def rank_of(scores: NDArray[np.float64], label: int) -> int:
    return 1 + int((scores > scores[label]).sum())


def mention(span: Span, key: str, because: str) -> Mention:
    return Mention(span.start, span.end, TYPE, key, 1.0, because)


def terms_of(found: Mapping[str, Iterable[Span]], because: str, source: str) -> tuple[Term, ...]:
    """Words with their places, as the terms of a finding."""
    terms = []
    for key, spans in found.items():
        terms.append(Term(key, TYPE, tuple(mention(span, key, because) for span in spans), source))
    return tuple(terms)
