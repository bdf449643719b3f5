"""Words of a document on the terminal, and only there: what would go, in its line, and why a word goes or stays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from efface.cli.shared.console import console, counted, escape, fail, seen_again

if TYPE_CHECKING:
    from efface.core import Edit, Report, Span, Term

_NEXT_STEPS = "next: --deny, or find.deny, takes it out everywhere; find.keep lets it stay"
_DENIED_STEPS = "next: it is denied, and efface does not write this place: take it out there by hand; find.keep lets it stay"
_AROUND = 40  # characters of a line on each side of a word


def require_terminal(option: str) -> None:
    """Refuse to write a document's words into a file or a pipe."""
    if not sys.stdout.isatty():
        fail(
            f"{option} prints words of the document, so it works on a terminal alone.",
            "Run it in a terminal, or let `efface redact IN -o OUT --report R.json` write words and reasons to a file.",
        )


def show_edits(report: Report) -> None:
    """Every word that would go, in its line, with its type, its reason and its replacement."""
    out = console()
    for edit in report.edits:
        out.print(_line(report.document.text, edit))


def show_total(report: Report) -> None:
    """How many places would go. Finders mark fewer: names are cut everywhere, and one name has one type."""
    from efface.report.counts import place_counts

    kinds = ", ".join(f"{count.places} {count.type}" for count in place_counts(report))
    if report.edits:
        console().print(
            f"{counted(len(report.edits), 'place')} would go: {escape(kinds)}. As the file stands:"
        )


def show_finds(report: Report) -> None:
    """The words that a verified file still shows, each in its line, with the rule that sees it and what to do about it."""
    out = console()
    for finding in (found for outcome in report.outcomes for found in outcome.after):
        for term in finding.terms:
            for mention in term.mentions:
                out.print(_found_line(report.document.text, term, mention.span, finding.because))
            out.print(f"         [dim]{_NEXT_STEPS}: {escape(term.key)}[/]")
    show_leaks(report)


def _found_line(text: str, term: Term, span: Span, rule: str) -> str:
    """The line for one place of a word. Text that only other readers see has no line number."""
    if span.end > len(text):
        place = f"[red]{escape(term.key)}[/], which only other readers of the file see"
    else:
        word = f"[red]{escape(_on_one_line(text[span.start : span.end]))}[/]"
        before, after = _around(text, span.start, span.end)
        place = f"{escape(before)}{word}{escape(after)}"
    return f"{term.type:<14} {place}  [dim]{escape(rule)}[/]"


def show_leaks(report: Report) -> None:
    """The words that a refused release still held or showed, with what to do about each."""
    out = console()
    for found in seen_again(report):
        for term in found.terms:
            out.print(f"  [red]{escape(term.key)}[/]  {term.type}, seen in the release as it was read again")
            out.print(
                "         [dim]next: find.deny takes it out everywhere, find.keep lets it stay; if a picture shows it, "
                f"`pictures: remove` takes the pictures out: {escape(term.key)}[/]"
            )
    for leak in report.leaks:
        word = escape(leak.word)
        out.print(f"  [red]{word}[/]  {leak.type} in {escape(leak.part)} ({leak.encoding})")
        steps = _DENIED_STEPS if leak.type == "DENIED" else _NEXT_STEPS
        out.print(f"         [dim]{steps}: {word}[/]")


def explanations(report: Report, word: str) -> Iterator[str]:
    """For each place of a word why it goes or stays, as lines of markup."""
    from efface.text.folding import fold, fold_term

    text, key = report.document.text, fold_term(word)
    folded = fold(text)
    at = folded.text.find(key) if key else -1
    while at >= 0:
        span = folded.span(at, at + len(key))
        edit = next((e for e in report.edits if e.start < span.end and span.start < e.end), None)
        number = text.count("\n", 0, span.start) + 1
        yield (
            f"line {number}: goes.  {_line(text, edit)}"
            if edit
            else f"line {number}: stays, {_why(report, key)}"
        )
        at = folded.text.find(key, at + len(key))


def _why(report: Report, key: str) -> str:
    reasons = [one.reason for one in report.coverage.exemptions if one.word == key]
    return (
        escape(reasons[0]) if reasons else "because no finder of the policy marks it; `--deny` takes it out"
    )


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """The words before and after a word in its line."""
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    return before, text[end : end + _AROUND].partition("\n")[0]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _line(text: str, edit: Edit) -> str:
    before, after = _around(text, edit.start, edit.end)
    word = _on_one_line(text[edit.start : edit.end])
    shown = (
        f"{escape(before)}[red]{escape(word)}[/] → [green]{escape(edit.replacement or '')}[/]{escape(after)}"
    )
    return f"{edit.type:<14} {shown}  [dim]{escape(edit.reason)}[/]"
