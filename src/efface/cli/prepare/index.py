"""`efface index`: build, follow and inspect the indexes of a policy's knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from efface.cli.shared import options
from efface.cli.shared.console import Stages, counted, counting, escape, fail, say, show_json

if TYPE_CHECKING:
    from efface.knowledge.entities.index import EntityIndex
    from efface.knowledge.entities.pattern_report import PatternReport

app = typer.Typer(no_args_is_help=True, help="Build and inspect the indexes of a policy's knowledge.")

SampleOption = Annotated[
    Path | None, typer.Option(help="A text in which to count what fits a pattern and is nobody's.")
]


@app.command("build")
def build(
    policy: options.NeededPolicy,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Entries of `knowledge`; all without.")
    ] = None,
    sample: SampleOption = None,
) -> None:
    """Build the index of the entities that a policy names, in place of one that may be there.

    Example: efface index build --policy policy.yaml patients
    """
    from efface.knowledge.entities.store import open_index
    from efface.policy.knowledge import build_index
    from efface.policy.model import load

    known = load(policy).knowledge
    if not known:
        fail("The policy has no `knowledge`, so there is nothing to index.", "See docs/policy.md.")
    for name in names or known:
        _require(name, known)
        with counting(f"indexing {name}", "entities") as count:
            path = build_index(name, known[name], policy.parent, count)
        index = open_index(path)
        say(f"[green]{counted(len(index), 'entity', 'entities')} of {escape(name)}[/] → {escape(str(path))}")
        if known[name].patterns:
            _say_patterns(_patterns(index, sample))


def _require(name: str, known: Mapping[str, object]) -> None:
    if name not in known:
        fail(f"The policy's `knowledge` has no entry {name}.", "Check the name.")


@app.command("follow")
def follow(policy: options.NeededPolicy) -> None:
    """Make the databases with `follow` record their changes, so that indexes are mended, not rebuilt.

    Example: efface index follow --policy policy.yaml
    """
    from efface.policy import knowledge as sources
    from efface.policy.model import load

    followed = {name: entry for name, entry in load(policy).knowledge.items() if entry.followed}
    if not followed:
        fail("No entry of the policy's `knowledge` has `follow`.", "Add `follow: true` to one.")
    for name, knowledge in followed.items():
        sources.follow(knowledge, policy.parent)
        say(f"[green]{escape(name)}[/] is followed: {escape(', '.join(knowledge.followed))}")


@app.command("watch")
def watch(
    policy: options.NeededPolicy,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="An entry of `knowledge` with `follow`.", show_default=False),
    ],
) -> None:
    """Mend an index as its database changes, until interrupted. Only a convenience: each use mends it too.

    Example: efface index watch --policy policy.yaml patients
    """
    from efface.policy import knowledge as sources
    from efface.policy.model import load

    chosen = load(policy)
    _require(name, chosen.knowledge)
    for changed in sources.watch(name, chosen.knowledge[name], policy.parent):
        if changed:
            say(f"[green]{escape(name)}[/] is up to date")


@app.command("info")
def info(
    path: Annotated[Path, typer.Argument(metavar="INDEX", help="The index.", show_default=False)],
    sample: SampleOption = None,
    as_json: options.Json = False,
) -> None:
    """Check an index whole and say what is in it, and how often its patterns fit what they should not.

    Example: efface index info patients.index
    """
    from efface.knowledge.entities.store import open_index

    with Stages("checking"):
        index = open_index(path)
        patterns = _patterns(index, sample)
    facts = {
        "entities": len(index),
        "attributes": sorted({attribute.name for attribute in index.attributes}),
        "fuzzy": index.fuzzy,
        "fingerprint": index.fingerprint,
    }
    if as_json:
        found = [asdict(one) | {"false_positive_rate": one.false_positive_rate} for one in patterns]
        show_json("index", facts | {"patterns": found})
        return
    for name, value in facts.items():
        say(f"[dim]{name}[/]  {', '.join(value) if isinstance(value, list) else value}")
    _say_patterns(patterns)


def _patterns(index: EntityIndex, sample: Path | None) -> list[PatternReport]:
    from efface.files.local import read_input
    from efface.knowledge.entities.pattern_report import report_patterns

    text = read_input(sample).decode("utf-8", "replace") if sample is not None else ""
    return report_patterns(index, text)


def _say_patterns(patterns: list[PatternReport]) -> None:
    for found in patterns:
        line = f"[dim]pattern of {found.attribute}[/]  {escape(found.regex)}  fits "
        line += f"{found.false_positive_rate:.2%} of {found.values:,} values of other attributes"
        if found.words:
            line += f", and {found.fitting_places:,} places in {found.words:,} words that name nobody"
        say(line)
