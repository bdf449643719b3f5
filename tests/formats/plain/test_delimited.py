from __future__ import annotations

import csv
import io

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from efface.core import apply_edits
from efface.formats.plain import delimited
from tests.formats.helpers import NASTY, Place, carried_out, edits_of, edits_within, read, redact, write

CELL = st.text("ab1 \"',;|\t\n\ré", max_size=6)
ROWS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=4)
)


def written(rows: list[list[str]], delimiter: str, quote_all: bool, end: str) -> str:
    at = 0 if quote_all else -1
    return "".join(delimiter.join(spellings(cell, delimiter)[at] for cell in row) + end for row in rows)


def rows_of(data: bytes, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter))


def places_of(rows: list[list[str]], end: str) -> list[Place]:
    """What the text should be, by definition: cells, tabs between them, line ends."""
    places = []
    for row in rows:
        for index, cell in enumerate(row):
            places.append(Place(cell))
            places.append(Place(end if index == len(row) - 1 else "\t", free=False))
    return places


@given(
    ROWS,
    st.sampled_from(",;\t|"),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.data(),
)
def test_edits_change_the_cells_they_touch(
    rows: list[list[str]], delimiter: str, quote_all: bool, end: str, data: st.DataObject
) -> None:
    source = written(rows, delimiter, quote_all, end)
    assume(delimited.delimiter_of(source) == delimiter)
    document = read("x.csv", source.encode())
    places = places_of(rows, end)
    assert document.text == "".join(place.text for place in places)
    assert write(document, ()) == source.encode()

    edits = data.draw(edits_within(0, len(document.text)))
    released = write(document, edits)
    cells = carried_out(places, edits)
    expected = iter(cell for cell, place in zip(cells, places, strict=True) if place.free)
    assert rows_of(released, delimiter) == [[next(expected) for _ in row] for row in rows]
    if delimited.delimiter_of(released.decode()) == delimiter:
        assert read("x.csv", released).text == "".join(cells)


@given(ROWS, st.sampled_from(",;\t|"), st.data())
def test_untouched_cells_keep_their_bytes(rows: list[list[str]], delimiter: str, data: st.DataObject) -> None:
    """Also where they are quoted without need."""
    spelled = [[data.draw(st.sampled_from(spellings(cell, delimiter))) for cell in row] for row in rows]
    source = "\n".join(delimiter.join(row) for row in spelled)
    assume(delimited.delimiter_of(source) == delimiter)
    document = read("x.csv", source.encode())
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[row]) - 1))
    assume(rows[row][column])
    start = sum(len(cell) + 1 for line in rows[:row] for cell in line)
    start += sum(len(cell) + 1 for cell in rows[row][:column])
    edits = edits_of(rows[row][column], rows[row][column], "[X_1]")
    moved = [
        type(edit)(edit.start + start, edit.end + start, "T", "k", "r", edit.replacement) for edit in edits
    ]
    was_quoted = spelled[row][column].startswith('"')
    spelled[row][column] = '"[X_1]"' if was_quoted else "[X_1]"
    assert write(document, moved).decode() == "\n".join(delimiter.join(line) for line in spelled)


def spellings(cell: str, delimiter: str) -> list[str]:
    quoted = '"' + cell.replace('"', '""') + '"'
    needed = cell.startswith('"') or any(char in cell for char in (delimiter, "\r", "\n"))
    return [quoted] if needed else [quoted, cell]


@given(st.text(NASTY + ",;", max_size=30).filter(lambda text: "\0" not in text), st.data())
def test_no_text_is_too_broken(source: str, data: st.DataObject) -> None:
    document = read("x.csv", source.encode())
    assert write(document, ()) == source.encode()
    edits = data.draw(edits_within(0, len(document.text)))
    read("x.csv", write(document, edits))


@pytest.mark.parametrize(
    ("source", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb, c\n1\t2, 3\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('"a;b",c\n"d;e",f\n', ","),
        ("one column\nonly\n", ","),
        ("", ","),
    ],
)
def test_the_delimiter_is_found(source: str, delimiter: str) -> None:
    assert delimited.delimiter_of(source) == delimiter


CASES = [
    # input, term, replacement, output
    ("name,x\r\nAnn,1\r\n", "Ann", "[X_1]", "name,x\r\n[X_1],1\r\n"),
    ("name,x\nAnn,1\n", "Ann", 'a,"b"\nc', 'name,x\n"a,""b""\nc",1\n'),
    ('name,x\n"Ann, ""B""",1\n', "Ann", 'q"', 'name,x\n"q"", ""B""",1\n'),
    ('a;b\n"Ann";Ann\n', "Ann", "x;y", 'a;b\n"x;y";"x;y"\n'),
    ("a\nAnn\nb\n", "Ann", "", 'a\n""\nb\n'),  # a row that is not to become a blank line
    ("a,b\nAnn,2,3,4\n5\n", "Ann", "X", "a,b\nX,2,3,4\n5\n"),  # ragged
    ('a,b\nAnn "the cat",1\n', "Ann", "X", 'a,b\nX "the cat",1\n'),  # stray quotes
    ('a,b\nAnn"x",1\n', "Ann", "", 'a,b\n"""x""",1\n'),  # which must not become quotes
    ('a,b\n"Ann"x,1\n', "Annx", "", 'a,b\n"",1\n'),
    ('a,b\n"Ann', "Ann", "X", 'a,b\n"X'),  # never closed
]


@pytest.mark.parametrize(("source", "term", "replacement", "expected"), CASES)
def test_cases(source: str, term: str, replacement: str, expected: str) -> None:
    assert redact("x.csv", source.encode(), term, replacement) == expected.encode()


def test_a_term_over_two_cells_leaves_the_cells() -> None:
    document = read("x.csv", b"first,last\nAnn,Lee\n")
    edits = edits_of(document.text, "Ann\tLee", "[X_1]")
    assert write(document, edits) == b"first,last\n[X_1],\n"
    assert apply_edits(document.text, edits) != read("x.csv", write(document, edits)).text


def test_tsv_and_encodings() -> None:
    data = b"\xff\xfe" + "a\tb\r\nAnn\té\r\n".encode("utf-16-le")
    assert redact("x.tsv", data, "Ann") == b"\xff\xfe" + "a\tb\r\n[X_1]\té\r\n".encode("utf-16-le")
