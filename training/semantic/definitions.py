"""Which words the definitions of WordNet use: `python -m training.semantic --only definitions`.

A dictionary knows what 23,388 articles do not: that a joint may be a cigarette of marijuana, and who a shop steward is.
No definition is kept, only which words and phrases it uses, for what its words are defined by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from efface.knowledge.corpus.text_runs import term_keys
from efface.knowledge.taxonomy.concepts import lexicon, wordnet
from efface.knowledge.taxonomy.definitions import write_definitions

_FILES = ("noun", "verb", "adj", "adv")
_MOST = 250  # definitions that use a word; one that more use defines nothing
_EXAMPLES = re.compile(r";\s*\"")


def learn_definitions(folder: Path, path: Path) -> None:
    """Write for each word or phrase the rarer words that its definitions use."""
    used: dict[str, set[str]] = {}
    for names, definition in _entries(folder):
        words = set(_words(definition))
        for name in names:
            used.setdefault(name, set()).update(words)
    frequent = Counter(word for words in used.values() for word in words)
    rows = {
        name: sorted(word for word in words if frequent[word] <= _MOST and word not in name.split(" "))
        for name, words in sorted(used.items())
    }
    write_definitions(path, {name: words for name, words in rows.items() if words})


def _entries(folder: Path) -> Iterator[tuple[list[str], str]]:
    """The words of a synset in normal form, and its definition without the examples."""
    for file in _FILES:
        with (folder / f"data.{file}").open(encoding="latin-1") as lines:
            for line in lines:
                if line.startswith("  "):
                    continue
                head, _, gloss = line.partition("|")
                fields = head.split(" ")
                words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                spelled = (word.partition("(")[0].replace("_", " ") for word in words)
                names = [" ".join(term_keys(word, lexicon())) for word in spelled]
                yield [name for name in names if name], _EXAMPLES.split(gloss)[0]


def _words(definition: str) -> Iterator[str]:
    """Its words and its phrases of two that WordNet lists, in normal form."""
    keys = term_keys(definition, lexicon())
    yield from keys
    for first, second in pairwise(keys):
        if wordnet().senses(f"{first} {second}"):
            yield f"{first} {second}"
