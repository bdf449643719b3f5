"""Other people's finders inside efface, and efface's finders inside other people's pipelines.

`spacy`, `presidio` and `gliner` in a policy's `find.names` come from here. The other way round,
`presidio_recognizer` is an `EntityRecognizer` for Presidio and `spacy_component` a component for spaCy.
Nothing is downloaded: a model must be there.
"""

from __future__ import annotations

from efface.core import Finder


def finder_of(
    spacy: str | None, presidio: str | None, gliner: str | None, types: frozenset[str], threshold: float
) -> Finder:
    """The finder that a policy names."""
    if spacy is not None:
        from efface.finders.adapters.spacy_finder import SpacyFinder

        return SpacyFinder(spacy, types)
    if presidio is not None:
        from efface.finders.adapters.presidio_finder import PresidioFinder

        return PresidioFinder(presidio, types, threshold)
    from efface.finders.adapters.gliner_finder import GlinerFinder

    return GlinerFinder(gliner or "", types, threshold)
