from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from efface.batch.containers.members import Options
from efface.batch.items import State
from efface.core import Verdict
from efface.errors import InputError, OutputError, PolicyError
from tests.batch.helpers import POLICY, batch, fill, go, letter, one_by_one, strays, tree


@pytest.mark.processes
def test_a_folder_gives_what_its_files_give_one_by_one(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 40)
    (source / "deep" / "er").mkdir(parents=True)
    (source / "deep" / "er" / "page.html").write_text("<p>ann@example.org</p>")
    (source / "deep" / "cells.csv").write_text("a,b\nann@example.org,Project Falcon\n")
    outcome, seen = go(source, output)
    assert tree(output) == one_by_one(source)
    assert outcome.counts == {"done": 42} and len(seen) == 42
    assert outcome.judgement.verdict is Verdict.HELD and outcome.published
    assert not strays(tmp_path) and not (tmp_path / "out.work" / "tmp").exists()


def test_what_is_done_is_not_done_twice(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 20)
    go(source, output)
    before = {p: p.stat().st_mtime_ns for p in output.rglob("*.txt")}
    outcome, seen = go(source, output)
    assert all(done.same for done in seen)  # files so new that only their hash tells
    assert outcome.counts == {"done": 20} and outcome.kept == 20
    assert {p: p.stat().st_mtime_ns for p in output.rglob("*.txt")} == before


def test_files_that_are_not_brand_new_are_told_by_their_stamp(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 20)
    time.sleep(2.2)  # longer than a tick of the file system's clock may be
    go(source, output)
    outcome, seen = go(source, output)
    assert not seen and outcome.kept == 20


def test_only_what_changed_is_done_again(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 20)
    go(source, output)
    changed = source / "ward 1" / "1.txt"
    old = changed.stat()
    text = changed.read_text()
    changed.write_text(text.replace("user1@", "user9@"))  # as long as before, and
    os.utime(changed, ns=(old.st_atime_ns, old.st_mtime_ns))  # as old
    os.utime(source / "ward 2" / "2.txt")  # touched, not changed
    (source / "ward 3" / "3.txt").unlink()
    (source / "ward 0" / "new.txt").write_text(letter(99))
    outcome, seen = go(source, output)
    assert {Path(os.fsdecode(d.item.path)).name for d in seen if not d.same} == {"1.txt", "new.txt"}
    assert tree(output) == one_by_one(source)
    assert outcome.counts == {"done": 20}


def test_another_policy_does_all_again(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 5)
    go(source, output)
    other = POLICY.replace("Project Falcon", "patient")
    _, seen = go(source, output, other)
    assert len(seen) == 5 and not any(done.same for done in seen)
    assert tree(output) == one_by_one(source, other)


def test_a_list_that_the_policy_names_is_part_of_it(tmp_path: Path) -> None:
    from efface.api.sanitizer import Sanitizer

    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 3)
    (tmp_path / "deny.txt").write_text("clinic\n")
    (tmp_path / "policy.yaml").write_text("find: {patterns: none, names: none, deny_file: deny.txt}\n")
    sanitizer = Sanitizer.from_policy(tmp_path / "policy.yaml")
    go(source, output, sanitizer=sanitizer)
    (tmp_path / "deny.txt").write_text("clinic\nletter\n")
    _, seen = go(source, output, sanitizer=sanitizer)
    assert len(seen) == 3 and not any(done.same for done in seen)
    assert b"letter" not in b"".join(tree(output).values())


def test_an_output_that_was_touched_is_made_again(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 3)
    go(source, output)
    victim = next(output.rglob("1.txt"))
    victim.write_text("something else")
    next(output.rglob("2.txt")).unlink()
    go(source, output)
    assert tree(output) == one_by_one(source)


def test_what_cannot_be_read_is_left_out_with_its_reason(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    fill(source, 2)
    (source / "photo.xyz").write_bytes(b"?")
    (source / "broken.json").write_text("{")
    (source / "big.txt").write_text("word " * 400_000)
    (source / "out of the tree.txt").symlink_to("/etc/hostname")
    (source / "folder out of the tree").symlink_to("/etc")
    os.mkfifo(source / "pipe.txt")
    outcome, seen = go(source, output, options=Options(max_bytes=1 << 20))
    assert outcome.counts == {"done": 2, "failed": 6}
    reasons = {Path(os.fsdecode(done.item.path)).name: done.reason for done in seen}
    assert "ending" in reasons["photo.xyz"]
    assert reasons["big.txt"] == "It is larger than 1 MiB."
    assert reasons["out of the tree.txt"] == "It is a symbolic link, which is not followed."
    assert reasons["folder out of the tree"] == "It is a symbolic link, which is not followed."
    assert reasons["pipe.txt"] == "It is not a regular file."
    assert len(tree(output)) == 2
    outcome, seen = go(source, output)  # with the default size
    assert {os.fsdecode(d.item.path) for d in seen if d.state is State.DONE and not d.same} == {"big.txt"}


def test_names_of_any_bytes(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    names = [b"two\nlines.txt", b"caf\xe9.txt", "né.txt".encode(), b" .txt", b"-p.txt", b"[red]x.txt"]
    for name in names:
        (source / os.fsdecode(name)).write_text(letter(1))
    outcome, _ = go(source, output)
    assert outcome.counts == {"done": len(names)}
    assert sorted(os.fsencode(path.name) for path in output.iterdir()) == sorted(names)
    page = (tmp_path / "out.work" / "summary.html").read_text()
    assert "two\\nlines.txt" in page and "caf\\udce9.txt" in page


def test_a_file_where_a_folder_was_and_the_reverse(tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    (source / "a.txt").mkdir(parents=True)
    (source / "a.txt" / "x.txt").write_text(letter(1))
    (source / "b.txt").write_text(letter(2))
    go(source, output)
    (source / "a.txt" / "x.txt").unlink()
    (source / "a.txt").rmdir()
    (source / "a.txt").write_text(letter(3))
    (source / "b.txt").unlink()
    (source / "b.txt").mkdir()
    (source / "b.txt" / "y.txt").write_text(letter(4))
    go(source, output)
    assert tree(output) == one_by_one(source)


def test_several_inputs_keep_their_names(tmp_path: Path) -> None:
    fill(tmp_path / "one", 2)
    fill(tmp_path / "two", 2)
    (tmp_path / "note.txt").write_text(letter(5))
    go([tmp_path / "one", tmp_path / "two", tmp_path / "note.txt"], tmp_path / "out")
    expected = {
        **{f"one/{name}": data for name, data in one_by_one(tmp_path / "one").items()},
        **{f"two/{name}": data for name, data in one_by_one(tmp_path / "two").items()},
    }
    found = tree(tmp_path / "out")
    assert found.pop("note.txt").startswith(letter(5)[:20].encode())
    assert found == expected


def test_patterns_of_names(tmp_path: Path) -> None:
    fill(tmp_path / "in", 8)
    go(tmp_path / "in" / "ward 1" / "*.txt", tmp_path / "out")
    assert sorted(tree(tmp_path / "out")) == ["1.txt"]
    with pytest.raises(InputError):
        batch(tmp_path / "nothing*", tmp_path / "out2")


def test_surrogates_are_the_same_in_all_documents_and_runs(tmp_path: Path) -> None:
    policy = "find: {patterns: [EMAIL_ADDRESS], names: none}\noperators: {EMAIL_ADDRESS: surrogate}\n"
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name in "abc":
        (source / f"{name}.txt").write_text(f"{name} wrote to ann@example.org")
    go(source, output, policy, limits=batch(source, output).limits)
    (source / "d.txt").write_text("d wrote to ann@example.org")
    go(source, output, policy)
    fakes = {data.split()[-1] for data in tree(output).values()}
    assert len(fakes) == 1 and b"ann@example.org" not in fakes
    key = tmp_path / "out.work" / "key"
    assert key.stat().st_mode & 0o777 == 0o600 and len(key.read_bytes()) == 32
    go(source, tmp_path / "other", policy)
    assert tree(tmp_path / "other") != tree(output)  # another output, another key


def test_a_hash_needs_a_key_of_the_policy(tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    with pytest.raises(PolicyError):
        go(tmp_path / "in", tmp_path / "out", "operators: {default: hash}\n")


@pytest.mark.parametrize("inside", ["in/out", "in", "."])
def test_output_and_input_are_apart(tmp_path: Path, inside: str) -> None:
    fill(tmp_path / "in", 1)
    with pytest.raises(OutputError):
        go(tmp_path / "in", tmp_path / inside)
    assert len(tree(tmp_path / "in")) == 1


def test_a_folder_with_other_files_is_not_written_to(tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(OutputError):
        go(tmp_path / "in", tmp_path / "out")
    assert tree(tmp_path / "out") == {"mine.txt": b"mine"}


def test_an_output_belongs_to_its_inputs(tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    fill(tmp_path / "other", 1)
    go(tmp_path / "in", tmp_path / "out")
    with pytest.raises(OutputError):
        go(tmp_path / "other", tmp_path / "out")
    assert tree(tmp_path / "out") == one_by_one(tmp_path / "in")
