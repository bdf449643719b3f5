"""`efface who`: whom could a text be about, out of everybody known?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from efface.cli.shared import options
from efface.cli.shared.console import console, escape, say, show_json

if TYPE_CHECKING:
    from efface.knowledge.people.index import PeopleIndex


@dataclass(frozen=True)
class Likely:
    """One person who may be meant, for one reader."""

    rank: int
    person: str
    reader: str
    margin: float  # over the next one in the list
    words: tuple[str, ...]  # the reader's strongest evidence for this person over the others in the list


def who(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The document.", show_default=False)],
    people: Annotated[
        Path, typer.Option("--people", help="What `efface train people` wrote.", show_default=False)
    ],
    after: Annotated[
        Path | None, typer.Option(help="The same document as it was released.", show_default=False)
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many people to list.")] = 5,
    as_json: options.Json = False,
) -> None:
    """List the people whom a text is likeliest about, with the words that tell, before and after.

    Example: efface who note.txt --people people.index --after note.released.txt
    """
    from efface.formats.file_text import text_of
    from efface.knowledge.people.index import PeopleIndex

    index = PeopleIndex.open(people)
    found = {"before": likeliest(index, text_of(file), top)}
    if after is not None:
        found["after"] = likeliest(index, text_of(after), top)
    if as_json:
        rows = {when: list(map(asdict, some)) for when, some in found.items()}
        show_json("who", {"people": len(index.names), **rows})
        return
    for when, some in found.items():
        _show(when, some)


def likeliest(index: PeopleIndex, text: str, top: int) -> list[Likely]:
    """For each reader the people at the head of its list; none when no word of the text is known."""
    import numpy as np

    from efface.knowledge.classes.readers import NAIVE_BAYES

    model = index.model(text)
    text = model.undisguised(text)
    features, counts = model.bag(text)
    everybody = np.arange(len(model.sensitive.names))
    evidence = {NAIVE_BAYES: counts[:, None] * model.sensitive.rows(features)}
    for reader in model.others:
        evidence[reader.name] = reader.evidence(features, counts).of_classes(everybody)
    found: list[Likely] = []
    for name, scores in model.all_scores(text).items() if len(features) else ():
        told = evidence[name]
        order = np.argsort(-scores, kind="stable")[: top + 1]
        for place, person in enumerate(order[:top]):
            behind = scores[order[place + 1]] if place + 1 < len(order) else scores[person]
            telling = told[:, person] - told[:, order].mean(axis=1)
            words = [
                model.words[features[at]] for at in np.argsort(-telling, kind="stable")[:6] if telling[at] > 0
            ]
            rank = 1 + int((scores > scores[person]).sum())
            margin = round(float(scores[person] - behind), 3)
            found.append(Likely(rank, model.sensitive.names[person], name, margin, tuple(words)))
    return found


def _show(when: str, found: list[Likely]) -> None:
    from rich.table import Table

    if not found:
        say(f"{when}: no word of the text is known of anybody.")
        return
    table = Table(title=when, box=None, header_style="bold", title_justify="left")
    for heading in ("reader", "rank", "person", "margin", "words that tell"):
        table.add_column(heading)
    for one in found:
        table.add_row(
            one.reader, str(one.rank), escape(one.person), f"{one.margin:.2f}", escape(" ".join(one.words))
        )
    console().print(table)
