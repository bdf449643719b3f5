"""One evaluation: a gold standard, one system or two, all the measures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from efface.errors import UsageError
from efface.evaluate.calibration import Bin, expected_error, judged, reliability
from efface.evaluate.comparing import Difference, compare
from efface.evaluate.gold import Gold, GoldCase, canonical
from efface.evaluate.scoring import ALL, LEVELS, CaseScore, Predicted, ScoreTally, score, total
from efface.evaluate.systems import System, information, of_known_types, only


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was measured. `differences` compares with the second system, if there is one."""

    form: str
    cases: int
    words: int
    result: CaseScore
    bins: tuple[Bin, ...]
    differences: tuple[Difference, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Everything as JSON values."""
        scores = {kind: self._scores(kind) for kind in self.types}
        tab = {name: round(value, 4) for name, value in tab_figures(self.result).items()}
        bins = [asdict(bin_) for bin_ in self.bins]
        comparison = [{**asdict(one), "difference": one.difference} for one in self.differences]
        return {
            "format": self.form,
            "cases": self.cases,
            "words": self.words,
            "scores": scores,
            "tab": tab,
            "calibration": {"expected_error": round(expected_error(self.bins), 4), "bins": bins},
            "comparison": comparison,
        }

    def _scores(self, kind: str) -> dict[str, Any]:
        """The measures of one type, by level."""
        tallies = self.result.tallies
        return {level: measures(tallies[level, kind]) for level in LEVELS if (level, kind) in tallies}

    @property
    def types(self) -> list[str]:
        """All together first, then by name."""
        return [ALL, *sorted({kind for _, kind in self.result.tallies} - {ALL})]


def evaluate(
    cases: Sequence[GoldCase],
    form: str,
    first: System,
    second: System | None = None,
    types: frozenset[str] = frozenset(),
) -> Evaluation:
    """Judge one system, or two on the same cases."""
    known = of_known_types(cases, form)
    if wrong := sorted({canonical(name) for name in types} - known):
        raise UsageError(f"The gold standard marks no {wrong[0]}.", f"It marks {', '.join(sorted(known))}.")
    if types:
        known = frozenset(map(canonical, types))
        cases = [_of_types(case, known) for case in cases]
    weigh = information() if form == "tab" else None

    def scored(system: System) -> tuple[list[list[Predicted]], list[CaseScore]]:
        found = only(system(cases), known)
        return found, [score(case, said, weigh) for case, said in zip(cases, found, strict=True)]

    predictions, scores = scored(first)
    bins = tuple(reliability(chain.from_iterable(map(judged, cases, predictions))))
    differences = tuple(compare(scores, scored(second)[1])) if second else ()
    words = sum(len(case.text.split()) for case in cases)
    return Evaluation(form, len(cases), words, total(scores), bins, differences)


def _of_types(case: GoldCase, types: frozenset[str]) -> GoldCase:
    kept: list[tuple[Gold, ...]] = []
    for marked in case.annotations:
        kept.append(tuple(gold for gold in marked if gold.type in types))
    return GoldCase(case.name, case.text, tuple(kept), case.unjudged)


def measures(tally: ScoreTally) -> dict[str, float]:
    """The four figures of a tally, and what they rest on."""
    return {
        "recall": round(tally.recall, 4),
        "precision": round(tally.precision, 4),
        "F1": round(tally.f(1), 4),
        "F2": round(tally.f(2), 4),
        "gold": tally.gold,
        "said": tally.said,
    }


def tab_figures(result: CaseScore) -> dict[str, float]:
    """TAB's measures, each the figure that its name says."""
    figures = {name: tally.recall for name, tally in result.tab.items() if name.startswith("ER_")}
    return figures | {
        name: tally.precision for name, tally in result.tab.items() if not name.startswith("ER_")
    }


def rows(result: Evaluation) -> Iterator[str]:
    """The evaluation as lines for a terminal."""
    yield f"{'type':<14}{'level':<9}{'recall':>8}{'precision':>11}{'F1':>8}{'F2':>8}{'gold':>8}{'said':>8}"
    for kind in result.types:
        for level in LEVELS:
            tally = result.result.tallies.get((level, kind))
            if tally:
                yield (
                    f"{kind:<14}{level:<9}{tally.recall:>8.3f}{tally.precision:>11.3f}{tally.f(1):>8.3f}"
                    f"{tally.f(2):>8.3f}{tally.gold:>8.0f}{tally.said:>8.0f}"
                )
    for name, value in tab_figures(result.result).items():
        yield f"{name:<23}{value:>8.3f}"
    yield f"{'calibration error':<23}{expected_error(result.bins):>8.3f}"
    for one in result.differences:
        yield (
            f"{one.measure:<12}{one.first:.3f} against {one.second:.3f}: {one.difference:+.3f} "
            f"(95 % {one.low:+.3f} to {one.high:+.3f}), p = {one.p_value:.4f}"
        )
