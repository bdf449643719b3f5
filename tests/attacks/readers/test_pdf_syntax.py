"""Names in the syntax of a PDF: those that the format defines say nothing."""

from __future__ import annotations

from efface.attacks.readers.pdf_syntax import content, objects


def names(data: bytes) -> str:
    return dict(objects(data, "objects")).get("objects names", "")


def test_the_glyphs_of_an_encoding_are_no_words() -> None:
    assert names(b"<</Type/Encoding/Differences[24/breve/ring 30 /bullet]>>") == ""


def test_a_word_among_the_glyphs_is_one() -> None:
    assert names(b"<</Differences [24 /breve /Zanzibarov]>>") == "Zanzibarov"


def test_the_same_name_elsewhere_counts() -> None:
    assert names(b"<</ring 4 /Differences[24/ring]>>") == "ring"


def test_the_placeholders_of_a_short_page_are_text() -> None:
    shown = dict(content(b"BT ([PERSON_1]) Tj (on) Tj ([DATE_TIME_1]) Tj (is hope.) Tj ET", "content"))
    assert "is hope." in shown["content"].splitlines()
