"""`efface explain`: why a word of a file goes or stays."""

from __future__ import annotations

from typing import Annotated

import typer

from efface.cli.shared import options
from efface.cli.shared.console import say
from efface.cli.shared.one_document import DenyOption, HideOption, KeepOption, run_stage, sanitizer_of
from efface.cli.shared.show import explanations, require_terminal

Word = Annotated[str, typer.Argument(metavar="WORD", help="The word to explain.", show_default=False)]


def explain(
    source: options.Source,
    word: Word,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    deny: DenyOption = None,
    keep: KeepOption = None,
    hide: HideOption = None,
    max_size: options.MaxSize = 256,
) -> None:
    """Say for each place of a word why it goes or stays. Works on a terminal alone, for it prints the text.

    Example: efface explain note.docx Whitcombe
    """
    from efface.pipeline.sanitize import preview

    require_terminal("`efface explain`")
    sanitizer = sanitizer_of(policy, viewer, deny, keep, hide, max_size)
    result, _ = run_stage(preview, source, sanitizer, viewer)
    lines = list(explanations(result, word))
    for line in lines or ["The word does not stand in the text."]:
        say(f"  {line}")
