"""pandas, Polars and PyArrow: a table's text columns, sanitized row by row, shown with highlights.

from efface.batch.frames import redact
safe = redact(frame, text="body", policy="policy.yaml")
safe.frame                      # of the kind that was given
safe                            # in a notebook: before and after
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from efface.api import policies
from efface.api.sanitizer import Sanitizer
from efface.batch.cell_texts import text_of
from efface.batch.containers.members import Options, notes_of_row, stated_columns
from efface.batch.engines.one_document import Engine, Spec
from efface.batch.engines.remote import REASON, VERDICT, check_names_are_free, redacted
from efface.batch.items import ItemResult
from efface.errors import UsageError
from efface.policy.hidden_subjects import truth_column

PolicyOrSanitizer = policies.PolicyLike | Sanitizer
# How a package's tables are read, and written with other columns and without some.
_FrameKind = tuple[
    Callable[[Any, list[str]], list[dict[str, Any]]],
    Callable[[Any, Mapping[str, list[str | None]], list[str]], Any],
]
_SHOWN = 20  # rows in a notebook
_CUT = 2000  # characters of a cell there
_NO_TEXT = "Name the columns by texts: frame.columns = frame.columns.map(str)."


def columns_of(text: str | Sequence[str]) -> tuple[str, ...]:
    columns = (text,) if isinstance(text, str) or not isinstance(text, Sequence) else tuple(text)
    if not all(isinstance(name, str) for name in columns):
        raise UsageError("The name of a column is a text.", _NO_TEXT)
    if not columns:
        raise UsageError("No text column is named.", "Name one with text=.")
    return columns


def engine_for(policy: PolicyOrSanitizer, viewer: str | None) -> Engine:
    """The policy bound: mistakes are found before any row is read. Without a key one is drawn for this call."""
    sanitizer = policy if isinstance(policy, Sanitizer) else Sanitizer(policy)
    key = sanitizer.bind(viewer).operators.key or secrets.token_bytes(32)
    spec = Spec.of(sanitizer.policy, sanitizer.folder, viewer, key, sanitizer.max_bytes)
    engine = Engine(spec, sanitizer.extras)
    _ = engine.bound  # it is bound when it is first asked for: here, and not at the first row
    return engine


@dataclass(frozen=True)
class Redacted:
    """A frame as it may leave, and the outcome of every row. Its notebook view holds originals: do not publish it."""

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
    policy: PolicyOrSanitizer = None,
    viewer: str | None = None,
    subject: str = "",
    truth: str = "",
    allow_unproven: bool = False,
    convert: bool = False,
) -> Redacted:
    """The frame with its text columns as they may leave. A row that may not leave has empty texts and a reason.

    Other columns stay as they are: select what may leave. A column that holds something else than text is refused;
    with `convert` its values are written as text. A series or an array comes back as one. `truth` names the
    column with the class or person that `k-confusability` hides (or `truth: {column: …}` in the policy); that column
    does not leave.
    """
    package, names = _classes_of(frame)
    kind = _KINDS.get(package)
    if kind is None:
        raise UsageError("This is no dataframe that efface knows.", "Give a pandas, Polars or PyArrow table.")
    if not names.isdisjoint(_ONE_COLUMN):
        return _one_column(frame, package, policy, viewer, allow_unproven, convert)
    if names.isdisjoint(_TABLES):
        raise UsageError(
            f"A {type(frame).__name__} has no rows that can be read here.",
            "Give a table: call `.collect()` on a LazyFrame, `.read_all()` on a reader.",
        )
    columns = columns_of(text)
    check_names_are_free(frame.schema.names if kind is _ARROW else frame.columns)
    engine = engine_for(policy, viewer)
    told = Options(tuple(columns), subject=subject, truth=truth_column(engine.policy, truth))
    return _redacted_table(frame, kind, engine, told, allow_unproven=allow_unproven, convert=convert)


def _redacted_table(
    frame: Any, kind: _FrameKind, engine: Engine, told: Options, *, allow_unproven: bool, convert: bool
) -> Redacted:
    """The table, row by row. Its own package reads it and writes it again."""
    read, write = kind
    columns = told.text
    rows = read(frame, list(dict.fromkeys([*columns, *stated_columns(told)])))
    rows = _texts(rows, columns, convert=convert)
    after: list[dict[str, str | None]] = []
    fates: list[ItemResult] = []
    for row in rows:
        values, done = redacted(engine, row, columns, notes_of_row(row, told), allow_unproven)
        after.append(values)
        fates.append(done)
    verdicts = [done.verdict or done.state.value for done in fates]
    reasons = [done.reason for done in fates]
    new: dict[str, list[str | None]] = {
        **_columns(after, columns),
        VERDICT: list(verdicts),
        REASON: [reason or None for reason in reasons],
    }
    made = write(frame, new, [told.truth] if told.truth else [])
    before = tuple(_only(row, columns) for row in rows[:_SHOWN])
    return Redacted(made, tuple(verdicts), tuple(reasons), before, tuple(after[:_SHOWN]))


_TABLES = frozenset({"DataFrame", "Table", "RecordBatch"})
_ONE_COLUMN = frozenset({"Series", "Array", "ChunkedArray"})


def _classes_of(frame: Any) -> tuple[str, set[str]]:
    """The package that a table is of, and the names of its classes there: others may have made classes of their own
    from these."""
    names: dict[str, set[str]] = {}
    for one in type(frame).__mro__:
        names.setdefault(one.__module__.partition(".")[0], set()).add(one.__name__)
    package = next((package for package in names if package in _KINDS), "")
    return package, names.get(package, set())


def _one_column(
    column: Any,
    package: str,
    policy: PolicyOrSanitizer,
    viewer: str | None,
    allow_unproven: bool,
    convert: bool,
) -> Redacted:
    """A series or an array: a table of one column, and the column again."""
    name = "text"
    if package == "pyarrow":
        import pyarrow as pa

        table: Any = pa.table({name: column})
    else:
        table = column.rename(name).to_frame()
    done = redact(table, name, policy=policy, viewer=viewer, allow_unproven=allow_unproven, convert=convert)
    made = done.frame[name]
    if package != "pyarrow":
        made = made.rename(column.name)
    elif not hasattr(column, "chunks"):  # an array, not one in chunks
        made = made.combine_chunks()
    return replace(done, frame=made)


def _texts(rows: list[dict[str, Any]], columns: Sequence[str], *, convert: bool) -> list[dict[str, Any]]:
    """The rows with text in their text columns. Other values are converted, or refused rather than lost silently."""
    for row in rows:
        for name in columns:
            value = row[name]
            if value is None or isinstance(value, str):
                continue
            if not convert:
                raise UsageError(
                    f"The column {name} holds {type(value).__name__}, not text.",
                    "Cast it to text, or pass convert=True.",
                )
            row[name] = text_of(value, name)
    return rows


def _columns(rows: Sequence[Mapping[str, str | None]], columns: Sequence[str]) -> dict[str, list[str | None]]:
    """The rows' values, a list for each column."""
    found: dict[str, list[str | None]] = {}
    for name in columns:
        found[name] = [row[name] for row in rows]
    return found


def _only(row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in columns}


def _read_pandas(frame: Any, columns: list[str]) -> list[dict[str, Any]]:
    _check(frame.columns, columns)
    return _rows({name: _plain_values(frame[name]) for name in columns})


def _plain_values(series: Any) -> list[Any]:
    return [value if isinstance(value, str) else _none_if_missing(value) for value in series]


def _none_if_missing(value: Any) -> Any:
    """The value, or None for any of pandas' missing values."""
    import pandas as pd

    is_one = value is None or pd.api.types.is_scalar(value)  # of a list it would tell for each member
    return None if is_one and pd.isna(value) else value


def _write_pandas(frame: Any, columns: Mapping[str, list[str | None]], without: list[str]) -> Any:
    import pandas as pd

    left = frame.drop(columns=without)
    for name, values in columns.items():
        left[name] = pd.Series(values, index=frame.index, dtype="string")
    return left


def _read_polars(frame: Any, columns: list[str]) -> list[dict[str, Any]]:
    _check(frame.columns, columns)
    return _rows({name: frame.get_column(name).to_list() for name in columns})


def _write_polars(frame: Any, columns: Mapping[str, list[str | None]], without: list[str]) -> Any:
    import polars as pl

    return frame.drop(without).with_columns(
        [pl.Series(name, values, dtype=pl.String) for name, values in columns.items()]
    )


def _read_arrow(frame: Any, columns: list[str]) -> list[dict[str, Any]]:
    _check(frame.schema.names, columns)
    return _rows({name: frame.column(name).to_pylist() for name in columns})


def _write_arrow(frame: Any, columns: Mapping[str, list[str | None]], without: list[str]) -> Any:
    import pyarrow as pa

    is_batch = isinstance(frame, pa.RecordBatch)
    frame = pa.Table.from_batches([frame]) if is_batch else frame
    frame = frame.drop_columns(without)
    for name, values in columns.items():
        made = pa.array(values, pa.string())
        if name in frame.column_names:
            frame = frame.set_column(frame.column_names.index(name), name, made)
        else:
            frame = frame.append_column(name, made)
    if not is_batch:
        return frame
    arrays = [
        pa.concat_arrays(column.chunks) if column.chunks else column.combine_chunks()
        for column in frame.columns
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=frame.schema)


_ARROW: _FrameKind = (_read_arrow, _write_arrow)
_KINDS: dict[str, _FrameKind] = {
    "pandas": (_read_pandas, _write_pandas),
    "polars": (_read_polars, _write_polars),
    "pyarrow": _ARROW,
}


def _check(known: Sequence[str], columns: Sequence[str]) -> None:
    for name in columns:
        if name not in list(known):
            is_named = all(isinstance(one, str) for one in known)
            hint = f"It has {', '.join(known)}." if is_named else _NO_TEXT
            raise UsageError(f"The table has no column {name}.", hint)
        if list(known).count(name) > 1:
            raise UsageError(f"The table has two columns {name}.", "Rename one of them.")


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
