"""Phrases that tell an entity where counts and vectors do not: `due date`, `Biktarvy`, `sent down`.

Their words are everyday ones, or the packaged articles do not know them. The list is in `data/telling_phrases.txt`; a phrase of
it is as good as a name of the entity and goes wherever the entity is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

from efface.knowledge.corpus.text_runs import term_key

_GAP = r"[\s‐‑-]+"
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBER = rf"(?:\d{{1,6}}|(?i:(?:{_TENS})(?:[\s‐‑-](?:{_WORDS}))?|{_WORDS}))"  # what `#` stands for
# Up to four other words may stand in its place: `eyes ~ yellow` matches `eyes had turned yellow`.
_NEAR = "~"
_BETWEEN = r"(?:[^\w.!?]{1,3}[\w'’]{1,20}){0,4}[^\w.!?]{1,3}"
_SHORTEST_TAG = 4  # letters of a phrase that is recognised behind `#`
_APOSTROPHE = re.compile("['’]")


@lru_cache(maxsize=1)
def _phrases_by_entity() -> Mapping[str, tuple[str, ...]]:
    """The phrases of each entity, by its key."""
    found: dict[str, dict[str, None]] = {}
    lines = (
        (files("efface.guarantees.semantic") / "data" / "telling_phrases.txt").read_text("utf-8").splitlines()
    )
    for line in lines:
        if line and not line.startswith("#"):
            entities, _, phrases = line.partition(": ")
            for entity in entities.split(", "):
                for phrase in phrases.split(";"):
                    listed = dict.fromkeys(_by_first_word(phrase.strip()))
                    found.setdefault(term_key(entity), {}).update(listed)
    return {entity: tuple(phrases) for entity, phrases in found.items()}


def _by_first_word(phrase: str) -> Iterator[str]:
    """A phrase for each of the words that it may begin with: `eyes|skin ~ yellow`."""
    first, blank, rest = phrase.partition(" ")
    for word in first.split("|"):
        yield word + blank + rest


def telling_phrases(key: str) -> tuple[str, ...]:
    """The phrases that tell an entity of this key."""
    return _phrases_by_entity().get(key, ())


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str] | None:
    """Finds the phrases in a text, the longest first: in any case, number and spacing, acronyms as they are written."""
    ordered = sorted(dict.fromkeys(phrases), key=lambda phrase: (-len(phrase), phrase))
    if not ordered:
        return None
    tags = "|".join(filter(None, map(_as_tag, ordered)))
    return re.compile(rf"(?<!\w)(?:{_by_first_letter(ordered)})(?!\w)|(?<=#)(?i:{tags})(?!\w)")


def _by_first_letter(ordered: Iterable[str]) -> str:
    """The phrases as one pattern. A word is compared only with those that begin as it does: thousands of them stay fast."""
    groups: dict[str, list[str]] = {}
    for phrase in ordered:
        groups.setdefault(phrase[0].lower(), []).append(_phrase_pattern(phrase))
    return "|".join(f"{_either_case(letter)}(?:{'|'.join(spelled)})" for letter, spelled in groups.items())


def _either_case(letter: str) -> str:
    return f"(?=[{letter}{letter.upper()}])" if letter.isalpha() else ""


def _as_tag(phrase: str) -> str:
    """A phrase as people join its words behind `#`."""
    joined = "".join(re.findall(r"\w+", phrase))
    has_sign = any(sign in phrase for sign in ("#", "|", _NEAR))
    return re.escape(joined) if not has_sign and len(joined) >= _SHORTEST_TAG else ""


def _phrase_pattern(phrase: str) -> str:
    """A phrase as a regular expression: capitals count in names and acronyms, plurals match elsewhere."""
    if _NEAR in phrase:
        pieces = [_GAP.join(map(_escaped, piece.split())) for piece in phrase.split(_NEAR)]
        return rf"(?i:{_BETWEEN.join(rf'{piece}s?' for piece in pieces)})"
    words = [_escaped(word) for word in re.split(r"[\s-]+", phrase)]
    if phrase.isupper() or sum(letter.isupper() for letter in phrase) > 1:
        return _GAP.join(words)
    if len(words) == 1 and phrase[0].isupper():
        return words[0]  # a name: `Momentum` is another word than `momentum`
    return rf"(?i:{_GAP.join(words)}(?:e?s)?)"


def _escaped(word: str) -> str:
    """A word as a pattern: `#` is a number, `|` stands between choices, and an apostrophe is straight or curly."""
    choices = [_APOSTROPHE.sub("['’]", re.escape(each).replace(r"\#", _NUMBER)) for each in word.split("|")]
    return choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"
