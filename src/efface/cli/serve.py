"""`efface serve`, `efface token` and `efface audit`: the service from the command line."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from efface.cli.shared import options
from efface.cli.shared.console import COLOURS, Stages, counted, escape, fail, say, show_json

if TYPE_CHECKING:
    from efface.service.app import Service
    from efface.service.audit import Event, Record, TrailCheck
    from efface.service.settings import ServiceSettings

token_app = typer.Typer(no_args_is_help=True, help="Who may use the service: users and their tokens.")
audit_app = typer.Typer(no_args_is_help=True, help="The service's audit trail.")

HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home", help="The service's folder: store, files, policies, key.", show_default="efface-home"
    ),
]
ConfigOption = Annotated[Path | None, typer.Option("--config", "-c", help="The service's settings (YAML).")]
StoreOption = Annotated[
    str | None, typer.Option("--store", help="PostgreSQL for several processes and machines: its URL.")
]


def serve(
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
    host: Annotated[
        str | None, typer.Option(help="The address to listen on.", show_default="127.0.0.1")
    ] = None,
    port: Annotated[int | None, typer.Option(help="The port.", show_default="8000")] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes.", show_default="1")] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Bring the demo's hospital, its people, and a memo to review.")
    ] = False,
) -> None:
    """Serve documents over HTTP, each as its viewer may see it.

    Example: efface serve --demo --home /tmp/try
    """
    settings = _settings(home, config, store, host=host, port=port, workers=workers)
    from efface.service.server import run

    _require_address(settings)
    service = _open(settings)
    try:
        _greet(service, demo)
    finally:
        service.trail.close()
        service.store.close()
    if not run(settings):
        raise typer.Exit(3)


def _require_address(settings: ServiceSettings) -> None:
    """Check that the service can listen on the address, before a token is shown that would be useless."""
    import socket

    try:
        kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        with socket.socket(kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((settings.host, settings.port))
    except OSError:
        fail("The service cannot listen there.", "Is the port taken? Choose another with --port, or --host.")


def _greet(service: Service, demo: bool) -> None:
    """Tokens are printed here and nowhere else, and only to somebody who sits there: what no terminal takes is kept in
    the logs of a container or a system."""
    from efface.service.audit import Event
    from efface.service.auth.tokens import first_run

    if sys.stdout.isatty() or demo:
        with service.trail.recording() as record:
            id, token = first_run(service.people) or ("", None)
            if token is not None:
                record(Event.of("command line", "issue token", id, user="admin"))
        if token is not None:
            say(f"[bold]admin[/]  {token}")
            say("[dim]This token is shown once. Keep it; `efface token issue admin` makes another.[/]")
    elif not service.people.all():
        say("Nobody can sign in yet: `efface token issue admin --role admin` makes the first token.")
    if demo:
        from efface.service.demo import bring

        for name, issued in bring(service).items():
            say(f"[bold]{name}[/]  {issued}")
    settings = service.settings
    say(
        f"[green]efface[/] at http://{escape(settings.host)}:{settings.port}  [dim]({escape(str(settings.home))})[/]"
    )


@token_app.command("issue")
def issue(
    user: Annotated[str, typer.Argument(metavar="USER", help="Whose token it is.", show_default=False)],
    role: Annotated[
        Literal["admin", "reviewer", "reader"] | None,
        typer.Option(help="Make the user, or change their role."),
    ] = None,
    team: Annotated[str, typer.Option(help="The team that the role is for.", show_default="main")] = "main",
    viewer: Annotated[str | None, typer.Option(help="Who they are to the databases of the policies.")] = None,
    scopes: Annotated[
        list[str] | None, typer.Option("--scope", metavar="SCOPE", help="Less than the role allows.")
    ] = None,
    label: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: Annotated[float | None, typer.Option(help="How long it lives; for ever without.")] = None,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Make a token, which is printed once.

    Example: efface token issue rao --role reader --viewer dr_rao --days 90
    """
    from efface.service.audit import Event

    with opened(home, config, store, fresh=True) as service:
        if role is None and service.people.get(user) is None:
            fail("There is no such user.", "Add --role to make one.")
        with service.trail.recording() as record:
            if role is not None:
                record(_put(service, user, role, team, viewer))
            id, token = service.people.issue(user, scopes, label, days)
            record(Event.of("command line", "issue token", id, user=user))
    typer.echo(token)


def _put(service: Service, user: str, role: str, team: str, viewer: str | None) -> Event:
    """Make a user, or change their role in a team. The record of it is the caller's to write."""
    from efface.service.audit import Event
    from efface.service.auth.identity import MAIN

    known = service.people.get(user)
    if team == MAIN:
        service.people.put(user, role, viewer)
    elif known is None or viewer is not None:
        others = dict(known.teams) if known else {}
        service.people.put(user, known.role if known else "", viewer, {**others, team: role})
    else:
        service.people.put_member(team, user, role)
    detail = {"role": role, "team": team, "viewer": viewer or (known.viewer if known else user)}
    return Event.of("command line", "set user", user, **detail)


@token_app.command("list")
def listed(
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
    as_json: options.Json = False,
) -> None:
    """List the tokens, without what makes them work.

    Example: efface token list
    """
    with opened(home, config, store) as service:
        rows = service.people.listed()
    if as_json:
        show_json("tokens", {"tokens": rows})
        return
    for row in rows:
        say(f"[bold]{row['id']}[/]  {row['user']}  [dim]{escape(row['scopes'])}  {escape(row['label'])}[/]")


@token_app.command("revoke")
def revoke(
    id: Annotated[
        str, typer.Argument(metavar="ID", help="As `efface token list` prints it.", show_default=False)
    ],
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Take a token back: from now on it opens nothing.

    Example: efface token revoke 0d06a1038a82457a
    """
    from efface.service.audit import Event

    with opened(home, config, store) as service, service.trail.recording() as record:
        if not service.people.revoke(id):
            fail("There is no such token.", "`efface token list` lists them.")
        record(Event.of("command line", "revoke token", id))


@audit_app.command("verify")
def verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="EXPORT", help="Without one: the store's own trail.")
    ] = None,
    expect: Annotated[
        str | None, typer.Option(help="A seal noted earlier (`SEQ MAC`) that must be in the trail.")
    ] = None,
    anchor: Annotated[
        Path | None,
        typer.Option(help="Heads told outside of the store: a file of anchors, or of the system log."),
    ] = None,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
    as_json: options.Json = False,
) -> None:
    """Find a changed, dropped, inserted or reordered record. Exit code 3 if there is one.

    Example: efface audit verify trail.jsonl --expect "12 4aa8f3"
    """
    with opened(home, config, store) as service, Stages("checking"):
        found = _checked(service, file, [*_anchored_heads(anchor), *([expect] if expect else [])])
    verdict = "broken" if found.trouble else "held"
    if as_json:
        facts = {"verdict": verdict, "records": found.records, "head": found.head, "trouble": found.trouble}
        show_json("audit", {**facts, "unknown": found.unknown})
    else:
        said = f"{counted(found.records, 'record')}; the last seal is [bold]{found.head}[/]"
        say(f"[bold {COLOURS[verdict]}]{verdict}[/]  {said}")
        for trouble in found.trouble:
            say(f"  [red]trouble[/] {escape(trouble)}")
        for unknown in found.unknown:
            say(f"  [yellow]unknown[/] {escape(unknown)}")
    raise typer.Exit(3 if found.trouble else 0)


def _checked(service: Service, file: Path | None, told: list[str]) -> TrailCheck:
    """The store's trail, or an export of it, against what was told outside."""
    from dataclasses import replace

    heads, trouble = service.anchors.heads_outside()
    expected = [*heads, *told]
    if file is None:
        found = service.trail.check(expected)
    else:
        found = service.trail.check_records(_exported(file), None, expected, is_export=True)
    return replace(found, trouble=(*found.trouble, *trouble))


def _anchored_heads(anchor: Path | None) -> list[str]:
    from efface.service.audit_anchors import heads_in

    if anchor is None:
        return []
    try:
        found = list(heads_in(anchor.read_text("utf-8", "replace").splitlines()))
    except OSError:
        found = []
    if not found:
        fail(f"{anchor} holds no head of an audit trail.", "Give the file of the setting `anchors`.")
    return found


def _exported(file: Path) -> list[Record]:
    from efface.service.audit import Record

    try:
        return [Record.parse(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError, KeyError, TypeError):
        fail(f"{file} is not an export of the trail.", "`efface audit export` writes one.")


@audit_app.command("export")
def export(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; without one it is printed.")
    ] = None,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
    force: options.Force = False,
) -> None:
    """Write the trail as JSON lines.

    Example: efface audit export -o trail.jsonl
    """
    from efface.files.local import write_output

    with opened(home, config, store) as service:
        lines = (f"{record.line()}\n" for record in service.trail.records())
        if output is None:
            sys.stdout.writelines(lines)
        else:
            write_output(output, "".join(lines).encode(), force=force, private=True)


def _settings(home: Path | None, config: Path | None, store: str | None, **given: object) -> ServiceSettings:
    _require_service()
    from efface.service.settings import load

    return load(config, home=home, store=store, **given)


def _require_service() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "wsgidav", "jwt", "prometheus_client")):
        fail("The service is not installed.", "pip install 'efface[service]'")


def _open(settings: ServiceSettings) -> Service:
    import sqlalchemy as sa

    from efface.service.app import Service

    try:
        return Service.open(settings)
    except (sa.exc.SQLAlchemyError, OSError, ImportError):
        fail(
            "The service's store cannot be opened.", "Check --home and --store, and that the database is up."
        )


@contextlib.contextmanager
def opened(
    home: Path | None, config: Path | None, store: str | None, *, fresh: bool = False
) -> Iterator[Service]:
    """The service's store; only `fresh` makes one where there is none, so that a mistyped folder is noticed."""
    from efface.service.problems import Problem

    settings = _settings(home, config, store)
    if not fresh and not settings.home.is_dir():
        fail(
            f"There is no service in {settings.home}.", "Check --home; `efface serve` makes a service there."
        )
    service = _open(settings)
    try:
        yield service
    except Problem as problem:
        fail(problem.detail or "That cannot be done.", "See the command's --help.")
    finally:
        service.trail.close()
        service.store.close()
