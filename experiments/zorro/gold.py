"""A tagger in place of the paper's people, and how a redaction compares with its tags.

It shares no code with efface: values of the table are looked up word by word, case aside, exactly as the list
spells them, and what stands in one sentence is taken to belong together. A sentence's *related sets* are the
largest sets of its terms that one entity has; a term's tag is the entities that have all of such a set. The
paper's people knew what a sentence means; this tagger does not, and it misses every spelling but the list's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from experiments.zorro.database import Row

Key = tuple[str, ...]
Span = tuple[int, int]
Ids = frozenset[str]

_WORD = re.compile(r"\w+")
_BREAK = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“(])|\n+")


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Every value of the table as a sequence of words, and who has it."""

    holders: dict[Key, Ids] = field(repr=False)
    longest: int

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Dictionary:
        holders: dict[Key, set[str]] = {}
        for id, *values in rows:
            for value in values:
                if id and value and (key := _key(value)):
                    holders.setdefault(key, set()).add(id)
        return cls({key: frozenset(ids) for key, ids in holders.items()}, max(map(len, holders)))

    def find(self, text: str, start: int, end: int) -> Iterator[tuple[Key, Span]]:
        """Values that begin at each word, the longest only; none begins inside another."""
        words = [(match.group().lower(), *match.span()) for match in _WORD.finditer(text, start, end)]
        at = 0
        while at < len(words):
            for size in range(min(self.longest, len(words) - at), 0, -1):
                key = tuple(word for word, _, _ in words[at : at + size])
                if key in self.holders:
                    yield key, (words[at][1], words[at + size - 1][2])
                    at += size
                    break
            else:
                at += 1


@dataclass(frozen=True, slots=True)
class Related:
    """Terms of one sentence that belong to one entity: where they stand, and who has them all."""

    spans: dict[Key, tuple[Span, ...]]
    holders: Ids

    def is_unsafe(self, k: int | None, denied: Collection[str] | None) -> bool:
        """Whether it points out somebody: under k holders, one of them denied (None: everybody is)."""
        small = k is None or len(self.holders) < k
        return small and (denied is None or not self.holders.isdisjoint(denied))


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision and recall over terms, and the share of unsafe related sets that no longer are."""

    precision: float | None
    recall: float | None
    safe: float | None


def tag(dictionary: Dictionary, text: str) -> list[Related]:
    """The related sets of every sentence."""
    found: list[Related] = []
    position = 0
    for stop in (*(match.start() for match in _BREAK.finditer(text)), len(text)):
        spans: dict[Key, list[Span]] = {}
        for key, span in dictionary.find(text, position, stop):
            spans.setdefault(key, []).append(span)
        position = stop
        for keys, holders in _largest(dictionary, spans):
            found.append(Related({key: tuple(spans[key]) for key in keys}, holders))
    return found


def _largest(dictionary: Dictionary, keys: Collection[Key]) -> Iterator[tuple[frozenset[Key], Ids]]:
    held: dict[str, set[Key]] = {}
    for key in keys:
        for id in dictionary.holders[key]:
            held.setdefault(id, set()).add(key)
    sets = {frozenset(terms) for terms in held.values()}
    for terms in sets:
        if not any(terms < other for other in sets):
            yield terms, frozenset.intersection(*(dictionary.holders[key] for key in terms))


def score(
    dictionary: Dictionary,
    related: Sequence[Related],
    text: str,
    removed: Sequence[Span],
    k: int | None,
    denied: Collection[str] | None = None,
) -> Scores:
    """A redaction against the tags for this k and viewer. A term is found when every place of it is touched."""
    unsafe = [entry for entry in related if entry.is_unsafe(k, denied)]
    wanted = {key for entry in unsafe for key in entry.spans}
    places: dict[Key, set[Span]] = {}
    for entry in related:
        for key in wanted & entry.spans.keys():
            places.setdefault(key, set()).update(entry.spans[key])
    touched = {key for key, spans in places.items() if all(_touches(span, removed) for span in spans)}
    all_places = [span for spans in places.values() for span in spans]
    right: dict[Key, bool] = {}
    for span in removed:
        surface = _key(text[slice(*span)])
        right[surface] = right.get(surface, False) or _touches(span, all_places)
    safe = sum(_is_safe(dictionary, entry, removed, k) for entry in unsafe)
    return Scores(
        _share(sum(right.values()), len(right)), _share(len(touched), len(wanted)), _share(safe, len(unsafe))
    )


def _is_safe(dictionary: Dictionary, entry: Related, removed: Sequence[Span], k: int | None) -> bool:
    """Whether enough entities have what is left of the set; of nothing, all do."""
    left = [key for key, spans in entry.spans.items() if not all(_touches(span, removed) for span in spans)]
    if not left:
        return True
    return k is not None and len(frozenset.intersection(*(dictionary.holders[key] for key in left))) >= k


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _key(value: str) -> Key:
    return tuple(word.lower() for word in _WORD.findall(value))
