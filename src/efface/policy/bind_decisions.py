"""The guarantees that a reviewer's decisions make of a policy's, with the finders that they go by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from efface.core import Finder, Guarantee
from efface.finders.lists import Listed, WordFinder
from efface.guarantees.reviewer_decisions import (
    BECAUSE,
    LEGEND,
    NAME,
    TYPE,
    Overruled,
    RedactedTerms,
    Redactions,
    Replacement,
    WithoutKeptEdits,
    occurrences,
)
from efface.text.spans import Place

__all__ = [
    "BECAUSE",
    "KEPT_BY",
    "LEGEND",
    "NAME",
    "TYPE",
    "Replacement",
    "finder_of_kept",
    "finder_of_redacted",
    "occurrences",
    "overruled",
    "redactions",
    "without_kept_edits",
]
KEPT_BY = "kept by the reviewer"


def finder_of_redacted(terms: Iterable[str], *, glued: bool = False) -> Finder:
    """Finds what the reviewer redacted; `glued` also inside of longer tokens."""
    return WordFinder(tuple(Listed(term, type=TYPE) for term in terms), BECAUSE, glued)


def finder_of_kept(terms: Iterable[str]) -> Finder:
    """Finds the terms that the reviewer keeps."""
    return WordFinder(tuple(Listed(term) for term in terms), KEPT_BY)


def redactions(
    original: str,
    terms: Mapping[str, Replacement],
    places: Mapping[Place, Replacement],
    kept_places: frozenset[Place],
) -> tuple[Guarantee, ...]:
    """What the reviewer redacted is gone, everywhere and at single places. `terms` are folded; `kept_places` are the places
    that the reviewer keeps."""
    given = original, terms, places, finder_of_redacted(terms, glued=True), kept_places
    everywhere = (RedactedTerms(*given),) if terms else ()
    return (*everywhere, Redactions(*given)) if places else everywhere


def overruled(
    guarantee: Guarantee,
    original: str,
    finder: Finder,
    terms: frozenset[str],
    places: frozenset[Place],
    threshold: float,
    lists: frozenset[str],
) -> Guarantee:
    """A guarantee on finds without what the reviewer keeps. `finder` finds the kept terms; `lists` are finders that no
    reviewer overrules."""
    return Overruled(guarantee, original, finder, terms, places, threshold, lists)


def without_kept_edits(guarantee: Guarantee, kept: Finder) -> Guarantee:
    """A guarantee that reads the words itself, without edits of what the reviewer keeps."""
    return WithoutKeptEdits(guarantee, kept)
