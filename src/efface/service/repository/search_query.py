"""Search in what the viewer would see. Words, counts, snippets and ranking come from their view and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from efface.service.repository.view_cache import words

if TYPE_CHECKING:
    from efface.service.repository.documents import ViewedDocument

_AROUND = 60  # characters of a snippet on either side
_MAX_WORDS = 16  # of a question; more are ignored


@dataclass(frozen=True, slots=True)
class SearchHit:
    """How well a view fits: how often the words occur in it, and one place where they do."""

    count: int
    snippet: str


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """Words that must all be there. No words at all fit everything."""

    words: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> SearchQuery:
        return cls(frozenset(list(dict.fromkeys(words(text)))[:_MAX_WORDS]))

    def match(self, opened: ViewedDocument) -> SearchHit | None:
        """How well a document fits the query; None if a word is missing in what the viewer may see."""
        if not self.words:
            return SearchHit(0, "")
        by_id = self.words == frozenset(words(opened.stored.id))
        if not by_id and not self.words <= opened.view.words.keys():
            return None
        places = [opened.view.words[word] for word in self.words & opened.view.words.keys()]
        there = [(start, end) for count, start, end in places if count]
        snippet = _snippet(opened.view.text, *min(there)) if there else ""
        return SearchHit(sum(count for count, _, _ in places), snippet)


def _snippet(text: str, start: int, end: int) -> str:
    low, high = max(0, start - _AROUND), min(len(text), end + _AROUND)
    cut = " ".join(text[low:high].split())
    return f"{'… ' if low else ''}{cut}{' …' if high < len(text) else ''}"


def rank(found: tuple[ViewedDocument, SearchHit]) -> tuple[int, float, str]:
    """More of the words first, then the newer document."""
    opened, hit = found
    return (-hit.count, -opened.stored.added, opened.stored.id)
