"""Fonts, classes and colours in style sheets are no names; comments and words that a style sheet shows are read."""

from __future__ import annotations

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import PartKind
from efface.formats import get_format

STYLES = """@import url(look.css);
body { font-family: Georgia, "Helvetica Neue", Verdana, "Trebuchet MS", Lucida, sans-serif; font: 12px Palatino }
@font-face { font-family: Garamond; src: url(fonts/Garamond.woff2) }
.Perpetua { color: DarkSlateBlue } #Hans { margin: 0 } .Austin-header:hover { background: Chocolate }
@keyframes spin { from { top: 0 } } @media print { .Mason { display: none } }"""
PAGE = "<html><head><style>{}</style></head><body>{}<p>{}</p></body></html>"
FONT = '<font face="Georgia, Verdana" style="font-family: Verdana, Geneva, Tahoma">We met.</font>'


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer.from_text("efface: 1\nfind:\n  deny: [Mason]\n")


def test_a_style_sheet_without_names_stays_as_it_is(sanitizer: Sanitizer) -> None:
    styles = STYLES.replace("Mason", "Carver")
    page = PAGE.format(styles, FONT, "Morgan Price came to the clinic.")
    report = sanitizer.sanitize(page.encode(), name="page.html")
    assert report.released is not None
    assert report.released.decode() == PAGE.format(styles, FONT, "[PERSON_1] came to the clinic.")


@pytest.mark.parametrize(
    "said",
    [
        "/* written by Morgan Price for the clinic */",
        '.x:before { content: "Ask Morgan Price about it" }',
        ".x:before { content: attr(y) ' Morgan Price was here' }",
        '.x:before { content: "For; " counter(y) "}: Morgan Price was here" }',
        ':root { --author: "Morgan Price" }',
        "p { top: 0 } /* Morgan Price wrote this and never ended it",
    ],
)
def test_words_that_a_person_wrote_in_a_style_sheet_are_read(sanitizer: Sanitizer, said: str) -> None:
    report = sanitizer.sanitize(PAGE.format(said, "", "We met.").encode(), name="page.html")
    assert report.released is not None
    assert b"Morgan" not in report.released
    assert b"Price" not in report.released


def test_what_is_cut_in_the_text_or_denied_is_cut_in_styles(sanitizer: Sanitizer) -> None:
    page = PAGE.format(STYLES, FONT, "Hans Austin came to the clinic.")
    released = sanitizer.sanitize(page.encode(), name="page.html").released
    assert released is not None
    for gone in (b"Hans", b"Austin", b"Mason"):
        assert gone not in released
    assert b"Perpetua" in released


def test_the_parts_of_a_page_still_cover_its_text() -> None:
    document = get_format("html").read(PAGE.format(STYLES + "/* a */ b", FONT, "x").encode(), "page.html")
    assert [part.start for part in document.parts[1:]] == [part.end for part in document.parts[:-1]]
    assert {part.kind for part in document.parts} == {PartKind.PROSE, PartKind.CODE}
