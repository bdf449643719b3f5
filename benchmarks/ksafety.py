"""The k-safety solvers side by side: python -m benchmarks.ksafety [--quick | --dense ENTITIES [--method M]]

Documents and entities are the paper's (experiments.erase.generator) unless a table says otherwise. All times are
processor seconds of one core, taken in this process; a ratio compares runs on the same documents.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Iterable, Sequence
from statistics import median

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from experiments.erase.generator import make_document, make_world
from experiments.erase.hitting_set import solve_by_hitting_sets
from numpy.typing import NDArray

from efface.core import Optimality
from efface.solvers.ksafety.bits import pack
from efface.solvers.ksafety.solve import Instance, Solution, is_safe, solve

SEED = 2008
LIMIT = 10.0  # seconds for a search


def timed(instance: Instance, k: int, method: str) -> tuple[Solution, float]:
    begun = time.process_time()
    solution = solve(instance, k, method, LIMIT)
    return solution, time.process_time() - begun


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    print(f"\n{title}\n")
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)
    for row in rows:
        cells = [f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in row]
        print("| " + " | ".join(cells) + " |", flush=True)


def documents(count: int, size: int, goodness: float, seed: int, scale: int = 1) -> list[Instance]:
    world = make_world(SEED, scale)
    random = np.random.default_rng([SEED, seed])
    return [make_document(world, size, goodness, random) for _ in range(count)]


def default_point(count: int) -> None:
    """The two promises: exact against btop-naive, and btop against btop-naive."""
    instances = documents(count, 50, 0.8, 1)
    runs = {
        method: [timed(instance, 11, method) for instance in instances]
        for method in ("btop-naive", "btop", "exact")
    }
    naive = median(seconds for _, seconds in runs["btop-naive"])
    rows = []
    for method, results in runs.items():
        times = [seconds for _, seconds in results]
        rows.append(
            (
                method,
                sum(len(solution.kept) for solution, _ in results) / count,
                sum(solution.optimality == Optimality.PROVED for solution, _ in results),
                median(times),
                median(times) / naive,
                max(times) / median(times),
            )
        )
    table(
        f"|D| = 50, K = 10, α = 0.8, {count} documents",
        ("method", "kept (mean)", "proved", "seconds (median)", "times btop-naive", "slowest / median"),
        rows,
    )
    same = sum(
        slow.removed == fast.removed
        for (slow, _), (fast, _) in zip(runs["btop-naive"], runs["btop"], strict=True)
    )
    print(f"\nbtop removes the same terms as btop-naive on {same} of {count} documents.")


def hard_cells(count: int) -> None:
    def rows() -> Iterable[Sequence[object]]:
        for goodness in (0.3, 0.4, 0.5, 0.6):
            for number, instance in enumerate(documents(count, 50, goodness, 2)):
                greedy = solve(instance, 31, "btop")
                solution, seconds = timed(instance, 31, "exact")
                gap = solution.cost - solution.lower_bound
                verdict = solution.optimality.value
                yield goodness, number, len(greedy.kept), len(solution.kept), gap, verdict, seconds

    table(
        "Hard cells: |D| = 50, K = 30, 10 s",
        ("α", "document", "btop keeps", "exact keeps", "gap", "", "seconds"),
        rows(),
    )


def small_crowds(names: int) -> None:
    """Small K, where the order of the terms once decided whether a plan was proved."""

    def rows() -> Iterable[Sequence[object]]:
        random = np.random.default_rng(SEED)
        for others in (2, 3):
            for number, instance in enumerate(documents(8, 50, 0.8, 3)):
                found = []
                for _ in range(names):
                    called = [f"term{place:04}" for place in random.permutation(len(instance.terms))]
                    counts = instance.counts, instance.protected
                    renamed = Instance.from_signatures(called, instance.signatures, *counts)
                    found.append(timed(renamed, others + 1, "exact"))
                proved = sum(solution.optimality is Optimality.PROVED for solution, _ in found)
                yield others, number, f"{proved} of {names}", max(seconds for _, seconds in found)

    table(
        f"Small K: |D| = 50, α = 0.8, 10 s, each document with {names} ways to call its terms",
        ("K", "document", "proved", "longest, seconds"),
        rows(),
    )


def growth(count: int) -> None:
    """How exact and btop grow with each parameter."""
    points = [
        *((size, 10, 0.8, 1) for size in (5, 10, 20, 30, 40, 50, 60)),
        *((size, 10, 0.8, size // 50) for size in (100, 150, 200)),
        *((50, others, 0.8, 1) for others in (1, 5, 20, 30)),
        *((50, 10, goodness, 1) for goodness in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 1.0)),
    ]

    def rows() -> Iterable[Sequence[object]]:
        for size, others, goodness, scale in points:
            instances = documents(count, size, goodness, 3, scale)
            found = [timed(instance, others + 1, "exact") for instance in instances]
            greedy = [timed(instance, others + 1, "btop") for instance in instances]
            yield (
                size,
                others,
                goodness,
                scale,
                sum(len(solution.kept) for solution, _ in greedy) / count,
                sum(len(solution.kept) for solution, _ in found) / count,
                sum(solution.cost - solution.lower_bound for solution, _ in found) / count,
                median(seconds for _, seconds in greedy),
                median(seconds for _, seconds in found),
            )

    table(
        f"Growth ({count} documents a row; beyond |D| = 60 the universe and the base sets are larger by `scale`)",
        ("|D|", "K", "α", "scale", "btop keeps", "exact keeps", "gap", "btop s", "exact s"),
        rows(),
    )


def sparse(entities: int, seed: int) -> tuple[list[str], NDArray[np.uint64], NDArray[np.bool_], int]:
    """Real-life contexts: 15 of 20,000 terms each, some far more common than others, 5 % protected; a document of 30
    terms from three protected contexts. Terms, signatures of those that match, their flags, and how many do not."""
    random = np.random.default_rng([SEED, seed])
    popular = np.cumsum(1 / np.arange(1, 20_001) ** 0.9)
    popular /= popular[-1]
    about = np.searchsorted(popular, random.random((3, 15)))
    words = np.unique(about)[-30:]
    place = np.full(20_000, -1)
    place[words] = np.arange(len(words))
    signatures, protected, unmatched = [], [], 0
    for start in range(0, entities, 200_000):
        contexts = np.searchsorted(popular, random.random((min(200_000, entities - start), 15)))
        if not start:
            contexts[:3] = about
        held = place[contexts]
        bits = np.where(held < 0, 0, np.left_shift(1, np.maximum(held, 0))).astype(np.uint64)
        rows = np.bitwise_or.reduce(bits, axis=1)
        secret = random.random(len(rows)) < 0.05
        secret[:3] |= not start
        signatures.append(rows[rows != 0])
        protected.append(secret[rows != 0])
        unmatched += int((rows == 0).sum())
    names = [f"word{word:05}" for word in words]
    return names, np.concatenate(signatures)[:, None], np.concatenate(protected), unmatched


def many_entities(quick: bool) -> None:
    def rows() -> Iterable[Sequence[object]]:
        for entities in (3_000, 30_000, 300_000, 1_000_000, 3_000_000)[: 3 if quick else None]:
            names, signatures, protected, unmatched = sparse(entities, 4)
            begun = time.process_time()
            instance = Instance.from_signatures(
                names, signatures, np.ones(len(protected)), protected, unmatched
            )
            built = time.process_time() - begun
            greedy, hasty = timed(instance, 10, "btop")
            solution, seconds = timed(instance, 10, "auto")
            assert is_safe(instance, solution.kept, 10)
            yield (
                f"{entities:,}",
                f"{len(protected):,}",
                f"{len(instance.counts):,}",
                built,
                hasty,
                seconds,
                len(greedy.removed),
                len(solution.removed),
                solution.optimality.value,
            )

    table(
        "Entities with sparse contexts, a document of 30 terms, k = 10",
        ("entities", "match", "groups", "build s", "btop s", "auto s", "btop removes", "auto removes", ""),
        rows(),
    )


def dense(entities: int, seed: int) -> Instance:
    """The paper's world at another size: as many entities a base set as it takes, 15 % of all protected, and a
    document of 50 terms with α = 0.8. Contexts are made a base set at a time, as bits."""
    random = np.random.default_rng([SEED, seed])
    bases = [random.choice(200, 50, replace=False) for _ in range(100)]
    inside = bases[int(random.integers(100))]
    outside = np.setdiff1d(np.arange(200), inside)
    words = np.concatenate([random.permutation(inside)[:40], random.permutation(outside)[:10]])
    rows = []
    for base in bases:
        others = np.setdiff1d(np.arange(200), base)
        held = np.zeros((entities // 100, 200), dtype=np.bool_)
        held[:, base] = True
        more = random.random((len(held), 150)).argsort(axis=1)[:, :50]
        held[np.arange(len(held))[:, None], others[more]] = True
        rows.append(pack(held[:, words]))
    signatures = np.concatenate(rows)
    protected = random.permutation(len(signatures)) < 0.15 * len(signatures)
    names = [f"term{word:04}" for word in words]
    return Instance.from_signatures(names, signatures, np.ones(len(signatures)), protected)


def memory(entities: int, method: str) -> None:
    """The most memory that this process held, over one document."""
    instance = dense(entities, 6)
    solution, seconds = timed(instance, 11, method)
    assert is_safe(instance, solution.kept, 11) if entities <= 30_000 else True
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    table(
        "Dense entities, 15 % protected, |D| = 50, K = 10, α = 0.8",
        ("entities", "method", "kept", "", "seconds", "peak GiB"),
        [(f"{entities:,}", method, len(solution.kept), solution.optimality.value, seconds, peak)],
    )


def against_hitting_sets(count: int) -> None:
    """The other way to prove an optimum: hitting sets found lazily and solved by HiGHS."""

    def rows() -> Iterable[Sequence[object]]:
        for others, goodness in ((10, 0.8), (30, 0.8), (30, 0.5)):
            for instance in documents(count, 50, goodness, 5):
                solution, seconds = timed(instance, others + 1, "exact")
                begun = time.process_time()
                least, cost = solve_by_hitting_sets(instance, others + 1, LIMIT)
                other = time.process_time() - begun
                yield (
                    others,
                    goodness,
                    solution.cost,
                    solution.lower_bound,
                    seconds,
                    cost,
                    least,
                    other,
                    other / seconds,
                )

    table(
        "exact against lazily generated hitting sets (HiGHS), |D| = 50, 10 s",
        ("K", "α", "exact", "at least", "s", "hitting sets", "at least", "s", "times exact"),
        rows(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ksafety", description="The k-safety solvers.")
    parser.add_argument("--quick", action="store_true", help="fewer documents")
    parser.add_argument("--dense", type=int, metavar="ENTITIES", help="only the peak memory of one document")
    parser.add_argument("--method", default="btop", help="for --dense")
    options = parser.parse_args()
    if options.dense:
        memory(options.dense, options.method)
        return
    quick = options.quick
    small_crowds(1 if quick else 3)
    default_point(5 if quick else 20)
    hard_cells(1 if quick else 5)
    against_hitting_sets(1 if quick else 3)
    growth(1 if quick else 3)
    many_entities(quick)


if __name__ == "__main__":
    main()
