from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.core import Edit, apply_edits
from efface.formats.plain.text import TEXT
from tests.formats.helpers import NASTY, edits_within, read, redact, write


@given(
    st.text(NASTY, max_size=40).filter(lambda t: t.count("\0") < 2),
    st.sampled_from(["utf-8", "utf-8-sig"]),
    st.data(),
)
def test_writing_is_applying_the_edits(text: str, encoding: str, data: st.DataObject) -> None:
    document = TEXT.read(text.encode(encoding), "x.txt")
    assert document.text == text
    edits = data.draw(edits_within(0, len(text)))
    assert TEXT.write(document, edits) == apply_edits(text, edits).encode(encoding)


@pytest.mark.parametrize("name", ["note.txt", "note.md", "README"])
def test_line_ends_and_marks_are_kept(name: str) -> None:
    data = b"\xef\xbb\xbfDear Ann,\r\nbye\rAnn\n"
    assert redact(name, data, "Ann") == b"\xef\xbb\xbfDear [X_1],\r\nbye\r[X_1]\n"


def test_utf16_stays_utf16() -> None:
    data = b"\xfe\xff" + "Ann 名\r\n".encode("utf-16-be")
    assert redact("x.txt", data, "Ann", "é") == b"\xfe\xff" + "é 名\r\n".encode("utf-16-be")


def test_stray_bytes_stay_beside_edits() -> None:
    data = b"Zo\xc3\xab, Jos\xe9 Ann Jos\xe9 \xff"
    assert redact("x.txt", data, "Ann") == b"Zo\xc3\xab, Jos\xe9 [X_1] Jos\xe9 \xff"


def test_the_text_is_the_source_itself() -> None:
    """A large text is held once."""
    document = TEXT.read(b"x" * 1000, "x.txt")
    assert document.origin.text is document.text  # type: ignore[attr-defined]


def test_an_empty_file_is_an_empty_document() -> None:
    document = read("x.txt", b"")
    assert document.text == "" and write(document, ()) == b""


def test_edits_of_nothing_change_nothing() -> None:
    document = read("x.txt", b"abc")
    assert write(document, [Edit(1, 1, "T", "k", "r", "zzz")]) == b"abc"
