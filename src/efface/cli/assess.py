"""`efface assess` and `efface verify`: what files disclose as they stand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from efface.cli.shared import options
from efface.cli.shared.console import fail, show_verdict
from efface.cli.shared.one_document import (
    DenyOption,
    HideOption,
    KeepOption,
    dump,
    exit_code,
    run_stage,
    sanitizer_of,
)
from efface.errors import EffaceError

if TYPE_CHECKING:
    from efface.api.sanitizer import Sanitizer


def assess(
    sources: options.Sources,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    deny: DenyOption = None,
    keep: KeepOption = None,
    hide: HideOption = None,
    show: options.Show = False,
    as_json: options.JsonLines = False,
    max_size: options.MaxSize = 256,
) -> None:
    """Say what the files disclose as they stand. Exit code 3 if a guarantee does not hold.

    Example: efface assess note.docx --policy names
    """
    from efface.pipeline.sanitize import assess as stage

    if show:
        _show(sources, sanitizer_of(policy, viewer, deny, keep, hide, max_size), viewer)
    _judge(stage, sources, policy, viewer, deny, keep, hide, as_json, max_size)


def verify(
    sources: options.Sources,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    deny: DenyOption = None,
    keep: KeepOption = None,
    hide: HideOption = None,
    certificate: Annotated[
        Path | None,
        typer.Option(help="Check this certificate (.json) of the file instead; exit code 3 if it is wrong."),
    ] = None,
    keys: Annotated[
        Path | None, typer.Option(help="The issuer's public keys, as GET /v1/keys lists them.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="The report (.json) of the redaction: the words that it made up are known as such."
        ),
    ] = None,
    opening: Annotated[
        str | None, typer.Option(help="The opening that the issuer gave with it: the policy is checked too.")
    ] = None,
    show: options.Show = False,
    as_json: options.JsonLines = False,
    max_size: options.MaxSize = 256,
) -> None:
    """Check released files, also by code that shares nothing with what wrote them. Exit codes as of `assess`.

    Example: efface verify out.docx --policy names
    """
    from efface.pipeline.sanitize import verify as stage

    if certificate is not None:
        from efface.cli.certificate import CertificateOptions, check

        check(CertificateOptions(sources, certificate, keys, policy, opening, max_size << 20), as_json)

    if report is not None:
        from efface.cli.shared.release_report import verified_with

        stage = verified_with(report)
    if show:
        from efface.cli.shared.show import require_terminal

        require_terminal("--show")
    _judge(stage, sources, policy, viewer, deny, keep, hide, as_json, max_size, show=show)


def _show(sources: list[Path], sanitizer: Sanitizer, viewer: str | None) -> None:
    """Every word that would go, in its line."""
    from efface.cli.shared.show import require_terminal, show_edits, show_total
    from efface.pipeline.sanitize import preview

    require_terminal("--show")
    for source in sources:
        shown = run_stage(preview, source, sanitizer, viewer)[0]
        show_edits(shown)
        show_total(shown)


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
    *,
    show: bool = False,
) -> NoReturn:
    """Run a read-only stage over the files; one bad file does not hide the others."""
    from efface.report.data import assessment

    sanitizer = sanitizer_of(policy, viewer, deny, keep, hide, max_size)
    code = 0
    for source in sources:
        try:
            result, _ = run_stage(stage, source, sanitizer, viewer)
        except EffaceError as error:
            code = max(code, error.exit_code)
            named = error.message if str(source) in error.message else f"{source}: {error.message}"
            fail(named, error.hint, stop=False)
            continue
        code = max(code, exit_code(result.verdict, allow_unproven=True))
        if as_json:
            typer.echo(dump({**assessment(result), "file": str(source)}, indent=None))
        else:
            show_verdict(result, None)
        if show:
            from efface.cli.shared.show import show_finds

            show_finds(result)
    raise typer.Exit(code)
