"""`efface attack`: what attackers of several kinds make of what was released."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from efface import cli_options as options
from efface.console import as_json as json_of
from efface.console import console, counted, fail, progressing, say
from efface.errors import InputError

if TYPE_CHECKING:
    from efface.attacks.classes import Case, Success
    from efface.knowledge.classes import ClassModel, LabelledDocument

app = typer.Typer(no_args_is_help=True, help="Attack what was released, by attackers of several kinds.")


@app.command("classes")
def attack_classes(
    released: Annotated[
        Path,
        typer.Argument(
            metavar="RELEASED", help="Released documents with their true classes.", show_default=False
        ),
    ],
    model: Annotated[
        Path, typer.Option("--model", "-m", help="The model of the guarantee.", show_default=False)
    ],
    originals: Annotated[
        Path | None,
        typer.Option(help="The same documents before, in the same order.", show_default=False),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(help="Labelled documents that stronger attackers learn from.", show_default=False),
    ] = None,
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="The model learned from the originals: unlearn each first.")
    ] = False,
    sensitive: Annotated[str, typer.Option(help="The field with the true class.")] = "sensitive",
    text: Annotated[str, typer.Option(help="The field with the text.")] = "text",
    guesses: Annotated[int, typer.Option(min=1, help="How many guesses an attacker has.")] = 1,
    report: Annotated[
        Path | None, typer.Option(help="All figures, .json or .html.", show_default=False)
    ] = None,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Say how often attackers name the true class, before and after, next to chance.

    Example: efface attack classes released.jsonl --model clients.model --originals memos.jsonl
    """
    from efface.files import check_output, write_output
    from efface.knowledge.classes import Fields, load

    if report is not None:
        options.check_ending(report)
        check_output(report, force=force)
    if leave_out and originals is None:
        fail("To unlearn a document its original is needed.", "Give --originals too.")
    learned, fields = load(model), Fields(sensitive, (), text)
    cases = _cases(released, originals, fields)
    known = None if corpus is None else _read(corpus, fields, "reading the corpus")
    found = _successes(learned, cases, known, guesses, leave_out=leave_out)
    if report is not None:
        page = report.suffix.lower() == ".html"
        write_output(report, _page(found).encode() if page else _json(found).encode(), force=force)
    if as_json:
        typer.echo(_json(found))
    else:
        _show(found)


def _read(path: Path, fields: Any, what: str) -> list[LabelledDocument]:
    from efface.knowledge.classes import read_corpus
    from efface.texts import text_of

    with progressing(what) as progress:
        return list(read_corpus(path, fields, progress, text_of))


def _cases(released: Path, originals: Path | None, fields: Any) -> list[Case]:
    from efface.attacks.classes import Case

    after = _read(released, fields, "reading what was released")
    if originals is None:
        return [Case(document.text, document.sensitive) for document in after]
    before = _read(originals, fields, "reading the originals")
    if [document.sensitive for document in before] != [document.sensitive for document in after]:
        raise InputError(
            "The originals are not the released documents in the same order.",
            "Give as many, with the same classes, in the same order.",
        )
    return [Case(new.text, new.sensitive, old.text) for old, new in zip(before, after, strict=True)]


def _successes(
    model: ClassModel,
    cases: Sequence[Case],
    corpus: Sequence[LabelledDocument] | None,
    guesses: int,
    *,
    leave_out: bool,
) -> list[Success]:
    from efface.attacks.classes import attack_cases, attack_with_model, chance

    by_chance = chance(model.sensitive.documents.tolist(), guesses)
    ranks = {"naive-bayes": attack_with_model(model, cases, learned=leave_out)}
    if corpus is not None:
        try:
            ranks |= attack_cases(corpus, cases)
        except ImportError:
            fail("The stronger attackers need scikit-learn.", "pip install 'efface[attacks]'")
    return [found.success(name, guesses, by_chance) for name, found in ranks.items()]


def _rows(found: Sequence[Success]) -> list[dict[str, object]]:
    return [
        {
            "attacker": one.attacker,
            "guesses": one.guesses,
            "before": None if one.before is None else round(one.before, 4),
            "after": round(one.after, 4),
            "chance": round(one.chance, 4),
            "documents": one.documents,
        }
        for one in found
    ]


def _json(found: Sequence[Success]) -> str:
    return json_of("attack", {"attackers": _rows(found)})


def _show(found: Sequence[Success]) -> None:
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for heading in ("attacker", "before", "after", "chance"):
        table.add_column(heading, justify="left" if heading == "attacker" else "right")
    for one in found:
        before = "-" if one.before is None else f"{one.before:.1%}"
        table.add_row(one.attacker, before, f"{one.after:.1%}", f"{one.chance:.1%}")
    say(_title(found))
    console().print(table)


def _page(found: Sequence[Success]) -> str:
    """The figures as bars: before, after, and the mark of chance."""
    from efface.report.page import comparison_page

    rows = [(one.attacker, one.before, one.after, one.chance) for one in found]
    return comparison_page("efface: attack on classes", _title(found), rows)


def _title(found: Sequence[Success]) -> str:
    guesses, documents = (
        counted(found[0].guesses, "guess", "guesses"),
        counted(found[0].documents, "document"),
    )
    return f"The true class named within {guesses} ({documents})"
