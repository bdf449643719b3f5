"""Pages whose words close when a browser lays them out. The halves are cut, or the page does not leave."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from efface.attacks.readers.html_page import read
from efface.core import Verdict

DENY = Sanitizer({"find": {"deny": ["Whitcombe"], "names": "none"}})
HIDES = "<style>.h{display:none}</style>"


@pytest.mark.parametrize(
    "page",
    [
        f"{HIDES}<p>Whit<span class=h>{'<b>q</b>z' * 300}</span>combe</p>",
        "<link rel=stylesheet href=x.css><p>Whi<span class=a>a</span>tco<span class=b>b</span>mbe</p>",
        "<style>.h:before{content:'Whit'}</style><p>Dear <span class=h>combe</span></p>",
        '<style>p .h::after{content:"com" "be"}</style><p>Dear <span class=h>Whit</span></p>',
        "<style>i::/**/after{c\\6f ntent:'combe'}</style><p><i>Whit</i></p>",
        '<div style="display:flex;flex-direction:row-reverse"><span>combe</span><span>Whit</span></div>',
        '<div style="display:flex"><span style="order:2">combe</span><span>Whit</span></div>',
        '<script>a="Whit"/*x*/+"combe"</script>',
    ],
)
def test_a_word_that_closes_on_the_page_is_seen(page: str) -> None:
    report = DENY.sanitize(f"<html><body>{page}</body></html>".encode(), name="page.html")
    assert report.verdict is Verdict.BROKEN
    assert report.released is None


@pytest.mark.parametrize(
    "page",
    [
        f"{HIDES}<div>Whit<div class=h><i>a</i></div>combe</div>",
        f"{HIDES}<div>Whit<p class=h>a<p>combe</div>",
        "<p>Whit<dialog>z</dialog>combe</p>",
        '<script>a="Whit";b="combe";document.write(a+b)</script>',
        "<p>Whit<noscript>z</noscript>combe</p>",
        "<p>Whit<datalist><option>z</datalist>combe</p>",
        "<style>.h::after{content:attr(data-y)}</style><p><span class=h data-y=combe>Whit</span></p>",
    ],
)
def test_both_halves_of_a_word_that_closes_are_cut(page: str) -> None:
    report = DENY.sanitize(f"<html><body>{page}</body></html>".encode(), name="page.html")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert b"Whit" not in report.released and b"combe" not in report.released


@pytest.mark.parametrize(
    "unit", ["<a ", "</a", "<!--", "<?", '<a href="', "<a b", "<b>x", "a<b/>", "<p><b>", "&#", "<style>"]
)
def test_a_page_of_nothing_but_open_tags_is_read_to_its_end(unit: str) -> None:
    """The standard library's parser takes a minute for each of some of these."""
    page = unit * (100_000 // len(unit)) + " Whitcombe"
    assert any("Whitcombe" in text for _, text in read(page))


@pytest.mark.parametrize(
    ("page", "part", "said"),
    [
        ("<p>a&amp;b<!-- c --></p>", "page", "\na&b\n"),
        ("<p>a&amp;b<!-- c --></p>", "comment", " c "),
        ("<a title='x&quot;y' href=z>w</a>", "attribute title", 'x"y'),
        ("<a title='x' href=z>w</a>", "attribute href", "z"),
        ("<script>if (a<b) '</p>'</script>", "page", "\nif (a<b) '</p>'\n"),
        ("<textarea><b>&lt;</textarea>", "page", "\n<b><\n"),
        ("<ruby>Whit<rt>w</ruby>combe", "page", "Whitcombe"),
        ("a<b", "comment", "<b"),
        ("a </ b>c", "page", "a c"),
        ("<p>a<p hidden>b</p>c", "page as it is shown", "\na\nc"),
    ],
)
def test_what_a_page_says(page: str, part: str, said: str) -> None:
    assert (part, said) in list(read(page))
