"""`efface redact`: the sanitized twin of a file, if the guarantees hold on its bytes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from efface.cli import stream
from efface.cli.shared import options
from efface.cli.shared.console import console, fail, seen_again, show_verdict
from efface.cli.shared.one_document import (
    DenyOption,
    HideOption,
    KeepOption,
    Stage,
    dump,
    exit_code,
    run_stage,
    sanitizer_of,
)
from efface.cli.shared.show import require_terminal, show_edits, show_leaks

if TYPE_CHECKING:
    from efface.api.sanitizer import Sanitizer
    from efface.core import Report
    from efface.pipeline.bound import BoundPolicy


OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file to write; needed but for standard input.")
]
ReportOption = Annotated[
    Path | None, typer.Option(help="The reviewer's report, .json or .html; holds original text.")
]
CertificateOption = Annotated[
    Path | None, typer.Option(help="The certificate for publication, .json or .html.")
]
FlattenOption = Annotated[bool, typer.Option("--flatten", help="Turn a PDF's pages into pictures.")]
FormatOption = Annotated[
    Literal["jsonl", "csv", "text"] | None,
    typer.Option("--format", help="What a stream holds, where no ending tells. `-` reads JSON lines."),
]


_RELEASED = (0, 4)  # exit codes of a run that wrote its file: held, or unproven and allowed


def redact(
    source: options.Source,
    output: OutputOption = None,
    policy: options.Policy = None,
    viewer: options.Viewer = None,
    deny: DenyOption = None,
    keep: KeepOption = None,
    hide: HideOption = None,
    report: ReportOption = None,
    certificate: CertificateOption = None,
    allow_unproven: options.AllowUnproven = False,
    flatten: FlattenOption = False,
    show: options.Show = False,
    force: options.Force = False,
    as_json: options.Json = False,
    max_size: options.MaxSize = 256,
    format: FormatOption = None,
) -> None:
    """Write the file's sanitized twin, if the guarantees hold on its bytes. `-` reads lines from standard input.

    Example: efface redact note.docx -o out.docx --policy names --report review.html
    """
    sanitizer = partial(sanitizer_of, policy, viewer, deny, keep, hide, max_size)
    if str(source) == "-":
        if output or report or certificate:
            fail(
                "Standard input goes to standard output, line by line.",
                "Leave -o, --report and --certificate out, or name a file.",
            )
        stream.redact_standard_input(format, sanitizer(), viewer, allow_unproven=allow_unproven)
    if output is None:
        fail("No output is named.", "Name the file to write with -o.")
    from efface.files.store_addresses import address_of

    wanted = _RedactOptions(
        viewer, report, certificate, allow_unproven, flatten, show, force, as_json, max_size, format
    )
    if address_of(source) or address_of(output):
        from efface.batch.stores import staged

        with staged(source, output, force=force) as (near, made):
            _redact_file(near, made, address_of(output) or str(output), sanitizer, wanted)
        return
    _redact_file(source, output, str(output), sanitizer, wanted)


@dataclass(frozen=True, slots=True)
class _RedactOptions:
    """What the options ask for beside the input and the output."""

    viewer: str | None
    report: Path | None
    certificate: Path | None
    allow_unproven: bool
    flatten: bool
    show: bool
    force: bool
    as_json: bool
    max_size: int
    format: str | None


def _redact_file(
    source: Path, output: Path, shown: str, sanitizer: Callable[[], Sanitizer], wanted: _RedactOptions
) -> None:
    """Redact one file. `shown` is the output as the caller named it: a file for an object store is made elsewhere."""
    outputs = _Outputs(output, wanted.report, wanted.certificate, wanted.force)
    outputs.check(source)
    has_records = wanted.report is not None or wanted.certificate is not None
    if not has_records and stream.is_stream(source, wanted.format, wanted.max_size << 20):
        done = stream.redact_file(
            source,
            output,
            wanted.format,
            sanitizer(),
            wanted.viewer,
            allow_unproven=wanted.allow_unproven,
            force=wanted.force,
        )
        stream.tell(done, shown, as_json=wanted.as_json)
        raise typer.Exit(exit_code(done.verdict, wanted.allow_unproven))
    if wanted.show:
        require_terminal("--show")
    result, bound = run_stage(_stage(flatten=wanted.flatten), source, sanitizer(), wanted.viewer)
    code = exit_code(result.verdict, wanted.allow_unproven)
    outputs.write(result, bound, released=code in _RELEASED)
    _show_result(result, shown if code in _RELEASED else None, as_json=wanted.as_json, show=wanted.show)
    raise typer.Exit(code)


def _stage(*, flatten: bool) -> Stage:
    if flatten:
        from efface.pipeline.flatten import sanitize_flat

        return sanitize_flat
    from efface.pipeline.sanitize import sanitize

    return sanitize


SHOWS_LEAKS = (
    "On a terminal, --show prints the words that are left, where they stand and what takes them out."
)


def _show_result(result: Report, written: str | None, *, as_json: bool, show: bool) -> None:
    """Show the result on the terminal. A closed terminal is no error: the file was written already."""
    with contextlib.suppress(OSError, UnicodeError):
        if as_json:
            from efface.report.data import review

            typer.echo(dump(review(result)))
            return
        show_verdict(result, written)
        if show:
            show_edits(result)
            show_leaks(result)
        elif result.leaks or seen_again(result):
            console().print(f"[dim]next:[/]  {SHOWS_LEAKS}")


@dataclass(frozen=True, slots=True)
class _Outputs:
    """The files that one run writes."""

    output: Path
    report: Path | None
    certificate: Path | None
    force: bool

    def check(self, source: Path) -> None:
        """Refuse before any work is done what could not be written after it."""
        from efface.files.local import check_output

        paths = [path for path in (self.output, self.report, self.certificate) if path is not None]
        if len({path.absolute() for path in (source, *paths)}) <= len(paths):
            fail("The input, the output and the reports must be different files.", "Name them differently.")
        _check_kind(source, self.output)
        for path in paths:
            check_output(path, force=self.force)
        options.check_ending(self.report)
        options.check_ending(self.certificate, "certificate")

    def write(self, result: Report, bound: BoundPolicy, *, released: bool) -> None:
        """The file and its records. If the file may not leave, there is only the reviewer's report."""
        if released:
            self._write_all(result, bound)
        elif self.report is not None:
            self._write_report(result, bound)

    def _write_all(self, result: Report, bound: BoundPolicy) -> None:
        """The reports first: a file that left without its record would be the worse half."""
        from efface.files.local import write_output

        assert result.released is not None
        if self.report is not None:
            self._write_report(result, bound)
        if self.certificate is not None:
            write_output(self.certificate, _certificate(result, self.certificate), force=self.force)
        try:
            write_output(self.output, result.released, force=self.force)
        except BaseException:
            for path in filter(None, (self.report, self.certificate)):  # a record of a file that is not there
                path.unlink(missing_ok=True)
            raise

    def _write_report(self, result: Report, bound: BoundPolicy) -> None:
        assert self.report is not None
        from efface.files.local import write_output
        from efface.report.data import review, to_json
        from efface.report.page import review_page

        if self.report.suffix.lower() == ".html":
            from efface.report.strength import tradeoffs

            data = review_page(result, tradeoffs(result, bound)).encode("utf-8", "backslashreplace")
        else:
            data = to_json(review(result))
        write_output(self.report, data, force=self.force, private=True)


def _certificate(result: Report, path: Path) -> bytes:
    from efface.report.data import certificate, to_json
    from efface.report.page import certificate_page

    return (
        certificate_page(result).encode() if path.suffix.lower() == ".html" else to_json(certificate(result))
    )


def _check_kind(source: Path, output: Path) -> None:
    """efface changes words, not kinds of files: a Word file under a PDF's name opens nowhere."""
    from efface.formats import BY_ENDING

    known, wanted = BY_ENDING.get(source.suffix.lower()), BY_ENDING.get(output.suffix.lower())
    if known and wanted and known != wanted:
        fail(
            f"The output's ending {output.suffix} is of another kind than the input's {source.suffix}.",
            f"Name it with the ending {source.suffix}; efface does not convert files.",
        )
