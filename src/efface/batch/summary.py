"""The summary of a batch as one page: how many, how long, how large, which were slow, and why some are missing.

It names files, so it is for the people who ran the batch: mode 0600, in the work folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from html import escape

from efface import __version__
from efface.batch.manifest import Manifest
from efface.batch.release import Judgement
from efface.report.stylesheet import style

_NAMED = 20  # documents that the terminal names at the end
_SLOWEST = 20  # documents that the summary names
_REASONS = 50  # that the summary lists
_EXAMPLES = 3  # documents for each reason
_BINS = (
    (0.001, "under 1 ms"),
    (0.01, "1-10 ms"),
    (0.1, "10-100 ms"),
    (1, "0.1-1 s"),
    (10, "1-10 s"),
    (float("inf"), "10 s and more"),
)
_SIZES = (
    (1 << 10, "under 1 KiB"),
    (10 << 10, "1-10 KiB"),
    (100 << 10, "10-100 KiB"),
    (1 << 20, "0.1-1 MiB"),
    (10 << 20, "1-10 MiB"),
    (float("inf"), "10 MiB and more"),
)
_EDITS = ((1, "none"), (10, "1-9"), (100, "10-99"), (1000, "100-999"), (float("inf"), "1000 and more"))


def summary_page(manifest: Manifest, judgement: Judgement, published: bool) -> str:
    """The whole page. Every figure is counted by SQLite: a million rows are not read into memory."""
    counts = sorted(manifest.counts().items())
    sections = [
        _verdict(judgement, published),
        _section("Documents", _bars(counts)),
        _section("By format", _bars(_grouped(manifest, "format"))),
        _section("Time", _bars(_binned(manifest, "seconds", _BINS))),
        _section("Size", _bars(_binned(manifest, "size", _SIZES))),
        _section("Edits", _bars(_binned(manifest, "edits", _EDITS))),
        _section("Slowest", _slowest(manifest)),
        _section("Why documents are missing", _reasons(manifest)),
        _section("Containers that failed", _containers(manifest)),
    ]
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>efface: batch</title><style>{style()}</style></head><body><header><h1>efface: batch</h1>"
        "<p>For the people who ran it. Names files.</p></header>"
        f"<main>{''.join(sections)}</main><footer>efface {__version__}</footer></body></html>\n"
    )


def _verdict(judgement: Judgement, published: bool) -> str:
    words = "The documents are released." if published else "The documents are withheld."
    withdrawn = (
        f" {judgement.withdrawn} were withdrawn because of linked ones." if judgement.withdrawn else ""
    )
    notes = "".join(f"<li>{escape(note)}</li>" for note in judgement.notes)
    return (
        f"<section class='verdict {judgement.verdict}'><strong>{judgement.verdict}</strong> "
        f"<span>{words}{withdrawn}</span>{f'<ul>{notes}</ul>' if notes else ''}</section>"
    )


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>" if body else ""


def _bars(rows: Iterable[tuple[str, int]]) -> str:
    known = list(rows)
    top = max((count for _, count in known), default=0)
    drawn = (
        f"<div><span>{escape(name or '-')}</span><svg viewBox='0 0 300 20' role='img' aria-label='"
        f"{escape(name or '-', quote=True)}: {count}'><rect class='after' x='0' y='4' height='12' rx='2' "
        f"width='{300 * count / top if top else 0:.1f}'/></svg><span>{count:,}</span></div>"
        for name, count in known
    )
    return f"<div class='risk'>{''.join(drawn)}</div>" if known else ""


def _grouped(manifest: Manifest, column: str) -> Iterable[tuple[str, int]]:
    return manifest.select(f"SELECT {column}, count(*) FROM documents GROUP BY 1 ORDER BY 2 DESC, 1")  # noqa: S608 ours


def _binned(manifest: Manifest, column: str, bins: Sequence[tuple[float, str]]) -> Iterable[tuple[str, int]]:
    low = float("-inf")
    for high, name in bins:
        query = f"SELECT count(*) FROM documents WHERE {column} >= ? AND {column} < ? AND state <> 'pending'"  # noqa: S608 ours
        yield name, int(manifest.select(query, (low, high)).fetchone()[0])
        low = high


def _slowest(manifest: Manifest) -> str:
    query = "SELECT path, part, label, format, size, seconds, state FROM documents ORDER BY seconds DESC, path, part LIMIT ?"
    rows = [
        (named(path, part, label), format, f"{size:,}", f"{seconds:.3f}", state)
        for path, part, label, format, size, seconds, state in manifest.select(query, (_SLOWEST,))
    ]
    return _table(("file", "format", "bytes", "seconds", "state"), rows)


def _reasons(manifest: Manifest) -> str:
    query = "SELECT state, reason, count(*) FROM documents WHERE state <> 'done' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ?"
    rows = []
    for state, reason, count in manifest.select(query, (_REASONS,)).fetchall():
        some = "SELECT path, part, label FROM documents WHERE state = ? AND reason = ? ORDER BY path, part LIMIT ?"
        examples = [named(*row) for row in manifest.select(some, (state, reason, _EXAMPLES))]
        rows.append((state, reason, f"{count:,}", "; ".join(examples)))
    return _table(("state", "reason", "documents", "for example"), rows)


def _containers(manifest: Manifest) -> str:
    rows = manifest.select(
        "SELECT path, reason FROM containers WHERE state = 'failed' ORDER BY path LIMIT ?", (_REASONS,)
    )
    return _table(("file", "reason"), [(named(path, -1, b""), reason) for path, reason in rows])


def first_left(manifest: Manifest) -> tuple[tuple[str, str, str], ...]:
    """The first documents that may not leave, of this run or of one before: their files, states and reasons."""
    query = (
        "SELECT path, part, state, reason FROM documents WHERE state <> 'done' ORDER BY path, part LIMIT ?"
    )
    rows = manifest.select(query, (_NAMED,)).fetchall()
    return tuple((named(path, part, b""), state, reason) for path, part, state, reason in rows)


def first_broken(manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """The first containers that could not be read: their files and reasons."""
    query = "SELECT path, reason FROM containers WHERE state = 'failed' ORDER BY path LIMIT ?"
    return tuple((named(path, -1, b""), reason) for path, reason in manifest.select(query, (_NAMED,)))


def named(path: bytes, part: int, label: bytes) -> str:
    """A document's name for people: of any bytes, on one line."""
    inside = "" if part < 0 else f" [{part}]" + (f" {_printable_name(label)}" if label else "")
    return _printable_name(path) + inside


def _printable_name(name: bytes) -> str:
    text = os.fsdecode(name)
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    head = "".join(f"<th>{name}</th>" for name in heads)
    lines = []
    for row in rows:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"
