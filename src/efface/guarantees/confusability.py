"""k-confusability: the true class ranks k-th or worse for a trained reader; ties count against us.

The reader is a Naive Bayes model over words (`efface.knowledge.classes`), priors included, and judges the
text as it stands, efface's own words among them. The class's own names go whatever the ranking says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from efface.core import (
    Claim,
    Edit,
    Finding,
    Measure,
    Mention,
    Plan,
    Reading,
    Span,
    SpanSet,
    Term,
    apply_edits,
)
from efface.errors import PolicyError, UsageError
from efface.folding import fold_term
from efface.guarantees.confusability_look import Look
from efface.guarantees.confusability_slider import Sensitivity
from efface.guarantees.semantic_wording import agreeing, capitalised, with_article
from efface.knowledge.classes_model import GRAIN, ClassModel, LabelledDocument, Place, View
from efface.knowledge.classes_words import words
from efface.solvers.confusion import METHODS, solve_confusion, steps_needed, suppression_order
from efface.solvers.confusion_curve import Curve
from efface.solvers.confusion_objectives import OBJECTIVES, Useful
from efface.solvers.confusion_problem import Problem, Solution

NAME = "k-confusability"
TYPE = "WORD"
THRIFT = 0.25  # times the mean worth of the document's words
_PLACEHOLDER = "[WORD_1]"  # what stands for open replacements when a plan is checked; no word to the model

Generalise = Callable[[str], Sequence[str]]  # a word to wider ones, the nearest first


@dataclass(frozen=True, slots=True)
class Confusability:
    """The promise for one document. Without `truth` it is a template: `bind` it to a document first."""

    model: ClassModel
    k: int
    truth: str | None = field(default=None, repr=False)
    guessed: bool = False  # the class is the model's best guess: warn
    unlearned: bool = False  # the reader is one who knows the corpus but for this document
    keep: tuple[str, ...] = field(default=(), repr=False)  # the document's categories that should show
    method: str = "lp"
    objective: str = "OVALogOdds"
    thrift: float = THRIFT  # what any word that stays is worth, beside its use to the categories
    per_occurrence: bool = False
    time_limit: float = 10.0
    generalise: Generalise | None = field(default=None, repr=False)
    _last: list[Look] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.k < 2:
            raise PolicyError(f"`{NAME}`: k counts the true class too.", "Give 2 or more.")
        if self.method not in METHODS:
            raise PolicyError(f"`{NAME}` has no such method.", f"Choose one of {', '.join(METHODS)}.")
        if self.objective not in OBJECTIVES:
            raise PolicyError(f"`{NAME}` has no such objective.", f"Choose one of {', '.join(OBJECTIVES)}.")
        if self.per_occurrence and self.model.settings.ngrams > 1:
            raise PolicyError(f"`{NAME}`: `per-occurrence` needs single words.", "Train without n-grams.")

    def bind(
        self, text: str, truth: str | None = None, keep: Iterable[str] = (), *, in_corpus: bool = False
    ) -> Confusability:
        """The promise for the document with this text, before anything is removed from it.

        Without `truth` (from the policy or the metadata) the model's best guess is hidden, and `guessed` says
        so. With `in_corpus` the model first unlearns the document: its reader is one who does not have it.
        """
        if truth is None and in_corpus:
            raise UsageError(
                "To unlearn a document its class must be given.", "Give it, or leave `in_corpus`."
            )
        guessed = truth is None
        name = self.model.best_guess(text) if truth is None else truth
        given = tuple(keep)
        for label, labels in ((name, self.model.sensitive), *((one, self.model.utility) for one in given)):
            labels.index(label)
        model = self.model.without(LabelledDocument(text, name, given)) if in_corpus else self.model
        categories = given or self._best_category(text)
        return replace(self, model=model, truth=name, guessed=guessed, keep=categories, unlearned=in_corpus)

    def _best_category(self, text: str) -> tuple[str, ...]:
        useful = self.model.utility
        if not useful.names:
            return ()
        return (useful.names[int(np.argmax(useful.scores(*self.model.bag(text))))],)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reviewer should know about how the promise was bound."""
        return (
            ("the document's class was not given: the model's best guess is hidden",) if self.guessed else ()
        )

    @property
    def claim(self) -> Claim:
        return Claim(
            name=NAME,
            sentence=f"To a reader trained on the classes (naive Bayes), {self.k - 1} others or more fit the "
            "released text strictly better than the true one, which is not named.",
            unit="1 / rank of the class",
            parameters={
                "k": self.k,
                "classes": len(self.model.sensitive.names),
                "method": self.method,
                "objective": self.objective,
                "per_occurrence": self.per_occurrence,
                "class_guessed": self.guessed,
                "reader_without_document": self.unlearned,
            },
        )

    @property
    def _counting(self) -> bool:
        return self.objective == "count" or not self.keep

    # --- assess -------------------------------------------------------------------------------------------

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        look, truth = self._look(reading.document.text), self._truth
        findings = []
        if look.names:
            mentions = tuple(_mention(span, fold_term(truth), "the class's own name") for span in look.names)
            term = Term(fold_term(truth), TYPE, mentions, NAME)
            findings.append(Finding(NAME, truth, (term,), float(len(mentions)), 0.0, "the class is named"))
        if look.ahead < self.k - 1:
            findings.append(self._ranking(look, reading.inserted))
        return tuple(findings)

    def _look(self, text: str) -> Look:
        """The text as the reader sees it; the last one is looked at once."""
        for last in self._last:
            if last.text is text:
                return last
        look = Look(text, self.model, self._truth)
        self._last[:] = [look]
        return look

    def _ranking(self, look: Look, inserted: Sequence[Span]) -> Finding:
        """The ranking betrays the class; the terms are those that SIMPLEREDACTOR would suppress."""
        view, ahead = look.view(inserted, look.names), look.ahead
        problem = self.problem(view)
        rivals = problem.ranked(problem.sizes)[: self.k - 1]
        order = suppression_order(problem, rivals)
        steps = steps_needed(problem, order)
        terms = tuple(
            Term(
                view.units[u],
                TYPE,
                tuple(_mention(Span(*place), view.units[u], NAME) for place in view.places[u]),
                NAME,
            )
            for u in order[:steps]
        )
        nearest = ", ".join(self.model.sensitive.names[rival] for rival in rivals)
        because = f"{ahead} of the {self.k - 1} classes needed rank higher; nearest: {nearest}"
        return Finding(NAME, self._truth, terms, 1 / (1 + ahead), 1 / self.k, because)

    @property
    def _truth(self) -> str:
        if self.truth is None:
            raise UsageError(f"`{NAME}` does not know the class to hide.", "Bind it to the document first.")
        return self.truth

    # --- plan ---------------------------------------------------------------------------------------------

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        if not findings:
            return Plan(())
        text, truth = reading.document.text, self._truth
        look = self._look(text)
        names = _whole_words(text, look.names)
        view = look.view(reading.inserted, names)
        problem = self.problem(view)
        solution = solve_confusion(problem, self.method, self.time_limit)
        edits = [_edit(span, fold_term(truth), "the class's own name") for span in names]
        edits += _suppressed(view, problem, solution)
        merged = _disjoint(edits)
        if self.generalise is not None:
            merged = self._generalised(text, merged, view, problem, solution)
        extra = float(len(names)) if self._counting else 0.0
        return Plan(
            merged,
            solution.cost + extra,
            solution.optimality,
            solution.lower_bound + extra,
            (self._measure(look, solution),),
            self._note(text, view, problem, solution, len(names)),
        )

    def _measure(self, look: Look, solution: Solution) -> Measure:
        """The class's place in the reader's list, as the chance that the first guess would be right."""
        return Measure(self._truth, 1 / (1 + look.ahead), 1 / (1 + len(solution.rivals)), 1 / self.k)

    def _note(self, text: str, view: View, problem: Problem, solution: Solution, names: int) -> str:
        """How much goes, and whether what should show still does."""
        words = int((problem.sizes - solution.kept).sum())
        note = f"{words} of {int(problem.sizes.sum())} telling words suppressed, {names} names of the class"
        useful = self.model.utility
        if not self.keep:
            return note
        before = useful.scores(*self.model.bag(text))
        fixed = useful.log_prior.copy()
        for feature, count in view.fixed.items():
            fixed += count * useful.log_likelihood[feature].astype(np.float64)
        after = fixed + problem.amounts(solution.kept) @ useful.rows(view.features)
        places = ", ".join(
            f"{_place(before, useful.index(name))} → {_place(after, useful.index(name))}"
            for name in self.keep
        )
        return f"{note}; what should show ranks {places} of {len(useful.names)} categories"

    def problem(self, view: View) -> Problem:
        """The optimisation behind a plan for a text seen by the model."""
        labels = self.model.sensitive
        truth = labels.index(self._truth)
        rows = labels.rows(view.features)
        start = labels.log_prior.copy()
        for feature, count in view.fixed.items():
            start += count * labels.log_likelihood[feature].astype(np.float64)
        sizes = np.fromiter(map(len, view.places), np.int64, len(view.places))
        return Problem(
            leads=rows - rows[:, [truth]],
            counts=view.counts,
            start=start - start[truth],
            priors=np.exp(labels.log_prior),
            values=self._values(view, sizes),
            sizes=sizes,
            truth=truth,
            k=self.k,
            grain=GRAIN,
            parts=view.parts,
            whole=not self.per_occurrence,
        )

    def _values(self, view: View, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """What an occurrence of each unit is worth. An n-gram's worth is shared evenly among its words."""
        if self._counting:
            return np.ones(len(sizes))
        useful = self.model.utility
        categories = np.array([useful.index(name) for name in self.keep], np.int64)
        frequencies = useful.counts[view.features].sum(axis=1, dtype=np.int64)
        rows = useful.rows(view.features)
        worth = OBJECTIVES[self.objective](Useful(rows, np.exp(useful.log_prior), frequencies, categories))
        if not worth.any():
            return np.ones(len(sizes))
        worth = worth + self.thrift * np.abs(worth).mean()
        if view.parts is None:
            return np.asarray(worth)
        shared = np.zeros(len(sizes))
        for value, count, part in zip(worth, view.counts, view.parts, strict=True):
            shared[list(part)] += value * count / len(part)
        return shared / sizes

    def _generalised(
        self, text: str, edits: tuple[Edit, ...], view: View, problem: Problem, solution: Solution
    ) -> tuple[Edit, ...]:
        """Suppressed words made hypernyms where the ranking stays safe, the most valuable words first."""
        assert self.generalise is not None
        margins = problem.margins(solution.kept)
        gone = np.flatnonzero(solution.kept < problem.sizes)
        hidden = {view.units[unit] for unit in gone}
        chosen: dict[str, str] = {}
        for unit in gone[np.argsort(-problem.values[gone], kind="stable")]:
            if _is_name(text, view.places[unit]):
                continue
            for wider in self.generalise(view.units[unit]):
                if hidden & {word.key for word in words(wider)}:
                    continue
                missing = problem.sizes[unit] - solution.kept[unit]
                after = margins + missing * self._leads(wider, problem.truth)
                if problem.holds(after):
                    chosen[view.units[unit]], margins = wider, after
                    break
        wide = tuple(_worded(edit, chosen.get(edit.key), text) for edit in edits)
        apart = all(one.end <= two.start for one, two in pairwise(wide))  # an article may have been taken in
        return wide if apart and self._safe(apply_edits(text, [_filled(edit) for edit in wide])) else edits

    def _leads(self, text: str, truth: int) -> NDArray[np.float64]:
        """What a text adds to every other class's margin over the true one."""
        features, counts = self.model.bag(text)
        added = counts @ self.model.sensitive.rows(features)
        return np.asarray(added - added[truth])

    def _safe(self, text: str) -> bool:
        look = Look(text, self.model, self._truth)
        return look.ahead >= self.k - 1 and not look.names

    # --- the slider ---------------------------------------------------------------------------------------

    def sensitivity(self, reading: Reading, up_to: int) -> Sensitivity:
        """For each k up to `up_to`: the order in which words go, and the reader's view after each."""
        text = reading.document.text
        look = self._look(text)
        names = _whole_words(text, look.names)
        view = look.view(reading.inserted, names)
        useful = self.model.utility
        base = useful.log_prior.copy()
        for feature, count in view.fixed.items():
            base += count * useful.log_likelihood[feature].astype(np.float64)
        curve = Curve.of(self.problem(view), useful.rows(view.features), base, up_to)
        return Sensitivity(self.model, view, names, curve)


def _suppressed(view: View, problem: Problem, solution: Solution) -> list[Edit]:
    """The last occurrences go first: where a word was introduced it explains most."""
    return [
        _edit(Span(*place), view.units[unit], "tells the class")
        for unit in np.flatnonzero(solution.kept < problem.sizes)
        for place in view.places[unit][solution.kept[unit] :]
    ]


def _whole_words(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Spans widened to the words they cut: what is left of a cut word would be read as another."""
    if not spans:
        return ()
    cut = SpanSet(spans)
    wide = [*spans, *(Span(w.start, w.end) for w in words(text) if cut.touches(w.start, w.end))]
    return tuple(edit.span for edit in _disjoint([_edit(span, "", "") for span in wide]))


def _disjoint(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in order; those that share characters become one."""
    merged: list[Edit] = []
    for edit in sorted(edits, key=lambda one: (one.start, -one.end)):
        if merged and edit.start < merged[-1].end:
            merged[-1] = replace(merged[-1], end=max(merged[-1].end, edit.end))
        else:
            merged.append(edit)
    return tuple(merged)


def _edit(span: Span, key: str, reason: str) -> Edit:
    return Edit(span.start, span.end, TYPE, key, reason)


def _worded(edit: Edit, wider: str | None, text: str) -> Edit:
    """The edit with the wider word in the number, case and with the article that fit."""
    if wider is None:
        return edit
    agreed = capitalised(agreeing(wider, text[edit.start : edit.end]), text, edit.start)
    start, replacement = with_article(text, edit.start, agreed)
    return replace(edit, start=start, replacement=replacement, reason=f"{edit.reason}: generalised")


def _filled(edit: Edit) -> Edit:
    return edit if edit.replacement is not None else replace(edit, replacement=_PLACEHOLDER)


def _is_name(text: str, places: Iterable[Place]) -> bool:
    """Whether a word is always written with a capital: no taxonomy tells what such a name stands for."""
    return all(text[start].isupper() for start, _ in places)


def _place(scores: NDArray[np.float64], label: int) -> int:
    return 1 + int((scores > scores[label]).sum())


def _mention(span: Span, key: str, because: str) -> Mention:
    return Mention(span.start, span.end, TYPE, key, 1.0, because)
