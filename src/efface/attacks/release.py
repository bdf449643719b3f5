"""The attacker of a whole release: learns from a labelled part of it, then reads the rest, the likeliest words first.

The attacker knows the family of learners that the publisher used, reads what a classifier finds before all the rest,
and recognises every identifier on reading it. The best learner is not known beforehand, and accuracy does not show it:
with few identifiers left the most accurate one finds nothing. So every learner is tried, with several seeds, and the
one that finds most within the budget is the attacker that counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from efface.errors import InputError
from efface.learners.classifier import Classifier, Costs, Learner
from efface.learners.crossfit import parts
from efface.learners.features import FeatureLexicon, FeatureView, Flags, Floats, SentenceArrays, Space
from efface.learners.greedy import Counts
from efface.learners.selection import SINGLE
from efface.learners.tokens import Tokens

FOLDS = 4  # parts of a release; each is attacked by whoever learned from the others
SEEDS = 3  # ways of cutting the release in parts, for each learner
# The shares of the words that the attacker reads in addition to all that the classifier finds.
BUDGETS = (0.005, 0.01, 0.02)
RESAMPLES = 1_000  # resamples of the bootstrap
CONFIDENCE = 0.975  # the upper end of a two-sided interval of 95 %
SIGMAS = 3  # standard deviations that another seed may find more than the mean of those tried
_LONGEST = 1 << 32  # tokens before times tokens after: what aligning them may take


@dataclass(frozen=True, eq=False)
class Attack:
    """Tokens of the release in the order in which the attacker reads them, and the classifier's counts."""

    ranked: Flags  # whether the first, second, … token read is an identifier
    counts: Counts
    learners: tuple[str, ...]
    documents: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # of each of `ranked`

    def found(self, budget: int) -> int:
        """Identifiers among the first tokens read; times L this is U_A*."""
        return int(self.ranked[:budget].sum())

    def by_chance(self, budget: int) -> float:
        """Identifiers expected among as many tokens read at random; times L this is U_A."""
        return min(budget, len(self.ranked)) * self.counts.sensitive / max(1, len(self.ranked))

    def ratio(self, budget: int) -> float | None:
        """U_A*/U_A: how much better than chance; nothing to compare where no identifier is left."""
        chance = self.by_chance(budget)
        return self.found(budget) / chance if chance else None

    @property
    def default_budget(self) -> int:
        """All that the classifier finds, and at least one token in a hundred."""
        return min(len(self.ranked), max(self.counts.positives, len(self.ranked) // 100, 1))

    @property
    def budgets(self) -> tuple[int, ...]:
        """Words that the attacker may read, the fewest first."""
        shares = {max(1, round(share * len(self.ranked))) for share in BUDGETS}
        return tuple(sorted(min(budget, len(self.ranked)) for budget in shares | {self.default_budget}))


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One attacker: the learner, the seed by which it cuts the release in parts, and the result."""

    learner: str
    seed: int
    attack: Attack


@dataclass(frozen=True, eq=False)
class Residue:
    """A released document: its tokens, which of them are identifiers still, and what the original had."""

    tokens: Tokens
    sensitive: Flags
    original_tokens: int
    original_sensitive: int


@dataclass(frozen=True, slots=True, eq=False)
class _ReleaseReading:
    priorities: Floats  # positives above one, others below; marks not at all
    found: Flags
    learner: str


def carry(labels: Flags, before: Tokens, after: Tokens) -> Flags:
    """Labels of the original's tokens for those tokens that are still there after the release.

    A token that the release added or moved is an identifier, too, if it is spelled like one of the document's: whoever
    reads it does not ask where it stood in the original.
    """
    if len(before) * len(after) > _LONGEST:
        raise InputError("A document is too long to compare with its release.", "Split it before labelling.")
    left = np.zeros(len(after), np.bool_)
    added = np.ones(len(after), np.bool_)
    for tag, first, last, start, end in Indel.opcodes(before.words, after.words):
        if tag == "equal":
            left[start:end] = labels[first:last]
            added[start:end] = False
    known = {before.words[at].casefold() for at in np.flatnonzero(labels)}
    for at in np.flatnonzero(added):
        word = after.words[at].casefold()
        left[at] = len(word) > 1 and word.isalpha() and word in known
    return left


def attack_release(residues: Sequence[Residue], seed: int = 0, folds: int = FOLDS) -> list[Trial]:
    """Every part of the release attacked by one who has the labels of the other parts, by every learner and with
    several seeds. The first seeds are always among them: another `seed` adds attackers, and takes none away."""
    lexicon = FeatureLexicon()
    sentences = SentenceArrays.of((residue.tokens for residue in residues), lexicon)
    space = Space.build(sentences, lexicon.words)
    view = FeatureView(sentences, space, space.rows(lexicon.words))
    sensitive = np.concatenate([residue.sensitive for residue in residues])
    of_document = np.repeat(np.arange(len(residues)), [len(r.tokens.firsts) for r in residues])
    found = []
    for number in sorted({*range(SEEDS), seed}):
        for name, learner in SINGLE.items():
            attack = attack_view(view, sensitive, of_document, learner(number), number, folds)
            found.append(Trial(name, number, attack))
    return found


def worst(trials: Sequence[Trial], budget: int | None = None) -> tuple[Trial, int]:
    """The attacker that finds most within the budget, and the budget that it needs.

    Without a budget, each attacker's own budgets count. Among equal attackers the one that reads least is taken.
    """
    tried = [
        (-trial.attack.found(most), most, at)
        for at, trial in enumerate(trials)
        for most in ((min(budget, len(trial.attack.ranked)),) if budget else trial.attack.budgets)
    ]
    _, most, at = min(tried)
    return trials[at], most


def upper_share(trials: Sequence[Trial], budget: int | None, identifiers: Sequence[int]) -> float:
    """An upper bound on the share of identifiers that the best attacker finds in documents of this kind.

    It is the 97.5 percent quantile over resampled documents, with an allowance for other seeds than those tried, and at
    least 3/n for n identifiers in all: that share is possible even where none of n is found (the rule of three).
    `identifiers` has the number in each document.
    """
    totals = np.asarray(identifiers, np.float64)
    drawn = np.random.default_rng(0).multinomial(
        len(totals), np.full(len(totals), 1 / len(totals)), size=RESAMPLES
    )
    there = np.maximum(drawn @ totals, 1)
    highest = 3 / max(1.0, float(totals.sum()))
    by_learner: dict[str, list[float]] = {}
    for trial in trials:
        # More reading never finds less, so the largest budget is enough.
        most = budget or trial.attack.budgets[-1]
        read = trial.attack.documents[:most][trial.attack.ranked[:most]]
        found = np.bincount(read, minlength=len(totals)).astype(np.float64)
        share = float(np.quantile(drawn @ found / there, CONFIDENCE))
        by_learner.setdefault(trial.learner, []).append(share)
    return max([highest, *map(_with_other_seeds, by_learner.values())])


def _with_other_seeds(shares: Sequence[float]) -> float:
    """The largest share, or what another seed may find: three standard deviations more than the mean."""
    spread = float(np.std(shares, ddof=1)) if len(shares) > 1 else 0.0
    return max(*shares, min(1.0, float(np.mean(shares)) + SIGMAS * spread))


def attack_view(
    view: FeatureView,
    sensitive: Flags,
    of_document: NDArray[np.int64],
    attacker: Learner,
    seed: int = 0,
    folds: int = FOLDS,
) -> Attack:
    """The attack on texts that are features already; `of_document` has the document of each sentence."""
    part = parts(of_document, folds, seed)
    of_token = np.repeat(of_document, view.sentences.lengths)
    readings = []
    for number in range(int(part.max(initial=0)) + 1):
        known, inside = view.part(part != number)
        attacked, outside = view.part(part == number)
        classifier = attacker.fit(known, sensitive[inside], Costs())
        readings.append((_read(classifier, attacked), sensitive[outside], of_token[outside]))
    return _pooled(readings)


def joined(attacks: Iterable[Attack]) -> Attack:
    """Several parts, each attacked for itself, as one: first what was found in each, then the rest of each."""
    each = list(attacks)
    places = np.concatenate([_sort_keys(len(one.ranked), one.counts.positives) for one in each])
    ranked = np.concatenate([one.ranked for one in each])[np.argsort(places, kind="stable")]
    learners: list[str] = []
    total = Counts(0, 0, 0, 0)
    for one in each:
        learners.extend(one.learners)
        total = Counts(
            total.true_positives + one.counts.true_positives,
            total.false_positives + one.counts.false_positives,
            total.false_negatives + one.counts.false_negatives,
            total.true_negatives + one.counts.true_negatives,
        )
    return Attack(ranked, total, tuple(learners))


def _sort_keys(total: int, positives: int) -> Floats:
    first = np.arange(positives) / max(1, positives)
    return np.concatenate([first, 1 + np.arange(total - positives) / max(1, total - positives)])


def _read(classifier: Classifier, attacked: FeatureView) -> _ReleaseReading:
    scores = classifier.scores(attacked)
    found = scores >= 0
    order = np.empty(len(scores))
    order[np.argsort(scores, kind="stable")] = np.arange(len(scores)) / max(1, len(scores))
    return _ReleaseReading(
        np.where(attacked.sentences.marked, -1.0, found + order), found, classifier.learner
    )


def _pooled(readings: Sequence[tuple[_ReleaseReading, Flags, NDArray[np.int64]]]) -> Attack:
    priorities = np.concatenate([reading.priorities for reading, _, _ in readings])
    truth = np.concatenate([sensitive for _, sensitive, _ in readings])
    documents = np.concatenate([of_token for _, _, of_token in readings])
    found = np.concatenate([reading.found for reading, _, _ in readings])
    there = priorities >= 0
    order = np.argsort(-priorities[there], kind="stable")
    return Attack(
        (truth[there])[order],
        Counts.of(found, truth, there),
        tuple(reading.learner for reading, _, _ in readings),
        (documents[there])[order],
    )
