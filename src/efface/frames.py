"""pandas, Polars and PyArrow: a table's text columns, sanitized row by row, shown with highlights.

from efface.frames import redact
safe = redact(frame, text="body", policy="policy.yaml")
safe.frame                      # of the kind that was given
safe                            # in a notebook: before and after
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from efface.batch.engine import Engine, Spec
from efface.batch.items import Done
from efface.batch.remote import REASON, VERDICT, redacted
from efface.errors import UsageError
from efface.files import MAX_BYTES
from efface.policy import load
from efface.sanitizer import Sanitizer

PolicyLike = str | os.PathLike[str] | Sanitizer
_SHOWN = 20  # rows in a notebook
_CUT = 2000  # characters of a cell there


def columns_of(text: str | Sequence[str]) -> tuple[str, ...]:
    columns = (text,) if isinstance(text, str) else tuple(text)
    if not columns:
        raise UsageError("No text column is named.", "Name one with text=.")
    return columns


def engine_for(policy: PolicyLike, viewer: str | None) -> Engine:
    """The policy bound: mistakes are found before any row is read. Without a key one is drawn for this call."""
    sanitizer = (
        policy
        if isinstance(policy, Sanitizer)
        else Sanitizer(load(Path(policy)), Path(policy).parent, MAX_BYTES)
    )
    key = sanitizer.policy.secret_key(sanitizer.folder) or secrets.token_bytes(32)
    engine = Engine(Spec.of(sanitizer.policy, sanitizer.folder, viewer, key, sanitizer.max_bytes))
    _ = engine.bound
    return engine


@dataclass(frozen=True)
class Redacted:
    """A frame as it may leave, and how every row fared. Its notebook view holds originals: do not publish it."""

    frame: Any
    verdicts: tuple[str, ...]
    reasons: tuple[str, ...]
    _before: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    _after: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        rows = []
        for number, (before, after) in enumerate(zip(self._before, self._after, strict=True)):
            for name in before:
                old, new = _highlighted(before[name] or "", after[name])
                verdict = escape(self.verdicts[number])
                rows.append(
                    f"<tr><td>{number}</td><td>{escape(name)}</td><td>{old}</td><td>{new}</td><td>{verdict}</td></tr>"
                )
        style = "<style>.efface mark.gone{background:#fbd5d5}.efface mark.new{background:#d3f0d3}.efface td{text-align:left;white-space:pre-wrap;vertical-align:top}</style>"
        more = len(self.verdicts) - len(self._before)
        rest = f"<p>{more:,} more rows</p>" if more > 0 else ""
        heads = "".join(f"<th>{name}</th>" for name in ("row", "column", "before", "after", "verdict"))
        return f"{style}<div class='efface'><table><tr>{heads}</tr>{''.join(rows)}</table>{rest}</div>"


def redact(
    frame: Any,
    text: str | Sequence[str] = "body",
    *,
    policy: PolicyLike,
    viewer: str | None = None,
    subject: str = "",
    allow_unproven: bool = False,
) -> Redacted:
    """The frame with its text columns as they may leave; a row that may not has none, and says why.

    Other columns stay as they are: select what may leave.
    """
    columns = columns_of(text)
    kind = _KINDS.get(type(frame).__module__.partition(".")[0])
    if kind is None:
        raise UsageError("This is no dataframe that efface knows.", "Give a pandas, Polars or PyArrow table.")
    engine = engine_for(policy, viewer)
    read, write = kind
    rows = read(frame, list(dict.fromkeys([*columns, *([subject] if subject else [])])))
    after: list[dict[str, str | None]] = []
    fates: list[Done] = []
    for row in rows:
        told = str(row[subject]) if subject and row[subject] is not None else ""
        values, done = redacted(engine, row, columns, told, allow_unproven)
        after.append(values)
        fates.append(done)
    new: dict[str, list[str | None]] = {name: [values[name] for values in after] for name in columns}
    verdicts = [done.verdict or done.state.value for done in fates]
    reasons = [done.reason for done in fates]
    before = [{name: row[name] for name in columns} for row in rows[:_SHOWN]]
    made = write(frame, {**new, VERDICT: list(verdicts), REASON: [reason or None for reason in reasons]})
    return Redacted(made, tuple(verdicts), tuple(reasons), tuple(before), tuple(after[:_SHOWN]))


def _read_pandas(frame: Any, columns: list[str]) -> list[dict[str, Any]]:
    _check(frame.columns, columns)
    lists = {
        name: [value if isinstance(value, str) else _plain(value) for value in frame[name]]
        for name in columns
    }
    return _rows(lists)


def _plain(value: Any) -> Any:
    """pandas has several ways to say that nothing is there; only None and NaN differ from themselves or are None."""
    import pandas as pd

    return None if value is None or bool(pd.isna(value)) else value


def _write_pandas(frame: Any, columns: Mapping[str, list[str | None]]) -> Any:
    import pandas as pd

    return frame.assign(**{n: pd.Series(v, index=frame.index, dtype="string") for n, v in columns.items()})


def _read_polars(frame: Any, columns: list[str]) -> list[dict[str, Any]]:
    _check(frame.columns, columns)
    return _rows({name: frame.get_column(name).to_list() for name in columns})


def _write_polars(frame: Any, columns: Mapping[str, list[str | None]]) -> Any:
    import polars as pl

    return frame.with_columns([pl.Series(name, values, dtype=pl.String) for name, values in columns.items()])


def _read_arrow(frame: Any, columns: list[str]) -> list[dict[str, Any]]:
    _check(frame.column_names, columns)
    return _rows({name: frame.column(name).to_pylist() for name in columns})


def _write_arrow(frame: Any, columns: Mapping[str, list[str | None]]) -> Any:
    import pyarrow as pa

    for name, values in columns.items():
        made = pa.array(values, pa.string())
        if name in frame.column_names:
            frame = frame.set_column(frame.column_names.index(name), name, made)
        else:
            frame = frame.append_column(name, made)
    return frame


_KINDS = {
    "pandas": (_read_pandas, _write_pandas),
    "polars": (_read_polars, _write_polars),
    "pyarrow": (_read_arrow, _write_arrow),
}


def _check(known: Sequence[str], columns: Sequence[str]) -> None:
    for name in columns:
        if name not in list(known):
            raise UsageError(f"The table has no column {name}.", f"It has {', '.join(map(str, known))}.")


def _rows(lists: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]


def _highlighted(before: str, after: str | None) -> tuple[str, str]:
    """Both texts with what differs marked, as far as they are shown."""
    if after is None:
        return f"<mark class='gone'>{escape(before[:_CUT])}</mark>", ""
    from rapidfuzz.distance import Indel

    old, new = before[:_CUT].split(" "), after[:_CUT].split(" ")
    left, right = [], []
    for step in Indel.opcodes(old, new):
        was = escape(" ".join(old[step.src_start : step.src_end]))
        becomes = escape(" ".join(new[step.dest_start : step.dest_end]))
        if step.tag == "equal":
            left.append(was)
            right.append(becomes)
        elif step.tag == "delete":
            left.append(f"<mark class='gone'>{was}</mark>")
        else:
            right.append(f"<mark class='new'>{becomes}</mark>")
    return " ".join(left), " ".join(right)
