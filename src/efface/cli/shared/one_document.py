"""What the commands on single documents share: the policy with the command line's lists, and the run itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from efface.cli.shared import options
from efface.cli.shared.console import Stages, fail

if TYPE_CHECKING:
    from efface.api.sanitizer import Sanitizer
    from efface.core import Report, Verdict
    from efface.pipeline.bound import BoundPolicy
    from efface.policy.guarantee_entries import GuaranteeEntry

DenyOption = Annotated[list[str] | None, typer.Option("--deny", metavar="TERM", help="A term that must go.")]
KeepOption = Annotated[list[str] | None, typer.Option("--keep", metavar="TERM", help="A term that may stay.")]
HideOption = Annotated[
    list[str] | None,
    typer.Option(
        "--hide", metavar="ENTITY[:BROADER]", help="Hide an entity; the text may say no more than BROADER."
    ),
]

Stage = Callable[..., "Report"]  # `sanitize`, or another flow with its arguments


def sanitizer_of(
    policy: Path | None,
    viewer: str | None,
    deny: list[str] | None,
    keep: list[str] | None,
    hide: list[str] | None,
    max_size: int,
) -> Sanitizer:
    """The policy with the command line's own lists added."""
    from efface.api.sanitizer import Sanitizer
    from efface.policy.entries import DenyEntry

    chosen = options.load_policy(policy, viewer)
    for option, terms in (("--deny", deny), ("--keep", keep), ("--hide", hide)):
        if any(not term.strip() for term in terms or ()):
            fail(f"{option} needs a term.", "Give the word or phrase itself.")
    denied = tuple(DenyEntry(term=term) for term in deny or ())
    kept = tuple(DenyEntry(term=term) for term in keep or ())
    find = chosen.find.model_copy(update={"deny": chosen.find.deny + denied, "keep": chosen.find.keep + kept})
    update = {"find": find, "guarantees": (*chosen.guarantees, *_hiding(hide or ()))}
    folder = policy.parent if policy else Path()
    return Sanitizer(chosen.model_copy(update=update), folder, max_size << 20)


def _hiding(hide: Sequence[str]) -> tuple[GuaranteeEntry, ...]:
    """The semantic guarantee that `--hide` asks for: each entry is a word, or a word, a colon and a broader one."""
    from efface.policy.guarantee_entries import GuaranteeEntry, SemanticEntry

    if not hide:
        return ()
    hidden: dict[str, str | None] = {}
    for entry in hide:
        name, _, broader = entry.partition(":")
        hidden[name.strip()] = broader.strip() or None
    return (GuaranteeEntry(semantic=SemanticEntry(hide=hidden)),)


def run_stage(
    stage: Stage, source: Path, sanitizer: Sanitizer, viewer: str | None
) -> tuple[Report, BoundPolicy]:
    from efface.files.local import read_input

    with Stages() as stages:
        stages.watch("opening")
        bound = sanitizer.bind(viewer)
        result = stage(read_input(source, sanitizer.max_bytes), source.name, bound, stages.watch)
    return result, bound


def exit_code(verdict: Verdict, allow_unproven: bool) -> int:
    from efface.core import Verdict

    if verdict is Verdict.HELD:
        return 0
    return 4 if verdict is Verdict.UNPROVEN and allow_unproven else 3


def dump(value: dict[str, Any], indent: int | None = 2) -> str:
    import json

    return json.dumps(value, ensure_ascii=True, indent=indent)
