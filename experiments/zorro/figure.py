"""Figures 4 to 7 as one picture: processor time and denied entities left, efface beside the paper's algorithm."""

from __future__ import annotations

import csv
from pathlib import Path

AXES = {
    "figure4": "k",
    "figure5": "entities",
    "figure6": "values in a document",
    "figure7": "entities in a document",
}
_COLOURS = {"efface": "#1f618d", "paper": "#b03a2e"}


def _short(x: str) -> str:
    """25000 as 25k, so that names do not run into each other."""
    return f"{int(x) // 1000}k" if x.isdigit() and int(x) >= 1000 else x


def draw(folder: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    if not all((folder / f"{name}.csv").exists() for name in AXES):
        return
    picture, axes = plt.subplots(2, len(AXES), figsize=(3.2 * len(AXES), 5.4), sharex="col")
    for column, (name, label) in enumerate(AXES.items()):
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for method, colour in _COLOURS.items():
            mine = [row for row in rows if row["method"] == method]
            names = [_short(row["x"]) for row in mine]
            for line, what in enumerate(("processor_ms", "terms_removed")):
                values = [float(row[what]) for row in mine]
                axes[line][column].plot(names, values, marker="o", color=colour, label=method)
                axes[line][column].grid(alpha=0.25)
        axes[0][column].set_title(f"Figure {name[-1]}")
        axes[0][column].set_yscale("log")
        axes[1][column].set_xlabel(label)
    axes[0][0].set_ylabel("processor time, ms a document")
    axes[1][0].set_ylabel("terms removed")
    axes[0][0].legend(fontsize=8)
    picture.tight_layout()
    picture.savefig(folder / "figures.png", dpi=100, metadata={"Software": None})
    plt.close(picture)
