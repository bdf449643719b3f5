"""Spark dataframes: text columns and files, sanitized where they are.

from efface.batch.spark import redact
safe = redact(df, text="body", policy="policy.yaml", viewer="clerk")
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efface.batch.containers.members import Options, stated_columns
from efface.batch.engines.remote import (
    REASON,
    VERDICT,
    check_names_are_free,
    engine_of,
    redact_contents,
    redact_tables,
)
from efface.batch.engines.spark_waves import session, shipped
from efface.batch.frames import PolicyOrSanitizer, columns_of, engine_for
from efface.errors import UsageError
from efface.policy.hidden_subjects import truth_column

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from efface.batch.engines.one_document import Engine


def redact(
    df: DataFrame,
    text: str | Sequence[str] = "body",
    *,
    policy: PolicyOrSanitizer,
    viewer: str | None = None,
    subject: str = "",
    truth: str = "",
    allow_unproven: bool = False,
) -> DataFrame:
    """The dataframe with its text columns as they may leave. A row that may not has none, and says why.

    The viewer is fixed here, on the driver; `subject` names the column whose value dates move together by,
    `truth` the column with the class or person that `k-confusability` hides (or `truth: {column: …}` in the policy),
    which does not leave. Other columns stay as they are: select what may leave.
    """
    columns = columns_of(text)
    engine = engine_for(policy, viewer)
    told = Options(tuple(columns), subject=subject, truth=truth_column(engine.policy, truth))
    _check(df, (*columns, *stated_columns(told)))
    check_names_are_free(df.columns)
    spec, bundled = _prepared(engine)

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from redact_tables(engine_of(spec, bundled), batches, columns, told, allow_unproven)

    return df.mapInArrow(work, _schema(df, columns, told.truth))


def redact_files(
    df: DataFrame, *, policy: PolicyOrSanitizer, viewer: str | None = None, allow_unproven: bool = False
) -> DataFrame:
    """Files of any format, as `spark.read.format("binaryFile")` gives them: `path` and `content`."""
    _check(df, ("path", "content"))
    spec, bundled = _prepared(engine_for(policy, viewer))

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from redact_contents(engine_of(spec, bundled), batches, allow_unproven)

    schema = f"path string, content binary, {VERDICT} string, {REASON} string"
    return df.select("path", "content").mapInArrow(work, schema)


def _prepared(engine: Engine) -> tuple[str, str]:
    """The policy bound here first: mistakes are found, and indexes made, before anything is sent."""
    if engine.extras:
        raise UsageError(
            "Finders, operators and guarantees that are objects of this process cannot travel to executors.",
            "Name them in the policy (`find.custom: module:name`) and install their package there.",
        )
    return engine.spec.to_json(), shipped(session(), engine, _outgoing())


@cache
def _outgoing() -> Path:
    """The folder that executors fetch from, as long as this process lasts."""
    folder = Path(tempfile.mkdtemp(prefix="efface-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _check(df: DataFrame, names: Iterable[str]) -> None:
    for name in names:
        if name not in df.columns:
            raise UsageError(f"The dataframe has no column {name}.", f"It has {', '.join(df.columns)}.")


def _schema(df: DataFrame, columns: Sequence[str], without: str) -> Any:
    from pyspark.sql.types import StringType, StructField, StructType

    left = [field for field in df.schema.fields if field.name != without]
    fields = [StructField(f.name, f.dataType, True) if f.name in columns else f for f in left]
    for field in fields:
        if field.name in columns and not isinstance(field.dataType, StringType):
            raise UsageError(f"The column {field.name} does not hold text.", "Cast it to a string.")
    return StructType([*fields, StructField(VERDICT, StringType()), StructField(REASON, StringType())])
