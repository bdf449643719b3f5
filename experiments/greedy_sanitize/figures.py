"""One picture a figure: a panel for each data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path


def draw(
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]], across: str, up: str, path: Path
) -> None:
    from matplotlib.figure import Figure

    if not panels:
        return
    figure = Figure(figsize=(3.0 * len(panels), 2.9), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for axis, (dataset, series) in zip(axes, panels.items(), strict=True):
        for name, points in series.items():
            dashed = "--" if name == "one classifier" else "-"
            axis.plot(*zip(*points, strict=True), dashed, marker="o", markersize=3, linewidth=1.2, label=name)
        axis.set_xscale("log")
        axis.set_title(dataset, fontsize=9)
        axis.set_xlabel(across, fontsize=8)
        axis.tick_params(labelsize=7)
        axis.grid(alpha=0.25)
    axes[0].set_ylabel(up, fontsize=8)
    axes[-1].legend(fontsize=6)
    figure.savefig(path, dpi=90, metadata={"Software": None})
