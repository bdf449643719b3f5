"""`efface train` and `efface corpus`: learn what an attacker may know."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import typer

from efface.console import counting, escape, progressing, say

train_app = typer.Typer(no_args_is_help=True, help="Learn the models that guarantees stand on.")
corpus_app = typer.Typer(
    no_args_is_help=True, help="Count what the world writes, for the semantic guarantee."
)

ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]


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
    stop_words: Annotated[
        Path | None,
        typer.Option(
            help="Words to leave out, one a line, in place of the English ones.", show_default=False
        ),
    ] = None,
    aliases: Annotated[
        Path | None,
        typer.Option(help="Other names of the classes, YAML or JSON: class: [names].", show_default=False),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Learn to tell classes (clients, authors, diseases) from labelled documents."""
    from efface.files import check_output
    from efface.knowledge.classes import (
        Fields,
        Settings,
        empty_classes,
        read_aliases,
        read_corpus,
        read_words,
        save,
        train,
    )
    from efface.knowledge.classes_words import STOP_WORDS

    check_output(output, force=force)
    fields = Fields(sensitive, tuple(utility or ()), text)
    settings = Settings(
        features=features,
        min_count=min_count,
        ngrams=ngrams,
        stop_words=STOP_WORDS if stop_words is None else read_words(stop_words),
        sensitive=sensitive,
        utility=fields.utility,
    )
    names = read_aliases(aliases) if aliases is not None else {}
    with progressing("learning") as progress:
        model = train(read_corpus(corpus, fields, progress, _text), settings, names)
    save(model, output, force=force)
    for name in empty_classes(corpus, fields):
        say(f"[yellow]note[/] the class {escape(name)} has no documents and is not in the model")
    wordless = model.sensitive.counts.sum(axis=0) == 0
    for name in itertools.compress(model.sensitive.names, wordless.tolist()):
        say(f"[yellow]note[/] the class {escape(name)} has no words that count: only its frequency is known")
    say(f"[green]{len(model.sensitive.names)} classes, {len(model.words)} words[/] → {output}")


@corpus_app.command("build")
def corpus_build(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES…", help="JSON lines, texts or folders.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The index to write.", show_default=False)],
    attribution: Annotated[str, typer.Option(help="Whose texts these are.")] = "",
    rare: Annotated[
        bool,
        typer.Option("--rare", help="Words of one or two documents too: they say most, and name people."),
    ] = False,
    force: ForceOption = False,
) -> None:
    """Index which documents hold which words and phrases. The index holds no text."""
    from efface.files import check_output
    from efface.knowledge.corpus import open_corpus
    from efface.knowledge.corpus_build import build

    check_output(output, force=force)
    with counting("counting", "documents") as count:
        build(files, output, count, attribution=attribution, rare=rare, force=force)
    say(f"[green]{open_corpus(output).documents:,} documents[/] → {output}")


def _text(path: Path) -> str:
    """A file of a folder of classes, in any format that efface reads."""
    from efface.files import read_input
    from efface.formats import detect, get_format

    data = read_input(path)
    return get_format(detect(path.name, data)).read(data, path.name).text
