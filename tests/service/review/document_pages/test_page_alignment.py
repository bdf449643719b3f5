"""Words of drawn pages find their places in the text."""

from __future__ import annotations

from efface.service.review.document_pages.page_alignment import SeenWord, aligned


def seen(*pages: str) -> list[SeenWord]:
    """Words on pages; the box tells where on the page each is."""
    return [
        SeenWord(number, word, (float(at), 0.0, float(at), 1.0))
        for number, page in enumerate(pages)
        for at, word in enumerate(page.split())
    ]


def found(text: str, *pages: str, hidden: tuple[tuple[int, int], ...] = ()) -> list[tuple[int, str, int]]:
    rows = aligned(text, seen(*pages), hidden)
    return [(int(page), text[int(start) : int(end)], int(left)) for page, start, end, left, *_ in rows]


def test_words_are_matched_in_order() -> None:
    text = "ann met bob\nbob met ann"
    assert found(text, "ann met bob", "bob met ann") == [
        (0, "ann", 0), (0, "met", 1), (0, "bob", 2), (1, "bob", 0), (1, "met", 1), (1, "ann", 2)
    ]  # fmt: skip
    rows = aligned(text, seen("ann met bob", "bob met ann"), ())
    assert [row[1] for row in rows] == [0, 4, 8, 12, 16, 20]


def test_what_pages_add_is_passed_over() -> None:
    assert found("first second", "1. first page 2. second") == [(0, "first", 1), (0, "second", 4)]


def test_a_heading_that_every_page_repeats_is_placed_on_each() -> None:
    text = "one two three four Secret"
    rows = found(text, "Secret one two", "Secret three four")
    assert [(page, word) for page, word, _ in rows if word == "Secret"] == [(0, "Secret"), (1, "Secret")]


def test_a_word_that_a_line_breaks_in_two_has_two_boxes() -> None:
    rows = found("call 212-555-0100. today", "call 212-", "555-0100. today")
    assert rows == [
        (0, "call", 0), (0, "212-555-0100.", 1), (1, "212-555-0100.", 0), (1, "today", 1)
    ]  # fmt: skip


def test_columns_that_are_printed_on_pages_of_their_own_are_placed() -> None:
    """A sheet is read by rows and may be printed by columns."""
    text = "ann oslo\nbob bern\ncat rome"
    assert {(page, word) for page, word, _ in found(text, "ann bob cat", "oslo bern rome")} == {
        (0, "ann"), (0, "bob"), (0, "cat"), (1, "oslo"), (1, "bern"), (1, "rome")
    }  # fmt: skip


def test_what_the_text_has_twice_and_the_page_once_is_placed_once() -> None:
    """A file may hold a text a second time, for programs that cannot show the first."""
    assert found("Ann here Ann", "other Ann") == [(0, "Ann", 1)]


def test_what_cannot_be_placed_has_no_box() -> None:
    assert found("the 1234.5 the", "the 1,234.50") == [(0, "the", 0)]
    assert found("style ann", "ann style", hidden=((0, 5),)) == [(0, "ann", 0)]
