"""The page that shows the results: what fell short, then tables from the files beside it."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

HEAD = """\
# ZoRRo: the paper's figures and tables, its algorithm and efface side by side

Made by `python -m experiments.zorro{quick}`. Times are of one process on a machine with other work, so processor time is given and only ratios
within a table mean something. *paper* is the paper's Algorithm 2 over tantivy (`experiments/zorro/baseline.py`),
run in the same process on the terms that efface's finder finds.

## What fell short
"""
SLOWER = """\
- **Time with few entities.** At {count} entities half of the documents take efface longer, end to end, than the paper's
  algorithm: {whole} times its median processor time with exact matching, {whole_fuzzy} with fuzzy matching (means:
  {mean} and {mean_fuzzy}). efface's time holds writing, reading again and attacking the result, which the paper's
  algorithm does not do; up to the plan, efface takes {decides} and {decides_fuzzy} times its median.
"""
SPEED = """\
## Speed

`python -m benchmarks.views`: made-up persons with 13 attributes, documents of 150 words with 10 values of 3 of them,
k = 10, a viewer who may see half. *decides* is efface up to the plan, *again* the same document for a second viewer.
The machine had two cores and four times as much work, so clock times are far above processor times here.
"""
LIMITS = """\
- **Precision with fuzzy matching** is low (Table 5) beside exact matching (Table 7). Part of it is the gold:
  the tagger knows only the list's own spellings, so a misspelt name rightly removed counts as wrong.
- **Recall against the same k** is below one although nobody is left identifiable. The gold, as the paper's,
  removes every term of an unsafe set; efface removes the fewest that make it safe. *safe* is the figure to read:
  the share of the gold's unsafe sets that no longer point to fewer than k.
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


def write(folder: Path, *, quick: bool) -> None:
    """The page, from as many of the files as are there."""
    pieces = [HEAD.format(quick=" --quick" if quick else "")]
    speed = folder / "views.csv"
    if speed.exists():
        pieces += [_slower(_rows(speed))]
    pieces += [LIMITS]
    if speed.exists():
        pieces += [SPEED, _table(_rows(speed)), *_notes(folder)]
    for intro, kind in ((SALES, "figure"), (GOLD, "table")):
        pieces += [intro, *_sections(folder, kind)]
    (folder / "README.md").write_text("\n".join(pieces), encoding="utf-8")


def _slower(rows: Sequence[dict[str, str]]) -> str:
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

    return SLOWER.format(
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
        yield f"`python -m benchmarks.index --full --fuzzy 1` in the same hour:\n\n```\n{notes.read_text('utf-8').strip()}\n```\n"


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
