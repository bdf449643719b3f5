"""The terms that a reader sees together: of the document, of a paragraph, or of n words in a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from efface.core import Reading, Span, Term

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_WORD = re.compile(r"\S+")


def scopes_of(reading: Reading, terms: tuple[Term, ...], scope: str) -> Iterator[tuple[Term, ...]]:
    """The terms of each scope, each set of them once."""
    if scope == "document":
        yield terms
        return
    seen: set[frozenset[tuple[str, Span]]] = set()
    for start, end in _scope_stretches(reading.document.text, scope):
        inside = tuple(_terms_within(terms, start, end))
        mark = frozenset((term.key, mention.span) for term in inside for mention in term.mentions)
        if inside and mark not in seen:
            seen.add(mark)
            yield inside


def merged(terms: Iterable[Term], source: str) -> Iterator[Term]:
    """One term a key: a word found under several types is one word to a reader."""
    by_key: dict[str, list[Term]] = {}
    for term in terms:
        by_key.setdefault(term.key, []).append(term)
    for key, same in sorted(by_key.items()):
        spans = {mention.span: mention for term in same for mention in term.mentions}
        yield Term(key, same[0].type, tuple(spans[span] for span in sorted(spans)), source)


def _terms_within(terms: Sequence[Term], start: int, end: int) -> Iterator[Term]:
    for term in terms:
        inside = tuple(m for m in term.mentions if m.start < end and start < m.end)
        if inside:
            yield Term(term.key, term.type, inside, term.source)


def _scope_stretches(text: str, scope: str) -> Iterator[tuple[int, int]]:
    if scope == "paragraph":
        position = 0
        for match in _PARAGRAPH.finditer(text):
            yield position, match.start()
            position = match.end()
        yield position, len(text)
        return
    size = int(scope.removeprefix("window(").removesuffix(")"))
    words = [match.span() for match in _WORD.finditer(text)]
    for first in range(max(len(words) - size + 1, min(len(words), 1))):
        yield words[first][0], words[min(first + size, len(words)) - 1][1]
