"""The command line: arguments in, exit code out."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
import typer.core

from efface import (
    __version__,
    cli_attack,
    cli_batch,
    cli_doctor,
    cli_evaluate,
    cli_index,
    cli_ksafety,
    cli_policy,
    cli_release,
    cli_serve,
    cli_train,
)
from efface import cli_options as options
from efface.console import NO_NAMES, Stages, counted, escape, fail, say, show_verdict
from efface.errors import EffaceError

if TYPE_CHECKING:
    from efface.core import Report
    from efface.pipeline import Bound
    from efface.sanitizer import Sanitizer


class _ByTask(typer.core.TyperGroup):
    """Lists commands as TASKS does; Typer itself puts groups behind all commands."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        return [
            name
            for commands, groups in TASKS.values()
            for name in (*(command.__name__ for command in commands), *groups)
        ]


app = typer.Typer(
    name="efface",
    cls=_ByTask,
    help="Sanitize documents with guarantees that are checked on the bytes that leave.",
    epilog="Exit codes: 0 held, or done; 2 bad usage or unreadable input; 3 broken or refused, nothing written; "
    "4 unproven: the claim speaks of a whole release; 130 interrupted.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DenyOption = Annotated[list[str] | None, typer.Option("--deny", metavar="TERM", help="A term that must go.")]
KeepOption = Annotated[list[str] | None, typer.Option("--keep", metavar="TERM", help="A term that may stay.")]
HideOption = Annotated[
    list[str] | None,
    typer.Option(
        "--hide", metavar="ENTITY[:BROADER]", help="Hide an entity; the text may say no more than BROADER."
    ),
]


@app.callback(invoke_without_command=True)
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        typer.echo(f"efface {__version__}")
        raise typer.Exit


def redact(
    source: options.Source,
    output: options.OutputFile,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    deny: DenyOption = None,
    keep: KeepOption = None,
    hide: HideOption = None,
    report: Annotated[
        Path | None, typer.Option(help="The reviewer's report, .json or .html; holds original text.")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(help="The certificate for publication, .json or .html.")
    ] = None,
    allow_unproven: options.AllowUnproven = False,
    flatten: Annotated[bool, typer.Option("--flatten", help="Turn a PDF's pages into pictures.")] = False,
    force: options.Force = False,
    as_json: options.Json = False,
    max_size: options.MaxSize = 256,
) -> None:
    """Write the file's sanitized twin, if the guarantees hold on its bytes.

    Example: efface redact note.docx -o out.docx --policy names --report review.html
    """
    from efface.files import check_output
    from efface.flattening import sanitize_flat
    from efface.pipeline import sanitize
    from efface.report.data import review

    paths = [path for path in (output, report, certificate) if path is not None]
    if len({path.absolute() for path in (source, *paths)}) <= len(paths):
        fail("The input, the output and the reports must be different files.", "Name them differently.")
    for path in paths:
        check_output(path, force=force)
    options.check_ending(report)
    options.check_ending(certificate, "certificate")
    stage = sanitize_flat if flatten else sanitize
    result, bound = _run(stage, source, _sanitizer(policy, viewer, deny, keep, hide, max_size), viewer)
    code = _exit_code(result, allow_unproven)
    if code in (0, 4):
        _write(output, report, certificate, result, bound, force)
    elif report is not None:  # the reviewer may see why; the file itself is not written
        _write_report(report, result, bound, force)
    with contextlib.suppress(OSError, UnicodeError):  # what was written stands, whoever listens
        if as_json:
            typer.echo(_dump(review(result)))
        else:
            show_verdict(result, output if code in (0, 4) else None)
            if policy is None:
                say(NO_NAMES)
    raise typer.Exit(code)


def assess(
    sources: options.Sources,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    deny: DenyOption = None,
    keep: KeepOption = None,
    hide: HideOption = None,
    as_json: options.JsonLines = False,
    max_size: options.MaxSize = 256,
) -> None:
    """Say what the files disclose as they stand. Exit code 3 if a guarantee does not hold.

    Example: efface assess note.docx --policy names
    """
    from efface.pipeline import assess as stage

    _judge(stage, sources, policy, viewer, deny, keep, hide, as_json, max_size)


def verify(
    sources: options.Sources,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    deny: DenyOption = None,
    keep: KeepOption = None,
    hide: HideOption = None,
    as_json: options.JsonLines = False,
    max_size: options.MaxSize = 256,
) -> None:
    """Check released files, also by code that shares nothing with what wrote them. Exit codes as of `assess`.

    Example: efface verify out.docx --policy names
    """
    from efface.pipeline import verify as stage

    _judge(stage, sources, policy, viewer, deny, keep, hide, as_json, max_size)


def text(source: options.Source, max_size: options.MaxSize = 256) -> None:
    """Print the text in which offsets count: code points, as the guarantees see it.

    Example: efface text note.docx
    """
    from efface.files import read_input
    from efface.formats import detect, get_format

    data = read_input(source, max_size << 20)
    with Stages("reading"):
        document = get_format(detect(source.name, data)).read(data, source.name)
    sys.stdout.flush()
    sys.stdout.buffer.write(document.text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()


def restore(
    source: options.Source,
    output: options.OutputFile,
    policy: options.NeededPolicy,
    force: options.Force = False,
) -> None:
    """Put back what the operator `encrypt` took out, with the policy's key.

    Example: efface restore out.docx -o note.docx --policy policy.yaml
    """
    from efface.files import check_output, read_input, write_output
    from efface.restoring import restore as put_back
    from efface.sanitizer import Sanitizer

    check_output(output, force=force)
    sanitizer = Sanitizer.from_policy(policy)
    with Stages("restoring"):
        key = sanitizer.policy.secret_key(sanitizer.folder)
        data, count = put_back(read_input(source), source.name, key)
    write_output(output, data, force=force, private=True)
    say(f"{counted(count, 'term')} restored → [bold]{escape(str(output))}[/]")


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")] = Path(
        "efface-demo"
    ),
) -> None:
    """Every guarantee at work on a fictional hospital and consultancy, with a page to open: nothing to configure.

    Example: efface demo
    """
    from efface.demo import run

    run(output)


def _sanitizer(
    policy: Path | None,
    viewer: str | None,
    deny: list[str] | None,
    keep: list[str] | None,
    hide: list[str] | None,
    max_size: int,
) -> Sanitizer:
    """The policy with the command line's own lists added."""
    from efface.policy import DenyEntry, GuaranteeEntry, SemanticEntry
    from efface.sanitizer import Sanitizer

    chosen = options.load_policy(policy, viewer)
    for option, terms in (("--deny", deny), ("--keep", keep), ("--hide", hide)):
        if any(not term.strip() for term in terms or ()):
            fail(f"{option} needs a term.", "Give the word or phrase itself.")
    find = chosen.find.model_copy(
        update={
            "deny": chosen.find.deny + tuple(DenyEntry(term=term) for term in deny or ()),
            "keep": chosen.find.keep + tuple(DenyEntry(term=term) for term in keep or ()),
        }
    )
    guarantees = chosen.guarantees
    if hide:
        pairs = (entry.partition(":") for entry in hide)
        hidden = {name.strip(): broader.strip() or None for name, _, broader in pairs}
        guarantees += (GuaranteeEntry(semantic=SemanticEntry(hide=hidden)),)
    folder = policy.parent if policy else Path()
    update = {"find": find, "guarantees": guarantees}
    return Sanitizer(chosen.model_copy(update=update), folder, max_size << 20)


def _run(stage: Any, source: Path, sanitizer: Sanitizer, viewer: str | None) -> tuple[Report, Bound]:
    from efface.files import read_input

    with Stages() as stages:
        stages.watch("opening")
        bound = sanitizer.bind(viewer)
        result: Report = stage(read_input(source, sanitizer.max_bytes), source.name, bound, stages.watch)
    return result, bound


def _judge(
    stage: Any,
    sources: list[Path],
    policy: Path | None,
    viewer: str | None,
    deny: list[str] | None,
    keep: list[str] | None,
    hide: list[str] | None,
    as_json: bool,
    max_size: int,
) -> NoReturn:
    """Run a read-only stage over the files; one bad file does not hide the others."""
    from efface.report.data import assessment

    sanitizer = _sanitizer(policy, viewer, deny, keep, hide, max_size)
    code = 0
    for source in sources:
        try:
            result, _ = _run(stage, source, sanitizer, viewer)
        except EffaceError as error:
            code = max(code, error.exit_code)
            named = error.message if str(source) in error.message else f"{source}: {error.message}"
            fail(named, error.hint, stop=False)
            continue
        code = max(code, _exit_code(result, allow_unproven=True))
        if as_json:
            typer.echo(_dump({**assessment(result), "file": str(source)}, indent=None))
        else:
            show_verdict(result, None)
    raise typer.Exit(code)


def _exit_code(result: Report, allow_unproven: bool) -> int:
    from efface.core import Verdict

    if result.verdict is Verdict.HELD:
        return 0
    return 4 if result.verdict is Verdict.UNPROVEN and allow_unproven else 3


def _write(
    output: Path, report: Path | None, certificate: Path | None, result: Report, bound: Bound, force: bool
) -> None:
    """The reports first: a file that left without its record would be the worse half."""
    from efface.files import write_output
    from efface.report.data import certificate as certificate_data
    from efface.report.data import to_json
    from efface.report.page import certificate_page

    assert result.released is not None
    if report is not None:
        _write_report(report, result, bound, force)
    if certificate is not None:
        page = certificate.suffix.lower() == ".html"
        data = certificate_page(result).encode() if page else to_json(certificate_data(result))
        write_output(certificate, data, force=force)
    try:
        write_output(output, result.released, force=force)
    except BaseException:
        for path in filter(None, (report, certificate)):  # a record of a file that is not there
            path.unlink(missing_ok=True)
        raise


def _write_report(path: Path, result: Report, bound: Bound, force: bool) -> None:
    from efface.files import write_output
    from efface.report.data import review, to_json
    from efface.report.page import review_page

    if path.suffix.lower() == ".html":
        from efface.strength import tradeoffs

        data = review_page(result, tradeoffs(result, bound)).encode("utf-8", "backslashreplace")
    else:
        data = to_json(review(result))
    write_output(path, data, force=force, private=True)


def _dump(value: dict[str, Any], indent: int | None = 2) -> str:
    import json

    return json.dumps(value, ensure_ascii=True, indent=indent)


# Tasks in the order of `efface --help`: the commands of each, then its groups of commands.
TASKS: dict[str, tuple[tuple[Callable[..., None], ...], dict[str, typer.Typer]]] = {
    "Begin": ((demo, cli_doctor.doctor), {}),
    "Sanitize and check": ((redact, assess, verify, cli_batch.batch, text, restore), {}),
    "Prepare": (
        (),
        {
            "policy": cli_policy.app,
            "index": cli_index.app,
            "corpus": cli_train.corpus_app,
            "train": cli_train.train_app,
        },
    ),
    "Serve": ((cli_serve.serve,), {"token": cli_serve.token_app, "audit": cli_serve.audit_app}),
    "Study": (
        (cli_evaluate.evaluate, cli_release.tradeoff),
        {"attack": cli_attack.app, "ksafety": cli_ksafety.app},
    ),
}
for _task, (_commands, _groups) in TASKS.items():
    for _command in _commands:
        app.command(rich_help_panel=_task)(_command)
    for _name, _group in _groups.items():
        app.add_typer(_group, name=_name, rich_help_panel=_task)
cli_train.train_app.command("identifiers")(cli_release.train_identifiers)
cli_attack.app.command("release")(cli_release.attack_release)


def main() -> None:
    """The installed command. Errors are one sentence and a next step; a document is never quoted."""
    os.environ.setdefault(
        "PYDANTIC_DISABLE_PLUGINS", "__all__"
    )  # looking for them takes a tenth of the start
    try:
        code = app(standalone_mode=False)  # a command's exit code, or nothing
    except EffaceError as error:
        fail(error.message, error.hint, code=error.exit_code)
    except typer.TyperException as error:
        _misused(error)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except MemoryError:
        fail("Not enough memory for this file.", "Split it.")
    except Exception as error:  # the last line of defence: no traceback, which could quote the document
        fail(
            f"Internal error ({type(error).__name__}). Nothing was written.",
            "Please report it with the command.",
        )
    if code == _INTERRUPTED:
        fail("Interrupted.", code=code)
    sys.exit(code)


_INTERRUPTED = 130


def _misused(error: typer.TyperException) -> NoReturn:
    """A call that the command does not understand, told as all errors are."""
    if message := error.format_message():  # empty when the help was asked for by giving nothing
        context = getattr(error, "ctx", None)
        message = message.replace(": Value error, ", ": ")  # pydantic's word for it says nothing to people
        fail(message, f"See `{context.command_path if context else 'efface'} --help`.", stop=False)
    sys.exit(error.exit_code)
