"""The rival of the chunker: terms by longest match against the taxonomy's and the corpus's vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from efface.core import Mention
from efface.knowledge.corpus.counts import IndexedCorpus
from efface.knowledge.corpus.text_runs import BREAK, MAX_PHRASE, WORD, CountedToken, tokens
from efface.knowledge.taxonomy.concepts import Taxonomy


@dataclass(frozen=True, slots=True)
class LongestMatchFinder:
    """From left to right, the longest known phrase, else the word."""

    taxonomy: Taxonomy = field(repr=False)
    corpus: IndexedCorpus = field(repr=False)

    def find(self, text: str) -> Iterator[Mention]:
        read = list(tokens(text, self.taxonomy.lexicon))
        at = 0
        while at < len(read):
            size = next((n for n in range(MAX_PHRASE, 0, -1) if self._is_term(text, read[at : at + n], n)), 0)
            if size:
                part = read[at : at + size]
                key = " ".join(token.key for token in part)
                yield Mention(part[0].start, part[-1].end, "TERM", key, 1.0, "noun phrase")
            at += size or 1

    def _is_term(self, text: str, part: list[CountedToken], size: int) -> bool:
        if len(part) < size or any(token.kind == BREAK for token in part) or part[-1].kind != WORD:
            return False
        spelled = text[part[0].start : part[-1].end]
        key = " ".join(token.key for token in part)
        return size == 1 or bool(self.taxonomy.senses(spelled)) or self.corpus.knows(key)
