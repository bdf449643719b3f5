"""`efface evaluate`: how well the finders find, on a gold standard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from efface.console import Stages, fail, say, show_json

if TYPE_CHECKING:
    from efface.evaluate.evaluation import Evaluation
    from efface.evaluate.systems import System

DEFAULT_NAMES = {"tab": "{risk: subject}"}  # what identifies the subject is what that benchmark asks for


def evaluate(
    gold: Annotated[
        Path, typer.Argument(help="The gold standard: a file, or a folder for brat.", show_default=False)
    ],
    form: Annotated[
        str, typer.Option("--format", "-f", help="tab, presidio, conll, brat or jsonl.", show_default=False)
    ],
    policy: Annotated[
        Path | None,
        typer.Option("--policy", "-p", help="Its finders are judged. Without one: patterns and names."),
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Judge these predictions (JSON lines) instead of finders.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="A second policy, or predictions, to compare with by a paired test.")
    ] = None,
    split: Annotated[str, typer.Option(help="Only cases of this split.")] = "",
    types: Annotated[str, typer.Option(help="Only these types, with commas between.")] = "",
    report: Annotated[
        Path | None, typer.Option(help="Write all of it, with the reliability plot (.html, .json).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a report that exists.")] = False,
) -> None:
    """Measure recall, precision, F1 and F2 on a gold standard, and compare two systems."""
    from efface.evaluate.evaluation import evaluate as run
    from efface.evaluate.gold import read_gold
    from efface.evaluate.page import page
    from efface.files import check_output, write_output

    if report is not None:
        if report.suffix.lower() not in (".html", ".json"):
            fail(f"{report}: a report is .json or .html.", "Change the ending.")
        check_output(report, force=force)
    if policy is not None and predictions is not None:
        fail("--policy and --predictions exclude each other.", "Compare them with --against.")
    cases = read_gold(gold, form, split)
    first = _system(policy or predictions, form)
    second = _system(against, form) if against else None
    chosen = frozenset(filter(None, (name.strip().upper() for name in types.split(","))))
    with Stages("finding"):
        result = run(cases, form, first, second, chosen)
    if report is not None:
        data = page(result).encode() if report.suffix.lower() == ".html" else _json(result).encode()
        write_output(report, data, force=force)
    if as_json:
        show_json("evaluation", result.as_data())
    else:
        _show(result)


def _json(result: Evaluation) -> str:
    return json.dumps(result.as_data(), indent=2)


def _system(path: Path | None, form: str) -> System:
    from efface.binding import bind
    from efface.evaluate.systems import of_file, of_policy
    from efface.policy import load, parse

    if path is not None and path.suffix.lower() not in (".yaml", ".yml"):
        return of_file(path)
    if path is not None:
        return of_policy(bind(load(path), path.parent))
    return of_policy(bind(parse(f"find: {{names: {DEFAULT_NAMES.get(form, 'default')}}}")))


def _show(result: Evaluation) -> None:
    from efface.evaluate.evaluation import rows

    say(f"{result.cases} cases, {result.words:,} words")
    for row in rows(result):
        say(row)
