"""Files that a text holds as code are not read, so they are told; what says nothing or is read is not."""

from __future__ import annotations

import base64
import gzip
import io

import pytest
from PIL import Image

from efface.api.sanitizer import Sanitizer
from efface.core import GapKind, Report, Verdict
from efface.text.disguises.encoded_files import encoded_files

PDF = b"%PDF-1.7\n" + bytes(range(200))
ZIP = b"PK\3\4" + bytes(range(200))


def picture(side: int) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((side, side), 50).save(buffer, "PNG")
    return buffer.getvalue()


def code(data: bytes) -> str:
    return base64.b64encode(data).decode()


def wrapped(data: bytes) -> str:
    return base64.encodebytes(data).decode()


def released(text: str, name: str, more: str = "") -> Report:
    policy = f"efface: 1\nfind: {{patterns: none, names: none, deny: [Zanzibarov]}}\n{more}"
    return Sanitizer.from_text(policy).sanitize(text.encode(), name=name, allow_unproven=True)


@pytest.mark.parametrize(
    "text",
    [
        code(PDF),
        wrapped(PDF),
        f"data:application/pdf;base64,{code(PDF)}",
        base64.urlsafe_b64encode(b"\xff\xd8\xff" + PDF).decode(),
        code(b"\xff\xd8\xff\xe0" + PDF).replace("/", "\\/"),
        code(b"\xff\xd8\xff\xe0" + PDF).replace("/", "%2F").replace("+", "%2B"),
        PDF.hex(),
        "0x" + ZIP.hex().upper(),
        code(ZIP),
        code(ZIP[:52]),  # cut off at the edge of a page
        code(b"RIFF\0\0\0\0WEBP" + PDF),
        code(gzip.compress(PDF, mtime=0)),
        code(gzip.compress(b"word " * 60_000, mtime=0)),
    ],
)
def test_a_file_is_told(text: str) -> None:
    assert len(list(encoded_files(f"here: {text} there"))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Nothing but prose, and a path: /usr/share/doc/packages/python/JVBERi/README",
        code(PDF[:60]),
        code(picture(4)),
        code(b"a key and no file " + bytes(range(200))),
        code(gzip.compress(b"a word that is read with the text", mtime=0)),
        "-" * 200,
    ],
)
def test_other_code_is_not(text: str) -> None:
    assert not list(encoded_files(f"here: {text} there"))


@pytest.mark.parametrize("name", ["a.json", "a.csv", "a.xml", "a.html", "a.txt"])
def test_a_release_with_one_is_not_held(name: str) -> None:
    texts = {
        "a.json": '{{"data": "{0}"}}',
        "a.csv": "id,data\n1,{0}\n",
        "a.xml": "<a><b>{0}</b></a>",
        "a.html": "<html><body><a href='data:application/pdf;base64,{0}'>x</a></body></html>",
    }
    report = released(texts.get(name, "{0}").format(code(PDF)), name)
    assert report.verdict is Verdict.UNPROVEN
    assert [gap.kind for gap in report.coverage.unseen] == [GapKind.FILE]


def test_a_policy_may_let_it_stay() -> None:
    assert released(code(PDF), "a.txt", "accept: [file]\n").verdict is Verdict.HELD
    assert released(code(picture(40)), "a.txt").verdict is Verdict.UNPROVEN
    assert released(code(picture(40)), "a.txt", "pictures: keep\n").verdict is Verdict.HELD


def test_a_policy_that_removes_pictures_removes_their_code() -> None:
    for text in (wrapped(picture(40)), picture(40).hex(), f"![x](data:image/png;base64,{code(picture(40))})"):
        report = released(f"Before\n{text}\nbehind", "a.txt", "pictures: remove\n")
        assert report.verdict is Verdict.HELD and report.released is not None
        assert len(report.released) < 80
    assert released(code(PDF), "a.txt", "pictures: remove\n").verdict is Verdict.UNPROVEN


def test_a_text_that_only_looks_like_two_bytes_a_character_hides_nothing() -> None:
    report = released("a " + "\0".join("Zanzibarov") + " b\n", "a.txt")
    assert report.verdict is Verdict.BROKEN and report.released is None
    wide = "Dear Zanzibarov, приве́т".encode("utf-16-le")
    policy = "efface: 1\nfind: {patterns: none, names: none, deny: [Zanzibarov]}\n"
    kept = Sanitizer.from_text(policy).sanitize(wide, name="a.txt")
    assert kept.verdict is Verdict.HELD
