"""What stands side by side below a row of labels is read as rows of cells."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reportlab.pdfbase import pdfmetrics

from efface.formats import get_format
from tests.formats.pdf.build import line, new_pdf, save

HEAD = ["Hosp No", "Surname", "Forename"]
ROWS = [["RX41", "King", "Hazel"], ["RX42", "Power", "Rowan"]]
COLUMNS = (40, 110, 180)


def cell(text: str, column: int, row: int) -> bytes:
    return line(text, y=250 - 20 * row, x=COLUMNS[column])


def text_of(*content: bytes) -> str:
    return get_format("pdf").read(save(new_pdf(b"".join(content))), "list.pdf").text


def by_row(table: Sequence[Sequence[str]]) -> list[bytes]:
    return [cell(text, at, row) for row, cells in enumerate(table) for at, text in enumerate(cells) if text]


@pytest.mark.parametrize("by_column", [False, True])
def test_cells_are_rows_in_whatever_order_they_were_painted(by_column: bool) -> None:
    cells = by_row([HEAD, *ROWS])
    painted = [one for at in range(3) for one in cells[at::3]] if by_column else cells
    text = text_of(*painted)
    assert text.startswith("Hosp No\tSurname\tForename\nRX41\tKing\tHazel\nRX42\tPower\tRowan")


def test_cells_that_stand_close_are_apart() -> None:
    content = [line("Ward", x=40), line("Surname", x=74), line("7B", x=40, y=235), line("King", x=74, y=235)]
    assert text_of(*content).startswith("Ward\tSurname\n7B\tKing")


def test_cells_that_touch_are_apart_if_they_were_painted_apart() -> None:
    content = [line("Age", x=40), line("Town", x=80), line("Ward", x=140)]
    content += [line("Rye", x=80, y=235), line("20131", x=47, y=235), line("7B", x=140, y=235)]
    assert text_of(*content).startswith("Age\tTown\tWard\n20131\tRye\t7B")


def test_an_empty_cell_keeps_the_others_in_their_columns() -> None:
    assert "\nRX43\t\tIvy" in text_of(*by_row([HEAD, *ROWS, ["RX43", "", "Ivy"]]))


def test_a_wrapped_cell_is_one_cell() -> None:
    content = [*by_row([HEAD, ["RX41", "Osei-Tutu", "Hazel"]]), line("Marsh", x=110, y=216)]
    assert "RX41\tOsei-Tutu Marsh\tHazel" in text_of(*content)


def test_prose_below_a_table_is_no_row() -> None:
    prose = line("All of them were seen by the nurse on duty today.", y=190, x=40)
    assert text_of(*by_row([HEAD, *ROWS]), prose).endswith(
        "\nAll of them were seen by the nurse on duty today."
    )


def test_the_label_and_the_value_of_a_form_are_a_row() -> None:
    text = text_of(
        line("Surname", x=40), line("King", x=180), line("Ward", x=40, y=230), line("7B", x=180, y=230)
    )
    assert text == "Surname\tKing\nWard\t7B"


def test_two_columns_of_prose_keep_their_order() -> None:
    left = [line(f"The witness told the court {at}", y=250 - 14 * at, size=8) for at in range(3)]
    right = [line(f"of what he had seen that day {at}", y=250 - 14 * at, x=220, size=8) for at in range(3)]
    lines = text_of(*left, *right).splitlines()
    assert lines[1] == "The witness told the court 1"
    assert "\t" not in "".join(lines)


def test_a_table_goes_on_at_the_head_of_the_next_page() -> None:
    first = b"".join(by_row([HEAD, *ROWS]))
    second = b"".join(
        [
            line("List of May", y=280),
            *by_row([["RX43", "Stone", "Ivy"], ["RX44", "", "Basil"], ["RX45", "Day", "Bo"]]),
        ]
    )
    text = get_format("pdf").read(save(new_pdf(first, second)), "list.pdf").text
    assert text.endswith("List of May\nRX43\tStone\tIvy\nRX44\t\tBasil\nRX45\tDay\tBo")


def test_justified_prose_at_the_head_of_a_page_is_no_table() -> None:
    content = []
    for row, words in enumerate(
        ["The witness told it all", "of what he then saw", "that day before noon came"]
    ):
        x = 40.0
        for at, word in enumerate(words.split()):
            content.append(line(word, y=250 - 14 * row, x=x, size=10))
            x += 5.2 * len(word) + 6 + at  # spaces that fill the line
    assert "\t" not in text_of(*content)


def by_letters(text: str, y: int) -> bytes:
    """A line of which each letter is painted by itself, as some programs print web pages."""
    widths = pdfmetrics.stringWidth
    return b"".join(
        line(letter, x=40 + widths(text[:at], "Helvetica", 12), y=y) for at, letter in enumerate(text)
    )


@pytest.mark.parametrize("sentence", ["Ms Rowan Hill of Leeds saw all of them today.", "Dear Rowan Hill"])
def test_a_sentence_below_labels_is_not_taken_to_pieces(sentence: str) -> None:
    labels = [line("Surname", x=40), line("Town", x=80), line("Ward", x=140)]
    text = " ".join(text_of(*labels, by_letters(sentence, 235)).split())
    assert text.endswith(sentence)
