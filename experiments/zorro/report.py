"""The page that shows the results: what fell short, then tables from the files beside it."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

HEAD = """\
# ZoRRo: the paper's figures and tables, its algorithm and efface side by side

Made by `python -m experiments.zorro{quick}`, piece by piece with `--only`. The machine had two cores and other
work, more at some hours than at others: read ratios within one table, not times, and not across tables. *paper* is the
paper's Algorithm 2 over tantivy (`experiments/zorro/baseline.py`), in the same process, on the terms that efface's
finder finds. It finds, searches, asks and replaces; efface also writes, reads again and attacks the result.

## What fell short
"""
SLOWER = """\
- **Time.** efface is slower than the paper's algorithm on small databases, and that was not to be. On TPC-DS (Figure 5,
  means) it takes {small} times the processor time up to 125,000 entities, and {large} at {most}. One point, 100,000
  sales and k = 10, is in all four figures: {repeated}, so a ratio here is not good to more than that. On the SDN
  list (Table 6) it takes {listed} times.
"""
SLOWER_PEOPLE = """\
- On made-up persons (Speed, below) at {count} it takes {whole} times the paper's median with exact matching and
  {whole_fuzzy} with fuzzy matching. Means are {mean} and {mean_fuzzy}: a few documents take the paper's algorithm very
  long there. Up to the plan, efface takes {decides} and {decides_fuzzy} times the paper's median.
- Ten million entities were not tried. At three million, from the same database maker but without the paper's engine
  beside it, the clock says 22 ms (median) and 61 ms (p99) with exact matching, 38 and 123 ms with fuzzy matching; the
  processor 18 ms against 13 ms at one million and 9.5 ms at 100 thousand.
"""
SPEED = """\
## Speed

`python -m benchmarks.views`: made-up persons with 13 attributes, documents of 150 words with 10 values of 3 of them,
k = 10, a viewer who may see half. *decides* is efface up to the plan, *again* the same document for a second viewer.
"""
LIMITS = """\
- **Precision with fuzzy matching** is low (Table 5) beside exact matching (Table 7), and below the paper's algorithm's.
  The tagger knows only the list's own spellings, so a misspelt name that is removed counts as wrong; how much of the
  difference this is was not measured.
- **Recall against the same k** is below one. The gold, as the paper's, removes every term of an unsafe set; efface
  removes the fewest that make it safe. *safe* is the share of the gold's unsafe sets that no longer point to fewer
  than k.
- ***safe* is below one too**, although by efface's own index nobody is left (Table 6). Thirteen places that it
  passed over were looked at (exact matching, unbounded k): eleven were names with a comma, a backquote or another end
  than in the list ("Sali, Jr."), two were mistakes of the tagger ("It's a" for "S.A."). The finder was then changed to
  read over commas, backquotes and a missing last full stop. All that is here is from after that change, so
  Tables 5 to 8 are of documents that the finder was mended for.
- The paper's tables are not in our copy of its text, so its own figures cannot stand beside these. It reports
  precision over 0.65 and recall near 1 on 20 documents tagged by hand.
"""
GOLD = """\
## Tables 5 to 8: the SDN list and the Treasury's releases

No people tagged these documents. The gold comes from an independent tagger (`experiments/zorro/gold.py`, no code
shared with efface): an exact dictionary over names, aliases and addresses; terms of one sentence that one
entity has belong together, and the entities that have all of the largest such sets are a term's tag. It does not
know what a sentence means. Figures are means over documents where they are defined; a term of the gold is found
when each of its places is touched, and something removed is right when it touches a term of the gold.
The viewer of Tables 5 to 7 may see nobody. *same k*: against the gold for that k. *all*: for unbounded k.
"""
SALES = """\
## Figures 4 to 7: TPC-DS

Sales joined with customer, address, item and date, 13 attributes, from DuckDB's TPC-DS generator; documents of
150 words with values of some sales among words of no meaning; a viewer who may see half of the sales; k = 10
where it does not vary, 10 values of 3 sales where they do not. *denied left*: denied entities that fewer than k
entities share what is left with, over all documents.

![Processor time and terms removed](figures.png)
"""
TITLES = {
    "figure4": "Figure 4: k",
    "figure5": "Figure 5: entities in the database",
    "figure6": "Figure 6: values in a document",
    "figure7": "Figure 7: entities in a document",
    "table5": "Table 5: precision and recall, fuzzy 1",
    "table6": "Table 6: what the paper's stop and cut leave, fuzzy 1",
    "table7": "Table 7: the same as Table 5 with exact matching",
    "table8": "Table 8: redaction for this viewer, and the same for everybody (unbounded k, fuzzy 1)",
}
# Where the figures show one and the same point.
_SAME_POINT = {"figure4": "10", "figure5": "100000", "figure6": "10", "figure7": "3"}


def write(folder: Path, *, quick: bool) -> None:
    """The page, from as many of the files as are there."""
    pieces = [HEAD.format(quick=" --quick" if quick else "")]
    speed = folder / "views.csv"
    if all((folder / f"{name}.csv").exists() for name in (*_SAME_POINT, "table6")):
        pieces += [_slower(folder)]
    if speed.exists():
        pieces += [_slower_people(_rows(speed))]
    pieces += [LIMITS]
    if speed.exists():
        pieces += [SPEED, _table(_rows(speed)), *_notes(folder)]
    for intro, kind in ((SALES, "figure"), (GOLD, "table")):
        pieces += [intro, *_sections(folder, kind)]
    (folder / "README.md").write_text("\n".join(pieces), encoding="utf-8")


def _slower(folder: Path) -> str:
    """efface's time over the baseline's, on sales and on the list."""
    ratios = {name: _ratios(_rows(folder / f"{name}.csv")) for name in _SAME_POINT}
    *few, (most, large) = ratios["figure5"].items()
    same = sorted(ratios[name][x] for name, x in _SAME_POINT.items() if x in ratios[name])
    listed = sorted(
        float(row["efface: processor ms"]) / float(row["paper: processor ms"])
        for row in _rows(folder / "table6.csv")
    )
    small = sorted(ratio for _, ratio in few)
    return SLOWER.format(
        small=f"{small[0]:.2f} to {small[-1]:.2f}",
        large=f"{large:.2f}",
        most=f"{int(most):,}",
        repeated=", ".join(f"{ratio:.2f}" for ratio in same),
        listed=f"{listed[0]:.1f} to {listed[-1]:.1f}",
    )


def _ratios(rows: Sequence[dict[str, str]]) -> dict[str, float]:
    times = {(row["x"], row["method"]): float(row["processor_ms"]) for row in rows}
    return {row["x"]: times[row["x"], "efface"] / times[row["x"], "paper"] for row in rows}


def _slower_people(rows: Sequence[dict[str, str]]) -> str:
    """efface's time over the baseline's, at the fewest entities."""
    count = rows[0]["entities"]
    times = {
        (row["method"], row["matching"], what): float(row[f"processor {what} ms"])
        for row in rows
        if row["entities"] == count
        for what in ("median", "mean")
    }

    def share(method: str, matching: str, what: str) -> str:
        return f"{times[method, matching, what] / times['paper', matching, what]:.2f}"

    return SLOWER_PEOPLE.format(
        count=f"{int(count):,}",
        whole=share("efface", "exact", "median"),
        whole_fuzzy=share("efface", "fuzzy 1", "median"),
        mean=share("efface", "exact", "mean"),
        mean_fuzzy=share("efface", "fuzzy 1", "mean"),
        decides=share("decides", "exact", "median"),
        decides_fuzzy=share("decides", "fuzzy 1", "median"),
    )


def _notes(folder: Path) -> Iterator[str]:
    """What `python -m benchmarks.index --full --fuzzy 1` printed."""
    notes = folder / "index.txt"
    if notes.exists():
        yield "`python -m benchmarks.index --full --fuzzy 1`, on an idle machine:"
        yield f"\n```\n{notes.read_text('utf-8').strip()}\n```\n"


def _sections(folder: Path, kind: str) -> Iterator[str]:
    for name, title in TITLES.items():
        if name.startswith(kind) and (folder / f"{name}.csv").exists():
            yield f"### {title}\n"
            yield _table(_rows(folder / f"{name}.csv"))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _table(rows: Sequence[dict[str, str]]) -> str:
    header = list(rows[0])
    lines = [_line([name.replace("_", " ") for name in header]), _line(["---"] * len(header))]
    return "\n".join([*lines, *(_line(list(row.values())) for row in rows)]) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
