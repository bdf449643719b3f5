"""`efface attack`: what attackers of several kinds make of what was released."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from efface.cli.shared import options
from efface.cli.shared.console import as_json as json_of
from efface.cli.shared.console import console, counted, escape, fail, progressing, say
from efface.errors import InputError

if TYPE_CHECKING:
    from efface.attacks.classes import AttackedDocument, RankedDocuments, Success
    from efface.attacks.language_model import ChatEndpoint
    from efface.knowledge.classes import ClassModel, LabelledDocument

app = typer.Typer(no_args_is_help=True, help="Attack what was released, by attackers of several kinds.")


ReleasedArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RELEASED", help="Released documents with their true classes.", show_default=False
    ),
]
ModelOption = Annotated[
    Path, typer.Option("--model", "-m", help="The model of the guarantee.", show_default=False)
]
OriginalsOption = Annotated[
    Path | None,
    typer.Option(help="The same documents before, in the same order.", show_default=False),
]
CorpusOption = Annotated[
    Path | None,
    typer.Option(help="Labelled documents that stronger attackers learn from.", show_default=False),
]
LeaveOutOption = Annotated[
    bool, typer.Option("--leave-out", help="The model learned from the originals: unlearn each first.")
]
SensitiveOption = Annotated[str, typer.Option(help="The field with the true class.")]
TextOption = Annotated[str, typer.Option(help="The field with the text.")]
KOption = Annotated[
    int | None,
    typer.Option(
        "-k",
        min=2,
        help="The k of the policy: an attacker puts all ranks together, and learns from the corpus redacted so.",
        show_default=False,
    ),
]
LlmOption = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Ask a language model at this OpenAI-compatible endpoint. What was released is sent there.",
        show_default=False,
    ),
]
LlmKeyOption = Annotated[
    str | None,
    typer.Option(metavar="env:NAME", help="The environment variable with its key.", show_default=False),
]
GuessesOption = Annotated[int, typer.Option(min=1, help="How many guesses an attacker has.")]
ReportOption = Annotated[Path | None, typer.Option(help="All figures, .json or .html.", show_default=False)]


@app.command("classes")
def attack_classes(
    released: ReleasedArgument,
    model: ModelOption,
    originals: OriginalsOption = None,
    corpus: CorpusOption = None,
    leave_out: LeaveOutOption = False,
    sensitive: SensitiveOption = "sensitive",
    text: TextOption = "text",
    k: KOption = None,
    llm: LlmOption = None,
    llm_model: Annotated[str, typer.Option(help="The model's name there.")] = "default",
    llm_key: LlmKeyOption = None,
    guesses: GuessesOption = 1,
    report: ReportOption = None,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Say how often attackers name the true class, before and after, next to chance.

    Example: efface attack classes released.jsonl --model clients.model --originals memos.jsonl
    """
    from efface.files.local import check_output, write_output
    from efface.knowledge.classes import RecordFields, load

    if report is not None:
        options.check_ending(report)
        check_output(report, force=force)
    if leave_out and originals is None:
        fail("To unlearn a document its original is needed.", "Give --originals too.")
    learned, fields = load(model), RecordFields(sensitive, (), text)
    cases = _cases(released, originals, fields, learned)
    endpoint = None if llm is None else _endpoint(llm, llm_model, llm_key)
    known = None if corpus is None else _read(corpus, fields, learned, "reading the corpus")
    found = _successes(learned, cases, known, guesses, leave_out=leave_out)
    found += _adaptive(learned, cases, known, guesses, k)
    found += _all_ranks(learned, cases, guesses, k)
    notes: list[str] = []
    if endpoint is not None:
        found.append(_language_model_success(endpoint, learned, cases, guesses, notes))
    if report is not None:
        written = _page(found, notes) if report.suffix.lower() == ".html" else _json(found, notes)
        write_output(report, written.encode(), force=force)
    if as_json:
        typer.echo(_json(found, notes))
    else:
        _show(found)
        for note in notes:
            say(f"  [yellow]note[/] {escape(note)}")


def _read(path: Path, fields: Any, model: ClassModel, what: str) -> list[LabelledDocument]:
    """The documents, with their classes as the model writes them: another spelling would count as a wrong guess."""
    from efface.formats.file_text import text_of
    from efface.knowledge.classes import read_corpus

    found = []
    with progressing(what) as progress:
        for document in read_corpus(path, fields, progress, text_of):
            label = model.sensitive.find(document.sensitive)
            known = document.sensitive if label is None else model.sensitive.names[label]
            found.append(replace(document, sensitive=known))
    return found


def _cases(released: Path, originals: Path | None, fields: Any, model: ClassModel) -> list[AttackedDocument]:
    from efface.attacks.classes import AttackedDocument

    after = _read(released, fields, model, "reading what was released")
    if originals is None:
        return [AttackedDocument(document.text, document.sensitive) for document in after]
    before = _read(originals, fields, model, "reading the originals")
    if _classes(before) != _classes(after):
        raise InputError(
            "The originals are not the released documents in the same order.",
            "Give as many, with the same classes, in the same order.",
        )
    return [
        AttackedDocument(new.text, new.sensitive, old.text) for old, new in zip(before, after, strict=True)
    ]


def _classes(documents: Sequence[LabelledDocument]) -> list[str]:
    return [document.sensitive for document in documents]


def _successes(
    model: ClassModel,
    cases: Sequence[AttackedDocument],
    corpus: Sequence[LabelledDocument] | None,
    guesses: int,
    *,
    leave_out: bool,
) -> list[Success]:
    from efface.attacks.classes import Success, attack_cases, attack_with_model, attack_with_readers, chance

    by_chance = chance(model.sensitive.documents.tolist(), guesses)
    own = {"naive-bayes": attack_with_model(model, cases, learned=leave_out)}
    own |= {f"reader {name}": found for name, found in attack_with_readers(model, cases).items()}
    guess = max(found.rank_guess(guesses) for found in own.values())
    known = [found.success(name, guesses, by_chance, planned=True) for name, found in own.items()]
    known.append(Success("rank-guess", guesses, None, guess, by_chance, len(cases)))
    ranks: dict[str, RankedDocuments] = {}
    if corpus is not None:
        try:
            ranks |= attack_cases(corpus, cases)
        except ImportError:
            fail("The stronger attackers need scikit-learn.", "pip install 'efface[attacks]'")
    return [*known, *(found.success(name, guesses, by_chance) for name, found in ranks.items())]


def _adaptive(
    model: ClassModel,
    cases: Sequence[AttackedDocument],
    corpus: Sequence[LabelledDocument] | None,
    guesses: int,
    k: int | None,
) -> list[Success]:
    """The reader who learned from redacted documents: from the others that were released, and from a redacted corpus."""
    from efface.attacks.classes import attack_from_redacted, chance

    teaching: list[LabelledDocument] = []
    if corpus is not None and k is not None:
        from efface.guarantees.confusability.rounds import as_released

        attacked = {case.original for case in cases}
        others = [document for document in corpus if document.text not in attacked]
        with progressing("redacting the corpus for an attacker") as progress:
            teaching = list(as_released(model, others, k, progress))
    by_chance = chance(model.sensitive.documents.tolist(), guesses)
    try:
        return [attack_from_redacted(cases, teaching).success("redacted", guesses, by_chance)]
    except ImportError:
        if corpus is None:  # without a corpus, scikit-learn was not asked for
            return []
        raise


def _all_ranks(
    model: ClassModel, cases: Sequence[AttackedDocument], guesses: int, k: int | None
) -> list[Success]:
    """An attacker who knows k and has all readers takes the class that none ranks better than k and all together rank
    best."""
    from efface.attacks.classes import RankedDocuments, chance
    from efface.attacks.known_method import RankedText, joint_ranks

    if k is None or len(model.readers) < 2:
        return []
    by_chance = chance(model.sensitive.documents.tolist(), guesses)
    texts = [RankedText.of(model, case.released, case.truth) for case in cases]
    return [
        RankedDocuments(None, ranks).success(f"all-ranks {name}", guesses, by_chance)
        for name, ranks in joint_ranks(texts, k).items()
    ]


def _endpoint(url: str, model: str, key: str | None) -> ChatEndpoint:
    from efface.attacks.language_model import ChatEndpoint

    if key is None:
        return ChatEndpoint(url, model)
    kind, _, name = key.partition(":")
    value = os.environ.get(name, "") if kind == "env" else ""
    if not value:
        fail("--llm-key names no environment variable that holds a key.", "Write env:NAME, and set NAME.")
    return ChatEndpoint(url, model, value)


def _language_model_success(
    endpoint: ChatEndpoint,
    model: ClassModel,
    cases: Sequence[AttackedDocument],
    guesses: int,
    notes: list[str],
) -> Success:
    from efface.attacks.classes import chance
    from efface.attacks.language_model import attack_with_language_model

    with progressing("asking the language model") as progress:
        asked = attack_with_language_model(endpoint, model.sensitive.names, cases, progress)
    notes.append(
        f"{counted(len(cases), 'released document')} were sent to the language model at {endpoint.host}"
        f" ({asked.unanswered} answers named no class)"
    )
    by_chance = chance(model.sensitive.documents.tolist(), guesses)
    return asked.ranks.success("language-model", guesses, by_chance)


def _rows(found: Sequence[Success]) -> list[dict[str, object]]:
    return [
        {
            "attacker": one.attacker,
            "guesses": one.guesses,
            "before": None if one.before is None else round(one.before, 4),
            "after": round(one.after, 4),
            "chance": round(one.chance, 4),
            "documents": one.documents,
            "planned": one.planned,
        }
        for one in found
    ]


def _json(found: Sequence[Success], notes: Sequence[str]) -> str:
    return json_of("attack", {"attackers": _rows(found), "notes": list(notes)})


def _show(found: Sequence[Success]) -> None:
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for heading in ("attacker", "before", "after", "chance"):
        table.add_column(heading, justify="left" if heading == "attacker" else "right")
    for one in found:
        before = "-" if one.before is None else f"{one.before:.1%}"
        table.add_row(_success_name(one), before, f"{one.after:.1%}", f"{one.chance:.1%}")
    say(_title(found))
    console().print(table)


def _success_name(one: Success) -> str:
    return f"{one.attacker} (planned against)" if one.planned else one.attacker


def _page(found: Sequence[Success], notes: Sequence[str]) -> str:
    """The figures as bars: before, after, and the mark of chance."""
    from efface.report.page import comparison_page

    rows = [(_success_name(one), one.before, one.after, one.chance) for one in found]
    title = ". ".join([_title(found), *notes])
    return comparison_page("efface: attack on classes", title, rows)


def _title(found: Sequence[Success]) -> str:
    guesses, documents = (
        counted(found[0].guesses, "guess", "guesses"),
        counted(found[0].documents, "document"),
    )
    return f"The true class named within {guesses} ({documents})"
