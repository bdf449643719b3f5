"""Which words stay: the optimisation behind a plan of k-confusability.

The readers' view of a text becomes a problem for `efface.solvers.confusability`, and its solution says how many
occurrences of every word stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from efface.errors import Infeasible
from efface.guarantees.confusability.broader_words import SuppressedWord
from efface.guarantees.confusability.edits import occurrences, rank_of
from efface.guarantees.confusability.joint_depth import JointDepth
from efface.guarantees.confusability.panel_view import (
    CategoryReaders,
    UtilityMargin,
    panel_of,
    scores_of_kept,
)
from efface.guarantees.confusability.secret_depths import SecretDepths
from efface.knowledge.classes.joint_ranks import joint_places, rank_table
from efface.knowledge.classes.labels import Labels
from efface.knowledge.classes.model import GRAIN, ClassModel, CountedText
from efface.knowledge.classes.readers import NAIVE_BAYES, EvidenceOf, evidence_of
from efface.solvers.confusability.objectives import OBJECTIVES, CategoryWorth
from efface.solvers.confusability.panel import Panel
from efface.solvers.confusability.panel_solve import deepen, give_back, solve_panel
from efface.solvers.confusability.problem import Suppression, SuppressionProblem
from efface.solvers.confusability.solve import solve_confusion


@dataclass(frozen=True, slots=True)
class SuppressionChoice:
    """The words of one document, with the class that they must hide and the categories that they should keep
    showing."""

    model: ClassModel
    truth: str = field(repr=False)
    k: int
    readers: tuple[str, ...]
    ranks: tuple[Mapping[str, int], ...] = field(repr=False)  # to reach, for each reader; tried in order
    keep: tuple[str, ...] = field(repr=False)  # the document's categories that should show
    keep_margin: float | None  # how far ahead the category must stay; None: as far as it can be kept
    method: str
    objective: str  # empty: OVALogOdds against naive Bayes alone, else as few words as possible
    thrift: float  # what any word that stays is worth, beside its use to the categories
    per_occurrence: bool
    time_limit: float
    evidence_of: EvidenceOf = evidence_of

    @property
    def aim(self) -> str:
        return aim_of(self.objective, self.readers, self.keep_margin)

    @property
    def is_counting(self) -> bool:
        """Whether every word is worth the same."""
        return self.aim == "count" or not self.keep

    def solve(self, view: CountedText) -> Suppression:
        """What stays of every word.

        The category comes before the depth: first every drawing of ranks with the category kept, then without. What is
        asked last is asked for thoroughly: nothing that was tried before asks for less.
        """
        attempts = [
            (category, ranks)
            for choices in self._category_choices()
            for ranks in self.ranks
            for category in choices
        ]
        for category, ranks in attempts:
            try:
                return self._solved(view, ranks, category, thorough=False)
            except Infeasible:
                continue
        category, ranks = attempts[-1]
        return self._solved(view, ranks, category, thorough=True)

    def deepened(self, view: CountedText, depths: SecretDepths | None) -> Suppression:
        """What stays of every word, with deeper and deeper ranks until the class is hidden in all lists together.

        A deeper plan often takes more than that needs, so words are given back as long as the class stays hidden. A
        document that cannot be hidden deeper keeps the plan that was found before: each reader by itself is misled.
        """
        found = self.solve(view)
        if depths is None or self.is_single:
            return found
        for ranks in depths.deeper():
            if self._is_hidden(view, found, depths):
                break
            deeper = self._from(view, ranks, found, depths)
            if deeper is None:
                break
            found = deeper
        return found

    def _is_hidden(self, view: CountedText, plan: Suppression, depths: SecretDepths) -> bool:
        """Whether who compares all readers' lists finds the class no earlier than at the drawn places."""
        scores = scores_of_kept(self.model, view, plan.kept > 0, self.readers)
        truth = self.model.sensitive.index(self.truth)
        return depths.hides(joint_places(rank_table(scores.values()), truth, self.k))

    def _from(
        self, view: CountedText, ranks: Mapping[str, int], known: Suppression, depths: SecretDepths
    ) -> Suppression | None:
        """A plan for deeper ranks that starts from a known one, with the category kept; None when none is found."""
        for category in self._category_choices()[0]:
            deeper = deepen(self.panel(view, ranks, category), known.kept > 0, self.method)
            if deeper is None:
                continue
            if not self._is_hidden(view, deeper, depths):
                return deeper
            asked = self.panel(view, self.ranks[0], category, every_class=True)
            return give_back(asked, deeper.kept > 0, JointDepth(asked, depths).hides)
        return None

    def _category_choices(self) -> tuple[tuple[CategoryReaders, ...], ...]:
        """Who must still see the category. One with a margin that the policy names is never given up."""
        if not self.keep or len(self.model.utility.names) < 2 or self.is_single:
            return ((CategoryReaders.NONE,),)
        some = (CategoryReaders.NAIVE_BAYES,)
        shown = (CategoryReaders.ALL, *some) if self.model.category_readers else some
        return (shown,) if self.keep_margin is not None else (shown, (CategoryReaders.NONE,))

    @property
    def is_single(self) -> bool:
        return _is_single(self.readers, self.keep_margin)

    def _solved(
        self, view: CountedText, ranks: Mapping[str, int], category: CategoryReaders, *, thorough: bool
    ) -> Suppression:
        """Behind the nearest classes if that is possible, else behind any."""
        if self.is_single:
            problem = replace(self.problem(view), k=ranks[NAIVE_BAYES])
            return solve_confusion(problem, self.method, self.time_limit)
        near = self.panel(view, ranks, category)
        try:
            return solve_panel(near, self.method, self.time_limit, thorough=thorough)
        except Infeasible:
            every = self.panel(view, ranks, category, every_class=True)
            if len(every.start) == len(near.start):
                raise
            return solve_panel(every, self.method, self.time_limit, thorough=thorough)

    def panel(
        self,
        view: CountedText,
        ranks: Mapping[str, int],
        category: CategoryReaders,
        *,
        every_class: bool = False,
    ) -> Panel:
        """The optimisation against all readers."""
        labels, useful = self.model.sensitive, self.model.utility
        shown = None
        if category is not CategoryReaders.NONE:
            shown = UtilityMargin(useful.index(self.keep[0]), category, self.keep_margin or 0.0)
        values = self.values(view, occurrences(view))
        return panel_of(
            self.model,
            view,
            labels.index(self.truth),
            ranks,
            values,
            shown,
            every_class=every_class,
            evidence_of=self.evidence_of,
        )

    def most_valuable(self, view: CountedText, solution: Suppression) -> list[SuppressedWord]:
        """The words with at least one removed place, the most valuable first."""
        sizes = occurrences(view)
        gone = np.flatnonzero(solution.kept < sizes)
        by_worth = gone[np.argsort(-self.values(view, sizes)[gone], kind="stable")]
        return [(view.units[unit], view.places[unit]) for unit in by_worth]

    def note(self, text: str, view: CountedText, solution: Suppression, names: int) -> str:
        """How many words are removed, and whether the categories still show."""
        sizes = occurrences(view)
        words = int((sizes - solution.kept).sum())
        note = f"{words} of {int(sizes.sum())} telling words suppressed, {names} names of the class"
        useful = self.model.utility
        if not self.keep:
            return note
        before = useful.scores(*self.model.bag(text))
        left = self.problem(view).amounts(solution.kept)
        after = fixed_scores(useful, view) + left @ useful.rows(view.features)
        moves = []
        for name in self.keep:
            label = useful.index(name)
            moves.append(f"{rank_of(before, label)} → {rank_of(after, label)}")
        return f"{note}; what should show ranks {', '.join(moves)} of {len(useful.names)} categories"

    def problem(self, view: CountedText) -> SuppressionProblem:
        """The optimisation behind a plan for a text seen by the model."""
        labels = self.model.sensitive
        truth = labels.index(self.truth)
        rows = labels.rows(view.features)
        start = fixed_scores(labels, view)
        sizes = occurrences(view)
        return SuppressionProblem(
            leads=rows - rows[:, [truth]],
            counts=view.counts,
            start=start - start[truth],
            priors=np.exp(labels.log_prior),
            values=self.values(view, sizes),
            sizes=sizes,
            truth=truth,
            k=self.k,
            grain=GRAIN,
            parts=view.parts,
            whole=not self.per_occurrence,
        )

    def values(self, view: CountedText, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """What an occurrence of each unit is worth. An n-gram's worth is shared evenly among its words."""
        if self.is_counting:
            return np.ones(len(sizes))
        useful = self.model.utility
        categories = np.array([useful.index(name) for name in self.keep], np.int64)
        frequencies = useful.counts[view.features].sum(axis=1, dtype=np.int64)
        rows = useful.rows(view.features)
        worth = OBJECTIVES[self.aim](CategoryWorth(rows, np.exp(useful.log_prior), frequencies, categories))
        if not worth.any():
            return np.ones(len(sizes))
        worth = worth + self.thrift * np.abs(worth).mean()
        if view.parts is None:
            return np.asarray(worth)
        shared = np.zeros(len(sizes))
        for value, count, part in zip(worth, view.counts, view.parts, strict=True):
            shared[list(part)] += value * count / len(part)
        return shared / sizes


def aim_of(objective: str, readers: Sequence[str], keep_margin: float | None) -> str:
    """What a plan maximises. Where the category is a constraint of its own, words need not be worth what they say
    of it, so as few as possible go."""
    return objective or ("OVALogOdds" if _is_single(readers, keep_margin) else "count")


def _is_single(readers: Sequence[str], keep_margin: float | None) -> bool:
    """Whether Naive Bayes is the only reader, as in the paper; the objective then favours the category."""
    return tuple(readers) == (NAIVE_BAYES,) and keep_margin is None


def fixed_scores(labels: Labels, view: CountedText) -> NDArray[np.float64]:
    """What each class scores for the words that stay whatever is suppressed."""
    scores = labels.log_prior.copy()
    for feature, count in view.fixed.items():
        scores += count * labels.log_likelihood[feature].astype(np.float64)
    return scores
