"""How often a pattern fits what is not of its attribute: other attributes' values, and a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.passage import Passage
from efface.knowledge.entities.spellings.notations import Form
from efface.knowledge.entities.spellings.values import dates
from efface.text.folding import fold

SAMPLE = 10_000  # entities that a report looks at


@dataclass(frozen=True, slots=True)
class PatternReport:
    """`regex` is what was learned, or given. A false positive fits the pattern and is no value of its attribute."""

    attribute: str
    regex: str
    values: int  # of other attributes, in the sample
    fitting_values: int
    words: int  # of the text
    fitting_places: int  # of the text, that no entity has under the attribute

    @property
    def false_positive_rate(self) -> float:
        """The share of other attributes' values that the pattern matches."""
        return self.fitting_values / self.values if self.values else 0.0


def report_patterns(index: EntityIndex, text: str = "") -> list[PatternReport]:
    """A report for each pattern of the index, in the order of the attributes' names."""
    forms: dict[str, Form] = {}
    for layer in index.layers:
        forms.update(layer.segment.forms)
    sample = list(_sample(index))
    passage = Passage.of(text, fold(text))
    found = []
    for name, form in sorted(forms.items()):
        others = [value for value, names in sample if name not in names]
        fitting = sum(form.matches(value) for value in others)
        false = _false_places(index, name, list(_fitting_places(form, passage)))
        shown = form.regex or form.spec
        found.append(PatternReport(name, shown, len(others), fitting, len(passage.texts), len(false)))
    return found


def _false_places(index: EntityIndex, name: str, places: list[tuple[int, int, str]]) -> set[tuple[int, int]]:
    """The places where the pattern fits and no entity has the value under its attribute."""
    known = index.attributes_of(list({key for _, _, key in places}))
    false = set()
    for start, end, key in places:
        if all(attribute.name != name for attribute in known.get(key, ())):
            false.add((start, end))
    return false


def _fitting_places(form: Form, passage: Passage) -> Iterator[tuple[int, int, str]]:
    """Where a text fits the pattern: single words, and what is written in several."""
    text = passage.folded.text
    yield from form.find(text, passage.spans)
    if form.is_date:
        yield from dates(text)
        return
    for (start, end), word in zip(passage.spans, passage.texts, strict=True):
        if form.matches(word):
            yield start, end, word


def _sample(index: EntityIndex) -> Iterator[tuple[str, set[str]]]:
    """Terms from all over the index, evenly, with the names of their attributes."""
    for layer in index.layers:
        segment = layer.segment
        terms = segment.file.arrays["pair_start"].size - 1
        share = max(1, SAMPLE * layer.size // max(len(index), 1))
        for term in np.unique(np.linspace(0, terms - 1, min(share, terms), dtype=np.int64)).tolist():
            names = {attribute.name for attribute in layer.living(term)}
            if names:
                yield segment.text(term), names
