"""How well the terms that efface finds agree with those that people removed.

A gold term is found when every place where it stands is touched; a found term is right when one of its places
touches a gold term. Both are counted over distinct terms, as in the paper (its equations for precision,
recall and F-measure).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from efface.core import Span, SpanSet

Places = Mapping[str, Sequence[Span]]


@dataclass(frozen=True, slots=True)
class Score:
    precision: float
    recall: float
    missed: tuple[str, ...]
    needless: tuple[str, ...]

    @property
    def f_measure(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def read_gold(path: Path) -> tuple[str, ...]:
    return tuple(entry["term"] for entry in json.loads(path.read_text("utf-8")))


def places(text: str, terms: Iterable[str]) -> dict[str, list[Span]]:
    """Where each term stands as a whole: not inside a longer word, nor as part of a longer gold term."""
    found: dict[str, list[Span]] = {}
    for term in terms:
        pattern = r"\s+".join(re.escape(word) for word in term.split())
        matches = re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)
        found[term] = [Span(*match.span()) for match in matches]
    spans = [span for each in found.values() for span in each]
    return {
        term: [s for s in each if not any(_inside(s, other) for other in spans)]
        for term, each in found.items()
    }


def _inside(span: Span, other: Span) -> bool:
    """Whether a span is a part of a longer one."""
    return (
        other.start <= span.start
        and span.end <= other.end
        and (other.end - other.start) > (span.end - span.start)
    )


def score(gold: Places, found: Places) -> Score:
    touched = SpanSet(span for spans in found.values() for span in spans)
    wanted = SpanSet(span for spans in gold.values() for span in spans)
    missed = [t for t, spans in gold.items() if not all(touched.touches(s.start, s.end) for s in spans)]
    needless = [t for t, spans in found.items() if not any(wanted.touches(s.start, s.end) for s in spans)]
    right = len(found) - len(needless)
    return Score(
        right / len(found) if found else 1.0,
        1 - len(missed) / len(gold) if gold else 1.0,
        tuple(sorted(missed)),
        tuple(sorted(needless)),
    )
