"""An exact search for the heaviest safe set, by windows.

The open terms are cut into windows so small that every subset of one can be judged at once (`lattice`). What a
safe set keeps of each window is safe, so the windows' own optima add up to an upper bound; it is far
sharper than the linear relaxation when dangerous sets are large.

The search lowers one window's quota at a time. When the quota of window w falls from q to q', the safe sets
not yet covered that keep more than q' of w become open: one node for each safe subset S of w with a weight
in (q', q], in which w keeps exactly S and no other window exceeds its present quota. Thus every safe set is
covered once, and the sum of the quotas bounds all that are not. A node (kept, wanted) keeps
`kept` and may add terms of `wanted`, each of which is safe beside `kept`. Nodes are opened best bound
first, so the largest bound left is at all times a proof.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from efface.solvers import lattice
from efface.solvers.bits import Columns, Ints, columns, matrix_of
from efface.solvers.lattice import Family
from efface.solvers.pruning import Flags, Problem
from efface.solvers.safety import UNKNOWN, Safety

Weights = NDArray[np.float64]

CHUNK = 256
CHECKED = -2  # instead of the last term: all wanted terms are known to be compatible


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Some terms, and every safe subset of them."""

    terms: tuple[int, ...]
    shares: Ints  # the rivals' contexts restricted to the window, as numbers
    protected: Ints
    family: Family  # the subsets that are not safe
    best: NDArray[np.uint8] | Weights  # the heaviest safe subset of every subset
    optimum: float


def open_window(problem: Problem, terms: Sequence[int], weights: Weights) -> Window:
    """Judge all subsets of `terms`. `weights` are all 1 where every term costs the same."""
    width = max(len(terms), lattice.SMALLEST)
    power = 1 << np.arange(len(terms), dtype=np.int64)
    shares = problem.rivals[:, terms] @ power
    protected = np.unique(problem.protected[:, terms] @ power)
    family = lattice.dangerous(shares, problem.counts, protected, width, problem.k)
    padded = np.zeros(width)
    padded[: len(terms)] = weights[list(terms)]
    safe = lattice.outside(family)
    if (weights == 1).all():
        best: NDArray[np.uint8] | Weights = lattice.heaviest(safe, padded.astype(np.uint8))
    else:
        best = lattice.heaviest(safe, padded)
    return Window(tuple(terms), shares, protected, family, best, float(best[-1]))


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Some nodes, a column each. `cap` is the row of quotas that held when the node's core was opened."""

    kept: Columns
    wanted: Columns
    last: Ints
    cap: Ints
    weight: Weights

    def __len__(self) -> int:
        return len(self.last)

    def take(self, which: Flags | slice) -> Nodes:
        return Nodes(
            self.kept[:, which], self.wanted[:, which], self.last[which], self.cap[which], self.weight[which]
        )


def join(parts: Sequence[Nodes]) -> Nodes:
    return Nodes(
        np.concatenate([part.kept for part in parts], axis=1),
        np.concatenate([part.wanted for part in parts], axis=1),
        np.concatenate([part.last for part in parts]),
        np.concatenate([part.cap for part in parts]),
        np.concatenate([part.weight for part in parts]),
    )


@dataclass(slots=True)
class Frontier:
    """The open nodes in buckets of nearly equal bound."""

    step: float
    buckets: dict[int, list[Nodes]] = field(default_factory=dict)

    def push(self, nodes: Nodes, bound: Weights, floor: float) -> None:
        """Add the nodes whose bound is above `floor`."""
        level = np.ceil(bound / self.step - 1e-6).astype(np.int64)
        level[bound <= floor] = -1
        for value in np.unique(level[level >= 0]):
            self.buckets.setdefault(int(value), []).append(nodes.take(level == value))

    @property
    def top(self) -> int:
        return max(self.buckets, default=-1)

    def pop(self, level: int) -> Nodes:
        """At most a chunk of nodes of this level."""
        stack, taken, room = self.buckets[level], [], CHUNK
        while stack and room:
            nodes = stack.pop()
            if len(nodes) > room:
                stack.append(nodes.take(slice(room, None)))
                nodes = nodes.take(slice(0, room))
            taken.append(nodes)
            room -= len(nodes)
        if not stack:
            del self.buckets[level]
        return join(taken)


class Search:
    """The state of one search; `run` until the bound meets the plan or the time is over."""

    def __init__(self, problem: Problem, windows: Sequence[Window], weights: Weights, kept: Flags) -> None:
        self.problem, self.windows, self.weights = problem, windows, weights
        self.parts = [window.terms for window in windows]
        self.safety = Safety.of(problem, self.parts)
        self.best = float(weights[kept].sum())
        self.plan = columns(kept[None, :], self.parts)[:, 0]
        self.quotas = [window.optimum for window in windows]
        self.frontier = Frontier(1.0 if (weights == 1).all() else float(weights.sum()) / 256)
        self.tolerance = 1e-9 * float(weights.sum())
        self.caps: list[list[float]] = []
        self.queues = [self._queue(place) for place in range(len(windows))]
        self.next = [0] * len(windows)
        self.given: dict[int, list[tuple[int, np.uint32, Family]]] = {}
        self.looked = 0

    def _queue(self, place: int) -> tuple[NDArray[np.uint32], Weights]:
        """The safe subsets of a window that a better plan could keep, heaviest first."""
        window = self.windows[place]
        least = self.best - sum(self.quotas) + window.optimum
        subsets = np.flatnonzero(lattice.outside(window.family)[: 1 << len(window.terms)]).astype(np.uint32)
        weight = np.zeros(len(subsets))
        for bit, term in enumerate(window.terms):
            weight += ((subsets >> np.uint32(bit)) & np.uint32(1)) * self.weights[term]
        subsets, weight = subsets[weight > least], weight[weight > least]
        order = np.argsort(-weight, kind="stable")
        return subsets[order], weight[order]

    def run(self, deadline: float, budget: int | None) -> float:
        """Search; the answer is an upper bound on every safe set, and `kept` the heaviest found.
        `budget` limits the nodes looked at."""
        while (bound := self._bound()) > self.best + self.tolerance:
            if time.monotonic() > deadline or (budget is not None and self.looked > budget):
                return bound
            if self.frontier.top * self.frontier.step < sum(self.quotas):
                self._lower()
            else:
                self._expand(self.frontier.top)
        return self.best

    @property
    def kept(self) -> Flags:
        kept: Flags = matrix_of(self.plan[:, None], self.parts)[0]
        return kept

    def _bound(self) -> float:
        return max(self.best, sum(self.quotas), self.frontier.top * self.frontier.step)

    # -- quotas ---------------------------------------------------------------------------------------------

    def _lower(self) -> None:
        """Lower the quota that opens the fewest nodes for the weight it sheds, and open them."""
        place = min(range(len(self.windows)), key=self._price)
        stop, quota = self._batch(place)
        subsets, weight = (part[self.next[place] : stop] for part in self.queues[place])
        self.next[place] = stop
        self.quotas[place] = quota
        if not len(subsets):
            return
        kept = np.zeros((len(self.windows), len(subsets)), dtype=np.uint32)
        kept[place] = subsets
        caps = [*self.quotas]
        caps[place] = 0.0
        self.caps.append(caps)
        wanted, last = self._wanted(place, subsets)
        nodes = Nodes(kept, wanted, last, np.full(len(subsets), len(self.caps) - 1), weight)
        self._improve(kept, weight)
        self.frontier.push(nodes, self._bounds(nodes), self.best + self.tolerance)

    def _batch(self, place: int) -> tuple[int, float]:
        """Where the next batch of a window's queue ends, and the quota that then remains."""
        weight = self.queues[place][1]
        start = self.next[place]
        if start >= len(weight):
            return start, 0.0
        stop = start + 1 if self.frontier.step == 1.0 else min(start + CHUNK, len(weight))
        stop = int(np.searchsorted(-weight, -weight[stop - 1] + self.tolerance, side="right"))
        return stop, float(weight[stop]) if stop < len(weight) else 0.0

    def _price(self, place: int) -> tuple[float, int]:
        stop, quota = self._batch(place)
        shed = self.quotas[place] - quota
        return ((stop - self.next[place]) / shed if shed > 0 else np.inf, place)

    def _wanted(self, place: int, subsets: NDArray[np.uint32]) -> tuple[Columns, Ints]:
        """What may join the subsets of a window: all terms of the others, or those known to be compatible."""
        wanted = np.zeros((len(self.windows), len(subsets)), dtype=np.uint32)
        if len(subsets) < 64 + len(self.windows[place].best) // 512 and place not in self.given:
            for other, window in enumerate(self.windows):
                wanted[other] = (1 << len(window.terms)) - 1 if other != place else 0
            return wanted, np.full(len(subsets), UNKNOWN)
        for other, bit, family in self._given(place):
            wanted[other][~lattice.contains(family, subsets)] |= bit
        return wanted, np.full(len(subsets), CHECKED)

    def _given(self, place: int) -> list[tuple[int, np.uint32, Family]]:
        """For each term outside the window the subsets of the window that are not safe beside it."""
        if place not in self.given:
            window, answer = self.windows[place], []
            width = max(len(window.terms), lattice.SMALLEST)
            power = 1 << np.arange(len(window.terms), dtype=np.int64)
            protected = self.problem.protected[:, window.terms] @ power
            for other, outer in enumerate(self.windows):
                for bit, term in enumerate(outer.terms if other != place else ()):
                    rival, secret = self.problem.rivals[:, term], self.problem.protected[:, term]
                    family = lattice.dangerous(
                        window.shares[rival], self.problem.counts[rival], protected[secret], width,
                        self.problem.k,
                    )
                    answer.append((other, np.uint32(1 << bit), family))
            self.given[place] = answer
        return self.given[place]

    # -- nodes ----------------------------------------------------------------------------------------------

    def _bounds(self, nodes: Nodes) -> Weights:
        caps = np.array(self.caps)[nodes.cap]
        bound = nodes.weight.copy()
        for place, window in enumerate(self.windows):
            bound += np.minimum(window.best[nodes.wanted[place]], caps[:, place])
        return bound

    def _expand(self, level: int) -> None:
        nodes = self.frontier.pop(level)
        self.looked += len(nodes)
        floor = self.best + self.tolerance
        unsure = nodes.last != CHECKED
        if unsure.any():
            sure, asked = nodes.take(~unsure), nodes.take(unsure)
            wanted = self.safety.compatible(asked.kept, asked.wanted, asked.last)
            done = np.full(len(asked), CHECKED)
            nodes = join([sure, Nodes(asked.kept, wanted, done, asked.cap, asked.weight)])
        bound = self._bounds(nodes)
        worth = np.ceil(bound / self.frontier.step - 1e-6) >= level
        self.frontier.push(nodes.take(~worth), bound[~worth], floor)
        nodes = nodes.take(worth)
        if len(nodes):
            self._branch(nodes)

    def _branch(self, nodes: Nodes) -> None:
        """One wanted term joins, or leaves for good; it is taken from the window that wants fewest."""
        nodes = nodes.take((nodes.wanted != 0).any(axis=0))
        every = np.arange(len(nodes))
        wanting = np.bitwise_count(nodes.wanted).astype(np.int64)
        wanting[wanting == 0] = 33
        place = wanting.argmin(axis=0)
        share = nodes.wanted[place, every]
        lowest = share & (~share + np.uint32(1))
        rest = nodes.wanted.copy()
        rest[place, every] ^= lowest
        kept = nodes.kept.copy()
        kept[place, every] |= lowest
        starts = np.cumsum([0] + [len(part) for part in self.parts])
        term = starts[place] + np.bitwise_count(lowest - np.uint32(1)).astype(np.int64)
        order = np.array([term for part in self.parts for term in part])
        weight = nodes.weight + self.weights[order[term]]
        self._improve(kept, weight)
        without = Nodes(nodes.kept, rest, nodes.last, nodes.cap, nodes.weight)
        with_it = Nodes(kept, rest, term, nodes.cap, weight)
        floor = self.best + self.tolerance
        self.frontier.push(without, self._bounds(without), floor)
        self.frontier.push(with_it, self._bounds(with_it), floor)

    def _improve(self, kept: Columns, weight: Weights) -> None:
        if len(weight) and weight.max() > self.best + self.tolerance:
            self.best, self.plan = float(weight.max()), kept[:, int(weight.argmax())].copy()
