from __future__ import annotations

import os
import resource
import stat
import tracemalloc
from pathlib import Path

import pytest

from efface.errors import InputError, OutputError
from efface.files.local import check_output, read_input, write_output


def test_output_is_whole_and_alone(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    write_output(target, b"data")
    assert target.read_bytes() == b"data"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def test_private_files_are_for_their_owner_only(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    write_output(target, b"data", private=True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_existing_output_needs_force(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_bytes(b"old")
    with pytest.raises(OutputError, match="exists already"):
        write_output(target, b"new")
    assert target.read_bytes() == b"old"
    write_output(target, b"new", force=True)
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("force", [False, True])
def test_links_folders_and_missing_folders_are_refused(tmp_path: Path, force: bool) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for path, why in [
        (tmp_path / "link", "symbolic link"),
        (tmp_path, "folder"),
        (tmp_path / "no" / "x", "not exist"),
    ]:
        with pytest.raises(OutputError, match=why):
            check_output(path, force=force)
    assert (tmp_path / "real").read_bytes() == b"old"


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    """A file size limit stands for the full disk: the write fails half-way."""
    pid = os.fork()
    if pid == 0:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            write_output(tmp_path / "out.txt", b"x" * 100_000)
        except OutputError:
            os._exit(7)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 7
    assert list(tmp_path.iterdir()) == []


def test_inputs_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 100)
    os.mkfifo(tmp_path / "fifo")
    for path, why in [
        (tmp_path, "folder"),
        (tmp_path / "none", "does not exist"),
        (tmp_path / "big", "limit"),
    ]:
        with pytest.raises(InputError, match=why):
            read_input(path, limit=50)
    with pytest.raises(InputError, match="not a regular file"):
        read_input(tmp_path / "fifo")
    assert read_input(tmp_path / "big") == b"x" * 100


def test_a_small_file_takes_little_memory(tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"x" * 100)
    tracemalloc.start()
    try:
        read_input(tmp_path / "small")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_device_or_pipe_is_no_output(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OutputError, match="not a regular file"):
        write_output(pipe, b"data", force=True)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
