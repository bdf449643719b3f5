"""`efface evaluate`: how well the finders find, on a gold standard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from efface.cli.shared import options
from efface.cli.shared.console import Stages, counted, fail, say, show_json
from efface.cli.shared.console import as_json as json_of

if TYPE_CHECKING:
    from efface.evaluate.evaluation import Evaluation
    from efface.evaluate.systems import System

DEFAULT_NAMES = {"tab": "{risk: subject}"}  # what identifies the subject is what that benchmark asks for


GoldArgument = Annotated[
    Path,
    typer.Argument(
        metavar="GOLD", help="The gold standard: a file, or a folder for brat.", show_default=False
    ),
]
FormOption = Annotated[
    Literal["tab", "presidio", "conll", "brat", "jsonl"],
    typer.Option("--format", "-f", help="How the gold standard is written.", show_default=False),
]
PolicyOption = Annotated[
    Path | None,
    typer.Option("--policy", "-p", help="Its finders are judged. Without one: patterns and names."),
]
PredictionsOption = Annotated[
    Path | None, typer.Option(help="Judge these predictions (JSON lines) instead of finders.")
]
AgainstOption = Annotated[
    Path | None, typer.Option(help="A second policy, or predictions, to compare with by a paired test.")
]
SplitOption = Annotated[str, typer.Option(help="Only cases of this split.")]
TypesOption = Annotated[
    list[str] | None, typer.Option("--type", metavar="TYPE", help="Only mentions of this type.")
]
ReportOption = Annotated[
    Path | None, typer.Option(help="All figures, .json or .html; the page has the reliability plot.")
]


def evaluate(
    gold: GoldArgument,
    form: FormOption,
    policy: PolicyOption = None,
    predictions: PredictionsOption = None,
    against: AgainstOption = None,
    split: SplitOption = "",
    types: TypesOption = None,
    report: ReportOption = None,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Measure recall, precision, F1 and F2 on a gold standard, and compare two systems.

    Example: efface evaluate gold.jsonl --format jsonl --policy names --report figures.html
    """
    from efface.evaluate.evaluation import evaluate as run
    from efface.evaluate.gold import read_gold
    from efface.evaluate.page import page
    from efface.files.local import check_output, write_output

    if report is not None:
        options.check_ending(report)
        check_output(report, force=force)
    if policy is not None and predictions is not None:
        fail("--policy and --predictions exclude each other.", "Compare them with --against.")
    cases = read_gold(gold, form, split)
    first = _system(policy or predictions, form)
    second = _system(against, form) if against else None
    chosen = frozenset(name.strip().upper() for name in types or ())
    with Stages("finding"):
        result = run(cases, form, first, second, chosen)
    if report is not None:
        is_page = report.suffix.lower() == ".html"
        written = page(result) if is_page else json_of("evaluation", result.as_data())
        write_output(report, written.encode(), force=force)
    if as_json:
        show_json("evaluation", result.as_data())
    else:
        _show(result)


def _system(path: Path | None, form: str) -> System:
    from efface.evaluate.systems import of_file, of_policy
    from efface.policy.bind import bind
    from efface.policy.model import PRESETS, load, parse

    if path is None:
        return of_policy(bind(parse(f"find: {{names: {DEFAULT_NAMES.get(form, 'default')}}}")))
    if path.suffix.lower() in (".yaml", ".yml") or str(path) in PRESETS:
        return of_policy(bind(load(path), path.parent))
    return of_file(path)


def _show(result: Evaluation) -> None:
    from efface.evaluate.evaluation import rows

    say(f"{counted(result.cases, 'case')}, {counted(result.words, 'word')}")
    for row in rows(result):
        say(row)
