"""Reading order: words placed on lines come back as those lines, however they were painted."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Dictionary, Name, Stream, String

from efface.core import Edit, apply_edits
from efface.formats.pdf import PDF
from efface.formats.pdf.fonts.encodings import base14_widths
from efface.text.form_labels import is_label
from tests.formats.pdf import build

# Lines of words, not of forms: a label such as "Hosp" behind a gap makes one.
WORDS = st.text("abcdeghijklmnopqrstuvwxyzABCDEGHIJKLMNO", min_size=2, max_size=8).filter(
    lambda word: not is_label(word)
)
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=6)
SIZE = 10


def read(content: bytes) -> str:
    return PDF().read(build.save(build.new_pdf(content)), "x.pdf").text


def width(text: str) -> float:
    widths = base14_widths("Helvetica")
    assert widths is not None
    return SIZE * sum(widths[char] for char in text)


def placed(lines: list[list[str]], painting: int | None) -> bytes:
    """Each word by its own matrix; with `painting`, the words of a line in a shuffled order."""
    parts = []
    for number, words in enumerate(lines):
        x, row = 30.0, []
        for word in words:
            row.append(f"1 0 0 1 {x:.3f} {250 - 14 * number} Tm ({word}) Tj")
            x += width(word) + width(" ")
        if painting is not None:
            random.Random(painting + number).shuffle(row)
        parts += row
    return f"BT /F1 {SIZE} Tf {' '.join(parts)} ET".encode()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(LINES, st.none() | st.integers(0, 99))
def test_words_come_back_in_lines(lines: list[list[str]], painting: int | None) -> None:
    assert read(placed(lines, painting)) == "\n".join(" ".join(words) for words in lines)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(LINES, st.data())
def test_the_text_of_the_release_is_the_planned_text(lines: list[list[str]], data: st.DataObject) -> None:
    """What apply_edits says is what the written file reads as, for edits within lines."""
    file = build.save(build.new_pdf(placed(lines, data.draw(st.none() | st.integers(0, 9)))))
    document = PDF().read(file, "x.pdf")
    edits, at = [], 0
    for words in lines:
        for word in words:
            start = document.text.index(word, at)
            at = start + len(word)
            if data.draw(st.booleans()):
                label = data.draw(st.sampled_from(["[X]", "[PERSON_12]"]))
                edits.append(Edit(start, at, "X", "", "test", label))
    released = PDF().write(document, edits)
    assert PDF().read(released, "x.pdf").text == apply_edits(document.text, edits)
    assert PDF().write(document, edits) == released


def test_small_labels_leave_the_words_of_a_line_together() -> None:
    """The words were painted in another order, and a narrow label came first."""
    document = PDF().read(build.save(build.new_pdf(placed([["AA"] * 5], 0))), "x.pdf")
    labels = ((0, "[X]"), (6, "[PERSON_12]"), (9, "[X]"), (12, "[PERSON_12]"))
    edits = [Edit(start, start + 2, "X", "", "test", label) for start, label in labels]
    released = PDF().read(PDF().write(document, edits), "x.pdf")
    assert released.text == "[X] AA [PERSON_12] [X] [PERSON_12]"


TABLE = {
    "kerned": ("BT /F1 10 Tf 40 200 Td [(W) 80 (ate) -20 (r) -300 (falls)] TJ ET", "Water falls"),
    "spaces by word spacing": ("BT /F1 10 Tf 5 Tw 40 200 Td (a b) Tj ET", "a b"),
    "columns": (
        "BT /F1 10 Tf 1 0 0 1 40 200 Tm (left one) Tj 1 0 0 1 40 188 Tm (left two) Tj "
        "1 0 0 1 200 200 Tm (right one) Tj 1 0 0 1 200 188 Tm (right two) Tj ET",
        "left one\nleft two\nright one\nright two",
    ),
    "superscript": (
        "BT /F1 10 Tf 40 200 Td (the 1) Tj 4 Ts /F1 6 Tf (st) Tj 0 Ts /F1 10 Tf ( day) Tj ET",
        "the 1st day",
    ),
    "hyphen": ("BT /F1 10 Tf 12 TL 40 200 Td (an exam-) Tj T* (ple) Tj ET", "an exam-\nple"),
    "hyphen in a column painted row by row": (
        "BT /F1 10 Tf 1 0 0 1 40 200 Tm (an exam-) Tj 1 0 0 1 200 200 Tm (right one) Tj "
        "1 0 0 1 40 188 Tm (ple of it) Tj 1 0 0 1 200 188 Tm (right two) Tj ET",
        "an exam-\nright one\nple of it\nright two\nan exam-\nple of it",
    ),
    "a word broken in a column painted row by row": (
        "BT /F1 10 Tf 20 200 Td (the man Zanzi) Tj 200 0 Td (other) Tj -200 -14 Td (barov went on) Tj ET",
        "the man Zanzi\nother\nbarov went on\nthe man Zanzi\nbarov went on",
    ),
    "a word broken over three lines, the last of them painted first": (
        "BT /F1 10 Tf 20 172 Td (rov) Tj 0 14 Td (ziba) Tj 0 14 Td (the Zan) Tj ET",
        "rov\nziba\nthe Zan\nthe Zan\nziba\nrov",
    ),
    "a word broken over two boxes with another between them": (
        "BT /F1 10 Tf 20 200 Td (Zanzi) Tj 0 -60 Td (something) Tj 80 60 Td (barov) Tj ET",
        "Zanzi\nsomething\nbarov\nZanzi\nbarov",
    ),
    "a name of two words in prose painted row by row": (
        "BT /F1 10 Tf 20 200 Td (the words of our Project) Tj 200 0 Td (other) Tj -200 -14 Td (Falcon are all here) Tj ET",
        "the words of our Project\nother\nFalcon are all here\nof our Project\nFalcon are all",
    ),
    "labels and values of a form": (
        "BT /F1 10 Tf 20 200 Td (Surname) Tj 200 0 Td (Town) Tj -200 -24 Td (Whitcombe) Tj 200 0 Td (Leeds) Tj ET",
        "Surname\tTown\nWhitcombe\tLeeds",
    ),
    "letters on a grid": (
        "BT /F1 10 Tf "
        + " ".join(f"1 0 0 1 {40 + 8 * at} 200 Tm ({c}) Tj" for at, c in enumerate("Zanzibarov"))
        + " ET",
        "Zanzibarov",
    ),
    "letters beside a row of spaces, as LibreOffice kerns them": (
        f"BT /F1 10 Tf 40 200 Td [(A) 1 (K) 1 (A) 1 (:){' 1 ( )' * 25} 1 (M) 5 (o) -6 (h) 5 (a) 1 (m) 3 (m) 1 (a) 2 (d)] TJ ET",
        "AKA:" + " " * 25 + "Mohammad",
    ),
    "nothing": ("", ""),
    "rotated": ("BT /F1 10 Tf 0 1 -1 0 40 40 Tm (up and) Tj ( away) Tj ET", "up and away"),
    "flipped page": (
        "1 0 0 -1 0 300 cm BT /F1 10 Tf 1 0 0 -1 40 100 Tm (one) Tj 1 0 0 -1 40 120 Tm (two) Tj ET",
        "one\ntwo",
    ),
    "bold by painting twice": (
        "BT /F1 10 Tf 1 0 0 1 40 200 Tm (bold) Tj 1 0 0 1 40.3 200 Tm (bold) Tj ET",
        "bold",
    ),
    "text over other text": (
        "BT /F1 10 Tf 1 0 0 1 40 200 Tm (visible) Tj 3 Tr 1 0 0 1 40 200 Tm (hidden) Tj ET",
        "visible\nhidden",
    ),
    "drop capital": (
        "BT /F1 36 Tf 1 0 0 1 40 176 Tm (O) Tj /F1 10 Tf 1 0 0 1 70 200 Tm (nce upon) Tj 1 0 0 1 70 188 Tm (a time) Tj "
        "1 0 0 1 70 176 Tm (there was) Tj ET",
        "O\nnce upon\na time\nthere was\nOnce upon",
    ),
    "scaled": ("BT /F1 1 Tf 50 Tz 10 0 0 10 40 200 Tm (narrow) Tj [-800 (gap)] TJ ET", "narrow gap"),
    "short ActualText": (
        "BT /F1 10 Tf 40 200 Td (o) Tj /Span <</ActualText (ffi)>> BDC (X) Tj EMC (ce) Tj ET",
        "office",
    ),
    "Hebrew painted from the left": ("BT /H 10 Tf 40 200 Td (cba) Tj ET", "אבג"),
}


@pytest.mark.parametrize("name", TABLE)
def test_cases(name: str) -> None:
    syntax, expected = TABLE[name]
    pdf = build.new_pdf(syntax.encode())
    cmap = b"1 beginbfrange <61> <63> <05d0> endbfrange"
    fonts = pdf.pages[0].obj["/Resources"]["/Font"]
    hebrew = pdf.make_indirect(Dictionary(dict(fonts["/F1"].items())))
    hebrew["/ToUnicode"] = pdf.make_indirect(Stream(pdf, cmap))
    fonts["/H"] = hebrew
    assert PDF().read(build.save(pdf), "x.pdf").text == expected


def test_parts_cover_the_text() -> None:
    pdf = build.new_pdf(build.line("One"), build.line("Two"))
    build.annotate(pdf, Subtype=Name.Text, Contents=String("A comment"))
    document = PDF().read(build.save(pdf), "x.pdf")
    assert document.format == "pdf"
    assert [(part.name, document.text[part.start : part.end]) for part in document.parts] == [
        ("page 1", "One"),
        ("page 2", "Two"),
        ("annotation text", "A comment"),
    ]


def test_an_edit_may_run_over_pages_and_parts() -> None:
    pdf = build.new_pdf(build.line("One Ann"), build.line("Lee two"))
    document = PDF().read(build.save(pdf), "x.pdf")
    edits = build.deny(document, "Ann Lee")
    assert len(edits) == 1
    assert PDF().read(PDF().write(document, edits), "x.pdf").text.split() == ["One", "[X]", "two"]
