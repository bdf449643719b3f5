"""Words to suppress against several readers, chosen one at a time: the most gain for the cost first.

Each step looks, for every reader, at the classes that are nearest to passing the true one, and takes the word that
closes most of the remaining gap for its cost. Words that prove needless are restored at the end.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from efface.solvers.confusability.panel import Flags, Panel
from efface.solvers.confusability.problem import Floats, Ints

_REFRESH = 4  # steps after which the nearest classes are chosen again
_TOGETHER = 6  # words taken at one look while much is lacking


def greedy(panel: Panel, kept: Flags | None = None, rivals: Ints | None = None) -> Flags | None:
    """Words that stay; None when the search ends without an answer. `rivals` fixes the columns to let pass."""
    state = _GreedyState(panel, np.ones(len(panel.sizes), bool) if kept is None else kept.copy())
    # Words that the objective wants gone cost next to nothing; words of no worth must have a cost above 0 too.
    prices = np.maximum(
        panel.costs, 1e-3 * max(1e-9, float(np.abs(panel.costs).mean()) if len(panel.costs) else 1.0)
    )
    columns = rivals
    for step in range(len(panel.sizes) + 1):
        if panel.holds(state.margins):
            return trimmed(panel, state.kept)
        if rivals is None and (columns is None or step % _REFRESH == 0):
            columns = panel.nearest(state.margins)
        assert columns is not None
        words = state.best(columns, prices)
        if not len(words):
            return None
        for word in words:
            state.drop(int(word))
    return None


class _GreedyState:
    """What is kept so far, the margins, and what each word that stays adds to them, its pairs included."""

    def __init__(self, panel: Panel, kept: Flags) -> None:
        self.panel = panel
        self.kept = kept
        self.margins = panel.margins(kept)
        self.effects = panel.gains.copy()
        alive = panel.alive(kept)
        self.pairs = panel.pairs_of_words  # of each word
        _add_pairs(self.effects[:, panel.pair_start :], panel, alive)
        self.alive = alive
        # Readers all of whose columns must pass: a word that stays is often what keeps them so.
        self.must = panel.needed == np.bincount(panel.reader, minlength=len(panel.needed))
        self.scale = self._scale()

    def _scale(self) -> Floats:
        """Returns a weight for each reader: one divided by what it lacks at first, so that readers with small numbers
        count as much as others. A reader that already passes has one divided by its lead. It may lose the lead on the
        way and regain it.
        """
        panel = self.panel
        near = panel.nearest(self.margins)
        missing = panel.grain - self.margins[near]
        apart = np.where(self.must[panel.reader[near]], np.abs(missing), np.maximum(missing, 0))
        sums = np.bincount(panel.reader[near], apart, minlength=len(panel.needed))
        return np.asarray(1.0 / np.maximum(sums, panel.grain))

    def best(self, columns: Ints, prices: Floats) -> Ints:
        """The words that close most of the gap for their cost, the best first; empty when no word helps."""
        missing = self.panel.grain - self.margins[columns]
        is_open = missing > 0
        if not is_open.any():
            return np.zeros(0, np.int64)
        watched = is_open | self.must[self.panel.reader[columns]]
        columns, missing = columns[watched], missing[watched]
        weights = self.scale[self.panel.reader[columns]]
        after = np.maximum(missing + self.effects[:, columns], 0)
        closed = (np.maximum(missing, 0) - after) @ weights
        bargains = np.where(self.kept, closed / prices, -np.inf)
        number = _TOGETHER if len(columns) > 40 else 1
        order = np.argsort(-bargains, kind="stable")[:number]
        return order[bargains[order] > max(0.0, 0.7 * float(bargains[order[0]]))]

    def drop(self, word: int) -> None:
        panel = self.panel
        self.kept[word] = False
        self.margins = self.margins - self.effects[word]
        for pair, other in self.pairs[word]:
            if not self.alive[pair]:
                continue
            self.alive[pair] = False
            if other not in (-1, word):
                self.effects[other, panel.pair_start :] -= panel.pair_gains[pair]


def trimmed(panel: Panel, kept: Flags, accepts: Callable[[Floats], bool] = lambda _margins: True) -> Flags:
    """Gives back needless removals, the most valuable first, except those that the objective wants.

    `accepts` tells from the margins whether the other conditions still hold.
    """
    kept = kept.copy()
    margins = panel.margins(kept)
    pairs = panel.pairs_of_words
    gone = np.flatnonzero(~kept & (panel.values >= 0))
    for word in gone[np.argsort(-panel.costs[gone], kind="stable")]:
        after = margins + panel.gains[word]
        revived = [pair for pair, other in pairs[word] if other in (-1, word) or kept[other]]
        if revived:
            after[panel.pair_start :] += panel.pair_gains[revived].sum(axis=0)
        if panel.holds(after) and accepts(after):
            kept[word], margins = True, after
    return kept


def _add_pairs(effects: Floats, panel: Panel, alive: Flags) -> None:
    """Add to the effects of each word those of its pairs that are alive."""
    for ends, others in ((panel.left, None), (panel.right, panel.left)):
        counted = alive & (ends >= 0)
        if others is not None:
            counted &= ends != others  # a pair of one word twice counts once
        np.add.at(effects, ends[counted], panel.pair_gains[counted])
