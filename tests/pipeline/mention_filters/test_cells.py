"""A name ends where its cell ends."""

from __future__ import annotations

import pytest

from efface.core import Mention
from efface.formats import cell_breaks
from efface.pipeline.mention_filters.cells import within_cells, without_column_labels

TEXT = "Jonathan\tWhitcombe\tTunbridge Wells\n4\tRosa Lind"


def pieces(start: int, end: int, format_name: str = "csv", text: str = TEXT) -> list[str]:
    mention = Mention(start, end, "PERSON", "x", 0.9, "test")
    found = within_cells(text, [mention], cell_breaks(format_name))
    return [text[one.start : one.end] for one in found]


def test_a_mention_over_cells_is_one_in_each() -> None:
    assert pieces(0, 34) == ["Jonathan", "Whitcombe", "Tunbridge Wells"]


def test_a_mention_over_rows() -> None:
    assert pieces(19, len(TEXT)) == ["Tunbridge Wells", "Rosa Lind"]


@pytest.mark.parametrize(("format_name", "expected"), [("pdf", ["Rosa\nLind"]), ("docx", ["Rosa", "Lind"])])
def test_a_line_feed_ends_a_paragraph_but_not_a_line(format_name: str, expected: list[str]) -> None:
    assert pieces(0, 9, format_name, "Rosa\nLind") == expected


def test_a_name_beside_a_date_is_no_part_of_it() -> None:
    text = "T. Brandt\t5.6.71\tLast week\tMonday"
    mention = Mention(0, len(text), "DATE_TIME", "x", 0.9, "test")
    found = [(one.type, text[one.start : one.end]) for one in within_cells(text, [mention], "\t")]
    assert found == [("PERSON", "T. Brandt"), ("DATE_TIME", "Last week"), ("DATE_TIME", "Monday")]


def test_a_wide_gap_parts_columns() -> None:
    text = "Hazel  King    Rowan Power"
    assert pieces(0, len(text), "text", text) == ["Hazel  King", "Rowan Power"]


def test_a_name_that_begins_in_another_column_is_taken_whole() -> None:
    text = "Hazel King    Rowan Power   stable"
    assert pieces(0, 19, "text", text) == ["Hazel King", "Rowan Power"]
    assert pieces(0, 19, "text", "Hazel King    Rowan Power is well.") == ["Hazel King", "Rowan"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LT.\u00a0 Inayat Rahman", ["LT.", "Inayat Rahman"]),
        ("Leeds.  Anna Kowalska", ["Leeds.", "Anna Kowalska"]),
        ("J.  Kowalska", ["J.  Kowalska"]),
        ("Miss Quaye 6/52  2", ["Miss Quaye 6/52"]),
    ],
)
def test_two_blanks_behind_a_sentence_or_before_the_next_number_part_mentions(
    text: str, expected: list[str]
) -> None:
    assert pieces(0, len(text), "text", text) == expected


@pytest.mark.parametrize(
    ("text", "found", "stays"),
    [
        ("Surname\tFirst name\tWard\tExtra\nKing\tSue\tA4\t\n", "First", False),
        ("Surname\tFirst name\tWard\tExtra\nKing\tSue\tA4\t\n", "Extra", False),
        ("Surname\tFirst name\tWard\tExtra\nKing\tSue\tA4\t\n", "Ward", False),
        ("Surname\tFirst name\tWard\tWhitcombe\nKing\tSue\tA4\t\n", "Whitcombe", True),
        ("Surname\tTown\tJob\nKing\tWard\tJudge\n", "King", True),  # a person below labels
        ("King\tSue\tA4\nRose\tMark\tB2\n", "Rose", True),
    ],
)
def test_ordinary_words_in_a_row_of_labels_are_no_names(text: str, found: str, stays: bool) -> None:
    start = text.index(found)
    guess = Mention(start, start + len(found), "PERSON", found.lower(), 0.8, "test")
    assert list(without_column_labels(text, [guess])) == [guess] * stays
