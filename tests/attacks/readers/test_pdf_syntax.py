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


def test_the_digest_that_identifies_a_file_says_nothing() -> None:
    digest = b"9b89a87d4067fbe92a899ce3e783c587"  # holds "@g", which looked like an account
    trailer = b"<</Root 1 0 R /ID [<" + digest + b"><" + digest + b">] >>"
    assert dict(objects(trailer, "objects"))["objects"] == ""


def test_a_word_in_the_identifier_of_a_file_is_read() -> None:
    hidden = b"Zanzibarov\0\0\0\0\0\0".hex().encode()
    spelled = b"Jonathan W.Combe".hex().encode()
    trailer = b"<</ID [<" + spelled + b"><" + hidden + b">] >>"
    assert "Jonathan W.Combe" in dict(objects(trailer, "objects"))["objects"]
