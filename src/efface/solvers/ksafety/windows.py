"""An exact search for the heaviest safe set, by windows.

The open terms are cut into windows so small that every subset of one can be judged at once (`lattice`). What a
safe set keeps of each window is safe, so the windows' own optima add up to an upper bound; where dangerous
sets are large it is far sharper than the linear relaxation of the hitting set.

The search lowers one window's quota at a time. When the quota of window w falls from q to q', the safe sets
not yet covered that keep more than q' of w are opened: one node for each safe subset S of w with a weight
in (q', q], in which w keeps exactly S and no other window exceeds its present quota. Thus every safe set is
covered once, and the sum of the quotas bounds all that are not covered. A node (kept, wanted) keeps
`kept` and may add terms of `wanted`, each of which is safe beside `kept`. Nodes are taken best bound
first, so the largest bound left is at all times a proof.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from efface.solvers.ksafety import lattice
from efface.solvers.ksafety.bits import Columns, Ints, columns, matrix_of
from efface.solvers.ksafety.lattice import Family
from efface.solvers.ksafety.pruning import Flags, ReducedProblem, Weights
from efface.solvers.ksafety.safety import UNKNOWN, Safety

CHUNK = 256  # nodes looked at together
MOST_NODES = 8_000_000  # nodes kept open at most
_MORE_THAN_A_WINDOW = 33  # a window has at most 32 terms
CHECKED = -2  # instead of the last term: all wanted terms are known to be compatible


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Some terms, which subsets of them are not safe, and the heaviest safe subset of every subset."""

    terms: tuple[int, ...]
    unsafe: Family
    best: NDArray[np.uint8] | Weights

    @property
    def optimum(self) -> float:
        return float(self.best[-1])


def judge(problem: ReducedProblem, terms: Sequence[int], beside: int | None = None) -> Family:
    """The subsets of a window that are not safe, or not safe beside a kept term outside it."""
    rivals, counts, protected = problem.rivals, problem.counts, problem.protected
    if beside is not None:
        holding = rivals[:, beside]
        rivals, counts, protected = rivals[holding], counts[holding], protected[protected[:, beside]]
    power = 1 << np.arange(len(terms), dtype=np.int64)
    width = max(len(terms), lattice.SMALLEST)
    shown = np.unique(protected[:, terms] @ power)
    return lattice.dangerous(rivals[:, terms] @ power, counts, shown, width, problem.k)


def optimum(unsafe: Family, weights: Weights) -> float:
    """The weight of the heaviest safe subset, `weights` being those of the window's terms."""
    safe = lattice.outside(unsafe)[: 1 << len(weights)]
    return float((lattice.subset_weights(weights) * safe).max())


def open_window(problem: ReducedProblem, terms: Sequence[int], weights: Weights) -> Window:
    """Judge all subsets of `terms`. `weights` are all 1 where every term costs the same."""
    unsafe = judge(problem, terms)
    padded = np.zeros(max(len(terms), lattice.SMALLEST))
    padded[: len(terms)] = weights[list(terms)]
    safe = lattice.outside(unsafe)
    if (weights == 1).all():
        return Window(tuple(terms), unsafe, lattice.heaviest(safe, padded.astype(np.uint8)))
    return Window(tuple(terms), unsafe, lattice.heaviest(safe, padded))


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Some nodes, a column each. `cap` is the row of quotas that held when the node's subset was opened."""

    kept: Columns
    wanted: Columns
    last: Ints  # the term that joined `kept` last, or UNKNOWN, or CHECKED
    cap: Ints
    weight: Weights

    def __len__(self) -> int:
        return len(self.last)

    def take(self, which: Flags | slice) -> Nodes:
        return Nodes(
            self.kept[:, which], self.wanted[:, which], self.last[which], self.cap[which], self.weight[which]
        )


def _lowest_bit(sets: Columns) -> Columns:
    """Returns each set with only its term of the lowest number."""
    return sets & (~sets + np.uint32(1))


def _join(parts: Sequence[Nodes]) -> Nodes:
    kept = np.concatenate([part.kept for part in parts], axis=1)
    wanted = np.concatenate([part.wanted for part in parts], axis=1)
    last = np.concatenate([part.last for part in parts])
    cap = np.concatenate([part.cap for part in parts])
    weight = np.concatenate([part.weight for part in parts])
    return Nodes(kept, wanted, last, cap, weight)


@dataclass(slots=True)
class _Frontier:
    """The open nodes in buckets of nearly equal bound: bucket b holds bounds up to b times `step`."""

    step: float
    buckets: dict[int, list[Nodes]] = field(default_factory=dict)
    size: int = 0

    def level(self, bound: Weights) -> Ints:
        return np.ceil(bound / self.step - 1e-6).astype(np.int64)

    def push(self, nodes: Nodes, bound: Weights, floor: float) -> None:
        """Add the nodes whose bound is above `floor`."""
        level = np.where(bound > floor, self.level(bound), -1)
        for value in np.unique(level[level >= 0]):
            self.buckets.setdefault(int(value), []).append(nodes.take(level == value))
        self.size += int((level >= 0).sum())

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
        self.size -= CHUNK - room
        return _join(taken)


class WindowSearch:
    """One search: `run` it until the bound meets the plan, or for as long as there is time."""

    def __init__(
        self, problem: ReducedProblem, windows: Sequence[Window], weights: Weights, kept: Flags
    ) -> None:
        self.problem, self.windows, self.weights = problem, windows, weights
        self.parts = [window.terms for window in windows]
        self.order = np.array([term for part in self.parts for term in part])
        self.safety = Safety.of(problem, self.parts)
        self.best, self.plan = float(weights[kept].sum()), columns(kept[None, :], self.parts)[:, 0]
        self.tolerance = 1e-9 * float(weights.sum())
        self.alike = bool((weights == 1).all())
        self.frontier = _Frontier(1.0 if self.alike else float(weights.sum()) / 256)
        self.looked = 0  # nodes so far
        self.caps: list[list[float]] = []
        self.quotas = [window.optimum for window in windows]
        self.queues = [self._queue(place) for place in range(len(windows))]
        self.opened = [0] * len(windows)  # of each queue
        self.beside: dict[int, list[tuple[int, np.uint32, Family]]] = {}

    def _queue(self, place: int) -> tuple[NDArray[np.uint32], Weights]:
        """The safe subsets of a window that a better plan could keep, heaviest first."""
        window = self.windows[place]
        least = self.best - sum(self.quotas) + window.optimum
        subsets = np.flatnonzero(lattice.outside(window.unsafe)[: 1 << len(window.terms)]).astype(np.uint32)
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
            spent = budget is not None and self.looked > budget
            if spent or time.thread_time() > deadline or self.frontier.size > MOST_NODES:
                return bound
            if self.frontier.top * self.frontier.step < sum(self.quotas):
                self._lower()
            else:
                self._expand(self.frontier.top)
        return self.best

    def adopt(self, kept: Flags) -> None:
        """Begin from another plan, if it is better."""
        self._improve(columns(kept[None, :], self.parts), self.weights[kept].sum(keepdims=True))

    @property
    def kept(self) -> Flags:
        kept: Flags = matrix_of(self.plan[:, None], self.parts)[0]
        return kept

    def _bound(self) -> float:
        return max(self.best, sum(self.quotas), self.frontier.top * self.frontier.step)

    def _improve(self, kept: Columns, weight: Weights) -> None:
        if len(weight) and weight.max() > self.best + self.tolerance:
            self.best, self.plan = float(weight.max()), kept[:, int(weight.argmax())].copy()

    # Quotas

    def _lower(self) -> None:
        """Lower the quota that opens the fewest subsets for the weight it sheds, and open them."""
        place = min(range(len(self.windows)), key=self._price)
        stop, quota = self._batch(place)
        batch = slice(self.opened[place], stop)
        subsets, weight = self.queues[place][0][batch], self.queues[place][1][batch]
        self.opened[place], self.quotas[place] = stop, quota
        if not len(subsets):
            return
        kept = np.zeros((len(self.windows), len(subsets)), dtype=np.uint32)
        kept[place] = subsets
        self.caps.append([0.0 if other == place else quota for other, quota in enumerate(self.quotas)])
        wanted, last = self._wanted(place, subsets)
        nodes = Nodes(kept, wanted, last, np.full(len(subsets), len(self.caps) - 1), weight)
        self._improve(kept, weight)
        self.frontier.push(nodes, self._bounds(nodes), self.best + self.tolerance)

    def _batch(self, place: int) -> tuple[int, float]:
        """Where the next batch of a window's queue ends, and the quota that then remains."""
        weight = self.queues[place][1]
        start = self.opened[place]
        if start >= len(weight):
            return start, 0.0
        stop = start + 1 if self.alike else min(start + CHUNK, len(weight))
        stop = int(np.searchsorted(-weight, -weight[stop - 1] + self.tolerance, side="right"))
        return stop, float(weight[stop]) if stop < len(weight) else 0.0

    def _price(self, place: int) -> tuple[float, int]:
        stop, quota = self._batch(place)
        shed = self.quotas[place] - quota
        return (stop - self.opened[place]) / shed if shed > 0 else np.inf, place

    def _wanted(self, place: int, subsets: NDArray[np.uint32]) -> tuple[Columns, Ints]:
        """What may join subsets of a window. For many of them it pays to judge the window beside every other
        term; for a few, all terms are wanted and will be checked with the node."""
        wanted = np.zeros((len(self.windows), len(subsets)), dtype=np.uint32)
        if len(subsets) < 64 + len(self.windows[place].best) // 512 and place not in self.beside:
            for other, window in enumerate(self.windows):
                wanted[other] = (1 << len(window.terms)) - 1 if other != place else 0
            return wanted, np.full(len(subsets), UNKNOWN)
        if place not in self.beside:
            self.beside[place] = [
                (other, np.uint32(1 << bit), judge(self.problem, self.parts[place], beside=term))
                for other, window in enumerate(self.windows)
                if other != place
                for bit, term in enumerate(window.terms)
            ]
        for other, bit, unsafe in self.beside[place]:
            wanted[other][~lattice.contains(unsafe, subsets)] |= bit
        return wanted, np.full(len(subsets), CHECKED)

    # Nodes

    def _bounds(self, nodes: Nodes) -> Weights:
        caps = np.array(self.caps)[nodes.cap]
        bound = nodes.weight.copy()
        for place, window in enumerate(self.windows):
            bound += np.minimum(window.best[nodes.wanted[place]], caps[:, place])
        return bound

    def _expand(self, level: int) -> None:
        """Checks the wishes of some nodes. Nodes whose bound is still as high branch; the others go back to their
        buckets."""
        nodes = self.frontier.pop(level)
        self.looked += len(nodes)
        unsure = nodes.last != CHECKED
        if unsure.any():
            asked = nodes.take(unsure)
            wanted = self.safety.compatible(asked.kept, asked.wanted, asked.last)
            checked = Nodes(asked.kept, wanted, np.full(len(asked), CHECKED), asked.cap, asked.weight)
            nodes = _join([nodes.take(~unsure), checked])
        bound = self._bounds(nodes)
        worth = self.frontier.level(bound) >= level
        self.frontier.push(nodes.take(~worth), bound[~worth], self.best + self.tolerance)
        self._branch(nodes.take(worth & (nodes.wanted != 0).any(axis=0)))

    def _branch(self, nodes: Nodes) -> None:
        """One wanted term joins, or leaves for good; it is taken from the window that wants fewest."""
        every = np.arange(len(nodes))
        wanting = np.bitwise_count(nodes.wanted)
        place = np.where(wanting == 0, _MORE_THAN_A_WINDOW, wanting).argmin(axis=0)
        lowest = _lowest_bit(nodes.wanted[place, every])
        rest, kept = nodes.wanted.copy(), nodes.kept.copy()
        rest[place, every] ^= lowest
        kept[place, every] |= lowest
        starts = np.cumsum([0] + [len(part) for part in self.parts])
        bits_below = np.bitwise_count(
            lowest - np.uint32(1)
        )  # so many terms of the window are before this one
        term = starts[place] + bits_below
        weight = nodes.weight + self.weights[self.order[term]]
        self._improve(kept, weight)
        for child in (
            Nodes(nodes.kept, rest, nodes.last, nodes.cap, nodes.weight),
            Nodes(kept, rest, term, nodes.cap, weight),
        ):
            self.frontier.push(child, self._bounds(child), self.best + self.tolerance)
