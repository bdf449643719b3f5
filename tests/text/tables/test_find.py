"""Rows whose cells have several lines."""

from __future__ import annotations

from efface.text.form_labels import is_label
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
