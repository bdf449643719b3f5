"""The command line: arguments in, exit code out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer
import typer.core

from efface import __version__
from efface.cli import (
    assess,
    batch,
    certificate,
    check,
    demo,
    doctor,
    explain,
    policy_store,
    proxy,
    redact,
    restore,
    serve,
    text,
    who,
)
from efface.cli.prepare import index, policy, train
from efface.cli.shared import logs
from efface.cli.shared.console import fail
from efface.cli.study import attack, evaluate, ksafety, release
from efface.errors import EffaceError, describe_internal


class _ByTask(typer.core.TyperGroup):
    """Lists commands as TASKS does; Typer itself puts groups behind all commands."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        names: list[str] = []
        for commands, groups in TASKS.values():
            names += [command.__name__ for command in commands]
            names += groups
        return names


app = typer.Typer(
    name="efface",
    cls=_ByTask,
    help="Sanitize documents with guarantees that are checked on the bytes that leave.",
    epilog="Exit codes: 0 held, or done; 2 bad usage or unreadable input; 3 broken, unproven or refused, nothing "
    "written; 4 unproven, and written because of --allow-unproven; 130 interrupted.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    log_format: logs.LogFormat = None,
) -> None:
    logs.set_up(log_format)
    if version:
        typer.echo(f"efface {__version__}")
        raise typer.Exit


# Tasks in the order of `efface --help`: the commands of each, then its groups of commands.
TASKS: dict[str, tuple[tuple[Callable[..., None], ...], dict[str, typer.Typer]]] = {
    "Begin": ((demo.demo, doctor.doctor), {}),
    "Sanitize and check": (
        (
            redact.redact,
            assess.assess,
            explain.explain,
            assess.verify,
            batch.batch,
            check.check,
            text.text,
            restore.restore,
        ),
        {},
    ),
    "Prepare": (
        (),
        {
            "policy": policy.app,
            "index": index.app,
            "corpus": train.corpus_app,
            "train": train.train_app,
        },
    ),
    "Serve": (
        (serve.serve, proxy.proxy),
        {"token": serve.token_app, "audit": serve.audit_app, "certificate": certificate.certificate_app},
    ),
    "Study": (
        (evaluate.evaluate, release.tradeoff, who.who),
        {"attack": attack.app, "ksafety": ksafety.app},
    ),
}
for _task, (_commands, _groups) in TASKS.items():
    for _command in _commands:
        app.command(rich_help_panel=_task)(_command)
    for _name, _group in _groups.items():
        app.add_typer(_group, name=_name, rich_help_panel=_task)
for _stored in (policy_store.push, policy_store.pull, policy_store.diff):
    policy.app.command(_stored.__name__)(_stored)
train.train_app.command("identifiers")(release.train_identifiers)
attack.app.command("release")(release.attack_release)


def main() -> None:
    """The installed command. Errors are one sentence and a next step; a document is never quoted."""
    # efface has no pydantic plugins, and looking for them takes a tenth of the start.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        code = app(standalone_mode=False)  # a command's exit code, or nothing
    except EffaceError as error:
        fail(error.message, error.hint, code=error.exit_code)
    except typer.TyperException as error:
        _misused(error)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except SystemExit as stop:
        # efface itself leaves so with an error, or when a shell asks for completions. A plug-in may do it with any code:
        # Python would print one that is a text, and it could quote the document.
        if isinstance(stop.code, int) and (stop.code != 0 or _COMPLETES in os.environ):
            raise
        fail("A plug-in ended the process. Nothing was written.", "Mend the plug-in that the policy names.")
    except MemoryError:
        fail("Not enough memory for this file.", "Split it.")
    except Exception as error:  # the last line of defence: no traceback, which could quote the document
        fail(
            f"{describe_internal(error)}. Nothing was written.",
            "Please report this line and the command; neither quotes the document.",
        )
    if code == _INTERRUPTED:
        fail("Interrupted.", code=code)
    sys.exit(code)


_COMPLETES = "_EFFACE_COMPLETE"  # set by a shell that asks for completions
_INTERRUPTED = 130  # what shells report of SIGINT: 128 and its number


def _right_use(context: typer.Context | None) -> str:
    """How a command is called, without the signs that its help puts around arguments."""
    if context is None:
        return "See `efface --help`."
    words = " ".join(context.command.collect_usage_pieces(context)).translate(dict.fromkeys(map(ord, "{}")))
    return f"Write `{context.command_path} {words}`; `{context.command_path} --help` says more."


def _misused(error: typer.TyperException) -> NoReturn:
    """Report a call that the command does not understand, in the form of all errors."""
    if message := error.format_message():  # empty when the help was asked for by giving nothing
        context = getattr(error, "ctx", None)
        message = message.replace(": Value error, ", ": ")  # pydantic's word for it says nothing to people
        if (
            getattr(getattr(error, "param", None), "nargs", 1) == -1
        ):  # of several words the last is taken for another
            message = "An argument is missing."
        fail(message, _right_use(context), stop=False)
    sys.exit(error.exit_code)
