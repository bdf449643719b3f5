"""Batches and single documents in object stores: the same results as in folders, whole objects, and only changes travel."""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from efface.batch.locations import Places
from efface.batch.stores import StoreFolder, mirror
from efface.cli.main import app
from efface.errors import EffaceError, InputError, OutputError
from efface.files.store_addresses import address_of
from tests.batch.helpers import POLICY, fill, one_by_one, tree

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    return path


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    """The store of this process, with ten documents under `in`."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    fill(tmp_path / "in", 10)
    for name, data in tree(tmp_path / "in").items():
        system.pipe_file(f"/in/{name}", data)
    return system


def _out(system: Any, root: str = "/out") -> dict[str, bytes]:
    return {path.removeprefix(root + "/"): system.cat_file(path) for path in system.find(root)}


def _batch(policy: Path, work: Path, *more: str) -> int:
    line = ["batch", "memory://in", "memory://out", "--policy", str(policy), "--work", str(work)]
    return _code([*line, "--workers", "1", *more])


def _code(line: list[str]) -> int:
    """The exit code; the errors that the command line puts into words end with 2."""
    done = CliRunner().invoke(app, line)
    return 2 if isinstance(done.exception, EffaceError) else done.exit_code


def test_paths_are_told_from_addresses() -> None:
    assert address_of(Path("s3://bucket/in")) == address_of("s3://bucket/in") == "s3://bucket/in"
    for path in ("notes/in", "/tmp/s3/x", "C:/notes", "s3:/", "other://x"):
        assert address_of(path) is None


def test_batch_in_a_store_equals_one_in_folders(memory: Any, policy: Path, tmp_path: Path) -> None:
    assert _batch(policy, tmp_path / "work") == 0
    assert _out(memory) == one_by_one(tmp_path / "in")


def test_only_changes_travel_again(
    memory: Any, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _batch(policy, tmp_path / "work") == 0
    fetched: list[str] = []
    sent: list[str] = []
    get, put = type(memory).get_file, type(memory).put_file

    def noted_get(self: Any, remote: str, here: str, **named: Any) -> None:
        fetched.append(remote)
        get(self, remote, here, **named)

    def noted_put(self: Any, here: str, remote: str, **named: Any) -> None:
        sent.append(remote)
        put(self, here, remote, **named)

    monkeypatch.setattr(type(memory), "get_file", noted_get)
    monkeypatch.setattr(type(memory), "put_file", noted_put)
    assert _batch(policy, tmp_path / "work") == 0
    assert (fetched, sent) == ([], [])
    memory.pipe_file("/in/ward 0/0.txt", b"Write to new@example.org.")
    memory.rm_file("/in/ward 1/1.txt")
    assert _batch(policy, tmp_path / "work") == 0
    assert fetched == ["/in/ward 0/0.txt"] and sent == ["/out/ward 0/0.txt"]
    assert memory.cat_file("/out/ward 0/0.txt") == b"Write to [EMAIL_ADDRESS_1]."
    assert "ward 1/1.txt" not in _out(memory)


def test_store_that_is_full_leaves_whole_objects_and_the_next_run_goes_on(
    memory: Any, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, count = type(memory).put_file, iter(range(100))

    def full(self: Any, *args: Any, **named: Any) -> Any:
        if next(count) >= 4:
            raise OSError(errno.ENOSPC, "no space")
        return put(self, *args, **named)

    monkeypatch.setattr(type(memory), "put_file", full)
    assert _batch(policy, tmp_path / "work") == 2
    wanted = one_by_one(tmp_path / "in")
    partly = _out(memory)
    assert len(partly) == 4 and partly.items() <= wanted.items()
    monkeypatch.setattr(type(memory), "put_file", put)
    assert _batch(policy, tmp_path / "work") == 0
    assert _out(memory) == wanted


def test_object_that_is_cut_off_on_its_way_is_not_taken(
    memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = type(memory).get_file

    def cut_off(self: Any, remote: str, here: str, **named: Any) -> None:
        get(self, remote, here, **named)
        os.truncate(here, 5)

    monkeypatch.setattr(type(memory), "get_file", cut_off)
    with pytest.raises(InputError, match="cut off"):
        mirror("memory://in", tmp_path / "mirror")
    assert not list((tmp_path / "mirror").rglob("*.txt"))


def test_object_that_is_cut_off_when_it_is_sent_is_sent_again(
    memory: Any, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = type(memory).put_file

    def cut_off(self: Any, here: str, remote: str, **named: Any) -> None:
        self.pipe_file(remote, Path(here).read_bytes()[:5])

    monkeypatch.setattr(type(memory), "put_file", cut_off)
    assert _batch(policy, tmp_path / "work") == 2
    monkeypatch.setattr(type(memory), "put_file", put)
    assert _batch(policy, tmp_path / "work") == 0
    assert _out(memory) == one_by_one(tmp_path / "in")


def test_object_that_is_gone_since_the_listing_is_left_out(
    memory: Any, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _batch(policy, tmp_path / "work") == 0
    memory.pipe_file("/in/ward 0/0.txt", b"Write to new@example.org.")
    get = type(memory).get_file

    def gone(self: Any, remote: str, here: str, **named: Any) -> None:
        self.rm_file(remote)
        get(self, remote, here, **named)

    monkeypatch.setattr(type(memory), "get_file", gone)
    assert _batch(policy, tmp_path / "work") == 0
    assert len(_out(memory)) == 9 and "ward 0/0.txt" not in _out(memory)


def test_file_becomes_a_folder_and_a_folder_a_file(memory: Any, tmp_path: Path) -> None:
    first = mirror("memory://in", tmp_path)
    assert (first / "ward 0" / "0.txt").is_file()
    memory.rm("/in/ward 0/0.txt")
    memory.pipe_file("/in/ward 0/0.txt/new.txt", b"new")
    assert (mirror("memory://in", tmp_path) / "ward 0" / "0.txt" / "new.txt").read_bytes() == b"new"
    memory.rm("/in/ward 0/0.txt", recursive=True)
    memory.pipe_file("/in/ward 0/0.txt", b"old")
    assert (mirror("memory://in", tmp_path) / "ward 0" / "0.txt").read_bytes() == b"old"


def test_name_that_no_file_has_here_is_told(memory: Any, tmp_path: Path) -> None:
    memory.pipe_file(f"/in/{'x' * 300}", b"x")
    with pytest.raises(InputError, match="cannot be a file here"):
        mirror("memory://in", tmp_path / "mirror")


def test_objects_that_mark_folders_are_no_documents(memory: Any) -> None:
    class Marked(StoreFolder):
        _system = (
            type(
                "System",
                (),
                {"find": lambda s, r, detail: {"in/": {"size": 0}, "in/a/": {"size": 0}, "in/a/b": {}}},
            )(),
            "in",
        )

    assert set(Marked("memory://in").objects()) == {"a/b"}


def test_output_of_somebody_else_is_not_written_to(memory: Any, policy: Path, tmp_path: Path) -> None:
    memory.pipe_file("/out/theirs.txt", b"x")
    assert _batch(policy, tmp_path / "work") == 2
    assert _out(memory) == {"theirs.txt": b"x"}


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("s3://bucket/in", "s3://bucket/in/out"),
        ("s3://bucket/in/", "s3://bucket//in"),
        ("s3://bucket/in/a.txt", "s3a://bucket/in"),
        ("gs://bucket", "gcs://bucket/out"),
    ],
)
def test_an_output_among_the_inputs_is_refused_in_stores_too(source: str, output: str) -> None:
    """The next run read the releases of the one before as documents."""
    with pytest.raises(OutputError, match="must not hold one another"):
        Places.of([source], Path(output), Path("work"))


def test_neighbours_in_a_store_are_apart() -> None:
    for output in ("s3://bucket/in2", "s3://other/in", "gs://bucket/in"):
        assert Places.of(["notes", "s3://bucket/in"], Path(output), Path("work")).target == output


def test_output_in_a_store_needs_a_work_folder(memory: Any, policy: Path) -> None:
    assert _code(["batch", "memory://in", "memory://out", "--policy", str(policy)]) == 2


@pytest.mark.parametrize("name", ["../../x", "/x", "a//x", "a/./x"])
def test_name_that_leads_out_of_the_mirror_is_refused_and_told(
    memory: Any, tmp_path: Path, name: str
) -> None:
    """An object with two strokes in its name was left out of the batch in silence."""

    class Odd(StoreFolder):
        _system = (type("System", (), {"find": lambda s, r, detail: {f"/in/{name}": {}}})(), "/in")

    with pytest.raises(InputError, match=f"'{name}' of the store has a name that is no path"):
        Odd("memory://in").objects()
    with pytest.raises(EffaceError):
        mirror("memory://nothing-here", tmp_path)


def test_one_document_from_a_store_to_a_store(memory: Any, policy: Path) -> None:
    memory.pipe_file("/notes/a.txt", b"Write to bob@example.org.")
    line = ["redact", "memory://notes/a.txt", "-o", "memory://notes/b.txt", "--policy", str(policy)]
    assert _code(line) == 0
    assert memory.cat_file("/notes/b.txt") == b"Write to [EMAIL_ADDRESS_1]."
    assert _code(line) == 2  # it exists
    memory.pipe_file("/notes/a.txt", b"Write to amy@example.org now.")
    assert _code([*line, "--force"]) == 0
    assert memory.cat_file("/notes/b.txt") == b"Write to [EMAIL_ADDRESS_1] now."
    missing = ["redact", "memory://notes/none.txt", "-o", "memory://notes/c.txt"]
    assert _code(missing) == 2
    assert not memory.exists("/notes/c.txt")


def test_the_address_is_shown_and_no_file_of_this_machine(memory: Any, policy: Path) -> None:
    memory.pipe_file("/notes/a.txt", b"Write to bob@example.org.")
    line = ["redact", "memory://notes/a.txt", "-o", "memory://notes/shown.txt", "--policy", str(policy)]
    shown = CliRunner().invoke(app, line)
    told = shown.output + shown.stderr
    assert "memory://notes/shown.txt" in told.replace("\n", "")
    assert "efface-" not in told  # the folder where the file was made


@pytest.fixture(scope="module")
def s3() -> Iterator[dict[str, str]]:
    """moto's server on the loopback address, with a bucket; what a process needs to reach it."""
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    running.start()
    yield {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    running.stop()


def test_batch_on_s3_that_is_killed_goes_on(s3: dict[str, str], policy: Path, tmp_path: Path) -> None:
    import s3fs

    system = s3fs.S3FileSystem(
        key="test", secret="test", endpoint_url=s3["AWS_ENDPOINT_URL"], use_listings_cache=False
    )
    system.mkdir("efface-batch")
    fill(tmp_path / "in", 12)
    for name, data in tree(tmp_path / "in").items():
        system.pipe_file(f"efface-batch/in/{name}", data)
    line = [sys.executable, "-c", "from efface.cli.main import main; main()", "batch"]
    line += ["s3://efface-batch/in", "s3://efface-batch/out"]
    line += ["--policy", str(policy), "--work", str(tmp_path / "work"), "--workers", "1"]
    wanted = one_by_one(tmp_path / "in")
    first = subprocess.Popen(line, env={**os.environ, **s3}, stderr=subprocess.DEVNULL)
    for _ in range(6000):
        if first.poll() is not None or system.find("efface-batch/out"):
            break
        time.sleep(0.1)
    first.send_signal(signal.SIGKILL)
    first.wait()
    partly = _out(system, "efface-batch/out")
    assert partly.items() <= wanted.items()
    done = subprocess.run(line, env={**os.environ, **s3}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert _out(system, "efface-batch/out") == wanted
