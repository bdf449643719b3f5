"""A text as a panel of readers: what each word adds to the margin of every class that may pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from efface.knowledge.classes.model import GRAIN, ClassModel, CountedText
from efface.knowledge.classes.readers import (
    NAIVE_BAYES,
    EvidenceOf,
    Floats,
    Ints,
    TrainedReader,
    evidence_of,
)
from efface.solvers.confusability.panel import Flags, Panel

_SPARE = 12  # classes that are looked at for each reader beyond those that must pass


@dataclass(frozen=True, slots=True, eq=False)
class ReaderMargins:
    """What one reader says: how each word and each pair moves the margins of some classes over the true one."""

    start: Floats
    words: Floats
    pairs: Floats
    silence: bool = False  # the last column passes when nothing of the true class is left


class CategoryReaders(Enum):
    """Who must still see the category."""

    ALL = "naive Bayes and the model's other readers of categories"
    NAIVE_BAYES = "naive Bayes"
    NONE = "nobody"


@dataclass(frozen=True, slots=True, eq=False)
class UtilityMargin:
    """A category that must stay ahead of all others, for naive Bayes by a margin."""

    label: int
    readers: CategoryReaders = CategoryReaders.NAIVE_BAYES
    margin: float = 0.0


def panel_of(
    model: ClassModel,
    view: CountedText,
    truth: int,
    ranks: Mapping[str, int],
    values: Floats,
    category: UtilityMargin | None = None,
    *,
    every_class: bool = False,
    evidence_of: EvidenceOf = evidence_of,
) -> Panel:
    """The panel of the readers in `ranks`, each with the rank that the truth must reach for it.

    Only the classes that come nearest to passing are looked at, unless `every_class`. That is safe: others may pass
    too, which helps.
    """
    parts = [] if category is None else _category_parts(model, view, category)
    needed = [len(part.start) for part in parts]
    # Readers of pairs come last, so that the gains of pairs concern the last columns alone.
    of_pairs = [reader.name for reader in model.others if reader.name in ranks and reader.reads_pairs]
    of_words = [name for name in ranks if name not in of_pairs]
    for name in (*of_words, *of_pairs):
        count = None if every_class else ranks[name] - 1 + _SPARE
        parts.append(_columns(model, view, name, truth, count, evidence_of))
        needed.append(ranks[name] - 1)
    others = len(model.sensitive.names) - 1
    return _panel_from(view, parts, needed, values, others=others, first_of_pairs=len(parts) - len(of_pairs))


def _panel_from(
    view: CountedText,
    parts: Sequence[ReaderMargins],
    needed: Sequence[int],
    values: Floats,
    *,
    others: int,
    first_of_pairs: int,
) -> Panel:
    """One panel from what each reader sees. Those from `first_of_pairs` on read pairs; there are `others` beside the truth."""
    sizes = [len(part.start) for part in parts]
    weights = [_weights(part, min(need, others)) for part, need in zip(parts, needed, strict=True)]
    # The first table has no columns: without a reader of pairs there would be nothing to put together.
    no_columns = np.zeros((len(view.pairs.left), 0))
    pair_gains = np.hstack([no_columns, *(part.pairs for part in parts[first_of_pairs:])])
    gains = np.hstack([part.words for part in parts])
    start = np.concatenate([part.start for part in parts])
    return Panel(
        gains=gains,
        start=start,
        reader=np.repeat(np.arange(len(parts)), sizes),
        needed=np.array(needed),
        weight=np.concatenate(weights),
        values=values,
        sizes=view.counts,
        grain=GRAIN,
        left=view.pairs.left,
        right=view.pairs.right,
        pair_gains=pair_gains,
        pair_start=sum(sizes[:first_of_pairs]),
    )


def _category_parts(model: ClassModel, view: CountedText, category: UtilityMargin) -> list[ReaderMargins]:
    """What each reader of categories sees, as far as the policy asks them."""
    parts = [_category(model, view, category)]
    if category.readers is CategoryReaders.ALL:
        parts += [_category_lead(reader, view, category.label) for reader in model.category_readers]
    return parts


def _weights(part: ReaderMargins, needed: int) -> Ints:
    """Silence counts for as many classes as are needed."""
    found = np.ones(len(part.start), np.int64)
    if part.silence:
        found[-1] = needed
    return found


def _columns(
    model: ClassModel, view: CountedText, name: str, truth: int, count: int | None, evidence_of: EvidenceOf
) -> ReaderMargins:
    if name == NAIVE_BAYES:
        return _naive_bayes(model, view, truth, count)
    reader = next(one for one in model.others if one.name == name)
    if reader.reads_pairs:
        pairs = view.pairs
        # The same pair may stand in the text with words that can go and with words that cannot.
        evidence = reader.evidence(pairs.features, pairs.counts)
        classes = _nearest(evidence.scores, truth, count)
        rows = _leads(evidence.of_classes(classes), silence=True)
        return ReaderMargins(
            _silent_start(np.zeros(len(classes))),
            np.zeros((len(view.features), len(classes))),
            rows,
            silence=True,
        )
    features, still, whole = _amounts(view)
    evidence = evidence_of(reader, features, whole)
    classes = _nearest(evidence.scores, truth, count)
    units = len(view.features)
    words = _leads(evidence.of_classes(classes)[:units], silence=True)
    stays = np.zeros((0, len(classes)))
    if view.fixed:
        stays = _leads(reader.evidence(features, still).of_classes(classes), silence=True)
        words = words - stays[:units]
    if not reader.never_negative:
        # Words count for and against a class. Such a reader is silent only when it knows no word that stays.
        known = reader.knows(features)
        stays[:, -1] = -GRAIN * (known & (still > 0))[: len(stays)]
        words[:, -1] = -GRAIN * known[:units]
    start = _silent_start(stays.sum(axis=0))
    return ReaderMargins(start, words, np.zeros((len(view.pairs.left), words.shape[1])), silence=True)


def scores_of_kept(
    model: ClassModel, view: CountedText, kept: Flags, readers: Sequence[str]
) -> dict[str, Floats]:
    """What each reader's classes score when these words stay: a panel of every class would take longer to make."""
    features, still, _ = _amounts(view)
    amounts = still.copy()
    amounts[: len(view.counts)] += np.where(kept, view.counts, 0)
    stays = np.append(kept, True)  # the last place stands for a word that cannot go
    alive = stays[view.pairs.left] & stays[view.pairs.right]
    found = {NAIVE_BAYES: model.sensitive.scores(features, amounts)}
    for reader in model.others:
        if reader.reads_pairs:
            found[reader.name] = reader.scores(view.pairs.features[alive], view.pairs.counts[alive])
        else:
            found[reader.name] = reader.scores(features, amounts)
    return {name: found[name] for name in readers}


def _amounts(view: CountedText) -> tuple[Ints, Ints, Ints]:
    """The features of a text, first those that can go; how often each stays whatever goes, and how often it occurs."""
    if not view.fixed:
        return view.features, np.zeros_like(view.counts), view.counts
    movable = set(view.features.tolist())
    alone = np.array([feature for feature in view.fixed if feature not in movable], np.int64)
    features = np.concatenate([view.features, alone])
    still = np.array([view.fixed.get(feature, 0) for feature in features.tolist()], np.int64)
    whole = still.copy()
    whole[: len(view.counts)] += view.counts
    return features, still, whole


def _naive_bayes(model: ClassModel, view: CountedText, truth: int, count: int | None) -> ReaderMargins:
    labels = model.sensitive
    start = labels.log_prior.copy()
    for feature, number in view.fixed.items():
        start += number * labels.log_likelihood[feature].astype(np.float64)
    classes = _nearest(start + view.counts @ labels.rows(view.features), truth, count)
    rows = labels.log_likelihood[np.ix_(view.features, classes)].astype(np.float64)
    silence = model.of_people  # nobody is more frequent than others, so that only words tell
    words = view.counts[:, None] * _leads(rows, silence=silence)
    first = _leads(start[None, classes], silence=silence)[0]
    if silence:
        words[:, -1] = -GRAIN
        first[-1] = GRAIN * (1 - len(view.fixed))
    return ReaderMargins(first, words, np.zeros((len(view.pairs.left), words.shape[1])), silence)


def _category(model: ClassModel, view: CountedText, category: UtilityMargin) -> ReaderMargins:
    """The document's category over each other one, as if every other category were the truth to leave behind."""
    useful = model.utility
    start = useful.log_prior.copy()
    for feature, number in view.fixed.items():
        start += number * useful.log_likelihood[feature].astype(np.float64)
    rows = view.counts[:, None] * useful.rows(view.features)
    others = np.delete(np.arange(len(useful.names)), category.label)
    leads = rows[:, [category.label]] - rows[:, others]
    first = start[category.label] - start[others] - np.round(category.margin / GRAIN) * GRAIN
    return ReaderMargins(first, leads, np.zeros((len(view.pairs.left), len(others))))


def _category_lead(reader: TrainedReader, view: CountedText, label: int) -> ReaderMargins:
    """The same for a reader of categories that was trained beside naive Bayes."""
    others = np.delete(np.arange(reader.table.width), label)
    features, still, whole = _amounts(view)
    units = len(view.features)
    ahead = reader.evidence(features, whole).lead(label, others)
    stays = reader.evidence(features, still).lead(label, others)
    words = ahead[:units] - stays[:units]
    return ReaderMargins(stays.sum(axis=0), words, np.zeros((len(view.pairs.left), len(others))))


def _nearest(scores: Floats, truth: int, count: int | None) -> Ints:
    """The other classes with the highest scores, and the true class at the end."""
    others = np.delete(np.arange(len(scores)), truth)
    if count is not None and count < len(others):
        order = np.argsort(-scores[others], kind="stable")[:count]
        others = np.sort(others[order])
    return np.append(others, truth)


def _leads(rows: Floats, *, silence: bool = False) -> Floats:
    """Every class over the true one, which is the last column and is left out.

    With `silence` the last column is kept and holds the evidence for the true class, negated.
    """
    leads = rows - rows[:, -1:]
    if silence:
        leads[:, -1] = -rows[:, -1]
        return leads
    return np.asarray(leads[:, :-1])


def _silent_start(start: Floats) -> Floats:
    """The start with silence one grain ahead, so that silence wins until a word is evidence for the true class."""
    start = start.copy()
    start[-1] += GRAIN
    return start
