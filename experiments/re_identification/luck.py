"""How often a rank that is chosen afterwards is right by luck alone: ranks drawn uniformly between k and 2k.

python -m experiments.re_identification.luck [--texts 50] [--readers 7] [-k 10]
"""

from __future__ import annotations

import argparse

import numpy as np

_TRIALS = 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=50)
    parser.add_argument("--readers", type=int, default=7)
    parser.add_argument("-k", type=int, default=10)
    options = parser.parse_args()
    chance = np.random.default_rng(0)
    best = []
    for _ in range(_TRIALS):
        drawn = chance.integers(0, options.k + 1, (options.readers, options.texts))
        best.append(max(np.bincount(row).max() for row in drawn) / options.texts)
    low, high = np.quantile(best, [0.025, 0.975])
    print(
        f"beforehand {1 / (options.k + 1):.1%}; afterwards {np.mean(best):.1%}, 95 % of trials {low:.0%} to {high:.0%}"
    )


if __name__ == "__main__":
    main()
