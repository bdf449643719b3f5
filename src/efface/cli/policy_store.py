"""`efface policy push`, `pull` and `diff`: policies in the store of a service."""

from __future__ import annotations

import difflib
import getpass
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from efface.cli.serve import ConfigOption, HomeOption, StoreOption, opened
from efface.cli.shared import options
from efface.cli.shared.console import fail, say

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The policy's name in the service.", show_default=False)
]
File = Annotated[
    Path,
    typer.Argument(
        metavar="POLICY",
        help="The policy (YAML); - is standard input.",
        show_default=False,
        allow_dash=True,
    ),
]


def push(
    name: Name,
    file: File,
    reason: Annotated[str, typer.Option("--reason", "-m", help="Why it changes.", show_default=False)],
    author: Annotated[
        str | None, typer.Option("--author", help="Who changes it.", show_default="your account")
    ] = None,
    base: Annotated[
        int | None,
        typer.Option(help="The version that you began with: a change made meanwhile is a conflict."),
    ] = None,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Store a new version of a policy, for every machine of the service.

    Example: efface policy push hospital hospital.yaml --reason "k raised to 5"
    """
    from efface.service.audit import Event
    from efface.service.auth.identity import team_of

    who = author or f"command line ({_account()})"
    with opened(home, config, store) as service:
        change = service.policies.change(name, _read(file), who, reason)
        with service.trail.recording() as record:
            made = service.policies.stored.push(change, base=base)
            facts = {"version": str(made.version), "state": made.state, "digest": made.digest}
            record(Event.of(who, "change policy", name, team=team_of(name), **facts, reason=reason))
    waits = "; it takes effect when an administrator approves it" if made.state == "pending" else ""
    say(f"[bold]{name}[/] version {made.version} is [green]{made.state}[/]{waits}")


def pull(
    name: Name,
    output: options.OutputFile,
    force: options.Force = False,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Write the version that the service uses to a file.

    Example: efface policy pull hospital -o hospital.yaml
    """
    from efface.files.local import write_output

    with opened(home, config, store) as service:
        found = service.policies.stored.active(name)
    if found is None:
        fail("The store has no policy of this name.", "`efface policy push` stores one.")
    write_output(output, found.text.encode(), force=force)
    say(f"[bold]{name}[/] version {found.version}")


def diff(
    name: Name, file: File, home: HomeOption = None, config: ConfigOption = None, store: StoreOption = None
) -> None:
    """Compare a file with the version that the service uses. Exit code 3 if they differ.

    Example: efface policy diff hospital hospital.yaml
    """
    with opened(home, config, store) as service:
        found = service.policies.stored.active(name)
    stored = found.text.splitlines() if found else []
    mine = _read(file).decode("utf-8-sig", "replace").splitlines()
    label = f"{name} (version {found.version})" if found else f"{name} (not stored)"
    lines = list(difflib.unified_diff(stored, mine, label, str(file), lineterm=""))
    for line in lines:
        typer.echo(line)
    raise typer.Exit(3 if lines else 0)


def _account() -> str:
    """The name of one's account, or its number in a container whose accounts have no names."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def _read(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError:
        fail(f"{file} cannot be read.", "Check its name.")
