"""A standalone Spark master and two workers on this machine: results equal to local, row by row."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import efface
from tests.batch.spark_driver import SHORT_LIVED, TEXTS

ROOT = Path(__file__).resolve().parents[3]
PLAIN: dict[str, Any] = {"find": {"names": "none"}}

pytestmark = pytest.mark.slow


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _java(*arguments: str, folder: Path) -> Iterator[None]:
    """A process of Spark's own, ended with the test."""
    import pyspark

    home = Path(pyspark.__file__).parent
    options = ["-Xmx256m", "-cp", f"{home}/jars/*"]
    environment = {
        **os.environ,
        **SHORT_LIVED,
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        # Spark's own scripts find this out; without it a worker cannot start an executor.
        "SPARK_SCALA_VERSION": next((home / "jars").glob("spark-core_*.jar"))
        .name.split("_")[1]
        .split("-")[0],
    }
    with (folder / f"{arguments[0].rpartition('.')[2]}-{len(list(folder.iterdir()))}.log").open("wb") as log:
        process = subprocess.Popen(
            ["java", *options, *arguments], stdout=log, stderr=log, env=environment, cwd=folder
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait(300)


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("pyspark", reason="needs pyspark")
    if shutil.which("java") is None:
        pytest.skip("needs Java, which is not on this machine")
    folder = tmp_path_factory.mktemp("cluster")
    port = _free_port()
    url = f"spark://127.0.0.1:{port}"
    host = ("--host", "127.0.0.1", "--webui-port", "0")
    with ExitStack() as running:
        running.enter_context(
            _java("org.apache.spark.deploy.master.Master", *host, "--port", str(port), folder=folder)
        )
        _wait_for(port)
        for number in range(2):
            size = ("--cores", "1", "--memory", "900m", "--work-dir", str(folder / f"work{number}"))
            running.enter_context(
                _java("org.apache.spark.deploy.worker.Worker", *host, *size, url, folder=folder)
            )
        yield url


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail("the master did not start")


def _driven(master: str, folder: Path, *more: str) -> dict[str, Any]:
    (folder / "deny.txt").write_text("clinic\n", "utf-8")
    (folder / "policy.yaml").write_text("find: {names: none, deny_file: deny.txt}\n", "utf-8")
    environment = {
        **os.environ,
        **SHORT_LIVED,
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    if more:
        del environment["PYSPARK_PYTHON"]
    command = [sys.executable, "-W", "ignore", "-m", "tests.batch.spark_driver", master, str(folder), *more]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def _local(policy: Any, texts: list[str] = TEXTS) -> dict[str, str]:
    made = efface.Sanitizer(policy).redact_many(texts)
    return {str(number): one.text for number, one in enumerate(made)}


def test_two_workers_give_what_one_machine_gives(master: str, tmp_path: Path) -> None:
    found = _driven(master, tmp_path)
    assert found["no file"] == _local(PLAIN)
    assert found["deny file"] == found["again"] == _local(tmp_path / "policy.yaml")
    assert "[DENIED_1]" in found["again"]["0"]
    assert found["streamed"] == dict(list(_local(PLAIN).items())[:20])
    plugged = {"find": {"names": "none", "custom": "tests.api.plugged.tickets:TicketFinder"}}
    assert found["poison"] == [None, "quarantined"]
    assert {id: body for id, body in found["plugged"].items() if id != "40"} == _local(plugged)
