"""`efface serve`, `efface token` and `efface audit`: the service from the command line."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from efface.console import escape, fail, say

if TYPE_CHECKING:
    from efface.service.app import Service
    from efface.service.settings import Settings

token_app = typer.Typer(no_args_is_help=True, help="Who may use the service: users and their tokens.")
audit_app = typer.Typer(no_args_is_help=True, help="The service's audit trail.")

HomeOption = Annotated[
    Path | None, typer.Option("--home", help="The service's folder: store, files, policies, key.")
]
ConfigOption = Annotated[Path | None, typer.Option("--config", "-c", help="Settings (YAML).")]
StoreOption = Annotated[
    str | None, typer.Option("--store", help="PostgreSQL for several processes and machines: its URL.")
]


def serve(
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on. [dim]127.0.0.1[/]")] = None,
    port: Annotated[int | None, typer.Option(help="The port. [dim]8000[/]")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes. [dim]1[/]")] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Bring the demo hospital and its people.")] = False,
) -> None:
    """Serve documents over HTTP, each as its viewer may see it."""
    settings = _settings(home, config, store, host=host, port=port, workers=workers)
    _require_address(settings)
    service = _open(settings)
    try:
        _greet(service, demo)
    finally:
        service.trail.close()
        service.store.close()
    _run(settings)


def _require_address(settings: Settings) -> None:
    """Before a token is shown that nobody could use: whether the address is ours to listen on."""
    import socket

    try:
        kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        with socket.socket(kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((settings.host, settings.port))
    except OSError:
        fail("The service cannot listen there.", "Is the port taken? Choose another with --port, or --host.")


def _run(settings: Settings) -> None:
    import tempfile

    import uvicorn

    from efface.service.settings import ENVIRONMENT

    with contextlib.ExitStack() as stack:
        if settings.workers > 1 and "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ[ENVIRONMENT] = settings.model_dump_json()
        uvicorn.run(
            "efface.service.app:from_environment",
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=30,
            h11_max_incomplete_event_size=64 << 10,
            log_config=_LOGGING,
        )


_LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(message)s"}},
    "handlers": {
        "out": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}
    },
    "loggers": {
        "uvicorn": {"handlers": ["out"], "level": "WARNING", "propagate": False},
        "efface.service": {"handlers": ["out"], "level": "INFO", "propagate": False},
    },
}


def _greet(service: Service, demo: bool) -> None:
    """Tokens are printed here and nowhere else."""
    from efface.service.tokens import first_run

    token = first_run(service.people)
    if token is not None:
        say(f"[bold]admin[/]  {token}")
        say("[dim]This token is shown once. Keep it; `efface token issue admin` makes another.[/]")
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
    user: Annotated[str, typer.Argument(help="Whose token it is.", show_default=False)],
    role: Annotated[str | None, typer.Option(help="Make the user, or change their role.")] = None,
    viewer: Annotated[str | None, typer.Option(help="Who they are to the databases of the policies.")] = None,
    scopes: Annotated[list[str] | None, typer.Option("--scope", help="Less than the role allows.")] = None,
    label: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: Annotated[float | None, typer.Option(help="How long it lives.")] = None,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Make a token, which is printed once."""
    from efface.service.audit import Event

    with _opened(home, config, store) as service:
        if role is not None:
            service.people.put(user, role, viewer)
            service.trail.append(Event.of("command line", "set user", user, role=role, viewer=viewer or user))
        id, token = service.people.issue(user, scopes, label, days)
        service.trail.append(Event.of("command line", "issue token", id, user=user))
    typer.echo(token)


@token_app.command("list")
def listed(home: HomeOption = None, config: ConfigOption = None, store: StoreOption = None) -> None:
    """Tokens, without what makes them work."""
    with _opened(home, config, store) as service:
        for row in service.people.listed():
            say(
                f"[bold]{row['id']}[/]  {row['user']}  [dim]{escape(row['scopes'])}  {escape(row['label'])}[/]"
            )


@token_app.command("revoke")
def revoke(
    id: Annotated[str, typer.Argument(help="As `efface token list` prints it.", show_default=False)],
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """From now on the token opens nothing."""
    from efface.service.audit import Event

    with _opened(home, config, store) as service:
        if not service.people.revoke(id):
            fail("There is no such token.", "`efface token list` lists them.")
        service.trail.append(Event.of("command line", "revoke token", id))


@audit_app.command("verify")
def verify(
    file: Annotated[Path | None, typer.Argument(help="An export; without one the store's own trail.")] = None,
    expect: Annotated[
        str | None, typer.Option(help="A seal noted earlier (`SEQ MAC`) that must be in the trail.")
    ] = None,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Find a changed, dropped, inserted or reordered record. Exit code 3 if there is one."""
    from efface.service.audit import Record

    with _opened(home, config, store) as service:
        if file is None:
            found = service.trail.check(expect)
        else:
            try:
                records = [
                    Record.parse(line) for line in file.read_text("utf-8").splitlines() if line.strip()
                ]
            except (OSError, ValueError, KeyError, TypeError):
                fail("The export cannot be read.", "`efface audit export` writes one.")
            found = service.trail.check_records(records, None, expect)
    for trouble in found.trouble:
        fail(trouble, stop=False)
    if found.trouble:
        raise typer.Exit(3)
    say(f"[green]held[/]  {found.records} records; the last seal is [bold]{found.head}[/]")


@audit_app.command("export")
def export(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; without one to the terminal.")
    ] = None,
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Write the trail as JSON lines."""
    from efface.files import write_output

    with _opened(home, config, store) as service:
        lines = (f"{record.line()}\n" for record in service.trail.records())
        if output is None:
            sys.stdout.writelines(lines)
        else:
            write_output(output, "".join(lines).encode(), private=True)


def _settings(home: Path | None, config: Path | None, store: str | None, **given: object) -> Settings:
    _require_service()
    from efface.service.settings import load

    return load(config, home=home, store=store, **given)


def _require_service() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "wsgidav", "jwt", "prometheus_client")):
        fail("The service is not installed.", "pip install 'efface[service]'")


def _open(settings: Settings) -> Service:
    import sqlalchemy as sa

    from efface.service.app import Service

    try:
        return Service.open(settings)
    except (sa.exc.SQLAlchemyError, OSError, ImportError):
        fail(
            "The service's store cannot be opened.", "Check --home and --store, and that the database is up."
        )


@contextlib.contextmanager
def _opened(home: Path | None, config: Path | None, store: str | None) -> Iterator[Service]:
    from efface.service.problems import Problem

    service = _open(_settings(home, config, store))
    try:
        yield service
    except Problem as problem:
        fail(problem.detail or "That cannot be done.")
    finally:
        service.trail.close()
        service.store.close()
