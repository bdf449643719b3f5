"""One document after the other: planned, suppressed, and guessed at by a reader who does not have it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from efface.core import Span
from efface.errors import Infeasible
from efface.guarantees.confusability.guarantee import THRIFT, Confusability
from efface.knowledge.classes import ClassModel, CountedText, LabelledDocument, find_names
from efface.solvers.confusability.problem import SuppressionProblem
from efface.solvers.confusability.solve import lp, solve_confusion
from experiments.inference_blocking.data import DataSet

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Setup:
    """How documents are planned.

    `paper`: as printed, against the model of all documents, the objective alone, every document. Otherwise as
    efface does: against the model without the document, with thrift, and only documents that need it.
    """

    objective: str
    paper: bool
    method: str = "lp"
    time_limit: float = 1.0
    all_documents: bool = False  # as efface, but against the model that has the document too

    @property
    def name(self) -> str:
        if self.paper:
            return "as printed"
        return f"efface {self.method}" + (", all documents" if self.all_documents else "")


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The true labels' ranks for the leave-one-out reader, and the share of known words suppressed."""

    place: int
    rank: int
    category_rank: int
    suppressed: float
    refused: bool
    text: str


def run(data: DataSet, places: Sequence[int], setup: Setup, sizes: Iterable[int]) -> dict[int, list[Trial]]:
    """Trials for each k; k = 1 leaves a document as it is."""
    found: dict[int, list[Trial]] = {k: [] for k in sizes}
    for place in places:
        document = data.documents[place]
        reader = data.model.without(document)
        planner = Confusability(
            data.model if setup.paper or setup.all_documents else reader,
            2,
            objective=setup.objective,
            thrift=0.0 if setup.paper else THRIFT,
        ).bind(document.text, document.sensitive, document.utility)
        names = find_names(document.text, data.model.spellings(document.sensitive))
        view = data.model.view(document.text, gone=names)
        problem = planner.choice.problem(view)
        for k, trials in found.items():
            kept, refused = _kept(replace(problem, k=k), setup)
            text = _text(document.text, names, view, kept)
            trials.append(_trial(place, document, reader, view, kept, refused, text))
    return found


def _trial(
    place: int,
    document: LabelledDocument,
    reader: ClassModel,
    view: CountedText,
    kept: Ints,
    refused: bool,
    text: str,
) -> Trial:
    """What a reader without the document makes of what is left of it."""
    scores = reader.sensitive.scores(view.features, kept)
    categories = reader.utility.scores(view.features, kept)
    truth, category = reader.sensitive.index(document.sensitive), reader.utility.index(document.utility[0])
    return Trial(
        place,
        1 + int((scores > scores[truth]).sum()),
        1 + int((categories > categories[category]).sum()),
        1 - float(kept.sum() / max(1, view.counts.sum())),
        refused,
        text,
    )


def _kept(problem: SuppressionProblem, setup: Setup) -> tuple[Ints, bool]:
    """What stays; of a document that would be refused, all, as nothing of it is released."""
    if problem.k == 1:
        return problem.sizes, False
    try:
        if setup.paper:
            found = lp(problem)
            return (problem.sizes, True) if found is None else (found.kept, False)
        return solve_confusion(problem, setup.method, setup.time_limit).kept, False
    except Infeasible:
        return problem.sizes, True


def _text(text: str, names: tuple[Span, ...], view: CountedText, kept: Ints) -> str:
    """The text as it is released, each suppressed word a placeholder."""
    gone = {(span.start, span.end) for span in names}
    gone |= {at for unit, places in enumerate(view.places) for at in places[int(kept[unit]) :]}
    pieces, position = [], 0
    for number, (start, end) in enumerate(sorted(gone), 1):
        pieces += [text[position:start], f"[WORD_{number}]"]
        position = max(position, end)
    return "".join([*pieces, text[position:]])


@dataclass(frozen=True, slots=True)
class Figures:
    """What Table 1 prints, for one k."""

    k_eval: float
    error: float  # of the class within k - 1 guesses
    accuracy_at_k: float
    category: float  # accuracy of the category within k - 1 guesses
    category_first: float  # and with one guess
    suppressed: float
    lift: float  # success within k - 1 guesses over that of chance
    refused: int


def figures(trials: Sequence[Trial], k: int, chance: float) -> Figures:
    """k-eval: the mean of category accuracy and class error at k - 1 guesses, and class accuracy at k."""
    released = [trial for trial in trials if not trial.refused]
    ranks = np.array([trial.rank for trial in released])
    categories = np.array([trial.category_rank for trial in released])
    error, at_k = float((ranks > k - 1).mean()), float((ranks <= k).mean())
    category = float((categories <= max(k - 1, 1)).mean())
    return Figures(
        (error + at_k + category) / 3,
        error,
        at_k,
        category,
        float((categories == 1).mean()),
        float(np.mean([trial.suppressed for trial in released])),
        (1 - error) / chance,
        len(trials) - len(released),
    )


def mean(several: Sequence[Figures]) -> Figures:
    names = [name for name in Figures.__slots__ if name != "refused"]
    means = {name: float(np.mean([getattr(one, name) for one in several])) for name in names}
    return Figures(refused=sum(one.refused for one in several), **means)
