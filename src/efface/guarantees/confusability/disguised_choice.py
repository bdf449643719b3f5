"""Which disguised words of a text go with a plan, so that whoever sees through them is misled as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from efface.core import Edit, Finding, Span, SpanSet
from efface.guarantees.confusability.class_ranks import ConfusabilityLook
from efface.guarantees.confusability.edits import disjoint, edited, new_edit, terms_of
from efface.guarantees.confusability.secret_depth_check import DepthCheck
from efface.knowledge.classes.disguised_words import DisguisedWord

_REASON = "read as a word that tells the class"


@dataclass(frozen=True, slots=True)
class DisguisedChoice:
    """For one look at a text. Words that efface put there itself are not touched."""

    look: ConfusabilityLook = field(repr=False)
    inserted: Sequence[Span] = field(repr=False)

    def added(self, edits: tuple[Edit, ...], check: DepthCheck) -> tuple[Edit, ...]:
        """The edits of a plan, with those of disguised words.

        The forms of a word that goes, go too. Others go as they are needed, those that tell most first. To a reader who does not
        know them nothing changes, so in the end what holds for that reader holds for the other one.
        """
        gone = {edit.key for edit in edits}
        words = list(self._words())
        forms = [word for word in words if gone.intersection(word.keys)]
        others = sorted((word for word in words if word not in forms), key=self._telling, reverse=True)
        size = 0
        while True:
            tried = disjoint([*edits, *_edits([*forms, *others[:size]])])
            if size >= len(others) or check.is_deep_undisguised(edited(self.look.text, tried)):
                return tried
            size = 2 * size or 1

    def finding(self, name: str, k: int) -> Finding:
        """What a reader finds who sees through the disguises."""
        found: dict[str, list[Span]] = {}
        for word in self._words():
            found.setdefault(" ".join(word.keys), []).append(Span(word.start, word.end))
        terms = terms_of(found, _REASON, name)
        because = "words that a person reads as words that tell the class"
        return Finding(name, self.look.truth, terms, 1 / (1 + self.look.least_ahead), 1 / k, because)

    def _words(self) -> Iterator[DisguisedWord]:
        ours = SpanSet(self.inserted)
        return (word for word in self.look.disguised if not ours.touches(word.start, word.end))

    def _telling(self, word: DisguisedWord) -> float:
        """How much likelier the words that it says are in the true class than in the others on average."""
        model = self.look.model
        rows = model.sensitive.log_likelihood[[model.index[key] for key in word.keys]]
        truth = model.sensitive.index(self.look.truth)
        return float((rows[:, truth] - rows.mean(axis=1)).sum())


def _edits(words: Sequence[DisguisedWord]) -> Iterator[Edit]:
    for word in words:
        yield new_edit(Span(word.start, word.end), " ".join(word.keys), _REASON)
