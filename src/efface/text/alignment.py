"""How positions of the original text and of the edited text correspond."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from efface.core import Document, Edit, Part, Spans, apply_edits


@dataclass(frozen=True)
class Alignment:
    """Sorted, disjoint, filled edits, read in both directions."""

    edits: tuple[Edit, ...]

    @property
    def inserted(self) -> Spans:
        """The places of the replacements in the edited text, one for each edit."""
        return self._replacement_places[0]

    def planned(self, document: Document) -> Document:
        """The document as the edits would leave it, without a way back to bytes."""
        if not self.edits:
            return document
        parts = tuple(
            Part(part.name, self.forward(part.start), self.forward(part.end), part.kind)
            for part in document.parts
        )
        return Document(document.name, document.format, apply_edits(document.text, self.edits), parts)

    def gives(self, document: Document, text: str) -> bool:
        """Whether the edits make exactly this text of the document; no copy of a large one is made."""
        position = at = 0
        for edit in self.edits:
            for piece in (document.text[position : edit.start], edit.replacement or ""):
                if not text.startswith(piece, at):
                    return False
                at += len(piece)
            position = edit.end
        return text[at:] == document.text[position:]

    def forward(self, position: int) -> int:
        """The position in the edited text of a position in the original."""
        index = bisect_right(self._edit_ends, position)
        if index < len(self.edits) and self.edits[index].start < position:  # inside an edit
            span = self.inserted[index]
            return min(span.end, span.start + position - self.edits[index].start)
        return position + self._shifts[index]

    def back(self, edit: Edit) -> Edit:
        """An edit of the edited text as one of the original; what touches a replacement takes it in whole."""
        if not self.edits:
            return edit
        first = bisect_right(self._starts, edit.start) - 1
        last = bisect_right(self._starts, edit.end - 1) - 1
        return replace(
            edit, start=self._origin(edit.start, first), end=self._origin(edit.end, last, end=True)
        )

    def _origin(self, position: int, index: int, *, end: bool = False) -> int:
        if index < 0:
            return position
        span, edit = self.inserted[index], self.edits[index]
        if position < span.end or (end and position == span.end > span.start):
            return edit.end if end else edit.start
        return position - span.end + edit.end

    @cached_property
    def _replacement_places(self) -> tuple[Spans, array[int]]:
        """The places of the replacements, and how far the text before each edit and after the last has moved."""
        starts, ends, shifts = array("q"), array("q"), array("q", (0,))
        shift = 0
        for edit in self.edits:
            start = edit.start + shift
            end = start + len(edit.replacement or "")
            shift = end - edit.end
            starts.append(start)
            ends.append(end)
            shifts.append(shift)
        return Spans.of_columns(starts, ends), shifts

    @property
    def _shifts(self) -> Sequence[int]:
        return self._replacement_places[1]

    @cached_property
    def _edit_ends(self) -> Sequence[int]:
        return array("q", (edit.end for edit in self.edits))

    @cached_property
    def _starts(self) -> Sequence[int]:
        return self.inserted.columns[0]
