"""What may go wrong with processes, disks and clocks. Every case ends equal to an undisturbed run, or says why."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.batch.engines.pool import Limits
from efface.batch.items import State
from efface.cli.main import app
from efface.errors import OutputError
from tests.batch.gate import GATED, gated, reached
from tests.batch.helpers import (
    POLICY,
    children,
    command,
    fill,
    go,
    letter,
    long_letter,
    one_by_one,
    strays,
    tree,
)


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    return path


def _wait_for(path: Path, process: subprocess.Popen[bytes], count: int) -> None:
    """Until so many outputs are there, or the batch is over."""
    while process.poll() is None and sum(1 for p in path.rglob("*.txt")) < count:
        time.sleep(0.01)


def _ended(process: subprocess.Popen[bytes], patience: float = 600) -> int:
    process.communicate(timeout=patience)
    return process.returncode


@pytest.mark.parametrize("count", [0, 40])
def test_kill_the_parent_and_run_again(tmp_path: Path, policy: Path, count: int) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 120)
    first = command(source, output, policy, "--workers", "2")
    _wait_for(output, first, count)
    workers = children(first.pid)
    first.kill()
    _ended(first)
    for pid in workers:  # they notice that nobody is there
        for _ in range(500):
            if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2:3]:
                break
            time.sleep(0.02)
    second = command(source, output, policy, "--workers", "2")
    assert _ended(second) == 0
    assert tree(output) == one_by_one(source)
    assert not strays(tmp_path) and not (tmp_path / "out.work" / "tmp").exists()


def test_kill_a_worker(tmp_path: Path, policy: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 300)
    process = command(source, output, policy, "--workers", "2")
    for count in (20, 100):
        _wait_for(output, process, count)
        if (
            sum(1 for _ in output.rglob("*.txt")) > 250
        ):  # a busy machine looked late: what was tried once may be in hand again
            break
        for pid in children(process.pid)[:1]:
            with contextlib.suppress(ProcessLookupError):  # it may have ended by itself since it was listed
                os.kill(pid, signal.SIGKILL)
    assert _ended(process) == 0
    assert tree(output) == one_by_one(source)


def test_soak_with_random_kills(tmp_path: Path, policy: Path) -> None:
    """EFFACE_SOAK=20000 for the long one."""
    count = int(os.environ.get("EFFACE_SOAK", "120"))
    chance = random.Random(7)
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, count)
    kills = 0
    while kills < 2 + count // 500:
        process = command(source, output, policy, "--workers", "2")
        pause = chance.uniform(0.8, 1.5 + count / 4000)
        time.sleep(pause)
        if chance.random() < 0.4:
            for pid in children(process.pid)[: chance.randrange(1, 3)]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(chance.uniform(0, 1))
        process.kill()
        kills += 1
        _ended(process)
    last = command(source, output, policy, "--workers", "2")
    assert _ended(last, 600 + count / 10) == 0
    assert tree(output) == one_by_one(source)
    assert not strays(tmp_path)


@pytest.mark.processes
def test_a_document_that_takes_too_long_is_quarantined(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 10)
    gate = tmp_path / "gate"
    (source / "slow.txt").write_text(gated(gate) + letter(0))
    outcome, seen = go(
        source, output, GATED, limits=Limits(1, seconds=3)
    )  # the others take a hundredth of it
    assert outcome.counts == {"done": 10, "quarantined": 1}
    assert [d.reason for d in seen if d.state is State.QUARANTINED] == ["It took more than 3 seconds."]
    gate.unlink()
    outcome, _ = go(source, output, GATED)  # the next run tries again
    assert outcome.counts == {"done": 11}
    assert tree(output) == one_by_one(source, GATED)


@pytest.mark.processes
def test_a_document_that_takes_too_much_memory_is_quarantined(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 10)
    (source / "large.txt").write_text(long_letter(30 << 20))
    outcome, seen = go(source, output, limits=Limits(1, memory=48))
    assert outcome.counts == {"done": 10, "quarantined": 1}
    assert [d.reason for d in seen if d.state is State.QUARANTINED] == [
        "It needs more than 48 MiB of memory."
    ]


def test_two_batches_on_one_output(tmp_path: Path, policy: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 20)
    gate = tmp_path / "gate"
    (source / "zz.txt").write_text(gated(gate) + letter(0))
    policy.write_text(GATED)
    first = command(source, output, policy, "--workers", "1")
    while not reached(gate).exists():
        assert first.poll() is None
        time.sleep(0.01)
    try:
        with pytest.raises(OutputError, match="Another batch"):
            go(source, output, GATED)
    finally:
        gate.unlink()
    assert _ended(first) == 0
    assert tree(output) == one_by_one(source, GATED)


def test_a_full_disk_stops_the_batch_and_another_run_goes_on(tmp_path: Path, policy: Path) -> None:
    """A limit on the size of files stands for the disk: an output of more cannot be written."""
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 30)
    (source / "large.txt").write_text(long_letter(600_000))
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, -1)); from efface.cli.main import main; main()"
    )
    words = [
        sys.executable,
        "-c",
        code,
        "batch",
        str(source),
        str(output),
        "-p",
        str(policy),
        "--workers",
        "1",
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 2 and "cannot be written" in done.stderr
    assert not strays(tmp_path) and "large.txt" not in tree(output)
    go(source, output)
    assert tree(output) == one_by_one(source)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_read_only_output_is_said_at_once(tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    with pytest.raises(OutputError):
        go(tmp_path / "in", Path("/proc/efface/out"))


def test_a_damaged_manifest_is_said(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 3)
    go(source, output)
    (tmp_path / "out.work" / "manifest.db").write_bytes(b"no database" * 1000)
    with pytest.raises(OutputError, match="manifest"):
        go(source, output)


def test_a_file_that_vanishes(tmp_path: Path) -> None:
    from efface.batch.engines.one_document import Engine, Spec
    from efface.batch.items import WHOLE, Item
    from efface.policy.entries import Find
    from efface.policy.model import Policy

    engine = Engine(Spec.of(Policy(find=Find(names="none")), Path(), None, b"k" * 32, 1 << 20))
    done = engine.do(Item(b"a.txt", WHOLE, "a.txt", str(tmp_path / "a.txt")))
    assert (done.state, done.reason) == (State.FAILED, "The file vanished before it was read.")


def test_a_file_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from efface.batch import work_folder as files
    from efface.errors import InputError

    path = tmp_path / "log.txt"
    path.write_text("a line\n")
    real = files.stamp
    grown = iter(range(100))

    def growing(status: os.stat_result) -> str:
        return f"{real(status)}{next(grown)}"  # every look sees another state

    monkeypatch.setattr(files, "stamp", growing)
    with pytest.raises(InputError, match="changed while"):
        files.read_steadily(str(path), 1 << 20)


def test_a_clock_that_went_back(tmp_path: Path) -> None:
    """A file from the future is never told by its stamp alone."""
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 3)
    for path in source.rglob("*.txt"):
        os.utime(path, (time.time() + 10_000,) * 2)
    go(source, output)
    time.sleep(2.2)
    _, seen = go(source, output)
    assert len(seen) == 3 and all(done.same for done in seen)
    manifest = sqlite3.connect(tmp_path / "out.work" / "manifest.db")
    manifest.execute("UPDATE documents SET finished = finished + 1e9")  # finished in the future, too
    manifest.commit()
    manifest.close()
    outcome, _ = go(source, output)
    assert outcome.counts == {"done": 3} and tree(output) == one_by_one(source)


def test_a_half_written_summary_is_gone_after_the_next_run(tmp_path: Path, policy: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 2)
    line = ["batch", str(source), str(output), "-p", str(policy)]
    assert CliRunner().invoke(app, line).exit_code == 0
    (tmp_path / "out.work" / ".efface-half").write_bytes(b"<html>")
    assert strays(tmp_path)
    assert CliRunner().invoke(app, line).exit_code == 0
    assert not strays(tmp_path) and tree(output) == one_by_one(source)
