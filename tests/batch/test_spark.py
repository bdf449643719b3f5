"""Spark in local mode, on the machine's own Java."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from efface.api.sanitizer import Sanitizer
from efface.batch.containers.members import Options
from efface.errors import UsageError
from tests.batch.helpers import POLICY, fill, go, letter, one_by_one, tree
from tests.batch.spark_driver import SHORT_LIVED


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="needs pyspark")
    if shutil.which("java") is None:
        pytest.skip("needs Java, which is not on this machine")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.update(SHORT_LIVED)
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    return path


@pytest.mark.filterwarnings("ignore")
def test_a_text_column(spark: Any, policy: Path) -> None:
    from efface.batch.spark import redact

    rows = [(number, letter(number)) for number in range(20)] + [(20, None)]
    df = spark.createDataFrame(rows, "id long, body string")
    found = {row["id"]: row for row in redact(df, text="body", policy=policy).collect()}
    sanitizer = Sanitizer.from_text(POLICY)
    for number, text in rows:
        released = sanitizer.sanitize(text.encode(), name="row.txt").released if text is not None else None
        assert found[number]["body"] == (released.decode() if released is not None else None)
        assert found[number]["efface_verdict"] == "held"
    with pytest.raises(UsageError):
        redact(df, text="nothing", policy=policy)
    with pytest.raises(UsageError):
        redact(df, text="id", policy=policy)


@pytest.mark.filterwarnings("ignore")
def test_binary_files(spark: Any, policy: Path, tmp_path: Path) -> None:
    from efface.batch.spark import redact_files

    fill(tmp_path / "in", 6)
    (tmp_path / "in" / "ward 1" / "page.html").write_text("<p>ann@example.org</p>")
    (tmp_path / "in" / "ward 1" / "photo.xyz").write_bytes(b"?")
    df = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(str(tmp_path / "in"))
    found = {Path(row["path"]).name: row for row in redact_files(df, policy=policy).collect()}
    assert found.pop("photo.xyz")["content"] is None
    (tmp_path / "in" / "ward 1" / "photo.xyz").unlink()
    expected = {Path(name).name: data for name, data in one_by_one(tmp_path / "in").items()}
    assert {name: bytes(row["content"]) for name, row in found.items()} == expected


@pytest.mark.filterwarnings("ignore")
def test_the_same_bytes_as_the_local_engine(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "in"
    fill(source, 30)
    (source / "a.jsonl").write_text(
        "".join(f'{{"id": {n}, "body": "to user{n}@example.org"}}\n' for n in range(5))
    )
    (source / "photo.xyz").write_bytes(b"?")
    options = Options(text=("body",), copy=("id",))
    local, _ = go(source, tmp_path / "local", options=options)
    monkeypatch.setattr("efface.batch.engines.spark_waves.Pool", None)  # Spark itself must do it
    remote, _ = go(source, tmp_path / "remote", options=options, engine="spark")
    assert tree(tmp_path / "remote") == tree(tmp_path / "local")
    assert remote.counts == local.counts


def test_what_the_policy_names_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundle, unpacked elsewhere, gives an engine that does the same without the policy's folder."""
    from efface.batch.engines.remote import _unpacked, bundle
    from efface.batch.frames import engine_for
    from efface.batch.items import Item

    folder = tmp_path / "policy"
    folder.mkdir()
    (folder / "deny.txt").write_text("clinic\n")
    (folder / "people.csv").write_text("id,name\n" + "".join(f"{n},Ann Lee{n}\n" for n in range(9)))
    (folder / "policy.yaml").write_text(
        "find: {patterns: none, names: none, deny_file: deny.txt}\n"
        "knowledge: {people: {entities: people.csv, identifying: [name]}}\n"
        "guarantees: [{k-safety: {over: people, k: 3}}]\n"
    )
    engine = engine_for(folder / "policy.yaml", None)
    item = Item(b"", 0, "a.txt", data=b"Ann Lee3 came to the clinic.")
    expected = engine.do(item).data
    sent = tmp_path / "sent"
    sent.mkdir()
    made = bundle(engine, sent)
    assert made is not None
    shutil.rmtree(folder)
    from dataclasses import replace

    from efface.batch.engines.one_document import Engine

    there = Engine(replace(engine.spec, folder=str(_unpacked(made))))
    built: list[object] = []
    monkeypatch.setattr("efface.policy.knowledge.build_index", lambda *args: built.append(args))
    assert there.do(item).data == expected and b"clinic" not in (expected or b"clinic")
    assert not built  # the index came along
