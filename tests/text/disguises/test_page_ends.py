"""Words that are broken over the end of a page."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from efface import Sanitizer
from efface.core import Verdict
from efface.text.disguises.page_ends import PageEnds
from tests.growth import assert_linear

PROSE = "The meeting went on for a while and everybody was content."


def _found(text: str, word: str = "whitcombe") -> list[tuple[str, str]]:
    places = [(first, rest) for _, first, rest in PageEnds([word]).find(text)]
    return [(text[first.start : first.end], text[rest.start : rest.end]) for first, rest in places]


@pytest.mark.parametrize("hyphen", ["", "-", "\u2010", "\u00ad", "- ", "-\r"])
@pytest.mark.parametrize("between", ["Page 1\n", "\n\n1\n\f", "A report\n\n3\n\nThe committee\n\n"])
def test_both_halves_are_found(hyphen: str, between: str) -> None:
    assert _found(f"we met Mr Whit{hyphen}\n{between}combe, who came.") == [("Whit", "combe")]


def test_letters_with_accents_are_those_of_the_folded_word() -> None:
    assert _found("Frau Mül-\n1\n\nlerstein\n", "mullerstein") == [("Mül", "lerstein")]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("the Good\n1\nman came", "goodman"),
        ("Whit went\n1\ncombe", "whitcombe"),
        ("Whit-\n1\nto combe", "whitcombe"),
        ("Whit-\n1\ncombes", "whitcombe"),
        ("twit\n1\ncombe", "witcombe"),
        ("Whit-\n" + "a line\n" * 20 + "combe", "whitcombe"),
    ],
)
def test_others_are_not(text: str, word: str) -> None:
    assert _found(text, word) == []


@pytest.mark.parametrize("piece", ["Whit\n", "Whit-\nx\n", "Whit ", "\n", "- \n"])
def test_the_time_grows_with_the_length(piece: str) -> None:
    ends = PageEnds(["whitcombe"])
    assert_linear(lambda text: list(ends.find(f"{text}\n{text}\n")), piece, 16_000, before="a\n")


def test_a_pdf_with_footers_and_headers_is_held() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for number, (first, last) in enumerate([(PROSE, "and we met Mr Whit-"), ("combe, who told us.", PROSE)]):
        for at, line in enumerate(["Annual report", "", first, *[PROSE] * 20, last, "", f"Page {number}"]):
            canvas.drawString(72, 800 - 14 * at, line)
        canvas.showPage()
    canvas.save()
    policy = Sanitizer.from_text("find: {names: none, patterns: none, deny: [Whitcombe]}")
    report = policy.sanitize(buffer.getvalue(), name="a.pdf")
    assert report.verdict is Verdict.HELD
    kept = policy.assess(report.released or b"", name="a.pdf").document.text
    assert "Whit" not in kept
    assert "combe" not in kept
