"""Random small worlds for hypothesis."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from efface.knowledge.classes import LabelledDocument
from efface.knowledge.classes.model import GRAIN
from efface.solvers.confusability.problem import SuppressionProblem

T = TypeVar("T")
WORDS = ["bank", "steel", "loan", "furnace", "rail", "ship", "drug", "trial", "cable", "chip"]
CLASSES = ["Acme", "Bolt", "Crane", "Dune"]

texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=12).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn, classes: int = 4) -> list[LabelledDocument]:
    """At least one document of every class."""
    names = CLASSES[: draw(st.integers(2, classes))]
    extra = draw(st.lists(st.sampled_from(names), max_size=8))
    return [LabelledDocument(draw(texts), name, (f"sector{len(name) % 2}",)) for name in [*names, *extra]]


@st.composite
def problems(
    draw: st.DrawFn, *, whole: bool = True, grams: bool = False, worth: bool = True
) -> SuppressionProblem:
    """Small problems on the grain, so that ties occur."""
    classes = draw(st.integers(2, 5))
    units = draw(st.integers(0, 6))
    steps = st.integers(-6, 6).map(lambda step: step * 2**16 * GRAIN)
    sizes = np.array(draw(st.lists(st.integers(1, 3), min_size=units, max_size=units)), np.int64)
    parts: tuple[tuple[int, ...], ...] | None = None
    entries = units
    if grams and units:
        chosen = st.sets(st.integers(0, units - 1), min_size=1, max_size=2).map(lambda p: tuple(sorted(p)))
        parts = tuple(draw(st.lists(chosen, max_size=8)))
        parts += tuple((unit,) for unit in range(units) if not any(unit in part for part in parts))
        entries = len(parts)
    counts = sizes if parts is None else np.array(draw(_list(st.integers(1, 3), entries)), np.int64)
    leads = np.array(draw(_list(_list(steps, classes), entries)), np.float64).reshape(entries, classes)
    start = np.array(draw(_list(steps, classes)))
    truth = draw(st.integers(0, classes - 1))
    leads[:, truth] = 0.0
    start[truth] = 0.0
    values = draw(_list(st.integers(-2, 4).map(float) if worth else st.just(1.0), units))
    return SuppressionProblem(
        leads=leads,
        counts=counts,
        start=start,
        priors=np.full(classes, 1 / classes),
        values=np.array(values),
        sizes=sizes,
        truth=truth,
        k=draw(st.integers(2, 4)),
        grain=GRAIN,
        parts=parts,
        whole=whole,
    )


def _list(element: st.SearchStrategy[T], size: int) -> st.SearchStrategy[list[T]]:
    return st.lists(element, min_size=size, max_size=size)
