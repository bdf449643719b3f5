"""Phrases that tell an entity where counts and vectors do not: `due date`, `Biktarvy`, `sent down`.

Their words are everyday ones, or the packaged articles do not know them. The list is in `data/telling_phrases.txt`; a phrase of
it is as good as a name of the entity and goes wherever the entity is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

from efface.knowledge.corpus.text_runs import term_keys
from efface.knowledge.taxonomy.concepts import lexicon

_GAP = r"[\s‐‑-]+"


@lru_cache(maxsize=1)
def _listed() -> Mapping[str, tuple[str, ...]]:
    """The phrases of each entity, by its key."""
    found: dict[str, dict[str, None]] = {}
    lines = (
        (files("efface.guarantees.semantic") / "data" / "telling_phrases.txt").read_text("utf-8").splitlines()
    )
    for line in lines:
        if line and not line.startswith("#"):
            entities, _, phrases = line.partition(": ")
            for entity in entities.split(", "):
                listed = dict.fromkeys(phrase.strip() for phrase in phrases.split(";"))
                found.setdefault(_key(entity), {}).update(listed)
    return {entity: tuple(phrases) for entity, phrases in found.items()}


def telling_phrases(entity: str) -> tuple[str, ...]:
    """The phrases that tell an entity, which is named as a policy names it."""
    return _listed().get(_key(entity), ())


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str] | None:
    """Finds the phrases in a text, the longest first: in any case, number and spacing, acronyms as they are written."""
    ordered = sorted(dict.fromkeys(phrases), key=lambda phrase: (-len(phrase), phrase))
    if not ordered:
        return None
    return re.compile(rf"(?<![\w])(?:{'|'.join(map(_spelled, ordered))})(?!\w)")


def _spelled(phrase: str) -> str:
    words = [re.escape(word) for word in re.split(r"[\s-]+", phrase)]
    if phrase.isupper() or sum(letter.isupper() for letter in phrase) > 1:
        return _GAP.join(words)
    if len(words) == 1 and phrase[0].isupper():
        return words[0]  # a name: `Momentum` is another word than `momentum`
    return rf"(?i:{_GAP.join(words)}(?:e?s)?)"


def _key(term: str) -> str:
    return " ".join(term_keys(term, lexicon()))
