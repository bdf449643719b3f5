"""Builds the packaged list of ordinary English words from counts over Wikipedia articles.

    python -m training.words.ordinary ../shared/data/wiki/articles.jsonl.xz src/efface/text/data/ordinary_words.txt

A word is ordinary when enough articles write it in lower case. It is marked with `?` when the articles also write
it often with a capital within a sentence: it may then be a name ("brown", "mark").
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

EVERY = 3  # one article in so many is counted
ARTICLES = 8  # articles that must write a word in lower case
CLEAR = 9  # times as often in lower case as with a capital: no name
RARE = 5  # times as often with a capital as in lower case: hardly ever an ordinary word
_WORD = re.compile(r"[^\W\d_]+")
_OPENS = frozenset('.!?:\n"“(')


def main(source: Path, target: Path) -> None:
    """Write the list."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    articles: Counter[str] = Counter()
    with lzma.open(source, "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, EVERY):
            text = json.loads(line)["text"]
            seen = set()
            for match in _WORD.finditer(text):
                word = match.group()
                if word.islower():
                    small[word] += 1
                    seen.add(word)
                elif word.istitle() and text[max(0, match.start() - 2) : match.start()][:1] not in _OPENS:
                    capital[word.lower()] += 1
            articles.update(seen)
    common = (w for w, count in articles.items() if count >= ARTICLES and len(w) > 1 and w.isascii())
    words = sorted(w for w in common if small[w] * RARE >= capital[w])
    marked = [w if small[w] >= CLEAR * capital[w] else f"{w} ?" for w in words]
    target.write_text("\n".join([*marked, ""]), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
