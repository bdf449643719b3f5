"""`efface policy`: check, print and equip policies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from efface.cli.shared import options
from efface.cli.shared.console import Stages, escape, say, show_json

app = typer.Typer(no_args_is_help=True, help="Check, print and equip policies.")


@app.command("check")
def check(
    path: Annotated[Path, typer.Argument(metavar="POLICY", help="The policy (YAML).", show_default=False)],
) -> None:
    """Say whether a policy is right; a mistake names its line.

    Example: efface policy check policy.yaml
    """
    from efface.api.sanitizer import Sanitizer

    with Stages("opening"):
        bound = Sanitizer.from_policy(path).bind()
    say(f"[green]{escape(str(path))} is a valid policy.[/]")
    for note in bound.notes:
        say(escape(note))


@app.command("example")
def example() -> None:
    """Print a policy to start from.

    Example: efface policy example
    """
    from efface.policy import model as policy

    typer.echo(policy.example(), nl=False)


@app.command("preset")
def preset(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="names, patterns, hipaa-like, gdpr-special, health, money, politics-religion, sexuality or crime.",
            show_default=False,
        ),
    ],
) -> None:
    """Print a ready policy for common rules; `--policy NAME` uses it as it is.

    Example: efface policy preset hipaa-like
    """
    from efface.policy import model as policy

    typer.echo(policy.preset(name), nl=False)


@app.command("key")
def key() -> None:
    """Print a new random key for hash, encrypt, surrogate and shift.

    Example: efface policy key
    """
    import secrets

    typer.echo(secrets.token_urlsafe(32))


@app.command("types")
def types(as_json: options.Json = False) -> None:
    """List the types that the patterns find.

    Example: efface policy types
    """
    from efface.finders.patterns.finder import TYPES

    if as_json:
        show_json("types", {"types": dict(TYPES)})
    else:
        for name, description in sorted(TYPES.items()):
            say(f"[bold]{name}[/]  {description}")
