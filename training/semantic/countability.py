"""Learns which nouns are counted from plain text: `python -m training.semantic --only countability`.

A noun that hardly ever stands after `a`, often stands without any article, and hardly has a plural is not counted (`meat`);
one that does stand after `a`, or mostly in the plural, is (`injury`). Nouns in between may be both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from efface.guarantees.semantic.english.wording import pluralised
from efface.knowledge.taxonomy.concepts import lexicon, wordnet
from efface.knowledge.taxonomy.countability import write_countability

_WORD = re.compile(r"[a-z]+|[^a-z\s]")
_SINGULAR = frozenset("a an another each every".split())
_BARE = frozenset(
    "of with in by for and or as from without to on at than some much more less through during into about is are was "
    "were had has have causes include includes including".split()
)
# After these a noun is the head of its phrase.
_AFTER = frozenset(
    ", . ; : ) and or of in is was are were that which to with by for from as on at can may has had".split()
)
_LEAST = 8  # mentions with or without an article
_MASS_SHARE, _COUNT_SHARE = 0.13, 0.3  # of these mentions that stand after `a`
_FEW_PLURALS, _MANY_PLURALS = 0.25, 0.8  # as a share of all mentions in the singular


def learn_countability(texts: Iterable[str], path: Path) -> None:
    """Write the nouns that are counted and those that are not."""
    single: Counter[str] = Counter()
    bare: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for text in texts:
        words = _WORD.findall(text)
        for before, word, after in zip(words, words[1:], words[2:], strict=False):
            if len(word) < 3 or after not in _AFTER:
                continue
            every[word] += 1
            single[word] += before in _SINGULAR
            bare[word] += before in _BARE
    nouns = sorted(word for word in every if single[word] + bare[word] >= _LEAST and _is_noun(word))
    mass = [noun for noun in nouns if _is_mass(noun, single, bare, every)]
    counted = [noun for noun in nouns if _is_counted(noun, single, bare, every)]
    both = sorted({*nouns} - {*mass, *counted})
    write_countability(path, {"mass": mass, "counted": counted, "both": both})


def _is_noun(word: str) -> bool:
    return word in lexicon().nouns and lexicon().key(word) == word and "n" in lexicon().word_classes(word)


def _share(noun: str, single: Counter[str], bare: Counter[str]) -> float:
    return (single[noun] + 0.5) / (single[noun] + bare[noun] + 2)


def _plurals(noun: str, every: Counter[str]) -> float:
    plural = pluralised(noun)
    return 0.0 if plural == noun else every[plural] / every[noun]


def _is_mass(noun: str, single: Counter[str], bare: Counter[str], every: Counter[str]) -> bool:
    seldom = _share(noun, single, bare) < _MASS_SHARE and _plurals(noun, every) < _FEW_PLURALS
    return seldom and not _is_person(noun)


def _is_person(noun: str) -> bool:
    """Whether a noun means somebody first of all: people are counted, though `mother and father` need no article."""
    senses = wordnet().senses(noun)
    return bool(senses) and wordnet().is_below(senses[0], "person")


def _is_counted(noun: str, single: Counter[str], bare: Counter[str], every: Counter[str]) -> bool:
    plurals = _plurals(noun, every)
    return plurals >= _MANY_PLURALS or (_share(noun, single, bare) >= _COUNT_SHARE and plurals > 0.1)
