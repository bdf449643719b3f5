"""What one look at a document keeps from round to round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from efface.core import Gap, GapKind, Reading, Term
from efface.guarantees.ksafety.exposure import Exposure, SmallCrowds
from efface.knowledge.entities.segment import Attribute

_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z0-9_]*\]")

_NEXT_STEP = "Lower k, or say `reader: text` where readers cannot run efface on candidates."
CUT_BEFORE = "the text was cut before, and nobody can say how"
CUT_TWICE = "the text had to be cut in several rounds, and only one is known to leave k candidates"
CUT_BY_OTHERS = (
    "something else in the policy removes values of entities, and it may not do so for all candidates"
)
PARTS = "the text has a part of a value, which goes or stays by whom it fits, so not alike for all candidates"
VALUES = "single values are denied to the viewer, and it is not known for which candidates they would be"


@dataclass(frozen=True, slots=True)
class KSafetyLook:
    """Answers of the database, what was counted, and what a reader who knows the method makes unproved."""

    answers: dict[str, bool] = field(default_factory=dict, repr=False)
    assessed: list[tuple[Reading, Exposure]] = field(default_factory=list, repr=False)
    counted: list[SmallCrowds] = field(default_factory=list, repr=False)
    first: list[frozenset[str]] = field(default_factory=list, repr=False)  # the terms of the first reading
    struck: list[frozenset[str]] = field(default_factory=list, repr=False)  # what each plan took out
    doubts: list[str] = field(default_factory=list)
    attributes: dict[str, tuple[Attribute, ...]] = field(default_factory=dict, repr=False)  # of terms seen

    def read(self, reading: Reading, terms: Iterable[Term]) -> None:
        """Compare a reading with the first one: what is gone, though no plan of ours took it, is a doubt."""
        keys = frozenset(term.key for term in terms)
        if not self.first:
            self.first.append(keys)
            if _PLACEHOLDER.search(reading.document.text):
                self.doubt(CUT_BEFORE)
        elif self.first[0] - keys - frozenset[str]().union(*self.struck):
            self.doubt(CUT_BY_OTHERS)

    def cut(self, struck: Iterable[str]) -> None:
        if self.struck:
            self.doubt(CUT_TWICE)
        self.struck.append(frozenset(struck))

    def doubt(self, reason: str) -> None:
        if reason and reason not in self.doubts:
            self.doubts.append(reason)

    def gaps(self, over: str) -> Iterator[Gap]:
        """The doubts, as a report words them."""
        yield from (Gap(GapKind.KNOWLEDGE, over, doubt, _NEXT_STEP) for doubt in self.doubts)
