"""Rows whose cells have several lines."""

from __future__ import annotations

from efface.text.form_labels import is_label
from efface.text.placeholder_blank import BLANK
from efface.text.tables.find import tables


def rows_of(text: str) -> list[list[str]]:
    found = []
    for table in tables(text, is_label):
        found += [[text[cell.start : cell.end] for cell in row] for row in table.rows]
    return found


def test_a_cell_of_several_lines_leaves_the_others_below_their_labels() -> None:
    text = "Name\tAddress\tDOB\nKing\tHill Road 3\nFlat 2\nLeeds\t1955\nPower\tMill Lane\t1962\n"
    assert rows_of(text) == [
        ["King", "Hill Road 3", "1955"],
        ["", "Flat 2", ""],
        ["", "Leeds", ""],
        ["Power", "Mill Lane", "1962"],
    ]


def test_a_line_with_too_few_cells_is_no_row_by_itself() -> None:
    assert rows_of("Name\tAddress\tDOB\nKing\tHill Road\nPower\tMill Lane\t1962\n") == [
        ["Power", "Mill Lane", "1962"]
    ]


def test_a_row_that_goes_on_beyond_the_labels_is_a_row() -> None:
    text = "Surname\tTown\tVisits\nKing\tLeeds\t3\t\t=sum\nPower\tYork\t1\n\nnote\none\ttwo\tthree\tfour\n"
    assert rows_of(text) == [["King", "Leeds", "3"], ["Power", "York", "1"]]


def test_a_label_that_was_cut_leaves_the_others_labels() -> None:
    text = f"Surname\tTown\tVisits\t{BLANK * 10}\nKing\tLeeds\t3\t7\n"
    assert rows_of(text) == [["King", "Leeds", "3", "7"]]
