"""`efface train` and `efface attack`: learn what an attacker may learn, and attack what was released."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from efface.console import counting, say

train_app = typer.Typer(no_args_is_help=True, help="Learn the models that guarantees stand on.")
corpus_app = typer.Typer(
    no_args_is_help=True, help="Count what the world writes, for the semantic guarantee."
)
attack_app = typer.Typer(
    no_args_is_help=True, help="Attack what was released, by attackers of several kinds."
)

ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@train_app.command("classes")
def train_classes(
    corpus: Annotated[Path, typer.Argument(help="JSON lines, CSV, or a folder a class.", show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model to write.", show_default=False)],
    sensitive: Annotated[str, typer.Option(help="The field with the class to hide.")] = "sensitive",
    utility: Annotated[list[str] | None, typer.Option(help="A field with a category that may show.")] = None,
    text: Annotated[str, typer.Option(help="The field with the text.")] = "text",
    features: Annotated[int, typer.Option(min=1, help="Words kept, by mutual information.")] = 10_000,
    min_count: Annotated[int, typer.Option(min=1, help="Words seen less often are dropped.")] = 2,
    ngrams: Annotated[int, typer.Option(min=1, max=3, help="The longest run of words that counts.")] = 1,
    force: ForceOption = False,
) -> None:
    """Learn to tell classes (clients, authors, diseases) from labelled documents."""
    from efface.files import check_output
    from efface.knowledge.classes import Fields, Settings, read_corpus, save, train

    check_output(output, force=force)
    fields = Fields(sensitive, tuple(utility or ()), text)
    with counting("learning", "bytes") as count:
        documents = read_corpus(corpus, fields, lambda done, _total: count(done))
        model = train(documents, Settings(features=features, min_count=min_count, ngrams=ngrams))
    save(model, output, force=force)
    say(f"[green]{len(model.sensitive.names)} classes, {len(model.words)} words[/] → {output}")


@corpus_app.command("build")
def corpus_build(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES…", help="JSON lines, texts or folders.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The index to write.", show_default=False)],
    attribution: Annotated[str, typer.Option(help="Whose texts these are.")] = "",
    force: ForceOption = False,
) -> None:
    """Index which documents hold which words and phrases. The index holds no text."""
    from efface.files import check_output
    from efface.knowledge.corpus import open_corpus
    from efface.knowledge.corpus_build import build

    check_output(output, force=force)
    with counting("counting", "documents") as count:
        build(files, output, count, attribution=attribution, force=force)
    say(f"[green]{open_corpus(output).documents:,} documents[/] → {output}")


@attack_app.command("classes")
def attack_classes(
    released: Annotated[
        Path, typer.Argument(help="Released documents with their true classes.", show_default=False)
    ],
    model: Annotated[
        Path, typer.Option("--model", "-m", help="The model of the guarantee.", show_default=False)
    ],
    sensitive: Annotated[str, typer.Option(help="The field with the true class.")] = "sensitive",
    text: Annotated[str, typer.Option(help="The field with the text.")] = "text",
    guesses: Annotated[int, typer.Option(min=1, help="How many guesses the attacker has.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Say how often the model names the true class of what was released, next to chance."""
    from efface.attacks.classes import Case, attack_with_model, chance
    from efface.knowledge.classes import Fields, load, read_corpus

    learned = load(model)
    cases = [Case(d.text, d.sensitive) for d in read_corpus(released, Fields(sensitive, (), text))]
    shares = learned.sensitive.documents.tolist()
    success = attack_with_model(learned, cases).success("naive Bayes", guesses, chance(shares, guesses))
    answer = {
        "attacker": success.attacker,
        "guesses": success.guesses,
        "success": round(success.after, 4),
        "chance": round(success.chance, 4),
        "documents": success.documents,
    }
    if as_json:
        typer.echo(json.dumps(answer))
    else:
        say(
            f"{success.attacker}, {guesses} guesses, {success.documents} documents: "
            f"[bold]{success.after:.1%}[/] named, chance {success.chance:.1%}"
        )
