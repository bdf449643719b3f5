"""`efface train` and `efface corpus`: learn what an attacker may know."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import typer

from efface import cli_options as options
from efface.console import counted, counting, escape, fail, progressing, say, show_json

train_app = typer.Typer(no_args_is_help=True, help="Learn the models that guarantees stand on.")
corpus_app = typer.Typer(
    no_args_is_help=True, help="Count what the world writes, for the semantic guarantee."
)


@train_app.command("classes")
def train_classes(
    corpus: Annotated[
        Path,
        typer.Argument(metavar="CORPUS", help="JSON lines, CSV, or a folder a class.", show_default=False),
    ],
    output: options.Model,
    sensitive: Annotated[str, typer.Option(help="The field with the class to hide.")] = "sensitive",
    utility: Annotated[
        list[str] | None, typer.Option(metavar="FIELD", help="A field with a category that may show.")
    ] = None,
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
        typer.Option(help="Other names of the classes, YAML or JSON.", show_default=False),
    ] = None,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Learn to tell classes (clients, authors, diseases) from labelled documents.

    Example: efface train classes memos.jsonl -o clients.model --sensitive client --utility industry
    """
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
    from efface.texts import text_of

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
        model = train(read_corpus(corpus, fields, progress, text_of), settings, names)
    save(model, output, force=force)
    empty = empty_classes(corpus, fields)
    wordless = list(
        itertools.compress(model.sensitive.names, (model.sensitive.counts.sum(axis=0) == 0).tolist())
    )
    classes, words = len(model.sensitive.names), len(model.words)
    if as_json:
        facts = {"classes": classes, "words": words, "without_documents": empty, "without_words": wordless}
        show_json("classes", facts)
        return
    say(f"[green]{counted(classes, 'class', 'classes')}, {counted(words, 'word')}[/] → {escape(str(output))}")
    for name in empty:
        say(f"  [yellow]note[/] the class {escape(name)} has no documents and is not in the model")
    for name in wordless:
        say(
            f"  [yellow]note[/] the class {escape(name)} has no words that count: only its frequency is known"
        )


@corpus_app.command("build")
def corpus_build(
    files: Annotated[
        list[Path], typer.Argument(metavar="IN", help="JSON lines, texts or folders.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The index to write.", show_default=False)],
    attribution: Annotated[str, typer.Option(help="Whose texts these are.")] = "",
    rare: Annotated[
        bool,
        typer.Option("--rare", help="Words of one or two documents too: they say most, and name people."),
    ] = False,
    force: options.Force = False,
) -> None:
    """Index which documents hold which words and phrases. The index holds no text.

    Example: efface corpus build articles.jsonl -o own.corpus --attribution "Our articles"
    """
    from efface.files import check_output
    from efface.knowledge.corpus import open_corpus
    from efface.knowledge.corpus_build import build

    check_output(output, force=force)
    for path in files:
        if not path.exists():
            fail(f"{path} does not exist.", "Check the path.")
    with counting("counting", "documents") as count:
        build(files, output, count, attribution=attribution, rare=rare, force=force)
    say(f"[green]{counted(open_corpus(output).documents, 'document')}[/] → {escape(str(output))}")
