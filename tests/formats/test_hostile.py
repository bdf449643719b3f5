"""Inputs made to be slow, deep or large. A reader that is not linear does not come back from these."""

from __future__ import annotations

import tracemalloc

import pytest

from efface.errors import InputError
from tests.formats.helpers import an_edit, read, write

LONG = 300_000
MANY = 8_000  # for what costs a step each: a quadratic reader takes a hundred times as long over these
HOSTILE = {
    "x.txt": [b"a" * LONG, b"\n" * LONG, b"\xe9\xc3" * MANY],
    "x.csv": [
        *(b'"' * MANY, b'",' * MANY, b"a," * MANY, b'"a""' * MANY, b'\na"' * MANY, b"a\n" * MANY),
        b'"a' * MANY,
    ],
    "x.json": [
        b'["' + b"\\n" * MANY + b'"]',
        b"[" + b"1," * MANY + b"1]",
        b"[" + b'"a",' * MANY + b"{}]",
        b'{"a":"' + b"\\u0041" * MANY + b'"}',
        b"[" + b"9" * LONG + b"]",
    ],
    "x.html": [
        *(b"<" * LONG, b"&" * LONG, b"</" * LONG, b"<a " * MANY, b"<!--" * MANY, b"<p>a" * MANY),
        b"a&#" + b"9" * LONG + b";a",
        b'<a href="' + b"%C3%A9+?" * MANY + b'">',
        b'<a href="?' + b"+" * MANY + b'">',
        b'<a b="' * MANY,
        b"<a " + b"x=y " * MANY + b">",
        b"<script>" * MANY,
        b"<title>" + b"</titl" * MANY,
        b"<![CDATA[" + b"]]" * LONG,
        b"<!--" + b"--!" * MANY,
        b"<script>" + b"\\u" * MANY,
    ],
    "x.eml": [
        b"Subject: " + b"=?utf-8?q?a" * MANY + b"\n\nx",
        b"Subject: " + b"=?utf-8?q?a?= " * MANY + b"\n\nx",
        b"Subject: a\n" + b" folded\n" * MANY + b"\nx",
        b"Content-Type: text/plain" + b"; a=b" * MANY + b"\n\nx",
        b'Content-Type: text/plain; name="' + b"\\" * MANY + b"\n\nx",
        b"From: " + b'a"' * MANY + b"\n\nx",
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b" * MANY,
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"\n" * LONG,
        b"X: y\n" * MANY + b"\nbody",
        b"\r" * LONG,
    ],
}


@pytest.mark.parametrize(
    ("name", "data"),
    [(name, data) for name, samples in HOSTILE.items() for data in samples],
    ids=[f"{name}-{index}" for name, samples in HOSTILE.items() for index in range(len(samples))],
)
def test_time_is_linear(name: str, data: bytes) -> None:
    try:
        document = read(name, data)
    except InputError:
        return
    assert write(document, ()) == data
    step = max(2, len(document.text) // 50)
    edits = [an_edit(at, at + step // 2, "X") for at in range(0, len(document.text) - step, step)]
    assert write(document, edits) != data


ROWS = {
    "x.txt": (b"The patient came in on Tuesday and left again.\n", 2.6, 1_000_000),
    "x.csv": (b'1001,Tuesday,"left, again",42.5\n', 4.2, 1_000_000),
    "x.jsonl": (b'{"id": 1001, "day": "Tuesday", "note": "left\\nagain"}\n', 4.2, LONG),
    "x.html": (b'<p class="note">Tuesday <b>left</b> &amp; <i title="a">again</i></p>\n', 8, 200_000),
}


@pytest.mark.parametrize("name", ROWS)
def test_memory_is_a_small_multiple_of_the_file(name: str) -> None:
    row, limit, size = ROWS[name]
    data = row * (size // len(row))
    write(read(name, data), [])  # what is loaded or remembered once is no matter of the size
    tracemalloc.start()
    try:
        document = read(name, data)
        at = document.text.rindex("again")
        released = write(document, [an_edit(at, at + 5, "[X_1]")])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert released.endswith(row.replace(b"again", b"[X_1]"))
    assert peak < limit * len(data)
