"""Columns that are aligned by spaces."""

from __future__ import annotations

from efface.text.form_labels import is_label
from efface.text.tables.aligned import aligned_tables


def rows_of(text: str) -> list[list[str]]:
    found = []
    for table in aligned_tables(text, is_label):
        found += [[text[cell.start : cell.end] for cell in row] for row in table.rows]
    return found


def test_values_stand_below_their_labels() -> None:
    text = "Hosp No   Surname   Forename\nRX41      King      Hazel\nRX42                Rowan\n"
    assert rows_of(text) == [["RX41", "King", "Hazel"], ["RX42", "", "Rowan"]]


def test_a_value_that_fills_its_column_is_cut_where_the_next_begins() -> None:
    text = "Ward  Surname   Forename\n7B    Fairgrove Hazel\n"
    assert rows_of(text) == [["7B", "Fairgrove", "Hazel"]]


def test_a_column_of_numbers_may_stand_right() -> None:
    assert rows_of("Surname      Age\nKing          72\n") == [["King", "72"]]


def test_a_form_has_no_columns() -> None:
    assert rows_of("Surname   King   Forename   Sue\nTown      Rye    Ward       7B\n") == []
    assert rows_of("Patient name:   Cordelia Vane   DOB: 1/2/60\nAddress:        4 Tower Street\n") == []


def test_prose_below_the_table_is_no_row() -> None:
    text = "Surname   Forename\nKing      Hazel\nAll of them were seen today by the nurse.\n"
    assert rows_of(text) == [["King", "Hazel"]]


def test_a_long_line_of_gaps_is_no_table() -> None:
    assert rows_of("name  " * 50_000) == []
