"""Archives, mailboxes and tables: the same container comes out, and hostile ones have a defined end."""

from __future__ import annotations

import csv
import io
import json
import tarfile
import warnings
import zipfile
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.batch.containers.archives import zip_members
from efface.batch.containers.members import Options
from efface.batch.engines.pool import Limits
from efface.batch.engines.wire import INLINE
from efface.batch.items import State
from efface.batch.release import Judgement
from efface.core import Verdict
from efface.errors import UsageError
from tests.batch.helpers import POLICY, go, letter, long_letter, one_by_one, tree


def _released(text: str, name: str = "a.txt") -> bytes:
    released = Sanitizer.from_text(POLICY).sanitize(text.encode(), name=name).released
    assert released is not None
    return released


def test_a_zip_comes_out_as_a_zip(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    with zipfile.ZipFile(source / "a.zip", "w") as archive:
        archive.comment = b"for ann@example.org"
        archive.mkdir("notes")
        archive.writestr("notes/two\nlines.txt", letter(1))
        archive.writestr("page.html", "<p>ann@example.org</p>")
        archive.writestr("inner.zip", b"PK\x03\x04")
        archive.writestr("inner.txt", b"\x1f\x8b\x08 an archive by its bytes")
        archive.writestr("../out.txt", letter(2))
        archive.writestr("photo.xyz", b"?")
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    outcome, seen = go(source, tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out" / "a.zip") as archive:
        assert archive.namelist() == ["notes/", "notes/two\nlines.txt", "page.html"]
        assert archive.read("notes/two\nlines.txt") == _released(letter(1))
        assert archive.read("page.html") == _released("<p>ann@example.org</p>", "page.html")
        assert archive.comment == b""
    reasons = {done.item.label: done.reason for done in seen if done.state is State.FAILED}
    assert (
        reasons[b"inner.zip"]
        == reasons[b"inner.txt"]
        == "It is an archive in an archive, which is not opened."
    )
    assert reasons[b"../out.txt"] == "Its name points out of the archive."
    assert reasons[b"link.txt"] == "It is a link."
    assert outcome.counts == {"done": 2, "failed": 5}


def test_a_name_twice_in_a_zip(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    with warnings.catch_warnings(), zipfile.ZipFile(source / "a.zip", "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("a.txt", letter(1))
        archive.writestr("a.txt", letter(2))
    _, seen = go(source, tmp_path / "out")
    assert [d.reason for d in seen if d.state is State.FAILED] == [
        "Another member of the archive has this name."
    ]
    with zipfile.ZipFile(tmp_path / "out" / "a.zip") as archive:
        assert [archive.read(info) for info in archive.infolist()] == [_released(letter(1))]


def test_a_zip_bomb_is_not_opened(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    with zipfile.ZipFile(source / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", b"\0" * (40 << 20))
        archive.writestr("a.txt", letter(1))
    outcome, seen = go(source, tmp_path / "out")
    assert [d.reason for d in seen if d.state is State.FAILED] == [
        "It expands far beyond its size: a zip bomb."
    ]
    assert outcome.counts == {"done": 1, "failed": 1}


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_a_tar_comes_out_as_it_was_packed(tmp_path: Path, ending: str) -> None:
    source = tmp_path / "in"
    source.mkdir()
    kind = ending.partition(".")[2]
    with tarfile.open(source / f"a.{ending}", f"w:{kind}") as archive:  # type: ignore[call-overload]
        for name, text in (("caf\udce9.txt", letter(1)), ("b/c.txt", letter(2))):
            info = tarfile.TarInfo(name)
            info.size, info.uname, info.mtime = len(text), "ann", 1_600_000_000
            archive.addfile(info, io.BytesIO(text.encode()))
        link = tarfile.TarInfo("link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    outcome, _ = go(source, tmp_path / "out")
    assert outcome.counts == {"done": 2, "failed": 1}
    with tarfile.open(tmp_path / "out" / f"a.{ending}", "r:*") as archive:
        assert archive.getnames() == ["caf\udce9.txt", "b/c.txt"]
        released = archive.extractfile("b/c.txt")
        assert released is not None and released.read() == _released(letter(2))
        assert {(info.uname, info.mtime) for info in archive} == {("", 0)}


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.mbox", "a.parquet"])
def test_a_damaged_container_is_left_out_and_the_rest_goes_on(tmp_path: Path, name: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="needs pyarrow")
    source = tmp_path / "in"
    source.mkdir()
    (source / name).write_bytes(b"\x1f\x8bno such thing")
    (source / "b.txt").write_text(letter(1))
    outcome, _ = go(source, tmp_path / "out")
    assert sorted(tree(tmp_path / "out")) == ["b.txt"] and outcome.broken == 1


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_a_member_that_is_damaged_in_any_compression_is_told(tmp_path: Path, method: int) -> None:
    source = tmp_path / "a.zip"
    with zipfile.ZipFile(source, "w", method) as archive:
        archive.writestr("a.txt", letter(1))
    data = bytearray(source.read_bytes())
    start = data.index(b"a.txt") + len(b"a.txt")
    data[start : start + 9] = b"\xff" * 9
    source.write_bytes(data)
    assert [member.problem for member in zip_members(source, Options())] == ["It is damaged."]


def test_a_mailbox(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    mails = [
        f"From: ann@example.org\nSubject: {number}\n\nSee Project Falcon.\n\n>From the start.\n"
        for number in range(3)
    ]
    box = "".join(f"From ann@example.org Mon Nov 16 00:00:00 2026\n{mail}\n" for mail in mails)
    (source / "a.mbox").write_text(box)
    outcome, _ = go(source, tmp_path / "out")
    assert outcome.counts == {"done": 3}
    import mailbox

    with_quotes = (tmp_path / "out" / "a.mbox").read_bytes()
    assert b"ann@example.org" not in with_quotes and b"Falcon" not in with_quotes
    released = mailbox.mbox(tmp_path / "out" / "a.mbox")
    assert [message["Subject"] for message in released] == ["0", "1", "2"]
    released.close()
    assert with_quotes.count(b"\n>From the start.") == 3


def test_a_maildir(tmp_path: Path) -> None:
    source = tmp_path / "in"
    (source / "cur").mkdir(parents=True)
    (source / "new").mkdir()
    mail = "From: ann@example.org\nSubject: x\n\nHello.\n"
    (source / "cur" / "1700000000.M1P2.host:2,S").write_text(mail)
    outcome, seen = go(source, tmp_path / "out")
    assert outcome.counts == {"done": 1} and seen[0].format == "eml"
    assert b"ann@" not in (tmp_path / "out" / "cur" / "1700000000.M1P2.host:2,S").read_bytes()


def test_lines_of_json_without_a_column_are_whole_documents(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    lines = [json.dumps({"id": n, "body": letter(n), "to": "ann@example.org"}) for n in range(5)]
    (source / "a.jsonl").write_text("\n".join(lines) + "\n\n")
    go(source, tmp_path / "out")
    expected = b"".join(_released(line, "line.json") + b"\n" for line in lines)
    assert (tmp_path / "out" / "a.jsonl").read_bytes() == expected


ROWS = [{"id": str(n), "body": letter(n), "sender": "ann@example.org", "room": "7"} for n in range(4)]
OPTIONS = Options(text=("body",), copy=("id",))


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    else:
        pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), path)


def _read(path: Path) -> list[dict[str, str]]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    if path.suffix == ".csv":
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    import pyarrow.parquet as pq

    return list(pq.read_table(path).to_pylist())


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
def test_columns_of_tables(tmp_path: Path, name: str) -> None:
    source = tmp_path / "in"
    source.mkdir()
    _write(source / name, ROWS)
    outcome, _ = go(source, tmp_path / "out", options=OPTIONS)
    assert outcome.counts == {"done": 4}
    assert _read(tmp_path / "out" / name) == [
        {"id": row["id"], "body": _released(row["body"]).decode()} for row in ROWS
    ]
    _write(source / name, [*ROWS[:2], {**ROWS[2], "body": "Mail bob@example.org"}, ROWS[3]])
    _, seen = go(source, tmp_path / "out", options=OPTIONS)
    assert [done.item.part for done in seen] == [2]  # only the row that changed
    assert _read(tmp_path / "out" / name)[2] == {
        "id": "2",
        "body": _released("Mail bob@example.org").decode(),
    }


def test_several_columns_are_read_together(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    _write(source / "a.csv", ROWS)
    go(source, tmp_path / "out", options=Options(text=("body", "sender"), copy=("id", "room")))
    rows = _read(tmp_path / "out" / "a.csv")
    assert list(rows[0]) == ["id", "body", "sender", "room"]
    assert {row["sender"] for row in rows} == {"[EMAIL_ADDRESS_2]"}  # the second address of its row


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    _write(source / "a.csv", ROWS)
    outcome, _ = go(source, tmp_path / "out", options=Options(text=("nothing",)))
    assert outcome.broken == 1 and not tree(tmp_path / "out")
    with pytest.raises(UsageError):
        Options(text=("a",), copy=("a",))


def test_a_csv_without_a_column_is_a_document(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    _write(source / "a.csv", ROWS)
    go(source, tmp_path / "out")
    assert tree(tmp_path / "out") == one_by_one(source)


@pytest.mark.processes
def test_large_members_go_through_files(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    text = long_letter(2 * INLINE)
    with zipfile.ZipFile(source / "a.zip", "w") as archive:
        archive.writestr("large.txt", text)
        archive.writestr("small.txt", letter(1))
    go(source, tmp_path / "out", limits=Limits(2))
    with zipfile.ZipFile(tmp_path / "out" / "a.zip") as archive:
        assert archive.read("large.txt") == _released(text)


def test_the_certificate_names_no_document(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "ann.txt").write_text(letter(1))
    outcome, _ = go(source, tmp_path / "out")
    assert isinstance(outcome.judgement, Judgement) and outcome.judgement.verdict is Verdict.HELD
    text = (tmp_path / "out.work" / "certificate.json").read_text()
    assert "ann" not in text and "example.org" not in text
    certificate = json.loads(text)
    assert certificate["verdict"] == "held" and certificate["released"]["documents"] == 1
    assert [guarantee["name"] for guarantee in certificate["guarantees"]] == ["coverage", "absence"]
    assert (tmp_path / "out.work" / "summary.html").stat().st_mode & 0o777 == 0o600
