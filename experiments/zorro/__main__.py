"""Figures 4-7 on TPC-DS and Tables 5-8 on the SDN list, with the paper's algorithm beside efface."""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.zorro import figure, gold, report, sales, sanctions
from experiments.zorro.baseline import Engine
from experiments.zorro.database import HALF, NOBODY, VIEWERS, Entities, Row
from experiments.zorro.measure import Trial, with_baseline, with_efface

OUT = Path(__file__).resolve().parents[2] / "docs" / "results" / "zorro"
K = 10  # where k is not what varies
Point = tuple[object, int | None, sales.Shape]  # what is shown, k, the documents


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is run."""

    documents: int
    releases: int
    longest: int  # characters of a release
    entities: int  # where their number is not what varies
    sizes: tuple[int, ...]
    ks: tuple[int | None, ...]


FULL = Scale(
    300,
    300,
    1_000_000,
    100_000,
    (25_000, 50_000, 75_000, 100_000, 125_000, 1_000_000),
    (2, 3, 5, 10, 25, None),
)
QUICK = Scale(20, 24, 8000, 50_000, (25_000, 50_000, 100_000), (2, 3, 5, 10, 25, None))
FIGURES = ("figure4", "figure5", "figure6", "figure7")
TABLES = ("table5", "table7", "table8")  # table5 brings table6


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.zorro", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer documents and entities, in a few minutes")
    parser.add_argument("-o", "--out", type=Path, default=OUT, help="where the results go")
    parser.add_argument("--only", nargs="+", choices=(*FIGURES, *TABLES), help="some of them")
    parser.add_argument("--keep", type=Path, help="make the databases in this folder, or use those there")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    scale = QUICK if options.quick else FULL
    started = time.monotonic()
    with TemporaryDirectory() as folder:
        for name in options.only or (*FIGURES, *TABLES):
            make = figures if name in FIGURES else tables
            make(name, options.keep or Path(folder), scale, options.out)
            print(f"{name}: {time.monotonic() - started:.0f} s since the start", flush=True)
    figure.draw(options.out)
    report.write(options.out, quick=options.quick)


def figures(name: str, folder: Path, scale: Scale, out: Path) -> None:
    """Time, terms removed and entities in small crowds, against k, entities, values and entities a document."""
    plain = sales.Shape()
    points: dict[str, list[Point]] = {
        "figure4": [(_name(k), k, plain) for k in scale.ks],
        "figure6": [(count, K, sales.Shape(values=count)) for count in (5, 10, 15, 20, 25)],
        "figure7": [(count, K, sales.Shape(entities=count)) for count in (1, 2, 3, 5, 8)],
    }
    found: list[Mapping[str, object]] = []
    for size in scale.sizes if name == "figure5" else (scale.entities,):
        entities, engine, rows = sales.prepared(folder, size)
        found += _points(entities, engine, rows, points.get(name, [(size, K, plain)]), scale.documents)
    _write(out / f"{name}.csv", found)


def _points(
    entities: Entities, engine: Engine, rows: Sequence[Row], points: Iterable[Point], count: int
) -> list[Mapping[str, object]]:
    """A row for efface and one for the paper's algorithm at each point; the viewer may see half."""
    found: list[Mapping[str, object]] = []
    ask = entities.ask(HALF)
    for shown, k, shape in points:
        sanitizer = entities.sanitizer(k)
        bound = sanitizer.bind(HALF)
        texts = list(sales.documents(rows, count, shape))
        sanitizer.sanitize(texts[0].encode(), name="document.txt", viewer=HALF)  # what loads once
        ours = [with_efface(sanitizer, HALF, text, ask, k) for text in texts]
        theirs = [with_baseline(engine, bound, text, ask, k) for text in texts]
        found += [
            {"x": shown, "method": name} | _means(t) for name, t in (("efface", ours), ("paper", theirs))
        ]
    return found


def _means(trials: Sequence[Trial]) -> dict[str, object]:
    def mean(name: str) -> float:
        return statistics.fmean(getattr(trial, name) for trial in trials)

    return {
        "documents": len(trials),
        "clock_ms": round(1e3 * mean("seconds"), 1),
        "processor_ms": round(1e3 * mean("processor"), 1),
        "terms_removed": round(mean("terms"), 2),
        "small_crowd_entities": round(mean("unsafe"), 1),
        "denied_left": sum(trial.left for trial in trials),
        "documents_with_denied_left": sum(trial.left > 0 for trial in trials),
    }


def tables(name: str, folder: Path, scale: Scale, out: Path) -> None:
    """Precision and recall on the releases: by k, without fuzzy matching, and for viewers who see more."""
    rows = sanctions.rows()
    entities = sanctions.prepared(folder, rows)
    dictionary = gold.Dictionary.of(rows)
    texts = sanctions.releases(scale.releases, scale.longest)
    tags = [gold.tag(dictionary, text) for text in texts]
    ask = entities.ask(NOBODY)
    if name == "table8":
        sanitizer = entities.sanitizer(None, 1)
        agnostic = [with_efface(sanitizer, NOBODY, text, ask, None) for text in texts]
        _write(out / "table8.csv", list(_by_viewer(entities, dictionary, texts, tags, agnostic)))
        return
    fuzzy = 1 if name == "table5" else 0
    engine = entities.engine()
    kept: dict[tuple[str, int | None], list[Trial]] = {}
    for k in scale.ks:
        sanitizer = entities.sanitizer(k, fuzzy)
        bound = sanitizer.bind(NOBODY)
        kept["efface", k] = [with_efface(sanitizer, NOBODY, text, ask, k) for text in texts]
        kept["paper", k] = [with_baseline(engine, bound, text, ask, k) for text in texts]

    def scores(method: str, k: int | None, against: int | None) -> dict[str, object]:
        return _averages(
            gold.score(dictionary, related, text, trial.spans, against)
            for related, text, trial in zip(tags, texts, kept[method, k], strict=True)
        )

    found = [
        {"method": method, "k": _name(k), "documents": len(texts)}
        | _named("same k", scores(method, k, k))
        | _named("all", scores(method, k, None))
        for method in ("efface", "paper")
        for k in scale.ks
    ]
    _write(out / f"{name}.csv", found)
    if name == "table5":
        _write(out / "table6.csv", [_leaks(k, kept["paper", k], kept["efface", k]) for k in scale.ks])


def _leaks(k: int | None, paper: Sequence[Trial], efface: Sequence[Trial]) -> dict[str, object]:
    """The paper's Table 6: what its stop and its cut leave unseen, and who is left."""
    return {
        "k": _name(k),
        "paper: entities skipped": sum(trial.skipped for trial in paper),
        "paper: terms missed": sum(trial.missed for trial in paper),
        "paper: denied left": sum(trial.left for trial in paper),
        "paper: documents with denied left": sum(trial.left > 0 for trial in paper),
        "efface: denied left": sum(trial.left for trial in efface),
        "paper: terms removed": sum(trial.terms for trial in paper),
        "efface: terms removed": sum(trial.terms for trial in efface),
        "paper: processor ms": round(1e3 * statistics.mean(trial.processor for trial in paper)),
        "efface: processor ms": round(1e3 * statistics.mean(trial.processor for trial in efface)),
    }


def _by_viewer(
    entities: Entities,
    dictionary: gold.Dictionary,
    texts: Sequence[str],
    tags: Sequence[Sequence[gold.Related]],
    agnostic: Sequence[Trial],
) -> Iterable[dict[str, object]]:
    """For viewers who see more and more: their own redaction, and that for somebody who sees nothing."""
    everybody = sorted({id for ids in dictionary.holders.values() for id in ids})
    sanitizer = entities.sanitizer(None, 1)
    for viewer in VIEWERS:
        ask = entities.ask(viewer)
        denied = set(ask(everybody))
        own = [with_efface(sanitizer, viewer, text, ask, None) for text in texts]
        row: dict[str, object] = {"viewer": viewer, "documents": len(texts)}
        for name, trials in (("user-specific", own), ("user-agnostic", agnostic)):
            row |= _named(
                name,
                _averages(
                    gold.score(dictionary, related, text, trial.spans, None, denied)
                    for related, text, trial in zip(tags, texts, trials, strict=True)
                ),
            )
        yield row


def _averages(scores: Iterable[gold.Scores]) -> dict[str, object]:
    """Means over the documents where a figure is defined: something removed, something to remove."""
    found = list(scores)
    row: dict[str, object] = {}
    for name in ("precision", "recall", "safe"):
        values = [value for entry in found if (value := getattr(entry, name)) is not None]
        row[name] = round(statistics.mean(values), 3) if values else ""
    return row


def _named(prefix: str, row: Mapping[str, object]) -> dict[str, object]:
    return {f"{prefix}: {name}": value for name, value in row.items()}


def _name(k: int | None) -> object:
    return "all" if k is None else k


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path.name}", flush=True)


if __name__ == "__main__":
    main()
