"""`efface train identifiers`, `efface attack release` and `efface tradeoff`: publish a collection of texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from efface.cli.shared import options
from efface.cli.shared.console import COLOURS, console, counted, escape, fail, progressing, say, show_json

if TYPE_CHECKING:
    from efface.batch.release_attack import ReleaseAttack
    from efface.knowledge.identifiers.model import GreedyModel, IdentifierSettings
    from efface.knowledge.identifiers.training import TrainingProgress

LearnerOption = Annotated[
    Literal["crf", "svm", "adaboost", "ensemble", "names", "selection"],
    typer.Option(
        "--learner", help="names is the built-in model; selection takes the best of all in each round."
    ),
]
RelatedOption = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="Words tied to an identifier with this confidence are a category; 0: none."
    ),
]


def train_identifiers(
    labelled: options.Labelled,
    output: options.Model,
    loss_ratio: Annotated[
        float, typer.Option(min=0.001, help="L/C: a missed identifier over a word removed in vain.")
    ] = 10.0,
    learner: LearnerOption = "selection",
    seed: options.Seed = 0,
    related: RelatedOption = 0.0,
    min_remaining: Annotated[
        int, typer.Option(min=1, help="Fewer labelled words left at the stop: nothing should be published.")
    ] = 1_000,
    aim: Annotated[
        Literal["loss", "accuracy"],
        typer.Option(help="What a round is learned for; with accuracy, L/C only says when to stop."),
    ] = "loss",
    log: Annotated[
        Path | None,
        typer.Option(help="Every round with the words removed (JSON lines; sensitive).", show_default=False),
    ] = None,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Learn, remove, learn again, until the next classifier no longer pays. An interrupted run resumes.

    Example: efface train identifiers labelled.jsonl -o names.greedy --loss-ratio 10
    """
    from efface.files.local import check_output
    from efface.knowledge.identifiers.model import IdentifierSettings

    for path in filter(None, (output, log)):
        check_output(path, force=force)
    settings = IdentifierSettings(loss_ratio, learner, seed, related, min_remaining, aim)
    model, rows = _trained(labelled, settings, output, log, force=force, quiet=as_json)
    if as_json:
        show_json("identifiers", {"rounds": rows, "types": _types(model)})
    else:
        learned = f"{counted(_total(model), 'classifier')} for {', '.join(_types(model))}"
        say(f"[green]{escape(learned)}[/] → {escape(str(output))}")


def _trained(
    labelled: Path, settings: IdentifierSettings, output: Path, log: Path | None, *, force: bool, quiet: bool
) -> tuple[GreedyModel, list[dict[str, Any]]]:
    """The model, written with its log; and its rounds."""
    from efface.files.local import write_output
    from efface.knowledge.identifiers.corpus import read_labelled
    from efface.knowledge.identifiers.files import save
    from efface.knowledge.identifiers.training import fingerprint, train

    documents = read_labelled(labelled)
    run = fingerprint(documents, settings)
    partial = output.with_name(output.name + ".partial")
    with progressing("learning") as progress:
        log_of_rounds = _TrainingLog(partial, run, progress, quiet=quiet)
        model = train(documents, settings, log_of_rounds, _resumed(partial, run))
    save(model, output, force=force)
    partial.unlink(missing_ok=True)
    if log is not None:
        write_output(log, log_of_rounds.log(), force=force, private=True)
    return model, log_of_rounds.rows


class _TrainingLog:
    """Called after every round: saves the model so far, and collects a row to show and the removed words."""

    def __init__(self, partial: Path, run: str, progress: Callable[[int, int], None], *, quiet: bool) -> None:
        self.rows: list[dict[str, Any]] = []
        self._removed: list[list[str]] = []
        self._partial, self._run, self._progress, self._quiet = partial, run, progress, quiet

    def __call__(self, done: TrainingProgress) -> None:
        from efface.knowledge.identifiers.files import save

        self.rows.append(_row(done))
        self._removed.append(_removed(done))
        save(done.so_far, self._partial, force=True, run=self._run)
        self._progress(len(self.rows), len(self.rows) + done.round.pays)
        if not self._quiet:
            _say_round(self.rows[-1])

    def log(self) -> bytes:
        """Every round and its words, a line each."""
        both = zip(self.rows, self._removed, strict=True)
        lines = (json.dumps(row | {"removed": words}, ensure_ascii=False) + "\n" for row, words in both)
        return "".join(lines).encode("utf-8", "surrogatepass")


def _resumed(partial: Path, run: str) -> GreedyModel | None:
    """What an interrupted run of the same data and settings had learned."""
    from efface.errors import InputError
    from efface.knowledge.identifiers.files import load

    if not partial.is_file():
        return None
    try:
        return load(partial, run)
    except InputError:  # of another run, or cut short
        return None


def _row(done: TrainingProgress) -> dict[str, Any]:
    counts = done.round.counts
    return {
        "type": done.type,
        "round": done.number,
        "learner": done.round.classifier.learner,
        "true_positives": counts.true_positives,
        "false_positives": counts.false_positives,
        "remaining": counts.total,
        "loss": done.round.loss,
        "next_loss": done.round.next_loss,
        "applied": done.round.pays,
    }


def _removed(done: TrainingProgress) -> list[str]:
    if not done.round.pays:
        return []
    words = (word for tokens in done.material.texts for word in tokens.words)
    return [word for word, gone in zip(words, done.found.tolist(), strict=True) if gone]


def _say_round(row: dict[str, Any]) -> None:
    end = "removed" if row["applied"] else "no longer pays: not applied"
    say(
        f"{row['type']} round {row['round']} ({row['learner']}): TP {row['true_positives']}, "
        f"FP {row['false_positives']}, T {row['loss']:g} → {row['next_loss']:g}  [dim]{end}[/]"
    )


def _types(model: GreedyModel) -> list[str]:
    return [category.type for category in model.categories]


def _total(model: GreedyModel) -> int:
    return sum(len(category.classifiers) for category in model.categories)


ReleasedArgument = Annotated[
    Path,
    typer.Argument(metavar="RELEASED", help="The folder with the released files.", show_default=False),
]
LabelsOption = Annotated[
    Path,
    typer.Option(
        help="The labelled originals (or released texts); a document's name is its file's.",
        show_default=False,
    ),
]
PolicyOption = Annotated[
    Path | None,
    typer.Option("--policy", "-p", help="The policy with the model, the limit and the budget."),
]
LimitOption = Annotated[
    float | None, typer.Option(min=0, max=1, help="The share of identifiers that may be found.")
]
BudgetOption = Annotated[int | None, typer.Option(min=1, help="Words that the attacker reads.")]
LossRatioOption = Annotated[float | None, typer.Option(min=0.001, help="L/C, where no policy names a model.")]
AssumeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="SYMBOL=NUMBER", help="m, v, delta, p, q, r or s of the theorems, not estimated."),
]


def attack_release(
    released: ReleasedArgument,
    labels: LabelsOption,
    policy: PolicyOption = None,
    limit: LimitOption = None,
    budget: BudgetOption = None,
    loss_ratio: LossRatioOption = None,
    assume: AssumeOption = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Attack a whole release: learn from a labelled part, then read the rest, the likeliest words first.

    Every learner is tried with several seeds; the one that finds most decides. Exit code 0: held, it finds no more than
    the limit, also with an allowance for chance. 3: broken. 4: unproven, nothing to find or too little evidence.

    Example: efface attack release out/ --labels labelled.jsonl --policy mails.yaml
    """
    from efface.batch.release_attack import ReleaseTarget, attack, read_release

    wanted = ReleaseTarget.of(policy, limit, budget, loss_ratio, _assumed(assume or []))
    with progressing("attacking") as progress:
        found = attack(read_release(released, labels), wanted, seed, progress)
    if as_json:
        show_json("release", found.as_dict())
    else:
        for attacked in found.types:
            _show_attack(attacked.as_dict())
        _show_verdict(found)
    raise typer.Exit(_EXIT_CODES[found.verdict.value])


_EXIT_CODES = {"held": 0, "broken": 3, "unproven": 4}


def _show_verdict(found: ReleaseAttack) -> None:
    files = f"{counted(found.documents, 'file')} attacked"
    if found.unlabelled:
        files += f", {found.unlabelled} without labels not"
    most = max((one.found_share for one in found.types), default=0.0)
    within = f"the attacker finds {most:.2%} of the identifiers, the limit is {found.limit:.2%}"
    why = within
    if found.verdict == "unproven" and not any(one.identifiers for one in found.types):
        why = "the labels know no identifier in them"
    elif found.verdict == "unproven":
        upper = max(one.upper for one in found.types)
        why = f"{within}; too few identifiers have labels to tell: by chance it might have been {upper:.2%}"
    say(f"[bold {COLOURS[found.verdict]}]{found.verdict}[/]  {files}: {why}")
    if found.verdict == "broken":
        say(
            "[dim]next:[/]  Train with a higher --loss-ratio (`efface tradeoff` shows what it costs) or more labels."
        )


def _assumed(pairs: list[str]) -> dict[str, float]:
    given: dict[str, float] = {}
    for pair in pairs:
        symbol, _, number = pair.partition("=")
        try:
            given[symbol] = float(number)
        except ValueError:
            fail("--assume needs a number.", "Write for example --assume delta=0.01.")
        if symbol not in ("m", "v", "delta", "p", "q", "r", "s") or not given[symbol] >= 0:
            fail("--assume does not know this symbol.", "It knows m, v, delta, p, q, r and s.")
    return given


def _show_attack(row: dict[str, Any]) -> None:
    from rich.table import Table

    ratio = "-" if row["ratio"] is None else f"{row['ratio']:.2f}"
    say(
        f"[bold]{row['type']}[/]  {row['left']} of {row['identifiers']} words of identifiers are left among "
        f"{row['words']}; the attacker who finds most: {', '.join(row['learners'])}"
    )
    say(
        f"  by reading {row['budget']} words the attacker finds {row['found']} ({row['found_share']:.2%}); at random "
        f"{row['by_chance']:.1f} (U_A*/U_A {ratio}); the attacker's classifier: TP_A {row['true_positives']}, "
        f"FP_A {row['false_positives']}"
    )
    table = Table(box=None, header_style="bold")
    for heading in ("theorem", "bounds", "bound", "measured", ""):
        table.add_column(heading, justify="right" if heading in ("bound", "measured") else "left")
    for one in row["bounds"]:
        bound, measured = ("-" if one[key] is None else f"{one[key]:,.2f}" for key in ("bound", "measured"))
        remark = one["does_not_apply"] or ("vacuous" if one["vacuous"] else "")
        table.add_row(str(one["theorem"]), one["quantity"], bound, measured, remark)
    console().print(table)
    assumed = ", ".join(f"{name} {value:.4g}" for name, value in row["assumptions"].items())
    say(f"  [dim]assumptions: {assumed}[/]")


def tradeoff(
    labelled: options.Labelled,
    ratios: Annotated[str, typer.Option(help="Values of L/C, with commas between.")] = "1,2,5,10,20,50,100",
    learner: LearnerOption = "crf",
    type_: Annotated[
        str | None,
        typer.Option("--type", help="The type of identifiers; all together without.", show_default=False),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="A picture of the curve, .png or .svg.", show_default=False)
    ] = None,
    folds: Annotated[int, typer.Option(min=2, max=20, help="Parts for cross-validation.")] = 4,
    seed: options.Seed = 0,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Show residual risk against the share published for values of L/C, and name the knee.

    Example: efface tradeoff labelled.jsonl --ratios 1,10,100 --plot curve.svg
    """
    from dataclasses import asdict

    from efface.attacks.tradeoff import knee
    from efface.attacks.tradeoff import tradeoff as measure
    from efface.batch.release_attack import chosen_labels, draw
    from efface.files.local import check_output
    from efface.knowledge.identifiers.corpus import read_labelled
    from efface.knowledge.identifiers.training import TrainingTexts
    from efface.learners.selection import learner as named

    if plot is not None:
        options.check_ending(plot, "picture", (".png", ".svg"))
        check_output(plot, force=force)
    chosen, values = named(learner, seed), _ratios(ratios)
    material = TrainingTexts.of(read_labelled(labelled))
    labels = chosen_labels(material, type_)
    with progressing("publishing and attacking") as progress:
        points = measure(material, labels, chosen, values, seed=seed, count=folds, watch=progress)
    best = knee(points)
    if plot is not None:
        draw(points, best, plot, force=force)
    if as_json:
        show_json("tradeoff", {"points": [asdict(point) for point in points], "knee": best.loss_ratio})
    else:
        _show_points([asdict(point) for point in points], best.loss_ratio)


def _ratios(text: str) -> tuple[float, ...]:
    try:
        values = tuple(sorted({float(value) for value in text.split(",") if value.strip()}))
    except ValueError:
        values = ()
    if not values or not all(0 < value < 1e9 for value in values):
        fail("--ratios needs positive numbers.", "Write for example --ratios 1,5,10.")
    return values


def _show_points(rows: list[dict[str, Any]], best: float) -> None:
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for heading in ("L/C", "published", "left", "found", "TP_A", "rounds", ""):
        table.add_column(heading, justify="right")
    for row in rows:
        mark = "[green]knee[/]" if row["loss_ratio"] == best else ""
        shares = (f"{row[name]:.2%}" for name in ("published", "left", "found"))
        table.add_row(
            f"{row['loss_ratio']:g}", *shares, str(row["true_positives"]), f"{row['rounds']:.1f}", mark
        )
    console().print(table)
    say("[dim]left: identifiers still there; found: by an attacker who reads them in order of promise[/]")
    say(f"The knee is at L/C = [bold]{best:g}[/]: beyond it, less risk costs more words.")
