"""Figure 3: class error and category accuracy against guesses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

Curves = Mapping[int, tuple[list[float], list[float]]]  # for each k: class error, category accuracy


def draw(curves: Curves, title: str, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(curves), figsize=(3.4 * len(curves), 3.2), sharey=True)
    for axis, (k, (error, accuracy)) in zip(axes, curves.items(), strict=True):
        guesses = range(1, len(error) + 1)
        axis.plot(guesses, error, marker="o", color="#b03a2e", label="class: error")
        axis.plot(guesses, accuracy, marker="s", color="#1f618d", label="category: accuracy")
        axis.axvline(k - 0.5, color="0.6", linestyle=":", linewidth=1)
        axis.set_title(f"k = {k}")
        axis.set_xlabel("guesses")
        axis.set_ylim(-0.03, 1.03)
        axis.set_xticks(guesses)
        axis.grid(alpha=0.25)
    axes[0].set_ylabel("share of documents")
    axes[-1].legend(loc="center right", fontsize=8)
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)
