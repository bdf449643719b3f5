"""The rows of the paper's Tables 1 and 3, with its figures (precision, recall, F-measure in percent)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One instantiation. `paper` is None where the paper has no such row."""

    general: str | None
    max_group: int
    probability: str
    paper: tuple[float, float, float] | None = None


HIV = (
    Row(None, 1, "standard", (100, 23.8, 38.4)),
    Row(None, 2, "standard", (65.5, 90.5, 76)),
    Row(None, 3, "standard"),
    Row("virus", 1, "standard", (88.9, 38.1, 53.3)),
    Row("virus", 1, "contextual", (84.2, 76.2, 80)),
    Row("virus", 1, "joint"),
    Row("virus", 1, "scoped"),
    Row("virus", 2, "standard", (61.3, 100, 76)),
    Row("virus", 2, "contextual", (67.7, 100, 80.7)),
    Row("virus", 2, "joint"),
    Row("virus", 2, "scoped"),
    Row("virus", 3, "contextual"),
    Row("infection", 1, "standard", (100, 33.3, 50)),
    Row("infection", 1, "contextual", (74, 95.2, 83.3)),
    Row("infection", 1, "joint"),
    Row("infection", 1, "scoped"),
    Row("infection", 2, "standard", (53.8, 100, 70)),
    Row("infection", 2, "contextual", (58.3, 100, 73.7)),
    Row("infection", 2, "joint"),
    Row("infection", 2, "scoped"),
    Row("infection", 3, "contextual"),
)
# Table 3 of the paper: averages over its two texts, and minutes.
PAPER_AVERAGES = {
    (1, "standard"): (89.9, 28.8, 43.0, "1 min"),
    (1, "contextual"): (77.2, 76.9, 76.3, "2 min"),
    (2, "standard"): (61.4, 91.1, 72.7, "40 min"),
    (2, "contextual"): (62.4, 100.0, 76.8, "41 min"),
}
