"""efface's finders inside spaCy.

    nlp.add_pipe("efface")

sets `doc.spans["efface"]` to everything that efface finds, with its score, and adds to `doc.ents` what
does not overlap an entity that is there already. spaCy finds the component by its entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, SpanGroup
from spacy.util import filter_spans

from efface.core import Finder
from efface.finders.names.finder import NameFinder
from efface.finders.patterns.finder import PatternFinder

KEY = "efface"


@Language.factory("efface", default_config={"patterns": True, "preset": "recall", "ents": True})
def make(  # spaCy passes the first two by name
    nlp: Language,  # noqa: ARG001
    name: str,  # noqa: ARG001
    patterns: bool,
    preset: str,
    ents: bool,
) -> Callable[[Doc], Doc]:
    """The component; `ents` says whether it adds to the document's entities."""
    finders: dict[str, Finder] = {"names": NameFinder(preset=preset)}
    if patterns:
        finders["patterns"] = PatternFinder()
    return EffaceComponent(finders, ents)


class EffaceComponent:
    """Marks a document. Mentions are widened to whole tokens."""

    def __init__(self, finders: Mapping[str, Finder], ents: bool) -> None:
        self._finders = finders
        self._ents = ents

    def __call__(self, doc: Doc) -> Doc:
        """The same document, marked."""
        spans: list[Any] = []
        scores: list[float] = []
        for finder in self._finders.values():
            for mention in finder.find(doc.text):
                span = doc.char_span(mention.start, mention.end, label=mention.type, alignment_mode="expand")
                if span is not None:
                    spans.append(span)
                    scores.append(mention.score)
        doc.spans[KEY] = SpanGroup(doc, name=KEY, spans=spans, attrs={"scores": scores})
        if self._ents:
            # What another component marked stays as it is.
            free = [span for span in filter_spans(spans) if not _is_marked(span)]
            doc.ents = filter_spans([*doc.ents, *free])
        return doc


def _is_marked(span: Any) -> bool:
    return any(token.ent_type for token in span)
