"""Which words articles about nouns of WordNet keep using: `python -m training.semantic --only subjects`.

A word's weight is its tf-idf, (1 + ln times) · IC² over the length of the article's vector, so that the sum over a text
is its cosine with the article; ten times that is called bits. Words that stand once are left out: they are what a
text about the subject need not hold, and they would let the file say more of an article than how it counts.
"""

from __future__ import annotations

import json
import lzma
import math
from collections import Counter
from pathlib import Path

from efface.knowledge.corpus.counts import IndexedCorpus
from efface.knowledge.corpus.subject_articles import TENTHS, subject_articles, write_subject_articles
from efface.knowledge.corpus.text_runs import WORD, term_keys, tokens
from efface.knowledge.taxonomy.concepts import lexicon, wordnet

_REPEATED = 2
_BITS = 10.0  # what a cosine of 1 is worth


def learn_subjects(articles: Path, corpus: IndexedCorpus, path: Path, attribution: str) -> None:
    """Write the weights of every article whose title WordNet lists."""
    holding = dict(corpus.counted())
    rows: dict[str, dict[str, float]] = {}
    with lzma.open(articles, "rt", encoding="utf-8") as lines:
        for article in map(json.loads, lines):
            title = " ".join(term_keys(article["title"], lexicon()))
            if title and wordnet().senses(article["title"]):
                rows.setdefault(title, word_weights(article["text"], corpus.documents, holding))
    write_subject_articles(path, subject_articles(rows), attribution)


def word_weights(text: str, documents: int, holding: dict[str, int]) -> dict[str, float]:
    """What each word that an article repeats says of its subject. `holding` has the documents with each word."""
    times = Counter(token.key for token in tokens(text, lexicon()) if token.kind == WORD)
    bits = {word: math.log2(documents / holding.get(word, 1)) for word in times}
    weights = {word: (1 + math.log(count)) * bits[word] for word, count in times.items()}
    length = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
    said = {word: _BITS * weights[word] * bits[word] / length for word, n in times.items() if n >= _REPEATED}
    return {word: value for word, value in said.items() if value >= 0.5 / TENTHS}
