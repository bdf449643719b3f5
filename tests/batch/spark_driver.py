"""What the cluster test runs on a driver of its own: prints one JSON object. Arguments: master, work folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from efface.batch.spark import redact

TEXTS = [f"Letter {n}: mail user{n}@example.org about ticket T-{10000 + n} at the clinic." for n in range(40)]
POISON = "POISON for one row"
# For a JVM that ends after a few seconds: it compiles little and collects garbage by one thread.
SHORT_LIVED = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"}


def main(master: str, folder: Path) -> dict[str, Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("efface-test").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.executor.memory", "700m").config("spark.sql.shuffle.partitions", "2")
    if len(sys.argv) > 3:  # an environment that Spark brings to the executors
        builder = builder.config("spark.archives", f"{sys.argv[3]}#environment")
        builder = builder.config("spark.pyspark.python", "./environment/bin/python")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    plain = {"find": {"names": "none"}}
    rows = [*enumerate(TEXTS)]
    df = spark.createDataFrame(rows, "id long, body string").repartition(4)
    found: dict[str, Any] = {"hosts": spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1}
    found["no file"] = _bodies(redact(df, policy=plain))  # a policy that names no file
    found["deny file"] = _bodies(redact(df, policy=folder / "policy.yaml"))
    found["again"] = _bodies(redact(df, policy=folder / "policy.yaml"))  # a second call in one session
    if len(sys.argv) <= 3:
        poisoned = spark.createDataFrame([*rows, (40, POISON)], "id long, body string").repartition(4)
        plugged = {"find": {"names": "none", "custom": "tests.api.plugged.tickets:TicketFinder"}}
        made = redact(poisoned, policy=plugged).collect()
        found["plugged"] = {row["id"]: row["body"] for row in made}
        found["poison"] = next([row["body"], row["efface_verdict"]] for row in made if row["id"] == 40)
        found["streamed"] = _streamed(spark, folder, plain)
    spark.stop()
    return found


def _bodies(df: Any) -> dict[int, str]:
    return {row["id"]: row["body"] for row in df.collect()}


def _streamed(spark: Any, folder: Path, policy: dict[str, Any]) -> dict[int, str]:
    """Structured streaming: every micro-batch is redacted and appended."""
    (folder / "arriving").mkdir()
    for part in range(2):
        lines = [json.dumps({"id": n, "body": TEXTS[n]}) for n in range(part * 10, part * 10 + 10)]
        (folder / "arriving" / f"{part}.json").write_text("\n".join(lines), "utf-8")
    stream = spark.readStream.schema("id long, body string").option("maxFilesPerTrigger", 1)
    stream = stream.json(str(folder / "arriving"))

    def each(batch: Any, _number: int) -> None:
        redact(batch, policy=policy).write.mode("append").json(str(folder / "safe"))

    query = stream.writeStream.foreachBatch(each).option("checkpointLocation", str(folder / "checkpoint"))
    query.trigger(availableNow=True).start().awaitTermination(120)
    return _bodies(spark.read.json(str(folder / "safe")))


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], Path(sys.argv[2]))))
