"""Broader words in place of suppressed ones, as long as the class stays hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from efface.core import Edit
from efface.guarantees.confusability.edits import edited, is_name, worded
from efface.knowledge.classes.words import words
from efface.text.spans import Place

# Each try is a look at the whole text, so a document has a budget of them. Wider words than the third say so little
# that a placeholder serves as well.
_MOST_TRIED = 60
_NEAREST_WIDER = 3  # broader words that are tried, the nearest first

WiderWords = Callable[[str], Sequence[str]]  # a word to wider ones, the nearest first
SuppressedWord = tuple[str, Sequence[Place]]  # and where it is


@dataclass(frozen=True, slots=True)
class BroaderWords:
    """What may replace the suppressed words of one text. `is_safe` says whether a text still hides the class."""

    text: str = field(repr=False)
    edits: tuple[Edit, ...]
    generalise: WiderWords
    is_safe: Callable[[str], bool]

    def placed(self, suppressed: Sequence[SuppressedWord]) -> tuple[Edit, ...]:
        """The edits with broader words where the ranking stays safe. The first words are tried first."""
        chosen = self._chosen(suppressed)
        wide = tuple(worded(edit, chosen.get(edit.key), self.text) for edit in self.edits)
        # An article may have been taken in, so that two edits meet.
        are_disjoint = all(one.end <= two.start for one, two in pairwise(wide))
        return wide if are_disjoint and self._is_safe_with(wide) else self.edits

    def _chosen(self, suppressed: Sequence[SuppressedWord]) -> Mapping[str, str]:
        """Broader words for suppressed ones, taken one by one as long as the class stays hidden."""
        hidden = {word for word, _ in suppressed}
        chosen: dict[str, str] = {}
        tried = 0
        for word, places in suppressed:
            if is_name(self.text, places) or tried >= _MOST_TRIED:
                continue
            for wider in self.generalise(word)[:_NEAREST_WIDER]:
                if hidden & {part.key for part in words(wider)}:
                    continue
                tried += 1
                trial = chosen | {word: wider}
                if self._is_safe_with(replace(edit, replacement=trial.get(edit.key)) for edit in self.edits):
                    chosen = trial
                    break
        return chosen

    def _is_safe_with(self, edits: Iterable[Edit]) -> bool:
        return self.is_safe(edited(self.text, edits))
