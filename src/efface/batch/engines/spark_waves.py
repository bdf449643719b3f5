"""Spark as the engine of a batch: waves of items go out, outcomes come back, the manifest stays with the driver."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efface.batch.engines.one_document import Engine, Spec, done_of
from efface.batch.engines.pool import Limits, Pool
from efface.batch.engines.remote import bundle, do_tables, engine_of, sent_table
from efface.batch.items import WHOLE, Item, ItemResult
from efface.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

_WAVE = 16_384  # items that are out at a time, and
_WAVE_BYTES = 128 << 20  # of documents that Spark gets at once
_SLICES = 4  # slices for every core: documents are not equally long
_SCHEMA = "number long, message string, data binary"


class Cluster:
    """Runs items on Spark. A wave that Spark gives up is done in this process, where the failing document is known."""

    def __init__(self, spec: Spec, limits: Limits, temporary: Path) -> None:
        self._spec = spec
        self._limits = limits
        self._temporary = temporary
        self._count = 0

    def run(self, items: Iterable[Item]) -> Iterator[ItemResult]:
        waves = _waves(items)
        first = next(waves, None)
        if first is None:
            return
        spark = session()
        bundled = shipped(spark, Engine(self._spec), self._temporary)
        yield from self._wave(spark, bundled, first)
        for wave in waves:
            yield from self._wave(spark, bundled, wave)

    def _wave(self, spark: Any, bundled: str, wave: list[Item]) -> Iterator[ItemResult]:
        spec = self._spec.to_json()

        def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            yield from do_tables(engine_of(spec, bundled), batches)

        slices = min(len(wave), spark.sparkContext.defaultParallelism * _SLICES)
        try:
            sent = spark.createDataFrame(sent_table(wave)).repartition(slices)
            found = sent.mapInArrow(work, _SCHEMA).toArrow()
        except Exception as error:
            if not type(error).__module__.startswith(("py4j", "pyspark")):
                raise
            if "ModuleNotFoundError" in str(error):
                raise UsageError(
                    "Spark's Python workers do not find efface.", "Install it there, and set PYSPARK_PYTHON."
                ) from None
            yield from Pool(self._spec, self._limits, self._temporary).run(wave)
            return
        for row in found.to_pylist():
            done = done_of(wave[row["number"]], json.loads(row["message"]), row["data"])
            yield self._spooled(done) if done.item.part == WHOLE else done

    def _spooled(self, done: ItemResult) -> ItemResult:
        if done.data is None:
            return done
        self._count += 1
        path = self._temporary / f"spark-{self._count}"
        path.write_bytes(done.data)
        return replace(done, data=None, spool=str(path))


def _waves(items: Iterable[Item]) -> Iterator[list[Item]]:
    wave: list[Item] = []
    weight = 0
    for item in items:
        wave.append(item)
        weight += item.weight
        if len(wave) >= _WAVE or weight >= _WAVE_BYTES:
            yield wave
            wave, weight = [], 0
    if wave:
        yield wave


def session() -> Any:
    """The session at hand, or a new one as Spark's own settings say."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise UsageError("Spark needs pyspark and Java.", "Install efface[spark].") from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # on this machine: the Python that has efface
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    made = (
        SparkSession.builder.appName("efface").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    )
    made.sparkContext.setLogLevel("ERROR")
    return made


def shipped(spark: Any, engine: Engine, folder: Path) -> str:
    """The name of what every executor fetches once; nothing where all run on this machine."""
    if spark.sparkContext.master.startswith("local"):
        return ""
    made = bundle(engine, folder)
    if made is None:
        return ""
    context = spark.sparkContext
    sent = (context.applicationId, made.name)
    if sent not in _SENT:  # Spark refuses a second file of one name
        context.addFile(str(made))
        _SENT.add(sent)
    return made.name


_SENT: set[tuple[str, str]] = set()  # (application, bundle)
