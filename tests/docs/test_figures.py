"""Figures in the README and the overview of results are those of the pages that the experiments wrote."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "docs/results/README.md"

# The page that was measured, what to read there, the page that says it again, and how it says it.
FIGURES = [
    ("erase/figures.md", r"optimum of (\d+) of (\d+) documents", RESULTS, "proved for {0:.0f} of {1:.0f} documents"),
    ("erase/solvers.md", r"\| exact \| 41 \| (\d+) \| \S+ \| (\S+) ", RESULTS, "proves {0:.0f} of 20, in {1:.3f} times"),
    ("erase/solvers.md", r"\| exact \| 41 \| (\d+) \| \S+ \| (\S+) ", "README.md", "proves {0:.0f} of 20 optima in {1:.3f}x"),
    ("zorro/README.md", r"\| 1000000 \| efface \| exact \| (\S+) \| \S+ \| (\S+) ", "README.md", "{0:.0f} ms (median) and {1:.0f} ms (p99)"),
    ("zorro/README.md", r"takes (\S+) to (\S+) times the processor time up to 125,000", RESULTS, "{0:.1f} to {1:.1f} times its processor time up to 125,000"),
    ("inference_blocking/README.md", r"OVALogOdds \| as printed \| 4571 \| (\S+) \| \S+ \| \S+ \| (\S+) \| \S+ \| (\S+) ", RESULTS, "planned as the paper does | {0:.3f} | 1.0 | {1:.3f} | {2:.3f} |"),
    ("inference_blocking/README.md", r"OVALogOdds \| efface lp \| 4571 \| (\S+) \|(?: \S+ \|){4} (\S+) ", "README.md", "k-eval {0:.3f} with {1:.3f} of the words gone"),
    ("c_sanitization/tables.md", r"\| virus \| 2 \| contextual \| (\S+)% \| (\S+)% \| (\S+)% ", RESULTS, "(default) | 67.7, 100, 80.7 % | {0:.1f}, {1:.1f}, {2:.1f} %"),
    ("c_sanitization/tables.md", r"\| virus \| 2 \| contextual \| (\S+)% \| (\S+)% ", "README.md", "recall {1:.1f} %, precision {0:.1f} %"),
    ("c_sanitization/leads.md", r"(?s)no setting.*\| mean \| \| \| (\S+)% \| (\S+)% \| (\S+)% \| (\S+)% ", RESULTS, "{3:.1f} % and {2:.1f} % on average, {1:.1f} % and {0:.1f} % when the corpus has not read them"),
    ("c_sanitization/leads.md", r"(?s)no setting.*\| mean \| \| \| (\S+)% \| (\S+)% \| (\S+)% \| (\S+)% ", "README.md", "on six that no setting was chosen on {3:.1f} % and {2:.1f} %"),
    ("greedy_sanitize/README.md", r"loss: (\S+)% of the names at L/C 5 and 10, with (\S+)% ", RESULTS, "{0:.2f} % of the names at L/C 5 and 10"),
    ("greedy_sanitize/README.md", r"loss: at least (\S+)% at L/C 5 and 10", RESULTS, "at least {0:.1f} % at L/C 5 and 10"),
    ("patterns/README.md", r"(?s)presidio-research.*\| all \| \d+ \| (\S+)% \| (\S+)% ", "README.md", "recall {1:.1f} % against {0:.1f} % on presidio-research"),
    ("patterns/README.md", r"(?s)## synthetic.*?\| all \| \d+ \| (\S+)% \| (\S+)% ", "README.md", "{1:.1f} % against {0:.1f} % on made-up values"),
    ("../guides/packaging.md", r"\| base install \| (\d+) packages, efface among them; (\d+) MB", "README.md", "{0:.0f} packages, {1:.0f} MB with byte code"),
    ("../guides/packaging.md", r"\| the demo in it, all guarantees \| (\S+) s of", "README.md", "the demo in it takes {0:.1f} s"),
    ("names/README.md", r"TAB dev, token recall \(\S+ \| \*?([.\d]+)", RESULTS, "TAB recall {0:.3f}"),
    ("names/README.md", r"TAB dev, token recall \(\S+ \| \*?([.\d]+)", "README.md", "recall {0:.3f} of what should go"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "pattern", "overview", "says"), FIGURES)
def test_the_overview_says_what_was_measured(page: str, pattern: str, overview: str, says: str) -> None:
    found = re.search(pattern, (ROOT / "docs" / "results" / page).read_text("utf-8"))
    assert found is not None
    said = re.sub(r"(?<![\d.])\.(?=\d)", "0.", (ROOT / overview).read_text("utf-8"))  # .920 is 0.920
    assert says.format(*map(float, found.groups())) in said, (
        f"{overview} says otherwise than docs/results/{page}"
    )
