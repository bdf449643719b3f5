"""Arguments and options that several commands have: one word, one meaning, one default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from efface.cli.shared.console import fail

if TYPE_CHECKING:
    from efface.policy import model as policies

Source = Annotated[Path, typer.Argument(metavar="IN", help="The file to read.", show_default=False)]
Sources = Annotated[list[Path], typer.Argument(metavar="IN", help="The files to read.", show_default=False)]
Labelled = Annotated[
    Path,
    typer.Argument(
        metavar="LABELLED",
        help="CoNLL (IOB2), JSON lines with spans or tags, or a folder of brat.",
        show_default=False,
    ),
]


Policy = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        "-p",
        help="The policy (YAML), or a preset such as `patterns`. Without one: names and patterns.",
    ),
]
NeededPolicy = Annotated[Path, typer.Option("--policy", "-p", help="The policy (YAML).", show_default=False)]
Viewer = Annotated[
    str | None, typer.Option("--viewer", help="Who will read it, as the policy's database knows them.")
]

OutputFile = Annotated[Path, typer.Option("--output", "-o", help="The file to write.", show_default=False)]
Model = Annotated[Path, typer.Option("--output", "-o", help="The model to write.", show_default=False)]
AllowUnproven = Annotated[
    bool,
    typer.Option(
        "--allow-unproven",
        help="Write although something was not looked at, or a guarantee speaks of a whole release.",
    ),
]
Show = Annotated[
    bool, typer.Option("--show", help="Print the words themselves, each in its line. On a terminal alone.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print JSON for machines, one line a document.")]
MaxSize = Annotated[int, typer.Option("--max-size", min=1, help="The largest document, in MiB.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same result.")]


def check_ending(
    path: Path | None, what: str = "report", endings: tuple[str, str] = (".json", ".html")
) -> None:
    """Check the ending before any work, because it decides what kind of file is written."""
    if path is not None and path.suffix.lower() not in endings:
        fail(f"{path}: a {what} is {' or '.join(endings)}.", "Change the ending.")


def load_policy(path: Path | None, viewer: str | None) -> policies.Policy:
    """The policy that was asked for. A viewer is refused where no guarantee of the policy uses one."""
    from efface.policy import model as policies

    chosen = policies.load(path) if path else policies.Policy()
    asks = any(
        entry.k_safety is not None and entry.k_safety.protect == "denied" for entry in chosen.guarantees
    )
    if viewer is not None and not asks:
        fail(
            "The policy asks about no viewer, so --viewer would change nothing.",
            "Give a policy with `protect: denied`, or leave --viewer out.",
        )
    return chosen
