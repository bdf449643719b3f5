"""The measures. Each is a tally of what was to be found and what was said, added up over the cases.

A *token* is a run of letters and digits, and is found when all of it is covered. A span is found *strictly*
by a span with the same ends, *in part* when at least half of its characters are covered; a predicted span
is right in part when at least half of its characters are marked. *Joined* is how presidio-research counts
spans: neighbours of one type with nothing but spaces and signs between them are one, on both sides, and a
span is found by one that shares nine tenths of the characters that either has. By type, the two types must
agree too.

For the Text Anonymization Benchmark, after Pilán et al. (2022): only DIRECT and QUASI mentions are to be
found; an entity counts as found when every mention of it is (ER_direct, ER_quasi); precision is the mean
over annotators; its weighted form counts every token by its information, so that masking a rare name in
vain costs more than masking "the".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from efface.core import Span as Stretch
from efface.core import SpanSet
from efface.evaluate.gold import Gold, GoldCase, canonical

TOKEN = re.compile(r"\w+")
ALL = "ALL"
LEVELS = ("token", "strict", "partial", "joined")
SHARED = 0.9  # two joined spans are the same if they share this part of their characters

Weigh = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Predicted:
    """A stretch that a system would mask."""

    start: int
    end: int
    type: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class ScoreTally:
    """`found` of `gold` things were found; `right` of `said` things were right."""

    found: float = 0.0
    gold: float = 0.0
    right: float = 0.0
    said: float = 0.0

    def __add__(self, other: ScoreTally) -> ScoreTally:
        return ScoreTally(
            self.found + other.found, self.gold + other.gold, self.right + other.right, self.said + other.said
        )

    @property
    def recall(self) -> float:
        return self.found / self.gold if self.gold else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.said if self.said else 1.0

    def f(self, beta: float) -> float:
        """The weighted harmonic mean; recall counts `beta` times as much as precision."""
        recall, precision = self.recall, self.precision
        if not recall and not precision:
            return 0.0
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@dataclass(frozen=True, slots=True)
class CaseScore:
    """The tallies of one case: by (level, type), and TAB's own, whose keys are their names."""

    tallies: Mapping[tuple[str, str], ScoreTally]
    tab: Mapping[str, ScoreTally] = field(default_factory=dict)


def score(case: GoldCase, predicted: Sequence[Predicted], weigh: Weigh | None = None) -> CaseScore:
    """How a system did on one case. With `weigh`, TAB's measures too."""
    said = [one for one in predicted if not _unjudged(case, one)]
    said_by_type: dict[str, list[Predicted]] = defaultdict(list)
    for one in said:
        said_by_type[canonical(one.type)].append(one)
    tallies: dict[tuple[str, str], ScoreTally] = {}
    for annotation in case.annotations:
        wanted = [gold for gold in annotation if gold.is_masked]
        _add(tallies, _all_levels(case.text, wanted, said, ALL))
        wanted_by_type: dict[str, list[Gold]] = defaultdict(list)
        for gold in wanted:
            wanted_by_type[gold.type].append(gold)
        for kind in wanted_by_type.keys() | said_by_type.keys():
            of_kind, of_said = wanted_by_type.get(kind, []), said_by_type.get(kind, [])
            _add(tallies, _all_levels(case.text, of_kind, of_said, kind))
    return CaseScore(tallies, _tab(case, said, weigh) if weigh else {})


def _add(tallies: dict[tuple[str, str], ScoreTally], more: Mapping[tuple[str, str], ScoreTally]) -> None:
    for key, tally in more.items():
        tallies[key] = tallies.get(key, ScoreTally()) + tally


def _unjudged(case: GoldCase, one: Predicted) -> bool:
    return any(start <= one.start and one.end <= end for start, end in case.unjudged)


def _all_levels(
    text: str, wanted: Sequence[Gold], said: Sequence[Predicted], kind: str
) -> dict[tuple[str, str], ScoreTally]:
    gold_cover, said_cover = _cover(wanted), _cover(said)
    gold_ends = {(gold.start, gold.end) for gold in wanted}
    said_ends = {(one.start, one.end) for one in said}
    tokens = ScoreTally(*_tokens(text, wanted, said_cover), *_tokens(text, said, gold_cover))
    same = len(gold_ends & said_ends)
    strict = ScoreTally(same, len(gold_ends), same, len(said_ends))
    partial = ScoreTally(
        sum(map(CoveredShare(said).half, wanted)),
        len(wanted),
        sum(map(CoveredShare(wanted).half, said)),
        len(said),
    )
    ours, theirs = _joined_spans(text, wanted), _joined_spans(text, said)
    found = sum(_is_shared(one, theirs) for one in _all_stretches(ours))
    right = sum(_is_shared(one, ours) for one in _all_stretches(theirs))
    joined = ScoreTally(found, sum(map(len, ours.values())), right, sum(map(len, theirs.values())))
    return {
        ("token", kind): tokens,
        ("strict", kind): strict,
        ("partial", kind): partial,
        ("joined", kind): joined,
    }


Joined = dict[str, list[Stretch]]  # disjoint, in order, by type


def _joined_spans(text: str, marked: Iterable[Gold | Predicted]) -> Joined:
    found: Joined = {}
    for one in sorted(marked, key=lambda one: one.start):
        spans = found.setdefault(canonical(one.type), [])
        if spans and not TOKEN.search(text, spans[-1].end, max(spans[-1].end, one.start)):
            spans[-1] = Stretch(spans[-1].start, max(spans[-1].end, one.end))
        else:
            spans.append(Stretch(one.start, one.end))
    return found


def _all_stretches(joined: Joined) -> Iterable[Stretch]:
    return chain.from_iterable(joined.values())


def _is_shared(one: Stretch, others: Joined) -> bool:
    """Whether one of the others shares enough with it. Of disjoint spans only two can: see SHARED."""
    for spans in others.values():
        at = bisect_right(spans, one.start, key=lambda span: span.start)
        for other in spans[max(0, at - 1) : at + 1]:
            common = min(one.end, other.end) - max(one.start, other.start)
            if common >= SHARED * (max(one.end, other.end) - min(one.start, other.start)):
                return True
    return False


def _cover(marked: Iterable[Gold | Predicted]) -> SpanSet:
    return SpanSet(Stretch(one.start, one.end) for one in marked)


def _tokens(text: str, marked: Iterable[Gold | Predicted], cover: SpanSet) -> tuple[int, int]:
    """Returns how many tokens of what is marked the cover covers, and how many there are."""
    tokens = {match.span() for one in marked for match in TOKEN.finditer(text, one.start, one.end)}
    return sum(cover.covers(start, end) for start, end in tokens), len(tokens)


class CoveredShare:
    """How much of a stretch the marked stretches cover together."""

    __slots__ = ("_before", "_ends", "_starts")

    def __init__(self, marked: Iterable[Gold | Predicted]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._before = [0]  # characters covered before each merged stretch
        for start, end in sorted((one.start, one.end) for one in marked):
            if self._ends and start <= self._ends[-1]:
                self._before[-1] += max(0, end - self._ends[-1])
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)
                self._before.append(self._before[-1] + end - start)

    def _until(self, place: int) -> int:
        at = bisect_right(self._starts, place)
        return self._before[at] - (max(0, self._ends[at - 1] - place) if at else 0)

    def half(self, one: Gold | Predicted) -> bool:
        """Whether at least half of it is covered."""
        return 2 * (self._until(one.end) - self._until(one.start)) >= one.end - one.start


def _tab(case: GoldCase, said: Sequence[Predicted], weigh: Weigh) -> dict[str, ScoreTally]:
    """ER_direct, ER_quasi and both precisions."""
    cover = _cover(said)
    tallies: dict[str, ScoreTally] = {}
    for identifier, name in (("DIRECT", "ER_direct"), ("QUASI", "ER_quasi")):
        entities: dict[tuple[int, str], bool] = {}
        for annotator, annotation in enumerate(case.annotations):
            for gold in annotation:
                if gold.identifier == identifier:
                    entity = (annotator, gold.entity)
                    masked = _is_masked(case.text, gold, cover)
                    entities[entity] = entities.get(entity, True) and masked
        tallies[name] = ScoreTally(sum(entities.values()), len(entities))
    plain, weighted = _precisions(case, said, weigh)
    return {**tallies, "precision": plain, "weighted_precision": weighted}


def _is_masked(text: str, gold: Gold, cover: SpanSet) -> bool:
    found, tokens = _tokens(text, [gold], cover)
    return found == tokens if tokens else cover.covers(gold.start, gold.end)


def _precisions(case: GoldCase, said: Sequence[Predicted], weigh: Weigh) -> tuple[ScoreTally, ScoreTally]:
    covers = []
    for annotation in case.annotations:
        covers.append(_cover(gold for gold in annotation if gold.is_masked))
    tokens: set[tuple[int, int]] = set()
    for one in said:
        tokens.update(match.span() for match in TOKEN.finditer(case.text, one.start, one.end))
    plain = weighted = ScoreTally()
    for start, end in sorted(tokens):
        share = sum(cover.covers(start, end) for cover in covers) / len(covers)
        weight = weigh(case.text[start:end])
        plain += ScoreTally(right=share, said=1)
        weighted += ScoreTally(right=share * weight, said=weight)
    return plain, weighted


def total(scores: Iterable[CaseScore]) -> CaseScore:
    """The sum over cases: micro averages."""
    tallies: dict[tuple[str, str], ScoreTally] = {}
    tab: dict[str, ScoreTally] = {}
    for one in scores:
        _add(tallies, one.tallies)
        for name, tally in one.tab.items():
            tab[name] = tab.get(name, ScoreTally()) + tally
    return CaseScore(tallies, tab)
