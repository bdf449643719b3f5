"""`efface train` and `efface corpus`: learn what an attacker may know."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from efface.cli.shared import options
from efface.cli.shared.console import counted, counting, escape, fail, progressing, say, show_json

if TYPE_CHECKING:
    from efface.knowledge.classes import ClassModel, RecordFields, TrainingSettings

train_app = typer.Typer(no_args_is_help=True, help="Learn the models that guarantees stand on.")
corpus_app = typer.Typer(
    no_args_is_help=True, help="Count what the world writes, for the semantic guarantee."
)


CorpusArgument = Annotated[
    Path,
    typer.Argument(metavar="CORPUS", help="JSON lines, CSV, or a folder a class.", show_default=False),
]
SensitiveOption = Annotated[str, typer.Option(help="The field with the class to hide.")]
UtilityOption = Annotated[
    list[str] | None, typer.Option(metavar="FIELD", help="A field with a category that may show.")
]
TextOption = Annotated[str, typer.Option(help="The field with the text.")]
FeaturesOption = Annotated[
    int | None,
    typer.Option(min=1, help="At most so many words, by mutual information.", show_default="every word"),
]
ReaderOption = Annotated[
    list[str] | None,
    typer.Option(metavar="READER", help="A reader to learn; may be repeated.", show_default="all of them"),
]
MinCountOption = Annotated[int, typer.Option(min=1, help="Words seen less often are dropped.")]
NgramsOption = Annotated[int, typer.Option(min=1, max=3, help="The longest run of words that counts.")]
StopWordsOption = Annotated[
    Path | None,
    typer.Option(help="Words to leave out, one a line, in place of the English ones.", show_default=False),
]
AliasesOption = Annotated[
    Path | None,
    typer.Option(help="Other names of the classes, YAML or JSON.", show_default=False),
]
RoundsOption = Annotated[
    int, typer.Option(min=0, max=5, help="How often readers learn again from the documents as redacted.")
]
KOption = Annotated[int, typer.Option("-k", min=2, help="The k of these redactions.")]


@train_app.command("classes")
def train_classes(
    corpus: CorpusArgument,
    output: options.Model,
    sensitive: SensitiveOption = "sensitive",
    utility: UtilityOption = None,
    text: TextOption = "text",
    features: FeaturesOption = None,
    reader: ReaderOption = None,
    min_count: MinCountOption = 2,
    ngrams: NgramsOption = 1,
    stop_words: StopWordsOption = None,
    aliases: AliasesOption = None,
    rounds: RoundsOption = 0,
    k: KOption = 3,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Learn to tell classes (clients, authors, diseases) from labelled documents.

    Example: efface train classes memos.jsonl -o clients.model --sensitive client --utility industry
    """
    from efface.files.local import check_output
    from efface.knowledge.classes import (
        RecordFields,
        TrainingSettings,
        empty_classes,
        read_aliases,
        read_words,
        save,
    )
    from efface.knowledge.classes.words import STOP_WORDS

    check_output(output, force=force)
    fields = RecordFields(sensitive, tuple(utility or ()), text)
    settings = TrainingSettings(
        features=features,
        readers=_readers(reader),
        min_count=min_count,
        ngrams=ngrams,
        stop_words=STOP_WORDS if stop_words is None else read_words(stop_words),
        sensitive=sensitive,
        utility=fields.utility,
    )
    names = read_aliases(aliases) if aliases is not None else {}
    model = _learned(corpus, fields, settings, names, rounds, k)
    save(model, output, force=force)
    _show_classes(model, empty_classes(corpus, fields), output, as_json=as_json)


def _learned(
    corpus: Path,
    fields: RecordFields,
    settings: TrainingSettings,
    names: Mapping[str, tuple[str, ...]],
    rounds: int,
    k: int,
) -> ClassModel:
    from efface.formats.file_text import text_of
    from efface.knowledge.classes import read_corpus, train

    with progressing("learning") as progress:
        documents = read_corpus(corpus, fields, progress, text_of)
        if not rounds:
            return train(documents, settings, names)
        known = list(documents)
    from efface.guarantees.confusability.rounds import train_in_rounds

    with progressing("learning from redacted documents") as progress:
        return train_in_rounds(known, settings, names, rounds, k, progress)


@train_app.command("people")
def train_people(
    background: Annotated[
        Path,
        typer.Argument(
            metavar="BACKGROUND", help="JSON lines, CSV, or a folder a person.", show_default=False
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The index to write.", show_default=False)],
    person: Annotated[str, typer.Option(help="The field with the person's name.")] = "person",
    text: Annotated[str, typer.Option(help="The field with what is known.")] = "background",
    add: Annotated[bool, typer.Option("--add", help="Add to the index, without building it again.")] = False,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Index what is known of people: who could a text be about?

    Example: efface train people biographies.jsonl -o people.index
    """
    from efface.formats.file_text import text_of
    from efface.knowledge.classes import RecordFields, read_corpus
    from efface.knowledge.people.build import build_people

    with progressing("indexing") as progress:
        documents = read_corpus(background, RecordFields(person, (), text), progress, text_of)
        people = build_people(documents, output, add=add, force=force)
    if as_json:
        show_json("people", {"people": people})
        return
    say(f"[green]{counted(people, 'person', 'people')}[/] → {escape(str(output))}")


def _readers(asked: list[str] | None) -> tuple[str, ...]:
    from efface.knowledge.classes.readers import READERS

    for name in asked or ():
        if name not in READERS:
            fail(f"There is no reader {name}.", f"Choose from {', '.join(READERS)}.")
    return READERS if not asked else tuple(name for name in READERS if name in asked)


def _show_classes(model: ClassModel, empty: tuple[str, ...], output: Path, *, as_json: bool) -> None:
    """Prints what was learned, and the classes of which little or nothing was learned."""
    silent = model.sensitive.counts.sum(axis=0) == 0
    wordless = list(itertools.compress(model.sensitive.names, silent.tolist()))
    classes, words = len(model.sensitive.names), len(model.words)
    if as_json:
        facts = {
            "classes": classes,
            "words": words,
            "readers": model.readers,
            "without_documents": empty,
            "without_words": wordless,
        }
        show_json("classes", facts)
        return
    say(f"[green]{counted(classes, 'class', 'classes')}, {counted(words, 'word')}[/] → {escape(str(output))}")
    say(f"  readers: {', '.join(model.readers)}")
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
    from efface.files.local import check_output
    from efface.knowledge.corpus.build import build
    from efface.knowledge.corpus.counts import open_corpus

    check_output(output, force=force)
    for path in files:
        if not path.exists():
            fail(f"{path} does not exist.", "Check the path.")
    with counting("counting", "documents") as count:
        build(files, output, count, attribution=attribution, rare=rare, force=force)
    say(f"[green]{counted(open_corpus(output).documents, 'document')}[/] → {escape(str(output))}")
